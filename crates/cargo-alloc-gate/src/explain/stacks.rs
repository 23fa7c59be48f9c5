//! [`Resolved`]: the call stacks of a record, with the functions and lines of the executable.

use alloc_gate::sites::{BeforeRow, Frame, FrameKind, Kept, SampleSites, ScenarioSites, SiteRow};
use alloc_results::{ScenarioRecord, SitesRecord};
use alloc_symbols::Symbols;

/// The call stacks of a scenario.
#[derive(Clone)]
pub(super) struct Resolved {
    pub(super) sites: ScenarioSites,
    pub(super) peaks: Peaks,
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
            sites: ScenarioSites {
                stacks: stacks.collect(),
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
    let kept = |kept: alloc_results::Kept| Kept {
        blocks: kept.blocks,
        bytes: kept.bytes,
    };
    let rows = record.rows.iter().map(|row| SiteRow {
        stack: row.stack,
        counts: row.counts,
        kept: kept(row.kept),
        peak_bytes: row.peak_bytes,
    });
    SampleSites {
        iterations,
        rows: rows.collect(),
        before: record.before.map(|before| BeforeRow {
            kept: kept(before.kept),
            peak_bytes: before.peak_bytes,
        }),
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
