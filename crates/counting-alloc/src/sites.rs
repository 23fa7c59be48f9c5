//! Call sites: what each call stack did in a window, see
//! [`Window::measure_sites`](crate::Window::measure_sites).
//!
//! Operations of such a window take the path for rare cases. `capture` unwinds the stack of
//! each, and adds the operation to the stack's counts in a `table`. When the window has closed,
//! the counts go to [`Sites`].

use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ops::AddAssign;
use std::sync::Arc;

use crate::block::Block;
use crate::counters::Flags;
use crate::first::Trace;
use crate::measured::{MeasureError, Measured, Scope};
use crate::sites::capture::SHARED;
use crate::sites::table::{Counts, Table, smallest};
use crate::tally::Tally;
use crate::threads::{own_block, uncounted};
use crate::window::{Open, Window};

mod array;
pub(crate) mod capture;
mod live;
mod table;

// Where stacks were tried. An interpreter has none.
#[cfg_attr(
    all(
        any(target_os = "linux", target_os = "macos"),
        any(target_arch = "x86_64", target_arch = "aarch64"),
        target_pointer_width = "64",
        not(miri)
    ),
    path = "sites/unwind/unix.rs"
)]
#[cfg_attr(
    all(windows, target_arch = "x86_64", not(miri)),
    path = "sites/unwind/windows.rs"
)]
#[cfg_attr(
    not(any(
        all(
            any(target_os = "linux", target_os = "macos"),
            any(target_arch = "x86_64", target_arch = "aarch64"),
            target_pointer_width = "64",
            not(miri)
        ),
        all(windows, target_arch = "x86_64", not(miri)),
    )),
    path = "sites/unwind/absent.rs"
)]
mod unwind;

/// What each call stack did in a window, or in several: rows that add up to the counts of the
/// windows, field by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sites {
    /// The stacks with operations, or with blocks that were freed, in the order of their
    /// addresses. The row without a stack comes first, if there is one.
    pub rows: Vec<SiteRow>,
    /// The live blocks that the windows left behind from before they opened, and that
    /// other threads or excluded regions freed: the part of [`Tally::net_blocks`] and
    /// [`Tally::net_bytes`] that is in no row. `None` where memory for the live blocks was
    /// missing; then rows don't have all of them.
    pub before: Option<KeptBlocks>,
    /// The part of the peak that is in no row. Negative if the window had freed blocks
    /// from before it opened. `None` unless the window kept its peak and followed all live
    /// blocks. It does not follow the blocks of a thread that was ending, or of a signal handler
    /// that interrupted a capture.
    pub before_peak_bytes: Option<i64>,
}

/// The counts of a call stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SiteRow {
    /// Return addresses, innermost first. The first of them are inside of this crate, and the
    /// last one is in the function that opened the window, if that is on this stack. At most 512
    /// are kept. `None` for operations whose stack was not kept: there is no room for more
    /// than 16,384 stacks, and threads that are ending and signal handlers that interrupt a
    /// capture have none.
    pub stack: Option<Arc<[usize]>>,
    /// The operations that this stack did.
    pub tally: Tally,
    /// The smallest requested size in bytes; 0 if there was no request.
    pub smallest: u64,
    /// The largest requested size in bytes; 0 if there was no request.
    pub largest: u64,
    /// The blocks that this stack allocated and that were live when the window closed.
    /// A block that was resized keeps the stack that allocated it.
    pub kept: KeptBlocks,
    /// The bytes that this stack allocated and that were live when the live bytes first
    /// reached their peak.
    pub peak_bytes: i64,
}

/// Live blocks, or differences of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptBlocks {
    /// The number of blocks.
    pub blocks: i64,
    /// Their bytes.
    pub bytes: i64,
}

impl Sites {
    /// Whether call stacks can be captured: on x86-64 and aarch64 Linux and macOS, and on x86-64
    /// Windows.
    pub const AVAILABLE: bool = unwind::AVAILABLE;

    /// The counts of the window of `table`, and operations without a stack.
    fn new(table: &Table, missed: Tally) -> Self {
        let mut rest = SiteRow::new(None, table.rest());
        rest.tally += missed;
        let stacks = table.rows();
        let mut rows: Vec<_> = stacks
            .map(|(stack, counts)| SiteRow::new(Some(stack.into()), counts))
            .collect();
        if rest != SiteRow::default() {
            rows.push(rest);
        }
        rows.sort_unstable_by(|one, other| one.stack.cmp(&other.stack));
        let mut sites = Self {
            rows,
            before: None,
            before_peak_bytes: None,
        };
        let (net, kept) = (sites.tally(), sites.kept());
        sites.before = table.has_live().then(|| KeptBlocks {
            blocks: net.net_blocks() - kept.blocks,
            bytes: net.net_bytes() - kept.bytes,
        });
        let peak = table.peak().filter(|_| missed == Tally::ZERO);
        sites.before_peak_bytes = peak.map(|peak| peak - sites.peak_bytes());
        sites
    }

    /// The operations of all rows, which are all operations of the windows.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let tallies = self.rows.iter().map(|row| row.tally);
        tallies.fold(Tally::ZERO, |sum, tally| sum + tally)
    }

    /// The live blocks of all rows, without those [before](Self::before).
    #[must_use]
    pub fn kept(&self) -> KeptBlocks {
        let mut sum = KeptBlocks::default();
        for row in &self.rows {
            sum += row.kept;
        }
        sum
    }

    /// The bytes at the peak of all rows, without those
    /// [before](Self::before_peak_bytes).
    #[must_use]
    pub fn peak_bytes(&self) -> i64 {
        self.rows.iter().map(|row| row.peak_bytes).sum()
    }
}

/// Row by row. What only one of them has is `None` in the sum.
impl AddAssign<&Self> for Sites {
    fn add_assign(&mut self, other: &Self) {
        for row in &other.rows {
            let rows = &mut self.rows;
            match rows.binary_search_by(|one| one.stack.cmp(&row.stack)) {
                Ok(at) => rows[at].add(row),
                Err(at) => rows.insert(at, row.clone()),
            }
        }
        self.before = self.before.zip(other.before).map(|(mut sum, more)| {
            sum += more;
            sum
        });
        let peaks = self.before_peak_bytes.zip(other.before_peak_bytes);
        self.before_peak_bytes = peaks.map(|(sum, more)| sum + more);
    }
}

impl SiteRow {
    fn new(stack: Option<Arc<[usize]>>, counts: Counts) -> Self {
        Self {
            stack,
            tally: counts.tally,
            smallest: counts.smallest,
            largest: counts.largest,
            kept: KeptBlocks {
                blocks: counts.kept_blocks,
                bytes: counts.kept_bytes,
            },
            peak_bytes: counts.peak_bytes,
        }
    }

    /// Adds the counts of a row of the same stack.
    fn add(&mut self, other: &Self) {
        self.tally += other.tally;
        self.smallest = smallest(self.smallest, other.smallest);
        self.largest = self.largest.max(other.largest);
        self.kept += other.kept;
        self.peak_bytes += other.peak_bytes;
    }
}

impl AddAssign for KeptBlocks {
    fn add_assign(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.bytes += other.bytes;
    }
}

impl Window {
    /// Runs `f` and returns the allocations meanwhile, as [`measure`](Self::measure) does, and
    /// what each call stack did of them.
    ///
    /// The stack of each operation is unwound, which takes about 200 ns a frame. The sites
    /// allocate uncounted, so that an outer window has it in [`Measured::uncounted`]. One such
    /// window can be open on a thread, and one of the process. Operations of a signal handler
    /// that interrupts a capture are counted without a stack.
    ///
    /// ```
    /// use counting_alloc::{CountingAlloc, Sites, Window};
    ///
    /// #[global_allocator]
    /// static ALLOC: CountingAlloc = CountingAlloc::system();
    ///
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// # if !Sites::AVAILABLE { return Ok(()); }
    /// let (measured, sites) = Window::thread().with_peak().measure_sites(|| {
    ///     drop(std::hint::black_box(vec![0_u8; 8]));
    ///     (0..3).map(|_| vec![0_u8; 100]).collect::<Vec<_>>()
    /// })?;
    /// assert_eq!(sites.tally(), measured.tally);
    /// let row = sites.rows.iter().find(|row| row.tally.allocs == 3).unwrap();
    /// assert_eq!((row.tally.bytes, row.kept.blocks), (300, 3));
    /// assert!(row.stack.as_ref().unwrap().len() > 3);
    /// assert_eq!(Some(sites.peak_bytes() as u64), measured.peak_bytes);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`measure`](Self::measure); [`MeasureError::NoSites`] where stacks can't be captured,
    /// and [`MeasureError::SitesOpen`] when such a window is open already.
    pub fn measure_sites<T>(
        self,
        f: impl FnOnce() -> T,
    ) -> Result<(Measured<T>, Sites), MeasureError> {
        if !Sites::AVAILABLE {
            return Err(MeasureError::NoSites);
        }
        let here = MaybeUninit::<usize>::uninit();
        let opener = black_box(here.as_ptr()).addr();
        let window = self.capturing();
        let trace = window.trace();
        let capture = match window.scope() {
            Scope::Process => Some(Capture::of_process(opener)?),
            Scope::Thread => None,
        };
        let open = Open::new(window, trace.as_ref())?;
        let capture = match capture {
            Some(capture) => capture,
            // Later than for the process: now the thread has a block.
            None => Capture::of_thread(opener)?,
        };
        let value = f();
        if window.scope() == Scope::Thread {
            capture.stop();
        }
        let closed = open.close()?;
        capture.stop();
        let measured = closed.measured(value, trace.as_ref().map(Trace::operations));
        let mut sites = capture.sites().ok_or(MeasureError::NoSites)?;
        if measured.peak_bytes.is_none() {
            // The window kept no peak.
            sites.before_peak_bytes = None;
        }
        Ok((measured, sites))
    }
}

/// Captures the stacks of the calling thread or of the process, until it is dropped.
#[derive(Debug)]
enum Capture {
    Thread(&'static Block),
    Process,
}

impl Capture {
    /// `opener` is an address in a frame that stays until the capture is dropped.
    fn of_thread(opener: usize) -> Result<Self, MeasureError> {
        let block = own_block().ok_or(MeasureError::ThreadEnded)?;
        // SAFETY: it is the block of this thread.
        if !unsafe { block.sites.open(opener) } {
            return Err(MeasureError::SitesOpen);
        }
        block.main.raise(Flags::SITES);
        Ok(Self::Thread(block))
    }

    /// The operations of the process are captured while a window keeps its peak as well.
    fn of_process(opener: usize) -> Result<Self, MeasureError> {
        let is_open = SHARED.open(opener);
        is_open
            .then_some(Self::Process)
            .ok_or(MeasureError::SitesOpen)
    }

    /// Captures no more operations.
    fn stop(&self) {
        match self {
            Self::Thread(block) => block.main.lower(Flags::SITES),
            Self::Process => SHARED.stop(),
        }
    }

    /// What was captured, allocated uncounted, after it has stopped. `None` in a child that was
    /// forked inside of the window, while another thread captured.
    fn sites(&self) -> Option<Sites> {
        uncounted(|| match self {
            // SAFETY: it is the block of this thread, in an excluded region.
            Self::Thread(block) => unsafe { block.sites.read(Sites::new) },
            Self::Process => SHARED.with(|table| Sites::new(table, SHARED.missed())),
        })
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.stop();
        match self {
            // SAFETY: it is the block of this thread.
            Self::Thread(block) => unsafe { block.sites.close() },
            Self::Process => SHARED.close(),
        }
    }
}
