//! Tests of the call stacks in results. That rows add up to their readings is checked by
//! whoever reads the results.

use std::hint::black_box;
use std::time::Duration;

use alloc_results::{BeforeRow, SampleSites, SiteRow, SitesRecord, Stream};
use alloc_scenario::counting_alloc::Sites;
use alloc_scenario::{Scope, Suite};
use alloc_symbols::Executable;

use crate::start::{NAMES, allocated, failures, find, recorded};

const ASKED: (&str, &str) = ("ALLOC_GATE_SITES", "1");

/// So few that a busy machine captures the call stacks of all.
const FEW: (&str, &str) = ("ALLOC_GATE_ITERATIONS", "20");

pub(crate) fn add(suite: &mut Suite<'_>) {
    suite.warm_up(3).iterations(20);
    suite.scenario("two places", || (ten_bytes(), forty_bytes(), forty_bytes()));
    // Frees the block of the call before.
    suite.scenario_with("replaced", |b| {
        b.setup(|()| forty_bytes())
            .run(|state| *state = forty_bytes())
    });
    // Calls 5 to 24 are counted. Calls 10 and 20 are at another place.
    let mut calls = 0;
    suite.scenario("rarely elsewhere", move || {
        calls += 1;
        if calls % 10 == 0 {
            ten_bytes()
        } else {
            forty_bytes()
        }
    });
    for (name, scope) in [("team", Scope::Thread), ("process team", Scope::Process)] {
        suite.scenario_with(name, move |b| {
            b.scope(scope)
                .input(|()| ten_bytes())
                .run_on_threads(|()| 3, |input| (input, forty_bytes()))
        });
    }
    suite.scenario_with("own process", |b| b.fresh_process().run(|()| ten_bytes()));
    suite.scenario_with("endless", |b| {
        b.iterations(1 << 40)
            .timeout(Duration::from_secs(1))
            .run(|()| ten_bytes())
    });
    suite.scenario_with("inspected", |b| {
        b.run(|()| forty_bytes())
            .metric("uncounted", alloc_scenario::Unit::Bytes, |_| {
                ten_bytes().len() as i64
            })
            .verify(|bytes| drop(bytes.clone()))
    });
}

#[inline(never)]
fn ten_bytes() -> Vec<u8> {
    black_box(Vec::with_capacity(10))
}

#[inline(never)]
fn forty_bytes() -> Vec<u8> {
    black_box(Vec::with_capacity(40))
}

fn sites<'s>(stream: &'s Stream, name: &str) -> &'s SitesRecord {
    let sites = find(stream, name).sites.as_deref();
    sites.unwrap_or_else(|| panic!("{name} has sites"))
}

fn sample<'s>(stream: &'s Stream, name: &str, index: usize) -> &'s SampleSites {
    let sample = sites(stream, name).samples[index].as_ref();
    sample.unwrap_or_else(|| panic!("sample {index} of {name} has rows"))
}

/// The rows with a function of this name in their stack.
fn rows<'s>(
    stream: &Stream,
    name: &str,
    sample: &'s SampleSites,
    function: &str,
) -> Vec<&'s SiteRow> {
    let anchor = stream.environment.anchor.as_deref();
    let anchor = anchor.expect("sites were requested");
    // The bench is this program.
    let path = std::env::current_exe().expect("it has a path");
    let file = Executable::open(path).expect("it can be read");
    let mut symbols = file.symbols(anchor).expect("it has the anchor");
    let stacks = &sites(stream, name).stacks.0;
    let is_in = |row: &&SiteRow| {
        let stack = row.stack.map_or(&[][..], |stack| &stacks[stack]);
        let frames = symbols.frames(stack);
        frames
            .iter()
            .any(|frame| frame.function.ends_with(function))
    };
    sample.rows.iter().filter(is_in).collect()
}

/// Measures with sites, where they are available.
fn captured(kind: &str, arguments: &[&str]) -> Option<Stream> {
    let (run, stream) = recorded(kind, arguments, &[ASKED, FEW]);
    assert_eq!(run.code, Some(0), "{} {:?}", run.stderr, failures(&stream));
    for record in &stream.scenarios {
        assert_eq!(record.sites.is_some(), Sites::AVAILABLE, "{}", record.name);
        let reason = record.sites_unavailable.as_deref();
        let is_expected = match reason {
            Some(reason) => reason.starts_with("not available on ") && !Sites::AVAILABLE,
            None => Sites::AVAILABLE,
        };
        assert!(is_expected, "{}: {reason:?}", record.name);
    }
    Sites::AVAILABLE.then_some(stream)
}

pub(crate) fn every_kind_of_scenario_has_sites_and_the_same_counts() {
    let Some(stream) = captured("plain", &["--bench", "--skip", "nothing"]) else {
        return;
    };
    let (_, plain) = recorded("plain", &["--bench", "--skip", "no sites"], &[FEW]);
    for name in NAMES {
        let [with, without] = [&stream, &plain].map(|stream| find(stream, name));
        assert_eq!(with.samples, without.samples, "{name}");
        assert_eq!(
            (with.warmup, with.iterations),
            (without.warmup, without.iterations)
        );
        assert_eq!((&with.time, &without.sites), (&None, &None), "{name}");
        // The samples have rows of their own, also for their peaks.
        let sites = with.sites.as_deref().expect("it was checked");
        let readings = with.samples.iter().map(|sample| &sample.reading);
        let samples = sites.samples.iter().map(Option::as_ref);
        let all = samples.chain([Some(&sites.first)]);
        for (sites, reading) in all.zip(readings.chain([&with.first])) {
            let before = sites.and_then(|sites| sites.before);
            let before = before.unwrap_or_else(|| panic!("{name} has live blocks"));
            assert_eq!(before.peak_bytes.is_some(), reading.peak_bytes.is_some());
        }
        assert_eq!(sites.others, None);
    }
    let every_tenth = &find(&stream, "every tenth").samples;
    assert_eq!(every_tenth.len(), 2);
    assert_eq!(sample(&stream, "every tenth", 0).rows, []);
    assert_eq!(sample(&stream, "every tenth", 1).rows.len(), 2);
}

pub(crate) fn operations_are_at_the_stack_that_made_them() {
    let names = ["two places", "replaced", "rarely elsewhere"];
    let Some(stream) = captured("sites", &[&["--bench"], &names[..]].concat()) else {
        return;
    };
    let name = "two places";
    let all = sample(&stream, name, 0);
    let [ten] = rows(&stream, name, all, "::ten_bytes")[..] else {
        panic!("one stack, not {all:?}");
    };
    assert_eq!((ten.counts, ten.peak_bytes), (allocated(20, 200), 200));
    // Two calls, and so two stacks.
    let forty = rows(&stream, name, all, "::forty_bytes");
    assert_eq!(forty.len(), 2);
    for row in forty {
        assert_eq!((row.counts, row.peak_bytes), (allocated(20, 800), 800));
        assert_eq!((row.kept_blocks, row.kept_bytes), (0, 0));
        assert_eq!((row.smallest, row.largest), (40, 40));
    }
    // Blocks that stay are kept where they were made.
    let all = sample(&stream, "replaced", 0);
    let [row] = rows(&stream, "replaced", all, "::forty_bytes")[..] else {
        panic!("one stack, not {all:?}");
    };
    let kept = (row.kept_blocks, row.kept_bytes, row.peak_bytes);
    assert_eq!(kept, (20, 800, 800));
    let before = BeforeRow {
        kept_blocks: -20,
        kept_bytes: -800,
        peak_bytes: Some(0),
    };
    assert_eq!(all.before, Some(before));
    // Each sample has its own stacks.
    let name = "rarely elsewhere";
    assert_eq!(find(&stream, name).samples.len(), 2);
    for (index, function, other, counts) in [
        (0, "::ten_bytes", "::forty_bytes", allocated(2, 20)),
        (1, "::forty_bytes", "::ten_bytes", allocated(18, 720)),
    ] {
        let all = sample(&stream, name, index);
        let [row] = rows(&stream, name, all, function)[..] else {
            panic!("one stack, not {all:?}");
        };
        assert_eq!(row.counts, counts);
        assert!(rows(&stream, name, all, other).is_empty());
    }
    let first = &sites(&stream, name).first;
    let forty = rows(&stream, name, first, "::forty_bytes");
    assert_eq!(forty[0].counts, allocated(1, 40));
}

pub(crate) fn stacks_of_other_threads_and_processes_are_recorded() {
    let Some(stream) = captured("sites", &["--bench", "team", "own process", "inspected"]) else {
        return;
    };
    for name in ["team", "process team"] {
        assert_eq!(find(&stream, name).samples.len(), 1, "{name}");
        let all = sample(&stream, name, 0);
        let [row] = rows(&stream, name, all, "::forty_bytes")[..] else {
            panic!("one stack of {name}, not {all:?}");
        };
        assert_eq!(row.counts, allocated(60, 2_400), "{name}");
        // Inputs are made outside of the iterations, and dropped inside.
        let before = all.before.expect("blocks were followed");
        let kept = (before.kept_blocks, before.kept_bytes);
        assert_eq!(kept, (-60, -600), "{name}");
        assert!(rows(&stream, name, all, "::ten_bytes").is_empty());
    }
    let name = "own process";
    assert!(find(&stream, name).fresh);
    let all = sample(&stream, name, 0);
    assert_eq!(rows(&stream, name, all, "::ten_bytes").len(), 1);
    // Closures that inspect outputs are not counted.
    let all = sample(&stream, "inspected", 0);
    assert!(rows(&stream, "inspected", all, "::ten_bytes").is_empty());
}

pub(crate) fn as_many_iterations_as_there_is_time_for_are_explained() {
    let Some(stream) = captured("sites", &["--bench", "endless"]) else {
        return;
    };
    let record = find(&stream, "endless");
    assert!(record.iterations < 1 << 30, "{}", record.iterations);
    assert_eq!(sites(&stream, "endless").planned, 1 << 40);
    // Equal samples have the same counts, however many they are.
    let all = sample(&stream, "endless", 0);
    let [row] = rows(&stream, "endless", all, "::ten_bytes")[..] else {
        panic!("one stack, not {all:?}");
    };
    let iterations = record.iterations;
    assert_eq!(row.counts, allocated(iterations, 10 * iterations));
    assert_eq!(record.samples.len(), 1);
}

pub(crate) fn the_anchor_is_recorded_where_sites_are_requested() {
    let (_, stream) = recorded("plain", &["--bench", "empty", "--exact"], &[ASKED]);
    let anchor = stream.environment.anchor.as_deref();
    assert_eq!(anchor, Some("alloc_scenario::sites::anchor"));
    for off in ["", "0", "off"] {
        let arguments = ["--bench", "empty", "--skip", off, "--exact"];
        let (_, stream) = recorded("plain", &arguments, &[("ALLOC_GATE_SITES", off)]);
        assert_eq!(stream.environment.anchor, None);
        assert_eq!(stream.scenarios[0].sites, None);
    }
}
