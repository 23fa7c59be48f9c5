//! Lines that a diff touched are shown before those that allocate.

use alloc_results::{Metric, Ratio, SampleSites, SiteRow, Tally};

use crate::report::Format;
use crate::report::explain::SitesText;
use crate::report::explain::tests::{MEAN, attributed, explained, text};
use crate::sites::{
    Changes, Explained, Found, Frame, FrameKind, ScenarioSites, Side, SiteDiff, Sites,
};

const NEW: &str = "\
fn render(out: &mut String, value: &Value) {
    out.push_str(&value.to_string());
}
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
fn trim(record: &mut Record) {
    let mut trimmed = Record::new();
    trimmed.push(record.field());
}
impl Record {
    fn push(&mut self, field: &[u8]) {
        self.bytes.extend(field);
    }
}
";

const DIFF: &str = "\
diff --git a/src/text.rs b/src/text.rs
--- a/src/text.rs
+++ b/src/text.rs
@@ -2 +2 @@
-    write!(out, \"{value}\")
+    out.push_str(&value.to_string());
@@ -10 +10 @@
-    let mut trimmed = Record::with_capacity(record.len());
+    let mut trimmed = Record::new();
";

/// A stack: the functions with their lines, the innermost first, and allocations and bytes.
type Stack = (&'static [(&'static str, u32)], u64, u64);

const FORMATTED: Stack = (
    &[
        ("alloc::vec::Vec<T>::reserve", 0),
        ("<app::Value as core::fmt::Display>::fmt", 6),
        ("alloc::string::ToString::to_string", 0),
        ("app::render", 2),
        ("app::encode", 40),
    ],
    2,
    20,
);
const GROWN: Stack = (
    &[
        ("alloc::vec::Vec<T>::extend", 0),
        ("app::Record::push", 15),
        ("app::trim", 11),
        ("app::encode", 41),
    ],
    3,
    48,
);
const RESERVED: Stack = (
    &[
        ("alloc::vec::Vec<T>::with_capacity", 0),
        ("app::trim", 10),
        ("app::encode", 41),
    ],
    1,
    32,
);

fn sites(stacks: &[Stack], source: &str, side: Side<'_>) -> Sites {
    growing_sites(stacks, 0, source, side)
}

/// The same; the blocks of each stack grow so many times.
fn growing_sites(stacks: &[Stack], grows: u64, source: &str, side: Side<'_>) -> Sites {
    let frame = |&(function, line): &(&str, u32)| Frame {
        function: function.into(),
        file: (line > 0).then(|| "src/text.rs".into()),
        line: (line > 0).then_some(line),
        column: (line > 0).then_some(if matches!(line, 6 | 15) { 9 } else { 5 }),
        kind: FrameKind::Called,
    };
    let harness = ("alloc_scenario::run", 0);
    let rows = stacks.iter().enumerate();
    let rows = rows.map(|(stack, &(_, allocs, bytes))| SiteRow {
        stack: Some(stack),
        counts: Tally {
            allocs: allocs + grows,
            bytes,
            reallocs: grows,
            ..Tally::default()
        },
        ..SiteRow::default()
    });
    let sample = SampleSites {
        rows: rows.collect(),
        before: None,
    };
    let stacks = stacks.iter().map(|(frames, ..)| {
        let frames = frames.iter().chain([&harness]);
        frames.map(frame).collect()
    });
    let measured = ScenarioSites {
        stacks: stacks.collect(),
        samples: vec![(sample, 1)],
        ..ScenarioSites::default()
    };
    attributed(measured, MEAN, Some(source), side)
}

fn since_main(stacks: &[Stack]) -> Explained {
    explained(Ok(Found::Sites {
        sites: Box::new(sites(stacks, NEW, Side::New(&Changes::parse(DIFF)))),
        since: Some(String::from("main (4f8762a1c0)")),
        no_base: None,
    }))
}

#[test]
fn edits_on_no_stack_are_named_and_old_lines_have_no_caret() {
    const PUSHED: Stack = (&[("app::Record::push", 15), ("app::encode", 41)], 3, 48);
    let shown = text(&since_main(&[PUSHED]), Format::Terminal);
    let expected = "         ---- 3 allocations, 48 bytes
   |
   = called by: encode, src/text.rs:41:5
   = note: no line on these stacks was edited since main (4f8762a1c0); the diff edits \
                    src/text.rs:2 and src/text.rs:10
";
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn the_edited_line_is_blamed_and_the_one_that_allocates_stands_beside_it() {
    let shown = text(&since_main(&[FORMATTED, GROWN]), Format::Terminal);
    let expected = "\
encode: allocs

error[allocates]: 5 allocations and 68 bytes per iteration
 --> src/text.rs:2:5
  |
2 |     out.push_str(&value.to_string());
  |     ^^^ added since main (4f8762a1c0): 2 allocations, 20 bytes
  |
  = allocates in: Value::fmt, src/text.rs:6:9
  = called by: encode, src/text.rs:40:5

   allocs  bytes  change  line              call
        2     20  added   src/text.rs:2:5   ToString::to_string in render
        3     48          src/text.rs:15:9  Vec::extend in Record::push
        5     68          sum

";
    assert_eq!(shown, expected, "{shown}");
    let shown = text(&since_main(&[FORMATTED]), Format::Markdown);
    let line = "- added since main (4f8762a1c0): 2 allocations, 20 bytes: \
                `out.push_str(&value.to_string());` at `src/text.rs:2:5`, allocates in \
                Value::fmt, src/text.rs:6:9, called by encode, src/text.rs:40:5\n";
    assert!(shown.contains(line), "{shown}");
    let json = text(&since_main(&[FORMATTED]), Format::Json);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let sites = &json["sites"][0];
    assert_eq!(sites["since"], "main (4f8762a1c0)");
    let line = &sites["lines"][0];
    assert_eq!(line["change"], "added");
    assert_eq!(line["allocates-in"][0][1], "src/text.rs:6:9");
}

#[test]
fn reallocations_among_the_allocations_have_a_column() {
    let sites = Box::new(growing_sites(&[GROWN], 2, NEW, Side::Unknown));
    let (since, no_base) = (None, None);
    let found = Found::Sites {
        sites,
        since,
        no_base,
    };
    let shown = text(&explained(Ok(found)), Format::Terminal);
    let expected = "
   allocs  bytes  reallocs  line              call
        5     48         2  src/text.rs:15:9  Vec::extend in Record::push
        5     48         2  sum
";
    assert!(shown.contains(expected), "{shown}");
    assert!(
        shown.contains("5 allocations and 48 bytes per iteration"),
        "{shown}"
    );
    assert!(
        shown.contains(" 5 allocations, 48 bytes, 2 reallocations"),
        "{shown}"
    );
}

#[test]
fn without_a_diff_the_caller_of_a_display_is_blamed() {
    let sites = sites(&[FORMATTED], NEW, Side::Unknown);
    let [site] = &sites.list[..] else {
        panic!("{:?}", sites.list);
    };
    assert_eq!(site.place.line().unwrap().line, 2);
    assert!(!site.is_edited);
}

#[test]
fn an_edit_in_a_function_on_the_way_is_shown_first() {
    let shown = text(&since_main(&[GROWN]), Format::Terminal);
    let expected = "\
encode: allocs

error[allocates]: 3 allocations and 48 bytes per iteration
  --> src/text.rs:10:5
   |
10 |     let mut trimmed = Record::new();
   |     ^^^ edited since main (4f8762a1c0): trim has 3 allocations, 48 bytes
   |
   = before: let mut trimmed = Record::with_capacity(record.len());
  --> src/text.rs:15:9
   |
15 |         self.bytes.extend(field);
   |         ---- 3 allocations, 48 bytes
   |
   = called by: trim, src/text.rs:11:5

   allocs  bytes  line              call
        3     48  src/text.rs:15:9  Vec::extend in Record::push
        3     48  sum

";
    assert_eq!(shown, expected, "{shown}");
}

#[test]
fn figures_with_one_edit_elsewhere_share_it() {
    const OTHER: Stack = (
        &[
            ("alloc::vec::Vec<T>::extend", 0),
            ("app::Other::push", 60),
            ("app::trim", 11),
        ],
        5,
        40,
    );
    let [one, other, own] = [&[GROWN][..], &[GROWN, OTHER], &[FORMATTED]]
        .map(|stacks| SitesText::new(&since_main(stacks)));
    assert_eq!(one.excerpts.list[0].line, 10);
    assert_eq!(one.cause(), Some(vec![("src/text.rs", 10)]));
    assert_eq!(one.cause(), other.cause());
    assert_ne!(one.cause(), own.cause());
}

#[test]
fn an_edit_has_the_rise_where_something_is_known_to_compare_with() {
    const GREW: Stack = (GROWN.0, 2, 32);
    // Of a function that was edited on the way, and of a line that was edited.
    let edited = since_main(&[GROWN]);
    let diff = DIFF.replace(
        "write!(out, \"{value}\")",
        "out.push_str(&text(value.to_string()));",
    );
    let changes = Changes::parse(&diff);
    let on_stack = Box::new(sites(&[FORMATTED, GROWN], NEW, Side::New(&changes)));
    let on_stack = explained(Ok(Found::Sites {
        sites: on_stack,
        since: Some(String::from("main (4f8762a1c0)")),
        no_base: None,
    }));
    let accepted = |figures: [i128; 2]| {
        let figures = [Metric::Allocs, Metric::Bytes].into_iter().zip(figures);
        let figures = figures.map(|(metric, figure)| (metric, Ratio::whole(figure)));
        figures.collect::<Vec<_>>()
    };
    for (explained, before, label) in [
        (
            &edited,
            [2, 32],
            "1 allocation more, 16 bytes more than in the baseline",
        ),
        (&edited, [3, 8], "40 bytes more than in the baseline"),
        (&edited, [3, 48], "trim has 3 allocations, 48 bytes"),
        (
            &on_stack,
            [4, 60],
            "1 allocation more, 8 bytes more than in the baseline",
        ),
        // More than the line has.
        (&on_stack, [1, 8], "2 allocations, 20 bytes"),
    ] {
        let explained = Explained {
            accepted: accepted(before),
            ..explained.clone()
        };
        let shown = text(&explained, Format::Terminal);
        let label = format!(" edited since main (4f8762a1c0): {label}\n");
        assert!(shown.contains(&label), "{shown}");
    }
    let changes = Changes::parse(DIFF);
    let diff = SiteDiff::new(
        sites(&[GREW], NEW, Side::Old(&changes)),
        sites(&[GROWN], NEW, Side::New(&changes)),
        &changes,
    );
    let compared = explained(Ok(Found::Compared {
        base: String::from("main"),
        diff: Box::new(diff),
    }));
    let shown = text(&compared, Format::Terminal);
    let label = "^^^ edited since main: 1 allocation more, 16 bytes more\n";
    assert!(shown.contains(label), "{shown}");
}

#[test]
fn an_edit_on_the_way_says_nothing_of_a_function_that_has_nothing() {
    let mut explained = since_main(&[GROWN]);
    explained.metric = Metric::Allocs;
    let Ok(Found::Sites { sites, .. }) = &mut explained.found else {
        panic!("{explained:?}");
    };
    sites.nearby.as_mut().unwrap().amounts = crate::sites::Amounts::default();
    let shown = text(&explained, Format::Terminal);
    let label = "^^^ edited since main (4f8762a1c0)\n";
    assert!(shown.contains(label), "{shown}");
}

#[test]
fn what_vanished_stands_before_what_grows_instead() {
    let old = NEW.replace("Record::new();", "Record::with_capacity(record.len());");
    let changes = Changes::parse(DIFF);
    let diff = SiteDiff::new(
        sites(&[RESERVED], &old, Side::Old(&changes)),
        sites(&[GROWN], NEW, Side::New(&changes)),
        &changes,
    );
    let compared = explained(Ok(Found::Compared {
        base: String::from("main (4f8762a1c0)"),
        diff: Box::new(diff),
    }));
    let shown = text(&compared, Format::Terminal);
    let expected = "\
encode: allocs

error[allocates-more]: 2 allocations and 16 bytes per iteration more than at main (4f8762a1c0)
  --> src/text.rs:10:5
   |
10 |     let mut trimmed = Record::new();
   |     ^^^ edited: 1 allocation fewer, 32 bytes fewer
   |
   = before: let mut trimmed = Record::with_capacity(record.len());
  --> src/text.rs:15:9
   |
15 |         self.bytes.extend(field);
   |         ---- 3 allocations more, 48 bytes more
   |
   = called by: trim, src/text.rs:11:5

   allocs        bytes         change   line              call
        3  (+3)     48  (+48)  same     src/text.rs:15:9  Vec::extend in Record::push
        0  (-1)      0  (-32)  removed  src/text.rs:10:5  Vec::with_capacity in trim
        3  (+2)     48  (+16)           sum

";
    assert_eq!(shown, expected, "{shown}");
}

#[test]
fn the_calls_of_one_place_share_an_excerpt() {
    const OTHER: Stack = (
        &[
            ("alloc::string::String::push_str", 0),
            ("app::render", 2),
            ("app::encode", 40),
        ],
        1,
        8,
    );
    let shown = text(&since_main(&[FORMATTED, OTHER]), Format::Terminal);
    let label = "^^^ added since main (4f8762a1c0): 2 allocations, 20 bytes; added since main \
                 (4f8762a1c0): 1 allocation, 8 bytes\n";
    assert!(shown.contains(label), "{shown}");
    assert_eq!(shown.matches("src/text.rs:2:5\n").count(), 1, "{shown}");
}

/// The source of the regressions below.
const REGRESSED: &str = "\
fn render(out: &mut String, value: &Value) {
    out.push_str(&value.to_string());
}
fn trim(record: &Record) -> Record {
    let mut trimmed = Record::new();
    trimmed.push(record.field());
}
fn describe(event: &Event) -> usize {
    format!(\"{event:?}\").len()
}
fn store(point: &Point) -> Value {
    serde_json::to_value(point)
}
fn run_spans(spans: &[Span]) -> Vec<Span> {
    run(spans)
}
fn run(spans: &[Span]) -> Vec<Span> {
    spans.to_vec()
}
fn parse(array: &Array) -> Array {
    array.clone()
}
#[derive(Clone, Debug, Serialize)]
struct Event {
    name: String,
}
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
impl Record {
    fn push(&mut self, field: &[u8]) {
        self.bytes.extend(field);
    }
}
";

/// What was planted into published crates, whose lines that allocate are all old: the line of
/// the source that was edited, the text before, and the stacks before and now.
const REGRESSIONS: [(&str, u32, &str, &[Stack], &[Stack]); 6] = [
    (
        "minijinja: a text in place of a writer",
        2,
        "    write!(out, \"{value}\")",
        &[],
        &[(
            &[
                ("alloc::vec::Vec<T>::reserve", 0),
                ("<app::Value as core::fmt::Display>::fmt", 28),
                ("alloc::string::ToString::to_string", 0),
                ("app::render", 2),
            ],
            2,
            20,
        )],
    ),
    (
        "csv: a capacity that is lost",
        5,
        "    let mut trimmed = Record::with_capacity(record.len());",
        &[(
            &[
                ("alloc::vec::Vec<T>::with_capacity", 0),
                ("app::trim", 5),
                ("app::encode", 41),
            ],
            1,
            32,
        )],
        &[(
            &[
                ("alloc::vec::Vec<T>::extend", 0),
                ("app::Record::push", 33),
                ("app::trim", 6),
                ("app::encode", 41),
            ],
            3,
            48,
        )],
    ),
    (
        "pulldown-cmark: a text of a derived `Debug`",
        9,
        "    event.len()",
        &[],
        &[(
            &[
                ("alloc::vec::Vec<T>::reserve", 0),
                ("<app::Event as core::fmt::Debug>::fmt", 23),
                ("alloc::fmt::format", 0),
                ("app::describe", 9),
            ],
            3,
            56,
        )],
    ),
    (
        "toml_edit: a value by a derived `Serialize`",
        12,
        "    Value::from(point.x)",
        &[],
        &[(
            &[
                ("alloc::string::String::from", 0),
                ("serde_json::value::ser::serialize_str", 0),
                ("<app::Event as serde::ser::Serialize>::serialize", 23),
                ("serde_json::value::to_value", 0),
                ("app::store", 12),
            ],
            1,
            4,
        )],
    ),
    (
        "fancy-regex: a call of a function that clones",
        15,
        "    run_in_place(spans)",
        &[],
        &[(
            &[
                ("alloc::slice::<impl [T]>::to_vec", 0),
                ("app::run", 18),
                ("app::run_spans", 15),
            ],
            1,
            64,
        )],
    ),
    (
        "mini-redis: a clone by a derived `Clone`",
        21,
        "    array.take()",
        &[],
        &[(
            &[
                ("<alloc::string::String as core::clone::Clone>::clone", 0),
                ("<app::Event as core::clone::Clone>::clone", 23),
                ("app::parse", 21),
            ],
            2,
            22,
        )],
    ),
];

#[test]
fn the_edited_line_comes_first_in_the_six_regressions_of_explain() {
    for (name, line, before, base, head) in REGRESSIONS {
        let now = REGRESSED.lines().nth(line as usize - 1).unwrap();
        let changes = Changes::parse(&format!(
            "diff --git a/src/text.rs b/src/text.rs\n--- a/src/text.rs\n+++ b/src/text.rs\n\
             @@ -{line} +{line} @@\n-{before}\n+{now}\n"
        ));
        let old = REGRESSED.replace(now, before);
        let alone = Found::Sites {
            sites: Box::new(sites(head, REGRESSED, Side::New(&changes))),
            since: Some(String::from("main")),
            no_base: None,
        };
        let diff = SiteDiff::new(
            sites(base, &old, Side::Old(&changes)),
            sites(head, REGRESSED, Side::New(&changes)),
            &changes,
        );
        let compared = Found::Compared {
            base: String::from("main"),
            diff: Box::new(diff),
        };
        for found in [alone, compared] {
            let shown = text(&explained(Ok(found)), Format::Terminal);
            let mut places = shown.lines().filter_map(|line| line.split_once("--> "));
            let (_, first) = places.next().unwrap();
            assert!(
                first.starts_with(&format!("src/text.rs:{line}:")),
                "{name}:\n{shown}"
            );
        }
    }
}
