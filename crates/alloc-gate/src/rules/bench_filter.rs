//! [`BenchFilter`]: the benches that a gate or a table is for.

use alloc_results::BenchId;

use crate::rules::pattern::Pattern;

/// The benches that a gate or a table is for: `package` and `bench`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchFilter {
    /// The packages; `None` for all.
    pub package: Option<Pattern>,
    /// The bench targets; `None` for all.
    pub bench: Option<Pattern>,
}

impl BenchFilter {
    /// Whether it has all benches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.package.is_none() && self.bench.is_none()
    }

    /// Whether it has the bench.
    #[must_use]
    pub fn includes(&self, bench: &BenchId) -> bool {
        let allows = |pattern: &Option<Pattern>, name: &str| {
            pattern.as_ref().is_none_or(|pattern| pattern.matches(name))
        };
        allows(&self.package, &bench.package) && allows(&self.bench, &bench.target)
    }

    /// The keys that the filter has, with their globs.
    pub fn keys(&self) -> impl Iterator<Item = (&'static str, &Pattern)> {
        let package = self.package.iter().map(|pattern| ("package", pattern));
        package.chain(self.bench.iter().map(|pattern| ("bench", pattern)))
    }
}
