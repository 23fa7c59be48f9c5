//! [`LINES`]: five lines of Rust that counters disagree about.

use std::hint::black_box;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread;

/// A line of Rust.
#[derive(Debug)]
pub struct Line {
    /// Its text in the table.
    pub code: &'static str,
    /// Makes the vector that the line works on.
    pub prepare: fn() -> Vec<u8>,
    /// Runs the line.
    pub run: fn(&mut Vec<u8>),
}

/// 2^58 bytes on 64-bit targets: more than any of their processors can address, but
/// small enough that a counter that counts refused requests as live memory does not
/// overflow after a dozen of them.
pub const TOO_MUCH: usize = (isize::MAX as usize >> 5) + 1;

/// The lines in their order; each continues with the vector of the one before.
pub const LINES: [Line; 5] = [
    Line {
        code: "let mut v = vec![0_u8; 64];",
        prepare: Vec::new,
        run: |v| *v = black_box(vec![0_u8; black_box(64)]),
    },
    Line {
        code: "v.reserve_exact(64);",
        prepare: || vec![0_u8; 64],
        run: |v| black_box(v).reserve_exact(black_box(64)),
    },
    Line {
        code: "v.truncate(16); v.shrink_to_fit();",
        prepare: || {
            let mut v = Vec::with_capacity(128);
            v.resize(64, 0);
            v
        },
        run: |v| {
            v.truncate(16);
            black_box(v).shrink_to_fit();
        },
    },
    Line {
        code: "on_worker(|| drop(Vec::<u8>::with_capacity(1_000)));",
        prepare: || {
            Worker::start();
            vec![0_u8; 16]
        },
        run: |_| Worker::work(),
    },
    Line {
        code: "assert!(v.try_reserve_exact((1 << 58) - 16).is_err());",
        prepare: || vec![0_u8; 16],
        run: |v| assert!(black_box(v).try_reserve_exact(TOO_MUCH - 16).is_err()),
    },
];

/// A thread that is started before the line is counted, and that is told to work
/// without an allocation.
struct Worker {
    requested: AtomicU32,
    done: AtomicU32,
}

static STARTED: OnceLock<()> = OnceLock::new();
static WORKER: Worker = Worker {
    requested: AtomicU32::new(0),
    done: AtomicU32::new(0),
};

impl Worker {
    fn start() {
        STARTED.get_or_init(|| {
            thread::spawn(|| {
                loop {
                    let done = WORKER.done.load(Acquire);
                    if WORKER.requested.load(Acquire) != done {
                        drop(black_box(Vec::<u8>::with_capacity(1_000)));
                        WORKER.done.store(done + 1, Release);
                    }
                    thread::yield_now();
                }
            });
        });
    }

    /// Lets the worker do its work once, and waits until it is done.
    fn work() {
        let request = WORKER.requested.load(Acquire) + 1;
        WORKER.requested.store(request, Release);
        while WORKER.done.load(Acquire) != request {
            thread::yield_now();
        }
    }
}
