//! The texts of explained figures, read as a whole.

mod call_stacks;
mod edits;
mod folded;
mod in_browser;
mod in_report;
mod made_by;
mod reasons;

use alloc_results::{BenchId, Metric, Ratio, Tally};

use super::*;
use crate::figure::Statistic;
use crate::report::Format;
use crate::sites::{
    BeforeRow, Changes, Code, Frame, FrameKind, Members, SampleSites, ScenarioSites, Side,
    SiteDiff, SiteRow, Sites,
};
use crate::tests::written;

const OLD: &str = "\
fn little_endian(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes
}
fn terminated(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}
fn name(of: &str) -> String {
    of.to_owned()
}
fn gone(of: &str) -> String { of.into() }
";

const NEW: &str = "\
fn little_endian(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len() * UNIT_LEN);
    bytes
}
fn terminated(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}
fn name(of: &str) -> String {
    of.to_owned()
}
";

const DIFF: &str = "\
diff --git a/src/text.rs b/src/text.rs
--- a/src/text.rs
+++ b/src/text.rs
@@ -2 +2 @@
-    let mut bytes = Vec::new();
+    let mut bytes = Vec::with_capacity(units.len() * UNIT_LEN);
@@ -6 +6 @@
-    text.encode_utf16().collect()
+    text.encode_utf16().chain([0]).collect()
@@ -11 +10,0 @@
-fn gone(of: &str) -> String { of.into() }
";

/// A call: the function, its line and column, what it calls, and allocations and bytes.
type Call = (&'static str, u32, u32, &'static str, u64, u64);

fn measured(calls: &[Call]) -> ScenarioSites {
    let frame = |function: &str, place: Option<(u32, u32)>| Frame {
        function: function.into(),
        file: place.map(|_| "src/text.rs".into()),
        line: place.map(|(line, _)| line),
        column: place.map(|(_, column)| column),
        kind: FrameKind::Called,
    };
    let stacks = calls.iter().map(|&(function, line, column, called, _, _)| {
        vec![
            frame(called, None),
            frame(&format!("app::{function}"), Some((line, column))),
            frame("app::encode", Some((40, 9))),
            frame("alloc_scenario::run", None),
        ]
    });
    let rows = calls
        .iter()
        .enumerate()
        .map(|(stack, &(.., allocs, bytes))| SiteRow {
            stack: Some(stack),
            counts: Tally {
                allocs,
                bytes,
                ..Tally::default()
            },
            peak_bytes: bytes / 10,
            ..SiteRow::default()
        });
    ScenarioSites {
        stacks: stacks.collect(),
        planned: 10,
        first: SampleSites::default(),
        samples: vec![(
            SampleSites {
                rows: rows.collect(),
                before: Some(BeforeRow {
                    peak_bytes: Some(0),
                    ..BeforeRow::default()
                }),
            },
            10,
        )],
        bench: String::from("benches/b.rs"),
        problem: None,
    }
}

/// The lines of a figure. All files have the text `source`.
fn attributed(
    measured: ScenarioSites,
    (metric, statistic): (Metric, Statistic),
    source: Option<&str>,
    side: Side<'_>,
) -> Sites {
    let members = Members::new("/ws", &[String::from("/ws")], &[], &[]);
    let text = |_: &str| source.map(str::to_owned);
    let code = Code {
        side,
        ..Code::new(&members, &text)
    };
    Sites::new(measured, metric, statistic, code)
}

const MEAN: (Metric, Statistic) = (Metric::Allocs, Statistic::Mean);

fn sites(calls: &[Call], source: &str, side: Side<'_>) -> Sites {
    attributed(measured(calls), MEAN, Some(source), side)
}

const COLLECT: &str = "core::iter::traits::iterator::Iterator::collect";
const TO_OWNED: &str = "alloc::str::<impl alloc::borrow::ToOwned for str>::to_owned";

fn before(side: Side<'_>) -> Sites {
    sites(
        &[
            ("terminated", 6, 25, COLLECT, 10, 120),
            ("name", 9, 8, TO_OWNED, 10, 80),
            ("gone", 11, 34, "alloc::string::String::from", 10, 40),
        ],
        OLD,
        side,
    )
}

fn after(side: Side<'_>) -> Sites {
    sites(
        &[
            (
                "little_endian",
                2,
                21,
                "alloc::vec::Vec<T>::with_capacity",
                20,
                240,
            ),
            ("terminated", 6, 36, COLLECT, 15, 360),
            ("name", 9, 8, TO_OWNED, 10, 80),
        ],
        NEW,
        side,
    )
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

fn compared() -> Explained {
    let changes = Changes::parse(DIFF);
    let (base, head) = (before(Side::Old(&changes)), after(Side::New(&changes)));
    let diff = SiteDiff::new(base, head, &changes);
    explained(Ok(Found::Compared {
        base: String::from("main (4f8762a1c0)"),
        diff: Box::new(diff),
    }))
}

fn alone(sites: Sites, no_base: Option<&str>) -> Explained {
    let no_base = no_base.map(str::to_owned);
    explained(Ok(Found::Sites {
        sites: Box::new(sites),
        since: None,
        no_base,
    }))
}

fn text(explained: &Explained, format: Format) -> String {
    written(std::slice::from_ref(explained), format)
}

#[test]
fn added_and_edited_lines_are_shown_with_their_text() {
    let shown = text(&compared(), Format::Terminal);
    let expected = "\
encode: allocs

error[allocates-more]: 1.5 allocations and 44 bytes per iteration more than at main (4f8762a1c0)
 --> src/text.rs:2:21
  |
2 |     let mut bytes = Vec::with_capacity(units.len() * UNIT_LEN);
  |                     ^^^^^^^^^^^^^^^^^^ added: 2 allocations, 24 bytes
  |
  = called by: encode, src/text.rs:40:9
 --> src/text.rs:6:36
  |
6 |     text.encode_utf16().chain([0]).collect()
  |                                    ^^^^^^^ edited: 0.5 allocations more, 24 bytes more
  |
  = before: text.encode_utf16().collect()
  = called by: encode, src/text.rs:40:9

   allocs          bytes         change   line               call
        2  (+2)       24  (+24)  added    src/text.rs:2:21   Vec::with_capacity in little_endian
        0  (-1)        0  (-4)   removed  src/text.rs:11:34  String::from in gone
      1.5  (+0.5)     36  (+24)  edited   src/text.rs:6:36   Iterator::collect in terminated
        1              8         same     src/text.rs:9:8    to_owned in name
      4.5  (+1.5)     68  (+44)           sum

";
    assert_eq!(shown, expected, "{shown}");
}

#[test]
fn json_has_all_figures_of_each_line() {
    let shown: serde_json::Value = serde_json::from_str(&text(&compared(), Format::Json)).unwrap();
    let sites = &shown["sites"][0];
    assert_eq!(shown["schema"], 1);
    assert_eq!(sites["base"], "main (4f8762a1c0)");
    assert_eq!(sites["measured"]["text"], "4.50");
    let lines = sites["lines"].as_array().unwrap();
    let of = |change: &str| lines.iter().find(|line| line["change"] == change).unwrap();
    let added = of("added");
    assert_eq!(added["kind"], "line");
    assert_eq!(added["place"]["file"], "src/text.rs");
    assert_eq!(
        (&added["place"]["line"], &added["place"]["column"]),
        (&2.into(), &21.into())
    );
    assert_eq!(added["call"], "Vec::with_capacity");
    assert_eq!(added["called-by"][0][1], "src/text.rs:40:9");
    assert_eq!(added["figures"][0]["metric"], "allocs");
    assert_eq!(added["figures"][0]["base"]["numerator"], 0);
    assert_eq!(added["figures"][0]["measured"]["numerator"], 2);
    assert_eq!(
        of("edited")["before"]["text"],
        "    text.encode_utf16().collect()"
    );
    assert!(of("same")["before"].is_null());
    let unexplained = explained(Err(Unexplained::Rebuilt));
    let shown: serde_json::Value = serde_json::from_str(&text(&unexplained, Format::Json)).unwrap();
    assert!(shown["sites"][0]["lines"].is_null());
}

#[test]
fn without_a_base_the_largest_lines_are_shown() {
    let shown = text(
        &alone(after(Side::Unknown), Some("main can't be built")),
        Format::Terminal,
    );
    assert!(
        shown.contains("error[allocates]: 4.5 allocations and 68 bytes per iteration\n"),
        "{shown}"
    );
    assert!(
        shown.contains("^^^^^^^^^^^^^^^^^^ 2 allocations, 24 bytes\n"),
        "{shown}"
    );
    assert!(
        shown.contains("= note: not compared with the base: main can't be built\n"),
        "{shown}"
    );
    assert!(
        shown.contains(
            "\n   allocs  bytes  line              call\n        2     24  src/text.rs:2:21"
        ),
        "{shown}"
    );
}

#[test]
fn a_second_run_with_other_figures_says_so() {
    let mut second = alone(after(Side::Unknown), None);
    second.judged = Ratio::new(451, 100);
    second.is_failure = false;
    let shown = text(&second, Format::Terminal);
    assert!(
        shown.contains(
            "= note: the lines are those of a second run, which had allocs 4.5 where 4.51 was judged\n"
        ),
        "{shown}"
    );
    assert!(
        shown.contains("\nnote: 4.5 allocations and 68 bytes per iteration\n"),
        "{shown}"
    );
    second.judged = Ratio::new(9, 2);
    assert!(!text(&second, Format::Terminal).contains("second run"));
}

#[test]
fn a_part_of_the_iterations_has_the_same_figures_and_says_so() {
    let of = |planned| {
        let mut measured = (*after(Side::Unknown).measured).clone();
        measured.planned = planned;
        let sites = attributed(measured, MEAN, Some(NEW), Side::Unknown);
        let explained = alone(sites, None);
        (text(&explained, Format::Terminal), explained)
    };
    let ((all, _), (part, mut explained)) = (of(10), of(10_000));
    let note = "  = note: the lines are those in 10 of 10,000 iterations\n";
    assert!(part.contains(note), "{part}");
    assert_eq!(part.replace(note, ""), all);
    explained.statistic = Statistic::First;
    assert!(!text(&explained, Format::Terminal).contains(note));
}

#[test]
fn of_many_lines_ten_are_shown_and_the_others_counted() {
    let calls: Vec<Call> = (1..=14)
        .map(|line| ("f", line, 1, COLLECT, 10, 10 * u64::from(line)))
        .collect();
    let shown = text(
        &alone(sites(&calls, "", Side::Unknown), None),
        Format::Terminal,
    );
    assert_eq!(
        shown.matches("Iterator::collect in f").count(),
        10,
        "{shown}"
    );
    // Those with the fewest bytes: 1, 2, 3 and 4.
    assert!(
        shown.contains("\n        4     10  4 more lines\n"),
        "{shown}"
    );
    assert!(shown.contains("\n       14    105  sum\n"), "{shown}");
    // Without sources there is no excerpt.
    assert!(!shown.contains("-->"), "{shown}");
}

#[test]
fn a_line_with_a_third_of_the_figure_is_shown_with_its_code() {
    for (lines, excerpts) in [(1, 1), (2, 2), (3, 3), (4, 0)] {
        let calls: Vec<Call> = (1..=lines)
            .map(|line| ("f", line, 1, COLLECT, 10, 10))
            .collect();
        let shown = text(
            &alone(sites(&calls, OLD, Side::Unknown), None),
            Format::Terminal,
        );
        assert_eq!(
            shown.matches("--> src/text.rs").count(),
            excerpts,
            "{shown}"
        );
    }
    // One line with most of it, and others.
    let mut calls = vec![("f", 1, 1, COLLECT, 90, 10)];
    calls.extend((2..=9).map(|line| ("f", line, 1, COLLECT, 10, 10)));
    let shown = text(
        &alone(sites(&calls, OLD, Side::Unknown), None),
        Format::Terminal,
    );
    assert_eq!(shown.matches("--> src/text.rs:1:1\n").count(), 1, "{shown}");
    assert_eq!(shown.matches("-->").count(), 1, "{shown}");
}

#[test]
fn a_total_that_is_the_same_can_have_moved_parts() {
    let diff = SiteDiff::new(
        before(Side::Unknown),
        before(Side::Unknown),
        &Changes::default(),
    );
    let same = explained(Ok(Found::Compared {
        base: String::from("main"),
        diff: Box::new(diff),
    }));
    let shown = text(&same, Format::Terminal);
    assert!(
        shown.contains("error[allocates]: 3 allocations and 24 bytes per iteration, as at main\n"),
        "{shown}"
    );
    assert_eq!(shown.matches("  same  ").count(), 3, "{shown}");
}
