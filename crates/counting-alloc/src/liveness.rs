//! Proof that allocations are counted, by known operations: a counter that is
//! not installed reads zero for everything, and zero passes most gates.

use alloc::alloc::Layout;
use alloc::boxed::Box;
use core::error::Error;
use core::fmt;
use core::hint::black_box;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

use crate::backend::{self, Own, REGISTRY};
use crate::measured::{MeasureError, Scope};
use crate::tally::Tally;

/// What was counted when known operations ran; see [`prove`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What the operations amount to by definition.
    pub expected: Tally,
    /// What was counted of them on the calling thread.
    pub this_thread: Tally,
    /// What was counted of them on a thread started for it; `None` when no
    /// thread could be started, and without the feature `std`.
    pub spawned_thread: Option<Tally>,
    /// What was counted while nothing was done.
    pub idle: Tally,
}

/// The first way in which a [`Proof`] falls short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LivenessError {
    /// Nothing at all was counted: see [`MeasureError::NotInstalled`].
    NotInstalled,
    /// The calling thread's operations were counted as something else.
    Miscounted {
        /// What was counted.
        counted: Tally,
    },
    /// The operations of a spawned thread were counted as something else.
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

/// Runs one allocation, zeroed allocation, growing and shrinking reallocation,
/// and the deallocations, on this thread and on a new one, and looks at the
/// counters; then looks at them while nothing happens.
#[must_use]
pub fn prove() -> Proof {
    // The thread's first operation takes up its counters.
    allocate_and_free();
    Proof {
        expected: EXPECTED,
        this_thread: counted(known_operations),
        spawned_thread: backend::on_new_thread(|| {
            allocate_and_free();
            counted(known_operations)
        }),
        idle: counted(|| ()),
    }
}

/// What the calling thread counted while `operations` ran; zero when it has no
/// counters.
fn counted(operations: fn()) -> Tally {
    let read = || Own::find().map_or(Tally::ZERO, Own::read);
    let before = read();
    operations();
    read() - before
}

impl Proof {
    /// Whether the counter counted exactly what was done.
    ///
    /// # Errors
    ///
    /// The first way in which it did not.
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
            None if backend::can_measure(Scope::Thread) => return Err(LivenessError::NoThread),
            None => {}
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
                "known operations were miscounted: expected {EXPECTED}; counted {counted}"
            ),
            Self::MiscountedOnThread { counted } => write!(
                f,
                "known operations on a spawned thread were miscounted: expected {EXPECTED}; \
                 counted {counted}"
            ),
            Self::NoThread => f.write_str("no thread could be started to prove the counter on"),
            Self::NotIdle { counted } => {
                write!(f, "an empty window was not empty: counted {counted}")
            }
        }
    }
}

impl Error for LivenessError {}

/// The counters for a window in `scope`, on the condition that the global
/// allocator counts into them.
#[inline]
pub(crate) fn counting(scope: Scope) -> Result<Own, MeasureError> {
    if !backend::can_measure(scope) {
        return Err(MeasureError::NoThreads);
    }
    if INSTALLED.load(Relaxed)
        && let Some(own) = Own::find()
    {
        return Ok(own);
    }
    find_counting()
}

/// Whether an allocation was seen to be counted. A program's global allocator
/// doesn't change, so once is enough.
static INSTALLED: AtomicBool = AtomicBool::new(false);

#[cold]
fn find_counting() -> Result<Own, MeasureError> {
    if let Some(excuse) = backend::excuse() {
        return Err(excuse);
    }
    // The thread's first operation takes up its counters.
    allocate_and_free();
    let own = Own::find().ok_or_else(not_counted)?;
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

/// 64 bytes, grown to 128, shrunk to 16; 32 zeroed bytes; all given back.
const EXPECTED: Tally = Tally {
    allocs: 2,
    alloc_bytes: 64 + 32,
    deallocs: 2,
    dealloc_bytes: 16 + 32,
    grows: 1,
    grow_bytes: 64,
    shrinks: 1,
    shrink_bytes: 112,
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
            alloc::alloc::handle_alloc_error(layout);
        }
        block
    }
    // SAFETY: the size is not zero.
    let zeroed = non_null(unsafe { alloc::alloc::alloc_zeroed(bytes(32)) }, bytes(32));
    // SAFETY: the size is not zero.
    let block = non_null(unsafe { alloc::alloc::alloc(bytes(64)) }, bytes(64));
    // SAFETY: `block` is live with this layout; the new size is not zero and
    // far from overflowing.
    let block = non_null(
        unsafe { alloc::alloc::realloc(block, bytes(64), 128) },
        bytes(128),
    );
    // SAFETY: as above, with the layout that the growth gave it.
    let block = non_null(
        unsafe { alloc::alloc::realloc(block, bytes(128), 16) },
        bytes(16),
    );
    // SAFETY: `block` is live with this layout and not used afterwards.
    unsafe { alloc::alloc::dealloc(block, bytes(16)) };
    // SAFETY: `zeroed` is live with this layout and not used afterwards.
    unsafe { alloc::alloc::dealloc(zeroed, bytes(32)) };
}
