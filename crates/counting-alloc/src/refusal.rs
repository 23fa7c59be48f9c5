//! [`Guard`]: the requests of a thread that are refused while a window is open, without asking
//! the inner allocator.

use core::cell::Cell;
use core::ptr;
use core::ptr::NonNull;

use crate::operation::Operation;

#[cfg(all(feature = "sites", not(all(test, loom))))]
use crate::sites::request_stack::Stack;

/// Refuses requests of the thread that opened it. Only that thread uses it.
#[derive(Debug)]
pub(crate) struct Guard {
    rule: Rule,
    /// The live bytes of the thread's operations at the opening.
    level: Cell<i64>,
    /// The latest request that the rule is about.
    latest: Cell<Option<Request>>,
    /// That of the outer window of the thread, or null.
    outer: Cell<*mut Guard>,
}

/// Which requests are refused.
#[derive(Debug)]
pub(crate) enum Rule {
    /// Those that would take live bytes above this number.
    Ceiling(u64),
    /// One, by its number; of every request is counted.
    Call {
        /// The number, from 1; 0 for none.
        number: u64,
        /// Whether it is refused. Otherwise it is only noted.
        is_refused: bool,
        /// The requests so far.
        requests: Cell<u64>,
        /// Gets the stack of the request; it outlives the guard.
        #[cfg(all(feature = "sites", not(all(test, loom))))]
        stack: Option<NonNull<Stack>>,
    },
    /// None, but each operation is told.
    Forbidden(Listener),
}

/// What each operation is told to.
#[derive(Debug)]
pub(crate) struct Listener {
    state: NonNull<()>,
    tell: unsafe fn(NonNull<()>, Operation),
}

impl Listener {
    /// A listener that passes `state` to `tell`.
    ///
    /// # Safety
    ///
    /// `tell` may be called with `state` as long as the listener lives.
    pub(crate) const unsafe fn new(
        state: NonNull<()>,
        tell: unsafe fn(NonNull<()>, Operation),
    ) -> Self {
        Self { state, tell }
    }

    #[cold]
    fn tell(&self, operation: Operation) {
        // SAFETY: the contract of `new`.
        unsafe { (self.tell)(self.state, operation) };
    }
}

/// A request that a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The requested size in bytes.
    pub(crate) size: usize,
    /// The bytes that were live, above the level at the opening.
    pub(crate) live: i64,
}

/// A request above a ceiling, in bytes.
#[cfg(feature = "sites")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exceeded {
    pub(crate) most: u64,
    pub(crate) size: usize,
    pub(crate) live: i64,
}

impl Guard {
    pub(crate) const fn new(rule: Rule) -> Self {
        Self {
            rule,
            level: Cell::new(0),
            latest: Cell::new(None),
            outer: Cell::new(ptr::null_mut()),
        }
    }

    /// Whether a request for `size` bytes in place of `from` is refused. `live` returns the bytes
    /// that are live by the thread's operations.
    pub(crate) fn refuses(&self, from: usize, size: usize, live: impl Fn() -> i64) -> bool {
        let live = || live().wrapping_sub(self.level.get());
        let is_refused = match &self.rule {
            Rule::Ceiling(most) => {
                let live = live();
                // No overflow: sizes are at most `isize::MAX`.
                let after = i128::from(live) + size as i128 - from as i128;
                if size <= from || after <= i128::from(*most) || reports_a_failure() {
                    return false;
                }
                true
            }
            Rule::Call {
                number,
                is_refused,
                requests,
                #[cfg(all(feature = "sites", not(all(test, loom))))]
                stack,
            } => {
                requests.set(requests.get() + 1);
                if requests.get() != *number {
                    return false;
                }
                #[cfg(all(feature = "sites", not(all(test, loom))))]
                if let Some(stack) = stack {
                    // SAFETY: it outlives the guard.
                    unsafe { stack.as_ref() }.capture();
                }
                *is_refused
            }
            Rule::Forbidden(listener) => {
                listener.tell(match from {
                    0 => Operation::Alloc { size },
                    from => Operation::resize(from, size),
                });
                return false;
            }
        };
        self.latest.set(Some(Request { size, live: live() }));
        is_refused
    }

    /// Tells that a block is freed.
    pub(crate) fn note_dealloc(&self, operation: Operation) {
        if let Rule::Forbidden(listener) = &self.rule {
            listener.tell(operation);
        }
    }

    /// The latest request above the ceiling, if that is the rule.
    #[cfg(feature = "sites")]
    pub(crate) fn exceeded(&self) -> Option<Exceeded> {
        let Request { size, live } = self.latest()?;
        match self.rule {
            Rule::Ceiling(most) => Some(Exceeded { most, size, live }),
            Rule::Call { .. } | Rule::Forbidden(_) => None,
        }
    }

    /// The requests so far, if one of them is refused by its number.
    pub(crate) fn requests(&self) -> u64 {
        match &self.rule {
            Rule::Call { requests, .. } => requests.get(),
            Rule::Ceiling(_) | Rule::Forbidden(_) => 0,
        }
    }

    /// The latest request that the rule is about.
    pub(crate) fn latest(&self) -> Option<Request> {
        self.latest.get()
    }

    /// Begins, inside of another one or of null.
    pub(crate) fn open(&self, level: i64, outer: *mut Self) {
        self.level.set(level);
        self.outer.set(outer);
    }

    /// That of the outer window of the thread, or null.
    pub(crate) fn outer(&self) -> *mut Self {
        self.outer.get()
    }
}

/// Whether the thread panics, or reports that memory is short: what it needs for the message and
/// the backtrace of that is not refused.
fn reports_a_failure() -> bool {
    #[cfg(all(feature = "std", not(all(test, loom))))]
    if std::thread::panicking() {
        return true;
    }
    #[cfg(all(feature = "sites", not(all(test, loom))))]
    return crate::sites::request_stack::alloc_errors() > 0;
    #[cfg(not(all(feature = "sites", not(all(test, loom)))))]
    false
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_ceiling_refuses_what_would_be_above_it() {
        let guard = Guard::new(Rule::Ceiling(100));
        guard.open(1_000, ptr::null_mut());
        for (from, size, live, is_refused) in [
            (0, 100, 1_000, false),
            (0, 101, 1_000, true),
            (0, 1, 1_100, true),
            (0, usize::MAX >> 1, 1_000, true),
            // The thread freed blocks from before.
            (0, 150, 950, false),
            (40, 90, 1_050, false),
            (40, 91, 1_050, true),
            // Shrinking is not refused, even above the ceiling.
            (91, 90, 1_200, false),
            (90, 90, 1_200, false),
        ] {
            let text = (from, size, live);
            assert_eq!(guard.refuses(from, size, || live), is_refused, "{text:?}");
        }
        assert_eq!(guard.latest(), Some(Request { size: 91, live: 50 }));
    }

    #[test]
    fn one_request_is_refused_by_its_number() {
        let refused = |number, is_refused| {
            let guard = Guard::new(Rule::Call {
                number,
                is_refused,
                requests: Cell::new(0),
                #[cfg(feature = "sites")]
                stack: None,
            });
            let refused =
                [(0, 8), (8, 16), (16, 8)].map(|(from, to)| guard.refuses(from, to, || 0));
            assert_eq!(guard.requests(), 3);
            (refused, guard.latest().map(|latest| latest.size))
        };
        assert_eq!(refused(0, true), ([false; 3], None));
        assert_eq!(refused(2, true), ([false, true, false], Some(16)));
        assert_eq!(refused(3, true), ([false, false, true], Some(8)));
        assert_eq!(refused(2, false), ([false; 3], Some(16)));
        assert_eq!(refused(4, true), ([false; 3], None));
    }
}
