//! The counter's figures in the form of the record, and [`Samples`], the readings of the
//! counted pass.

use alloc_results::{Counts, Mode, Reading, Sample};
use counting_alloc::{Measured, Tally};

/// A measurement as a reading.
pub(crate) fn reading<T>(measured: &Measured<T>) -> Reading {
    Reading {
        counts: counts(measured.tally),
        peak_bytes: measured.peak_bytes,
    }
}

/// The counter's tally in the form of the record.
pub(crate) fn counts(tally: Tally) -> Counts {
    Counts {
        allocs: tally.allocs,
        reallocs: tally.reallocs,
        deallocs: tally.deallocs,
        bytes: tally.bytes,
        freed_bytes: tally.freed_bytes,
    }
}

/// The counter's mode in the form of the record; `None` for one that the form lacks.
pub(crate) fn mode(mode: counting_alloc::Mode) -> Option<Mode> {
    match mode {
        counting_alloc::Mode::Counting => Some(Mode::Counting),
        counting_alloc::Mode::ThreadPeak => Some(Mode::ThreadPeak),
        counting_alloc::Mode::ProcessPeak => Some(Mode::ProcessPeak),
        _ => None,
    }
}

/// The readings of the counted pass. It grows between windows, never inside one.
#[derive(Default)]
pub(crate) struct Samples(Vec<Sample>);

impl Samples {
    pub(crate) fn add(&mut self, reading: Reading) {
        match self.0.last_mut() {
            Some(last) if last.reading == reading => last.times += 1,
            _ => self.0.push(Sample { reading, times: 1 }),
        }
    }

    /// The samples, ascending, with each reading once.
    pub(crate) fn finish(mut self) -> Vec<Sample> {
        self.0.sort_unstable();
        self.0.dedup_by(|later, earlier| {
            let same = later.reading == earlier.reading;
            if same {
                earlier.times += later.times;
            }
            same
        });
        self.0
    }
}
