//! The texts of explained values.

mod in_report;

use alloc_results::{BenchId, Metric, Ratio, Tally};
use serde_json::{Value, json};

use super::*;
use crate::measure::Statistic;
use crate::report::Format;
use crate::sites::{
    Amounts, BeforeRow, Changes, Code, Frame, FrameKind, Members, SampleSites, ScenarioSites, Side,
    SiteDiff, SiteRow, Sites,
};
use crate::tests::written;

const OLD: &str = include_str!("tests/old.txt");
const NEW: &str = include_str!("tests/new.txt");
const DIFF: &str = include_str!("tests/change.diff");
/// The source of the cases.
const REGRESSED: &str = include_str!("tests/regressed.txt");

const BEFORE: [&str; 3] = [
    "1 12 | core::iter::traits::iterator::Iterator::collect | app::terminated @ 6:25 | app::encode @ 40:9",
    "1 8 | alloc::str::<impl alloc::borrow::ToOwned for str>::to_owned | app::name @ 9:8 | app::encode @ 40:9",
    "1 4 | alloc::string::String::from | app::gone @ 11:34 | app::encode @ 40:9",
];

const AFTER: [&str; 3] = [
    "2 24 | alloc::vec::Vec<T>::with_capacity | app::little_endian @ 2:21 | app::encode @ 40:9",
    "1.5 36 | core::iter::traits::iterator::Iterator::collect | app::terminated @ 6:36 | app::encode @ 40:9",
    BEFORE[1],
];

/// The sites of ten iterations. A stack has the allocations and bytes of an iteration, perhaps its
/// reallocations and its smallest and largest request, and its frames, the innermost first: each
/// with its line and column of `src/text.rs` or of another file, if it has a line.
fn measured(stacks: &[impl AsRef<str>]) -> ScenarioSites {
    let mut found = ScenarioSites {
        planned: 10,
        bench: String::from("benches/b.rs"),
        ..ScenarioSites::default()
    };
    let mut sample = SampleSites {
        rows: Vec::new(),
        before: Some(BeforeRow {
            peak_bytes: Some(0),
            ..BeforeRow::default()
        }),
    };
    for (number, stack) in stacks.iter().enumerate() {
        let (values, frames) = stack.as_ref().split_once(" | ").unwrap();
        let values = values.split(' ').map(|it| it.parse::<f64>().unwrap());
        let mut values: Vec<f64> = values.collect();
        values.resize(5, 0.0);
        let of_ten = |at: usize| (10.0 * values[at]).round() as u64;
        sample.rows.push(SiteRow {
            stack: Some(number),
            counts: Tally {
                allocs: of_ten(0),
                bytes: of_ten(1),
                reallocs: of_ten(2),
                ..Tally::default()
            },
            smallest: values[3] as u64,
            largest: values[4] as u64,
            peak_bytes: of_ten(1) / 10,
            ..SiteRow::default()
        });
        let frames = frames.split(" | ").chain(["alloc_scenario::run"]);
        found.stacks.push(frames.map(frame).collect());
    }
    found.samples = vec![(sample, 10)];
    found
}

fn frame(text: &str) -> Frame {
    let (function, place) = text.split_once(" @ ").unwrap_or((text, ""));
    let (place, column) = place.rsplit_once(':').unwrap_or_default();
    let (file, line) = place.rsplit_once(':').unwrap_or(("src/text.rs", place));
    Frame {
        function: function.into(),
        file: (!line.is_empty()).then(|| file.into()),
        line: line.parse().ok(),
        column: column.parse().ok(),
        kind: FrameKind::Called,
    }
}

/// The lines of a value. All files have the text `source`.
fn attributed(
    measured: ScenarioSites,
    statistic: Statistic,
    source: &str,
    side: Side<'_>,
) -> Sites {
    let members = Members::new("/ws", &[String::from("/ws")], &[], &[]);
    let text = |_: &str| Some(source.to_owned());
    let code = Code {
        side,
        ..Code::new(&members, &text)
    };
    Sites::new(measured, Metric::Allocs, statistic, code)
}

fn sites(stacks: &[impl AsRef<str>], source: &str, side: Side<'_>) -> Sites {
    attributed(measured(stacks), Statistic::Mean, source, side)
}

fn explained(found: Result<Found, Unexplained>) -> Explained {
    let bench = BenchId {
        package: String::from("app"),
        target: String::from("alloc_count"),
    };
    Explained {
        is_failure: true,
        found,
        ..Explained::new(&bench, "encode", Metric::Allocs, Statistic::Mean)
    }
}

fn of_two(base: Sites, head: Sites, changes: &Changes) -> Explained {
    explained(Ok(Found::Compared {
        base: String::from("main (4f8762a1c0)"),
        diff: Box::new(SiteDiff::new(base, head, changes)),
    }))
}

fn compared() -> Explained {
    let changes = Changes::parse(DIFF);
    let base = sites(&BEFORE, OLD, Side::Old(&changes));
    of_two(base, sites(&AFTER, NEW, Side::New(&changes)), &changes)
}

fn alone(sites: Sites) -> Explained {
    explained(Ok(Found::Sites {
        sites: Box::new(sites),
        since: None,
        no_base: None,
    }))
}

/// A value and what is shown of it, in the form of `tests/texts.txt`: edits, which are the line
/// and its text before, stacks before and now, and what else is known; then parts of the text.
struct Case<'t> {
    name: &'t str,
    given: &'t str,
    shown: &'t str,
}

fn cases(text: &str) -> impl Iterator<Item = Case<'_>> {
    text.trim_start_matches("== ").split("\n== ").map(|case| {
        let (name, case) = case.split_once('\n').unwrap();
        let (given, shown) = case.split_once("--\n").unwrap();
        Case { name, given, shown }
    })
}

impl<'t> Case<'t> {
    fn all(&self, word: &str) -> Vec<&'t str> {
        let lines = self.given.lines().map(|line| line.split_once(' ').unwrap());
        let lines = lines.filter(|(one, _)| *one == word);
        lines.map(|(_, rest)| rest).collect()
    }

    fn changes(&self) -> (Changes, String) {
        let mut diff = String::from("diff --git a/src/text.rs b/src/text.rs\n--- a/src/text.rs\n");
        diff.push_str("+++ b/src/text.rs\n");
        let mut old = REGRESSED.to_owned();
        let edits = self.all("edit").into_iter();
        for (line, before) in edits.filter_map(|edit| edit.split_once(' ')) {
            let number: usize = line.parse().unwrap();
            let now = REGRESSED.lines().nth(number - 1).unwrap();
            diff.push_str(&format!("@@ -{line} +{line} @@\n-{before}\n+{now}\n"));
            old = old.replace(now, before);
        }
        (Changes::parse(&diff), old)
    }

    fn compared(&self) -> Explained {
        let (changes, old) = self.changes();
        let base = sites(&self.all("base"), &old, Side::Old(&changes));
        let head = sites(&self.all("head"), REGRESSED, Side::New(&changes));
        of_two(base, head, &changes)
    }

    fn alone(&self) -> Explained {
        let changes = self.changes().0;
        let is_edited = !self.all("edit").is_empty();
        let side = if is_edited {
            Side::New(&changes)
        } else {
            Side::Unknown
        };
        let first = |word| self.all(word).first().copied();
        let mut measured = measured(&self.all("head"));
        measured.planned = first("planned").map_or(10, |it| it.parse().unwrap());
        let sites = attributed(measured, Statistic::Mean, REGRESSED, side);
        let whole = |text: &str| Ratio::whole(text.parse().unwrap());
        let accepted = first("accepted").into_iter();
        let accepted = accepted.flat_map(|it| it.split(' ').map(whole));
        let accepted = [Metric::Allocs, Metric::Bytes].into_iter().zip(accepted);
        Explained {
            judged: first("judged").map(whole),
            accepted: accepted.collect(),
            ..explained(Ok(Found::Sites {
                sites: Box::new(sites),
                since: is_edited.then(|| String::from("main (4f8762a1c0)")),
                no_base: first("no-base").map(str::to_owned),
            }))
        }
    }
}

fn text(explained: &Explained, format: Format) -> String {
    written(std::slice::from_ref(explained), format)
}

#[test]
fn the_edited_line_comes_first_in_the_six_regressions_of_explain() {
    for case in cases(include_str!("tests/regressions.txt")) {
        for found in [case.alone(), case.compared()] {
            let shown = text(&found, Format::Terminal);
            let first = shown.lines().find(|line| line.contains("--> ")).unwrap();
            let (edited, name) = (case.shown.trim_end(), case.name);
            assert!(first.contains(edited), "{name}:\n{shown}");
        }
    }
}

#[test]
fn what_changed_stands_first_and_what_a_reader_has_to_know_is_said() {
    for case in cases(include_str!("tests/texts.txt")) {
        let found = match &case.all("base")[..] {
            [] => case.alone(),
            _ => case.compared(),
        };
        let (shown, name) = (text(&found, Format::Terminal), case.name);
        for part in case.shown.split("...\n") {
            let part = part.trim_end_matches('\n');
            assert!(shown.contains(part), "{name}:\n{part}\nis not in\n{shown}");
        }
    }
}

#[test]
fn an_edit_on_the_way_says_nothing_of_a_function_that_has_nothing() {
    let case = cases(include_str!("tests/texts.txt")).nth(1).unwrap();
    let mut explained = case.alone();
    if let Ok(Found::Sites { sites, .. }) = &mut explained.found {
        sites.nearby.as_mut().unwrap().amounts = Amounts::default();
    }
    let shown = text(&explained, Format::Terminal);
    let label = "^^^ edited since main (4f8762a1c0)\n";
    assert!(shown.contains(label), "{shown}");
}

#[test]
fn of_a_scenario_that_allocates_nothing_no_more_is_said() {
    let [name, shown, given] = ["", "", "edit 2     old();\n"];
    let shown = text(&Case { name, given, shown }.alone(), Format::Terminal);
    assert!(
        shown.ends_with(": no allocations per iteration\n\n"),
        "{shown}"
    );
}

#[test]
fn lines_of_two_sides_are_shown_with_their_text() {
    let shown = text(&compared(), Format::Terminal);
    assert_eq!(shown, include_str!("tests/compared.txt"), "{shown}");
}

#[test]
fn a_line_with_a_third_of_the_value_is_shown_with_its_code() {
    let allocs = ["1", "1 1", "1 1 1", "1 1 1 1", "9 1 1 1 1 1 1 1 1"];
    for (allocs, excerpts) in allocs.into_iter().zip([1, 2, 3, 0, 1]) {
        let lines = allocs.split(' ').zip(1..);
        let lines = lines.map(|(allocs, n)| format!("{allocs} 1 | std::f | app::f @ {n}:1"));
        let lines: Vec<String> = lines.collect();
        let shown = text(&alone(sites(&lines, OLD, Side::Unknown)), Format::Terminal);
        let found = shown.matches("^ 1 alloc").count() + shown.matches("^ 9 alloc").count();
        assert_eq!(found, excerpts, "{shown}");
    }
}

#[test]
fn the_stacks_of_each_line_are_shown_when_they_are_asked_for() {
    let mut run = measured(&AFTER);
    run.stacks[1][1].kind = FrameKind::Inlined;
    let tail_call = Frame {
        kind: FrameKind::TailCalled,
        ..frame("app::encode_all @ 41:10")
    };
    run.stacks[1].insert(3, tail_call);
    let mut explained = alone(attributed(run, Statistic::Mean, NEW, Side::Unknown));
    assert!(!text(&explained, Format::Terminal).contains("stacks"));
    explained.shows_stacks = true;
    let stacks = include_str!("tests/stacks.txt");
    let shown = format!("sum\n\ncall stacks, innermost frame first:\n{stacks}\n");
    let found = text(&explained, Format::Terminal);
    assert!(found.contains(&shown), "{found}");

    // Of many stacks of a line five are shown; those with the same frames are one.
    let many = [1, 1, 2, 3, 4, 5, 6, 7].iter().zip(1..);
    let many = many.map(|(line, n)| format!("1 {n} | std::f | app::f @ 1:1 | app::g @ {line}:1"));
    let many: Vec<String> = many.collect();
    let mut explained = alone(sites(&many, "", Side::Unknown));
    explained.shows_stacks = true;
    let shown = text(&explained, Format::Terminal);
    assert_eq!(shown.matches("0: no line").count(), 5, "{shown}");
    let added = "\n       2 allocations, 3 bytes\n";
    let others = "\n       2 more stacks: 2 allocations, ";
    assert!(shown.contains(added) && shown.contains(others), "{shown}");
}

#[test]
fn folded_stacks_have_whole_numbers_of_the_fewest_iterations() {
    let of = |measured: ScenarioSites, metric| {
        let mut explained = alone(attributed(measured, Statistic::Mean, NEW, Side::Unknown));
        explained.metric = metric;
        folded(&explained)
    };
    let vector =
        "2 8 | alloc::vec::Vec<[u8; 4]>::with\ncapacity | app::name @ 9:8 | app::encode @ 40:9";
    let mut measured = measured(&[vector, AFTER[1]]);
    measured.samples[0].0.rows[1].counts.allocs = 10;
    let text = "app::encode;app::name;alloc::vec::Vec<[u8: 4]>::with capacity 2\n\
                app::encode;app::terminated;core::iter::traits::iterator::Iterator::collect 1\n";
    let found = of(measured.clone(), Metric::Allocs).unwrap();
    assert_eq!((&*found.text, found.iterations), (text, 1));

    // One of the ten iterations has one more; and rows without a stack have a name.
    let sample = &mut measured.samples[0].0;
    sample.rows[0].counts.allocs += 1;
    let rows = [None, Some(2)].map(|stack| SiteRow {
        stack,
        ..sample.rows[1]
    });
    sample.rows.extend(rows);
    measured.stacks.push(Vec::new());
    let text = text.replace(" 2\n", " 21\n").replace(" 1\n", " 10\n");
    let found = of(measured.clone(), Metric::Allocs).unwrap();
    assert_eq!(found.text, text + "further stacks 10\nunknown stack 10\n");
    assert_eq!((found.iterations, found.below_zero), (10, 0));

    let text = of(measured.clone(), Metric::PeakBytes).unwrap().text;
    assert!(!text.contains("before"), "{text}");
    measured.samples[0].0.before.as_mut().unwrap().peak_bytes = Some(100);
    let text = of(measured.clone(), Metric::PeakBytes).unwrap().text;
    assert!(text.contains("blocks from before the iteration "), "{text}");

    // What stacks have no value of is not folded.
    measured.samples[0].0.before = None;
    measured.samples[0].0.rows[0].counts.deallocs = 100;
    assert_eq!(of(measured.clone(), Metric::PeakBytes), None);
    let below_zero = of(measured, Metric::NetBlocks).unwrap().below_zero;
    assert_eq!(below_zero, 1);
}

#[test]
fn values_with_one_edit_elsewhere_share_it() {
    let all: Vec<Case<'_>> = cases(include_str!("tests/texts.txt")).collect();
    let [both, one, vanished] = [0, 1, 2].map(|at| all[at].alone());
    let [both, one, vanished] = [both, one, vanished].map(|it| SitesText::new(&it));
    assert_eq!(one.cause(), Some(vec![("src/text.rs", 5)]));
    assert_eq!(one.cause(), vanished.cause());
    assert_ne!(one.cause(), both.cause());
}

#[test]
fn json_has_all_values_of_each_line() {
    let json = |explained: &Explained| -> Value {
        serde_json::from_str(&text(explained, Format::Json)).unwrap()
    };
    let shown = json(&compared());
    let sites = &shown["sites"][0];
    let added = &sites["lines"][0];
    let place =
        json!({ "file": "src/text.rs", "line": 2, "column": 21, "text": NEW.lines().nth(1) });
    for (found, expected) in [
        (&shown["schema"], json!(1)),
        (&sites["base"], json!("main (4f8762a1c0)")),
        (&sites["measured"]["text"], json!("4.50")),
        (&added["change"], json!("added")),
        (&added["kind"], json!("line")),
        (&added["place"], place),
        (&added["call"], json!("Vec::with_capacity")),
        (&added["called-by"][0][1], json!("src/text.rs:40:9")),
        (&added["values"][0]["metric"], json!("allocs")),
        (&added["values"][0]["base"]["numerator"], json!(0)),
        (&added["values"][0]["measured"]["numerator"], json!(2)),
        (
            &sites["lines"][2]["before"]["text"],
            json!("    text.encode_utf16().collect()"),
        ),
        (&sites["lines"][3]["before"], Value::Null),
    ] {
        assert_eq!(*found, expected);
    }
    let case = cases(include_str!("tests/texts.txt")).next().unwrap();
    let shown = json(&case.alone());
    let sites = &shown["sites"][0];
    assert_eq!(sites["since"], "main (4f8762a1c0)");
    assert_eq!(sites["lines"][0]["allocates-in"][0][1], "src/text.rs:29:9");
    let shown = json(&explained(Err(Unexplained::Inexact)));
    assert!(shown["sites"][0]["lines"].is_null());
}
