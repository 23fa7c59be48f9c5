//! [`Calls`]: the counts of the calls that join a window, and how many of the
//! calls are still running.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use crate::counters::{Counters, Flags};
use crate::measured::MeasureError;
use crate::native::platform::counters::NativeCounters;
use crate::native::tally::NativeTally;
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize};
use crate::tally::Tally;

/// The calls that join one window.
#[derive(Debug)]
pub(crate) struct Calls {
    /// Twice the number of running calls of `count`, plus one after the window has
    /// closed.
    calls: AtomicUsize,
    /// The number of calls that returned.
    ended: AtomicU64,
    /// The operations of the calls that returned.
    counted: Counters,
    /// The calls of C code in them.
    native: NativeCounters,
    /// Whether a thread without counters called.
    on_ended_thread: AtomicBool,
}

const CLOSED: usize = 1;
const ONE_CALL: usize = 2;

impl Calls {
    constructor! {
        pub(crate) fn new() -> Self {
            Self {
                calls: AtomicUsize::new(0),
                ended: AtomicU64::new(0),
                counted: Counters::new(Flags::NONE),
                native: NativeCounters::new(),
                on_ended_thread: AtomicBool::new(false),
            }
        }
    }

    /// Begins a call; `false` after the window closed.
    pub(crate) fn enter(&self) -> bool {
        let mut calls = self.calls.load(Relaxed);
        while calls & CLOSED == 0 {
            match self
                .calls
                .compare_exchange_weak(calls, calls + ONE_CALL, Relaxed, Relaxed)
            {
                Ok(_) => return true,
                Err(now) => calls = now,
            }
        }
        false
    }

    /// Ends a call, and adds its counts.
    pub(crate) fn leave(&self, counted: Tally, native: NativeTally) {
        self.counted.add_tally(counted);
        self.native.add_tally(native);
        self.ended.fetch_add(1, Relaxed);
        // Release: a thread that sees the call ended sees its counts.
        self.calls.fetch_sub(ONE_CALL, Release);
    }

    /// Notes that a thread without counters made a running call.
    pub(crate) fn note_ended_thread(&self) {
        self.on_ended_thread.store(true, Release);
    }

    /// Closes the window, and returns the number of calls and their counts.
    pub(crate) fn close(&self) -> Result<(u64, Tally, NativeTally), MeasureError> {
        let running = self.calls.fetch_or(CLOSED, AcqRel) / ONE_CALL;
        if running > 0 {
            return Err(MeasureError::StillCounting { calls: running });
        }
        if self.on_ended_thread.load(Acquire) {
            return Err(MeasureError::ThreadEnded);
        }
        Ok((
            self.ended.load(Relaxed),
            self.counted.read(),
            self.native.read(),
        ))
    }
}
