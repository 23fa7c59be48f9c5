//! The page for a browser: what a thousand scenarios take, with the history of their figures.

use alloc_gate::baseline::Coverage;
use alloc_gate::history::Revision;
use alloc_gate::report::{Evaluations, Format, Report, View};
use alloc_gate::{Baseline, Measurements};

use crate::{evaluated, one_line};

/// A thousand scenarios of a bench, with so many allocations each.
fn results(allocs: usize) -> String {
    let lines = (0..1_000).map(|number| format!("s{number}: 2 x allocs={allocs}\n"));
    format!("bench codec/b\n{}", lines.collect::<String>())
}

fn revision(allocs: usize) -> Revision {
    let streams = sample_results::streams(&results(allocs)).expect("they are well written");
    let mut groups = Measurements::by_environment(streams).expect("each bench is there once");
    let (measurements, _) = groups.remove(0);
    Revision {
        commit: Some(format!("{allocs:040}")),
        date: String::from("2026-11-26"),
        subject: String::from("<script>two</script>\n\u{202e}lines"),
        is_boundary: false,
        baseline: Baseline::default().accept(&measurements, Coverage::AllBenches),
    }
}

#[test]
fn a_thousand_scenarios_with_their_history_are_below_a_megabyte() {
    let rules = "version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\nallocs = '<= 3'\n\
                 bytes = '<= 9'\nnet-blocks = '== 0'\n";
    let evaluations = evaluated(rules, &results(60));
    let past: Vec<Revision> = (1..=50).map(revision).collect();
    let report = Evaluations {
        runs: &evaluations,
        view: View {
            past: &past,
            ..View::default()
        },
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
    // Since when, at the first failure and where all figures are; and none that is a script.
    let subject = "&lt;script&gt;two&lt;/script&gt;";
    assert!(page.matches(subject).count() > 20, "{}", page.len());
    assert!(!page.contains("<script>two"));
    assert!(page.contains("The page has no room for "));
}
