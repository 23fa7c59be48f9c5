//! Converts our counts into the values of each oracle. The documentation of each
//! function says where the definitions differ.
//!
//! A conversion uses our counts and the sizes that a
//! [`Recorder`](crate::recorder::Recorder) saw above our counter. Some oracles sum
//! sizes that a tally does not keep: the whole size of a reallocation, or the size of
//! a refused request.

use counting_alloc::Tally;

use crate::operation::Threads;
use crate::values::{FIELDS, Values};

/// The name of the peak in every conversion.
pub const PEAK: &str = "peak";

/// Our counts of one operation, as our program printed them.
#[derive(Clone, Debug)]
pub struct OurCounts {
    /// The tally of the process.
    pub tally: Tally,
    /// The peak of the thread that ran the operation.
    pub peak: i128,
    /// The threads that allocated.
    pub threads: Threads,
    recorded: Values,
}

impl OurCounts {
    /// The counts in the values of the program with counting-alloc; `None` if one is missing.
    #[must_use]
    pub fn from_values(values: &Values, threads: Threads) -> Option<Self> {
        let mut tally = Tally::ZERO;
        for (name, field) in FIELDS {
            *field(&mut tally) = values.get(&format!("tally.{name}"))?.try_into().ok()?;
        }
        Some(Self {
            tally,
            peak: values.get("peak")?,
            threads,
            recorded: values.below("recorded."),
        })
    }

    fn recorded(&self, name: &str) -> i128 {
        match self.recorded.get(name) {
            Some(number) => number,
            None => panic!("the recorder has no value called `{name}`"),
        }
    }

    /// Our bytes where a reallocation is a further block of its whole new size. A tally keeps
    /// only the bytes by which it grew.
    fn whole_bytes(&self) -> i128 {
        i128::from(self.tally.bytes)
            + self.recorded("realloc_larger.old")
            + self.recorded("realloc_smaller.new")
            + self.recorded("realloc_equal.new")
    }

    /// All blocks and live ones, as dhat-rs and valgrind's DHAT count them: a
    /// reallocation is a further block of its whole new size.
    fn blocks_and_bytes(&self, live_blocks: &str, live_bytes: &str) -> Values {
        let tally = &self.tally;
        Values::new([
            ("total_blocks", i128::from(tally.allocs)),
            ("total_bytes", self.whole_bytes()),
            (live_blocks, i128::from(tally.net_blocks())),
            (live_bytes, i128::from(tally.net_bytes())),
        ])
    }

    /// The peak, if the thread's peak is the peak of the process.
    fn process_peak(&self) -> Values {
        let peak = match self.threads {
            Threads::One => Some((PEAK, self.peak)),
            Threads::Several => None,
        };
        Values::new(peak)
    }
}

/// The recorder has a value for every field of the tally.
#[must_use]
pub fn recorder(ours: &OurCounts) -> Values {
    Values::from_tally(&ours.tally)
}

/// The values of the recorder for the same run, with the names of [`recorder`].
/// They define the fields of a tally.
#[must_use]
pub fn reported_by_recorder(ours: &OurCounts) -> Values {
    let seen = |name: &str| ours.recorded(name);
    let blocks = seen("alloc") + seen("alloc_zeroed");
    let reallocs = seen("realloc_larger") + seen("realloc_smaller") + seen("realloc_equal");
    let added = seen("realloc_larger.new") - seen("realloc_larger.old");
    let removed = seen("realloc_smaller.old") - seen("realloc_smaller.new");
    Values::new([
        ("allocs", blocks + reallocs),
        ("reallocs", reallocs),
        ("deallocs", seen("dealloc")),
        (
            "bytes",
            seen("alloc.new") + seen("alloc_zeroed.new") + added,
        ),
        ("freed_bytes", seen("dealloc.old") + removed),
        ("failed", seen("refused_alloc") + seen("refused_realloc")),
    ])
}

/// dhat-rs counts after success, like us, and counts a reallocation as a further
/// block of its whole new size: `total_blocks` is our `allocs`, and `total_bytes` is the sizes
/// of new blocks and the whole sizes of reallocations. Live blocks and bytes are the same in both definitions, and so is
/// the peak if only one thread allocates.
#[must_use]
pub fn dhat(ours: &OurCounts) -> Values {
    ours.blocks_and_bytes("curr_blocks", "curr_bytes")
        .and(ours.process_peak())
}

/// valgrind's DHAT replaces C's `malloc`, below the system's allocator, and counts
/// like dhat-rs, which is modelled on it. There are two differences:
///
/// - C has no `realloc` with an alignment. The system's allocator makes an
///   allocation, a copy and a deallocation instead. In the totals that is one block
///   of the whole size, like a reallocation; but both blocks are live for a moment,
///   so the peak is not comparable.
/// - DHAT also counts the blocks that C code takes from `malloc`. The reader of its
///   output excludes them by their call stacks, but they may determine the moment of
///   the peak: it is not comparable if there are any. `c_blocks` is their number.
#[must_use]
pub fn valgrind(ours: &OurCounts, c_blocks: i128) -> Values {
    let totals = ours.blocks_and_bytes("end_blocks", "end_bytes");
    match (c_blocks, ours.recorded("realloc_by_copy")) {
        (0, 0) => totals.and(ours.process_peak()),
        _ => totals,
    }
}

/// A line for each value that differs or that only one side has. A peak that is
/// reported but not converted is not comparable, and is no disagreement.
#[must_use]
pub fn disagreements(converted: &Values, reported: &Values) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, ours) in converted.iter() {
        match reported.get(name) {
            Some(theirs) if theirs == ours => {}
            Some(theirs) => lines.push(format!("{name}: converted {ours}, reported {theirs}")),
            None => lines.push(format!("{name}: converted {ours}, not reported")),
        }
    }
    for (name, theirs) in reported.iter() {
        if name != PEAK && converted.get(name).is_none() {
            lines.push(format!("{name}: reported {theirs}, not converted"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(number: i128) -> Values {
        Values::new([("blocks", number)])
    }

    #[test]
    fn a_value_that_one_side_lacks_is_a_disagreement() {
        let none = Values::default();
        assert_eq!(
            disagreements(&values(0), &none),
            ["blocks: converted 0, not reported"]
        );
        assert_eq!(
            disagreements(&none, &values(0)),
            ["blocks: reported 0, not converted"]
        );
    }

    #[test]
    fn only_a_peak_may_be_reported_and_not_converted() {
        let peak = Values::new([(PEAK, 7)]);
        assert_eq!(disagreements(&Values::default(), &peak), [""; 0]);
        assert_eq!(
            disagreements(&peak, &Values::default()),
            ["peak: converted 7, not reported"]
        );
    }
}
