//! [`measure`] captures the call stacks of a measurement in a [`Captured`].

use std::panic::Location;
use std::rc::Rc;

use alloc_results::Metric;
use counting_alloc::{MeasureError, Measured, Scope, Sites, Tally, Window, uncounted};

use crate::sites::{NOT_CAPTURED, table};

/// Runs `f` in a window that captures call stacks, or in a plain one where that is not possible.
/// `place` is the line that measures.
pub(crate) fn measure<T>(
    place: &'static Location<'static>,
    window: Window,
    f: impl FnOnce() -> T,
) -> Result<(Measured<T>, Captured), MeasureError> {
    let mut f = Some(f);
    let measured = window.measure_sites(|| f.take().map(|f| f()));
    match (measured, f) {
        (Err(_), Some(f)) => Ok((window.measure(f)?, Captured::NONE)),
        (Err(error), None) => Err(error),
        (Ok((measured, sites)), _) => {
            let stacks = Stacks {
                place,
                sites,
                scope: measured.scope,
                tally: measured.tally,
            };
            let stacks = Some(uncounted(|| Rc::new(stacks)));
            let measured = measured.map(|value| value.expect("a window runs its closure"));
            Ok((measured, Captured { stacks }))
        }
    }
}

/// Call stacks, and what each of them did.
#[derive(Clone, Debug)]
pub(super) struct Stacks {
    /// The line that measured.
    pub(super) place: &'static Location<'static>,
    pub(super) sites: Sites,
    pub(super) scope: Scope,
    /// The operations of the windows.
    pub(super) tally: Tally,
}

/// The call stacks of a measurement, or of several, if they are known. They are freed
/// uncounted, as they were allocated: another window may be open.
#[derive(Clone, Debug)]
pub(crate) struct Captured {
    stacks: Option<Rc<Stacks>>,
}

impl Captured {
    pub(crate) const NONE: Self = Self { stacks: None };

    /// Adds the next measurement at the same place.
    pub(crate) fn add(&mut self, other: &Self) {
        uncounted(|| match (&mut self.stacks, &other.stacks) {
            (Some(sum), Some(other)) => {
                let sum = Rc::make_mut(sum);
                sum.sites += &other.sites;
                sum.tally += other.tally;
            }
            (None, Some(_)) => *self = other.clone(),
            (_, None) => {}
        });
    }

    /// The lines of code behind a failure, or why there are none.
    pub(crate) fn lines(&self, metrics: &[Metric]) -> Result<Vec<String>, String> {
        match &self.stacks {
            Some(stacks) => table::lines(stacks, metrics),
            None if !Sites::AVAILABLE => Err(String::from("not available on this target")),
            None => Err(NOT_CAPTURED.to_owned()),
        }
    }
}

impl Drop for Captured {
    fn drop(&mut self) {
        uncounted(|| self.stacks = None);
    }
}
