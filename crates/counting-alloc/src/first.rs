//! [`FirstOperations`]: the order and the sizes of a window's first operations, for
//! the report of a failed assertion.

use std::array;
use std::cell::Cell;
use std::fmt;
use std::ptr;

use crate::operation::Operation;

/// The number of operations that are kept.
const KEPT: usize = 32;

/// The first operations of the calling thread in a window, in order.
#[derive(Clone, Copy)]
pub struct FirstOperations {
    kept: [Operation; KEPT],
    seen: u64,
}

impl FirstOperations {
    /// The number of operations that are kept.
    pub const CAPACITY: usize = KEPT;

    pub(crate) const fn new() -> Self {
        Self {
            kept: [Operation::Dealloc { size: 0 }; KEPT],
            seen: 0,
        }
    }

    pub(crate) fn add(&mut self, operation: Operation) {
        if let Some(place) = self.kept.get_mut(self.seen as usize) {
            *place = operation;
        }
        self.seen += 1;
    }

    /// Appends the operations of a later window.
    pub(crate) fn append(&mut self, later: &Self) {
        for &operation in later.as_slice() {
            self.add(operation);
        }
        self.seen += later.unseen();
    }

    /// The operations that were kept, in order.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, Operation, measure};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() {
    /// let measured = measure(|| drop(std::hint::black_box(vec![0_u8; 8])));
    /// let first = measured.first.unwrap();
    /// assert_eq!(
    ///     first.as_slice(),
    ///     [Operation::AllocZeroed { size: 8 }, Operation::Dealloc { size: 8 }]
    /// );
    /// # }
    /// ```
    #[must_use]
    pub fn as_slice(&self) -> &[Operation] {
        &self.kept[..KEPT.min(self.seen as usize)]
    }

    /// The number of operations after those that were kept.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, FirstOperations, measure};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() {
    /// let measured = measure(|| {
    ///     let boxes = (0..100).map(|number| std::hint::black_box(Box::new(number)));
    ///     boxes.collect::<Vec<_>>()
    /// });
    /// // The vector is one operation, and each box another.
    /// let unseen = 101 - FirstOperations::CAPACITY as u64;
    /// assert_eq!(measured.first.unwrap().unseen(), unseen);
    /// # }
    /// ```
    #[must_use]
    pub fn unseen(&self) -> u64 {
        self.seen.saturating_sub(KEPT as u64)
    }
}

/// Compares the operations that were kept, and the number of all operations.
impl PartialEq for FirstOperations {
    fn eq(&self, other: &Self) -> bool {
        self.seen == other.seen && self.as_slice() == other.as_slice()
    }
}

impl Eq for FirstOperations {}

impl fmt::Debug for FirstOperations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

/// `alloc 24, grow 24 -> 48, 3 x alloc 4096`, `none`, or with ` and 7 more` behind.
impl fmt::Display for FirstOperations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seen == 0 {
            return f.write_str("none");
        }
        for (i, equal) in self
            .as_slice()
            .chunk_by(|one, next| one == next)
            .enumerate()
        {
            let comma = if i == 0 { "" } else { ", " };
            let operation = equal[0];
            match equal.len() {
                1 => write!(f, "{comma}{operation}")?,
                2 => write!(f, "{comma}{operation}, {operation}")?,
                times => write!(f, "{comma}{times} x {operation}")?,
            }
        }
        match self.unseen() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// The buffer of an open window. Only the window's thread uses it. The operations of an
/// inner window are added when that closes.
#[derive(Debug)]
pub(crate) struct Trace {
    kept: [Place; KEPT],
    /// The number of the thread's operations when the window opened; of the window's own when
    /// it has closed.
    count: Cell<u64>,
}

/// Where an operation is recorded.
pub(crate) type Place = Cell<Operation>;

/// The free places of a buffer: from `next` to before `end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreePlaces {
    pub(crate) next: *mut Place,
    pub(crate) end: *mut Place,
}

impl FreePlaces {
    /// No places.
    pub(crate) const NONE: Self = Self {
        next: ptr::null_mut(),
        end: ptr::null_mut(),
    };

    pub(crate) fn places(self) -> usize {
        (self.end.addr() - self.next.addr()) / size_of::<Place>()
    }
}

impl Trace {
    pub(crate) const fn new() -> Self {
        Self {
            kept: [const { Cell::new(Operation::Dealloc { size: 0 }) }; KEPT],
            count: Cell::new(0),
        }
    }

    /// Begins after `before` operations of the thread, and returns the whole buffer.
    pub(crate) fn open(&self, before: u64) -> FreePlaces {
        self.count.set(before);
        let places = self.kept.as_ptr_range();
        FreePlaces {
            next: places.start.cast_mut(),
            end: places.end.cast_mut(),
        }
    }

    /// The operations that are recorded when there is still `room`.
    pub(crate) fn recorded(&self, room: FreePlaces) -> &[Place] {
        &self.kept[..KEPT - room.places()]
    }

    /// Ends after `now` operations of the thread. They are counted also when they were not
    /// recorded, because the buffer was full.
    pub(crate) fn close(&self, now: u64) {
        self.count.set(now.wrapping_sub(self.count.get()));
    }

    /// The operations of a window that has closed.
    pub(crate) fn operations(&self) -> FirstOperations {
        FirstOperations {
            kept: array::from_fn(|index| self.kept[index].get()),
            seen: self.count.get(),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn operations_past_the_capacity_are_only_counted() {
        let mut first = FirstOperations::new();
        assert_eq!(first.to_string(), "none");
        for size in 0..KEPT + 3 {
            first.add(Operation::Alloc { size });
        }
        assert_eq!(first.as_slice().len(), KEPT);
        assert_eq!(
            first.as_slice()[KEPT - 1],
            Operation::Alloc { size: KEPT - 1 }
        );
        assert!(first.to_string().ends_with("alloc 31 and 3 more"));
        let mut both = FirstOperations::new();
        both.add(Operation::Dealloc { size: 7 });
        both.append(&first);
        assert_eq!(both.unseen(), 4);
        assert_eq!(both.as_slice()[1], Operation::Alloc { size: 0 });
    }
}
