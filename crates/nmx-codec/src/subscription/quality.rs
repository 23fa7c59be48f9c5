//! [`Quality`]: how far a value can be trusted, and why.

use std::num::NonZeroU16;

/// How far a value can be trusted: a [`Status`] in the upper 2 bits, a detail
/// in the lower 14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quality(pub u16);

/// The status in a quality. Each pattern of its 2 bits is a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The value is not usable.
    Bad,
    /// The value may be wrong.
    Uncertain,
    /// The value was right once.
    Stale,
    /// The value is right.
    Good,
}

impl Quality {
    /// Good, without a detail.
    pub const GOOD: Self = Self(0xc000);

    const DETAIL_BITS: u32 = 14;

    /// How far the value can be trusted.
    pub fn status(self) -> Status {
        match self.0 >> Self::DETAIL_BITS {
            0 => Status::Bad,
            1 => Status::Uncertain,
            2 => Status::Stale,
            _ => Status::Good,
        }
    }

    /// The server's code for the reason of the status, if it has one.
    pub fn detail(self) -> Option<NonZeroU16> {
        NonZeroU16::new(self.0 & ((1 << Self::DETAIL_BITS) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quality_is_a_status_and_a_detail() {
        for (quality, status, detail) in [
            (0x0000, Status::Bad, 0),
            (0x3fff, Status::Bad, 0x3fff),
            (0x4001, Status::Uncertain, 1),
            (0x8000, Status::Stale, 0),
            (0xc000, Status::Good, 0),
            (0xffff, Status::Good, 0x3fff),
        ] {
            assert_eq!(Quality(quality).status(), status);
            assert_eq!(Quality(quality).detail(), NonZeroU16::new(detail));
        }
        assert_eq!(Quality::GOOD, Quality(0xc000));
    }
}
