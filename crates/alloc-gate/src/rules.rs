//! [`Config`]: gates.toml, validated once. What exists here is valid; what is
//! wrong with the text is a [`Diagnostics`] of all its mistakes.

mod cfgs;
mod condition;
mod expression;
mod gate;
mod pattern;
mod read;
pub mod schema;
mod shown_figure;
mod table;
mod waiver;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

pub use cfgs::{BadCfg, CfgSets};
pub use condition::{CompilerRequirement, Condition, When};
pub use expression::Expression;
pub(crate) use expression::{Operand, Operation, Step, Word};
pub use gate::{Gate, Rule};
pub use pattern::Pattern;
pub use shown_figure::{DerivedUnit, Quantity, ShownFigure};
pub(crate) use table::SCENARIO;
pub use table::{Key, Table, TableHistory};
pub use waiver::Waiver;

use alloc_results::BenchId;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};

/// The rules of a workspace.
#[derive(Clone, Debug)]
pub struct Config {
    /// How benches run.
    pub run: RunSettings,
    /// Where the baseline is, if there is one.
    pub baseline: Option<BaselineFiles>,
    /// What is to happen to findings that are not failures by themselves.
    pub policy: Policy,
    /// The benches to measure; there may be more in packages' metadata.
    pub benches: Vec<Bench>,
    /// The gates, in the order of the file.
    pub gates: Vec<Gate>,
    /// The exceptions to gates, in the order of the file.
    pub waivers: Vec<Waiver>,
    /// The tables to show, in the order of the file.
    pub tables: Vec<Table>,
    file: String,
    text: String,
}

/// How benches run, `[run]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSettings {
    /// Iterations before the counted pass; `None` leaves them to the bench,
    /// which has 1,000 if it says nothing else.
    pub warmup: Option<u64>,
    /// Iterations of the counted pass; `None` leaves them to the bench, which
    /// has 10,000 if it says nothing else.
    pub iterations: Option<u64>,
    /// How long a bench target may take.
    pub timeout: Duration,
}

/// Where the baseline is, `[baseline]`. Paths are relative to gates.toml.
#[derive(Clone, Debug)]
pub struct BaselineFiles {
    /// The data, which is judged by.
    pub data: String,
    /// The pages for people, in the order of the rules.
    pub pages: Vec<BaselinePage>,
    /// Scenarios whose figures are not kept.
    pub exclude: Vec<Pattern>,
}

/// A page for people, of all accepted figures or of those of some benches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselinePage {
    /// The file, relative to gates.toml.
    pub file: String,
    /// The package whose benches it shows; `None` shows all.
    pub package: Option<String>,
    /// The name of the bench targets that it shows; `None` shows all.
    pub bench: Option<String>,
}

impl BaselinePage {
    /// A page of all benches.
    #[must_use]
    pub fn of_all_benches(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            package: None,
            bench: None,
        }
    }

    /// Whether it shows all benches.
    #[must_use]
    pub fn shows_all(&self) -> bool {
        self.package.is_none() && self.bench.is_none()
    }

    /// Whether it shows the figures of `bench`.
    #[must_use]
    pub fn shows(&self, bench: &BenchId) -> bool {
        let is = |wanted: &Option<String>, name: &str| wanted.as_ref().is_none_or(|w| w == name);
        is(&self.package, &bench.package) && is(&self.bench, &bench.target)
    }
}

impl BaselineFiles {
    /// Whether a baseline keeps the figures of the scenario of this full name.
    #[must_use]
    pub fn keeps(&self, name: &str) -> bool {
        !self.exclude.iter().any(|pattern| pattern.matches(name))
    }
}

/// What to do about findings, `[policy]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// About figures that are better than the baseline.
    pub stale: Reaction,
    /// About scenarios that no gate applies to.
    pub ungated: Reaction,
    /// About scenarios whose iterations differ.
    pub nondeterministic: Reaction,
    /// About scenarios of thread scope beside which other threads allocated.
    pub foreign: Reaction,
}

/// What to do about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reaction {
    /// It fails the check.
    Deny,
    /// It is shown.
    Warn,
    /// It is not mentioned.
    Allow,
}

/// A bench target to measure, `[[bench]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bench {
    /// The package's name.
    pub package: String,
    /// The name of the bench target.
    pub target: String,
    span: Range<usize>,
}

impl Config {
    /// Reads the `text` of `file`.
    ///
    /// # Errors
    ///
    /// All mistakes of the text, not only the first one.
    pub fn parse(file: &str, text: &str) -> Result<Self, Diagnostics> {
        read::read(file, text)
    }

    /// The rules of a workspace without gates.toml: defaults, and no gates.
    #[must_use]
    pub fn without_file() -> Self {
        Self {
            run: RunSettings::default(),
            baseline: None,
            policy: Policy::default(),
            benches: Vec::new(),
            gates: Vec::new(),
            waivers: Vec::new(),
            tables: Vec::new(),
            file: String::from("gates.toml"),
            text: String::new(),
        }
    }

    /// The file, as it was given.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The text, as it was given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The mistakes of naming `benches` that the workspace doesn't have; each
    /// with what to do about it.
    #[must_use]
    pub fn unknown_benches(&self, benches: &[(&Bench, String)]) -> Diagnostics {
        let list = benches.iter().map(|(bench, hint)| Diagnostic {
            code: Code::UnknownBench,
            span: bench.span.clone(),
            message: format!(
                "the workspace has no bench `{}` in a package `{}`",
                bench.target, bench.package
            ),
            hint: Some(hint.clone()),
        });
        Diagnostics::new(&self.file, &self.text, list.collect())
    }
}

impl Default for RunSettings {
    /// The bench's own numbers of iterations, and 60 seconds for a target.
    fn default() -> Self {
        Self {
            warmup: None,
            iterations: None,
            timeout: Duration::from_secs(60),
        }
    }
}

impl Default for Policy {
    /// Everything is shown and nothing denied.
    fn default() -> Self {
        Self {
            stale: Reaction::Warn,
            ungated: Reaction::Warn,
            nondeterministic: Reaction::Warn,
            foreign: Reaction::Warn,
        }
    }
}

impl Reaction {
    /// All reactions.
    pub const ALL: [Self; 3] = [Self::Deny, Self::Warn, Self::Allow];

    /// The name in rules.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Warn => "warn",
            Self::Allow => "allow",
        }
    }
}

#[cfg(test)]
mod tests;
