//! [`StackReport`]: the stacks of a scenario with their values of one metric, as flame graphs
//! and folded stacks show them.

use alloc_results::{Metric, ReadingPart};

use crate::figure::Statistic;
use crate::report::change::{change, plain_figure};
use crate::sites::{
    Explained, Frame, FrameKind, SiteMetric, SitePlace, Sites, location, measured_frames,
};

/// The frames of a stack, innermost first and at least one; or a name that stands for them.
pub(super) type Frames<'s> = Result<&'s [Frame], &'static str>;

/// The frames of a stack by its index.
pub(super) fn frames(sites: &Sites, stack: Option<usize>) -> Frames<'_> {
    let stack = sites.measured.stacks.get(stack.ok_or("further stacks")?);
    match stack.map_or(&[][..], |stack| measured_frames(stack)) {
        [] => Err("unknown stack"),
        frames => Ok(frames),
    }
}

/// All values, summed over the iterations.
fn values(sites: &Sites, metric: Metric) -> Vec<(Frames<'_>, i128)> {
    let stacks = sites.by_stack.iter();
    let stacks = stacks.map(|(stack, amounts)| (frames(sites, *stack), amounts.of(metric)));
    let mut list = sites.list.iter();
    let before = list.find(|site| site.place == SitePlace::Before);
    let before = before.map_or(0, |site| site.amounts.of(metric));
    let before = (Err("blocks from before the iteration"), before);
    let follows_blocks = sites.measured.follows_blocks();
    stacks.chain(follows_blocks.then_some(before)).collect()
}

/// The stacks of a scenario with their values of one metric. With stacks from before a change,
/// the report shows the difference.
#[derive(Clone, Debug)]
pub struct StackReport<'s> {
    pub(super) scenario: &'s str,
    pub(super) metric: Metric,
    pub(super) statistic: Statistic,
    before: Option<&'s Sites>,
    pub(super) now: &'s Sites,
}

impl<'s> StackReport<'s> {
    /// A report on an explained figure. `None` without call stacks or without values of them.
    #[must_use]
    pub fn from_explained(explained: &'s Explained) -> Option<Self> {
        let SiteMetric::Counted(metric) = explained.metric else {
            return None;
        };
        let (before, now) = explained.found.as_ref().ok()?.sides();
        let has = |sites: &Sites| {
            let part = metric.part();
            part == ReadingPart::Counts || part == ReadingPart::Peak && sites.has_peaks
        };
        let has_values = has(now) && before.is_none_or(has);
        has_values.then_some(Self {
            scenario: &explained.label,
            metric,
            statistic: explained.statistic,
            before,
            now,
        })
    }

    /// Whether the report has stacks from before a change.
    pub(super) const fn is_difference(&self) -> bool {
        self.before.is_some()
    }

    /// The stacks with their values, before and now.
    pub(super) fn values(&self) -> [Vec<(Frames<'s>, i128)>; 2] {
        let values = |sites| values(sites, self.metric);
        [self.before.map_or_else(Vec::new, values), values(self.now)]
    }

    /// Values of both sides as text: `4`, or `3 -> 4 (+1)` in a difference.
    pub(super) fn figure(&self, values: [i128; 2]) -> String {
        let unit = self.metric.unit();
        let now = self.now.per_iteration(values[1]);
        match self.before {
            None => plain_figure(unit, now),
            Some(before) => change(unit, Some(before.per_iteration(values[0])), Some(now)),
        }
    }

    /// The difference of both sides over their common iterations; `None` without stacks from
    /// before.
    pub(super) fn difference(&self, values: [i128; 2]) -> Option<i128> {
        self.before?;
        let (_, factors) = self.common_iterations();
        let [before, now] = [0, 1].map(|side| values[side].saturating_mul(factors[side]));
        Some(now.saturating_sub(before))
    }

    /// The iterations that make the values of both sides comparable, and the factor for each
    /// side.
    pub(super) fn common_iterations(&self) -> (u128, [i128; 2]) {
        let sides = [self.before.unwrap_or(self.now), self.now];
        let iterations = sides.map(|side| u128::from(side.iterations));
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
    location(shown_file(file), frame.line, frame.column)
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
