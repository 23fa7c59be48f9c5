//! How the figures of each oracle follow from ours: one function for each, which
//! says in its documentation where the definitions differ.
//!
//! A conversion gets what we counted and the sizes that a
//! [`Recorder`](crate::recorder::Recorder) saw above our counter. The latter are
//! needed where an oracle adds up what a tally does not keep: the whole size of
//! a reallocation, or the size of a refused request.

use counting_alloc::Tally;

use crate::Figures;
use crate::operation::Threads;

/// The name under which every conversion gives the peak.
pub const PEAK: &str = "peak";

/// What our program printed about one operation.
#[derive(Clone, Debug)]
pub struct Ours {
    /// Of the process.
    pub tally: Tally,
    /// Of the thread that ran the operation.
    pub peak: i128,
    /// Who allocated.
    pub threads: Threads,
    recorded: Figures,
}

impl Ours {
    /// From what `windows::of_the_process` gave; `None` when something is
    /// missing.
    #[must_use]
    pub fn read(figures: &Figures, threads: Threads) -> Option<Self> {
        let number = |name: &str| figures.get(&format!("tally.{name}"))?.try_into().ok();
        Some(Self {
            tally: Tally {
                allocs: number("allocs")?,
                alloc_bytes: number("alloc_bytes")?,
                deallocs: number("deallocs")?,
                dealloc_bytes: number("dealloc_bytes")?,
                grows: number("grows")?,
                grow_bytes: number("grow_bytes")?,
                shrinks: number("shrinks")?,
                shrink_bytes: number("shrink_bytes")?,
                failed: number("failed")?,
            },
            peak: figures.get("peak")?,
            threads,
            recorded: figures.below("recorded."),
        })
    }

    fn recorded(&self, name: &str) -> i128 {
        match self.recorded.get(name) {
            Some(number) => number,
            None => panic!("the recorder has no figure called `{name}`"),
        }
    }

    /// The sum of the sizes that successful reallocations asked for. A tally
    /// keeps by how much they grew or shrank.
    fn reallocated_to(&self) -> i128 {
        self.recorded("realloc_larger.new")
            + self.recorded("realloc_smaller.new")
            + self.recorded("realloc_equal.new")
    }

    /// The peak, where the thread's is the process's.
    fn peak_of_the_process(&self) -> Figures {
        let peak = match self.threads {
            Threads::One => Some((PEAK, self.peak)),
            Threads::Several => None,
        };
        Figures::new(peak)
    }
}

/// The calls above our counter say what every field of the tally has to be; this
/// is the definition of the fields.
#[must_use]
pub fn recorder(ours: &Ours) -> Figures {
    let tally = &ours.tally;
    Figures::new([
        ("allocs", i128::from(tally.allocs)),
        ("alloc_bytes", i128::from(tally.alloc_bytes)),
        ("deallocs", i128::from(tally.deallocs)),
        ("dealloc_bytes", i128::from(tally.dealloc_bytes)),
        ("grows", i128::from(tally.grows)),
        ("grow_bytes", i128::from(tally.grow_bytes)),
        ("shrinks", i128::from(tally.shrinks)),
        ("shrink_bytes", i128::from(tally.shrink_bytes)),
        ("failed", i128::from(tally.failed)),
    ])
}

/// What the recorder reports of the same run, under the names that
/// [`recorder`] uses.
#[must_use]
pub fn reported_by_recorder(ours: &Ours) -> Figures {
    let seen = |name: &str| ours.recorded(name);
    Figures::new([
        ("allocs", seen("alloc") + seen("alloc_zeroed")),
        ("alloc_bytes", seen("alloc.new") + seen("alloc_zeroed.new")),
        ("deallocs", seen("dealloc")),
        ("dealloc_bytes", seen("dealloc.old")),
        ("grows", seen("realloc_larger")),
        (
            "grow_bytes",
            seen("realloc_larger.new") - seen("realloc_larger.old"),
        ),
        ("shrinks", seen("realloc_smaller") + seen("realloc_equal")),
        (
            "shrink_bytes",
            seen("realloc_smaller.old") - seen("realloc_smaller.new"),
        ),
        ("failed", seen("refused_alloc") + seen("refused_realloc")),
    ])
}

/// dhat-rs counts after success, like us, and counts a reallocation as a further
/// block of its whole new size: `total_blocks` are our allocations and
/// reallocations, and `total_bytes` those of allocations and the whole sizes of
/// reallocations. What is live is the same in both definitions, and so is the
/// peak where one thread allocates.
#[must_use]
pub fn dhat(ours: &Ours) -> Figures {
    let tally = &ours.tally;
    Figures::new([
        ("total_blocks", i128::from(tally.alloc_calls())),
        (
            "total_bytes",
            i128::from(tally.alloc_bytes) + ours.reallocated_to(),
        ),
        ("curr_blocks", i128::from(tally.net_blocks())),
        ("curr_bytes", i128::from(tally.net_bytes())),
    ])
    .and(ours.peak_of_the_process())
}

/// stats_alloc counts before the inner allocator is asked, so that a refused
/// request is in its figures: as an allocation or a reallocation, and with the
/// bytes that it would have brought. Otherwise `bytes_allocated` is our `bytes`
/// (a reallocation adds what it grew by), `bytes_deallocated` our `freed-bytes`,
/// and `bytes_reallocated` the difference of what reallocations grew and shrank
/// by. A refused request to shrink does not occur.
#[must_use]
pub fn stats_alloc(ours: &Ours) -> Figures {
    let tally = &ours.tally;
    let refused_growths = ours.recorded("refused_realloc");
    let refused_allocs = i128::from(tally.failed) - refused_growths;
    let refused_growth =
        ours.recorded("refused_realloc.new") - ours.recorded("refused_realloc.old");
    let refused_bytes = ours.recorded("refused_alloc.new") + refused_growth;
    Figures::new([
        ("allocations", i128::from(tally.allocs) + refused_allocs),
        ("deallocations", i128::from(tally.deallocs)),
        (
            "reallocations",
            i128::from(tally.reallocs()) + refused_growths,
        ),
        ("bytes_allocated", i128::from(tally.bytes()) + refused_bytes),
        ("bytes_deallocated", i128::from(tally.freed_bytes())),
        (
            "bytes_reallocated",
            i128::from(tally.grow_bytes) - i128::from(tally.shrink_bytes) + refused_growth,
        ),
    ])
}

/// valgrind's DHAT stands below the system's allocator, and counts like dhat-rs,
/// which was made after it. Two things differ:
///
/// - C has no `realloc` with an alignment. The system's allocator makes an
///   allocation, a copy and a deallocation of it. That is one block and its
///   whole size in the totals, as a reallocation is; but for a moment both
///   blocks are live, so that the peak is not comparable.
/// - What C code takes from `malloc` is counted too. The reader of valgrind's
///   output leaves it out by the call stacks, and the moment of the peak may
///   still be one that C's blocks chose: the peak is not comparable when there
///   are any, of which `c_blocks` is the number.
#[must_use]
pub fn valgrind(ours: &Ours, c_blocks: i128) -> Figures {
    let tally = &ours.tally;
    let totals = Figures::new([
        ("total_blocks", i128::from(tally.alloc_calls())),
        (
            "total_bytes",
            i128::from(tally.alloc_bytes) + ours.reallocated_to(),
        ),
        ("end_blocks", i128::from(tally.net_blocks())),
        ("end_bytes", i128::from(tally.net_bytes())),
    ]);
    match (c_blocks, ours.recorded("realloc_by_copy")) {
        (0, 0) => totals.and(ours.peak_of_the_process()),
        _ => totals,
    }
}

/// What does not agree, one line for each figure. A figure that only one side
/// has is a disagreement, except for a peak that the conversion says is not
/// comparable.
#[must_use]
pub fn disagreements(converted: &Figures, reported: &Figures) -> Vec<String> {
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

    fn figures(number: i128) -> Figures {
        Figures::new([("blocks", number)])
    }

    #[test]
    fn equal_figures_agree_and_a_difference_of_one_does_not() {
        assert_eq!(disagreements(&figures(3), &figures(3)), [""; 0]);
        assert_eq!(
            disagreements(&figures(3), &figures(4)),
            ["blocks: converted 3, reported 4"]
        );
    }

    #[test]
    fn a_figure_that_one_side_lacks_is_a_disagreement() {
        let none = Figures::default();
        assert_eq!(
            disagreements(&figures(0), &none),
            ["blocks: converted 0, not reported"]
        );
        assert_eq!(
            disagreements(&none, &figures(0)),
            ["blocks: reported 0, not converted"]
        );
    }

    #[test]
    fn only_a_peak_may_be_reported_and_not_converted() {
        let peak = Figures::new([(PEAK, 7)]);
        assert_eq!(disagreements(&Figures::default(), &peak), [""; 0]);
        assert_eq!(
            disagreements(&peak, &Figures::default()),
            ["peak: converted 7, not reported"]
        );
    }
}
