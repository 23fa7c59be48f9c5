//! Programs with marked allocations, before and after a change: their sites, and the diff.

mod base;
mod planted;
mod program;
mod refactored;
mod sums;

use alloc_results::{Metric, Ratio, Tally};

use crate::figure::Statistic;
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

fn row(stack: Option<usize>, allocs: u64, bytes: u64) -> SiteRow {
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

#[test]
fn operations_without_a_line_have_a_place_as_well() {
    let app = |line| frame("app::run", Some("src/lib.rs"), line, 9);
    let harness = frame("alloc_scenario::runner::run", None, 0, 0);
    let measured = ScenarioSites {
        stacks: vec![
            vec![
                frame("alloc::boxed::Box<T>::new", None, 0, 0),
                app(3),
                harness.clone(),
            ],
            vec![frame("dep::parse", None, 0, 0), harness],
            vec![frame("0x1234", None, 0, 0)],
        ],
        planned: 10,
        first: SampleSites::default(),
        samples: vec![(
            SampleSites {
                rows: vec![
                    SiteRow {
                        kept_blocks: 10,
                        kept_bytes: 80,
                        peak_bytes: 80,
                        ..row(Some(0), 20, 160)
                    },
                    row(Some(1), 10, 40),
                    row(Some(2), 5, 5),
                    row(None, 3, 3),
                    // A row with nothing is no site.
                    row(Some(0), 0, 0),
                ],
                before: Some(BeforeRow {
                    kept_blocks: -10,
                    kept_bytes: -100,
                    peak_bytes: Some(0),
                }),
            },
            10,
        )],
        bench: String::from("benches/b.rs"),
        problem: None,
    };
    let sources =
        |file: &str| (file == "src/lib.rs").then(|| String::from("1\n2\n3: Box::new(a)\n"));
    let sites = Sites::new(
        measured,
        Metric::Allocs,
        Statistic::Mean,
        Code::new(&members(), &sources),
    );
    let places: Vec<(&SitePlace, &str, Ratio)> = sites
        .list
        .iter()
        .map(|site| (&site.place, &*site.how, sites.figure(site, Metric::Allocs)))
        .collect();
    let SitePlace::Line(line) = places[0].0 else {
        panic!("{places:?}");
    };
    assert_eq!(
        (&*line.file, line.line, line.column),
        ("src/lib.rs", 3, Some(9))
    );
    assert_eq!(line.text.as_deref(), Some("3: Box::new(a)"));
    assert_eq!(places[0].1, "Box::new");
    let ratio = |numerator| Ratio::new(numerator, 10).unwrap();
    assert_eq!(
        places[1..],
        [
            (
                &SitePlace::Dependency(String::from("dep::parse")),
                "",
                ratio(10)
            ),
            (&SitePlace::Untraced(String::from("0x1234")), "", ratio(5)),
            (&SitePlace::FurtherStacks, "", ratio(3)),
            (&SitePlace::Before, "", ratio(0)),
        ]
    );
    for (metric, total) in [
        (Metric::Allocs, 38),
        (Metric::Bytes, 208),
        // By origin: 10 blocks are kept, and 10 of before are gone.
        (Metric::NetBlocks, 0),
        (Metric::NetBytes, -20),
        (Metric::PeakBytes, 80),
    ] {
        assert_eq!(sites.total(metric), ratio(total), "{metric}");
    }
    assert!(sites.measured.follows_blocks() && !sites.without_lines);
}

#[test]
fn a_function_that_is_inlined_in_some_stacks_has_one_name() {
    let site_names = |functions: &[(&str, &str)]| {
        let stacks = functions.iter().map(|(called, function)| {
            vec![
                frame(called, Some("/rustc/0/library/alloc/src/vec/mod.rs"), 7, 9),
                frame(function, Some("src/lib.rs"), 3, 5),
                frame("alloc_scenario::run", None, 0, 0),
            ]
        });
        let rows = (0..functions.len()).map(|stack| row(Some(stack), 1, 8));
        let measured = ScenarioSites {
            stacks: stacks.collect(),
            first: SampleSites {
                rows: rows.collect(),
                before: None,
            },
            ..ScenarioSites::default()
        };
        let members = members();
        let code = Code::new(&members, &|_| None);
        let sites = Sites::new(measured, Metric::Allocs, Statistic::First, code);
        let names = sites.list.iter().map(|site| {
            let function = site.place.function().unwrap();
            format!("{} in {function}", site.how)
        });
        names.collect::<Vec<_>>().join(", ")
    };
    let (push, pushed) = ("alloc::vec::Vec<T>::push", "push");
    for (functions, names) in [
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
        assert_eq!(site_names(functions), names);
    }
}

#[test]
fn a_bench_without_line_tables_has_functions() {
    let measured = ScenarioSites {
        stacks: vec![vec![
            frame("alloc::vec::Vec<T>::push", None, 0, 0),
            frame("app::inner::<u8>", None, 0, 0),
            frame("app::outer", None, 0, 0),
            frame("main", None, 0, 0),
        ]],
        first: SampleSites {
            rows: vec![row(Some(0), 1, 8)],
            before: None,
        },
        ..ScenarioSites::default()
    };
    let sites = Sites::new(
        measured,
        Metric::Allocs,
        Statistic::First,
        Code::new(&members(), &|_| None),
    );
    assert!(sites.without_lines && !sites.measured.follows_blocks());
    assert_eq!(
        sites.list[0].place,
        SitePlace::Function(String::from("inner"))
    );
    let caller = SitePlace::Function(String::from("outer"));
    assert!(sites.list[0].called_by.keys().eq([&caller]));
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
