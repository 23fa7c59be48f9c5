//! [`Steady`]: an assertion on every one of many repeats of an operation. Its memory
//! does not grow with the number of repeats.

use std::fmt;
use std::hint::black_box;
use std::panic::Location;

use counting_alloc::{Window, uncounted};

use crate::sites::{self, Captured};

use super::measurement::Measurement;
use super::report::{self, Report, Subject, error_message, not_measured};
use super::requirements::{Broken, Requirement, Requirements, Runs, Statistic};
use super::{Text, or_panic, refuse_lazy};

/// An assertion on an operation in steady state: after a warm-up, each of many repeats
/// has to meet the requirements, not only their mean.
///
/// ```
/// use alloc_assert::{CountingAlloc, Steady};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() {
/// let mut line = String::new();
/// Steady::new().warm_up(1).repeats(1_000).assert("allocs == 0", || {
///     line.clear();
///     line.push_str("the first call grows the line, and the others do not");
/// });
/// # }
/// ```
///
/// The default is 10 calls of warm-up and 100 repeats. A failure names the first
/// repeat that broke a requirement, how many did, and the range of the metric.
///
/// `mean` and `total` before a metric apply to all repeats together, and
/// [`exceptions`](Self::exceptions) lets some repeats break the other requirements:
///
/// ```
/// # use alloc_assert::{CountingAlloc, Steady};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let mut line = String::new();
/// // The line grows a few times, and less often the longer it is.
/// Steady::new()
///     .repeats(1_000)
///     .exceptions(10)
///     .assert("allocs == 0, mean <= 0.01, total bytes <= 8 KiB", || {
///         line.push_str("words");
///     });
/// # }
/// ```
///
/// Put set-up work of a repeat that should not be counted into
/// [`uncounted`](crate::uncounted()).
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is run without `assert`"]
pub struct Steady {
    pub(super) warm_up: u64,
    pub(super) repeats: u64,
    pub(super) exceptions: u64,
    window: Window,
}

impl Default for Steady {
    fn default() -> Self {
        Self::new()
    }
}

impl Steady {
    /// An assertion on the calling thread with 10 calls of warm-up and 100 repeats.
    ///
    /// ```
    /// # use alloc_assert::{CountingAlloc, Steady};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() {
    /// Steady::new().assert("allocs == 0", || 2 + 2);
    /// # }
    /// ```
    pub const fn new() -> Self {
        Self {
            warm_up: 10,
            repeats: 100,
            exceptions: 0,
            window: super::window(),
        }
    }

    /// Sets the number of calls before the repeats. They are not checked. With 0, the
    /// first, cold call is a repeat.
    ///
    /// ```
    /// # use alloc_assert::{CountingAlloc, Steady};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() {
    /// let mut numbers = Vec::new();
    /// // The first call allocates, and is not checked.
    /// Steady::new().warm_up(1).assert("allocs == 0", || {
    ///     numbers.clear();
    ///     numbers.extend(0..100);
    /// });
    /// # }
    /// ```
    pub const fn warm_up(self, calls: u64) -> Self {
        Self {
            warm_up: calls,
            ..self
        }
    }

    /// Sets the number of calls that are checked.
    ///
    /// ```
    /// # use alloc_assert::{CountingAlloc, Steady};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() {
    /// Steady::new().repeats(1_000).assert("allocs == 1", || 7_u8.to_string());
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// When it is 0, since nothing would be checked.
    #[track_caller]
    pub const fn repeats(self, repeats: u64) -> Self {
        assert!(
            repeats > 0,
            "the number of repeats is zero; nothing would be checked"
        );
        Self { repeats, ..self }
    }

    /// Sets how many repeats may break a requirement; 0 by default. Requirements on the
    /// `mean` and the `total` include these repeats.
    ///
    /// ```
    /// # use alloc_assert::{CountingAlloc, Steady};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() {
    /// let mut line = String::new();
    /// // Growing the line allocates now and then.
    /// Steady::new()
    ///     .repeats(100)
    ///     .exceptions(5)
    ///     .assert("allocs == 0", || line.push('x'));
    /// # }
    /// ```
    pub const fn exceptions(self, exceptions: u64) -> Self {
        Self { exceptions, ..self }
    }

    /// Sets the window of each repeat. The default is a window of the calling thread
    /// with its peak and its first operations. A window of the process needs
    /// [`in_fresh_process`](crate::in_fresh_process) in a test of libtest.
    ///
    /// ```
    /// # use alloc_assert::{CountingAlloc, Steady};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() {
    /// use alloc_assert::Window;
    ///
    /// let without_peak = Window::thread();
    /// Steady::new()
    ///     .window(without_peak)
    ///     .assert("allocs == 1", || 7_u8.to_string());
    /// # }
    /// ```
    pub const fn window(self, window: Window) -> Self {
        Self { window, ..self }
    }

    /// Runs the warm-up and the repeats of `f`, and returns the value of the last
    /// repeat if every repeat met every requirement. The requirements are written as
    /// in [`AssertMeasured`](crate::AssertMeasured); `mean bytes < 8` can also be written
    /// `bytes mean < 8`, and `mean < 2` applies to `allocs`.
    ///
    /// Each value is dropped before the next run and outside its measurement.
    ///
    /// ```
    /// # use alloc_assert::{CountingAlloc, Steady};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() {
    /// let text = Steady::new().assert("allocs == 1, bytes <= 8", || 7_u8.to_string());
    /// assert_eq!(text, "7");
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// As [`AssertMeasured::assert`](crate::AssertMeasured::assert), after all
    /// repeats ran. Also when all repeats may be exceptions, since nothing could fail.
    #[track_caller]
    pub fn assert<T>(self, requirements: impl fmt::Display, f: impl FnMut() -> T) -> T {
        let text = Text::new(requirements);
        or_panic(self.run(text.as_str(), Subject::default(), f))
    }

    /// The value of the last repeat, or the report of a failure.
    #[track_caller]
    pub(super) fn run<T>(
        self,
        requirements: &str,
        subject: Subject<'_>,
        mut f: impl FnMut() -> T,
    ) -> Result<T, String> {
        let requirements = Requirements::read(requirements, Runs::Repeated)?;
        if self.exceptions >= self.repeats {
            let (all, repeats) = (self.exceptions, self.repeats);
            return Err(format!(
                "{all} exceptions in {repeats} repeats allow every repeat to fail; the assertion \
                 can't fail"
            ));
        }
        // Only the closure runs inside a window. Notes are taken between windows.
        let place = Location::caller();
        let mut measure = || {
            let measured = sites::measure(place, self.window, || black_box(f()));
            measured.map_err(|error| not_measured(error_message(error), subject))
        };
        let mut repeats = Repeats {
            steady: self,
            requirements: &requirements.list,
            shown: self.repeats,
            broken: 0,
            by_requirement: vec![RequirementRepeats::NONE; requirements.list.len()],
        };
        for _ in 0..self.warm_up {
            drop(measure()?);
        }
        let mut all_sites = Captured::NONE;
        let (mut first_broken, mut last) = (None, None);
        for repeat in 1..=self.repeats {
            drop(last.take());
            let (measured, sites) = measure()?;
            // A warm-up may start a pool, whose threads stay.
            report::not_still_running(measured.still_running, subject)?;
            let measurement = Measurement::new(&measured, sites);
            all_sites.add(&measurement.sites);
            if repeats.add(repeat, &measurement) {
                first_broken.get_or_insert_with(|| (repeat, measurement.clone()));
            }
            last = Some((measured.value, measurement));
        }
        let (value, last) = last.expect("there is at least one repeat");
        refuse_lazy::<T>(&last.reading, subject)?;
        let is_broken = repeats.broken > self.exceptions;
        let together = repeats.broken_together();
        if !is_broken && together.is_empty() {
            return Ok(value);
        }
        let first_broken = first_broken.filter(|_| is_broken);
        let (shown, mut measurement) = first_broken.unwrap_or((self.repeats, last));
        repeats.shown = shown;
        if !is_broken {
            measurement.sites = all_sites;
        }
        let mut broken = requirements.broken(&measurement);
        // Other than exceptions that are allowed.
        broken.retain(|_| is_broken);
        broken.extend(together);
        let report = Report {
            subject,
            broken,
            measurement: &measurement,
            repeats: Some(&repeats),
        };
        Err(uncounted(|| report.message()))
    }
}

/// The results of all repeats, for the report of a failure.
pub(super) struct Repeats<'r> {
    pub(super) steady: Steady,
    pub(super) requirements: &'r [Requirement],
    /// The repeat that is shown, from 1.
    pub(super) shown: u64,
    /// The number of repeats that broke a requirement.
    pub(super) broken: u64,
    /// The results for each requirement.
    pub(super) by_requirement: Vec<RequirementRepeats>,
}

/// The results of all repeats for one requirement.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequirementRepeats {
    /// The number of repeats that broke it.
    pub(super) broken: u64,
    /// The first repeat that broke it, from 1.
    pub(super) first_broken: Option<u64>,
    /// The least and the greatest value of its metric, if it was measured.
    pub(super) range: Option<(i128, i128)>,
    /// The sum of its metric; `None` if it was not measured.
    sum: Option<i128>,
}

impl RequirementRepeats {
    /// Before the first repeat.
    const NONE: Self = Self {
        broken: 0,
        first_broken: None,
        range: None,
        sum: Some(0),
    };
}

impl<'r> Repeats<'r> {
    /// Adds a repeat, and returns whether it broke a requirement.
    fn add(&mut self, repeat: u64, measurement: &Measurement) -> bool {
        let mut broke = false;
        for (requirement, repeated) in self.requirements.iter().zip(&mut self.by_requirement) {
            let value = requirement.metric.value(measurement);
            if let Some(value) = value {
                let (low, high) = repeated.range.unwrap_or((value, value));
                repeated.range = Some((low.min(value), high.max(value)));
            }
            repeated.sum = repeated.sum.zip(value).map(|(sum, value)| sum + value);
            let is_of_each = requirement.statistic == Statistic::Each;
            if is_of_each && Broken::new(requirement, value, 1).is_some() {
                repeated.broken += 1;
                repeated.first_broken.get_or_insert(repeat);
                broke = true;
            }
        }
        self.broken += u64::from(broke);
        broke
    }

    /// The requirements on all repeats together that don't hold.
    fn broken_together(&self) -> Vec<Broken<'r>> {
        let list = self.requirements.iter().zip(&self.by_requirement);
        let together = list.filter(|(one, _)| one.statistic != Statistic::Each);
        let broken = together.map(|(one, all)| Broken::new(one, all.sum, self.steady.repeats));
        broken.flatten().collect()
    }
}
