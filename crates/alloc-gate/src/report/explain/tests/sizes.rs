//! The largest block, and the requests over a size.

use super::*;
use crate::figure::Measure;

/// The stacks of `after`, each with its smallest and its largest request and the number of those
/// over 1 KiB.
fn sized(sizes: &[(u64, u64, u64)], metric: SiteMetric) -> Sites {
    let mut measured = (*after(Side::Unknown).measured).clone();
    measured.sizes = vec![1 << 10];
    let (sample, _) = &mut measured.samples[0];
    for (row, &(smallest, largest, over)) in sample.rows.iter_mut().zip(sizes) {
        (row.smallest, row.largest, row.over) = (smallest, largest, vec![over]);
    }
    let figure = (metric, Measure::from(metric).default_statistic());
    attributed(measured, figure, Some(NEW), Side::Unknown)
}

fn about(metric: SiteMetric, explained: Explained) -> String {
    let statistic = Measure::from(metric).default_statistic();
    let explained = Explained {
        metric,
        statistic,
        ..explained
    };
    text(&explained, Format::Terminal)
}

#[test]
fn the_lines_with_the_largest_block_are_shown() {
    let metric = SiteMetric::LargestBlock;
    let sites = sized(&[(8, 4_096, 3), (12, 12, 0), (4_096, 4_096, 10)], metric);
    let shown = about(metric, alone(sites, None));
    let expected = "\
encode: largest-block

error[allocates]: a block of 4,096 bytes, the largest of 45 allocating calls
 --> src/text.rs:2:21
  |
2 |     let mut bytes = Vec::with_capacity(units.len() * UNIT_LEN);
  |                     ^^^^^^^^^^^^^^^^^^ a block of 4,096 bytes, the largest of 20 allocating calls
  |
  = called by: encode, src/text.rs:40:9
 --> src/text.rs:9:8
  |
9 |     of.to_owned()
  |        ^^^^^^^^ a block of 4,096 bytes in 10 allocating calls
  |
  = called by: encode, src/text.rs:40:9

   largest-block  alloc-calls  line
           4,096           20  src/text.rs:2:21  Vec::with_capacity in little_endian
           4,096           10  src/text.rs:9:8   to_owned in name
              12           15  src/text.rs:6:36  Iterator::collect in terminated
           4,096           45  all

";
    assert_eq!(shown, expected, "{shown}");
}

#[test]
fn the_largest_block_of_two_sides_is_compared() {
    let metric = SiteMetric::LargestBlock;
    let [base, head] = [4_000, 4_096].map(|size| sized(&[(8, 8, 0), (12, size, 0)], metric));
    let diff = SiteDiff::new(base, head, &Changes::default());
    let found = Found::Compared {
        base: String::from("main"),
        diff: Box::new(diff),
    };
    let shown = about(metric, explained(Ok(found)));
    let expected = "\
encode: largest-block

error[allocates-more]: the largest block has 96 bytes more than at main
 --> src/text.rs:6:36
  |
6 |     text.encode_utf16().chain([0]).collect()
  |                                    ------- 96 bytes more
  |
  = called by: encode, src/text.rs:40:9

   largest-block        alloc-calls        line
           4,096 (+96)           15  same  src/text.rs:6:36  Iterator::collect in terminated
               8                 20  same  src/text.rs:2:21  Vec::with_capacity in little_endian
               0                 10  same  src/text.rs:9:8   to_owned in name
           4,096 (+96)           45        all

";
    assert_eq!(shown, expected, "{shown}");
}

#[test]
fn requests_over_a_size_are_counted_by_line() {
    let metric = SiteMetric::AllocsOver(1 << 10);
    let sites = sized(&[(8, 4_096, 5), (12, 12, 0), (4_096, 4_096, 10)], metric);
    let shown = about(metric, alone(sites, None));
    let (_, table) = shown.split_once("\n\n   ").expect("there is a table");
    let expected = "\
allocs-over-1KiB  line
                  1  src/text.rs:9:8   to_owned in name
                0.5  src/text.rs:2:21  Vec::with_capacity in little_endian
                1.5  sum

";
    assert_eq!(table, expected, "{shown}");
    assert!(
        shown.contains("1.5 requests over 1KiB per iteration\n"),
        "{shown}"
    );
    assert!(shown.contains("^^^^^^^^ 1 request over 1KiB\n"), "{shown}");
    let measured = &after(Side::Unknown).measured;
    let why = Unexplained::of_metric(metric, measured);
    let expected = "the bench was not asked for the size";
    assert_eq!(why, Some(Unexplained::NotMeasured(expected.to_owned())));
}

#[test]
fn of_many_lines_the_largest_block_of_the_others_is_shown() {
    let calls: Vec<Call> = (1..=14)
        .map(|line| ("f", line, 1, COLLECT, 10, 10))
        .collect();
    let mut measured = measured(&calls);
    for (row, size) in measured.samples[0].0.rows.iter_mut().zip(100..) {
        (row.smallest, row.largest) = (size, size);
    }
    let metric = SiteMetric::LargestBlock;
    let sites = attributed(measured, (metric, Statistic::Max), None, Side::Unknown);
    let shown = about(metric, alone(sites, None));
    assert!(
        shown.ends_with(
            "\n             103           40  4 more lines\n             113          140  all\n\n"
        ),
        "{shown}"
    );
}
