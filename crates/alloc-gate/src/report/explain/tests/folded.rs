//! Call stacks as folded stacks.

use alloc_results::Metric;

use super::*;
use crate::sites::Side;

fn explained(measured: ScenarioSites, metric: Metric) -> Explained {
    let figure = (metric, Statistic::Mean);
    let sites = attributed(measured, figure, Some(NEW), Side::Unknown);
    Explained {
        metric,
        ..alone(sites, None)
    }
}

fn of(measured: ScenarioSites, metric: Metric) -> Folded {
    folded(&explained(measured, metric)).expect("the metric has values by stack")
}

fn run() -> ScenarioSites {
    (*after(Side::Unknown).measured).clone()
}

#[test]
fn values_are_whole_numbers_of_the_fewest_iterations() {
    let mut measured = measured(&[
        (
            "name",
            9,
            8,
            "alloc::vec::Vec<[u8; 4]>::with\ncapacity",
            20,
            80,
        ),
        ("terminated", 6, 36, COLLECT, 10, 360),
    ]);
    let text = "app::encode;app::name;alloc::vec::Vec<[u8: 4]>::with capacity 2\n\
                app::encode;app::terminated;core::iter::traits::iterator::Iterator::collect 1\n";
    let expected = Folded {
        text: text.into(),
        iterations: 1,
        below_zero: 0,
    };
    assert_eq!(of(measured.clone(), Metric::Allocs), expected);

    // One of the ten iterations has one more.
    measured.samples[0].0.rows[0].counts.allocs += 1;
    let expected = Folded {
        text: text.replace(" 2\n", " 21\n").replace(" 1\n", " 10\n"),
        iterations: 10,
        below_zero: 0,
    };
    assert_eq!(of(measured, Metric::Allocs), expected);
}

#[test]
fn two_sides_have_the_value_before_and_the_value_now() {
    let found = folded(&compared()).expect("allocations have values by stack");
    let outer = "app::encode;app";
    let lines: Vec<&str> = found.text.lines().collect();
    let gone = format!("{outer}::gone;");
    let gone = lines.iter().find(|line| line.starts_with(&gone));
    assert!(gone.is_some_and(|line| line.ends_with(" 2 0")), "{lines:?}");
    let name = format!("{outer}::name;{TO_OWNED} 2 2");
    assert!(lines.contains(&&*name), "{lines:?}");
    assert_eq!((found.iterations, found.below_zero), (2, 0));
}

#[test]
fn rows_without_a_stack_have_a_name() {
    let mut measured = run();
    measured.stacks.push(Vec::new());
    let last = measured.stacks.len() - 1;
    for stack in [None, Some(last)] {
        measured.samples[0].0.rows.push(SiteRow {
            stack,
            counts: Tally {
                allocs: 20,
                ..Tally::default()
            },
            ..SiteRow::default()
        });
    }
    let before = measured.samples[0].0.before.as_mut().expect("it is there");
    before.peak_bytes = Some(100);
    let text = of(measured.clone(), Metric::Allocs).text;
    assert!(text.contains("further stacks 4\n"), "{text}");
    assert!(text.contains("unknown stack 4\n"), "{text}");
    let text = of(measured, Metric::PeakBytes).text;
    assert!(text.contains("blocks from before the iteration "), "{text}");
}

#[test]
fn what_stacks_have_no_value_of_is_not_folded() {
    let mut measured = run();
    // Live blocks were not followed.
    measured.samples[0].0.before = None;
    assert_eq!(
        folded(&explained(measured.clone(), Metric::PeakBytes)),
        None
    );
    let counts = &mut measured.samples[0].0.rows[0].counts;
    counts.deallocs = counts.allocs + 1;
    assert_eq!(of(measured, Metric::NetBlocks).below_zero, 1);
}
