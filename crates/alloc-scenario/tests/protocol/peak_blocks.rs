//! Tests of the metric `peak-blocks`. The expected numbers are counted by hand.

use std::hint::black_box;
use std::thread;

use alloc_results::{CustomFigure, ScenarioRecord, Unit};
use alloc_scenario::{Scope, Suite};

use crate::start::{find, recorded};

/// The kind of bench with these scenarios.
pub(crate) const KIND: &str = "peak-blocks";

fn block(size: usize) -> Vec<u8> {
    black_box(vec![1_u8; size])
}

pub(crate) fn add(suite: &mut Suite<'_>) {
    suite.warm_up(2).iterations(10);
    // The bytes have their peak before the blocks.
    suite.scenario("together", || {
        drop(block(10_000));
        drop([block(1), block(2), block(3)]);
    });
    // Calls 4 to 13 are counted, of which 10 has more blocks.
    let mut calls = 0;
    suite.scenario("rarely", move || {
        calls += 1;
        drop([block(1), block(1)]);
        if calls == 10 {
            drop([block(1), block(1), block(1), block(1), block(1)]);
        }
    });
    suite.scenario_with("dropped later", |b| {
        b.drop_outside().run(|()| [block(1), block(2)])
    });
    suite.scenario_with("process", |b| {
        b.scope(Scope::Process)
            .run(|()| drop([block(1), block(2), block(3), block(4)]))
    });
    suite.scenario_with("blocks of a worker", |b| {
        b.scope(Scope::Process).run(|()| {
            let held = [block(1), block(2)];
            let worker = thread::spawn(|| [block(1), block(2), block(3), block(4), block(5)]);
            drop((held, worker.join().expect("it does not panic")));
        })
    });
    for (name, scope) in [("team", Scope::Thread), ("process team", Scope::Process)] {
        suite.scenario_with(name, move |b| {
            b.scope(scope)
                .input(|()| vec![1_u8; 500])
                .run_on_threads(|()| 3, |input| [input.to_vec(), block(input.len())])
        });
    }
    suite.scenario_with("fresh", |b| {
        b.fresh_process().run(|()| drop([block(1), block(2)]))
    });
    suite.scenario("nothing", || ());
}

const ASKED: (&str, &str) = ("ALLOC_GATE_METRICS", "peak-blocks");

fn peak_blocks(record: &ScenarioRecord) -> &CustomFigure {
    let figure = record.custom_figure("peak-blocks");
    figure.unwrap_or_else(|| panic!("{} has no figure", record.name))
}

pub(crate) fn the_peak_of_blocks_is_measured_where_it_is_asked_for() {
    let (run, stream) = recorded(KIND, &["--bench"], &[ASKED]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for (name, peak) in [
        ("together", 3),
        ("dropped later", 2),
        ("process", 4),
        ("fresh", 2),
        ("nothing", 0),
    ] {
        let record = find(&stream, name);
        let expected = CustomFigure::new(Unit::Count, peak, [(peak, record.iterations)]);
        assert_eq!(Some(peak_blocks(record)), expected.as_ref(), "{name}");
    }
    let rarely = CustomFigure::new(Unit::Count, 2, [(2, 9), (5, 1)]);
    assert_eq!(Some(peak_blocks(find(&stream, "rarely"))), rarely.as_ref());
    // Starting a thread makes blocks as well.
    let worker = peak_blocks(find(&stream, "blocks of a worker")).distribution();
    assert!(worker.min() >= 7 && worker.max() < 50, "{worker:?}");
    // Each of the three holds two blocks at once, and all of them at most six.
    let team = peak_blocks(find(&stream, "process team")).distribution();
    assert!(team.min() >= 2 && team.max() <= 6, "{team:?}");
    assert_eq!(find(&stream, "team").custom().count(), 0);
}

pub(crate) fn nobody_asks_for_the_peak_of_blocks_and_no_other_figure_changes() {
    let skipped = ["--bench", "--skip", "process", "--skip", "worker"];
    let (_, asked) = recorded(KIND, &skipped, &[ASKED]);
    let (_, plain) = recorded(KIND, &skipped, &[]);
    for name in [
        "together",
        "rarely",
        "dropped later",
        "team",
        "fresh",
        "nothing",
    ] {
        let [asked, plain] = [&asked, &plain].map(|stream| find(stream, name));
        assert_eq!(plain.custom().count(), 0, "{name}");
        assert_eq!(
            (&asked.first, &asked.samples),
            (&plain.first, &plain.samples)
        );
        assert_eq!(asked.first_operations, plain.first_operations);
        assert_eq!(asked.mode, plain.mode);
    }
}

pub(crate) fn sizes_and_the_peak_of_blocks_can_be_asked_for_together() {
    let both = ("ALLOC_GATE_METRICS", "peak-blocks,allocs-over-1kB");
    let (_, stream) = recorded(KIND, &["--bench"], &[both]);
    let figures = |name| {
        let figures = find(&stream, name).custom();
        let first = figures.map(|(name, figure)| (name.to_owned(), figure.first()));
        first.collect::<Vec<_>>()
    };
    let both = [("allocs-over-1kB", 1), ("peak-blocks", 3)];
    assert_eq!(
        figures("together"),
        both.map(|(name, first)| (name.to_owned(), first))
    );
    assert_eq!(figures("team"), [("allocs-over-1kB".to_owned(), 0)]);
}
