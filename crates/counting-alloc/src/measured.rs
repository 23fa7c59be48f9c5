//! [`Measured`]: what a window yields, and [`MeasureError`], why it yields
//! nothing. Plain data; how it comes about is not known here.

use core::error::Error;
use core::fmt;

use crate::first::FirstOperations;
use crate::native::tally::NativeTally;
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

/// What the counter kept while a window was open, which decides what the window
/// costs and what it can tell. Keeping the first operations costs more in any mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Counts and bytes alone.
    Counting,
    /// And the peak of the calling thread.
    ThreadPeak,
    /// And the peak of the process: a locked instruction more for each operation
    /// of any thread, and one for each such window when live bytes rise.
    ProcessPeak,
}

/// What a closure returned, and what was allocated while it ran.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
#[must_use = "a measurement that nobody looks at proves nothing"]
pub struct Measured<T> {
    /// What the closure returned. If it is dropped later, that is outside of
    /// the measurement.
    pub value: T,
    /// Whose operations `tally` is of.
    pub scope: Scope,
    /// The calls of [`ScopeToken::count`](crate::ScopeToken::count) that other
    /// threads made, whose operations are in `tally` as well. Zero without a
    /// token.
    pub joined: u64,
    /// What was kept while the window was open.
    pub mode: Mode,
    /// What was done between the opening and the closing of the window.
    pub tally: Tally,
    /// The most bytes live at once above the level at which the window opened:
    /// by the calling thread's operations with [`Mode::ThreadPeak`], by all
    /// threads' with [`Mode::ProcessPeak`]; `None` where it was not measured.
    pub peak_bytes: Option<u64>,
    /// What threads other than the caller did in the meantime: not in `tally`
    /// with [`Scope::Thread`], where what they joined with is not in here; part
    /// of it with [`Scope::Process`].
    pub foreign: Tally,
    /// What was done in the window inside of [`uncounted`](crate::uncounted()):
    /// in no other field. By the calling thread, or by all with
    /// [`Scope::Process`].
    pub uncounted: Tally,
    /// What C code took from `malloc` by itself, in the window's scope and
    /// outside of [`uncounted`](crate::uncounted()); with what other threads
    /// joined with. `None` where it was not measured; see
    /// [`process_native_tally`](crate::process_native_tally).
    pub native: Option<NativeTally>,
    /// The calling thread's first operations, where the window kept them.
    pub first: Option<FirstOperations>,
}

impl<T> Measured<T> {
    /// The same measurement with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Measured<U> {
        Measured {
            value: f(self.value),
            scope: self.scope,
            joined: self.joined,
            mode: self.mode,
            tally: self.tally,
            peak_bytes: self.peak_bytes,
            foreign: self.foreign,
            uncounted: self.uncounted,
            native: self.native,
            first: self.first,
        }
    }
}

/// Why a closure could not be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeasureError {
    /// Allocations don't pass through a `CountingAlloc`.
    NotInstalled,
    /// Counting was switched off by [`pause`](crate::pause()) during the window
    /// or before it.
    Paused,
    /// The calling thread is being torn down and has no counters any more.
    ThreadEnded,
    /// The window would have opened inside of
    /// [`uncounted`](crate::uncounted()), where nothing is counted.
    Uncounted,
    /// A window of the calling thread, or of another kind that has to tell
    /// threads apart, in a build without the feature `std`.
    NoThreads,
    /// More windows that keep the process's peak are open than there can be.
    TooManyPeaks,
    /// A thread was still inside of
    /// [`ScopeToken::count`](crate::ScopeToken::count) when the window closed.
    StillCounting {
        /// The calls of `count` that had not returned.
        calls: usize,
    },
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            #[cfg(feature = "std")]
            Self::NotInstalled => {
                "no allocation was counted: `CountingAlloc` is not the global allocator of this \
                 program. Add to its root:\n    \
                 #[global_allocator]\n    \
                 static ALLOC: counting_alloc::CountingAlloc = \
                 counting_alloc::CountingAlloc::system();"
            }
            #[cfg(not(feature = "std"))]
            Self::NotInstalled => {
                "no allocation was counted: `CountingAlloc` is not the global allocator of this \
                 program. Add to its root, with the allocator that it has now in place of `A`:\n    \
                 #[global_allocator]\n    \
                 static ALLOC: counting_alloc::CountingAlloc<A> = \
                 counting_alloc::CountingAlloc::new(A);"
            }
            Self::Paused => "counting was paused while the measurement ran",
            Self::ThreadEnded => {
                "the thread is being torn down, and what it allocates is no longer tallied by itself"
            }
            Self::Uncounted => {
                "a measurement inside of `uncounted` would be zero whatever is done in it"
            }
            Self::NoThreads => {
                "without its feature `std`, the counter can't tell threads apart; measure in \
                 process scope"
            }
            Self::TooManyPeaks => {
                "too many measurements of the process's peak are open at once; 16 can be"
            }
            Self::StillCounting { calls: 1 } => {
                "the window closed while a call of `ScopeToken::count` was running; join its \
                 thread inside of the window, or wait for a message from it"
            }
            Self::StillCounting { calls } => {
                return write!(
                    f,
                    "the window closed while {calls} calls of `ScopeToken::count` were running; \
                     join their threads inside of the window, or wait for a message from them"
                );
            }
        })
    }
}

impl Error for MeasureError {}
