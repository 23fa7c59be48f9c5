//! [`SitesRecord`]: the readings of a scenario by the call stack of each operation.
//! [`read_streams`](crate::read_streams) refuses sites that don't add up.

use crate::json::{ToJson, object, record};
use counting_alloc::Tally;

record! {
    /// The readings of a scenario by call stack. Rows add up exactly, field by field, to the
    /// readings that they divide.
    #[derive(Default)]
    pub struct SitesRecord {
        /// The stacks that rows name by index.
        pub stacks: Stacks,
        /// The first, cold call.
        pub first: SampleSites,
        /// For each of the scenario's samples, in order: its reading times its number of
        /// iterations, by stack; `null` for a sample that is one of the others.
        pub samples: Vec<Option<SampleSites>>,
        /// The iterations that the scenario has without call stacks. It may have fewer with them,
        /// since they take time.
        pub planned: u64,
    } omitted {
        /// All samples together that have no rows of their own, because the scenario has too many
        /// samples; absent if there are none.
        pub others: Option<SampleSites>,
    }
}

/// Call stacks: return addresses, innermost first, each minus the address of the
/// [anchor](crate::EnvironmentRecord::anchor), wrapping around.
///
/// Each is written as an array: how many of its outermost addresses it shares with the stack
/// before it, then the addresses further in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "read",
    derive(serde::Deserialize),
    serde(try_from = "Vec<Vec<i64>>")
)]
pub struct Stacks(pub Vec<Vec<i64>>);

record! {
    /// The rows that add up to the reading of one call, or of all iterations with one reading.
    #[derive(Default)]
    pub struct SampleSites {
        /// A row for each stack with operations or blocks.
        pub rows: Vec<SiteRow>,
    } omitted {
        /// The blocks from before each iteration. Absent where live blocks were not followed; then
        /// what rows keep is 0.
        pub before: Option<BeforeRow>,
    }
}

/// What was done at one stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "read",
    derive(serde::Deserialize),
    serde(from = "read::RowLine")
)]
pub struct SiteRow {
    /// The index of the stack; `null` for all further stacks, which did not fit the memory of
    /// the capture.
    pub stack: Option<usize>,
    /// The operations.
    pub counts: Tally,
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

record! {
    /// The change of the blocks that were live before an iteration: negative if it freed them.
    #[derive(Copy, Default)]
    pub struct BeforeRow {
        /// The change until its end.
        pub kept_blocks: i64,
        /// The change of their bytes until its end.
        pub kept_bytes: i64,
        /// The change of their bytes until its peak. `null` where the live blocks at the peak are
        /// not known; then they are 0 in rows.
        pub peak_bytes: Option<i64>,
    }
}

/// Most values of most rows are zero.
impl ToJson for SiteRow {
    fn write(&self, out: &mut String) {
        let Self { counts, .. } = self;
        object(
            out,
            &[("stack", &self.stack)],
            &[
                ("allocs", &counts.allocs),
                ("reallocs", &counts.reallocs),
                ("deallocs", &counts.deallocs),
                ("bytes", &counts.bytes),
                ("freed_bytes", &counts.freed_bytes),
                ("smallest", &self.smallest),
                ("largest", &self.largest),
                ("kept_blocks", &self.kept_blocks),
                ("kept_bytes", &self.kept_bytes),
                ("peak_bytes", &self.peak_bytes),
            ],
        );
    }
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

/// What rows are read from.
#[cfg(feature = "read")]
mod read {
    use serde::Deserialize;

    use super::{SiteRow, Stacks};
    use counting_alloc::Tally;

    /// The most return addresses of all stacks together: a short text can stand for many.
    const MOST_ADDRESSES: usize = 1 << 24;

    /// A row as it is written: values that are zero are omitted.
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "kebab-case", default)]
    pub(super) struct RowLine {
        stack: Option<usize>,
        allocs: u64,
        reallocs: u64,
        deallocs: u64,
        bytes: u64,
        freed_bytes: u64,
        smallest: u64,
        largest: u64,
        kept_blocks: i64,
        kept_bytes: i64,
        peak_bytes: u64,
    }

    impl From<RowLine> for SiteRow {
        fn from(line: RowLine) -> Self {
            Self {
                stack: line.stack,
                counts: Tally {
                    allocs: line.allocs,
                    reallocs: line.reallocs,
                    deallocs: line.deallocs,
                    bytes: line.bytes,
                    freed_bytes: line.freed_bytes,
                    ..Tally::ZERO
                },
                smallest: line.smallest,
                largest: line.largest,
                kept_blocks: line.kept_blocks,
                kept_bytes: line.kept_bytes,
                peak_bytes: line.peak_bytes,
            }
        }
    }

    impl TryFrom<Vec<Vec<i64>>> for Stacks {
        type Error = &'static str;

        fn try_from(written: Vec<Vec<i64>>) -> Result<Self, &'static str> {
            let mut left = MOST_ADDRESSES;
            let mut stacks: Vec<Vec<i64>> = Vec::with_capacity(written.len());
            for mut stack in written {
                let before = stacks.last().map_or(&[][..], |before| before);
                let shared = stack
                    .first()
                    .and_then(|&shared| usize::try_from(shared).ok());
                let at = shared
                    .and_then(|shared| before.len().checked_sub(shared))
                    .ok_or("a stack shares addresses that the one before lacks")?;
                stack.remove(0);
                stack.extend_from_slice(&before[at..]);
                left = left
                    .checked_sub(stack.len())
                    .ok_or("too many return addresses")?;
                stacks.push(stack);
            }
            Ok(Self(stacks))
        }
    }
}
