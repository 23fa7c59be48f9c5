//! [`Amount`]: a number with or without a unit of bytes, `5`, `4 KiB`.

use std::fmt;
use std::str::FromStr;

use crate::number::{Number, NumberError};
use crate::written::{Mistake, Piece, SyntaxError};

/// A number as it was written, and what it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Amount {
    number: Number,
    unit: Option<ByteUnit>,
    value: Number,
}

/// A unit of bytes: those with an `i` are powers of 1,024, the others of 1,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteUnit {
    /// `B`: 1
    Byte,
    /// `KiB`: 1,024
    Kibibyte,
    /// `MiB`: 1,048,576
    Mebibyte,
    /// `GiB`: 1,073,741,824
    Gibibyte,
    /// `kB`: 1,000
    Kilobyte,
    /// `MB`: 1,000,000
    Megabyte,
    /// `GB`: 1,000,000,000
    Gigabyte,
}

impl Amount {
    /// `number` of `unit`; `None` when that is past what can be compared exactly.
    #[must_use]
    pub fn new(number: Number, unit: Option<ByteUnit>) -> Option<Self> {
        let value = match unit {
            Some(unit) => number.times(unit.bytes())?,
            None => number,
        };
        Some(Self {
            number,
            unit,
            value,
        })
    }

    /// The number as it is written.
    #[must_use]
    pub const fn number(&self) -> Number {
        self.number
    }

    /// The unit, where one is written.
    #[must_use]
    pub const fn unit(&self) -> Option<ByteUnit> {
        self.unit
    }

    /// What it comes to, in bytes where there is a unit.
    #[must_use]
    pub const fn value(&self) -> Number {
        self.value
    }
}

/// Without a unit.
impl From<Number> for Amount {
    fn from(number: Number) -> Self {
        Self {
            number,
            unit: None,
            value: number,
        }
    }
}

/// As it can be read again: `4 KiB`.
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
    /// All units.
    pub const ALL: [Self; 7] = [
        Self::Byte,
        Self::Kibibyte,
        Self::Mebibyte,
        Self::Gibibyte,
        Self::Kilobyte,
        Self::Megabyte,
        Self::Gigabyte,
    ];

    /// How many bytes it is.
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

    /// As it is written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Byte => "B",
            Self::Kibibyte => "KiB",
            Self::Mebibyte => "MiB",
            Self::Gibibyte => "GiB",
            Self::Kilobyte => "kB",
            Self::Megabyte => "MB",
            Self::Gigabyte => "GB",
        }
    }
}

impl fmt::Display for ByteUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}

/// By its symbol, letter by letter: `kb` is none. The error is the unit, since
/// the caller knows the text.
impl FromStr for ByteUnit {
    type Err = ();

    fn from_str(symbol: &str) -> Result<Self, ()> {
        Self::ALL
            .into_iter()
            .find(|unit| unit.symbol() == symbol)
            .ok_or(())
    }
}

impl Piece<'_> {
    /// The number that stands here, with or without a unit.
    ///
    /// # Errors
    ///
    /// When something else does, with the part of it that is at fault.
    pub fn amount(self) -> Result<Amount, SyntaxError> {
        let until_unit = self.text.find(|c: char| c.is_alphabetic());
        let (number, unit) = self.split_at(until_unit.unwrap_or(self.text.len()));
        let (number, unit) = (number.trim(), unit.trim());
        let number: Number = number.text.parse().map_err(|error| match error {
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

    fn amount(text: &str) -> Result<Amount, SyntaxError> {
        Piece { text, begin: 0 }.amount()
    }

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
            let amount = amount(text).expect("it can be read");
            assert_eq!(amount.value(), value.parse().unwrap(), "{text}");
            assert_eq!(amount.to_string(), shown);
        }
    }

    #[test]
    fn what_is_at_fault_is_pointed_at() {
        for (text, at, mistake) in [
            ("4 kb", 2..4, Mistake::UnknownUnit("kb".into())),
            ("4 %", 0..3, Mistake::NotANumber("4 %".into())),
            ("KiB", 0..3, Mistake::NotANumber("KiB".into())),
            ("4 5 B", 0..5, Mistake::NotANumber("4 5 B".into())),
            (
                "18446744073709551615 KiB",
                0..24,
                Mistake::TooLong("18446744073709551615 KiB".into()),
            ),
        ] {
            let error = amount(text).expect_err("it can't be read");
            assert_eq!((error.span, error.mistake), (at, mistake), "{text}");
        }
    }
}
