//! The stand-in for `requested` without the feature `window-numbers`: windows have no numbers.

use crate::measured::{MeasureError, Scope};

/// No number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number;

impl Number {
    pub(crate) const NONE: Self = Self;

    pub(crate) fn next() -> Self {
        Self
    }

    pub(crate) fn capture(self, _: Scope, _: usize) -> Result<Option<Requested>, MeasureError> {
        Ok(None)
    }
}

/// No stacks.
#[derive(Debug)]
pub(crate) enum Requested {}

impl Requested {
    pub(crate) fn enter(&self, _: Option<&str>) {
        match *self {}
    }

    pub(crate) fn stop(&self) {
        match *self {}
    }

    pub(crate) fn keep(self) {
        match self {}
    }
}
