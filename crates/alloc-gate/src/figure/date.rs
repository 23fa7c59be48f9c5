//! [`Date`]: a day of the calendar. It does not know which day it is; whoever
//! judges says so.

use std::fmt;

/// A day of the Gregorian calendar, without a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The day, if there is one: years from 1 to 9999, months and days from 1.
    #[must_use]
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let is_date = year >= 1
            && year <= 9999
            && month >= 1
            && month <= 12
            && day >= 1
            && day <= days_of(month, year);
        if is_date {
            Some(Self { year, month, day })
        } else {
            None
        }
    }

    /// The day that is this many days after 1970-01-01, or before it. What lies
    /// outside of the years 1 to 9999 becomes the first or the last day of them.
    #[must_use]
    pub const fn from_unix_days(days: i64) -> Self {
        // From 0001-01-01 to 1970-01-01.
        const EPOCH: i64 = 719_162;
        // Of 400, 100 and 4 years, and of one.
        const CYCLE: i64 = 146_097;
        const CENTURY: i64 = 36_524;
        const LEAP_CYCLE: i64 = 1_461;
        const YEAR: i64 = 365;
        let days = days.saturating_add(EPOCH);
        if days < 0 {
            return Self {
                year: 1,
                month: 1,
                day: 1,
            };
        }
        let (cycles, days) = (days / CYCLE, days % CYCLE);
        // The last century and the last year of a cycle are a day longer.
        let centuries = least(days / CENTURY, 3);
        let days = days - centuries * CENTURY;
        let (leap_cycles, days) = (days / LEAP_CYCLE, days % LEAP_CYCLE);
        let years = least(days / YEAR, 3);
        let mut days = days - years * YEAR;
        let year = cycles * 400 + centuries * 100 + leap_cycles * 4 + years + 1;
        if year > 9999 {
            return Self {
                year: 9999,
                month: 12,
                day: 31,
            };
        }
        // It fits: it was just compared.
        let year = year as u16;
        let mut month = 1;
        while days >= days_of(month, year) as i64 {
            days -= days_of(month, year) as i64;
            month += 1;
        }
        Self {
            year,
            month,
            day: days as u8 + 1,
        }
    }

    /// Reads `2026-01-31`, and nothing else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut number = |digits: usize| {
            let part = parts.next()?;
            let is_number = part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| part.parse::<u16>().ok()).flatten()
        };
        let (year, month, day) = (number(4)?, number(2)?, number(2)?);
        if parts.next().is_some() {
            return None;
        }
        Self::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
    }
}

const fn least(a: i64, b: i64) -> i64 {
    if a < b { a } else { b }
}

const fn days_of(month: u8, year: u16) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
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
    fn a_number_of_days_is_a_day_of_the_calendar() {
        // As `date -u -d @$((days * 86400)) +%F` prints them.
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
    fn every_day_is_after_the_day_before_it_and_reads_as_it_is_shown() {
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
    fn what_is_no_day_is_not_read() {
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
