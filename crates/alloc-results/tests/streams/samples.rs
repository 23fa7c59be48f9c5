//! Samples that don't add up, are too large, or are missing.

use alloc_results::{CustomFigures, ScenarioRecord};

use crate::{environment, refused, scenario, stream, written};

const SENTENCE: &str = "r.jsonl:2: the samples of `a` don't add up to its iterations, or are too \
                        large to have been counted; the file was damaged or edited: measure again";

#[test]
fn samples_that_do_not_add_up_are_refused() {
    let text = written(&["a", "b"]);
    for (from, to) in [
        ("\"times\":100", "\"times\":99"),
        // In the pass for the peak.
        ("\"times\":98", "\"times\":99"),
        ("\"bytes\":44", "\"bytes\":18446744073709551615"),
    ] {
        let changed = text.replace(from, to);
        assert_eq!(refused(&changed), SENTENCE, "{from}");
    }
}

#[test]
fn a_scenario_without_samples_is_refused() {
    let empty = ScenarioRecord {
        iterations: 0,
        samples: Vec::new(),
        peak_pass: None,
        metrics: CustomFigures::default(),
        ..scenario("a")
    };
    let text = stream(&environment(&["a"]), &[empty], &[]);
    assert_eq!(refused(&text), SENTENCE);
}
