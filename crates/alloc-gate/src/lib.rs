//! The engine of `cargo alloc-gate`: checks measured allocations against rules and a baseline.
//!
//! ```
//! use alloc_gate::{CfgSets, Config, Inputs, Measurements, Outcome, evaluate};
//!
//! let config = Config::parse("gates.toml", r#"
//!     version = 1
//!     [[gate]]
//!     name = "R12"
//!     scenarios = ["encode*"]
//!     allocs = "< 5"
//! "#).unwrap();
//! let nothing = Measurements::default();
//! let no_cfgs = CfgSets::default();
//! let evaluation = evaluate(&Inputs::new(&config, &nothing, &no_cfgs));
//! // A gate without any measured scenario does not pass.
//! assert_eq!(evaluation.outcome(), Outcome::Failed);
//! ```
//!
//! Data flows one way: text is parsed into a valid [`Config`], [`Baseline`] and [`Measurements`];
//! [`evaluate`] is a pure function of them; the functions in [`report`] write an [`Evaluation`] and decide
//! nothing. Verdicts use exact numbers; only fitting growth uses floats.
//!
//! This crate starts no process, opens no file, and uses no environment variable, clock or standard
//! stream. To gate a crate, use the command, `cargo-alloc-gate`.

// Reading the source: top-level modules are in layers, which design/architecture.md draws; each imports
// from lower ones. From the lowest: `measure.rs`, `growth.rs` and `requirement.rs` have metrics and limits;
// `rules/` reads gates.toml, and `results/` the records; `baseline/` and `sites/` have accepted values and
// the lines that allocate; `evaluation.rs` has all that a verdict says. `judge/` is the heart: it finds
// each gate's scenarios and judges its rules. Above it are `suggest.rs` and `compare.rs`. `report/` writes
// all of these, each format a function.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "a name says what a field or a getter is")]

/// Declares an enum with a row per variant, `Variant = "name"`. It gets `ALL`, `name()`,
/// `Display`, and `FromStr` with the error `()`, since the caller knows the text.
macro_rules! named {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $Name:ident {
            $($(#[$detail:meta])* $Variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $Name {
            $($(#[$detail])* $Variant,)+
        }

        impl $Name {
            /// All variants, in order.
            $visibility const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            /// The stable name.
            #[must_use]
            $visibility const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $Name {
            type Err = ();

            fn from_str(name: &str) -> Result<Self, ()> {
                let mut all = Self::ALL.into_iter();
                all.find(|one| one.name() == name).ok_or(())
            }
        }
    };
}

pub mod baseline;
mod compare;
mod diagnostic;
mod evaluation;
mod growth;
mod judge;
mod measure;
mod printable;
pub mod report;
mod requirement;
mod results;
pub mod rules;
pub mod sites;
pub mod suggest;

#[cfg(test)]
mod tests;

pub use alloc_results::{Amount, ByteUnit, Operator, Ratio};
pub use baseline::Baseline;
pub use compare::{Change, Delta, Incomparable, compare};
pub use diagnostic::{Code, Diagnostic, Diagnostics, Level, Place, Registered, Where, nearest};
pub use evaluation::{
    Evaluation, GateSummary, InBaseline, Judgement, Outcome, Ruling, Tally, Verdict, to_explain,
};
pub use growth::{Growth, GrowthClass};
pub use judge::{DocumentState, Inputs, UncheckedBench, evaluate, unjudged};
pub use measure::{Custom, Measure, Statistic, counted, enumerated};
pub use printable::{one_line, plain_lines, quoted, shortened, styled_lines, wrapped};
pub use report::page::{BaselineDocument, DocumentError};
pub use requirement::{Comparison, Limit, Reference, Requirement, Tolerance};
pub use results::names::{ScenarioId, compare_naturally};
pub use results::{
    Environment, MeasuredScenario, Measurements, MeasurementsError, Origin, ScenarioFailure,
    Selection, Unavailable, grouped,
};
pub use rules::{CfgSets, Config, schema};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
