//! Stacks in the format of Valgrind's heap profiler DHAT, version 2: [`dhat`].

use std::collections::BTreeMap;
use std::io::{self, Write};

use alloc_results::Metric;
use indexmap::IndexSet;

use crate::printable::one_line;
use crate::report::export::json::object::{Json, Object};
use crate::report::export::stacks::{self, StackReport, gcd, place};
use crate::sites::{Amounts, Frame};

/// The version of the format.
const VERSION: u32 = 2;

/// Sums over the iterations, in the order of the keys in the file.
type Sums = [u128; 5];

/// Writes the stacks of a scenario as a JSON file that DHAT's viewer opens: those of now. The
/// unit of time is the iteration. Without live blocks, it has no figures at the peak and at the
/// end.
///
/// # Errors
///
/// When `out` can't be written.
pub fn dhat(report: &StackReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    // The frames of all points, each once, behind the viewer's own node.
    let mut frames = IndexSet::from([String::from("[root]")]);
    // The viewer refuses two points with the same frames.
    let mut points: BTreeMap<Vec<usize>, Sums> = BTreeMap::new();
    let stacks = report.now;
    let has_lives = stacks.has_peaks;
    for (&index, amounts) in &stacks.by_stack {
        let sums = sums(amounts, has_lives);
        if sums == Sums::default() {
            continue;
        }
        let point = match stacks::frames(stacks, index) {
            Ok(stack) => stack
                .iter()
                .map(|frame| frames.insert_full(shown(frame)).0)
                .collect(),
            Err(name) => vec![frames.insert_full(name.to_owned()).0],
        };
        let point = points.entry(point).or_default();
        for (sum, value) in point.iter_mut().zip(sums) {
            *sum = sum.saturating_add(value);
        }
    }
    let iterations = u128::from(stacks.iterations);
    // The figures of one iteration, where each does the same.
    let divisor = points.values().flatten().copied().fold(iterations, gcd);
    let points = points.into_iter().map(|(frames, sums)| {
        let sums = sums.map(|sum| sum / divisor);
        point(frames, sums, has_lives)
    });
    let points = Json::list(points);
    let time = integer(iterations / divisor);
    Object::default()
        .with("dhatFileVersion", VERSION)
        .with("mode", "heap")
        .with("verb", "Allocated")
        // Whether the file has the lives and the accesses of blocks.
        .with("bklt", has_lives)
        .with("bkacc", false)
        .with("tu", "iterations")
        .with("Mtu", "million iterations")
        // All blocks are short-lived: see `tl`.
        .with_some("tuth", has_lives.then_some(1_u32))
        .with("cmd", one_line(report.scenario))
        // The process is not known here, and readers expect a number.
        .with("pid", 0_u32)
        .with_some("tg", has_lives.then_some(time))
        .with("te", time)
        .with("pps", points)
        .with_list("ftbl", frames)
        .write(out)
}

fn sums(amounts: &Amounts, has_lives: bool) -> Sums {
    // Blocks from before the iteration are below zero where it frees them, and no stack of the
    // iteration made them.
    let sum = |metric: Metric| u128::try_from(amounts.of(metric)).unwrap_or_default();
    let kept = |metric| if has_lives { sum(metric) } else { 0 };
    [
        sum(Metric::Bytes),
        // dhat-rs too counts each reallocation as a block.
        sum(Metric::AllocCalls),
        kept(Metric::PeakBytes),
        kept(Metric::NetBytes),
        kept(Metric::NetBlocks),
    ]
}

fn point(frames: Vec<usize>, sums: Sums, has_lives: bool) -> Object {
    let [total_bytes, total_blocks, peak_bytes, end_bytes, end_blocks] = sums.map(integer);
    let point = Object::default()
        .with("tb", total_bytes)
        .with("tbk", total_blocks);
    let point = if has_lives {
        point
            // A block that is freed in its iteration lives for 0 iterations.
            .with("tl", 0_u32)
            // The maximum of a stack is not recorded: it is this at least.
            .with("mb", peak_bytes.max(end_bytes))
            .with("mbk", end_blocks)
            .with("gb", peak_bytes)
            // The number of blocks at the peak is not recorded, and readers expect a number.
            .with("gbk", 0_u32)
            .with("eb", end_bytes)
            .with("ebk", end_blocks)
    } else {
        point
    };
    point.with_list("fs", frames)
}

fn integer(value: u128) -> i128 {
    i128::try_from(value).unwrap_or(i128::MAX)
}

/// `codec::encode (src/encode.rs:53:21)`.
fn shown(frame: &Frame) -> String {
    let function = one_line(&frame.function);
    match frame.file {
        Some(_) => format!("{function} ({})", one_line(&place(frame))),
        None => function,
    }
}
