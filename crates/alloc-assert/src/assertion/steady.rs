//! [`Steady`]: an assertion on every one of many repeats of an operation. Its memory
//! does not grow with the number of repeats.

use std::fmt;
use std::hint::black_box;

use counting_alloc::{Measured, Tally, Window, uncounted};

use crate::sites::{Capture, Captured};

use super::figures::Figures;
use super::repeats::{Repeats, RequirementRepeats};
use super::report::{self, Report, Subject, error_message, not_measured};
use super::requirements::{Requirements, Runs, Statistic};
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
/// repeat that broke a requirement, how many did, the range of the metric, and the
/// operations of the first call.
///
/// `mean` and `total` beside a metric are about all repeats together, and
/// [`exceptions`](Self::exceptions) lets some repeats break the others:
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
    warm_up: u64,
    repeats: u64,
    exceptions: u64,
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

    /// Sets the number of calls before the repeats. They are not checked, and the
    /// first of them is shown in a failure. With 0, the first, cold call is a repeat.
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
    /// `bytes mean < 8`, and `mean < 2` is about `allocs`.
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
        or_panic(self.run(text.as_str(), Subject::NONE, f))
    }

    /// The value of the last repeat, or the report of a failure.
    #[track_caller]
    pub(super) fn run<T>(
        self,
        requirements: &str,
        subject: Subject<'_>,
        f: impl FnMut() -> T,
    ) -> Result<T, String> {
        let requirements = Requirements::read(requirements, Runs::Repeated);
        let requirements = requirements.map_err(|mistake| mistake.to_string())?;
        if self.exceptions >= self.repeats {
            let (all, repeats) = (self.exceptions, self.repeats);
            return Err(format!(
                "{all} exceptions in {repeats} repeats allow every repeat to fail; the assertion \
                 can't fail"
            ));
        }
        let ((last, sites), notes) = self.measure(&requirements, subject, f)?;
        let reading = crate::reading::reading(&last);
        refuse_lazy::<T>(&reading, &requirements, subject)?;
        let last_figures = || (self.repeats, Figures::from_measured(&last, sites.clone()));
        let broken = notes.broken;
        let (shown, figures) = match notes.first_broken {
            Some(first) if broken > self.exceptions => first,
            Some(_) | None => last_figures(),
        };
        let repeats = Repeats {
            repeats: self.repeats,
            warm_up: self.warm_up,
            cold: notes.cold,
            shown,
            broken,
            exceptions: self.exceptions,
            by_requirement: notes.by_requirement,
        };
        let hold_together = repeats.broken_together(&requirements).next().is_none();
        if hold_together && broken <= self.exceptions {
            return Ok(last.value);
        }
        let report = Report {
            subject,
            requirements: &requirements,
            figures: &figures,
            repeats: Some(&repeats),
            sites: if broken > self.exceptions {
                &figures.sites
            } else {
                &notes.sites
            },
        };
        Err(uncounted(|| report.to_string()))
    }

    /// Runs the warm-up and the repeats. Returns the last repeat, and the notes on all.
    #[track_caller]
    fn measure<'r, T>(
        self,
        requirements: &'r Requirements<'r>,
        subject: Subject<'_>,
        mut f: impl FnMut() -> T,
    ) -> Result<((Measured<T>, Captured), Notes<'r>), String> {
        // Only the closure runs inside a window. Notes are taken between windows.
        let mut capture = Capture::new();
        let window = self.window;
        let mut measure = || {
            let measured = capture.measure(window, || black_box(f()));
            measured.map_err(|error| not_measured(error_message(error), requirements.text, subject))
        };
        // A warm-up may start a pool, whose threads stay.
        let exact = |(measured, sites)| {
            let measured = report::exact(measured, requirements.text, subject)?;
            Ok::<_, String>((measured, sites))
        };
        let mut notes = Notes::new(requirements);
        for _ in 0..self.warm_up {
            let (measured, _) = measure()?;
            notes.cold.get_or_insert(measured.tally);
        }
        for repeat in 1..self.repeats {
            notes.add(repeat, &exact(measure()?)?);
        }
        let last = exact(measure()?)?;
        notes.add(self.repeats, &last);
        Ok((last, notes))
    }
}

/// The results while the repeats run.
struct Notes<'r> {
    requirements: &'r Requirements<'r>,
    cold: Option<Tally>,
    first_broken: Option<(u64, Figures)>,
    /// The number of repeats that broke a requirement.
    broken: u64,
    by_requirement: Vec<RequirementRepeats>,
    /// The call stacks of all repeats.
    sites: Captured,
}

impl<'r> Notes<'r> {
    fn new(requirements: &'r Requirements<'r>) -> Self {
        Self {
            requirements,
            cold: None,
            first_broken: None,
            broken: 0,
            by_requirement: vec![RequirementRepeats::NONE; requirements.list.len()],
            sites: Captured::NONE,
        }
    }

    fn add<T>(&mut self, repeat: u64, (measured, sites): &(Measured<T>, Captured)) {
        let figures = Figures::from_measured(measured, sites.clone());
        self.sites.add(&figures.sites);
        if self.note(repeat, &figures) {
            self.broken += 1;
            self.first_broken.get_or_insert((repeat, figures));
        }
    }

    /// Notes the figures of a repeat, and returns whether they broke a requirement.
    fn note(&mut self, repeat: u64, figures: &Figures) -> bool {
        let mut broke = false;
        for (requirement, repeated) in self.requirements.list.iter().zip(&mut self.by_requirement) {
            let value = requirement.metric.value(figures);
            if let Some(value) = value {
                let (low, high) = repeated.range.unwrap_or((value, value));
                repeated.range = Some((low.min(value), high.max(value)));
            }
            repeated.sum = repeated.sum.zip(value).map(|(sum, value)| sum + value);
            if requirement.statistic == Statistic::Each && !requirement.holds(figures) {
                repeated.broken += 1;
                repeated.first_broken.get_or_insert(repeat);
                broke = true;
            }
        }
        broke
    }
}
