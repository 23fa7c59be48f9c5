//! [`StackReport`]: the stacks of a scenario with their values of one metric, as flame graphs
//! and folded stacks show them.

use alloc_results::{Metric, Ratio, ReadingPart};

use crate::figure::Statistic;
use crate::report::change::{change, plain_figure};
use crate::sites::{Explained, Found, Frame, FrameKind, SiteMetric, Sites, StackSums};

/// The frames of a stack, innermost first and at least one; or a name that stands for them.
pub(super) type Frames<'s> = Result<&'s [Frame], &'static str>;

/// The frames of a stack by its index.
pub(super) fn frames<'s>(sums: &StackSums<'s>, stack: Option<usize>) -> Frames<'s> {
    match sums.frames(stack.ok_or("further stacks")?) {
        [] => Err("unknown stack"),
        frames => Ok(frames),
    }
}

/// All values, summed over the iterations.
fn values<'s>(sums: &StackSums<'s>, metric: Metric) -> Vec<(Frames<'s>, i128)> {
    let stacks = sums.by_stack.iter();
    let stacks = stacks.map(|(stack, amounts)| (frames(sums, *stack), amounts.of(metric)));
    let before = (
        Err("blocks from before the iteration"),
        sums.before.of(metric),
    );
    stacks
        .chain(sums.follows_blocks.then_some(before))
        .collect()
}

/// The stacks of a scenario with their values of one metric. With stacks from before a change,
/// the report shows the difference.
#[derive(Clone, Debug)]
pub struct StackReport<'s> {
    pub(super) scenario: &'s str,
    pub(super) metric: Metric,
    pub(super) statistic: Statistic,
    before: Option<StackSums<'s>>,
    pub(super) now: StackSums<'s>,
}

impl<'s> StackReport<'s> {
    /// A report on an explained figure. `None` without call stacks or without values of them.
    #[must_use]
    pub fn from_explained(explained: &'s Explained) -> Option<Self> {
        let SiteMetric::Counted(metric) = explained.metric else {
            return None;
        };
        let statistic = explained.statistic;
        let sums = |sites: &'s Sites| sites.measured.sums(metric, statistic);
        let (before, now) = match &explained.found {
            Ok(Found::Sites { sites, .. }) => (None, sites),
            Ok(Found::Compared { diff, .. }) => (Some(sums(&diff.base)), &diff.head),
            Err(_) => return None,
        };
        let now = sums(now);
        let has = |sums: &StackSums<'_>| {
            let part = metric.part();
            part == ReadingPart::Counts || part == ReadingPart::Peak && sums.has_peaks
        };
        let has_values = has(&now) && before.as_ref().is_none_or(has);
        has_values.then_some(Self {
            scenario: &explained.label,
            metric,
            statistic,
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
        let before = self.before.as_ref();
        [
            before.map_or_else(Vec::new, |sums| values(sums, self.metric)),
            values(&self.now, self.metric),
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
