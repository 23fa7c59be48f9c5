//! The recorder of the traces that the workload `replay` replays, and that the committed
//! ones are what they say.
//!
//! ```sh
//! ALLOCATOR_LAB_RECORD=1 cargo test --release -p allocator-lab --features record --test traces
//! ```
//!
//! records them anew and replaces the files. They need not be recorded when the programs
//! change: a trace is a workload, and figures of another trace can't be compared.
//!
//! [`Recorder`] stands around `CountingAlloc` as the global allocator, and keeps the calls of
//! the recording thread with their addresses. `CountingAlloc` counts the same calls, and its
//! counts stand in the head of the file.

#![expect(unsafe_code, reason = "the recorder is a global allocator")]
#![expect(clippy::unwrap_used, reason = "a test fails where it can't go on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::process::Command;
use std::sync::Mutex;

use alloc_assert::{CountingAlloc, measure};
use alloc_gate::Config;
use allocator_lab::workload::replay::{Event, Recording, Trace};

#[global_allocator]
static ALLOC: Recorder = Recorder(CountingAlloc::system());

/// The recorded calls, in a list with room for all of them.
static CALLS: Mutex<Vec<Call>> = Mutex::new(Vec::new());

/// More calls than a program makes.
const ROOM: usize = 100_000;

thread_local! {
    static RECORDING: Cell<bool> = const { Cell::new(false) };
}

/// A call of the allocator that succeeded, with the addresses of blocks.
#[derive(Clone, Copy)]
enum Call {
    Alloc(usize, Layout),
    Realloc(usize, usize, usize),
    Dealloc(usize),
}

struct Recorder(CountingAlloc<System>);

/// Keeps a call, if this thread records.
fn keep(call: Call) {
    if RECORDING.try_with(Cell::get).unwrap_or(false) {
        let mut calls = CALLS.lock().unwrap();
        assert!(calls.len() < calls.capacity(), "no room for more calls");
        calls.push(call);
    }
}

// SAFETY: every method passes its arguments to the inner method of the same name and
// returns its result; keeping a call does not allocate.
unsafe impl GlobalAlloc for Recorder {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let block = unsafe { self.0.alloc(layout) };
        keep(Call::Alloc(block.addr(), layout));
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let block = unsafe { self.0.alloc_zeroed(layout) };
        keep(Call::Alloc(block.addr(), layout));
        block
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let before = block.addr();
        // SAFETY: the caller's contract, passed on.
        let after = unsafe { self.0.realloc(block, layout, size) };
        keep(Call::Realloc(before, after.addr(), size));
        after
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        keep(Call::Dealloc(block.addr()));
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.dealloc(block, layout) }
    }
}

/// The text of a trace, and what `CountingAlloc` counted meanwhile.
struct Recorded {
    text: String,
    /// As the head of the file has it.
    counted: String,
}

fn record(program: impl FnOnce()) -> Recorded {
    *CALLS.lock().unwrap() = Vec::with_capacity(ROOM);
    let measured = measure(|| {
        RECORDING.set(true);
        program();
        RECORDING.set(false);
    });
    let mut live = Vec::new();
    let mut text = String::new();
    let calls = std::mem::take(&mut *CALLS.lock().unwrap());
    for call in calls {
        let index_of = |address: usize| {
            let index = live.iter().rposition(|&other| other == address);
            index.expect("the program only gives back what it took")
        };
        match call {
            Call::Alloc(address, layout) => {
                live.push(address);
                writeln!(text, "+{} {}", layout.size(), layout.align()).unwrap();
            }
            Call::Realloc(before, after, size) => {
                let index = index_of(before);
                live[index] = after;
                writeln!(text, "={index} {size}").unwrap();
            }
            Call::Dealloc(address) => {
                let index = index_of(address);
                live.swap_remove(index);
                writeln!(text, "-{index}").unwrap();
            }
        }
    }
    let tally = measured.tally;
    let counted = counts(
        tally.allocs,
        tally.grows + tally.shrinks,
        tally.deallocs,
        measured.peak_bytes.unwrap(),
    );
    Recorded { text, counted }
}

/// The counts as the head of a file has them.
fn counts(allocs: u64, reallocs: u64, deallocs: u64, peak_bytes: u64) -> String {
    format!(
        "# counted: {allocs} allocations, {reallocs} reallocations, {deallocs} deallocations, \
         at most {peak_bytes} bytes live\n"
    )
}

fn counts_of(trace: &Trace) -> String {
    let count = |is: fn(&Event) -> bool| trace.events.iter().filter(|event| is(event)).count();
    counts(
        count(|event| matches!(event, Event::Take { .. })) as u64,
        count(|event| matches!(event, Event::Resize { .. })) as u64,
        count(|event| matches!(event, Event::Give { .. })) as u64,
        trace.peak_bytes,
    )
}

fn record_again(recording: Recording) -> Recorded {
    let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read = |file: &str| fs::read_to_string(format!("{workspace}/{file}")).unwrap();
    match recording {
        Recording::Rules => {
            let text = read("gates.toml");
            record(|| drop(black_box(Config::parse("gates.toml", &text).unwrap())))
        }
        Recording::Json => {
            let text = read("crates/alloc-gate/gates.schema.json");
            record(|| {
                let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                drop(black_box(value));
            })
        }
    }
}

fn write(recording: Recording, recorded: &Recorded) {
    let rustc = Command::new("rustc").arg("--version").output().unwrap();
    let rustc = String::from_utf8(rustc.stdout).unwrap();
    let profile = if cfg!(debug_assertions) {
        "without optimizations"
    } else {
        "optimized"
    };
    let head = format!(
        "# The allocations of `{recording}`, recorded by tests/traces.rs on {} {}, {profile}, by\n\
         # {rustc}{}",
        env::consts::ARCH,
        env::consts::OS,
        recorded.counted
    );
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/workload/replay");
    let path = format!("{folder}/{recording}.trace");
    fs::write(path, format!("{head}{}", recorded.text)).unwrap();
}

#[test]
fn a_recording_has_the_calls_that_counting_alloc_counts() {
    for recording in Recording::ALL {
        let recorded = record_again(recording);
        let trace = Trace::new(&recorded.text);
        assert_eq!(counts_of(&trace), recorded.counted, "{recording}");
        assert!(trace.events.len() > 1_000, "{recording}");
        if env::var_os("ALLOCATOR_LAB_RECORD").is_some() {
            write(recording, &recorded);
        }
    }
}

#[test]
fn the_committed_traces_have_the_counts_of_their_heads() {
    for recording in Recording::ALL {
        let text = recording.text();
        assert!(text.contains(&counts_of(&recording.trace())), "{recording}");
        assert!(text.contains(", optimized, by"), "{recording}");
        assert!(text.len() <= 60_000, "{recording}: {} bytes", text.len());
    }
}
