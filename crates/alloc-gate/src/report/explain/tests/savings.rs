//! What a line allocates by function, and what the numbers say could be saved.

use super::*;
use crate::report::explain::savings;
use crate::report::write;

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
            counts: Counts {
                allocs,
                bytes: allocs * largest,
                ..Counts::default()
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

   allocs   bytes  line
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
fn many_blocks_of_one_size_that_are_freed_have_a_help() {
    let help =
        "= help: 100 blocks of 11 bytes per iteration, all freed before the iteration ends\n";
    let shown = green(collected(&[OWNED]), Statistic::Mean);
    assert!(
        shown.contains(help) && !shown.contains("made by"),
        "{shown}"
    );
    // One is kept, they have two sizes, they are few, or it is not known whether they are freed.
    for (allocs, frees, smallest, is_followed) in [
        (1_000, 999, 11, true),
        (1_000, 1_000, 10, true),
        (99, 99, 11, true),
        (1_000, 1_000, 11, false),
    ] {
        let mut measured = collected(&[(TO_OWNED, [allocs, frees], smallest, 11)]);
        if !is_followed {
            measured.samples[0].0.before = None;
        }
        let shown = green(measured, Statistic::Mean);
        assert!(!shown.contains("help"), "{shown}");
    }
    // One is resized, or the harness frees some with the output.
    for counts in [
        Counts {
            allocs: 1,
            reallocs: 1,
            ..Counts::default()
        },
        Counts {
            deallocs: 1,
            ..Counts::default()
        },
    ] {
        let mut measured = collected(&[OWNED, OWNED]);
        measured.stacks[1].remove(3);
        measured.samples[0].0.rows[1] = SiteRow {
            stack: Some(counts.deallocs as usize),
            counts,
            ..SiteRow::default()
        };
        let shown = green(measured, Statistic::Mean);
        assert!(!shown.contains("help"), "{shown}");
    }
    let mut measured = collected(&[OWNED]);
    measured.first = measured.samples[0].0.clone();
    let shown = green(measured, Statistic::First);
    let help = "= help: 1,000 blocks of 11 bytes in the first call, all freed before it ends\n";
    assert!(shown.contains(help), "{shown}");
}

#[test]
fn the_lines_of_several_scenarios_are_one_list() {
    let scenario = |label: &str, measured: ScenarioSites| {
        let sites = attributed(measured, MEAN, None, Side::Unknown);
        Explained {
            label: label.to_owned(),
            is_failure: false,
            ..alone(sites, None)
        }
    };
    let listed = |explained: &[Explained]| {
        let mut text = Vec::new();
        let blocks = savings::savings(explained);
        write::terminal(&blocks, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        anstream::adapter::strip_str(&text).to_string()
    };
    let mut elsewhere = collected(&[(TO_OWNED, [300, 300], 4, 4)]);
    elsewhere.stacks[0][3].line = Some(2);
    let more: Stack = (TO_OWNED, [2_000, 2_000], 11, 11);
    let mut all = vec![
        scenario("few", collected(&[OWNED])),
        scenario("more", collected(&[more])),
        scenario("elsewhere", elsewhere),
        scenario("kept", collected(&[(TO_OWNED, [1_000, 0], 11, 11)])),
    ];
    let expected = "
what could be saved, the most calls first:
  calls  line              scenario          help
    200  src/text.rs:6:10  more and 1 other  200 blocks of 11 bytes per iteration, all freed before the iteration ends
     30  src/text.rs:2:10  elsewhere         30 blocks of 4 bytes per iteration, all freed before the iteration ends
";
    let shown = listed(&all);
    assert_eq!(shown, expected, "{shown}");
    all.drain(..3);
    all.push(Explained {
        is_failure: false,
        ..explained(Err(Unexplained::Rebuilt))
    });
    let expected = "what could be saved, the most calls first: nothing that the figures alone show
1 scenario: not explained: the executable was rebuilt; run again
";
    assert_eq!(listed(&all), expected);
    for one in &mut all {
        one.is_failure = true;
    }
    assert_eq!(listed(&all), "");
}
