//! The heat map, as a picture and as text.

use std::path::Path;

use lab_page::heat;
use lab_page::heat::picture::{svg, width};
use lab_page::results::Results;
use lab_page::store;
use lab_page::summary::Summary;

use crate::support::{example, times};

fn picture(results: &Results) -> String {
    svg(&Summary::new(results)).unwrap()
}

/// The value of an attribute.
fn attribute<'s>(element: &'s str, name: &str) -> Option<&'s str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

/// The left, right, upper and lower edge of a text.
fn edges(text: &str) -> [f64; 4] {
    let number = |name| attribute(text, name).unwrap().parse::<f64>().unwrap();
    let (x, y) = (number("x"), number("y"));
    let width = width(text.split(['>', '<']).nth(2).unwrap());
    let left = match attribute(text, "text-anchor") {
        None => x,
        Some("middle") => x - width / 2.0,
        Some(_) => x - width,
    };
    match attribute(text, "transform") {
        None => [left, left + width, y - 9.5, y + 2.5],
        // Turned by 45 degrees to the right and up.
        Some(_) => [left, left + 0.8 * width, y - 0.8 * width, y + 2.5],
    }
}

/// Fails if texts overlap or leave the picture. Turned texts are parallel, and far from each other.
#[track_caller]
fn check_texts(svg: &str) {
    let size = |name| attribute(svg, name).unwrap().parse::<f64>().unwrap();
    let texts: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<text"))
        .collect();
    for (nth, text) in texts.iter().enumerate() {
        let [left, right, top, bottom] = edges(text);
        let is_inside = left >= 0.0 && right <= size("width");
        assert!(
            is_inside && top >= 0.0 && bottom <= size("height"),
            "{text}"
        );
        for other in &texts[..nth] {
            let [other_left, other_right, other_top, other_bottom] = edges(other);
            let are_beside = right <= other_left || other_right <= left;
            let are_above = bottom <= other_top || other_bottom <= top;
            let are_turned = [text, other]
                .iter()
                .all(|text| text.contains(" transform="));
            assert!(are_beside || are_above || are_turned, "{text}\n{other}");
        }
    }
}

#[test]
fn texts_do_not_overlap() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../design/allocators.jsonl");
    check_texts(&picture(&store::read(&file).unwrap()));
    let mut many = example();
    for nth in 0..14 {
        let all = "system 10, talc 10, an-allocator-of-somebody 10, system-again 10";
        let cells = times(&format!("a-long-workload-{nth}/subject={{}}"), all);
        many.cells.extend(cells);
    }
    check_texts(&picture(&many));
}

#[test]
fn a_picture_has_its_title_and_both_modes() {
    assert_eq!(svg(&Summary::default()), None);
    let svg = picture(&example());
    assert!(svg.contains("<title>Time of each allocator, compared with the system's</title>"));
    assert_eq!(svg.matches(".ground{fill:").count(), 2);
    assert_eq!(svg.matches("prefers-color-scheme: dark").count(), 1);
}

/// The class of the rectangle behind the first text of this content.
fn ground<'s>(svg: &'s str, text: &str) -> &'s str {
    let lines: Vec<&str> = svg.lines().collect();
    let text = format!(">{text}</text>");
    let at = lines.iter().position(|line| line.ends_with(&text)).unwrap();
    attribute(lines[at - 1], "class").unwrap()
}

#[test]
fn noise_is_grey_and_failures_and_gaps_differ_from_it() {
    let svg = picture(&example());
    // The last four: 4 times as fast, from 2 to 4 times as fast or as slow, and 10 times as fast.
    for (text, class) in [
        ("≈1.0", "noise"),
        ("±5%", "noise"),
        ("FAIL", "fail"),
        ("-", "ground"),
        ("0.25", "b3"),
        ("0.50", "b2"),
        ("3.0", "o2"),
        ("0.10", "b4"),
    ] {
        assert_eq!(ground(&svg, text), class, "{text}");
    }
    // The key: the scale is the same in both directions.
    let faster = ["≤0.13", "≤0.25", "≤0.50", "≤0.71", "&lt;1.0"];
    let slower = ["≥1.0", "≥1.4", "≥2.0", "≥4.0", "≥8.0"];
    let [faster, slower] = [faster, slower].map(|texts| texts.map(|text| ground(&svg, text)));
    assert_eq!(faster, ["b4", "b3", "b2", "b1", "b0"]);
    assert_eq!(slower, ["o0", "o1", "o2", "o3", "o4"]);
}

#[test]
fn the_heat_map_is_a_text_for_terminals_and_for_markdown() {
    let summary = Summary::new(&example());
    // In `pair`, (4 - 2) / (10 - 2) and (10 - 2) / (34 - 2) of mimalloc are both 0.25; of talc,
    // (18 - 2) / (10 - 2) is 2, and (34 - 2) / (34 - 2) is 1; of bumpalo, with the floor of arenas,
    // 0.8 / 8 and 3.2 / 32. `frame` has no floor.
    let text = heat::terminal(&summary);
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
    let text = heat::markdown(&summary);
    let (table, _) = text.split_once("\n\n").unwrap();
    assert_eq!(
        table,
        "|  | system | mimalloc | jemalloc | talc | buddy | bumpalo | mine |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n\
         | pair | ±5% | 0.25x | - | 1.4x | FAIL | 0.10x | 0.80x\\* |\n\
         | frame | ±5% | 0.50x | - | ≈1.0x | - | 0.10x | - |\n\
         | concurrent | ±25% | 0.50x | - | 4.0x | 3.0x | - | - |\n\
         | concurrent, threads | ±25% | 0.50x | - | 4.0x | 3.0x | - | - |"
    );
}
