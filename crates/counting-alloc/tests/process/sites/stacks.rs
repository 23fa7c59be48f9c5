//! The recognition of stacks: by memos, by unwinding, and not at all.

use std::hint::black_box;
use std::thread;

use counting_alloc::{SiteCounts, Sites, Window};

use super::{bytes, measure, of_bytes, row};

/// Calls itself at one of two places, by the bits of `path`, and allocates at the end.
#[inline(never)]
fn walk(path: u64, depth: u32) -> usize {
    if depth == 0 {
        return bytes(24).len();
    }
    // The frame is used after the call, so that it is no tail call.
    let below = if black_box(path & 1) == 0 {
        walk(path >> 1, depth - 1)
    } else {
        walk(path >> 1, depth - 1) + 1
    };
    black_box(below)
}

/// Allocates on the way in and out of a recursion, which is deeper than the frames of a stack,
/// and goes in again at some levels.
#[inline(never)]
fn nest(depth: usize) {
    let block = bytes(40);
    if depth > 0 {
        nest(depth - 1);
    }
    if depth % 100 == 99 {
        walk(depth as u64, 70);
    }
    drop(black_box(block));
}

/// The same innermost frames at many depths, and many stacks at the same depth.
fn wander() {
    let mut state = 7_u64;
    for _ in 0..3_000 {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        black_box(walk(state >> 40 & 7, (state >> 50) as u32 % 12));
        let mut grown = bytes((state >> 58) as usize);
        grown.extend_from_slice(&[1, 2]);
    }
}

pub(crate) fn recognised_stacks_are_the_unwound_ones() {
    let mut results = Vec::new();
    for mut sites in [Sites::new(), Sites::checked()] {
        let window = Window::thread().with_sites(&mut sites);
        let measured = window.measure(|| {
            wander();
            nest(30);
            nest(700);
        });
        let measured = measured.expect("it is measured");
        assert_eq!(sites.counts().tally(), measured.tally);
        assert_eq!(sites.mismatches(), 0);
        results.push((sites.stacks().to_vec(), sites.take_counts()));
    }
    assert!(results[0].0.len() > 50, "{}", results[0].0.len());
    assert_eq!(results[0], results[1]);
}

pub(crate) fn stacks_beyond_the_capacity_are_the_rest() {
    let rest = |counts: &SiteCounts| {
        let rest = counts.rows.iter().find(|row| row.stack.is_none());
        rest.map_or(0, |row| row.tally.allocs + row.tally.deallocs)
    };
    let paths = (1 << 13) + 100;
    let (measured, counts) = measure(|| {
        for path in 0..paths {
            black_box(walk(path, 14));
        }
    });
    // Each path has a stack that allocates and one that frees: 200 more than fit.
    assert_eq!(measured.tally.allocs, paths);
    assert!(rest(&counts) >= 200, "{}", rest(&counts));
    assert_eq!(counts.rows.len() as u64 - 1 + rest(&counts), 2 * paths);
    // The next window begins again.
    let (_, counts) = measure(|| drop(bytes(33)));
    assert_eq!(rest(&counts), 0);
    assert_eq!(row(&counts, 33).tally.allocs, 1);
}

pub(crate) fn a_deep_stack_keeps_its_innermost_frames() {
    let mut sites = Sites::new();
    let window = Window::thread().with_sites(&mut sites);
    let measured = window.measure(|| {
        for _ in 0..10 {
            walk(5, 2_000);
        }
    });
    let tally = measured.expect("it is measured").tally;
    assert_eq!(sites.counts().tally(), tally);
    let row = row(sites.counts(), 240);
    let stack = &sites.stacks()[row.stack.expect("it has a stack")];
    assert_eq!((stack.len(), row.tally.allocs), (512, 10));
}

pub(crate) fn a_thread_after_another_has_its_own_stacks() {
    // The second thread gets the block of the first, and often the same stack.
    for size in [90, 91] {
        let (_, counts) = thread::spawn(move || measure(|| drop(bytes(size))))
            .join()
            .expect("it ends");
        assert_eq!(row(&counts, size as u64).tally.allocs, 1);
        assert_eq!(of_bytes(&counts, 181 - size as u64), []);
    }
}

/// Runs `f` on other memory, as a coroutine does.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn on_another_stack(f: extern "C" fn()) {
    use std::arch::asm;

    // Zeros behind the beginning of the stack end the chain of frames.
    let mut memory = vec![0_u64; 1 << 15];
    let top = (&raw mut memory[1 << 14]).map_addr(|address| address & !63);
    // SAFETY: it calls a function that does not unwind, on a stack with space, and then
    // restores the stack pointer from a register that calls preserve.
    unsafe {
        asm!(
            "mov r12, rsp",
            "mov rsp, {top}",
            "call {f}",
            "mov rsp, r12",
            top = in(reg) top,
            f = in(reg) f,
            out("r12") _,
            clobber_abi("C"),
        );
    }
    drop(memory);
}

#[cfg(target_arch = "x86_64")]
pub(crate) fn another_stack_is_unwound() {
    extern "C" fn allocate() {
        for _ in 0..3 {
            drop(bytes(55));
        }
    }

    let mut sites = Sites::checked();
    let window = Window::thread().with_sites(&mut sites);
    let measured = window.measure(|| {
        drop(bytes(54));
        on_another_stack(allocate);
        drop(bytes(56));
        on_another_stack(allocate);
    });
    let tally = measured.expect("it is measured").tally;
    let counts = sites.take_counts();
    assert_eq!((counts.tally(), sites.mismatches()), (tally, 0));
    // Frame pointers, which all functions of macOS have, lead back to the stack of the thread.
    if cfg!(target_os = "macos") {
        return;
    }
    // Both calls are one stack, whose frames begin on the other memory.
    let row = row(&counts, 6 * 55);
    assert_eq!(row.tally.allocs, 6);
    let outer = super::row(&counts, 54).stack.expect("it has a stack");
    let inner = row.stack.expect("it has a stack");
    let stacks = sites.stacks();
    assert!(stacks[inner].len() < stacks[outer].len(), "{stacks:?}");
}
