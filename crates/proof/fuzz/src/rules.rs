//! gates.toml: no text makes reading it panic. Each mistake has a place in the text.
//! Accepted rules can be judged by and reported.

use std::slice;
use std::sync::LazyLock;

use alloc_gate::report::{Evaluations, Format, Report, View};
use alloc_gate::{CfgSets, Config, Diagnostics, DocumentState, Inputs, Measurements, evaluate};
use alloc_results::read_streams;

static MEASUREMENTS: LazyLock<Measurements> = LazyLock::new(|| {
    let text = include_str!("../corpus/result_lines/two-scenarios");
    let streams = read_streams("results", text).expect("the seed is a whole stream");
    Measurements::new(streams).expect("every name is its own")
});

/// Checks one text.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Config::parse("gates.toml", &text) {
        Ok(config) => judge(&config),
        Err(diagnostics) => show(&diagnostics, &text),
    }
}

fn show(diagnostics: &Diagnostics, text: &str) {
    assert!(!diagnostics.list().is_empty());
    // Rendering takes three quarters of the time, so one text of four is rendered. Which
    // one depends on the text, so that a failure can be repeated.
    if text.len().is_multiple_of(4) {
        assert!(!diagnostics.styled().is_empty());
    }
    for diagnostic in diagnostics.list().iter().take(100) {
        assert!(text.get(diagnostic.span()).is_some());
        assert!(diagnostics.place(diagnostic).line <= text.matches('\n').count() + 1);
    }
}

fn judge(config: &Config) {
    let no_cfgs = CfgSets::default();
    let evaluation = evaluate(&Inputs {
        document: Some(DocumentState::Stale),
        ..Inputs::new(config, &MEASUREMENTS, &no_cfgs)
    });
    let mut report = Vec::new();
    for format in Format::ALL {
        let evaluations = Evaluations {
            runs: slice::from_ref(&evaluation),
            view: View::default(),
            repository: None,
        };
        let written = evaluations.write(format, None, &mut report);
        written.expect("memory takes it");
    }
    assert!(!report.is_empty());
}
