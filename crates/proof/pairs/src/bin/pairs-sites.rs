//! Pairs of allocations with counting-alloc at a depth of calls, in a window that captures
//! their stacks: `pairs-sites MODE FRAMES NUMBER`. A mode is `thread-peak` or `sites`. The
//! frames are the return addresses of each stack, including counting-alloc's own.
//!
//! `pairs-sites MODE recursion DEPTH NUMBER` measures that number of windows, each with a
//! recursion that allocates on the way in and frees on the way out.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use counting_alloc::{CountingAlloc, Window};
use proof_pairs::pairs::{self, Pair};

#[global_allocator]
static ALLOCATOR: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [mode, frames, number] = match words[..] {
        [mode, "recursion", depth, number] => return recursion(mode, depth, number),
        [mode, frames, number] => [mode, frames, number],
        _ => return ExitCode::from(2),
    };
    let (Ok(frames), Ok(number)) = (frames.parse::<usize>(), number.parse()) else {
        return ExitCode::from(2);
    };
    // The deepest stack of a single pair, without further calls.
    let Some(fewest) = measure(mode, || below(0, 1)) else {
        return ExitCode::from(2);
    };
    let Some(depth) = frames.checked_sub(fewest) else {
        return ExitCode::from(3);
    };
    match measure(mode, || below(depth, number)) {
        Some(deepest) if fewest > 0 && deepest != frames => ExitCode::from(4),
        _ => ExitCode::SUCCESS,
    }
}

fn recursion(mode: &str, depth: &str, number: &str) -> ExitCode {
    let (Ok(depth), Ok(number)) = (depth.parse(), number.parse()) else {
        return ExitCode::from(2);
    };
    let all = (0..number).all(|_| measure(mode, || nested(depth)).is_some());
    ExitCode::from(if all { 0 } else { 2 })
}

/// Measures `work` in a window of the mode; `None` for another mode. Returns the number of frames
/// of the deepest stack, if stacks are captured.
fn measure(mode: &str, work: impl FnOnce()) -> Option<usize> {
    let window = Window::thread().with_peak();
    match mode {
        "thread-peak" => window.measure(work).ok().map(|_| 0),
        "sites" => {
            let (_, sites) = window.measure_sites(work).ok()?;
            let stacks = sites.rows.iter().filter_map(|row| row.stack.as_deref());
            stacks.map(<[usize]>::len).max()
        }
        _ => None,
    }
}

#[inline(never)]
fn nested(depth: usize) {
    let block = black_box(Box::new([0_u64; 8]));
    if depth > 1 {
        nested(black_box(depth - 1));
    }
    drop(block);
}

#[inline(never)]
fn below(depth: usize, number: u64) {
    if depth == 0 {
        pairs::repeat(Pair::Alloc, number);
    } else {
        below(black_box(depth - 1), number);
    }
    // So that no call is the last one, which would have no frame.
    black_box(depth);
}
