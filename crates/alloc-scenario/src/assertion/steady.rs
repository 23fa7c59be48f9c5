//! [`Steady`]: an operation that is run many times, warmed up, each of which
//! has to be as required. What it keeps does not grow with the repeats.

use std::hint::black_box;

use alloc_results::Reading;
use counting_alloc::{Measured, Tally, Window};

use super::figures::Figures;
use super::report::{Report, Subject, not_measured};
use super::requirements::{Requirements, Unnamed};

/// An assertion on an operation at steady state: after a warm-up, each of many
/// repeats has to be as required, not their mean.
///
/// ```
/// use alloc_scenario::{CountingAlloc, Steady};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() {
/// let mut line = String::new();
/// Steady::new().warm_up(1).repeats(1_000).assert("alloc-calls == 0", || {
///     line.clear();
///     line.push_str("the first call grows the line, and the others do not");
/// });
/// # }
/// ```
///
/// Without settings, 10 calls of warm-up and 100 repeats. A failure names the
/// first repeat that broke a requirement, how many did, the least and the most of
/// the metric, and what the first call ever did.
///
/// What every repeat needs and is not to be counted goes into
/// [`uncounted`](crate::uncounted()).
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is run without `assert`"]
pub struct Steady {
    warm_up: u64,
    repeats: u64,
    window: Window,
}

impl Default for Steady {
    fn default() -> Self {
        Self::new()
    }
}

impl Steady {
    /// With 10 calls of warm-up and 100 repeats, of the calling thread.
    pub const fn new() -> Self {
        Self {
            warm_up: 10,
            repeats: 100,
            window: super::window(),
        }
    }

    /// The number of calls before the repeats, which are not judged. The first
    /// of them is shown in a failure. With 0, the first, cold call is a repeat.
    pub const fn warm_up(self, calls: u64) -> Self {
        Self {
            warm_up: calls,
            ..self
        }
    }

    /// The number of calls that are judged.
    ///
    /// # Panics
    ///
    /// When it is 0: nothing would be judged.
    #[track_caller]
    pub const fn repeats(self, repeats: u64) -> Self {
        assert!(repeats > 0, "without a repeat nothing would be judged");
        Self { repeats, ..self }
    }

    /// The window that each repeat is measured in, instead of one of the calling
    /// thread with its peak and its first operations.
    pub const fn window(self, window: Window) -> Self {
        Self { window, ..self }
    }

    /// Runs `f` as often as set, and returns the value of its last run if every
    /// requirement held in every repeat. The requirements are written as in
    /// [`AssertMeasured`](crate::AssertMeasured).
    ///
    /// Each value is dropped before the next run and outside of its measurement.
    ///
    /// # Panics
    ///
    /// As [`AssertMeasured::assert`](crate::AssertMeasured::assert), after all
    /// repeats ran.
    #[track_caller]
    pub fn assert<T>(self, requirements: &str, f: impl FnMut() -> T) -> T {
        match self.run(requirements, Unnamed::IsAMistake, Subject::NONE, f) {
            Ok(value) => value,
            Err(failure) => panic!("{failure}"),
        }
    }

    /// The last value, or what to tell of the failure.
    pub(super) fn run<T>(
        self,
        requirements: &str,
        unnamed: Unnamed,
        subject: Subject<'_>,
        mut f: impl FnMut() -> T,
    ) -> Result<T, String> {
        let requirements = Requirements::read(requirements, unnamed).map_err(|e| e.to_string())?;
        // The closure alone is between the opening and the closing of a window;
        // all that is noted is noted in between.
        let mut measure = || {
            let measured = self.window.measure(|| black_box(f()));
            measured.map_err(|error| not_measured(error, requirements.text, subject))
        };
        let mut notes = Notes::new(&requirements);
        for _ in 0..self.warm_up {
            let measured = measure()?;
            notes.cold.get_or_insert(measured.tally);
        }
        for repeat in 1..self.repeats {
            notes.add(repeat, &measure()?);
        }
        let last = measure()?;
        notes.add(self.repeats, &last);
        let Some((first_broken, figures)) = notes.first_broken else {
            return Ok(last.value);
        };
        let repeats = Repeats {
            repeats: self.repeats,
            warm_up: self.warm_up,
            cold: notes.cold,
            first_broken,
            of_each: notes.of_each,
        };
        let report = Report {
            subject,
            requirements: &requirements,
            figures: &figures,
            repeats: Some(&repeats),
        };
        Err(report.to_string())
    }
}

/// What the repeats did, beside the one that is shown.
pub(super) struct Repeats {
    pub(super) repeats: u64,
    pub(super) warm_up: u64,
    /// What the first call ever did, if it was of the warm-up.
    pub(super) cold: Option<Tally>,
    /// The first repeat that broke a requirement, from 1.
    pub(super) first_broken: u64,
    /// For each requirement.
    pub(super) of_each: Vec<OfRequirement>,
}

/// What the repeats did about one requirement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfRequirement {
    /// How many broke it.
    pub(super) broken: u64,
    /// The first of those, from 1.
    pub(super) first_broken: Option<u64>,
    /// The least and the most of its metric, if that was measured.
    pub(super) range: Option<(i128, i128)>,
}

/// What is kept while the repeats run.
struct Notes<'r> {
    requirements: &'r Requirements<'r>,
    cold: Option<Tally>,
    first_broken: Option<(u64, Figures)>,
    of_each: Vec<OfRequirement>,
}

impl<'r> Notes<'r> {
    fn new(requirements: &'r Requirements<'r>) -> Self {
        Self {
            requirements,
            cold: None,
            first_broken: None,
            of_each: vec![OfRequirement::default(); requirements.list.len()],
        }
    }

    fn add<T>(&mut self, repeat: u64, measured: &Measured<T>) {
        let reading = crate::measure::reading(measured);
        if self.note(repeat, &reading) && self.first_broken.is_none() {
            self.first_broken = Some((repeat, Figures::of(measured)));
        }
    }

    /// Whether the repeat broke a requirement.
    fn note(&mut self, repeat: u64, reading: &Reading) -> bool {
        let mut broke = false;
        for (requirement, of_it) in self.requirements.list.iter().zip(&mut self.of_each) {
            if let Some(value) = requirement.metric.value(reading) {
                let (low, high) = of_it.range.unwrap_or((value, value));
                of_it.range = Some((low.min(value), high.max(value)));
            }
            if !requirement.holds(reading) {
                of_it.broken += 1;
                of_it.first_broken.get_or_insert(repeat);
                broke = true;
            }
        }
        broke
    }
}
