//! Figures that scenarios measure themselves, in a stream.

use alloc_results::{CustomFigure, CustomFigures, ScenarioRecord, Unit, read_streams};

use crate::{refused, written};

/// 98 iterations of 40 bytes, 2 of 44, and 48 in the first call.
pub(crate) fn figures() -> CustomFigures {
    let figure = CustomFigure::new(Unit::Bytes, 48, [(44, 2), (40, 98)]).expect("not empty");
    let mut figures = CustomFigures::default();
    figures.insert("encoded", figure).expect("a good name");
    figures
}

const ENCODED: &str = r#""metrics":[{"name":"encoded","unit":"bytes","first":48,"samples":[{"value":40,"times":98},{"value":44,"times":2}]}]"#;

#[test]
fn each_value_of_a_figure_is_written_once_and_read_back() {
    let text = written(&["a"]);
    assert!(text.contains(ENCODED), "{text}");
    let streams = read_streams("r.jsonl", &text).expect("it is whole");
    let record = &streams[0].scenarios[0];
    let names: Vec<_> = record.custom().map(|(name, _)| name).collect();
    assert_eq!(names, ["encoded"]);
    let encoded = record.custom_figure("encoded").expect("it was measured");
    assert_eq!((encoded.unit(), encoded.first()), (Unit::Bytes, 48));
    // 98 * 40 + 2 * 44.
    assert_eq!(encoded.distribution().total(), 4_008);
    assert_eq!(record.custom_figure("rows"), None);
    // The counts are the same in all iterations, but the length differs.
    assert!(!record.is_deterministic());
    let counts_alone = ScenarioRecord {
        fresh: false,
        metrics: CustomFigures::default(),
        ..record.clone()
    };
    assert!(counts_alone.is_deterministic());
}

#[test]
fn inconsistent_figures_are_refused() {
    let text = written(&["a"]);
    let entry = &ENCODED[r#""metrics":["#.len()..ENCODED.len() - 1];
    let broken = |from: &str, to: &str| {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text);
        refused(&broken)
    };
    for (from, to, reason) in [
        (
            entry,
            &*format!("{entry},{entry}"),
            "the metric `encoded` is defined twice",
        ),
        (
            r#""name":"encoded""#,
            r#""name":"Encoded""#,
            "`Encoded` is not a valid metric name; use at most 64 lower-case letters, digits and \
             hyphens, and start with a letter",
        ),
        (
            r#""name":"encoded""#,
            r#""name":"bytes""#,
            "the metric name `bytes` is reserved: it has another meaning in gates.toml",
        ),
        (
            r#""unit":"bytes""#,
            r#""unit":"miles""#,
            "the metric `encoded` has the unknown unit `miles`",
        ),
        (r#""first":48,"#, "", "missing field `first`"),
        (
            r#"{"value":44,"times":2}"#,
            r#"{"value":44,"times":18446744073709551615}"#,
            "the metric `encoded` has no iterations, or too many",
        ),
    ] {
        let sentence = broken(from, to);
        let begin = format!("r.jsonl:2: invalid record ({reason}");
        assert!(sentence.starts_with(&begin), "{sentence}");
    }
    assert!(
        broken(r#"{"value":44,"times":2}"#, r#"{"value":44,"times":3}"#)
            .starts_with("r.jsonl:2: the samples of `a` don't add up to its iterations")
    );
    assert!(
        broken(r#"{"value":44,"#, r#"{"value":9223372036854775808,"#)
            .starts_with("r.jsonl:2: invalid record (invalid value")
    );
}
