//! Ten thousand threads, 64 at a time: no count is lost, and the memory of the counter
//! does not grow with the number of threads.
//!
//! The oracle is the allocator below the counter. It keeps the same tally in atomics
//! that all threads share, and also sees the counter's own allocations: the difference
//! of the two tallies.
//!
//! `COUNTING_ALLOC_THREADS=N` sets another number of threads, for tools under which
//! they run slowly. `COUNTING_ALLOC_RESIDENT=ignored` skips physical memory, for tools
//! and allocators that keep memory for allocations or for ended threads.
#![expect(unsafe_code, reason = "the oracle implements GlobalAlloc")]

use std::alloc::{GlobalAlloc, Layout};
use std::collections::VecDeque;
use std::env;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use counting_alloc::{CountingAlloc, Tally, process_tally};
use libtest_mimic::{Failed, Trial};
use own_process::inner::{Around, INNER, Inner, around};

#[global_allocator]
static ALLOC: Around<CountingAlloc<Oracle>> = around(CountingAlloc::new(Oracle(INNER)));

fn main() -> ExitCode {
    let threads = match env::var("COUNTING_ALLOC_THREADS") {
        Ok(text) => text
            .parse()
            .expect("COUNTING_ALLOC_THREADS is a number of threads"),
        Err(_) => 10_000,
    };
    let name = "threads_that_come_and_go_lose_no_count_and_leave_memory_flat";
    own_process::run(vec![Trial::test(name, move || churn(threads))])
}

/// The threads that live at a time.
const AT_A_TIME: usize = 64;

/// The blocks of `SIZE` bytes that each thread allocates.
const BLOCKS: u64 = 5;

/// A size that is not requested elsewhere.
const SIZE: usize = 4_001;

fn churn(threads: usize) -> Result<(), Failed> {
    // std allocates once for the first thread of a process: on musl its map of threads,
    // which elsewhere has the main thread already.
    start_and_join(1);
    let (counted, seen, of_size) = (process_tally(), seen(), OF_SIZE.load(Relaxed));
    start_and_join(threads / 5);
    let early = Memory::now();
    start_and_join(threads - threads / 5);
    let late = Memory::now();

    let of_size = OF_SIZE.load(Relaxed) - of_size;
    let known = threads as u64 * BLOCKS;
    assert_eq!(of_size, known, "blocks of {SIZE} bytes below the counter");

    let counted = process_tally() - counted;
    let seen = self::seen() - seen;
    let own = seen - counted;
    let expected = Tally::ZERO.with_blocks(own.allocs, own.bytes);
    // The counter allocates blocks and frees none, so no other field may differ. A lost
    // or invented allocation would show in one of them.
    assert_eq!(own, expected, "seen {seen}\ncounted {counted}");
    assert_eq!(counted.net_bytes(), 0, "{counted}");

    // One block for each live thread and for this one, and a few for threads that
    // looked for a released block just before there was one.
    assert!(late.own_blocks <= AT_A_TIME as u64 + 8, "{late:?}");
    let looked_at = env::var_os("COUNTING_ALLOC_RESIDENT").is_none_or(|how| how != "ignored");
    if let (true, Some(early), Some(late)) = (looked_at, early.resident, late.resident) {
        // 8,000 threads with 128 bytes each would leave this much.
        let grown = late.saturating_sub(early);
        assert!(grown <= 1 << 20, "resident memory grew by {grown} bytes");
    }
    Ok(())
}

fn start_and_join(threads: usize) {
    let mut alive = VecDeque::with_capacity(AT_A_TIME);
    for _ in 0..threads {
        if alive.len() == AT_A_TIME {
            join(alive.pop_front());
        }
        alive.push_back(thread::spawn(work));
    }
    while !alive.is_empty() {
        join(alive.pop_front());
    }
}

fn join(thread: Option<thread::JoinHandle<()>>) {
    let thread = thread.expect("there is one");
    thread.join().expect("it works");
}

/// Allocates the fifth block while the thread is torn down.
fn work() {
    LATE.with(|_| ());
    for _ in 1..BLOCKS {
        let mut block = black_box(Vec::<u8>::with_capacity(SIZE));
        block.reserve_exact(2 * SIZE);
        block.shrink_to(SIZE);
        drop(black_box(block));
    }
}

struct Late;

impl Drop for Late {
    fn drop(&mut self) {
        drop(black_box(Vec::<u8>::with_capacity(SIZE)));
    }
}

thread_local!(static LATE: Late = const { Late });

/// The memory that is kept while only this thread runs.
#[derive(Debug)]
struct Memory {
    /// Allocations below the counter that the counter did not count, since the process
    /// began: the counter's own.
    own_blocks: u64,
    /// Bytes of the process in physical memory, if the system tells.
    resident: Option<u64>,
}

impl Memory {
    fn now() -> Self {
        let own = seen() - process_tally();
        Self {
            own_blocks: own.allocs,
            resident: resident(),
        }
    }
}

#[cfg(target_os = "linux")]
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(not(target_os = "linux"))]
fn resident() -> Option<u64> {
    None
}

/// Counts the calls that reach the allocator below.
struct Oracle(Inner);

static SEEN: [AtomicU64; 9] = [const { AtomicU64::new(0) }; 9];
static OF_SIZE: AtomicU64 = AtomicU64::new(0);

fn seen() -> Tally {
    let number = |index: usize| SEEN[index].load(Relaxed);
    Tally::ZERO
        .with_blocks(number(0), number(1))
        .with_deallocs(number(2), number(3))
        .with_grows(number(4), number(5))
        .with_shrinks(number(6), number(7))
        .with_failed(number(8))
}

fn saw(field: usize, bytes: usize) {
    SEEN[field].fetch_add(1, Relaxed);
    SEEN[field + 1].fetch_add(bytes as u64, Relaxed);
}

fn saw_alloc(block: *mut u8, size: usize) {
    if block.is_null() {
        SEEN[8].fetch_add(1, Relaxed);
        return;
    }
    saw(0, size);
    if size == SIZE {
        OF_SIZE.fetch_add(1, Relaxed);
    }
}

// SAFETY: every call goes to `Inner` with the same arguments.
unsafe impl GlobalAlloc for Oracle {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let block = unsafe { self.0.alloc(layout) };
        saw_alloc(block, layout.size());
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let block = unsafe { self.0.alloc_zeroed(layout) };
        saw_alloc(block, layout.size());
        block
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let moved = unsafe { self.0.realloc(block, layout, new_size) };
        if moved.is_null() {
            SEEN[8].fetch_add(1, Relaxed);
        } else if new_size > layout.size() {
            saw(4, new_size - layout.size());
        } else {
            saw(6, layout.size() - new_size);
        }
        moved
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.dealloc(block, layout) };
        saw(2, layout.size());
    }
}
