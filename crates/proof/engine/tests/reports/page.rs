//! The page for a browser: what a thousand scenarios take.

use alloc_gate::report::{Evaluations, Format, Report, View};

use crate::{evaluated, one_line};

/// A thousand scenarios of a bench.
fn results() -> String {
    let lines = (0..1_000).map(|number| format!("s{number}: 2 x allocs=60\n"));
    format!("bench codec/b\n{}", lines.collect::<String>())
}

#[test]
fn a_thousand_scenarios_are_below_a_megabyte() {
    let rules = "version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\nallocs = '<= 3'\n\
                 bytes = '<= 9'\nnet-blocks = '== 0'\n";
    let evaluations = evaluated(rules, &results());
    let report = Evaluations {
        runs: &evaluations,
        view: View::default(),
        repository: None,
    };
    let mut page = Vec::new();
    report
        .write(Format::Html, &mut page)
        .expect("memory takes it");
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    let page = String::from_utf8(page).expect("it is UTF-8");
    let mut lines = page.split('\n');
    assert!(lines.all(|line| one_line(line) == line));
}
