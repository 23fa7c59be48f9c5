//! Windows: what was counted between two points of one thread. [`measure`]
//! opens one around a closure.

use std::error::Error;
use std::fmt;
use std::mem;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use crate::block::{Block, PeakSpan};
use crate::liveness;
use crate::pause;
use crate::registry::{self, process_tally};
use crate::tally::Tally;

/// Whose operations a measurement is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The calling thread's. Exact whatever other threads do.
    #[default]
    Thread,
    /// All threads'. Exact for threads that are joined or otherwise
    /// synchronised with before the window closes; whatever else runs at the
    /// same time is in it.
    Process,
}

/// What a closure returned, and what was allocated while it ran.
#[derive(Clone, Copy, Debug)]
#[must_use = "a measurement that nobody looks at proves nothing"]
pub struct Measured<T> {
    /// What the closure returned. If it is dropped later, that is outside of
    /// the measurement.
    pub value: T,
    /// Whose operations `tally` is of.
    pub scope: Scope,
    /// What was done between the opening and the closing of the window.
    pub tally: Tally,
    /// The most bytes live at once above the level at which the window opened,
    /// by the calling thread's operations; `None` with [`Scope::Process`],
    /// where it is not measured.
    pub peak_bytes: Option<u64>,
    /// What threads other than the caller did in the meantime. Not part of
    /// `tally` with [`Scope::Thread`], part of it with [`Scope::Process`].
    pub foreign: Tally,
}

impl<T> Measured<T> {
    /// The same measurement with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Measured<U> {
        Measured {
            value: f(self.value),
            scope: self.scope,
            tally: self.tally,
            peak_bytes: self.peak_bytes,
            foreign: self.foreign,
        }
    }
}

/// Why a closure could not be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureError {
    /// Allocations don't pass through a `CountingAlloc`.
    NotInstalled,
    /// Counting was switched off by [`pause`](crate::pause()) during the window
    /// or before it.
    Paused,
    /// The calling thread is being torn down and has no counters any more.
    ThreadEnded,
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotInstalled => {
                "no allocation was counted: `CountingAlloc` is not the global allocator of this \
                 program. Add to its root:\n    \
                 #[global_allocator]\n    \
                 static ALLOC: counting_alloc::CountingAlloc = \
                 counting_alloc::CountingAlloc::system();"
            }
            Self::Paused => "counting was paused while the measurement ran",
            Self::ThreadEnded => {
                "the thread is being torn down, and what it allocates is no longer tallied by itself"
            }
        })
    }
}

impl Error for MeasureError {}

/// Runs `f` and returns what the calling thread allocated meanwhile.
///
/// The number does not depend on what other threads do; it is right under a
/// parallel `cargo test`. Measurements nest: an inner one is part of the outer
/// one. Between the opening and the closing nothing but `f` allocates, so
/// `measure(|| ())` is zero in every field.
///
/// # Panics
///
/// When the closure could not be measured, see [`MeasureError`]: a missing
/// counter must fail the test and not read zero. And when `f` panics; the
/// counters are right afterwards.
#[track_caller]
pub fn measure<T>(f: impl FnOnce() -> T) -> Measured<T> {
    match try_measure(Scope::Thread, f) {
        Ok(measured) => measured,
        Err(error) => panic!("{error}"),
    }
}

/// Runs `f` and returns what was allocated meanwhile in `scope`.
///
/// With [`Scope::Process`], threads that were started inside the window or
/// shortly before it, and may be at their end, are waited for, up to a tenth of
/// a second: the implicit join of [`std::thread::scope`] returns before a
/// thread's last frees. A thread that has not allocated anything yet is not
/// known, and not waited for. Older compilers (1.88 is one) free a scoped
/// thread's handle later still, at a time that nothing tells: there a window
/// waits until a millisecond passes in which nothing comes, and on a loaded
/// machine one deallocation may be missing.
///
/// # Errors
///
/// When there is nothing to count with, before `f` runs; and
/// [`MeasureError::Paused`] also after it, when counting was switched off
/// meanwhile.
pub fn try_measure<T>(scope: Scope, f: impl FnOnce() -> T) -> Result<Measured<T>, MeasureError> {
    let window = Window::open(scope)?;
    let value = f();
    let Closed {
        tally,
        peak_bytes,
        foreign,
    } = window.close()?;
    Ok(Measured {
        value,
        scope,
        tally,
        peak_bytes,
        foreign,
    })
}

/// An open window of the calling thread. Only closures open one, so windows of
/// a thread close in the reverse order of their opening.
struct Window {
    scope: Scope,
    block: &'static Block,
    pauses: usize,
    taken: u64,
    process: Tally,
    thread: Tally,
    peak: PeakSpan<'static>,
}

struct Closed {
    tally: Tally,
    peak_bytes: Option<u64>,
    foreign: Tally,
}

impl Window {
    #[inline]
    fn open(scope: Scope) -> Result<Self, MeasureError> {
        let pauses = pause::uninterrupted().ok_or(MeasureError::Paused)?;
        let block = liveness::counting_block()?;
        if scope == Scope::Process {
            wait_for_ends(SETTLED.load(Relaxed));
        }
        let taken = registry::taken_so_far();
        let process = process_tally();
        let peak = PeakSpan::open(block);
        let thread = block.counted();
        Ok(Self {
            scope,
            block,
            pauses,
            taken,
            process,
            thread,
            peak,
        })
    }

    #[inline]
    fn close(self) -> Result<Closed, MeasureError> {
        // The thread's own counters first: reading them costs nothing that is
        // counted, and waiting for others must not be part of anything.
        let thread = self.block.counted() - self.thread;
        let peak = self.peak.close();
        if self.scope == Scope::Process {
            wait_for_ends(self.taken);
        }
        let process = process_tally() - self.process;
        if pause::uninterrupted() != Some(self.pauses) {
            return Err(MeasureError::Paused);
        }
        let foreign = process - thread;
        Ok(match self.scope {
            Scope::Thread => Closed {
                tally: thread,
                peak_bytes: Some(peak),
                foreign,
            },
            Scope::Process => Closed {
                tally: process,
                peak_bytes: None,
                foreign,
            },
        })
    }
}

/// How long a window waits for threads to end. A thread past its join is at its
/// end within microseconds unless it waits for a core; a pool's workers, which
/// stay, are waited for in vain once.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long nothing may come for threads to be taken as ended.
const LULL: Duration = Duration::from_millis(1);

/// The hand-over up to which threads were waited for, so that an opening window
/// doesn't wait again for those that stayed.
static SETTLED: AtomicU64 = AtomicU64::new(0);

/// Waits until the threads that took up a block after `mark` have handed it on.
#[inline]
fn wait_for_ends(mark: u64) {
    let taken = registry::taken_so_far();
    if taken == mark {
        return;
    }
    let begin = Instant::now();
    while registry::held_since(mark) && begin.elapsed() < PATIENCE {
        thread::yield_now();
    }
    // Where ending threads are known to free something even after that, until
    // nothing more comes.
    let mut late = registry::late_so_far();
    while late > 0 && begin.elapsed() < PATIENCE {
        thread::sleep(LULL);
        let before = mem::replace(&mut late, registry::late_so_far());
        if late == before {
            break;
        }
    }
    SETTLED.fetch_max(taken, Relaxed);
}
