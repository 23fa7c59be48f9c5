//! Proof by known operations that allocations are counted. A counter that is not
//! installed reads zero, and zero passes most gates.

use std::alloc::{self, Layout};
use std::error::Error;
use std::fmt;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use crate::measured::MeasureError;
use crate::tally::Tally;
use crate::threads::{self, OwnCounters, REGISTRY};

/// The counts of known operations; see [`prove`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proof {
    /// The counts that the operations have by definition.
    pub expected: Tally,
    /// Their counts on the calling thread.
    pub this_thread: Tally,
    /// Their counts on a new thread; `None` when no thread could be started.
    pub spawned_thread: Option<Tally>,
    /// The counts while nothing was done.
    pub idle: Tally,
}

/// The first part of a [`Proof`] that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LivenessError {
    /// Nothing was counted: see [`MeasureError::NotInstalled`].
    NotInstalled,
    /// The operations of the calling thread were miscounted.
    Miscounted {
        /// What was counted.
        counted: Tally,
    },
    /// The operations of a spawned thread were miscounted.
    MiscountedOnThread {
        /// What was counted.
        counted: Tally,
    },
    /// No thread could be started to count on.
    NoThread,
    /// Something was counted while nothing was done.
    NotIdle {
        /// What was counted.
        counted: Tally,
    },
}

/// Runs an allocation, a zeroed allocation, a growing and a shrinking reallocation
/// and the deallocations, on this thread and on a new one, and reads the counters;
/// then reads them while nothing is done.
///
/// ```
/// # use counting_alloc::{CountingAlloc, prove};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let proof = prove();
/// assert_eq!(proof.this_thread, proof.expected);
/// assert_eq!(proof.check(), Ok(()));
/// # }
/// ```
#[must_use]
pub fn prove() -> Proof {
    // The thread's first operation acquires its counters.
    allocate_and_free();
    Proof {
        expected: EXPECTED,
        this_thread: counted(known_operations),
        spawned_thread: threads::on_new_thread(|| {
            allocate_and_free();
            counted(known_operations)
        }),
        idle: counted(|| ()),
    }
}

/// The counts of the calling thread while `operations` ran; zero when it has no
/// counters.
fn counted(operations: fn()) -> Tally {
    let read = || OwnCounters::find().map_or(Tally::ZERO, OwnCounters::read);
    let before = read();
    operations();
    read() - before
}

impl Proof {
    /// Checks that exactly the known operations were counted.
    ///
    /// ```
    /// // This program has no `#[global_allocator]`.
    /// use counting_alloc::{LivenessError, prove};
    ///
    /// assert_eq!(prove().check(), Err(LivenessError::NotInstalled));
    /// ```
    ///
    /// # Errors
    ///
    /// The first part of the proof that does not hold.
    pub fn check(&self) -> Result<(), LivenessError> {
        let Self {
            expected,
            this_thread,
            spawned_thread,
            idle,
        } = *self;
        if this_thread == Tally::ZERO {
            return Err(LivenessError::NotInstalled);
        }
        if this_thread != expected {
            return Err(LivenessError::Miscounted {
                counted: this_thread,
            });
        }
        match spawned_thread {
            None => return Err(LivenessError::NoThread),
            Some(counted) if counted != expected => {
                return Err(LivenessError::MiscountedOnThread { counted });
            }
            Some(_) => {}
        }
        if idle != Tally::ZERO {
            return Err(LivenessError::NotIdle { counted: idle });
        }
        Ok(())
    }
}

impl fmt::Display for LivenessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled => MeasureError::NotInstalled.fmt(f),
            Self::Miscounted { counted } => write!(
                f,
                "known operations were miscounted: expected {EXPECTED}, got {counted}"
            ),
            Self::MiscountedOnThread { counted } => write!(
                f,
                "known operations on a spawned thread were miscounted: expected {EXPECTED}, \
                 got {counted}"
            ),
            Self::NoThread => f.write_str("no thread could be started to test the counter"),
            Self::NotIdle { counted } => {
                write!(f, "a window in which nothing was done counted {counted}")
            }
        }
    }
}

impl Error for LivenessError {}

/// The counters for a window, if the global allocator counts into them.
#[inline]
pub(crate) fn counting() -> Result<OwnCounters, MeasureError> {
    if INSTALLED.load(Relaxed) {
        if let Some(own) = OwnCounters::find() {
            return Ok(own);
        }
    }
    find_counting()
}

/// Whether an allocation was found to be counted. The global allocator of a program
/// doesn't change, so one test is enough.
static INSTALLED: AtomicBool = AtomicBool::new(false);

#[cold]
fn find_counting() -> Result<OwnCounters, MeasureError> {
    if let Some(error) = threads::error() {
        return Err(error);
    }
    // The thread's first operation acquires its counters.
    allocate_and_free();
    let own = OwnCounters::find().ok_or_else(not_counted)?;
    let before = own.read();
    allocate_and_free();
    let counted = own.read() - before;
    if counted.allocs == 0 || counted.deallocs == 0 {
        return Err(not_counted());
    }
    INSTALLED.store(true, Relaxed);
    Ok(own)
}

fn not_counted() -> MeasureError {
    if REGISTRY.is_paused() {
        MeasureError::Paused
    } else {
        MeasureError::NotInstalled
    }
}

fn allocate_and_free() {
    drop(black_box(Box::new(black_box(0_u8))));
}

/// 64 bytes, grown to 128 and shrunk to 16; 32 zeroed bytes; all deallocated.
const EXPECTED: Tally = Tally {
    allocs: 4,
    reallocs: 2,
    deallocs: 2,
    bytes: 64 + 32 + 64,
    freed_bytes: 112 + 16 + 32,
    failed: 0,
};

fn known_operations() {
    const fn bytes(size: usize) -> Layout {
        match Layout::from_size_align(size, 8) {
            Ok(layout) => layout,
            Err(_) => panic!("a small size at alignment 8 is a layout"),
        }
    }
    fn non_null(block: *mut u8, layout: Layout) -> *mut u8 {
        let block = black_box(block);
        if block.is_null() {
            alloc::handle_alloc_error(layout);
        }
        block
    }
    // SAFETY: the size is not zero.
    let zeroed = non_null(unsafe { alloc::alloc_zeroed(bytes(32)) }, bytes(32));
    // SAFETY: the size is not zero.
    let block = non_null(unsafe { alloc::alloc(bytes(64)) }, bytes(64));
    // SAFETY: `block` is live with this layout; the new size is not zero and
    // far from overflowing.
    let block = non_null(unsafe { alloc::realloc(block, bytes(64), 128) }, bytes(128));
    // SAFETY: as above, with the layout that the growth gave it.
    let block = non_null(unsafe { alloc::realloc(block, bytes(128), 16) }, bytes(16));
    // SAFETY: `block` is live with this layout and not used afterwards.
    unsafe { alloc::dealloc(block, bytes(16)) };
    // SAFETY: `zeroed` is live with this layout and not used afterwards.
    unsafe { alloc::dealloc(zeroed, bytes(32)) };
}
