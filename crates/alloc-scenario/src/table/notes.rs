//! [`Note`]: footnotes of the table about what the figures of a record leave out or lack.

use std::fmt::Write;

use alloc_results::{Counts, Outside, ScenarioRecord, Scope, integer};

/// A footnote about what a record's figures leave out or lack.
pub(super) struct Note {
    pub(super) mark: char,
    pub(super) text: &'static str,
    /// What the counted pass left out, and what the first call did.
    left_out: fn(&ScenarioRecord) -> [Option<String>; 2],
}

pub(super) const NOTES: [Note; 3] = [
    Note {
        mark: '†',
        text: "other threads allocated meanwhile, which is not in the table; \
               `scope(Scope::Process)` counts them",
        left_out: |record| {
            if record.scope == Scope::Process {
                return [None, None];
            }
            [
                operations(&record.foreign),
                outside(record, |outside| operations(&outside.foreign_first)),
            ]
        },
    },
    Note {
        mark: '‡',
        text: "`uncounted` excluded operations, which are not in the table",
        left_out: |record| {
            [
                outside(record, |outside| operations(&outside.uncounted)),
                outside(record, |outside| operations(&outside.uncounted_first)),
            ]
        },
    },
    Note {
        mark: '§',
        text: "threads were still running a tenth of a second after the iteration in which \
               they began, so the counts can be too low; call `join()` in the iteration, or \
               start the threads before it",
        left_out: |record| {
            [
                outside(record, |outside| threads(outside.still_running)),
                outside(record, |outside| threads(outside.still_running_first)),
            ]
        },
    },
];

impl Note {
    /// A line for each pass in which something was left out.
    pub(super) fn lines(&self, record: &ScenarioRecord) -> Vec<String> {
        let iterations = format!("{} iterations", integer(record.iterations.into()));
        let passes = [iterations.as_str(), "the first call"];
        let left_out = (self.left_out)(record).into_iter().zip(passes);
        let lines = left_out.filter_map(|(left_out, pass)| {
            Some(format!("  - {}: {} in {pass}", record.name, left_out?))
        });
        lines.collect()
    }
}

fn outside<T>(record: &ScenarioRecord, of: impl Fn(&Outside) -> Option<T>) -> Option<T> {
    of(&record.outside)
}

/// The calls, such as `3 allocs, 2 deallocs`; `None` if there are none.
fn operations(counts: &Counts) -> Option<String> {
    let mut text = format!("{} allocs", integer(counts.allocs.into()));
    if counts.reallocs > 0 {
        let _ = write!(text, ", {} reallocs", integer(counts.reallocs.into()));
    }
    let _ = write!(text, ", {} deallocs", integer(counts.deallocs.into()));
    (!counts.is_zero()).then_some(text)
}

fn threads(still_running: u64) -> Option<String> {
    let plural = if still_running == 1 { "" } else { "s" };
    (still_running > 0).then(|| format!("{} thread{plural}", integer(still_running.into())))
}
