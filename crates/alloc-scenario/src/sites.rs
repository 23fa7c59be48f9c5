//! [`SiteSums`]: what each call stack did in the first call and in the counted pass.

use std::any::type_name_of_val;
use std::cmp::Ordering;
use std::sync::Arc;

use alloc_results::{BeforeRow, Reading, Sample, SampleSites, SiteRow, SitesRecord};
use counting_alloc::{MeasureError, Measured, Sites, Window};

use crate::passes::Called;

/// Runs `f` in the window, which captures the stacks into `sites` if there is a place for them.
pub(crate) fn measure(
    window: Window,
    sites: Option<&mut Sites>,
    f: &mut dyn FnMut(),
) -> Result<Measured<()>, MeasureError> {
    let Some(sites) = sites else {
        return window.measure(f);
    };
    let measured = window.measure_sites(f)?;
    *sites = measured.1;
    Ok(measured.0)
}

/// Runs `call`, which opens a window. If stacks are captured, it is inside of an outer window that
/// does it, and the measurement is the outer one, to which they add up.
pub(crate) fn call(
    window: Window,
    sites: Option<&mut Sites>,
    call: &mut dyn FnMut() -> Result<Called, MeasureError>,
) -> Result<Called, MeasureError> {
    if sites.is_none() {
        return call();
    }
    let mut called = None;
    let outer = measure(window, sites, &mut || called = Some(call()))?;
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
    first: Option<Sites>,
    /// By reading.
    samples: Vec<(Reading, Sites)>,
    /// The number of rows in all samples.
    rows: usize,
    others: Option<Sites>,
    /// Whether the rows of an iteration don't add up to its reading: an operation of another
    /// thread came as the window opened or closed.
    is_inexact: bool,
}

impl SiteSums {
    /// Begins with the first call, if it captured stacks.
    pub(crate) fn new(reading: &Reading, first: Option<Sites>) -> Self {
        Self {
            is_inexact: first
                .as_ref()
                .is_some_and(|sites| is_inexact(sites, reading)),
            first,
            ..Self::default()
        }
    }

    /// Adds an iteration of the counted pass, if it captured stacks.
    pub(crate) fn add(&mut self, reading: &Reading, sites: Option<Sites>) {
        let Some(sites) = sites else {
            return;
        };
        self.is_inexact |= is_inexact(&sites, reading);
        match self.sample(reading) {
            Ok(at) => {
                let (_, sum) = &mut self.samples[at];
                let rows = sum.rows.len();
                *sum += &sites;
                self.rows += sum.rows.len() - rows;
            }
            Err(at) if self.rows + sites.rows.len() <= MOST_ROWS => {
                self.rows += sites.rows.len();
                self.samples.insert(at, (reading.clone(), sites));
            }
            Err(_) => add(&mut self.others, sites),
        }
    }

    /// The place of a reading's sample, or where it would be.
    fn sample(&self, reading: &Reading) -> Result<usize, usize> {
        self.samples.binary_search_by(|(one, _)| one.cmp(reading))
    }

    /// The sums in the form of the record, for the samples of the counted pass, which was to have
    /// so many iterations; `None` if rows don't add up.
    pub(crate) fn finish(mut self, samples: &[Sample], planned: u64) -> Option<SitesRecord> {
        if self.is_inexact {
            return None;
        }
        let samples_with_rows = self.samples.iter().map(|(_, sites)| sites);
        let all = samples_with_rows.chain(&self.first).chain(&self.others);
        let stacks = Stacks::new(all);
        let record = |sites| record(sites, &stacks);
        Some(SitesRecord {
            planned,
            first: self.first.take().map(record).unwrap_or_default(),
            samples: samples
                .iter()
                .map(|sample| {
                    let at = self.sample(&sample.reading).ok()?;
                    Some(record(self.samples.remove(at).1))
                })
                .collect(),
            others: self.others.take().map(record),
            stacks: stacks.relative(),
        })
    }
}

fn is_inexact(sites: &Sites, reading: &Reading) -> bool {
    Reading::new(sites.tally(), None).counts != reading.counts
}

/// Adds sites to a sum, which begins with the first ones.
pub(crate) fn add(sum: &mut Option<Sites>, sites: Sites) {
    match sum {
        Some(sum) => *sum += &sites,
        None => *sum = Some(sites),
    }
}

/// All stacks, in the order of their outermost frames: the record has those that a stack shares
/// with the one before it only once.
struct Stacks(Vec<Arc<[usize]>>);

impl Stacks {
    fn new<'s>(all: impl Iterator<Item = &'s Sites>) -> Self {
        let rows = all.flat_map(|sites| &sites.rows);
        let mut stacks: Vec<_> = rows.filter_map(|row| row.stack.clone()).collect();
        stacks.sort_unstable_by(by_outermost);
        stacks.dedup();
        Self(stacks)
    }

    fn index(&self, stack: &Arc<[usize]>) -> Option<usize> {
        self.0.binary_search_by(|one| by_outermost(one, stack)).ok()
    }

    /// Each address relative to the anchor.
    fn relative(&self) -> alloc_results::Stacks {
        let anchor = anchor();
        let relative = |address: &usize| address.wrapping_sub(anchor) as i64;
        let stacks = self.0.iter();
        let stacks = stacks.map(|stack| stack.iter().map(relative).collect());
        alloc_results::Stacks(stacks.collect())
    }
}

fn by_outermost(one: &Arc<[usize]>, other: &Arc<[usize]>) -> Ordering {
    one.iter().rev().cmp(other.iter().rev())
}

/// The counts of a sample in the form of the record.
fn record(sites: Sites, stacks: &Stacks) -> SampleSites {
    let peak = sites.before.and(sites.before_peak_bytes);
    let rows = sites.rows.into_iter().map(|row| SiteRow {
        stack: row.stack.and_then(|stack| stacks.index(&stack)),
        counts: row.tally,
        smallest: row.smallest,
        largest: row.largest,
        kept_blocks: sites.before.map_or(0, |_| row.kept.blocks),
        kept_bytes: sites.before.map_or(0, |_| row.kept.bytes),
        peak_bytes: peak.map_or(0, |_| u64::try_from(row.peak_bytes).unwrap_or_default()),
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_unstable_by_key(|row| row.stack);
    SampleSites {
        rows,
        before: sites.before.map(|before| BeforeRow {
            kept_blocks: before.blocks,
            kept_bytes: before.bytes,
            peak_bytes: peak,
        }),
    }
}

/// The function to whose address those in stacks are relative, wherever the program was loaded: its
/// own address. It has to be one function, with a symbol, which a PDB file has of public ones alone.
#[inline(never)]
#[must_use]
pub fn anchor() -> usize {
    let anchor: fn() -> usize = anchor;
    anchor as usize
}

/// Its path in Rust.
pub(crate) fn anchor_path() -> String {
    type_name_of_val(&anchor).to_owned()
}

#[cfg(test)]
mod tests {
    use counting_alloc::{KeptBlocks, Tally};

    use super::*;

    /// `rows` rows of one allocation each.
    fn site_counts(rows: usize) -> Sites {
        let mut counts = Sites::default();
        counts.rows = (0..rows)
            .map(|stack| {
                let mut row = counting_alloc::SiteRow::default();
                row.stack = Some(Arc::new([stack]));
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
        let mut end = |allocs: u64, rows| sums.add(&reading(allocs), Some(site_counts(rows)));
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
        let record = sums
            .finish(&[1, 2, 3, 7].map(sample), 5)
            .expect("rows add up");
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
            let mut sums = SiteSums::new(&reading(2), Some(site_counts(2)));
            sums.add(&reading(allocs), Some(site_counts(2)));
            assert_eq!(sums.finish(&[], 1).is_some(), is_recorded);
        }
    }

    #[test]
    fn peaks_that_are_not_known_are_left_open() {
        let mut counts = site_counts(1);
        counts.rows[0].peak_bytes = 8;
        let stacks = Stacks::new([&counts].into_iter());
        let sites = record(counts.clone(), &stacks);
        assert_eq!((sites.rows[0].peak_bytes, sites.before), (0, None));
        counts.before = Some(KeptBlocks::default());
        let sites = record(counts.clone(), &stacks);
        let before = BeforeRow::default();
        assert_eq!((sites.rows[0].peak_bytes, sites.before), (0, Some(before)));
        counts.before_peak_bytes = Some(-8);
        let sites = record(counts, &stacks);
        let peak_bytes = sites.before.and_then(|before| before.peak_bytes);
        assert_eq!((sites.rows[0].peak_bytes, peak_bytes), (8, Some(-8)));
    }
}
