//! [`Resolved`]: the call stacks of a record, with the functions and lines of the executable.

use alloc_gate::sites::{Frame, FrameKind, SampleSites, ScenarioSites};
use alloc_results::{ScenarioRecord, SitesRecord};
use alloc_symbols::{Problem, Symbols};

/// The call stacks of a scenario.
pub(super) struct Resolved {
    pub(super) sites: ScenarioSites,
    pub(super) peaks: Peaks,
    /// What is wrong with the line tables; nothing where there are none.
    pub(super) problem: Option<String>,
}

/// Whether the blocks at the peak are known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Peaks {
    Known,
    /// Not in all iterations.
    Open,
    /// Live blocks were not followed.
    NoLiveBlocks,
}

impl Resolved {
    pub(super) fn new(
        scenario: &ScenarioRecord,
        record: &SitesRecord,
        symbols: &mut Symbols<'_>,
    ) -> Self {
        let stacks = record.stacks.iter();
        let stacks = stacks.map(|stack| symbols.frames(stack).iter().map(frame).collect());
        let stacks = stacks.collect();
        let problem = symbols.problem();
        let problem = problem.filter(|problem| **problem != Problem::NoLineTables);
        let measured = scenario.samples.iter().zip(&record.samples);
        let mut samples = Vec::new();
        // The iterations of the samples that have no rows of their own.
        let mut others = 0;
        for (sample, sites) in measured {
            match sites {
                Some(sites) => samples.push(sample_sites(sites, sample.times)),
                None => others += sample.times,
            }
        }
        let rest = record.others.as_ref();
        samples.extend(rest.map(|sites| sample_sites(sites, others)));
        let all = record.samples.iter().flatten().chain(rest);
        Self {
            peaks: peaks(all.chain([&record.first])),
            problem: problem.map(ToString::to_string),
            sites: ScenarioSites {
                stacks,
                first: sample_sites(&record.first, 1),
                samples,
            },
        }
    }
}

fn peaks<'r>(all: impl Iterator<Item = &'r alloc_results::SampleSites>) -> Peaks {
    let mut peaks = Peaks::Known;
    for sample in all.filter(|sample| !sample.rows.is_empty()) {
        match &sample.before {
            None => return Peaks::NoLiveBlocks,
            Some(before) if before.peak_bytes.is_none() => peaks = Peaks::Open,
            Some(_) => {}
        }
    }
    peaks
}

fn sample_sites(record: &alloc_results::SampleSites, iterations: u64) -> SampleSites {
    SampleSites {
        iterations,
        rows: record.rows.clone(),
        before: record.before,
    }
}

fn frame(frame: &alloc_symbols::Frame) -> Frame {
    let function = frame.function.as_deref();
    Frame {
        function: function.map_or_else(|| format!("{:#x}", frame.address), str::to_owned),
        file: frame.file.as_deref().map(str::to_owned),
        line: frame.line,
        column: frame.column,
        kind: match frame.kind {
            alloc_symbols::FrameKind::Inlined => FrameKind::Inlined,
            alloc_symbols::FrameKind::TailCalled => FrameKind::TailCalled,
            alloc_symbols::FrameKind::Called | _ => FrameKind::Called,
        },
    }
}

#[cfg(test)]
mod tests {
    use alloc_results::{BeforeRow, SampleSites, SiteRow};

    use super::*;

    #[test]
    fn peaks_are_known_if_those_of_all_iterations_are() {
        let sample = |before: Option<Option<i64>>| SampleSites {
            rows: vec![SiteRow::default()],
            before: before.map(|peak_bytes| BeforeRow {
                peak_bytes,
                ..BeforeRow::default()
            }),
        };
        let [known, open, not_followed] = [Some(Some(-8)), Some(None), None].map(sample);
        let nothing = SampleSites::default();
        for (all, expected) in [
            (&[&known, &nothing][..], Peaks::Known),
            (&[&known, &open], Peaks::Open),
            (&[&open, &not_followed], Peaks::NoLiveBlocks),
        ] {
            assert!(peaks(all.iter().copied()) == expected);
        }
    }
}
