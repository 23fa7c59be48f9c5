//! [`Capture`]: the call stacks of the windows of a thread, and [`SiteSums`]: what was done
//! at each of them in the first call and in the counted pass.

use std::collections::HashMap;
use std::sync::Arc;

use alloc_results::{BeforeRow, Reading, Sample, SampleSites, SiteRow, SitesRecord, Stacks};
use counting_alloc::{MeasureError, Measured, SiteCounts, Sites, Window};

use crate::anchor::anchor;
use crate::body::Called;
use crate::passes::Pass;

/// Captures the call stacks of windows, which are the only ones that are open on the thread
/// or in the process.
pub(crate) struct Capture {
    sites: Sites,
    /// The indices of its stacks in the sums.
    indices: Vec<usize>,
    /// Whether the last window kept a peak.
    has_peak: bool,
    /// The mismatches that are in the sums.
    mismatches: u64,
}

impl Capture {
    pub(crate) fn new() -> Self {
        Self {
            sites: Sites::new(),
            indices: Vec::new(),
            has_peak: false,
            mismatches: 0,
        }
    }

    /// Runs `f` in the window.
    pub(crate) fn measure(
        &mut self,
        window: Window,
        f: &mut dyn FnMut(),
    ) -> Result<Measured<()>, MeasureError> {
        let window = window.with_sites(&mut self.sites).with_live_blocks();
        let measured = window.measure(f)?;
        self.has_peak = measured.peak_bytes.is_some();
        Ok(measured)
    }
}

/// Runs `call`, which opens a window, and captures the stacks in an outer window. The
/// measurement is that of the outer window, to which the stacks add up.
pub(crate) fn capture(
    capture: &mut Capture,
    window: Window,
    call: &mut dyn FnMut() -> Result<Called, MeasureError>,
) -> Result<Called, MeasureError> {
    let mut called = None;
    let outer = capture.measure(window, &mut || called = Some(call()))?;
    let mut called = called.expect("a window runs its closure")?;
    called.tally = outer.tally;
    called.peak_bytes = outer.peak_bytes;
    Ok(called)
}

/// The most rows of all samples. The samples beyond that are summed.
const MOST_ROWS: usize = 1 << 17;

/// What was done at each stack, summed over the iterations with the same reading. It grows
/// between windows, never inside one.
#[derive(Default)]
pub(crate) struct SiteSums {
    stacks: Vec<Arc<[usize]>>,
    indices: HashMap<Arc<[usize]>, usize>,
    /// Those of the present iteration, over all threads that ran the body.
    present: Option<SiteCounts>,
    first: Option<SiteCounts>,
    /// By reading.
    samples: Vec<(Reading, SiteCounts)>,
    /// The number of rows in all samples.
    rows: usize,
    others: Option<SiteCounts>,
    /// Those of checked stacks, if they are.
    mismatches: Option<u64>,
    /// Whether the rows of an iteration don't add up to its reading: an operation of another
    /// thread came as the window opened or closed.
    is_inexact: bool,
}

impl SiteSums {
    /// Takes the counts of the last window of `capture`.
    pub(crate) fn take(&mut self, capture: &mut Capture) {
        for stack in &capture.sites.stacks()[capture.indices.len()..] {
            let next = self.stacks.len();
            let index = *self.indices.entry(Arc::clone(stack)).or_insert(next);
            if index == next {
                self.stacks.push(Arc::clone(stack));
            }
            capture.indices.push(index);
        }
        let mut counts = capture.sites.take_counts();
        for row in &mut counts.rows {
            row.stack = row.stack.map(|stack| capture.indices[stack]);
        }
        if !capture.has_peak {
            // That of the stacks is not the peak of a reading.
            counts.before_peak_bytes = None;
        }
        add(&mut self.present, counts);
        if capture.sites.is_checked() {
            let mismatches = capture.sites.mismatches();
            *self.mismatches.get_or_insert(0) += mismatches - capture.mismatches;
            capture.mismatches = mismatches;
        }
    }

    /// Ends an iteration of a pass.
    pub(crate) fn end(&mut self, pass: Pass, reading: &Reading) {
        match pass {
            Pass::First => self.end_first(reading),
            Pass::Counted => self.end_iteration(reading),
            Pass::WarmUp | Pass::Peak => {}
        }
    }

    /// Ends the first call.
    fn end_first(&mut self, reading: &Reading) {
        self.first = self.present.take();
        if let Some(first) = &self.first {
            self.is_inexact |= Reading::new(first.tally(), None).counts != reading.counts;
        }
    }

    /// Ends an iteration of the counted pass.
    fn end_iteration(&mut self, reading: &Reading) {
        let Some(counts) = self.present.take() else {
            return;
        };
        self.is_inexact |= Reading::new(counts.tally(), None).counts != reading.counts;
        match self.sample(reading) {
            Ok(at) => {
                let (_, sum) = &mut self.samples[at];
                let rows = sum.rows.len();
                *sum += &counts;
                self.rows += sum.rows.len() - rows;
            }
            Err(at) if self.rows + counts.rows.len() <= MOST_ROWS => {
                self.rows += counts.rows.len();
                self.samples.insert(at, (reading.clone(), counts));
            }
            Err(_) => add(&mut self.others, counts),
        }
    }

    /// The place of a reading's sample, or where it would be.
    fn sample(&self, reading: &Reading) -> Result<usize, usize> {
        self.samples.binary_search_by(|(one, _)| one.cmp(reading))
    }

    /// The sums in the form of the record, for the samples of the counted pass; `None` if rows don't add up.
    pub(crate) fn finish(mut self, samples: &[Sample]) -> Option<SitesRecord> {
        if self.is_inexact {
            return None;
        }
        let anchor = anchor();
        let relative = |address: &usize| address.wrapping_sub(anchor) as i64;
        let stacks = self.stacks.iter();
        let stacks = stacks.map(|stack| stack.iter().map(relative).collect());
        Some(SitesRecord {
            stacks: Stacks(stacks.collect()),
            first: self.first.take().map(record).unwrap_or_default(),
            samples: samples
                .iter()
                .map(|sample| {
                    let at = self.sample(&sample.reading).ok()?;
                    Some(record(self.samples.remove(at).1))
                })
                .collect(),
            others: self.others.take().map(record),
            mismatches: self.mismatches,
        })
    }
}

fn add(sum: &mut Option<SiteCounts>, counts: SiteCounts) {
    match sum {
        Some(sum) => *sum += &counts,
        None => *sum = Some(counts),
    }
}

/// The counts of a sample in the form of the record.
fn record(counts_of_sample: SiteCounts) -> SampleSites {
    let SiteCounts {
        rows,
        before,
        before_peak_bytes,
        ..
    } = counts_of_sample;
    let peak = before.and(before_peak_bytes);
    let rows = rows.into_iter().map(|row| SiteRow {
        stack: row.stack,
        counts: row.tally,
        smallest: row.smallest,
        largest: row.largest,
        kept_blocks: before.map_or(0, |_| row.kept.blocks),
        kept_bytes: before.map_or(0, |_| row.kept.bytes),
        peak_bytes: peak.map_or(0, |_| u64::try_from(row.peak_bytes).unwrap_or_default()),
    });
    SampleSites {
        rows: rows.collect(),
        before: before.map(|before| BeforeRow {
            kept_blocks: before.blocks,
            kept_bytes: before.bytes,
            peak_bytes: peak,
        }),
    }
}

#[cfg(test)]
mod tests {
    use counting_alloc::{KeptBlocks, Tally};

    use super::*;

    /// `rows` rows of one allocation each.
    fn site_counts(rows: usize) -> SiteCounts {
        let mut counts = SiteCounts::default();
        counts.rows = (0..rows)
            .map(|stack| {
                let mut row = counting_alloc::SiteRow::default();
                row.stack = Some(stack);
                row.tally = Tally::ZERO.with_blocks(1, 8);
                row
            })
            .collect();
        counts
    }

    fn reading(allocs: u64) -> Reading {
        Reading {
            counts: Tally::ZERO.with_blocks(allocs, 8 * allocs),
            peak_bytes: None,
        }
    }

    #[test]
    fn samples_that_are_too_many_are_summed() {
        let mut sums = SiteSums::default();
        let mut end = |allocs: u64, rows| {
            sums.present = Some(site_counts(rows));
            sums.end_iteration(&reading(allocs));
        };
        end(7, MOST_ROWS - 1);
        // A sample that has rows gets more.
        end(7, MOST_ROWS - 1);
        end(2, 2);
        end(1, 1);
        end(3, 3);
        let sample = |allocs| Sample {
            reading: reading(allocs),
            times: 1,
        };
        // The readings are only keys here.
        assert!(sums.is_inexact);
        sums.is_inexact = false;
        let record = sums.finish(&[1, 2, 3, 7].map(sample)).expect("rows add up");
        let samples = record.samples.iter().map(|sample| {
            let rows = &sample.as_ref()?.rows;
            Some((rows.len(), rows[0].counts.allocs))
        });
        let rows: Vec<_> = samples.collect();
        assert_eq!(rows, [Some((1, 1)), None, None, Some((MOST_ROWS - 1, 2))]);
        let others = record.others.expect("there are some").rows;
        let allocs: Vec<_> = others.iter().map(|row| row.counts.allocs).collect();
        assert_eq!(allocs, [2, 2, 1]);
    }

    #[test]
    fn rows_that_do_not_add_up_are_not_recorded() {
        for (allocs, is_recorded) in [(2, true), (3, false)] {
            let mut sums = SiteSums {
                present: Some(site_counts(2)),
                ..SiteSums::default()
            };
            sums.end_first(&reading(2));
            sums.present = Some(site_counts(2));
            sums.end_iteration(&reading(allocs));
            assert_eq!(sums.finish(&[]).is_some(), is_recorded);
        }
    }

    #[test]
    fn peaks_that_are_not_known_are_left_open() {
        let mut counts = site_counts(1);
        counts.rows[0].peak_bytes = 8;
        let sites = record(counts.clone());
        assert_eq!((sites.rows[0].peak_bytes, sites.before), (0, None));
        counts.before = Some(KeptBlocks::default());
        let sites = record(counts.clone());
        let before = BeforeRow::default();
        assert_eq!((sites.rows[0].peak_bytes, sites.before), (0, Some(before)));
        counts.before_peak_bytes = Some(-8);
        let sites = record(counts);
        let peak_bytes = sites.before.and_then(|before| before.peak_bytes);
        assert_eq!((sites.rows[0].peak_bytes, peak_bytes), (8, Some(-8)));
    }
}
