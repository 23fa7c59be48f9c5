//! Regions that are excluded from counting.

use crate::backend;

/// Runs `f` without counting its operations, neither in a window of the calling
/// thread nor in the totals of the process.
///
/// Use it for work that a test has to do in the middle of a measurement. The
/// operations are in [`Measured::uncounted`], so that an excluded region is not
/// mistaken for an empty one. A block that is allocated inside and freed outside,
/// or the other way round, is one operation on either side, and net bytes show it.
///
/// It excludes the operations of the calling thread. Work that `f` passes to other
/// threads is counted. (Without the feature `std`, which can't tell threads apart,
/// it excludes the operations of all threads.) Regions nest. A window can't open
/// inside a region. On a thread that is being torn down, `f` runs without effect
/// on counting.
///
/// ```
/// use counting_alloc::{CountingAlloc, measure, uncounted};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() {
/// let measured = measure(|| {
///     let log = uncounted(|| String::from("a line of the test's own log"));
///     drop(vec![0_u8; 16]);
///     log
/// });
/// assert_eq!(measured.tally.allocs, 1);
/// assert_eq!(measured.uncounted.allocs, 1);
///
/// // Made inside, dropped outside; and the other way round.
/// let bytes = || std::hint::black_box(vec![1_u8; 300]);
/// let out = measure(|| drop(uncounted(bytes)));
/// assert_eq!((out.tally.deallocs, out.tally.net_bytes()), (1, -300));
/// assert_eq!((out.uncounted.allocs, out.uncounted.deallocs), (1, 0));
/// let into = measure(|| {
///     let made = bytes();
///     uncounted(|| drop(made));
/// });
/// assert_eq!((into.tally.allocs, into.tally.net_bytes()), (1, 300));
/// assert_eq!((into.uncounted.allocs, into.uncounted.deallocs), (0, 1));
/// # }
/// ```
///
/// [`Measured::uncounted`]: crate::Measured::uncounted
pub fn uncounted<T>(f: impl FnOnce() -> T) -> T {
    backend::excluded(f)
}
