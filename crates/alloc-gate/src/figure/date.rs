//! [`Date`]: a day of the Gregorian calendar.

use std::fmt;

/// A day of the Gregorian calendar, without a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// A valid date: years from 1 to 9999, months and days from 1.
    #[must_use]
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let is_leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let last_day = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        if 1 <= year && year <= 9999 && 1 <= day && day <= last_day {
            Some(Self { year, month, day })
        } else {
            None
        }
    }

    /// The date that is `days` after 1970-01-01, or before it where `days` is negative.
    /// Dates outside the years 1 to 9999 become 0001-01-01 or 9999-12-31.
    ///
    /// The algorithm is `civil_from_days` of
    /// <https://howardhinnant.github.io/date_algorithms.html>. Its years begin in March,
    /// so that a leap day is the last day of a year.
    #[must_use]
    pub const fn from_unix_days(days: i64) -> Self {
        const FIRST: i64 = -719_162; // 0001-01-01
        const LAST: i64 = 2_932_896; // 9999-12-31
        let days = match days {
            ..FIRST => FIRST,
            FIRST..=LAST => days,
            _ => LAST,
        };
        let days = days + 719_468; // since 0000-03-01
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let is_next_year = month_from_march >= 10; // January and February
        let month = month_from_march + if is_next_year { -9 } else { 3 };
        Self {
            year: (era * 400 + year_of_era + is_next_year as i64) as u16,
            month: month as u8,
            day: (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u8,
        }
    }

    /// Reads a date of exactly the form `2026-01-31`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_formed = |(index, byte): (usize, u8)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        if text.len() != 10 || !text.bytes().enumerate().all(is_formed) {
            return None;
        }
        let (year, month, day) = (&text[..4], &text[5..7], &text[8..]);
        Self::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
    }
}

/// `2026-01-31`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_1970_become_a_date() {
        // From `date -u -d @$((days * 86400)) +%F`.
        for (days, day) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (790, "1972-03-01"),
            (11_016, "2000-02-29"),
            (11_322, "2000-12-31"),
            (11_323, "2001-01-01"),
            (20_484, "2026-01-31"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
            (2_932_896, "9999-12-31"),
            (2_932_897, "9999-12-31"),
            (i64::MAX, "9999-12-31"),
            (-719_162, "0001-01-01"),
            (i64::MIN, "0001-01-01"),
        ] {
            assert_eq!(Date::from_unix_days(days).to_string(), day, "{days}");
        }
    }

    #[test]
    fn dates_ascend_and_parse_from_their_display() {
        let mut before = Date::from_unix_days(-719_162);
        for days in -719_161..=2_932_896 {
            let day = Date::from_unix_days(days);
            assert!(before < day, "{before} {day}");
            before = day;
            if days % 1_009 == 0 {
                assert_eq!(Date::parse(&day.to_string()), Some(day));
            }
        }
    }

    #[test]
    fn invalid_dates_are_refused() {
        assert_eq!(Date::parse("2024-02-29"), Date::new(2024, 2, 29));
        for text in [
            "",
            "2026",
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "2026-1-31",
            "0000-01-01",
            "2026-01-31T00:00",
            "2026-01-31-",
            "31.01.2026",
            "+026-01-31",
            "tomorrow",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }
}
