//! Pictures and exchange formats of stacks: flame graphs, folded stacks, and DHAT's format.
//!
//! `ALLOC_GATE_BLESS=1` rewrites the pictures of the pages. The pictures of large programs are
//! left in the folder `target/tmp`, to be looked at in a browser and in DHAT's viewer.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests compare pictures with files"
)]

mod dhat;
mod sample;

use std::env;
use std::fs;

use alloc_gate::report::{Folded, StackReport, flame};
use alloc_gate::sites::{Explained, SiteRow};
use alloc_results::{Counts, Metric};

use roxmltree::{Document, Node};
use sample::{Sample, encode, frame, large, random};
use sample_results::Generator;

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../design");

fn stacks(explained: &Explained) -> StackReport<'_> {
    StackReport::from_explained(explained).expect("it has call stacks")
}

fn picture(explained: &Explained) -> String {
    let mut out = Vec::new();
    flame(&stacks(explained), &mut out).expect("a vector can be written");
    String::from_utf8(out).expect("the picture is UTF-8")
}

fn folded(explained: &Explained) -> Folded {
    alloc_gate::report::folded(&stacks(explained))
}

fn since(now: &Sample, before: &Sample, metric: Metric) -> Explained {
    let difference = now.since(Some(before), metric);
    difference.expect("the stacks have values of the metric")
}

fn parsed(picture: &str) -> Document<'_> {
    assert!(!picture.contains(['\t', '\r']), "{picture:?}");
    Document::parse(picture).unwrap_or_else(|error| panic!("{error}: {picture:?}"))
}

/// The frames of a picture: title, left edge, right edge, and top.
fn frames(picture: &str) -> Vec<(String, f64, f64, f64)> {
    let mut frames = Vec::new();
    let mut title = None;
    let document = parsed(picture);
    let elements = document.descendants().filter(Node::is_element);
    // The first three are the picture, its title and its style.
    for element in elements.skip(3) {
        let number = |name: &str| -> f64 {
            let value = element.attribute(name).expect("the element has it");
            value.parse().expect("it is a number")
        };
        match (element.tag_name().name(), title.take()) {
            ("title", _) => title = Some(element.text().unwrap_or_default().to_owned()),
            ("rect", Some(title)) => {
                let left = number("x");
                let right = left + number("width");
                frames.push((title, left, right, number("y")));
            }
            _ => {}
        }
    }
    frames
}

fn compare(file: &str, picture: &str) {
    let path = format!("{PAGES}/{file}");
    if env::var_os("ALLOC_GATE_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, picture).expect("the picture can be written");
    }
    let accepted = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        accepted == picture,
        "design/{file} is not up to date; ALLOC_GATE_BLESS=1 rewrites it"
    );
}

#[test]
fn the_pictures_of_the_page_are_up_to_date() {
    let (before, now) = (encode(false), encode(true));
    let report = now.report(Metric::Allocs);
    compare("flame-graph.svg", &picture(&report));
    let difference = since(&now, &before, Metric::Allocs);
    compare("flame-graph-difference.svg", &picture(&difference));
}

#[test]
fn a_frame_is_as_wide_as_its_value() {
    let sample = encode(true);
    let picture = picture(&sample.report(Metric::Bytes));
    let frames = frames(&picture);
    let width = |name: &str| {
        let mut frames = frames.iter();
        let found = frames.find(|(title, ..)| title.lines().next() == Some(name));
        let (_, left, right, _) = found.expect("the function is drawn");
        (right - left) / 1_180.0
    };
    for (function, bytes) in [
        ("all", 92.0),
        ("nmx_codec::write_message::encode_into", 92.0),
        ("<alloc::vec::Vec<u8>>::reserve_exact", 52.0),
        ("nmx_codec::text::length_prefixed", 40.0),
        ("nmx_codec::text::little_endian", 12.0),
    ] {
        let width = width(function);
        assert!((width - bytes / 92.0).abs() < 1e-5, "{function}: {width}");
    }
    let prefixed = frames
        .iter()
        .find(|(title, ..)| title.contains("length_prefixed"));
    assert_eq!(
        prefixed.expect("it is drawn").0,
        "nmx_codec::text::length_prefixed\n\
         bytes per iteration: 40 (43.5%)\n\
         crates/nmx-codec/src/text.rs:60:17: 24\n\
         crates/nmx-codec/src/text.rs:62:24: 16"
    );
}

#[test]
fn an_inlined_function_without_its_path_has_the_colour_of_its_file() {
    let mut sample = encode(true);
    let inlined = "nmx_codec::text::little_endian";
    for frame in sample.stacks.iter_mut().flatten() {
        if *frame.function == *inlined || frame.function.contains("::Vec<") {
            let name = frame.function.rsplit("::").next().expect("it has a name");
            frame.function = name.into();
        }
    }
    let picture = picture(&sample.report(Metric::Allocs));
    let class = |name: &str| {
        let (_, frame) = picture.split_once(&format!("<title>{name}\n"))?;
        let (_, class) = frame.split_once("class=\"")?;
        class.split('"').next()
    };
    assert_eq!(
        class("little_endian"),
        class("nmx_codec::text::length_prefixed")
    );
    assert_eq!(class("with_capacity"), Some("s"));
}

#[test]
fn a_difference_shows_stacks_of_both_sides() {
    let (before, now) = (encode(true), encode(false));
    let mut before = before;
    // Half the iterations, and so half the sums: the figures are the same.
    before.iterations /= 2;
    for row in &mut before.rows {
        row.counts.allocs /= 2;
    }
    let report = since(&now, &before, Metric::Allocs);
    let picture = picture(&report);
    let titles: Vec<String> = frames(&picture).into_iter().map(|frame| frame.0).collect();
    let title = |name: &str| titles.iter().find(|title| title.starts_with(name));
    assert_eq!(
        title("nmx_codec::text::little_endian").map(String::as_str),
        Some(
            "nmx_codec::text::little_endian\n\
             allocs per iteration: 1 -> 0 (-1)\n\
             crates/nmx-codec/src/text.rs:53:21: 1 -> 0 (-1)"
        )
    );
    assert_eq!(
        title("nmx_codec::text::terminated_units").map(String::as_str),
        Some(
            "nmx_codec::text::terminated_units\n\
             allocs per iteration: 1 -> 1 (0)\n\
             crates/nmx-codec/src/text.rs:46:21: 1 -> 1 (0)"
        )
    );
    assert!(picture.contains(">- little_endian<") || picture.contains("- nmx_codec::text::little"));
}

#[test]
fn narrow_frames_are_merged_or_counted() {
    let mut sample = Sample {
        iterations: 1,
        ..Sample::default()
    };
    sample.add(&[frame("main", ""), frame("a::wide", "")], 1, 1_000_000);
    for number in 0..2_000 {
        let name = frame(&format!("b::narrow{number}"), "");
        sample.add(&[frame("main", ""), name], 1, 1);
    }
    sample.add(&[frame("c::alone", "")], 1, 1);
    let picture = picture(&sample.report(Metric::Bytes));
    let shown = frames(&picture);
    let titles: Vec<&str> = shown.iter().map(|frame| frame.0.as_str()).collect();
    assert_eq!(
        titles,
        [
            "all\nbytes per iteration: 1,002,001 (100%)",
            "main\nbytes per iteration: 1,002,000 (100%)",
            "a::wide\nbytes per iteration: 1,000,000 (99.8%)",
            "2,000 narrow frames\nbytes per iteration: 2,000 (0.2%)",
        ]
    );
    let note = "not drawn: 1 frame of less than 1 pixel; bytes per iteration: 1<";
    assert!(picture.contains(note), "{picture}");
}

#[test]
fn a_picture_says_what_it_does_not_draw() {
    let mut sample = encode(false);
    sample.rows[0].kept_blocks = 10_000;
    if let Some(before) = &mut sample.before {
        before.kept_blocks = -5_000;
    }
    let picture_of_net = picture(&sample.report(Metric::NetBlocks));
    assert!(picture_of_net.contains(">net-blocks per iteration: 0.5<"));
    assert!(
        picture_of_net.contains(">not drawn: 1 stack below zero; net-blocks per iteration: -0.5<")
    );
    let picture_of_nothing = picture(&sample.report(Metric::Reallocs));
    assert!(picture_of_nothing.contains(">no stack has reallocs<"));
    parsed(&picture_of_nothing);

    let deep: Vec<_> = (0..100_000)
        .map(|at| frame(&format!("f{at}"), ""))
        .collect();
    let mut sample = Sample {
        iterations: 1,
        ..Sample::default()
    };
    sample.add(&deep, 3, 1);
    let picture = picture(&sample.report(Metric::Allocs));
    assert!(picture.contains(">not drawn: 1 frame below the last row; allocs per iteration: 3<"));
}

#[test]
fn rows_without_a_stack_have_a_frame() {
    let mut sample = encode(false);
    let counts = Counts {
        allocs: 20_000,
        ..Counts::default()
    };
    sample.stacks.push(Vec::new());
    for stack in [None, Some(3)] {
        sample.rows.push(SiteRow {
            stack,
            counts,
            ..SiteRow::default()
        });
    }
    let report = sample.report(Metric::Allocs);
    let picture = picture(&report);
    for name in ["further stacks", "unknown stack"] {
        assert!(picture.contains(&format!("<title>{name}\nallocs per iteration: 2 (28.6%)")));
        assert!(folded(&report).text.contains(&format!("{name} 2\n")));
    }
}

#[test]
fn folded_stacks_have_whole_numbers_of_the_fewest_iterations() {
    let mut now = encode(true);
    let report = now.report(Metric::Allocs);
    let written = folded(&report);
    let outer = "alloc_count::write_message::encode::{closure#0};nmx_codec::write_message::encode;\
                 nmx_codec::write_message::encode_into";
    let text = format!(
        "{outer};<alloc::vec::Vec<u8>>::reserve_exact 1\n\
         {outer};nmx_codec::text::length_prefixed;<alloc::vec::Vec<u8>>::with_capacity 1\n\
         {outer};nmx_codec::text::length_prefixed;nmx_codec::text::little_endian;\
         <alloc::vec::Vec<u8>>::with_capacity 1\n\
         {outer};nmx_codec::text::length_prefixed;nmx_codec::text::terminated_units;\
         <alloc::vec::Vec<u16> as core::iter::FromIterator<u16>>::from_iter 1\n"
    );
    assert_eq!(written.text, text);
    assert_eq!((written.iterations, written.below_zero), (1, 0));

    let before = encode(false);
    let written = folded(&since(&now, &before, Metric::Allocs));
    let lines: Vec<&str> = written.text.lines().collect();
    assert!(lines[0].ends_with("reserve_exact 1 1"), "{lines:?}");
    assert!(lines[2].ends_with("with_capacity 0 1"), "{lines:?}");

    // One of 10,000 iterations has one more.
    now.rows[0].counts.allocs += 1;
    let written = folded(&now.report(Metric::Allocs));
    assert_eq!(written.iterations, 10_000);
    assert!(written.text.contains("reserve_exact 10001\n"));
    assert!(written.text.contains("with_capacity 10000\n"));
}

#[test]
fn a_folded_stack_has_no_separators_in_names() {
    let mut sample = Sample {
        iterations: 1,
        ..Sample::default()
    };
    sample.add(&[frame("<[u8; 4]>::a\nb", ""), frame("c", "")], 1, 1);
    // Live blocks were not followed.
    sample.rows[0].counts.deallocs = 2;
    assert_eq!(
        folded(&sample.report(Metric::Allocs)).text,
        "<[u8: 4]>::a b;c 1\n"
    );
    assert_eq!(folded(&sample.report(Metric::NetBlocks)).below_zero, 1);
}

#[test]
fn stacks_without_values_of_a_metric_have_no_report() {
    let mut sample = encode(false);
    let has_report = |sample: &Sample, metric| sample.since(None, metric).is_some();
    for metric in Metric::ALL {
        let is_native = metric.name().starts_with("native");
        assert_eq!(has_report(&sample, metric), !is_native, "{metric}");
    }
    // Live blocks were not followed.
    sample.before = None;
    assert!(!has_report(&sample, Metric::PeakBytes));
    sample.rows[0].counts.deallocs = 0;
    let net = folded(&sample.report(Metric::NetBlocks)).text;
    assert!(net.ends_with("reserve_exact 1\n"), "{net}");
}

#[test]
fn blocks_from_before_the_iteration_have_a_frame() {
    let mut sample = encode(false);
    if let Some(before) = &mut sample.before {
        before.peak_bytes = Some(200_000);
    }
    let report = sample.report(Metric::PeakBytes);
    let picture = picture(&report);
    assert!(picture.contains(">peak-bytes per iteration: 100<"));
    let title = "<title>blocks from before the iteration\npeak-bytes per iteration: 20 (20%)";
    assert!(picture.contains(title));
    let folded = folded(&report).text;
    assert!(folded.contains("blocks from before the iteration 20\n"));
}

/// For the tests of layouts: frames lie inside their callers, and none overlap.
fn check_layout(picture: &str) {
    let mut rows: Vec<Vec<(f64, f64)>> = Vec::new();
    for (_, left, right, top) in frames(picture) {
        let row = ((top - 58.0) / 18.0) as usize;
        rows.resize(rows.len().max(row + 1), Vec::new());
        rows[row].push((left, right));
    }
    for (depth, row) in rows.iter().enumerate() {
        assert!(!row.is_empty());
        for pair in row.windows(2) {
            assert!(pair[0].1 <= pair[1].0 + 1e-9, "{pair:?} overlap");
        }
        for (left, right) in row.iter().filter(|_| depth > 0) {
            let mut callers = rows[depth - 1].iter();
            assert!(callers.any(|caller| caller.0 <= left + 1e-9 && right - 1e-9 <= caller.1));
        }
    }
}

#[test]
fn large_pictures_are_well_formed_and_the_same_in_each_run() {
    let (before, now) = (large(1, 600), large(2, 600));
    let folder = env!("CARGO_TARGET_TMPDIR");
    for (name, report) in [
        ("large.svg", now.report(Metric::Bytes)),
        ("large-difference.svg", since(&now, &before, Metric::Bytes)),
    ] {
        let drawn = picture(&report);
        check_layout(&drawn);
        assert_eq!(drawn, picture(&report));
        fs::write(format!("{folder}/{name}"), &drawn).expect("it can be written");
    }
    for (name, sample) in [("encode.dhat.json", encode(true)), ("large.dhat.json", now)] {
        let written = dhat::written(&sample).to_string();
        fs::write(format!("{folder}/{name}"), written).expect("it can be written");
    }
}

/// A report and a difference in both formats, where the stacks have values of the metric.
fn written(before: &Sample, now: &Sample, metric: Metric) -> Vec<(String, Folded)> {
    let has_metric = |sample: &Sample| metric != Metric::PeakBytes || sample.before.is_some();
    if !has_metric(now) {
        return Vec::new();
    }
    let report = now.report(metric);
    let difference = now.since(Some(before), metric);
    assert_eq!(difference.is_some(), has_metric(before));
    let reports = [report].into_iter().chain(difference);
    let written = reports.map(|report| (picture(&report), folded(&report)));
    written.collect()
}

#[test]
fn no_stacks_make_a_picture_that_is_not_well_formed() {
    let mut generator = Generator::new(15);
    for _ in 0..100 {
        let (before, now) = (random(&mut generator), random(&mut generator));
        let mut shuffled = now.clone();
        shuffled.rows = generator.shuffled(shuffled.rows);
        for metric in [
            Metric::Allocs,
            Metric::Bytes,
            Metric::NetBytes,
            Metric::PeakBytes,
        ] {
            let written = written(&before, &now, metric);
            for (picture, folded) in &written {
                if !picture.contains("no stack has") {
                    check_layout(picture);
                }
                let separators = folded.text.lines().map(|line| line.matches(';').count());
                assert!(separators.max() < Some(6), "{}", folded.text);
            }
            let again = self::written(&before, &shuffled, metric);
            assert!(written == again, "the order of the rows shows");
        }
    }
}
