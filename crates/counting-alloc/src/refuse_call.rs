//! [`refuse_call`]: runs a closure in which one request of the thread is refused.

#[cfg(feature = "sites")]
use core::ptr::NonNull;
use std::cell::Cell;

use crate::liveness;
use crate::measured::{MeasureError, Scope};
use crate::refusal::{Guard, Rule};
#[cfg(feature = "sites")]
use crate::sites::request_stack::Stack;
use crate::uncounted::uncounted;

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is refused, without asking the inner allocator.
    Refused,
    /// It is served; its stack is captured.
    Served,
}

/// The requests of a closure.
#[derive(Clone, Debug)]
pub struct Requests<T> {
    /// What the closure returned.
    pub value: T,
    /// The number of requests: of the calls of `alloc`, `alloc_zeroed` and `realloc`.
    pub requests: u64,
    /// The size in bytes of the request with the number; `None` if there were fewer.
    pub size: Option<usize>,
    /// The return addresses of that request, innermost first. Empty without the feature `sites`
    /// and where stacks can't be captured.
    pub stack: Vec<usize>,
}

/// Runs `f`, and counts the requests of the calling thread, of which the one with this number,
/// from 1, has the fate.
///
/// # Errors
///
/// When the thread's operations are not counted.
pub fn refuse_call<T>(
    number: u64,
    fate: Fate,
    f: impl FnOnce() -> T,
) -> Result<Requests<T>, MeasureError> {
    let own = liveness::counting(Scope::Thread)?;
    #[cfg(feature = "sites")]
    let stack = Stack::new();
    let guard = Guard::new(Rule::Call {
        number,
        is_refused: fate == Fate::Refused,
        requests: Cell::new(0),
        #[cfg(feature = "sites")]
        stack: Some(NonNull::from(&stack)),
    });
    let span = own.open_guard(&guard);
    let value = f();
    drop(span);
    Ok(Requests {
        value,
        requests: guard.requests(),
        size: guard.latest().map(|request| request.size),
        #[cfg(feature = "sites")]
        stack: uncounted(|| stack.addresses().collect()),
        #[cfg(not(feature = "sites"))]
        stack: uncounted(Vec::new),
    })
}
