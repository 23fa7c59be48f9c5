//! [`AssertPhases`]: assertions on the parts of a window that is divided into phases.

use std::fmt;

use counting_alloc::{MeasureError, Phase, Phased};

use super::measurement::Measurement;
use super::report::{self, Subject};
use super::requirements::{Requirements, Runs};
use super::{AssertMeasured, Text, judge_measurement, measured, or_panic};

/// Assertions on the phases of [`Window::measure_phases`](crate::Window::measure_phases).
///
/// The requirements are written as in [`AssertMeasured`], which asserts on the whole
/// window and returns the value. A chain can also end with a phase. A phase has the metrics
/// that are counted, such as `allocs` and `net-bytes`; only the whole has `peak-bytes` and
/// what other threads did.
///
/// ```
/// use alloc_assert::{AssertMeasured, AssertPhases, CountingAlloc, Window};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() {
/// let joined = Window::thread()
///     .with_peak()
///     .measure_phases(|phases| {
///         let words = phases.run("split", || "a b c".split(' ').collect::<Vec<_>>());
///         phases.run("join", || words.join("-"))
///     })
///     .assert_phase("split", "allocs == 1")
///     .assert_phase("join", "allocs == 1, bytes <= 8")
///     .assert_rest("allocs == 0")
///     .assert("peak-bytes <= 128");
/// assert_eq!(joined, "a-b-c");
/// # }
/// ```
pub trait AssertPhases {
    /// The return value of the closure.
    type Value;

    /// Returns the measurement if the phase called `name` meets every requirement, in all
    /// its runs together.
    ///
    /// # Panics
    ///
    /// As [`AssertMeasured::assert`], and when no phase of this name ran.
    #[track_caller]
    fn assert_phase(self, name: &str, requirements: impl fmt::Display) -> Phased<Self::Value>;

    /// Returns the measurement if the operations outside all phases meet every requirement.
    ///
    /// # Panics
    ///
    /// As [`AssertMeasured::assert`].
    #[track_caller]
    fn assert_rest(self, requirements: impl fmt::Display) -> Phased<Self::Value>;
}

impl<T> AssertPhases for Phased<T> {
    type Value = T;

    #[track_caller]
    fn assert_phase(self, name: &str, requirements: impl fmt::Display) -> Self {
        let text = Text::new(requirements);
        let Some(phase) = self.phase(name) else {
            let names: Vec<_> = self.phases.iter().map(|phase| phase.name).collect();
            let names = match &names[..] {
                [] => String::from("none"),
                names => names.join(", "),
            };
            let reason = format!("no phase called `{name}` ran; phases: {names}");
            panic!("{}", report::not_measured(reason, Subject::default()))
        };
        judge_part(&self, Some(phase), text.as_str());
        self
    }

    #[track_caller]
    fn assert_rest(self, requirements: impl fmt::Display) -> Self {
        judge_part(&self, None, Text::new(requirements).as_str());
        self
    }
}

impl<M: AssertPhases> AssertPhases for Result<M, MeasureError> {
    type Value = M::Value;

    #[track_caller]
    fn assert_phase(self, name: &str, requirements: impl fmt::Display) -> Phased<M::Value> {
        let text = Text::new(requirements);
        measured(self, Subject::default()).assert_phase(name, text.as_str())
    }

    #[track_caller]
    fn assert_rest(self, requirements: impl fmt::Display) -> Phased<M::Value> {
        let text = Text::new(requirements);
        measured(self, Subject::default()).assert_rest(text.as_str())
    }
}

/// An assertion on the whole window.
impl<T> AssertMeasured for Phased<T> {
    type Value = T;

    #[track_caller]
    fn assert(self, requirements: impl fmt::Display) -> T {
        self.whole.assert(requirements)
    }
}

/// Asserts on a phase, or on what is outside all phases.
#[track_caller]
fn judge_part<T>(phased: &Phased<T>, phase: Option<&Phase>, requirements: &str) {
    let requirements = or_panic(Requirements::read(requirements, Runs::Once));
    let part = match phase {
        Some(Phase { name, runs: 1, .. }) => format!("phase `{name}`, 1 run"),
        Some(Phase { name, runs, .. }) => format!("phase `{name}`, {runs} runs"),
        None => String::from("outside all phases"),
    };
    let subject = Subject {
        part: Some(&part),
        ..Subject::default()
    };
    let threads = phased.whole.still_running;
    or_panic(report::not_still_running(threads, subject));
    let tally = phase.map_or(phased.rest, |phase| phase.tally);
    let measurement = Measurement::of_phase(&phased.whole, tally);
    or_panic(judge_measurement(&measurement, &requirements, subject));
}
