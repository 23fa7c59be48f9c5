//! [`LINES`]: five lines of Rust that counters disagree about, each with what
//! has to be there before it.

use std::hint::black_box;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread;

/// One of the five.
#[derive(Debug)]
pub struct Line {
    /// As the table shows it.
    pub code: &'static str,
    /// The vector as the line finds it.
    pub prepare: fn() -> Vec<u8>,
    /// The line.
    pub run: fn(&mut Vec<u8>),
}

/// 2^58 bytes on 64-bit targets: more than any of their processors can address,
/// and little enough that a counter that takes refused requests for memory in use
/// does not overflow after a dozen of them.
pub const TOO_MUCH: usize = (isize::MAX as usize >> 5) + 1;

/// In their order, each goes on with the vector of the one before.
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
            LazyWorker::start();
            vec![0_u8; 16]
        },
        run: |_| LazyWorker::work(),
    },
    Line {
        code: "assert!(v.try_reserve_exact((1 << 58) - 16).is_err());",
        prepare: || vec![0_u8; 16],
        run: |v| assert!(black_box(v).try_reserve_exact(TOO_MUCH - 16).is_err()),
    },
];

/// A thread that runs already when it gets its work, so that starting it is not
/// counted, and that hears of the work without an allocation.
struct LazyWorker {
    asked: AtomicU32,
    done: AtomicU32,
}

static WORKER: OnceLock<()> = OnceLock::new();
static TURNS: LazyWorker = LazyWorker {
    asked: AtomicU32::new(0),
    done: AtomicU32::new(0),
};

impl LazyWorker {
    fn start() {
        WORKER.get_or_init(|| {
            thread::spawn(|| {
                loop {
                    let done = TURNS.done.load(Acquire);
                    if TURNS.asked.load(Acquire) != done {
                        drop(black_box(Vec::<u8>::with_capacity(1_000)));
                        TURNS.done.store(done + 1, Release);
                    }
                    thread::yield_now();
                }
            });
        });
    }

    /// Has the worker do its work once, and waits for the end of it.
    fn work() {
        let turn = TURNS.asked.load(Acquire) + 1;
        TURNS.asked.store(turn, Release);
        while TURNS.done.load(Acquire) != turn {
            thread::yield_now();
        }
    }
}
