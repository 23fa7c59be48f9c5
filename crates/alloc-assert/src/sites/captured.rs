//! [`Capture`]: measures with call stacks, and [`Captured`]: those of a measurement.

use std::cell::RefCell;
use std::num::NonZeroU64;
use std::panic::Location;
use std::rc::Rc;

use counting_alloc::window_numbers::WindowPart;
use counting_alloc::{MeasureError, Measured, Sites, Window, uncounted};

pub(crate) use counting_alloc::window_numbers::restart_window_numbers;

use crate::sites::stacks::Stacks;
use crate::sites::{Failed, second_run, table};

/// The measurements of a thread whose call stacks are kept for an assertion.
const KEPT: usize = 8;

thread_local! {
    static LATEST: RefCell<Latest> = const { RefCell::new(Latest::NONE) };
}

/// Measures with call stacks. Several measurements share what is known of stacks.
pub(crate) struct Capture {
    /// `None` in a second run of the test, which captures those of one window.
    sites: Option<Sites>,
    place: &'static Location<'static>,
}

impl Capture {
    /// For measurements of the caller's code.
    #[track_caller]
    pub(crate) fn new() -> Self {
        let place = Location::caller();
        let is_second = uncounted(second_run::is_second);
        let sites = (!is_second).then(Sites::new);
        Self { sites, place }
    }

    /// Runs `f` in a window that captures call stacks, or in a plain one where that is not
    /// possible.
    pub(crate) fn measure<T>(
        &mut self,
        window: Window,
        f: impl FnOnce() -> T,
    ) -> Result<Measured<T>, MeasureError> {
        let Some(sites) = &mut self.sites else {
            return window.measure(f);
        };
        let mut f = Some(f);
        let capturing = window.with_sites(sites).with_live_blocks();
        let measured = capturing.measure(|| f.take().map(|f| f()));
        match (measured, f) {
            (Err(_), Some(f)) => window.measure(f),
            (Err(error), None) => Err(error),
            (Ok(measured), _) => {
                self.keep(&measured);
                Ok(measured.map(|value| value.expect("a window runs its closure")))
            }
        }
    }

    fn keep<T>(&mut self, measured: &Measured<T>) {
        uncounted(|| {
            let Some(sites) = &mut self.sites else { return };
            let stacks = Stacks {
                place: self.place,
                stacks: sites.stacks().to_vec(),
                counts: sites.take_counts(),
                scope: measured.scope,
                tally: measured.tally,
            };
            let captured = Some(Rc::new(stacks));
            // A thread that is ending keeps none.
            let _ = LATEST.try_with(|latest| {
                latest.borrow_mut().add(measured.number, captured);
            });
        });
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        uncounted(|| self.sites = None);
    }
}

/// The latest measurements of a thread, by the numbers of their windows.
struct Latest {
    list: [(Option<NonZeroU64>, Option<Rc<Stacks>>); KEPT],
    next: usize,
}

impl Latest {
    const NONE: Self = Self {
        list: [const { (None, None) }; KEPT],
        next: 0,
    };

    fn add(&mut self, number: Option<NonZeroU64>, captured: Option<Rc<Stacks>>) {
        self.list[self.next] = (number, captured);
        self.next = (self.next + 1) % KEPT;
    }
}

/// The call stacks of a measurement, or of several, if they are known. They are freed
/// uncounted, as they were allocated: another window may be open.
#[derive(Clone, Debug)]
pub(crate) struct Captured {
    stacks: Option<Rc<Stacks>>,
    /// The window, for a second run of the test.
    window: Option<(NonZeroU64, WindowPart)>,
}

impl Captured {
    pub(crate) const NONE: Self = Self {
        stacks: None,
        window: None,
    };

    /// The call stacks of a measurement of this thread.
    pub(crate) fn of<T>(measured: &Measured<T>) -> Self {
        let found = LATEST.try_with(|latest| {
            let number = Some(measured.number?);
            let latest = latest.borrow();
            let found = latest.list.iter().find(|(one, _)| *one == number);
            found.and_then(|(_, stacks)| stacks.clone())
        });
        Self {
            stacks: found.ok().flatten(),
            window: measured.number.map(|number| (number, WindowPart::Whole)),
        }
    }

    /// Those of a phase, or outside all phases.
    pub(crate) fn of_phase<T>(measured: &Measured<T>, name: Option<&'static str>) -> Self {
        let part = name.map_or(WindowPart::Rest, WindowPart::Phase);
        Self {
            stacks: None,
            window: measured.number.map(|number| (number, part)),
        }
    }

    /// Adds the next measurement of the same [`Capture`].
    pub(crate) fn add(&mut self, other: &Self) {
        uncounted(|| match (&mut self.stacks, &other.stacks) {
            (Some(sum), Some(other)) => {
                let sum = Rc::make_mut(sum);
                sum.stacks.clone_from(&other.stacks);
                sum.counts += &other.counts;
                sum.tally += other.tally;
            }
            (None, Some(_)) => *self = other.clone(),
            (_, None) => {}
        });
    }

    /// The lines of code behind a failure, or why there are none.
    pub(crate) fn lines(&self, failed: &Failed<'_>) -> Result<Vec<String>, String> {
        match &self.stacks {
            Some(stacks) => table::lines(stacks, failed.metrics),
            None if !Sites::AVAILABLE => Err(MeasureError::NoSites.to_string()),
            None => second_run::lines(self.window, failed),
        }
    }
}

impl Drop for Captured {
    fn drop(&mut self) {
        uncounted(|| self.stacks = None);
    }
}
