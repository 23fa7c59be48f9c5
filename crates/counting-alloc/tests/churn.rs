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
#![expect(unsafe_code, reason = "the allocator below implements GlobalAlloc")]

#[path = "model/watched.rs"]
mod watched;

use std::collections::VecDeque;
use std::env;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use counting_alloc::{CountingAlloc, Tally, process_tally};
use libtest_mimic::{Failed, Trial};
use own_process::inner::{Around, around};

use watched::{Call, Method, Watch, Watched};

#[global_allocator]
static ALLOC: Around<CountingAlloc<Watched<Oracle>>> = around(CountingAlloc::new(Watched::new()));

fn main() -> ExitCode {
    let threads = own_process::number("COUNTING_ALLOC_THREADS").unwrap_or(10_000) as usize;
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
    let join = |thread: thread::JoinHandle<()>| thread.join().expect("it works");
    let mut alive = VecDeque::with_capacity(AT_A_TIME);
    for _ in 0..threads {
        if alive.len() == AT_A_TIME {
            alive.pop_front().map(join).expect("there is one");
        }
        alive.push_back(thread::spawn(work));
    }
    alive.into_iter().for_each(join);
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
struct Oracle;

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

fn add(field: usize, bytes: usize) {
    SEEN[field].fetch_add(1, Relaxed);
    SEEN[field + 1].fetch_add(bytes as u64, Relaxed);
}

impl Watch for Oracle {
    fn refuses(_: Call) -> bool {
        false
    }

    fn saw(call: Call) {
        let (size, new_size) = (call.layout.size(), call.new_size);
        if call.method != Method::Dealloc && call.result.is_null() {
            SEEN[8].fetch_add(1, Relaxed);
            return;
        }
        match call.method {
            Method::Alloc | Method::AllocZeroed => {
                add(0, size);
                OF_SIZE.fetch_add(u64::from(size == SIZE), Relaxed);
            }
            Method::Realloc if new_size > size => add(4, new_size - size),
            Method::Realloc => add(6, size - new_size),
            Method::Dealloc => add(2, size),
        }
    }
}
