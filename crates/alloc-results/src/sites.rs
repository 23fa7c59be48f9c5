//! [`SitesRecord`]: the readings of a scenario by the call stack of each operation.
//! [`read_streams`](crate::read_streams) refuses sites that don't add up.

use crate::reading::Counts;

#[cfg(feature = "read")]
use crate::json::FromJson;
#[cfg(feature = "read")]
use crate::json::input::{Input, JsonError};
use crate::json::{ToJson, object};

/// The readings of a scenario by call stack. Rows add up exactly, field by field, to the
/// readings that they divide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SitesRecord {
    /// The stacks that rows name by index.
    pub stacks: Stacks,
    /// The first, cold call.
    pub first: SampleSites,
    /// For each of the scenario's samples, in order: its reading times its number of
    /// iterations, by stack; `null` for a sample that is one of the others.
    pub samples: Vec<Option<SampleSites>>,
    /// All samples together that have no rows of their own, because the scenario has too many
    /// samples; absent if there are none.
    pub others: Option<SampleSites>,
    /// The number of operations whose stack was first taken for another one. Absent unless
    /// every stack was unwound to check that.
    pub mismatches: Option<u64>,
}

/// Call stacks: return addresses, innermost first, each minus the address of the
/// [anchor](crate::ExecutableRecord::anchor), wrapping around.
///
/// Each is written as an array of the number of its outermost addresses that are those of the
/// stack before it, and the addresses further in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stacks(pub Vec<Vec<i64>>);

/// The most return addresses of all stacks together that are read: a short text can stand for
/// many.
#[cfg(feature = "read")]
const MOST_ADDRESSES: usize = 1 << 24;

/// The rows that add up to the reading of one call, or of all iterations with one reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleSites {
    /// A row for each stack with operations or blocks.
    pub rows: Vec<SiteRow>,
    /// The blocks from before each iteration. Absent where live blocks were not followed; then
    /// what rows keep is 0.
    pub before: Option<BeforeRow>,
}

/// What was done at one stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteRow {
    /// The index of the stack; `null` for all further stacks, which did not fit the memory of
    /// the capture.
    pub stack: Option<usize>,
    /// The operations.
    pub counts: Counts,
    /// The smallest size that was requested here, by a reallocation its new size; 0 without a
    /// request.
    pub smallest: u64,
    /// The largest size that was requested here; 0 without a request.
    pub largest: u64,
    /// The blocks that were made here in an iteration, and were live at its end.
    pub kept_blocks: i64,
    /// Their bytes.
    pub kept_bytes: i64,
    /// The bytes of blocks that were made here in an iteration, and were live at its peak.
    pub peak_bytes: u64,
}

/// The change of the blocks that were live before an iteration: negative if it freed them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BeforeRow {
    /// The change until its end.
    pub kept_blocks: i64,
    /// The change of their bytes until its end.
    pub kept_bytes: i64,
    /// The change of their bytes until its peak. `null` where the live blocks at the peak are
    /// not known; then they are 0 in rows.
    pub peak_bytes: Option<i64>,
}

impl ToJson for Stacks {
    fn write(&self, out: &mut String) {
        let mut before: &[i64] = &[];
        let stacks = self.0.iter().map(|stack| {
            let outermost = stack.iter().rev().zip(before.iter().rev());
            let shared = outermost.take_while(|(one, other)| one == other).count();
            before = stack;
            let own = &stack[..stack.len() - shared];
            [&[shared as i64], own].concat()
        });
        stacks.collect::<Vec<_>>().write(out);
    }
}

#[cfg(feature = "read")]
impl FromJson for Stacks {
    fn blank() -> Self {
        Self::default()
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        let mut left = MOST_ADDRESSES;
        input.array(&mut |input| {
            let mut stack = Vec::<i64>::blank();
            stack.read_into(input)?;
            let before = self.0.last().map_or(&[][..], |before| before);
            let shared = stack
                .first()
                .and_then(|&shared| usize::try_from(shared).ok());
            let at = shared.and_then(|shared| before.len().checked_sub(shared));
            let Some(at) = at else {
                return Err(input.error("a stack shares addresses that the one before lacks"));
            };
            stack.remove(0);
            stack.extend_from_slice(&before[at..]);
            let Some(fewer) = left.checked_sub(stack.len()) else {
                return Err(input.error("too many return addresses"));
            };
            left = fewer;
            self.0.push(stack);
            Ok(())
        })
    }
}

object!(SitesRecord {
    "stacks" Required stacks,
    "first" Required first,
    "samples" Required samples,
    "others" Omitted others,
    "mismatches" Omitted mismatches,
});

object!(SampleSites { "rows" Required rows, "before" Omitted before });

// Most fields of most rows are zero.
object!(SiteRow = Self::default() => {
    "stack" Required stack,
    "allocs" Omitted counts.allocs,
    "reallocs" Omitted counts.reallocs,
    "deallocs" Omitted counts.deallocs,
    "bytes" Omitted counts.bytes,
    "freed-bytes" Omitted counts.freed_bytes,
    "smallest" Omitted smallest,
    "largest" Omitted largest,
    "kept-blocks" Omitted kept_blocks,
    "kept-bytes" Omitted kept_bytes,
    "peak-bytes" Omitted peak_bytes,
});

object!(BeforeRow = Self::default() => {
    "kept-blocks" Required kept_blocks,
    "kept-bytes" Required kept_bytes,
    "peak-bytes" Optional peak_bytes,
});
