//! [`Stack`]: the stack of a request that is refused, and whether a stack reports one.

use std::alloc::{Layout, handle_alloc_error};
use std::array;
use std::cell::Cell;

use crate::sites::platform;

/// The return addresses that are kept, innermost first.
const MOST: usize = 128;

/// The stack of a request. Only the thread that captures it uses it.
#[derive(Debug)]
pub(crate) struct Stack {
    addresses: [Cell<usize>; MOST],
    len: Cell<usize>,
}

impl Stack {
    pub(crate) const fn new() -> Self {
        Self {
            addresses: [const { Cell::new(0) }; MOST],
            len: Cell::new(0),
        }
    }

    /// Captures the stack of the calling thread.
    #[cold]
    pub(crate) fn capture(&self) {
        self.len.set(0);
        platform::walk(0..0, &mut |slot| {
            let len = self.len.get();
            let Some(place) = self.addresses.get(len) else {
                return false;
            };
            place.set(slot.address);
            self.len.set(len + 1);
            true
        });
    }

    /// The return addresses.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = usize> {
        let addresses: [usize; MOST] = array::from_fn(|index| self.addresses[index].get());
        addresses.into_iter().take(self.len.get())
    }
}

/// The number of errors of allocation that the calling thread reports at present: the calls of
/// [`handle_alloc_error`] on its stack.
#[cold]
pub(crate) fn alloc_errors() -> usize {
    /// The function calls another one a few instructions after its beginning. Its caller in
    /// `Vec` may be as near.
    const LENGTH: usize = 64;

    let function: fn(Layout) -> ! = handle_alloc_error;
    let begin = function as usize;
    let (mut errors, mut was_inside) = (0, false);
    platform::walk(0..0, &mut |slot| {
        let is_inside = (begin..begin + LENGTH).contains(&slot.address);
        errors += usize::from(is_inside && !was_inside);
        was_inside = is_inside;
        true
    });
    errors
}
