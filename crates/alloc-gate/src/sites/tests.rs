//! Programs with marked allocations, before and after a change: their sites, and the diff.

mod base;
mod planted;
mod program;
mod refactored;
mod sums;

use alloc_results::{Metric, Ratio, Tally};

use crate::measure::Statistic;
use crate::sites::{
    BeforeRow, Code, Frame, FrameKind, Members, SampleSites, ScenarioSites, SiteChange, SitePlace,
    SiteRow, Sites,
};

pub(super) fn frame(function: &str, file: Option<&str>, line: u32, column: u32) -> Frame {
    Frame {
        function: function.into(),
        file: file.map(Into::into),
        line: file.map(|_| line),
        column: file.map(|_| column),
        kind: FrameKind::Called,
    }
}

fn members() -> Members {
    let texts = |text: &str| [text.to_owned()];
    Members::new("/ws", &texts("/ws"), &[], &texts("app"))
}

pub(super) fn row(stack: Option<usize>, allocs: u64, bytes: u64) -> SiteRow {
    SiteRow {
        stack,
        counts: Tally {
            allocs,
            bytes,
            ..Tally::default()
        },
        ..SiteRow::default()
    }
}

/// The sites of the first call, whose stacks have one allocation of 8 bytes each.
fn first_call(stacks: Vec<Vec<Frame>>) -> Sites {
    let rows = (0..stacks.len()).map(|stack| row(Some(stack), 1, 8));
    let first = SampleSites {
        rows: rows.collect(),
        before: None,
    };
    let measured = ScenarioSites {
        stacks,
        first,
        ..ScenarioSites::default()
    };
    let members = members();
    let code = Code::new(&members, &|_| None);
    Sites::new(measured, Metric::Allocs, Statistic::First, code)
}

#[test]
fn operations_without_a_line_have_a_place_as_well() {
    let kept = SiteRow {
        kept_blocks: 10,
        kept_bytes: 80,
        peak_bytes: 80,
        ..row(Some(0), 20, 160)
    };
    // A row with nothing is no site.
    let [parse, unknown, none, nothing] = [
        (Some(1), 10, 40),
        (Some(2), 5, 5),
        (None, 3, 3),
        (Some(0), 0, 0),
    ]
    .map(|(stack, allocs, bytes)| row(stack, allocs, bytes));
    let sample = SampleSites {
        rows: vec![kept, parse, unknown, none, nothing],
        before: Some(BeforeRow {
            kept_blocks: -10,
            kept_bytes: -100,
            peak_bytes: Some(0),
        }),
    };
    let unplaced = |function| frame(function, None, 0, 0);
    let harness = unplaced("alloc_scenario::runner::run");
    let boxed = unplaced("alloc::boxed::Box<T>::new");
    let measured = ScenarioSites {
        stacks: vec![
            vec![
                boxed,
                frame("app::run", Some("src/lib.rs"), 3, 9),
                harness.clone(),
            ],
            vec![unplaced("dep::parse"), harness],
            vec![unplaced("0x1234")],
        ],
        samples: vec![(sample, 10)],
        ..ScenarioSites::default()
    };
    let sources = |_: &str| Some(String::from("1\n2\n3: Box::new(a)\n"));
    let members = members();
    let code = Code::new(&members, &sources);
    let sites = Sites::new(measured, Metric::Allocs, Statistic::Mean, code);
    let shown = sites.list.iter().map(|site| {
        let line = site.place.line();
        let line = line.map(|line| format!("{} {:?}", line.location(), line.text));
        let place = line.unwrap_or_else(|| format!("{:?}", site.place));
        let value = sites.value(site, Metric::Allocs);
        let (numerator, denominator) = (value.numerator(), value.denominator());
        format!("{place} {} {numerator}/{denominator}", site.how)
    });
    let expected = "
        src/lib.rs:3:9 Some(\"3: Box::new(a)\") Box::new 2/1
        Dependency(\"dep::parse\")  1/1
        Untraced(\"0x1234\")  1/2
        FurtherStacks  3/10
        Before  0/1";
    assert!(shown.eq(expected.trim().lines().map(str::trim)));
    // By origin: 10 blocks are kept, and 10 of before are gone.
    for (metric, total) in [
        (Metric::Allocs, 38),
        (Metric::Bytes, 208),
        (Metric::NetBlocks, 0),
        (Metric::NetBytes, -20),
        (Metric::PeakBytes, 80),
    ] {
        let total = Ratio::new(total, 10).unwrap();
        assert_eq!(sites.total(metric), total, "{metric}");
    }
    assert!(sites.measured.follows_blocks() && !sites.without_lines);
}

#[test]
fn a_function_that_is_inlined_in_some_stacks_has_one_name() {
    let (push, pushed) = ("alloc::vec::Vec<T>::push", "push");
    for (functions, expected) in [
        (
            &[(push, "<app::A as app::B>::f"), (pushed, "f"), (push, "f")][..],
            "Vec::push in A::f",
        ),
        (&[(pushed, "f")], "push in f"),
        // A macro can make a function for each of several types.
        (
            &[(push, "app::A::f"), (push, "app::B::f"), (push, "f")],
            "Vec::push in A::f, Vec::push in B::f, Vec::push in f",
        ),
    ] {
        let library = Some("/rustc/0/library/alloc/src/vec/mod.rs");
        let stacks = functions.iter().map(|(called, function)| {
            let function = frame(function, Some("src/lib.rs"), 3, 5);
            let harness = frame("alloc_scenario::run", None, 0, 0);
            vec![frame(called, library, 7, 9), function, harness]
        });
        let sites = first_call(stacks.collect());
        let names = sites.list.iter();
        let names = names.map(|it| format!("{} in {}", it.how, it.place.function().unwrap()));
        assert_eq!(names.collect::<Vec<_>>().join(", "), expected);
    }
}

#[test]
fn a_bench_without_line_tables_has_functions() {
    let functions = [
        "alloc::vec::Vec<T>::push",
        "app::inner::<u8>",
        "app::outer",
        "main",
    ];
    let sites = first_call(vec![functions.map(|it| frame(it, None, 0, 0)).into()]);
    assert!(sites.without_lines && !sites.measured.follows_blocks());
    let function = |name: &str| SitePlace::Function(name.to_owned());
    assert_eq!(sites.list[0].place, function("inner"));
    assert!(sites.list[0].called_by.keys().eq([&function("outer")]));
    // Without live blocks, what is left behind counts where it was allocated.
    assert_eq!(sites.total(Metric::NetBytes), Ratio::whole(8));
}

/// A line of a diff that is worth reading: neither the same nor without a difference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    change: SiteChange,
    /// The text of the head's line, or else of the base's.
    text: String,
    allocs: i128,
    bytes: i128,
}
