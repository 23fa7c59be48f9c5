//! [`Measured`]: the result of a window, and [`MeasureError`]: why a window has no
//! result.

use std::error::Error;
use std::fmt;

use crate::first::FirstOperations;
use crate::tally::Tally;

/// The threads whose operations a measurement counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Scope {
    /// The calling thread. The counts are exact whatever other threads do.
    #[default]
    Thread,
    /// All threads. The counts are exact for threads that are joined or otherwise
    /// synchronised with before the window closes. Other threads that run at the
    /// same time are counted too.
    Process,
}

/// What the counter kept while a window was open. The mode decides the cost of an
/// operation and the results of the window. Keeping the first operations costs
/// more in any mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Mode {
    /// Counts and bytes.
    Counting,
    /// Counts, bytes and the peak of the calling thread.
    ThreadPeak,
    /// Counts, bytes and the peak of the process. Each operation of any thread costs
    /// one more locked instruction, and one for each such window when live bytes
    /// rise.
    ProcessPeak,
}

/// The value of a closure, and the allocations while it ran.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
#[must_use = "a measurement that nobody looks at proves nothing"]
pub struct Measured<T> {
    /// The return value of the closure. Dropping it later is not part of the
    /// measurement.
    pub value: T,
    /// The threads whose operations are in `tally`.
    pub scope: Scope,
    /// The number of polls of the future. Zero where no future was measured.
    pub polls: u64,
    /// The number of threads that began inside a window of the process and had not
    /// ended when it closed, although the window waited for them. Their later
    /// operations are missing, so that the counts can be too low. Zero with
    /// [`Scope::Thread`].
    pub still_running: u64,
    /// What was kept while the window was open.
    pub mode: Mode,
    /// The operations between the opening and the closing of the window.
    pub tally: Tally,
    /// The most bytes live at once above the level at which the window opened: of
    /// the calling thread with [`Mode::ThreadPeak`], of all threads with
    /// [`Mode::ProcessPeak`]; `None` where it was not measured.
    pub peak_bytes: Option<u64>,
    /// The operations of other threads meanwhile. With [`Scope::Process`], `tally`
    /// contains them; with [`Scope::Thread`], it does not. In thread scope the
    /// window does not wait for threads that are ending: operations after the implicit
    /// join of [`std::thread::scope`] can be missing, such as the destructors of
    /// thread-locals.
    pub foreign: Tally,
    /// The operations inside [`uncounted`](crate::uncounted()) in the window, which
    /// are in no other field: of the calling thread, or of all threads with
    /// [`Scope::Process`].
    pub uncounted: Tally,
    /// The calling thread's first operations, if the window kept them.
    pub first: Option<FirstOperations>,
}

impl<T> Measured<T> {
    /// The same measurement with another value.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, measure};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() {
    /// let measured = measure(|| String::from("text")).map(|text| text.len());
    /// assert_eq!((measured.value, measured.tally.allocs), (4, 1));
    /// # }
    /// ```
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Measured<U> {
        Measured {
            value: f(self.value),
            scope: self.scope,
            polls: self.polls,
            still_running: self.still_running,
            mode: self.mode,
            tally: self.tally,
            peak_bytes: self.peak_bytes,
            foreign: self.foreign,
            uncounted: self.uncounted,
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
    /// Counting was switched off by [`pause`](crate::pause()) before or during the
    /// window.
    Paused,
    /// The calling thread is being torn down and has no counters any more.
    ThreadEnded,
    /// The window would have opened inside [`uncounted`](crate::uncounted()), where
    /// nothing is counted.
    Uncounted,
    /// A window with call stacks can't be measured on this target.
    NoSites,
    /// Another window captures the call stacks of the thread, or of the process, already.
    SitesOpen,
    /// Too many windows keep the process's peak already.
    TooManyPeaks,
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotInstalled => {
                "no allocation was counted: `CountingAlloc` is not the global allocator of this \
                 program. Add to its root:\n    \
                 #[global_allocator]\n    \
                 static ALLOC: counting_alloc::CountingAlloc = \
                 counting_alloc::CountingAlloc::system();\n\
                 If a crate of the program has a `#[global_allocator]`, put the counter around \
                 that one instead: `CountingAlloc::new(...)`"
            }
            Self::Paused => "counting was paused while the measurement ran",
            Self::ThreadEnded => {
                "the thread is exiting, and its allocations are no longer counted by thread"
            }
            Self::Uncounted => "nothing is counted inside `uncounted`; measure outside it",
            Self::NoSites => {
                "call stacks can't be captured on this target; they can on x86-64 and aarch64 \
                 Linux and macOS, and on x86-64 Windows"
            }
            Self::SitesOpen => {
                "another measurement captures call stacks already; at most one can on a thread, \
                 and one in the process"
            }
            Self::TooManyPeaks => {
                "too many measurements of the process's peak are open at once; at most \
                 16 are supported"
            }
        })
    }
}

impl Error for MeasureError {}
