//! [`Field`]: one number of a [`Reading`], to read or to change.

use crate::reading::Reading;

/// A number of a [`Reading`]. A metric is a sum of fields, less other fields.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    get: fn(&Reading) -> Option<u64>,
    get_mut: fn(&mut Reading) -> Option<&mut u64>,
}

impl Field {
    /// The peak of live bytes.
    pub(crate) const PEAK_BYTES: Self = Self::new(
        |reading| reading.peak_bytes,
        |reading| reading.peak_bytes.as_mut(),
    );

    pub(crate) const fn new(
        get: fn(&Reading) -> Option<u64>,
        get_mut: fn(&mut Reading) -> Option<&mut u64>,
    ) -> Self {
        Self { get, get_mut }
    }

    /// The number; `None` when it was not measured.
    #[must_use]
    pub fn get(&self, reading: &Reading) -> Option<u64> {
        (self.get)(reading)
    }

    /// The number in place; `None` when it was not measured.
    pub fn get_mut<'r>(&self, reading: &'r mut Reading) -> Option<&'r mut u64> {
        (self.get_mut)(reading)
    }
}

/// The [`Field`] of this name in [`Tally`].
macro_rules! counts {
    ($name:ident) => {
        $crate::field::Field::new(
            |reading| Some(reading.counts.$name),
            |reading| Some(&mut reading.counts.$name),
        )
    };
}

pub(crate) use counts;
