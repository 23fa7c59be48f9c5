//! [`Window`]: counts the operations between two points of a thread. [`measure`]
//! opens a window around a closure.

use crate::first::{FirstOperations, Trace};
use crate::liveness;
use crate::measured::{MeasureError, Measured, Mode, Scope};
use crate::spans::ProcessPeakSpan;
use crate::tally::Tally;
use crate::thread_exit;
use crate::threads::{self, OwnCounters, REGISTRY, Spans};

/// Runs `f` and returns the allocations of the calling thread meanwhile, with its
/// peak and its first operations.
///
/// The counts do not depend on other threads, so they are right under a parallel
/// `cargo test`. Measurements nest: an inner measurement is part of the outer one. Only `f`
/// allocates between the opening and the closing, so `measure(|| ())` is zero in
/// every field.
///
/// ```
/// use counting_alloc::{CountingAlloc, measure};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() {
/// let bytes = |size| std::hint::black_box(vec![1_u8; size]);
/// let outer = measure(|| {
///     let kept = bytes(100);
///     let inner = measure(|| drop(bytes(50)));
///     assert_eq!((inner.tally.allocs, inner.tally.bytes), (1, 50));
///     assert_eq!(inner.peak_bytes, Some(50));
///     kept
/// });
/// assert_eq!((outer.tally.allocs, outer.tally.bytes), (2, 150));
/// assert_eq!((outer.tally.net_bytes(), outer.peak_bytes), (100, Some(150)));
/// # }
/// ```
///
/// # Panics
///
/// When the closure could not be measured, see [`MeasureError`]: a missing counter
/// must fail the test and not read zero. Also when `f` panics; the counters are
/// right afterwards.
#[track_caller]
pub fn measure<T>(f: impl FnOnce() -> T) -> Measured<T> {
    match Window::thread()
        .with_peak()
        .with_first_operations()
        .measure(f)
    {
        Ok(measured) => measured,
        Err(error) => panic!("{error}"),
    }
}

/// Runs `f` and returns the allocations in `scope` meanwhile, with the peak in the
/// scope of the thread.
///
/// It is [`Window::measure`] of [`Window::thread`] with its peak, or of
/// [`Window::process`].
///
/// ```
/// # use counting_alloc::{CountingAlloc, Scope, try_measure};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() -> Result<(), counting_alloc::MeasureError> {
/// let measured = try_measure(Scope::Thread, || vec![0_u8; 100])?;
/// assert_eq!(measured.tally.bytes, 100);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// See [`Window::measure`].
pub fn try_measure<T>(scope: Scope, f: impl FnOnce() -> T) -> Result<Measured<T>, MeasureError> {
    let window = match scope {
        Scope::Thread => Window::thread().with_peak(),
        Scope::Process => Window::process(),
    };
    window.measure(f)
}

/// The operations of all threads since the process started, including threads that
/// ended.
///
/// The tally is exact for everything that happened before the call: in this thread,
/// in threads that were joined, before a message that was received. For threads that
/// run at the same time it contains the operations so far. One of them may be a
/// request that is refused an instant later and then taken back. So the difference
/// of two readings can be negative while other threads run, and subtraction wraps.
/// A [`Window`] in process scope makes such a difference zero. A first window adds two
/// allocations of one byte before it begins, as `thread_tally` says.
///
/// ```
/// # use counting_alloc::{CountingAlloc, process_tally};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let before = process_tally();
/// std::thread::spawn(|| drop(vec![0_u8; 100])).join().unwrap();
/// assert!((process_tally() - before).bytes >= 100);
/// # }
/// ```
#[must_use]
pub fn process_tally() -> Tally {
    REGISTRY.total()
}

/// Which operations a measurement counts, and what it keeps of them.
///
/// ```
/// use counting_alloc::{CountingAlloc, Window};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() -> Result<(), counting_alloc::MeasureError> {
/// let measured = Window::process().with_peak().measure(|| {
///     std::thread::spawn(|| drop(vec![0_u8; 4096])).join()
/// })?;
/// assert!(measured.tally.bytes >= 4096);
/// assert!(measured.peak_bytes >= Some(4096));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "a window opens with one of the `measure` methods"]
pub struct Window {
    scope: Scope,
    peak: bool,
    first: bool,
    /// Whether the stacks of operations are captured.
    sites: bool,
}

impl Window {
    /// A window that counts the calling thread.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, Window};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// let measured = Window::thread().measure(|| vec![0_u8; 100])?;
    /// assert_eq!((measured.tally.allocs, measured.peak_bytes), (1, None));
    /// # Ok(())
    /// # }
    /// ```
    pub const fn thread() -> Self {
        Self::in_scope(Scope::Thread)
    }

    /// A window that counts all threads. In a test of libtest, whose own threads allocate,
    /// it is exact only in a process of the test's own: `alloc_assert::in_fresh_process`.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, Window};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// let measured = Window::process().measure(|| {
    ///     std::thread::spawn(|| drop(vec![0_u8; 100])).join()
    /// })?;
    /// assert!(measured.tally.bytes >= 100);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn process() -> Self {
        Self::in_scope(Scope::Process)
    }

    const fn in_scope(scope: Scope) -> Self {
        Self {
            scope,
            peak: false,
            first: false,
            sites: false,
        }
    }

    /// Also keeps the peak of live bytes: [`Mode::ThreadPeak`], or
    /// [`Mode::ProcessPeak`] for a window of the process. The peak of the process
    /// slows all threads while the window is open.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, Window};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// let measured = Window::thread().with_peak().measure(|| {
    ///     drop(std::hint::black_box(vec![0_u8; 100]));
    ///     drop(std::hint::black_box(vec![0_u8; 50]));
    /// })?;
    /// assert_eq!(measured.peak_bytes, Some(100));
    /// # Ok(())
    /// # }
    /// ```
    pub const fn with_peak(self) -> Self {
        Self { peak: true, ..self }
    }

    /// Also keeps the sizes and the order of the calling thread's first operations.
    /// Each operation costs more while the window is open.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, Operation, Window};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// let measured = Window::thread()
    ///     .with_first_operations()
    ///     .measure(|| Vec::<u8>::with_capacity(100))?;
    /// let first = measured.first.unwrap();
    /// assert_eq!(first.as_slice(), [Operation::Alloc { size: 100 }]);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn with_first_operations(self) -> Self {
        Self {
            first: true,
            ..self
        }
    }

    /// Runs `f` and returns the allocations meanwhile.
    ///
    /// In the scope of the process, the window waits up to a tenth of a second for
    /// threads that were started inside it or shortly before, because the implicit
    /// join of [`std::thread::scope`] returns before a thread's last deallocations.
    /// [`Measured::still_running`] is the number of threads of the window that did not
    /// end in that time; the counts can be too low then. The window does not wait for
    /// a thread that has not allocated yet. Older compilers,
    /// such as 1.88, free the handle of a scoped thread even later, at an unknown
    /// time. With them a window waits until no operation comes for a millisecond,
    /// and on a loaded machine one deallocation may be missing.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, Window};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// let measured = Window::thread().measure(|| String::from("text"))?;
    /// assert_eq!((measured.value.as_str(), measured.tally.allocs), ("text", 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Before `f` runs, when the window can't count. After `f` ran, with
    /// [`MeasureError::Paused`], when counting was switched off meanwhile.
    pub fn measure<T>(self, f: impl FnOnce() -> T) -> Result<Measured<T>, MeasureError> {
        let trace = self.trace();
        let open = Open::new(self, trace.as_ref())?;
        let value = f();
        let closed = open.close()?;
        Ok(closed.measured(value, trace.as_ref().map(Trace::operations)))
    }

    /// The same window for one that captures stacks. Operations of the process reach that
    /// in the mode for the process's peak.
    #[cfg(feature = "sites")]
    pub(crate) const fn capturing(self) -> Self {
        Self {
            sites: true,
            ..self
        }
    }

    /// The threads whose operations are counted.
    pub(crate) const fn scope(self) -> Scope {
        self.scope
    }

    /// The window of one poll of a future. In the scope of the process it separates
    /// the operations of the polls from the operations of other threads.
    pub(crate) const fn poll_window(self) -> Self {
        match self.scope {
            Scope::Thread => self,
            Scope::Process => Self {
                first: self.first,
                ..Self::thread()
            },
        }
    }

    /// The buffer of first operations that an [`Open`] of this window needs, if it keeps them.
    pub(crate) fn trace(self) -> Option<Trace> {
        self.first.then(Trace::new)
    }

    /// The sum that a measurement of several parts starts with.
    pub(crate) fn nothing(self) -> Measured<()> {
        let closed = Closed {
            scope: self.scope,
            still_running: 0,
            mode: self.mode(),
            tally: Tally::ZERO,
            peak_bytes: self.peak.then_some(0),
            foreign: Tally::ZERO,
            uncounted: Tally::ZERO,
        };
        // `None` where they are not kept, which differs from an empty list.
        closed.measured((), self.first.then(FirstOperations::new))
    }

    /// Whether it keeps the peak of its own thread.
    const fn keeps_own_peak(self) -> bool {
        self.peak && matches!(self.scope, Scope::Thread)
    }

    const fn mode(self) -> Mode {
        match (self.peak, self.scope) {
            (false, _) => Mode::Counting,
            (true, Scope::Thread) => Mode::ThreadPeak,
            (true, Scope::Process) => Mode::ProcessPeak,
        }
    }
}

/// An open window of the calling thread. Only closures and polls open windows, so
/// the windows of a thread close in the reverse order of their opening.
pub(crate) struct Open<'trace> {
    readings: Readings,
    spans: Spans<'trace>,
}

impl<'trace> Open<'trace> {
    #[inline]
    pub(crate) fn new(window: Window, trace: Option<&'trace Trace>) -> Result<Self, MeasureError> {
        Readings::take(window).map(|readings| Self {
            spans: readings.own.open_spans(window.keeps_own_peak(), trace),
            readings,
        })
    }

    /// The operations in the window's scope since the opening.
    #[inline]
    pub(crate) fn so_far(&self) -> Tally {
        self.readings.so_far()
    }

    #[inline]
    pub(crate) fn close(self) -> Result<Closed, MeasureError> {
        let peak = self.spans.close();
        self.readings.compare(peak)
    }
}

/// The counts of a window that has closed. A [`Measured`] is made of them only at the end,
/// since the first operations in it are so large that moving them takes most of the time.
pub(crate) struct Closed {
    scope: Scope,
    still_running: u64,
    mode: Mode,
    pub(crate) tally: Tally,
    peak_bytes: Option<u64>,
    foreign: Tally,
    uncounted: Tally,
}

impl Closed {
    /// The measurement of the window, whose closure returned `value`.
    pub(crate) fn measured<T>(self, value: T, first: Option<FirstOperations>) -> Measured<T> {
        Measured {
            value,
            scope: self.scope,
            polls: 0,
            still_running: self.still_running,
            mode: self.mode,
            tally: self.tally,
            peak_bytes: self.peak_bytes,
            foreign: self.foreign,
            uncounted: self.uncounted,
            first,
        }
    }
}

/// The readings of the counters as a window opens. Unlike an [`Open`] window they can
/// move to another thread; the counts of the process are right there.
pub(crate) struct Readings {
    scope: Scope,
    mode: Mode,
    own: OwnCounters,
    unpaused: u64,
    taken: u64,
    process_peak: Option<ProcessPeakSpan>,
    process: Tally,
    thread: Tally,
    uncounted: Tally,
}

impl Readings {
    #[inline]
    pub(crate) fn take(window: Window) -> Result<Self, MeasureError> {
        let scope = window.scope;
        let unpaused = REGISTRY.unpaused().ok_or(MeasureError::Paused)?;
        if threads::is_excluded() {
            return Err(MeasureError::Uncounted);
        }
        let own = liveness::counting()?;
        if scope == Scope::Process {
            thread_exit::wait_before_opening();
        }
        own.follow_modes(scope);
        let taken = REGISTRY.taken_so_far();
        let process_peak = match scope {
            Scope::Process if window.peak || window.sites => {
                Some(ProcessPeakSpan::open(&REGISTRY).ok_or(MeasureError::TooManyPeaks)?)
            }
            Scope::Process | Scope::Thread => None,
        };
        Ok(Self {
            scope,
            mode: window.mode(),
            own,
            unpaused,
            taken,
            process_peak,
            uncounted: own.read_excluded(scope),
            process: REGISTRY.total(),
            thread: own.read(),
        })
    }

    #[inline]
    fn so_far(&self) -> Tally {
        match self.scope {
            Scope::Thread => self.own.read() - self.thread,
            Scope::Process => REGISTRY.total().since(self.process),
        }
    }

    /// The operations since these readings, with the peak that the window kept of its own thread.
    #[inline]
    pub(crate) fn compare(self, own_peak: Option<u64>) -> Result<Closed, MeasureError> {
        // The thread's own counters first, so that waiting for other threads is not
        // part of the measurement.
        let thread = self.own.read() - self.thread;
        let scope = self.scope;
        let still_running = match scope {
            Scope::Thread => 0,
            Scope::Process => thread_exit::wait_for_exits(self.taken),
        };
        let peak = self.process_peak.map(ProcessPeakSpan::close);
        let process = REGISTRY.total().since(self.process);
        if REGISTRY.was_paused_since(self.unpaused) {
            return Err(MeasureError::Paused);
        }
        Ok(Closed {
            scope,
            still_running,
            mode: self.mode,
            tally: match scope {
                Scope::Thread => thread,
                Scope::Process => process,
            },
            peak_bytes: own_peak.or(peak).filter(|_| self.mode != Mode::Counting),
            foreign: process.since(thread),
            uncounted: self.own.read_excluded(scope) - self.uncounted,
        })
    }
}
