//! [`StackReport`]: the stacks of a scenario with their values of one metric, as flame graphs
//! and folded stacks show them.

use std::num::NonZeroU64;

use alloc_results::{Metric, Ratio, ReadingPart};

use crate::figure::Statistic;
use crate::report::change::{change, plain_figure};
use crate::sites::{
    Amounts, BeforeRow, Explained, Found, Frame, FrameKind, ScenarioSites, SiteMetric, SiteRow,
    Sites, measured_frames,
};

/// Stacks, and what each of them did in some iterations.
#[derive(Clone, Debug)]
pub struct Stacks<'s> {
    /// The stacks, each with its innermost frame first. Frames of the harness and of the
    /// allocator are best left out.
    pub stacks: Vec<&'s [Frame]>,
    /// What the stacks did. Several rows can have the same stack.
    pub rows: Vec<SiteRow>,
    /// The change of the blocks from before the iterations, summed; `None` where live blocks
    /// were not followed, so that no stack has bytes at the peak or blocks that it keeps.
    pub before: Option<BeforeRow>,
    /// The number of iterations that the rows are sums of.
    pub iterations: NonZeroU64,
}

/// The frames of a stack, innermost first and at least one; or a name that stands for them.
pub(super) type Frames<'s> = Result<&'s [Frame], &'static str>;

impl<'s> Stacks<'s> {
    /// The stacks of the iterations that a figure of a scenario is about, without the frames of
    /// the allocator and of the harness.
    #[must_use]
    pub fn new(
        sites: &'s ScenarioSites,
        metric: impl Into<SiteMetric>,
        statistic: Statistic,
    ) -> Self {
        let (samples, iterations) = sites.samples_of(metric, statistic);
        let stacks = sites.stacks.iter().map(|stack| measured_frames(stack));
        let rows = samples.iter().flat_map(|sample| &sample.rows);
        let rows_before = samples.iter().filter_map(|sample| sample.before);
        let none = BeforeRow {
            peak_bytes: Some(0),
            ..BeforeRow::default()
        };
        let before = rows_before.fold(none, |sum, row| BeforeRow {
            kept_blocks: sum.kept_blocks.saturating_add(row.kept_blocks),
            kept_bytes: sum.kept_bytes.saturating_add(row.kept_bytes),
            peak_bytes: sum
                .peak_bytes
                .zip(row.peak_bytes)
                .map(|(sum, more)| sum.saturating_add(more)),
        });
        Self {
            stacks: stacks.collect(),
            rows: rows.cloned().collect(),
            before: sites.follows_blocks().then_some(before),
            iterations: NonZeroU64::new(iterations).unwrap_or(NonZeroU64::MIN),
        }
    }

    pub(super) fn frames(&self, row: &SiteRow) -> Frames<'s> {
        match row.stack.map(|index| self.stacks.get(index)) {
            None => Err("further stacks"),
            Some(Some(frames)) if !frames.is_empty() => Ok(frames),
            Some(_) => Err("unknown stack"),
        }
    }

    /// Whether the blocks at the peak are known.
    pub(super) fn has_peaks(&self) -> bool {
        self.before
            .is_some_and(|before| before.peak_bytes.is_some())
    }

    /// Whether the stacks have values of a metric.
    fn has(&self, metric: Metric) -> bool {
        let part = metric.part();
        part == ReadingPart::Counts || part == ReadingPart::Peak && self.has_peaks()
    }

    /// All values, summed over the iterations.
    fn values(&self, metric: Metric) -> Vec<(Frames<'s>, i128)> {
        let rows = self.rows.iter().map(|row| {
            let amounts = Amounts::of_row(row, self.before.is_some());
            (self.frames(row), amounts.of(metric))
        });
        let before = self.before.map(|row| {
            let name = "blocks from before the iteration";
            (Err(name), Amounts::of_before(row).of(metric))
        });
        rows.chain(before).collect()
    }
}

/// The stacks of a scenario with their values of one metric. With stacks from before a change,
/// the report shows the difference.
#[derive(Clone, Debug)]
pub struct StackReport<'s> {
    pub(super) scenario: &'s str,
    pub(super) metric: Metric,
    pub(super) statistic: Statistic,
    before: Option<Stacks<'s>>,
    now: Stacks<'s>,
}

impl<'s> StackReport<'s> {
    /// A report on the figure `metric`, `statistic` of a scenario. `now` has the iterations that
    /// the statistic is about; `before` has those from before a change. `None` if they have no
    /// values of the metric.
    #[must_use]
    pub fn new(
        scenario: &'s str,
        metric: impl Into<SiteMetric>,
        statistic: Statistic,
        before: Option<Stacks<'s>>,
        now: Stacks<'s>,
    ) -> Option<Self> {
        let SiteMetric::Counted(metric) = metric.into() else {
            return None;
        };
        let has_values = now.has(metric) && before.as_ref().is_none_or(|one| one.has(metric));
        has_values.then_some(Self {
            scenario,
            metric,
            statistic,
            before,
            now,
        })
    }

    /// A report on an explained figure. `None` without call stacks or without values of them.
    #[must_use]
    pub fn from_explained(explained: &'s Explained) -> Option<Self> {
        let stacks =
            |sites: &'s Sites| Stacks::new(&sites.measured, explained.metric, explained.statistic);
        let (before, now) = match &explained.found {
            Ok(Found::Sites { sites, .. }) => (None, sites),
            Ok(Found::Compared { diff, .. }) => (Some(stacks(&diff.base)), &diff.head),
            Err(_) => return None,
        };
        let (label, metric) = (&explained.label, explained.metric);
        Self::new(label, metric, explained.statistic, before, stacks(now))
    }

    /// Whether the report has stacks from before a change.
    pub(super) const fn is_difference(&self) -> bool {
        self.before.is_some()
    }

    /// The stacks with their values, before and now.
    pub(super) fn values(&self) -> [Vec<(Frames<'s>, i128)>; 2] {
        let before = self.before.as_ref();
        [
            before.map_or_else(Vec::new, |stacks| stacks.values(self.metric)),
            self.now.values(self.metric),
        ]
    }

    /// Values of both sides as text: `4`, or `3 -> 4 (+1)` in a difference.
    pub(super) fn figure(&self, values: [i128; 2]) -> String {
        let unit = self.metric.unit();
        let now = Ratio::over(values[1], self.now.iterations);
        match &self.before {
            None => plain_figure(unit, now),
            Some(before) => {
                let before = Ratio::over(values[0], before.iterations);
                change(unit, Some(before), Some(now))
            }
        }
    }

    /// The difference of both sides over their common iterations; `None` without stacks from
    /// before.
    pub(super) fn difference(&self, values: [i128; 2]) -> Option<i128> {
        self.before.as_ref()?;
        let (_, factors) = self.common_iterations();
        let [before, now] = [0, 1].map(|side| values[side].saturating_mul(factors[side]));
        Some(now.saturating_sub(before))
    }

    /// The iterations that make the values of both sides comparable, and the factor for each
    /// side.
    pub(super) fn common_iterations(&self) -> (u128, [i128; 2]) {
        let iterations = [self.before.as_ref(), Some(&self.now)].map(|side| {
            let side = side.unwrap_or(&self.now);
            u128::from(side.iterations.get())
        });
        let [before, now] = iterations;
        let common = before / gcd(before, now) * now;
        let factors = iterations.map(|one| i128::try_from(common / one).unwrap_or(i128::MAX));
        (common, factors)
    }
}

/// Says how a function was entered, unless by a call.
pub(in crate::report) const fn entered(kind: FrameKind) -> &'static str {
    match kind {
        FrameKind::Called => "",
        FrameKind::Inlined => " (inlined)",
        FrameKind::TailCalled => " (by a tail call)",
    }
}

/// `src/text.rs:53:21`.
pub(in crate::report) fn place(frame: &Frame) -> String {
    let Some(file) = &frame.file else {
        return String::from("no line");
    };
    let numbers = [frame.line, frame.column].into_iter().flatten();
    let numbers: String = numbers.map(|number| format!(":{number}")).collect();
    format!("{}{numbers}", shown_file(file))
}

/// The greatest common divisor; with 0, the other number.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The file without the folder of a registry or of a toolchain: `serde-1.0.0/src/lib.rs`,
/// `library/alloc/src/vec/mod.rs`.
pub(in crate::report) fn shown_file(file: &str) -> &str {
    if let Some((_, rest)) = file.split_once("/registry/src/") {
        return rest.split_once('/').map_or(file, |(_, rest)| rest);
    }
    let is_std = file.starts_with("/rustc/") || file.contains("/lib/rustlib/src/rust/");
    match file.find("/library/").filter(|_| is_std) {
        Some(at) => &file[at + 1..],
        None => file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_toolchains_and_registries_are_short() {
        for (file, short) in [
            ("src/lib.rs", "src/lib.rs"),
            (
                "/rustc/0123abcd/library/alloc/src/vec/mod.rs",
                "library/alloc/src/vec/mod.rs",
            ),
            (
                "/home/a/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/a.rs",
                "library/core/src/a.rs",
            ),
            (
                "/home/a/.cargo/registry/src/index.crates.io-1949/serde-1.0.0/src/lib.rs",
                "serde-1.0.0/src/lib.rs",
            ),
            ("/home/a/library/src/lib.rs", "/home/a/library/src/lib.rs"),
            ("/rustc/0123abcd", "/rustc/0123abcd"),
            ("/registry/src/", "/registry/src/"),
        ] {
            assert_eq!(shown_file(file), short);
        }
    }
}
