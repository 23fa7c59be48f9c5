//! Replay: the allocations of a real program, in their order, with their sizes and
//! lifetimes.
//!
//! They were recorded once, by a global allocator around `CountingAlloc` that kept the calls of
//! the program's thread; the counts of `CountingAlloc` are in the heads of the traces. They stay
//! as they are when the program changes. A zeroed block is replayed as any other.

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::heap::{Heap, Memory};
use crate::report::Report;
use crate::request::layout;
use crate::subject::Subject;
use crate::suite::{Plan, SubjectSuite};

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
    const fn text(self) -> &'static str {
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
    /// A block of this size and alignment is taken, and goes to the end of the list.
    Take(u32, u16),
    /// The block of this index gets this size.
    Resize(u32, u32),
    /// The block of this index is given back.
    Give(u32),
}

impl Event {
    /// The bytes that it requests; none if it gives a block back.
    #[must_use]
    pub fn requested(self) -> Option<usize> {
        match self {
            Self::Take(size, _) | Self::Resize(_, size) => Some(size as usize),
            Self::Give(_) => None,
        }
    }
}

/// The events of a program, which gives every block back.
///
/// Its text has one on each line: `+SIZE ALIGN` takes a block, `=INDEX SIZE` resizes one,
/// and `-INDEX` gives one back. Lines that begin with `#` are comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The events in order.
    pub events: Vec<Event>,
    /// The most blocks that are live at once.
    pub peak_blocks: usize,
    /// The most bytes that are live at once, as requested.
    pub peak_bytes: u64,
}

impl Trace {
    /// Reads a text; panics at a line that no trace has.
    fn new(text: &str) -> Self {
        let mut trace = Self::default();
        // The sizes of live blocks.
        let mut live = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let event = event(line).unwrap_or_else(|| panic!("wrong line of a trace: {line}"));
            trace.events.push(event);
            match event {
                Event::Take(size, _) => live.push(size),
                Event::Resize(index, size) => live[index as usize] = size,
                Event::Give(index) => {
                    live.swap_remove(index as usize);
                }
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
        ("+", &[size @ (1..), align]) => Event::Take(size, u16::try_from(align).ok()?),
        ("=", &[index, size @ (1..)]) => Event::Resize(index, size),
        ("-", &[index]) => Event::Give(index),
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
        let block = match *event {
            Event::Take(size, align) => {
                heap.take(layout(size as usize, usize::from(align)), &mut report)
            }
            Event::Resize(index, size) => heap.resize(index as usize, size as usize, &mut report),
            Event::Give(index) => {
                heap.give_and_swap(index as usize);
                continue;
            }
        };
        let Some(mut block) = block else {
            break;
        };
        block.touch(Memory::Touched);
    }
    heap.give_all();
    report
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
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
            let values = [report.requests, report.requested_bytes, trace.peak_bytes];
            report.found(values.map(|n| n as i64))
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_has_the_sums_of_its_events() {
        // 100 bytes and 16; 116 become 316, and 300 when the second block is given back;
        // then the last block has index 0.
        let trace = Trace::new("# a comment\n+100 1\n+16 8\n=0 300\n-1\n+8 4\n-0\n-0\n");
        let [take, resize] = [Event::Take(16, 8), Event::Resize(0, 300)];
        assert_eq!(
            (trace.events.len(), &trace.events[1..3]),
            (7, &[take, resize][..])
        );
        assert_eq!((trace.peak_blocks, trace.peak_bytes), (2, 316));
    }

    #[test]
    fn the_traces_have_the_counts_of_their_heads() {
        for recording in Recording::ALL {
            let (text, trace) = (recording.text(), recording.trace());
            let count = |is: fn(&Event) -> bool| trace.events.iter().filter(|one| is(one)).count();
            let allocs = count(|event| matches!(event, Event::Take(..)));
            let reallocs = count(|event| matches!(event, Event::Resize(..)));
            let deallocs = count(|event| matches!(event, Event::Give(..)));
            let peak_bytes = trace.peak_bytes;
            let counted = format!(
                "# counted: {allocs} allocations, {reallocs} reallocations, {deallocs} \
                 deallocations, at most {peak_bytes} bytes live\n"
            );
            assert!(text.contains(&counted), "{recording}: {counted}");
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
