//! [`Timestamp`]: a point in time, converted between the ticks on the wire and Unix
//! time.

/// A point in time, to 100 nanoseconds.
///
/// On the wire it is a FILETIME: ticks of 100 nanoseconds since the start of
/// 1601. In memory it is Unix time, as most consumers want it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// The whole seconds since 1970. It comes from a number of ticks in an `i64`, since
    /// there is no other constructor.
    unix_seconds: i64,
    /// Below 1,000,000,000, and a multiple of 100.
    nanoseconds: u32,
}

const TICKS_PER_SECOND: i64 = 10_000_000;
const NANOSECONDS_PER_TICK: u32 = 100;
/// From the start of 1601 to the start of 1970.
const EPOCH_SECONDS: i64 = 11_644_473_600;

impl Timestamp {
    /// The time that many ticks after the start of 1601. Every number is valid.
    pub fn from_filetime(ticks: i64) -> Self {
        let ticks_of_second = ticks.rem_euclid(TICKS_PER_SECOND) as u32;
        Self {
            unix_seconds: ticks.div_euclid(TICKS_PER_SECOND) - EPOCH_SECONDS,
            nanoseconds: ticks_of_second * NANOSECONDS_PER_TICK,
        }
    }

    /// The ticks from the start of 1601.
    pub fn to_filetime(self) -> i64 {
        // Ticks can express only a part of the first second, so its start is outside
        // of `i64`. The product wraps there, and the sum wraps back.
        (self.unix_seconds + EPOCH_SECONDS)
            .wrapping_mul(TICKS_PER_SECOND)
            .wrapping_add(i64::from(self.nanoseconds / NANOSECONDS_PER_TICK))
    }

    /// Whole seconds since the start of 1970, rounded down.
    pub fn unix_seconds(self) -> i64 {
        self.unix_seconds
    }

    /// Nanoseconds since that second.
    pub fn nanoseconds(self) -> u32 {
        self.nanoseconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unix_epoch_is_second_zero() {
        let epoch = Timestamp::from_filetime(116_444_736_000_000_000);
        assert_eq!((epoch.unix_seconds(), epoch.nanoseconds()), (0, 0));
        let before = Timestamp::from_filetime(116_444_735_999_999_999);
        assert_eq!(
            (before.unix_seconds(), before.nanoseconds()),
            (-1, 999_999_900)
        );
        assert!(before < epoch);
    }
}
