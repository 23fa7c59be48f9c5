//! How far stacks are unwound, and where there is no room for more.

use std::hint::black_box;
use std::thread;

use counting_alloc::Sites;

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

/// Opens a window below `depth` calls, in which one block is made below four.
#[inline(never)]
fn opened_below(depth: u32) -> Sites {
    let sites = if depth > 0 {
        opened_below(depth - 1)
    } else {
        measure(|| walk(5, 4)).1
    };
    black_box(sites)
}

pub(crate) fn a_stack_ends_where_the_window_was_opened() {
    let stack = |depth| row(&opened_below(depth), 24).stack.expect("it is known");
    let (shallow, deep) = (stack(black_box(0)), stack(black_box(40)));
    assert_eq!(shallow, deep);
    // The four calls, the one with the window, and few others: the thread is further out.
    assert!((5..26).contains(&deep.len()), "{deep:?}");
}

pub(crate) fn stacks_beyond_the_capacity_are_the_rest() {
    let rest = |counts: &Sites| {
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
    let (_, sites) = measure(|| {
        for _ in 0..10 {
            walk(5, 2_000);
        }
    });
    let row = row(&sites, 240);
    let stack = row.stack.expect("it has a stack");
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

/// Runs `f` on this memory, as a coroutine does.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn on_another_stack(memory: &mut [u64; 1 << 15], f: extern "C" fn()) {
    use std::arch::asm;

    // Zeros behind the beginning of the stack end the chain of frames.
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
}

#[cfg(target_arch = "x86_64")]
pub(crate) fn another_stack_is_unwound() {
    extern "C" fn allocate() {
        for _ in 0..3 {
            drop(bytes(55));
        }
    }

    // One stack is below the frame that opens the window, and one above it.
    let mut below = Box::new([0; 1 << 15]);
    let mut above = [0; 1 << 15];
    let (_, counts) = measure(|| {
        drop(bytes(54));
        for memory in [&mut *below, &mut above] {
            on_another_stack(memory, allocate);
        }
    });
    // Frame pointers, which all functions of macOS have, lead back to the stack of the thread.
    if cfg!(target_os = "macos") {
        return;
    }
    // Both calls are one stack, whose frames begin on the other memory.
    let row = row(&counts, 6 * 55);
    assert_eq!(row.tally.allocs, 6);
    let inner = row.stack.expect("it has a stack");
    let outer = super::row(&counts, 54).stack.expect("it has a stack");
    let [inner, outer] = [&inner, &outer].map(|stack| stack.split_last().expect("not empty"));
    assert!(inner.1.len() > 1, "it was not unwound");
    assert_ne!(inner.0, outer.0);
}
