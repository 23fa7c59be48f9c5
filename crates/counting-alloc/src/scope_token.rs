//! [`ScopeToken`]: lets other threads add a part of their operations to a window,
//! so that a pool can be counted without the rest of the process.

use std::cell::Cell;
use std::fmt;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;

use crate::backend::OwnCounters;
use crate::calls::Calls;
use crate::measured::{MeasureError, Measured, Scope};
use crate::native;
use crate::native::tally::NativeTally;
use crate::requested::{Number, Requested};
use crate::tally::Tally;
use crate::threads::{is_past_end, thread_tally};
use crate::window::{Open, Window};

/// Runs `f` and returns the allocations of the calling thread meanwhile, and those
/// of other threads inside [`ScopeToken::count`] of the token that `f` gets.
///
/// ```
/// use counting_alloc::{CountingAlloc, measure_joined};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() -> Result<(), counting_alloc::MeasureError> {
/// let (to_worker, jobs) = std::sync::mpsc::channel::<Box<dyn FnOnce() + Send>>();
/// let worker = std::thread::spawn(move || jobs.into_iter().for_each(|job| job()));
///
/// let (done, is_done) = std::sync::mpsc::sync_channel(1);
/// let measured = measure_joined(|token| {
///     let token = token.clone();
///     let job = move || {
///         token.count(|| drop(std::hint::black_box(vec![0_u8; 4096])));
///         done.send(())
///     };
///     to_worker.send(Box::new(move || { job().ok(); })).ok();
///     is_done.recv()
/// })?;
/// assert!(measured.tally.bytes >= 4096);
/// # drop(to_worker);
/// # worker.join().ok();
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// See [`Window::measure`], and [`MeasureError::StillCounting`] when a call of
/// `count` was running as `f` returned.
pub fn measure_joined<T>(f: impl FnOnce(&ScopeToken) -> T) -> Result<Measured<T>, MeasureError> {
    let window = Window::thread().numbered();
    // Made before the window opens, and dropped after it closes.
    let token = ScopeToken {
        calls: Arc::new(Calls::new()),
        number: window.number(),
    };
    let buffers = window.buffers();
    let open = Open::new(window, &buffers)?;
    // The frame keeps `count` on this thread from adding operations twice.
    let value = Frame::run(&token.calls, || f(&token));
    let joined = token.calls.close();
    let own = open.close()?;
    let (calls, joined, native) = joined?;
    let mut measured = own.measured(value, buffers.first());
    measured.joined = calls;
    measured.tally += joined;
    measured.foreign = measured.foreign.since(joined);
    measured.native = native::sum(measured.native, Some(native));
    Ok(measured)
}

/// Lets threads other than the opening one add operations to a window; see
/// [`measure_joined`].
///
/// Cloning a token allocates nothing. A clone may outlive the window.
#[derive(Clone)]
pub struct ScopeToken {
    calls: Arc<Calls>,
    number: Number,
}

impl ScopeToken {
    /// Runs `f` and adds the allocations of the calling thread meanwhile to the
    /// token's window.
    ///
    /// On the thread that opened the window, and inside another call with the same
    /// token, nothing is added, because the window has these operations already.
    /// Nothing is added either after the window closed.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, measure_joined};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// let measured = measure_joined(|token| {
    ///     std::thread::scope(|scope| {
    ///         scope.spawn(|| token.count(|| drop(std::hint::black_box(vec![0_u8; 100])))).join()
    ///     })
    /// })?;
    /// assert_eq!(measured.joined, 1);
    /// assert!(measured.tally.bytes >= 100);
    /// # Ok(())
    /// # }
    /// ```
    pub fn count<T>(&self, f: impl FnOnce() -> T) -> T {
        if Frame::is_inside(&self.calls) {
            return f();
        }
        let here = MaybeUninit::<usize>::uninit();
        let opener = black_box(here.as_ptr()) as usize;
        let Some(_call) = Call::begin(&self.calls, self.number, opener) else {
            return f();
        };
        Frame::run(&self.calls, f)
    }
}

impl fmt::Debug for ScopeToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopeToken").finish_non_exhaustive()
    }
}

/// A running call of `count`. Dropping it ends the call, also in a panic.
struct Call<'token> {
    window: &'token Calls,
    before: Tally,
    native: NativeTally,
    /// The stacks of this call, if those of the window are requested.
    requested: Option<Requested>,
}

impl<'token> Call<'token> {
    fn begin(window: &'token Calls, number: Number, opener: usize) -> Option<Self> {
        if !window.enter() {
            return None;
        }
        if is_past_end() {
            window.note_ended_thread();
        }
        let before = thread_tally();
        let native = thread_native_tally();
        // The sum shows that they are missing.
        let requested = number.capture(Scope::Thread, opener).ok().flatten();
        Some(Self {
            window,
            before,
            native,
            requested,
        })
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        if let Some(requested) = self.requested.take() {
            requested.keep();
        }
        self.window.leave(
            thread_tally() - self.before,
            thread_native_tally() - self.native,
        );
    }
}

/// The calls of C code on the calling thread so far; a call subtracts two such
/// readings.
fn thread_native_tally() -> NativeTally {
    OwnCounters::find().map_or(NativeTally::ZERO, |own| own.native().read())
}

thread_local! {
    /// The innermost frame of the calling thread, or null.
    static INNERMOST: Cell<*const Frame> = const { Cell::new(ptr::null()) };
}

/// Marks that a window already has the operations of the calling thread: a link in
/// the chain of such marks on its stack.
struct Frame {
    window: *const Calls,
    outer: *const Frame,
}

impl Frame {
    /// Runs `f`, marked as inside `window`.
    fn run<T>(window: &Calls, f: impl FnOnce() -> T) -> T {
        /// Unlinks the frame, also when `f` panics.
        struct Unlink(*const Frame);

        impl Drop for Unlink {
            fn drop(&mut self) {
                INNERMOST.set(self.0);
            }
        }

        let outer = INNERMOST.get();
        let frame = Self { window, outer };
        let _unlink = Unlink(outer);
        INNERMOST.set(&raw const frame);
        f()
    }

    /// Whether the calling thread is inside `window`.
    fn is_inside(window: &Calls) -> bool {
        let mut link = INNERMOST.get();
        // SAFETY: the chain consists of frames of calls of `run` that have not
        // returned on this thread. Each frame unlinks itself before it is dropped.
        while let Some(frame) = unsafe { link.as_ref() } {
            if ptr::eq(frame.window, window) {
                return true;
            }
            link = frame.outer;
        }
        false
    }
}
