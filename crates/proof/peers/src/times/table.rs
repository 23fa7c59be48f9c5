//! The tables of times, a table for each number of live blocks.

/// The name of the row of the baseline against itself.
pub const BASELINE_AGAIN: &str = "A/A: System";

/// The numbers of threads that are measured.
pub const THREADS: [usize; 4] = [1, 2, 4, 8];

/// The number of blocks that a thread allocates before it frees them all. One block
/// is the cheapest allocation there is, and shows the highest ratios; 32 are more
/// than glibc caches per thread and size.
pub const LIVE: [usize; 2] = [1, 32];

/// The times with one number of live blocks.
#[derive(Clone, Debug)]
pub struct TimeTable {
    /// The number of live blocks.
    pub live: usize,
    /// A column for each of [`THREADS`].
    pub columns: Vec<Column>,
}

/// The times of all candidates with one number of threads.
#[derive(Clone, Debug)]
pub struct Column {
    /// The number of threads that ran the same slice at once.
    pub threads: usize,
    /// There were more threads than cores.
    pub oversubscribed: bool,
    /// The percentage of slices that ran on several cores at once. The others are not
    /// in the figures.
    pub concurrent_percent: f64,
    /// The median time of a pair of the baseline, in nanoseconds.
    pub baseline_ns: f64,
    /// The figures of all candidates, in the order of the tables.
    pub figures: Vec<Figure>,
}

/// The time of a candidate, as a multiple of the baseline's.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// The candidate's name.
    pub name: &'static str,
    /// The median of the medians of the copies of the code.
    pub ratio: f64,
    /// The quartiles of all ratios.
    pub quartiles: (f64, f64),
    /// The lowest and the highest median of a copy.
    pub copies: (f64, f64),
}
