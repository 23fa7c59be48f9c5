//! [`Sites`]: the call stacks of windows, and [`SiteCounts`]: what each did.

use std::collections::HashMap;
use std::env;
use std::ops::AddAssign;
use std::sync::Arc;

use crate::sites::platform;
use crate::sites::table::{Counts, Table, smallest};
use crate::tally::Tally;
use crate::threads::uncounted;

/// The variable that makes every [`Sites::new`] a checked one.
const CHECK: &str = "COUNTING_ALLOC_CHECK_SITES";

/// The call stacks of the operations in windows, and their counts since they were last
/// taken. See [`Window::with_sites`](crate::Window::with_sites).
#[derive(Clone, Debug)]
pub struct Sites {
    stacks: Vec<Arc<[usize]>>,
    indices: HashMap<Arc<[usize]>, usize>,
    /// The table of the last window, and the index of each stack of it by its number.
    table: (usize, u32),
    numbers: Vec<Option<usize>>,
    counts: SiteCounts,
    is_checked: bool,
    mismatches: u64,
}

/// The counts of each call stack in windows: rows that add up to the counts of the
/// windows, field by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SiteCounts {
    /// The stacks with operations, or with blocks that were freed, in the order of their
    /// index. The row without a stack comes first, if there is one.
    pub rows: Vec<SiteRow>,
    /// The live blocks that the windows left behind from before they opened, and that
    /// other threads or excluded regions freed: the part of [`Tally::net_blocks`] and
    /// [`Tally::net_bytes`] that is in no row. `None` unless live blocks were kept.
    pub before: Option<KeptBlocks>,
    /// The part of the peak that is in no row. Negative if the window had freed blocks
    /// from before it opened. `None` unless live blocks were kept, and after an operation of a
    /// thread that was ending or of a signal handler that interrupted a capture.
    pub before_peak_bytes: Option<i64>,
}

/// The counts of a call stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SiteRow {
    /// The index of the stack in [`Sites::stacks`]. `None` for operations whose stack was
    /// not kept: there is no room for more than 16,384 stacks, and threads that are ending and
    /// signal handlers that interrupt a capture have none.
    pub stack: Option<usize>,
    /// The operations that this stack did.
    pub tally: Tally,
    /// The smallest requested size in bytes; 0 if there was no request.
    pub smallest: u64,
    /// The largest requested size in bytes; 0 if there was no request.
    pub largest: u64,
    /// The blocks that this stack allocated and that were live when the window closed.
    /// A block that was resized keeps the stack that allocated it. Zero unless live
    /// blocks were kept.
    pub kept: KeptBlocks,
    /// The bytes that this stack allocated and that were live when the live bytes first
    /// reached their peak. Zero unless live blocks were kept.
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
    pub const AVAILABLE: bool = platform::AVAILABLE;

    /// No stacks. If the variable `COUNTING_ALLOC_CHECK_SITES` is set and not empty, as
    /// [`checked`](Self::checked).
    #[must_use]
    pub fn new() -> Self {
        let is_checked = uncounted(|| env::var_os(CHECK).is_some_and(|value| !value.is_empty()));
        Self {
            stacks: Vec::new(),
            indices: HashMap::new(),
            table: (0, 0),
            numbers: Vec::new(),
            counts: SiteCounts::default(),
            is_checked,
            mismatches: 0,
        }
    }

    /// No stacks, for windows that unwind the stack of every operation and compare it
    /// with the one that was recognised. It is slow, and for tests of the recognition.
    #[must_use]
    pub fn checked() -> Self {
        Self {
            is_checked: true,
            ..Self::new()
        }
    }

    /// The stacks of all windows so far: return addresses, innermost first. The first of
    /// them are inside of this crate. At most 512 of a stack are kept.
    #[must_use]
    pub fn stacks(&self) -> &[Arc<[usize]>] {
        &self.stacks
    }

    /// The counts since they were last taken: those of the last window, if they are taken
    /// after each.
    #[must_use]
    pub fn counts(&self) -> &SiteCounts {
        &self.counts
    }

    /// Returns the counts, and begins new ones. The stacks keep their indices.
    pub fn take_counts(&mut self) -> SiteCounts {
        std::mem::take(&mut self.counts)
    }

    /// The number of operations whose stack was recognised as another than it was, if that
    /// is [checked](Self::checked). They are counted at the right one then.
    #[must_use]
    pub fn mismatches(&self) -> u64 {
        self.mismatches
    }

    /// Whether windows unwind the stack of every operation and compare it: of
    /// [`checked`](Self::checked) ones, and with the variable of [`new`](Self::new).
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.is_checked
    }

    /// Adds the window of `table`, and operations without a stack.
    pub(super) fn add(&mut self, table: &Table, missed: Tally) {
        let mut rows = Vec::new();
        let mut rest = SiteRow::new(None, table.rest());
        rest.tally += missed;
        if rest != SiteRow::default() {
            rows.push(rest);
        }
        if self.table != table.id() {
            self.table = table.id();
            self.numbers.clear();
        }
        rows.extend(table.rows().map(|(number, addresses, counts)| {
            let stack = self.known(number, addresses);
            SiteRow::new(Some(stack), counts)
        }));
        rows.sort_unstable_by_key(|row| row.stack);
        let mut counts = SiteCounts {
            rows,
            before: None,
            before_peak_bytes: None,
        };
        let (net, kept) = (counts.tally(), counts.kept());
        counts.before = table.has_live().then(|| KeptBlocks {
            blocks: net.net_blocks() - kept.blocks,
            bytes: net.net_bytes() - kept.bytes,
        });
        let peak = table.peak().filter(|_| missed == Tally::ZERO);
        counts.before_peak_bytes = peak.map(|peak| peak - counts.peak_bytes());
        self.mismatches += table.mismatches();
        if self.counts == SiteCounts::default() {
            self.counts = counts;
        } else {
            self.counts += &counts;
        }
    }

    /// The index of a stack by its number in the last table, which takes no search.
    fn known(&mut self, number: u32, addresses: &[usize]) -> usize {
        let place = number as usize;
        if let Some(&Some(index)) = self.numbers.get(place) {
            return index;
        }
        let index = self.index(addresses);
        if self.numbers.len() <= place {
            self.numbers.resize(place + 1, None);
        }
        self.numbers[place] = Some(index);
        index
    }

    fn index(&mut self, addresses: &[usize]) -> usize {
        if let Some(&index) = self.indices.get(addresses) {
            return index;
        }
        let stack: Arc<[usize]> = addresses.into();
        let index = self.stacks.len();
        self.stacks.push(Arc::clone(&stack));
        self.indices.insert(stack, index);
        index
    }
}

impl Default for Sites {
    fn default() -> Self {
        Self::new()
    }
}

impl SiteCounts {
    /// The operations of all rows: those of the windows.
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
impl AddAssign<&Self> for SiteCounts {
    fn add_assign(&mut self, other: &Self) {
        for row in &other.rows {
            match self.rows.binary_search_by_key(&row.stack, |one| one.stack) {
                Ok(at) => self.rows[at].add(row),
                Err(at) => self.rows.insert(at, *row),
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
    fn new(stack: Option<usize>, counts: Counts) -> Self {
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
