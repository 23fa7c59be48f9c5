//! What must not depend on the order in which results come, and what reading
//! results does with any text.

use alloc_gate::baseline::Coverage;
use alloc_gate::{Baseline, Evaluation, Measurements};
use alloc_results::{Stream, read_streams};

use crate::{judged, measured, rules};
use sample_results::Generator;

/// What an evaluation says, without the order in which it says so.
fn said(evaluation: &Evaluation) -> Vec<String> {
    let mut said = vec![format!("{:?}", evaluation.outcome())];
    said.extend(
        evaluation
            .findings
            .iter()
            .map(|finding| format!("{finding:?}")),
    );
    for gate in &evaluation.gates {
        said.push(format!(
            "{} {:?} {:?}",
            gate.name, gate.verdict, gate.unmatched
        ));
        let judgements = gate.judgements.iter();
        said.extend(judgements.map(|judgement| format!("{} {judgement:?}", gate.name)));
    }
    said.sort();
    said
}

#[test]
fn the_order_of_result_files_and_of_scenarios_does_not_matter() {
    let mut generator = Generator::new(9);
    let mut reordered = 0;
    for _ in 0..300 {
        let config = rules(&mut generator);
        let text = generator.results();
        let streams = sample_results::streams(&text).expect("the results are well written");
        let mut others = generator.shuffled(streams.clone());
        let in_order = others.clone();
        for stream in &mut others {
            stream.scenarios = generator.shuffled(stream.scenarios.clone());
        }
        reordered += usize::from(others != streams);
        let before = measured(&generator.results());
        let accepted = Baseline::default().accept(&before, Coverage::AllBenches);
        let outcome = |streams: Vec<Stream>| {
            let now = Measurements::new(streams).expect("no name occurs twice");
            let baseline = accepted.accept(&now, Coverage::SomeBenches);
            (said(&judged(&config, &now, &accepted)), baseline)
        };
        let (once, twice) = (outcome(streams), outcome(others));
        assert_eq!(once, twice, "{text}");
        // The data has the scenarios in the order of their bench, whichever file is first.
        let (_, baseline) = outcome(in_order);
        assert_eq!(once.1.to_toml(), baseline.to_toml(), "{text}");
    }
    assert!(
        reordered > 100,
        "only {reordered} results had another order"
    );
}

/// The results that fuzzing begins with.
const SEEDS: [(&str, bool); 3] = [
    (
        include_str!("../../../../crates/proof/fuzz/corpus/result_lines/two-scenarios"),
        true,
    ),
    (
        include_str!("../../../../crates/proof/fuzz/corpus/result_lines/two-streams"),
        true,
    ),
    (
        include_str!("../../../../crates/proof/fuzz/corpus/result_lines/an-end-is-missing"),
        false,
    ),
];

#[test]
fn no_text_makes_reading_results_panic() {
    let mut generator = Generator::new(10);
    let mut refused = 0;
    for (seed, is_whole) in SEEDS {
        assert_eq!(read_streams("r", seed).is_ok(), is_whole);
        for round in 0..400 {
            let text = match round % 8 {
                0 => generator.text(60),
                1 => generator.bytes(60),
                _ => generator.mutated(seed),
            };
            match read_streams("r", &text) {
                // Nothing that is accepted can't be judged.
                Ok(streams) => {
                    let config = rules(&mut generator);
                    let now = Measurements::new(streams);
                    now.map(|now| judged(&config, &now, &Baseline::default()))
                        .ok();
                }
                Err(error) => {
                    refused += 1;
                    assert!(error.line <= text.lines().count().max(1), "{text:?}");
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    assert!(refused > 600, "only {refused} texts were refused");
}
