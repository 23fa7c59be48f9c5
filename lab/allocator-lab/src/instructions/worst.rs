//! The worst single call: the instructions of each call of a load, of which the most count. A program
//! that must answer in time asks for it; a time would be that of an interrupt.

use std::alloc::Layout;
use std::env;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::process::{self, Command};

use alloc_scenario::{Suite, Unit};

use super::{COUNTED, Loop, Run, callgrind_with};
use crate::mt19937::Mt19937;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;

/// The subjects that need no operating system, and two to compare them with. callgrind writes a
/// file for each call, which takes seconds for each subject.
const SUBJECTS: [&str; 7] = [
    "floor",
    "system",
    "talc-claim",
    "dlmalloc",
    "rlsf",
    "buddy",
    "linked-list",
];

/// Live blocks, and how often a random one of them is replaced.
const BLOCKS: usize = 256;
const REPLACED: usize = 1_000;

/// The seed of the load.
const SEED: u32 = 42;

/// The kinds of calls: a metric, and the function whose instructions are counted.
const KINDS: [(&str, &str); 2] = [
    ("take-instructions", "counted_take"),
    ("give-instructions", "counted_give"),
];

/// Adds the scenario of a subject.
pub(super) fn scenario(suite: &mut Suite<'static>, subject: &str, missing: Option<String>) {
    if !SUBJECTS.contains(&subject) {
        return;
    }
    let name = subject.to_owned();
    suite.scenario_with("worst-call", |b| {
        let b = b
            .axis("subject", [name.clone()])
            .warm_up(0)
            .iterations(1)
            .untimed();
        if let Some(reason) = missing {
            return b.unavailable(reason);
        }
        let worst = b.setup(move |_| {
            KINDS.map(|(_, function)| {
                worst_of(&name, function).unwrap_or_else(|error| panic!("{error}"))
            })
        });
        let [take, give] = KINDS.map(|(metric, _)| metric);
        worst
            .run(|worst| *worst)
            .metric(take, Unit::Count, |&[take, _]| take as i64)
            .metric(give, Unit::Count, |&[_, give]| give as i64)
            .into()
    });
}

/// The most instructions of a call of a function, in a process of the subject.
fn worst_of(subject: &str, function: &str) -> io::Result<u64> {
    let name = format!("allocator-lab-calls.{}.{subject}", process::id());
    let folder = env::temp_dir().join(name);
    fs::create_dir_all(&folder)?;
    let worst = worst_in(&folder, subject, function);
    // The folder is a temporary one: a failure to remove it changes no result.
    let _ = fs::remove_dir_all(&folder);
    worst
}

/// callgrind begins to count where the function begins, and writes a file where it ends.
fn worst_in(folder: &Path, subject: &str, function: &str) -> io::Result<u64> {
    let run = Run {
        subject: subject.to_owned(),
        in_loop: Loop::Single,
        calls: 1,
    };
    let options = [
        format!("--callgrind-out-file={}", folder.join("calls").display()),
        format!("--zero-before=*::{function}"),
        format!("--dump-after=*::{function}"),
    ];
    let mut program = Command::new(env::current_exe()?);
    let _ = callgrind_with(&options, program.env(COUNTED, run.words()))?;
    let mut worst = None;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        // That of the end of the process has no number.
        if path.extension().is_some() {
            let text = fs::read_to_string(path)?;
            worst = worst.max(instructions(&text));
        }
    }
    worst.ok_or_else(|| io::Error::other(format!("callgrind counted no call of {function}")))
}

/// The sum of a file of callgrind.
fn instructions(text: &str) -> Option<u64> {
    let sum = text
        .lines()
        .find_map(|line| line.strip_prefix("totals: "))?;
    sum.trim().parse().ok()
}

/// Makes the calls: blocks of 16 to 1,024 bytes are taken, random ones replaced, and all given back.
pub(super) fn calls<S: Subject>(subject: S) {
    let mut random = Mt19937::new(SEED);
    let mut next = || layout(random.draw_in(16..=1_024) as usize, ALIGN);
    let take = |layout: Layout| {
        let block = counted_take(&subject, layout);
        assert!(!block.is_null() || !S::HAS_MEMORY, "{layout:?} is refused");
        (block, layout)
    };
    let mut live: Vec<(*mut u8, Layout)> = (0..BLOCKS).map(|_| take(next())).collect();
    let mut chosen = Mt19937::new(SEED);
    for _ in 0..REPLACED {
        let place = chosen.draw_below(BLOCKS as u32) as usize;
        let (block, layout) = live[place];
        // SAFETY: the block is live, with this layout.
        unsafe { counted_give(&subject, block, layout) };
        live[place] = take(next());
    }
    for (block, layout) in live {
        // SAFETY: as above.
        unsafe { counted_give(&subject, block, layout) };
    }
}

#[inline(never)]
fn counted_take<S: Subject>(subject: &S, layout: Layout) -> *mut u8 {
    black_box(subject.take(layout))
}

/// # Safety
///
/// As of [`Subject::give`].
#[inline(never)]
unsafe fn counted_give<S: Subject>(subject: &S, block: *mut u8, layout: Layout) {
    // SAFETY: the caller's contract, passed on.
    unsafe { subject.give(block, layout) };
    // So that the call above stays a call, and is no jump to the allocator.
    black_box(());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_a_file_is_read() {
        let text = "version: 1\nevents: Ir\n\nfn=counted_take\n0 12\n\ntotals: 47\n";
        assert_eq!(instructions(text), Some(47));
        assert_eq!(instructions("events: Ir\n"), None);
    }
}
