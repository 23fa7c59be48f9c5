//! The heat map, as a picture and as text, and the plots.

use std::path::Path;

use lab_page::pictures::memory::MemoryMeasure;
use lab_page::pictures::{self, heat_text, text_width};
use lab_page::results::Results;
use lab_page::store;
use lab_page::summary::Summary;

use crate::support::{cell, example, figures, times};

/// A picture of this name.
fn svg(results: &Results, name: &str) -> Option<String> {
    let pictures = pictures::all(results, &Summary::new(results));
    let mut pictures = pictures.into_iter().filter(|one| one.name == name);
    pictures.next().unwrap().svg
}

/// The value of an attribute.
fn attribute<'s>(element: &'s str, name: &str) -> Option<&'s str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

/// The corners of a text, in a picture whose axes are turned by these degrees.
fn bounds(text: &str, turn: f64) -> ([f64; 2], [f64; 2]) {
    let number = |name| attribute(text, name).unwrap().parse::<f64>().unwrap();
    let content = text.split(['>', '<']).nth(2).unwrap();
    let bold = if text.contains("font-weight") {
        1.08
    } else {
        1.0
    };
    let size = number("font-size");
    let width = text_width(content, size) * bold;
    let left = match attribute(text, "text-anchor") {
        None => 0.0,
        Some("middle") => width / 2.0,
        Some(_) => width,
    };
    let own = attribute(text, "transform").map_or(0.0, |transform| {
        let degrees = transform.trim_start_matches("rotate(").split(' ').next();
        degrees.unwrap().parse().unwrap()
    });
    let turned = |(x, y): (f64, f64), degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        (x * cos - y * sin, x * sin + y * cos)
    };
    let (top, right) = (-0.78 * size, width - left);
    let corners = [
        (-left, top),
        (right, top),
        (right, 0.22 * size),
        (-left, 0.22 * size),
    ];
    let corners = corners.map(|corner| {
        let (x, y) = turned(corner, own);
        turned((x + number("x"), y + number("y")), -turn)
    });
    let range = |of: fn(&(f64, f64)) -> f64| {
        let places = corners.iter().map(of);
        [
            places.clone().fold(f64::MAX, f64::min),
            places.fold(f64::MIN, f64::max),
        ]
    };
    (range(|corner| corner.0), range(|corner| corner.1))
}

/// Fails if texts overlap or leave the picture.
#[track_caller]
fn check_texts(svg: &str) {
    let size = |name| attribute(svg, name).unwrap().parse::<f64>().unwrap();
    let texts: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<text"))
        .collect();
    for (nth, text) in texts.iter().enumerate() {
        let (x, y) = bounds(text, 0.0);
        let is_inside =
            x[0] >= 0.0 && x[1] <= size("width") && y[0] >= 0.0 && y[1] <= size("height");
        assert!(is_inside, "{text}");
        for other in &texts[..nth] {
            // A line in one of these directions is between both.
            let are_apart = [0.0, -45.0].iter().any(|turn| {
                let ((x, y), (other_x, other_y)) = (bounds(text, *turn), bounds(other, *turn));
                let apart = |one: [f64; 2], other: [f64; 2]| {
                    one[1] <= other[0] + 0.1 || other[1] <= one[0] + 0.1
                };
                apart(x, other_x) || apart(y, other_y)
            });
            assert!(are_apart, "{text}\n{other}");
        }
    }
}

#[test]
fn texts_of_the_committed_pictures_do_not_overlap() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../design/allocators.jsonl");
    let results = store::read(&file).unwrap();
    for picture in pictures::all(&results, &Summary::new(&results)) {
        check_texts(&picture.svg.unwrap());
    }
}

#[test]
fn texts_of_many_marks_and_lines_at_one_place_do_not_overlap() {
    let mut many = example();
    let names = [
        "jemalloc", "snmalloc", "rpmalloc", "tbb", "tcmalloc", "dlmalloc", "rlsf",
    ];
    for subject in names {
        let threads = [1, 2, 4]
            .map(|threads| format!("concurrent/subject={subject},threads={threads},sizes=mixed"));
        many.cells.extend(threads.map(|name| cell(&name, 20.0)));
        many.cells
            .push(cell(&format!("frame/subject={subject}"), 50.0));
        let name = format!("waste/subject={subject},size=recorded,align=8");
        many.cells
            .push(figures(&name, "consumed-bytes 1200, requested-bytes 1000"));
    }
    for (picture, texts) in [
        (
            "memory",
            ["snmalloc", "bumpalo", "open mark: not in all workloads"],
        ),
        ("threads", ["2 cores", "snmalloc", "Pure Rust"]),
    ] {
        let svg = svg(&many, picture).unwrap();
        check_texts(&svg);
        for text in texts {
            assert!(svg.contains(&format!(">{text}</text>")), "{text}");
        }
    }
    for nth in 0..14 {
        let all = "system 10, talc 10, an-allocator-of-somebody 10, system-again 10";
        many.cells
            .extend(times(&format!("a-long-workload-{nth}/subject={{}}"), all));
    }
    check_texts(&svg(&many, "heat").unwrap());
}

#[test]
fn without_figures_there_is_no_picture() {
    let none = pictures::all(&Results::default(), &Summary::default());
    assert!(none.iter().all(|picture| picture.svg.is_none()));
    // No cell says that its memory is untouched.
    assert_eq!(svg(&example(), "sizes"), None);
}

#[test]
fn a_picture_has_its_title_and_both_modes() {
    let svg = svg(&example(), "heat").unwrap();
    assert!(svg.contains("<title>Time of each allocator, compared with the system's</title>"));
    assert_eq!(svg.matches(".ground{fill:").count(), 2);
    assert_eq!(svg.matches("prefers-color-scheme: dark").count(), 1);
}

/// The class of the rectangle behind the first text of this content.
fn ground<'s>(svg: &'s str, text: &str) -> &'s str {
    let lines: Vec<&str> = svg.lines().collect();
    let text = format!(">{text}</text>");
    let at = lines.iter().position(|line| line.ends_with(&text)).unwrap();
    let rect = lines[at - 1].starts_with("<rect").then_some(lines[at - 1]);
    rect.map_or("none", |rect| attribute(rect, "class").unwrap())
}

#[test]
fn noise_is_grey_and_failures_and_gaps_differ_from_it() {
    let svg = svg(&example(), "heat").unwrap();
    let grounds = ["1.0", "±5%", "FAIL", "-"].map(|text| ground(&svg, text));
    assert_eq!(grounds, ["noise", "noise", "fail", "none"]);
    // 4 times as fast, from 2 to 4 times as fast or as slow, and 10 times as fast.
    let grounds = ["0.25", "0.50", "3.0", "0.10"].map(|text| ground(&svg, text));
    assert_eq!(grounds, ["b3", "b2", "o2", "b4"]);
}

#[test]
fn the_heat_map_is_a_text_for_terminals_and_for_markdown() {
    let summary = Summary::new(&example());
    let text = heat_text::terminal(&summary);
    let (table, key) = text.split_once("\n\n").unwrap();
    assert_eq!(
        table,
        "                     system  mimalloc  jemalloc   talc  buddy  bumpalo    mine\n\
         pair                    ±5%     0.25x         -   1.4x   FAIL    0.10x  0.80x*\n\
         frame                   ±5%     0.50x         -  ≈1.0x      -    0.10x       -\n\
         concurrent             ±25%     0.50x         -   4.0x   3.0x        -       -\n\
         concurrent, threads    ±25%     0.50x         -   4.0x   3.0x        -       -"
    );
    assert!(key.starts_with("0.50x takes half the time"), "{key}");
    let text = heat_text::markdown(&summary);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "| | pair | frame | concurrent | concurrent, threads |"
    );
    assert_eq!(lines[1], "|---|---:|---:|---:|---:|");
    assert_eq!(lines[2], "| system | ±5% | ±5% | ±25% | ±25% |");
    assert_eq!(lines[5], "| talc | 1.4x | ≈1.0x | 4.0x | 4.0x |");
    assert_eq!(lines[8..10], ["| mine | 0.80x\\* | - | - | - |", ""]);
}

#[test]
fn memory_is_that_of_the_first_measure_with_figures() {
    let mut results = example();
    let figure = |results: &Results, subject| {
        MemoryMeasure::first(results)
            .unwrap()
            .figure(results, subject)
    };
    assert_eq!(figure(&results, "mimalloc"), Some(1.2));
    assert_eq!(figure(&results, "buddy"), None);
    let resident = "half-growth 24, half-bytes 12, full-growth 1";
    results
        .cells
        .push(figures("resident/subject=system", resident));
    assert_eq!(figure(&results, "system"), Some(2.0));
}

/// The vertical places of the points of a family, from left to right.
fn points<'s>(svg: &'s str, family: &str) -> Vec<&'s str> {
    let begin = format!("<circle class=\"f-{family}\"");
    let circles = svg.lines().filter(|line| line.starts_with(&begin));
    circles
        .map(|circle| attribute(circle, "cy").unwrap())
        .collect()
}

#[test]
fn a_line_has_the_net_time_of_one_element() {
    let mut results = Results {
        cells: Vec::new(),
        ..example()
    };
    for (size, all) in [
        (64, "floor 2, system 10, mimalloc 4, talc 20"),
        (4096, "floor 2, system 34, mimalloc 10, talc 36"),
    ] {
        let scenario = format!("pair/subject={{}},size={size},memory=untouched");
        results.cells.extend(times(&scenario, all));
    }
    for cell in &mut results.cells {
        cell.elements = Some(10);
    }
    results.cells[3].faults = [("null".to_owned(), 1)].into();
    let svg = svg(&results, "sizes").unwrap();
    // 8 and 32 ns for ten pairs, in both panels; 2 ns and 8 ns, of which 0.2 ns is too little.
    let (system, mimalloc) = (points(&svg, "system"), points(&svg, "native"));
    assert_eq!((system.len(), mimalloc.len()), (4, 2));
    assert_eq!(mimalloc[1], system[0]);
    assert!(svg.contains(">0.5 ns stands for all that is less.</text>"));
    assert_eq!(points(&svg, "rust").len(), 1, "a failed cell has no point");
    // A net time without a floor is none.
    results.cells.retain(|cell| cell.subject() != Some("floor"));
    assert_eq!(self::svg(&results, "sizes"), None);
}

#[test]
fn a_line_does_not_cross_a_place_without_a_figure() {
    let mut results = example();
    for (subject, threads) in [("system", [2, 8, 16]), ("talc", [8, 16, 32])] {
        let names = threads
            .map(|threads| format!("concurrent/subject={subject},threads={threads},sizes=mixed"));
        results.cells.extend(names.map(|name| cell(&name, 20.0)));
    }
    let svg = svg(&results, "threads").unwrap();
    assert!(svg.contains(">2 cores</text>"));
    // talc has figures at 1, at 4, 8, 16 and 32 threads, and none at 2.
    let lines = svg
        .lines()
        .filter(|line| line.starts_with("<polyline class=\"f-rustl\""));
    let parts = lines.filter(|line| line.contains("1.8"));
    let parts: Vec<usize> = parts.map(|line| line.matches(',').count()).collect();
    assert_eq!(parts, [4]);
    assert_eq!(points(&svg, "rust").len(), 5);
}
