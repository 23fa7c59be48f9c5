//! [`Calls`]: what the calls that join a window have counted, and whether any of
//! them is still running. It knows nothing of threads or of who calls.

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
    /// Twice the calls of `count` that are running, plus one when the window has
    /// closed.
    calls: AtomicUsize,
    /// Calls that returned.
    ended: AtomicU64,
    /// What they have counted.
    counted: Counters,
    /// What C code did in them.
    native: NativeCounters,
    /// Whether a call was made where nothing is counted.
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

    /// Whether a call may begin: not after the window closed.
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

    /// Ends a call, with what it counted.
    pub(crate) fn leave(&self, counted: Tally, native: NativeTally) {
        self.counted.add_tally(counted);
        self.native.add_tally(native);
        self.ended.fetch_add(1, Relaxed);
        // Release: whoever sees the call ended sees what it counted.
        self.calls.fetch_sub(ONE_CALL, Release);
    }

    /// Notes that a running call was made where nothing is counted.
    pub(crate) fn note_ended_thread(&self) {
        self.on_ended_thread.store(true, Release);
    }

    /// Closes the window: the number of calls, and what they counted.
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
