//! Replay: the allocations of a real program, in their order, with their sizes and
//! lifetimes.
//!
//! They were recorded once, by a global allocator around `CountingAlloc` that kept the calls of
//! the program's thread; the counts of `CountingAlloc` are in the heads of the traces. They stay
//! as they are when the program changes. A zeroed block is replayed as any other.

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::entry::Need;
use crate::heap::{Heap, Memory};
use crate::plan::Plan;
use crate::registration::{CHECK, SubjectSuite, Workload, checks};
use crate::report::{REQUESTS, Report};
use crate::request::layout;
use crate::subject::Subject;
use crate::workload::pattern;

const EVENTS_BETWEEN_SEARCHES: usize = 1_000;

axis_values! {
    /// A recorded program.
    pub enum Recording {
        /// `alloc_gate::Config::parse` with the gates.toml of this repository.
        Rules = "rules",
        /// `serde_json::from_str` of the JSON schema of gates.toml, to a tree of values.
        Json = "json",
    }
}

impl Recording {
    /// The text of its trace.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Rules => include_str!("replay/rules.trace"),
            Self::Json => include_str!("replay/json.trace"),
        }
    }

    /// Its trace.
    #[must_use]
    pub fn trace(self) -> Trace {
        Trace::new(self.text())
    }
}

/// An event of a trace. Blocks are named by their index in the list of live ones, in which
/// the last block takes the place of one that is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A block is taken, and goes to the end of the list.
    Take {
        /// Its size in bytes.
        size: u32,
        /// Its alignment in bytes.
        align: u16,
    },
    /// A block gets another size.
    Resize {
        /// The block.
        index: u32,
        /// Its new size in bytes.
        size: u32,
    },
    /// A block is given back.
    Give {
        /// The block.
        index: u32,
    },
}

/// The events of a program, which gives every block back.
///
/// Its text has one on each line: `+SIZE ALIGN` takes a block, `=INDEX SIZE` resizes one,
/// and `-INDEX` gives one back. Lines that begin with `#` are comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The events in order.
    pub events: Vec<Event>,
    /// How many blocks are taken or resized.
    pub requests: u64,
    /// The bytes of these requests; a resize requests its new size.
    pub requested_bytes: u64,
    /// The most blocks that are live at once.
    pub peak_blocks: usize,
    /// The most bytes that are live at once, as requested.
    pub peak_bytes: u64,
}

impl Trace {
    /// Reads a text; panics at a line that no trace has.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut trace = Self {
            events: Vec::new(),
            requests: 0,
            requested_bytes: 0,
            peak_blocks: 0,
            peak_bytes: 0,
        };
        // The sizes of live blocks.
        let mut live = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let event = event(line).unwrap_or_else(|| panic!("wrong line of a trace: {line}"));
            trace.events.push(event);
            match event {
                Event::Take { size, .. } => live.push(size),
                Event::Resize { index, size } => live[index as usize] = size,
                Event::Give { index } => {
                    live.swap_remove(index as usize);
                }
            }
            if let Event::Take { size, .. } | Event::Resize { size, .. } = event {
                trace.requests += 1;
                trace.requested_bytes += u64::from(size);
            }
            trace.peak_blocks = trace.peak_blocks.max(live.len());
            let bytes = live.iter().map(|&size| u64::from(size)).sum();
            trace.peak_bytes = trace.peak_bytes.max(bytes);
        }
        assert!(live.is_empty(), "a trace does not give all blocks back");
        trace
    }
}

/// The event of a line; none if it is malformed.
fn event(line: &str) -> Option<Event> {
    let (kind, numbers) = line.split_at_checked(1)?;
    let numbers = numbers.split(' ').map(|number| number.parse().ok());
    let numbers: Vec<u32> = numbers.collect::<Option<_>>()?;
    Some(match (kind, &numbers[..]) {
        ("+", &[size @ (1..), align]) => Event::Take {
            size,
            align: u16::try_from(align).ok()?,
        },
        ("=", &[index, size @ (1..)]) => Event::Resize { index, size },
        ("-", &[index]) => Event::Give { index },
        _ => return None,
    })
}

/// Replays the events. It ends at the first refusal. Blocks are touched when they were
/// taken or resized.
///
/// An arena gives no block back before the end, so that it needs room for all of them.
#[inline(never)]
pub fn replay<S: Subject>(heap: &mut Heap<S>, trace: &Trace) -> Report {
    let mut report = Report::default();
    for event in &trace.events {
        match *event {
            Event::Take { size, align } => {
                let layout = layout(size as usize, usize::from(align));
                let Some(mut block) = heap.take(layout, &mut report) else {
                    break;
                };
                block.touch(Memory::Touched);
            }
            Event::Resize { index, size } => {
                let index = index as usize;
                if heap.resize(index, size as usize, &mut report).is_none() {
                    break;
                }
                heap.block(index).touch(Memory::Touched);
            }
            Event::Give { index } => heap.give_and_swap(index as usize),
        }
    }
    heap.give_all();
    report
}

/// The same with contents, which are verified when a block is resized or given back. Every
/// 1,000 events, live blocks that overlap are counted.
pub fn replay_filled<S: Subject>(heap: &mut Heap<S>, trace: &Trace) -> Report {
    let mut report = Report::default();
    for (number, event) in (1..).zip(&trace.events) {
        match *event {
            Event::Take { size, align } => {
                let layout = layout(size as usize, usize::from(align));
                let Some(mut block) = heap.take(layout, &mut report) else {
                    break;
                };
                block.fill(pattern(number));
            }
            Event::Resize { index, size } => {
                let resized = heap.resize_filled(index as usize, size as usize, &mut report);
                if resized.is_none() {
                    break;
                }
            }
            Event::Give { index } => {
                heap.verify(index as usize, &mut report);
                heap.give_and_swap(index as usize);
            }
        }
        if number % EVENTS_BETWEEN_SEARCHES == 0 {
            report.overlapping += heap.overlapping();
        }
    }
    heap.give_all();
    report
}

pub(crate) struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.found(
            "replay",
            &[],
            Plan::SHORT,
            &[
                ("requests", Unit::Count),
                ("requested-bytes", Unit::Bytes),
                ("peak-live-bytes", Unit::Bytes),
            ],
            |b| {
                b.axis("trace", Recording::ALL)
                    .elements(|&(_, recording)| recording.trace().events.len())
            },
            |open, &(_, recording)| {
                let trace = recording.trace();
                (open.heap(trace.peak_blocks), trace)
            },
            |(heap, trace)| {
                let report = replay(heap, trace);
                let figures = [report.requests, report.requested_bytes, trace.peak_bytes];
                report.found(figures.map(|n| n as i64))
            },
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        for recording in Recording::ALL {
            suite.found(
                CHECK,
                &[Need::Memory],
                Plan::COUNTS,
                REQUESTS,
                checks(&format!("replay-{recording}")),
                move |open, _| {
                    let trace = recording.trace();
                    (open.heap(trace.peak_blocks), trace)
                },
                |(heap, trace)| replay_filled(heap, trace),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_has_the_sums_of_its_events() {
        // 100 bytes and 16; 116 become 316, and 300 when the second block is given back;
        // then the last block has index 0.
        let text = "# a comment\n+100 1\n+16 8\n=0 300\n-1\n+8 4\n-0\n-0\n";
        let trace = Trace::new(text);
        assert_eq!(trace.events.len(), 7);
        assert_eq!((trace.requests, trace.requested_bytes), (4, 424));
        assert_eq!((trace.peak_blocks, trace.peak_bytes), (2, 316));
        assert_eq!(trace.events[1], Event::Take { size: 16, align: 8 });
        assert_eq!(
            trace.events[2],
            Event::Resize {
                index: 0,
                size: 300
            }
        );
    }

    #[test]
    fn the_traces_have_the_counts_of_their_heads() {
        for recording in Recording::ALL {
            let (text, trace) = (recording.text(), recording.trace());
            let count = |is: fn(&Event) -> bool| trace.events.iter().filter(|one| is(one)).count();
            let allocs = count(|event| matches!(event, Event::Take { .. }));
            let reallocs = count(|event| matches!(event, Event::Resize { .. }));
            let deallocs = count(|event| matches!(event, Event::Give { .. }));
            let peak_bytes = trace.peak_bytes;
            let counted = format!(
                "# counted: {allocs} allocations, {reallocs} reallocations, {deallocs} \
                 deallocations, at most {peak_bytes} bytes live\n"
            );
            assert!(text.contains(&counted), "{recording}: {counted}");
            assert!(text.contains(", optimized, by"), "{recording}");
            assert!(text.len() <= 60_000, "{recording}: {} bytes", text.len());
        }
    }

    #[test]
    fn a_text_that_is_no_trace_is_refused() {
        let cut = "+8 1\n+8 1\n-0\n";
        for text in ["+8\n", "+0 1\n", "+8 1 1\n", "8 1\n", "\n", "-0\n", cut] {
            assert!(std::panic::catch_unwind(|| Trace::new(text)).is_err());
        }
    }
}
