//! [`Values`]: named numbers that one process prints and another reads.

use std::fmt;

use counting_alloc::Tally;

/// A field of a tally.
pub type Field = fn(&mut Tally) -> &mut u64;

/// The fields of a tally by their names.
pub const FIELDS: [(&str, Field); 6] = [
    ("allocs", |tally| &mut tally.allocs),
    ("reallocs", |tally| &mut tally.reallocs),
    ("deallocs", |tally| &mut tally.deallocs),
    ("bytes", |tally| &mut tally.bytes),
    ("freed_bytes", |tally| &mut tally.freed_bytes),
    ("failed", |tally| &mut tally.failed),
];

/// Numbers with the names that their counter gives them, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(Vec<(String, i128)>);

impl Values {
    /// Values from names and numbers.
    pub fn new<'a, N: Into<i128>>(named: impl IntoIterator<Item = (&'a str, N)>) -> Self {
        Self(
            named
                .into_iter()
                .map(|(name, number)| (name.to_owned(), number.into()))
                .collect(),
        )
    }

    /// A value for each field of the tally.
    #[must_use]
    pub fn from_tally(tally: &Tally) -> Self {
        let mut tally = *tally;
        Self::new(FIELDS.map(|(name, field)| (name, *field(&mut tally))))
    }

    /// These values, followed by `others`.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// These values, with `prefix` before every name.
    #[must_use]
    pub fn prefixed(self, prefix: &str) -> Self {
        let prefixed = |(name, number)| (format!("{prefix}{name}"), number);
        Self(self.0.into_iter().map(prefixed).collect())
    }

    /// The values whose name begins with `prefix`, without the prefix.
    #[must_use]
    pub fn below(&self, prefix: &str) -> Self {
        let below = |(name, number): &(String, i128)| {
            let rest = name.strip_prefix(prefix)?;
            Some((rest.to_owned(), *number))
        };
        Self(self.0.iter().filter_map(below).collect())
    }

    /// The number with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<i128> {
        let mut numbers = self.0.iter().filter(|(known, _)| known == name);
        numbers.next().map(|&(_, number)| number)
    }

    /// All names and numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, i128)> {
        self.0.iter().map(|(name, number)| (name.as_str(), *number))
    }

    /// Parses the output of `Display`; `None` if a line is not a name and a number.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.lines()
            .map(|line| {
                let (name, number) = line.split_once(' ')?;
                Some((name.to_owned(), number.parse().ok()?))
            })
            .collect::<Option<_>>()
            .map(Self)
    }
}

/// One line per value: the name, a space, the number.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|(name, number)| writeln!(f, "{name} {number}"))
    }
}
