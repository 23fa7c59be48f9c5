//! Pairs of allocations with counting-alloc at a depth of calls, in a window that captures
//! their stacks: `pairs-sites MODE FRAMES NUMBER`. A mode is `thread-peak`, `sites` or
//! `sites-live`. The frames are the return addresses of each stack, those of
//! counting-alloc and of the start of the program included.
//!
//! `pairs-sites MODE recursion DEPTH NUMBER` measures that number of windows, each with a
//! recursion that allocates on the way in and frees on the way out.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use counting_alloc::{CountingAlloc, Sites, Window};
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
    let mut sites = Sites::new();
    if measure(mode, &mut sites, || below(0, 1)).is_none() {
        return ExitCode::from(2);
    }
    let fewest = sites.stacks().iter().map(|stack| stack.len()).max();
    let Some(depth) = frames.checked_sub(fewest.unwrap_or(0)) else {
        return ExitCode::from(3);
    };
    // Once to be known, and then often.
    for number in [1, number] {
        measure(mode, &mut sites, || below(depth, number));
    }
    let deepest = sites.stacks().iter().map(|stack| stack.len()).max();
    match deepest {
        Some(deepest) if deepest != frames => ExitCode::from(4),
        _ => ExitCode::SUCCESS,
    }
}

fn recursion(mode: &str, depth: &str, number: &str) -> ExitCode {
    let (Ok(depth), Ok(number)) = (depth.parse(), number.parse()) else {
        return ExitCode::from(2);
    };
    let mut sites = Sites::new();
    let all = (0..number).all(|_| measure(mode, &mut sites, || nested(depth)).is_some());
    ExitCode::from(if all { 0 } else { 2 })
}

/// Measures `work` in a window of the mode; `None` for another mode.
fn measure(mode: &str, sites: &mut Sites, work: impl FnOnce()) -> Option<()> {
    let window = Window::thread().with_peak();
    let measured = match mode {
        "thread-peak" => window.measure(work),
        "sites" => window.with_sites(sites).measure(work),
        "sites-live" => window.with_sites(sites).with_live_blocks().measure(work),
        _ => return None,
    };
    measured.ok().map(|_| ())
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
