//! [`Amount`]: a number with or without a unit of bytes, `5`, `4 KiB`.

use std::fmt;

use crate::named::named;
use crate::piece::{Mistake, Piece, SyntaxError};
use crate::ratio::{NumberError, Ratio};

/// A number as written, and its value in bytes if it has a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Amount {
    number: Ratio,
    unit: Option<ByteUnit>,
    value: Ratio,
}

named! {
    /// A unit of bytes. Units with an `i` are powers of 1,024, the others of 1,000.
    pub enum ByteUnit {
        /// `B`: 1
        Byte = "B",
        /// `KiB`: 1,024
        Kibibyte = "KiB",
        /// `MiB`: 1,048,576
        Mebibyte = "MiB",
        /// `GiB`: 1,073,741,824
        Gibibyte = "GiB",
        /// `kB`: 1,000
        Kilobyte = "kB",
        /// `MB`: 1,000,000
        Megabyte = "MB",
        /// `GB`: 1,000,000,000
        Gigabyte = "GB",
    }
}

impl Amount {
    /// `number` in `unit`; `None` when the value is too long to be compared exactly.
    #[must_use]
    pub fn new(number: Ratio, unit: Option<ByteUnit>) -> Option<Self> {
        let value = match unit {
            Some(unit) => number.checked_mul(unit.bytes().into())?,
            None => number,
        };
        u64::try_from(value.floor().unsigned_abs()).ok()?;
        Some(Self {
            number,
            unit,
            value,
        })
    }

    /// The number as written.
    #[must_use]
    pub const fn number(&self) -> Ratio {
        self.number
    }

    /// The unit, if one is written.
    #[must_use]
    pub const fn unit(&self) -> Option<ByteUnit> {
        self.unit
    }

    /// The value, in bytes if there is a unit.
    #[must_use]
    pub const fn value(&self) -> Ratio {
        self.value
    }
}

/// An amount without a unit.
impl From<Ratio> for Amount {
    fn from(number: Ratio) -> Self {
        Self {
            number,
            unit: None,
            value: number,
        }
    }
}

/// In a form that can be read again: `4 KiB`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)?;
        match self.unit {
            Some(unit) => write!(f, " {unit}"),
            None => Ok(()),
        }
    }
}

impl ByteUnit {
    /// The number of bytes in the unit.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Byte => 1,
            Self::Kibibyte => 1 << 10,
            Self::Mebibyte => 1 << 20,
            Self::Gibibyte => 1 << 30,
            Self::Kilobyte => 1_000,
            Self::Megabyte => 1_000_000,
            Self::Gigabyte => 1_000_000_000,
        }
    }
}

impl Piece<'_> {
    /// Reads the piece as a number, with or without a unit.
    ///
    /// # Errors
    ///
    /// When the piece is not a number, with the place of the mistake.
    pub fn amount(self) -> Result<Amount, SyntaxError> {
        let until_unit = self.text.find(|c: char| c.is_alphabetic());
        let (number, unit) = self.split_at(until_unit.unwrap_or(self.text.len()));
        let (number, unit) = (number.trim(), unit.trim());
        let number: Ratio = number.text.parse().map_err(|error| match error {
            NumberError::Unlike => self.is(Mistake::NotANumber),
            NumberError::TooLong => self.is(Mistake::TooLong),
        })?;
        if unit.text.is_empty() {
            return Ok(number.into());
        }
        let unit = unit
            .text
            .parse()
            .map_err(|()| unit.is(Mistake::UnknownUnit))?;
        Amount::new(number, Some(unit)).ok_or_else(|| self.is(Mistake::TooLong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_1024_and_of_1000() {
        for (text, value, shown) in [
            ("5", "5", "5"),
            ("64 B", "64", "64 B"),
            ("4 KiB", "4096", "4 KiB"),
            ("4KiB", "4096", "4 KiB"),
            ("1.5 MiB", "1572864", "1.5 MiB"),
            ("2 GiB", "2147483648", "2 GiB"),
            ("0.5 kB", "500", "0.5 kB"),
            ("1_000 MB", "1000000000", "1_000 MB"),
            ("3 GB", "3000000000", "3 GB"),
            ("-1 kB", "-1000", "-1 kB"),
            ("0.0001 kB", "0.1", "0.0001 kB"),
        ] {
            let amount = Piece { text, begin: 0 }.amount();
            let amount = amount.expect("it can be read");
            assert_eq!(amount.value(), value.parse().unwrap(), "{text}");
            assert_eq!(amount.to_string(), shown);
        }
    }
}
