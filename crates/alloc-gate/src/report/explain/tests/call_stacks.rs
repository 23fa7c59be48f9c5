//! Call stacks below the lines.

use alloc_results::Metric;

use super::*;
use crate::sites::{Side, Site};

fn with_stacks(explained: Explained) -> Explained {
    Explained {
        shows_stacks: true,
        ..explained
    }
}

const STACKS: &str = "
call stacks, innermost frame first:
     src/text.rs:2:21  Vec::with_capacity in little_endian
       2 allocations, 24 bytes
         0: no line           alloc::vec::Vec<T>::with_capacity
         1: src/text.rs:2:21  app::little_endian
         2: src/text.rs:40:9  app::encode
     src/text.rs:6:36  Iterator::collect in terminated
       1.5 allocations, 36 bytes
         0: no line            core::iter::traits::iterator::Iterator::collect
         1: src/text.rs:6:36   app::terminated (inlined)
         2: src/text.rs:40:9   app::encode
         3: src/text.rs:41:10  app::encode_all (by a tail call)
     src/text.rs:9:8  to_owned in name
       1 allocation, 8 bytes
         0: no line           alloc::str::<impl alloc::borrow::ToOwned for str>::to_owned
         1: src/text.rs:9:8   app::name
         2: src/text.rs:40:9  app::encode
";

/// The sites of the run, one of them with an inlined frame and a tail call.
fn run() -> Sites {
    let mut measured = (*after(Side::Unknown).measured).clone();
    let stack = &mut measured.stacks[1];
    stack[1].kind = FrameKind::Inlined;
    stack.insert(
        3,
        Frame {
            function: "app::encode_all".into(),
            file: Some("src/text.rs".into()),
            line: Some(41),
            column: Some(10),
            kind: FrameKind::TailCalled,
        },
    );
    attributed(measured, MEAN, Some(NEW), Side::Unknown)
}

#[test]
fn the_stacks_of_each_line_are_shown_when_they_are_asked_for() {
    let explained = with_stacks(alone(run(), None));
    let shown = text(&explained, Format::Terminal);
    let (_, stacks) = shown.split_once("  sum\n").unwrap();
    assert_eq!(stacks, format!("{STACKS}\n"));
    let shown = text(&explained, Format::Markdown);
    let inside = STACKS.trim_start().split_once('\n').unwrap().1;
    let expected = format!(
        "\n<details><summary>call stacks, innermost frame first</summary>\n\n\
         ```text\n{inside}```\n\n</details>\n"
    );
    assert!(shown.ends_with(&expected), "{shown}");
    for format in [Format::Terminal, Format::Markdown, Format::Json] {
        let shown = text(&alone(run(), None), format);
        assert!(!shown.contains("stacks"), "{shown}");
    }
}

#[test]
fn of_two_sides_the_stacks_of_changed_lines_are_shown() {
    let shown = text(&with_stacks(compared()), Format::Terminal);
    let (_, stacks) = shown.split_once("first:\n").unwrap();
    let expected = "     added: src/text.rs:2:21  Vec::with_capacity in little_endian
       now: 2 allocations, 24 bytes
         0: no line           alloc::vec::Vec<T>::with_capacity
         1: src/text.rs:2:21  app::little_endian
         2: src/text.rs:40:9  app::encode
     removed: src/text.rs:11:34  String::from in gone
       at main (4f8762a1c0): 1 allocation, 4 bytes
         0: no line            alloc::string::String::from
         1: src/text.rs:11:34  app::gone
         2: src/text.rs:40:9   app::encode
     edited: src/text.rs:6:36  Iterator::collect in terminated
       now: 1.5 allocations, 36 bytes
         0: no line           core::iter::traits::iterator::Iterator::collect
         1: src/text.rs:6:36  app::terminated
         2: src/text.rs:40:9  app::encode
       at main (4f8762a1c0): 1 allocation, 12 bytes
         0: no line           core::iter::traits::iterator::Iterator::collect
         1: src/text.rs:6:25  app::terminated
         2: src/text.rs:40:9  app::encode
     not shown: the stacks of 1 unchanged line

";
    assert_eq!(stacks, expected);
}

#[test]
fn of_many_stacks_of_a_line_five_are_shown_and_the_others_counted() {
    let calls: Vec<Call> = (1..=8_u64)
        .map(|n| ("f", 1, 1, COLLECT, 10, 10 * n))
        .collect();
    let mut measured = measured(&calls);
    for (number, stack) in measured.stacks.iter_mut().enumerate() {
        stack[2].line = u32::try_from(number).ok();
    }
    // Stacks with the same frames are one.
    measured.stacks[1] = measured.stacks[0].clone();
    let figure = (Metric::Bytes, Statistic::Mean);
    let sites = attributed(measured, figure, None, Side::Unknown);
    let shown = text(&with_stacks(alone(sites, None)), Format::Terminal);
    let (_, stacks) = shown.split_once("first:\n").unwrap();
    assert_eq!(stacks.matches("0: no line").count(), 5, "{shown}");
    assert!(
        stacks.contains("\n       2 allocations, 3 bytes\n"),
        "{shown}"
    );
    assert!(
        stacks.ends_with("\n       2 more stacks: 2 allocations, 7 bytes\n\n"),
        "{shown}"
    );
    let of_many: Vec<Call> = (1..=14)
        .map(|line| ("f", line, 1, COLLECT, 10, 10))
        .collect();
    let shown = text(
        &with_stacks(alone(self::sites(&of_many, "", Side::Unknown), None)),
        Format::Terminal,
    );
    assert!(
        shown.ends_with("     not shown: the stacks of 4 more lines\n\n"),
        "{shown}"
    );
}

#[test]
fn the_stacks_of_a_site_add_up_to_it() {
    let sites = run();
    let sum = |site: &Site| {
        let stacks = sites.stacks_of(site, &[]).into_iter();
        stacks.map(|(_, amounts)| amounts.of(Metric::Bytes)).sum()
    };
    for site in &sites.list {
        assert_eq!(site.amounts.of(Metric::Bytes), sum(site));
    }
}
