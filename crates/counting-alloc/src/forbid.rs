//! [`forbid_alloc`]: reports each allocation and deallocation of a closure as it happens.

use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::ptr::NonNull;
use std::thread;

use crate::liveness;
use crate::measured::Scope;
use crate::message;
use crate::operation::Operation;
use crate::refusal::{Guard, Listener, Rule};
use crate::stack_text::own_frames;
use crate::uncounted::uncounted;

/// What happens at a forbidden operation; see [`forbid_alloc_with`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnAlloc {
    /// The process aborts at the operation, after a message with the call stack on stderr.
    Abort,
    /// A message on stderr at each operation, at the first one with the call stack. The operation
    /// goes on.
    Log,
    /// The operation goes on, and [`forbid_alloc_with`] panics when the closure has returned, with
    /// the first operation and its call stack. (An allocator must not panic itself.)
    Panic,
}

/// Runs `f`, and aborts the process at the first allocation, reallocation or deallocation of the
/// calling thread in it, with the operation and the call stack on stderr. For code that must never
/// allocate, such as the callback of an audio device, in a program that runs.
///
/// It is [`forbid_alloc_with`] and [`OnAlloc::Abort`], and costs nothing in a release build unless
/// the feature `forbid-alloc` is on.
///
/// ```
/// use counting_alloc::{CountingAlloc, forbid_alloc, uncounted};
///
/// #[cfg(debug_assertions)]
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() {
/// let mut samples = [0.5_f32; 64];
/// let loudest = forbid_alloc(|| {
///     samples.iter_mut().for_each(|sample| *sample *= 0.8);
///     uncounted(|| drop(vec![0_u8; 16])); // An exception.
///     samples.iter().copied().fold(0.0, f32::max)
/// });
/// assert_eq!(loudest, 0.4);
/// # }
/// ```
///
/// # Panics
///
/// As [`forbid_alloc_with`].
#[inline(always)]
#[track_caller]
pub fn forbid_alloc<T>(f: impl FnOnce() -> T) -> T {
    forbid_alloc_with(OnAlloc::Abort, f)
}

/// Runs `f`, in which the allocations, reallocations and deallocations of the calling thread are
/// forbidden: at each of them happens what `reaction` says. Operations inside
/// [`uncounted`](uncounted()), of other threads, and those for the message of a panic are allowed.
///
/// In a release build, one without debug assertions, it only calls `f`, unless the feature
/// `forbid-alloc` is on. The first call on a thread may take a block for its counters.
///
/// ```no_run
/// # use counting_alloc::{CountingAlloc, OnAlloc, forbid_alloc_with};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// // counting-alloc: 1 forbidden operation, at first alloc 24
/// //    0: ...
/// let bytes = forbid_alloc_with(OnAlloc::Panic, || vec![1_u8; 24]);
/// # }
/// ```
///
/// # Panics
///
/// When [`CountingAlloc`](crate::CountingAlloc) is not the global allocator or can't count the
/// thread, when `f` panics, and after forbidden operations with [`OnAlloc::Panic`].
#[inline(always)]
#[track_caller]
pub fn forbid_alloc_with<T>(reaction: OnAlloc, f: impl FnOnce() -> T) -> T {
    if cfg!(any(debug_assertions, feature = "forbid-alloc")) {
        forbid(reaction, f)
    } else {
        let _ = reaction;
        f()
    }
}

#[track_caller]
fn forbid<T>(reaction: OnAlloc, f: impl FnOnce() -> T) -> T {
    let own = match liveness::counting(Scope::Thread) {
        Ok(own) => own,
        Err(error) => panic!("{error}"),
    };
    let forbidden = Forbidden {
        reaction,
        operations: Cell::new(0),
        first: RefCell::new(None),
    };
    // SAFETY: `forbidden` outlives the guard.
    let listener = unsafe { Listener::new(NonNull::from(&forbidden).cast(), note) };
    let guard = Guard::new(Rule::Forbidden(listener));
    let span = own.open_guard(&guard);
    let value = f();
    drop(span);
    if let Some((operation, stack)) = forbidden.first.take() {
        let operations = forbidden.operations.get();
        let s = if operations == 1 { "" } else { "s" };
        panic!(
            "counting-alloc: {operations} forbidden operation{s}, at first {operation}\n{}",
            from_caller(&stack)
        );
    }
    value
}

/// Reacts to an operation.
///
/// # Safety
///
/// `forbidden` is a [`Forbidden`] that lives.
unsafe fn note(forbidden: NonNull<()>, operation: Operation) {
    // SAFETY: this function's contract.
    unsafe { forbidden.cast::<Forbidden>().as_ref() }.note(operation);
}

/// The operations of a closure in which none is allowed.
#[derive(Debug)]
struct Forbidden {
    reaction: OnAlloc,
    operations: Cell<u64>,
    /// With [`OnAlloc::Panic`], the first one and its stack.
    first: RefCell<Option<(Operation, Backtrace)>>,
}

impl Forbidden {
    /// Reacts to an operation.
    fn note(&self, operation: Operation) {
        if thread::panicking() {
            return;
        }
        self.operations.set(self.operations.get() + 1);
        // An allocator must not unwind.
        let reacted = panic::catch_unwind(AssertUnwindSafe(|| {
            uncounted(|| self.react(operation));
        }));
        if reacted.is_err() || self.reaction == OnAlloc::Abort {
            process::abort();
        }
    }

    fn react(&self, operation: Operation) {
        let is_first = self.operations.get() == 1;
        if self.reaction == OnAlloc::Panic {
            if is_first {
                *self.first.borrow_mut() = Some((operation, Backtrace::force_capture()));
            }
            return;
        }
        message::write(&format!(
            "counting-alloc: forbidden operation: {operation}\n"
        ));
        if is_first {
            message::write(&from_caller(&Backtrace::force_capture()));
        }
    }
}

/// A stack from the function that called the allocator.
fn from_caller(stack: &Backtrace) -> String {
    own_frames(stack, |line| {
        line.contains("counting_alloc::allocator::") || line.contains("__rustc::__rust_")
    })
}
