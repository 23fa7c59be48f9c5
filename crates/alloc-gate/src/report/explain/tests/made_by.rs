//! What a line allocates by function.

use alloc_results::Metric;

use super::*;

/// A stack of the line that collects: the function that allocates, its calls and frees in 10
/// iterations, and its smallest and largest request.
type Stack = (&'static str, [u64; 2], u64, u64);

const OWNED: Stack = (TO_OWNED, [1_000, 1_000], 11, 11);

/// The stacks; the blocks that are not freed are kept.
fn collected(stacks: &[Stack]) -> ScenarioSites {
    let frame = |function: &str, file: &str, line| Frame {
        function: function.into(),
        file: Some(file.into()),
        line: Some(line),
        column: Some(10),
        kind: FrameKind::Called,
    };
    let rows = stacks.iter().enumerate();
    let rows = rows.map(
        |(stack, &(_, [allocs, frees], smallest, largest))| SiteRow {
            stack: Some(stack),
            counts: Tally {
                allocs,
                bytes: allocs * largest,
                ..Tally::default()
            },
            smallest,
            largest,
            kept_blocks: (allocs - frees) as i64,
            ..SiteRow::default()
        },
    );
    let rows = rows.collect();
    let stacks = stacks.iter().map(|(function, ..)| {
        vec![
            frame("inner", "/rustc/0123/library/alloc/src/raw_vec/mod.rs", 1),
            frame(function, "/rustc/0123/library/alloc/src/str.rs", 2),
            frame(COLLECT, "/rustc/0123/library/core/src/iter.rs", 3),
            frame("app::words", "src/text.rs", 6),
            frame("alloc_scenario::run", "/h/alloc-scenario/src/run.rs", 9),
        ]
    });
    let before = Some(BeforeRow::default());
    ScenarioSites {
        stacks: stacks.collect(),
        samples: vec![(SampleSites { rows, before }, 10)],
        ..ScenarioSites::default()
    }
}

fn green(measured: ScenarioSites, statistic: Statistic) -> String {
    let figure = (Metric::Allocs, statistic);
    let sites = attributed(measured, figure, Some(NEW), Side::Unknown);
    let explained = Explained {
        statistic,
        is_failure: false,
        ..alone(sites, None)
    };
    text(&explained, Format::Terminal)
}

#[test]
fn a_line_is_split_by_the_functions_that_allocate() {
    let stacks = [
        OWNED,
        ("alloc::vec::Vec<T>::from_iter", [60, 60], 64, 2_048),
        ("alloc::string::String::push", [1, 1], 8, 8),
        ("alloc::vec::Vec<T>::push", [10, 10], 32, 32),
        ("alloc::boxed::Box<T>::new", [5, 5], 4, 24),
    ];
    let shown = green(collected(&stacks[..2]), Statistic::Mean);
    let expected = "\
encode: allocs

note: 106 allocations and 13,388 bytes per iteration
 --> src/text.rs:6:10
  |
6 |     text.encode_utf16().chain([0]).collect()
  |          ^^^^^^^^^^^^ 106 allocations, 13,388 bytes
  |
  = made by: 100 x to_owned, 11 B each; 6 x Vec::from_iter, 64 to 2,048 B

   allocs   bytes  line              call
      106  13,388  src/text.rs:6:10  Iterator::collect in words
      106  13,388  sum

";
    assert_eq!(shown, expected, "{shown}");
    let shown = green(collected(&stacks), Statistic::Mean);
    let made_by = "made by: 100 x to_owned, 11 B each; 6 x Vec::from_iter, 64 to 2,048 B; \
                   1 x Vec::push, 32 B; 0.6 x others, 4 to 24 B\n";
    assert!(shown.contains(made_by), "{shown}");
}

#[test]
fn a_function_that_allocates_itself_is_named_and_not_the_line_that_calls_it() {
    for (function, file, made_by) in [
        (
            "smallvec::SmallVec<A>::grow",
            "/r/smallvec-1.0.0/src/lib.rs",
            "SmallVec::grow",
        ),
        (
            "<app::Word as core::clone::Clone>::clone",
            "src/text.rs",
            "Word::clone",
        ),
    ] {
        let mut measured = collected(&[OWNED, (function, [10, 10], 8, 8)]);
        measured.stacks[1].remove(0);
        measured.stacks[1][0].file = Some(file.into());
        let shown = green(measured, Statistic::Mean);
        let expected = format!("made by: 100 x to_owned, 11 B each; 1 x {made_by}, 8 B\n");
        assert!(shown.contains(&expected), "{shown}");
    }
}
