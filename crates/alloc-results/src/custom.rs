//! [`CustomFigures`]: figures that a scenario measures itself beside the counted
//! metrics, such as an encoded length or the number of refused requests: their
//! names, their values and their form in a line.

use std::error::Error;
use std::fmt;

use crate::definition::Definition;
use crate::distribution::Distribution;
use crate::json::{ToJson, record};
use crate::metric::Metric;
use crate::unit::Unit;

/// The figures of a scenario by name. It is the size of a pointer, since most
/// scenarios have no such figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "read",
    derive(serde::Deserialize),
    serde(try_from = "Vec<FigureLine>")
)]
#[expect(
    clippy::box_collection,
    reason = "nearly all of many records have no figures"
)]
pub struct CustomFigures(Option<Box<Vec<(String, CustomFigure)>>>);

/// A figure that a scenario measures itself: one integer per iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomFigure {
    unit: Unit,
    first: i64,
    distribution: Distribution,
}

/// Why a name is not allowed for a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CustomNameError {
    /// The name does not have the form `[a-z][a-z0-9-]*`, or is too long.
    Malformed {
        /// The name.
        name: String,
    },
    /// The name has another meaning in rules.
    Reserved {
        /// The name.
        name: String,
    },
    /// Another figure of the scenario has the same name.
    Twice {
        /// The name.
        name: String,
    },
}

/// The maximum length of a name in bytes.
const LONGEST: usize = 64;

/// The column of a table that has wall-clock times.
const TIME: &str = "time";

/// The keys of gates, which rules don't read as metrics.
pub const GATE_KEYS: [&str; 11] = [
    "name",
    "scenarios",
    "exclude",
    "package",
    "bench",
    "when",
    "rustc",
    "reason",
    "growth-axis",
    "nondeterministic",
    "foreign",
];

/// Checks the name of a figure: lower-case letters, digits and hyphens, starting
/// with a letter, at most 64 bytes, and without another meaning in rules.
///
/// # Errors
///
/// When the name is not allowed.
pub fn check_custom_name(name: &str) -> Result<(), CustomNameError> {
    let is_well_formed = name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    let owned = || name.to_owned();
    if is_reserved(name) {
        return Err(CustomNameError::Reserved { name: owned() });
    }
    if !is_well_formed {
        return Err(CustomNameError::Malformed { name: owned() });
    }
    Ok(())
}

fn is_reserved(name: &str) -> bool {
    name.parse::<Metric>().is_ok()
        || [Definition::FOREIGN_ALLOCS.name, TIME].contains(&name)
        || GATE_KEYS.contains(&name)
}

impl CustomFigures {
    /// Adds a figure under a new name.
    ///
    /// # Errors
    ///
    /// When the name is not allowed; then nothing is added.
    pub fn insert(&mut self, name: &str, figure: CustomFigure) -> Result<(), CustomNameError> {
        check_custom_name(name)?;
        let Err(index) = self.find(name) else {
            return Err(CustomNameError::Twice {
                name: name.to_owned(),
            });
        };
        let figures = self.0.get_or_insert_default();
        figures.insert(index, (name.to_owned(), figure));
        Ok(())
    }

    /// The figure of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&CustomFigure> {
        let index = self.find(name).ok()?;
        self.0.as_ref()?.get(index).map(|(_, figure)| figure)
    }

    /// The place of a name, or where it would be.
    fn find(&self, name: &str) -> Result<usize, usize> {
        let figures = self.0.as_ref().map_or(&[][..], |figures| &figures[..]);
        figures.binary_search_by(|(other, _)| other.as_str().cmp(name))
    }

    /// All figures, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &CustomFigure)> {
        let figures = self.0.iter().flat_map(|figures| figures.iter());
        figures.map(|(name, figure)| (name.as_str(), figure))
    }
}

impl CustomFigure {
    /// A figure in `unit`: its value in the first call, and each value of the
    /// counted iterations with the number of iterations that had it. `None`
    /// without iterations.
    #[must_use]
    pub fn new(
        unit: Unit,
        first: i64,
        values: impl IntoIterator<Item = (i64, u64)>,
    ) -> Option<Self> {
        let values = values.into_iter();
        let distribution =
            Distribution::new(values.map(|(value, times)| (i128::from(value), times)))?;
        Some(Self {
            unit,
            first,
            distribution,
        })
    }

    /// The unit of its values.
    #[must_use]
    pub const fn unit(&self) -> Unit {
        self.unit
    }

    /// The value in the first, cold call.
    #[must_use]
    pub const fn first(&self) -> i64 {
        self.first
    }

    /// The values in the counted iterations.
    #[must_use]
    pub const fn distribution(&self) -> &Distribution {
        &self.distribution
    }
}

impl fmt::Display for CustomNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { name } => write!(
                f,
                "`{}` is not a valid metric name; use at most {LONGEST} lower-case letters, digits \
                 and hyphens, and start with a letter",
                name.escape_debug()
            ),
            Self::Reserved { name } => write!(
                f,
                "the metric name `{name}` is reserved: it has another meaning in gates.toml"
            ),
            Self::Twice { name } => write!(f, "the metric `{name}` is defined twice"),
        }
    }
}

impl Error for CustomNameError {}

record! {
    /// A figure as it is written to a line, and as it is read from one.
    struct FigureLine {
        name: String,
        unit: String,
        first: i64,
        samples: Vec<ValueSample>,
    }
}

record! {
    /// A value, and how many iterations had it.
    struct ValueSample {
        value: i64,
        times: u64,
    }
}

impl ToJson for CustomFigures {
    fn write(&self, out: &mut String) {
        let lines = self.iter().map(|(name, figure)| {
            // Each value was made from 64 bits.
            let samples = figure.distribution.values().filter_map(|(value, times)| {
                let value = i64::try_from(value).ok()?;
                Some(ValueSample { value, times })
            });
            FigureLine {
                name: name.to_owned(),
                unit: figure.unit.to_string(),
                first: figure.first,
                samples: samples.collect(),
            }
        });
        lines.collect::<Vec<_>>().write(out);
    }
}

#[cfg(feature = "read")]
impl TryFrom<Vec<FigureLine>> for CustomFigures {
    type Error = String;

    fn try_from(lines: Vec<FigureLine>) -> Result<Self, String> {
        let mut figures = Self::default();
        for line in lines {
            let figure = figure(&line)?;
            let added = figures.insert(&line.name, figure);
            added.map_err(|error| error.to_string())?;
        }
        Ok(figures)
    }
}

#[cfg(feature = "read")]
fn figure(line: &FigureLine) -> Result<CustomFigure, String> {
    let FigureLine { name, unit, .. } = line;
    check_custom_name(name).map_err(|error| error.to_string())?;
    let unit = unit
        .parse()
        .map_err(|()| format!("the metric `{name}` has the unknown unit `{unit}`"))?;
    // A distribution sums the iterations without checking for overflow.
    let values = line
        .samples
        .iter()
        .map(|sample| (sample.value, sample.times));
    values
        .clone()
        .try_fold(0_u64, |sum, (_, times)| sum.checked_add(times))
        .and_then(|_| CustomFigure::new(unit, line.first, values))
        .ok_or_else(|| format!("the metric `{name}` has no iterations, or too many"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_case_and_mean_one_thing() {
        for name in ["encoded-bytes", "a", "x86-64", &"n".repeat(64)] {
            assert_eq!(check_custom_name(name), Ok(()), "{name}");
        }
        for name in [
            "",
            "-a",
            "1st",
            "Rows",
            "rows/op",
            "größe",
            "a b",
            &"n".repeat(65),
        ] {
            let name = name.to_owned();
            assert_eq!(
                check_custom_name(&name),
                Err(CustomNameError::Malformed { name: name.clone() })
            );
        }
        for name in [
            "allocs",
            "peak-bytes",
            "time",
            "foreign-allocs",
            "growth-axis",
        ] {
            let name = name.to_owned();
            assert_eq!(
                check_custom_name(&name),
                Err(CustomNameError::Reserved { name: name.clone() })
            );
        }
    }

    #[test]
    fn figures_are_sorted_and_each_name_occurs_once() {
        let figure = |first| CustomFigure::new(Unit::Count, first, [(first, 1)]).unwrap();
        let mut figures = CustomFigures::default();
        assert_eq!(figures.iter().count(), 0);
        figures.insert("rows", figure(2)).unwrap();
        figures.insert("refused", figure(1)).unwrap();
        let twice = figures.insert("rows", figure(3)).unwrap_err();
        assert_eq!(twice.to_string(), "the metric `rows` is defined twice");
        let reserved = figures.insert("reason", figure(3)).unwrap_err();
        assert_eq!(
            reserved.to_string(),
            "the metric name `reason` is reserved: it has another meaning in gates.toml"
        );
        let names: Vec<_> = figures.iter().map(|(name, f)| (name, f.first())).collect();
        assert_eq!(names, [("refused", 1), ("rows", 2)]);
        assert_eq!(CustomFigure::new(Unit::Count, 0, []), None);
    }

    #[test]
    fn the_figures_are_the_size_of_a_pointer() {
        assert_eq!(size_of::<CustomFigures>(), size_of::<usize>());
    }
}
