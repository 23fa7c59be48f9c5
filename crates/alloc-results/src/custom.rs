//! [`CustomFigures`]: what a scenario measures itself, beside the counted
//! metrics: encoded length, requests refused, rows decoded. Names, values and
//! their form in a line; what produces the values is not known here.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::distribution::Distribution;
use crate::metric::{Metric, Unit};
use crate::record::ScenarioRecord;

/// The figures of a scenario by name. Without any it takes the room of a
/// pointer, as most scenarios have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::box_collection,
    reason = "records are many, and nearly all of them have no map"
)]
pub struct CustomFigures(Option<Box<BTreeMap<String, CustomFigure>>>);

/// A figure that a scenario measures itself: one integer an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomFigure {
    unit: Unit,
    first: i64,
    distribution: Distribution,
}

/// Why a figure can't have a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomNameError {
    /// It is not of the form `[a-z][a-z0-9-]*`, or is too long.
    Malformed {
        /// The name.
        name: String,
    },
    /// It means something else where figures are named.
    Reserved {
        /// The name.
        name: String,
    },
    /// Another figure of the scenario has it.
    Twice {
        /// The name.
        name: String,
    },
}

/// The most bytes of a name.
const LONGEST: usize = 64;

/// Names that a rule would take for something else: metrics that are no count of
/// an iteration, and the keys of a gate.
const RESERVED: [&str; 14] = [
    "time",
    "foreign-allocs",
    "faults",
    "name",
    "scenarios",
    "exclude",
    "when",
    "rustc",
    "reason",
    "tolerance",
    "growth-axis",
    "issue",
    "until",
    "gate",
];

/// Whether a figure can be called `name`: lower-case letters, digits and
/// hyphens, beginning with a letter, 64 bytes at most, and nothing that a rule
/// takes for something else.
///
/// # Errors
///
/// When it can't.
pub fn check_custom_name(name: &str) -> Result<(), CustomNameError> {
    let is_well_formed = name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    let owned = || name.to_owned();
    if !is_well_formed {
        return Err(CustomNameError::Malformed { name: owned() });
    }
    if RESERVED.contains(&name) || name.parse::<Metric>().is_ok() {
        return Err(CustomNameError::Reserved { name: owned() });
    }
    Ok(())
}

impl CustomFigures {
    /// Adds a figure under a name of its own.
    ///
    /// # Errors
    ///
    /// When it can't have the name; then nothing is added.
    pub fn insert(&mut self, name: &str, figure: CustomFigure) -> Result<(), CustomNameError> {
        check_custom_name(name)?;
        if self.get(name).is_some() {
            return Err(CustomNameError::Twice {
                name: name.to_owned(),
            });
        }
        let figures = self.0.get_or_insert_default();
        figures.insert(name.to_owned(), figure);
        Ok(())
    }

    /// The figure of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&CustomFigure> {
        self.0.as_ref()?.get(name)
    }

    /// All figures, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &CustomFigure)> {
        let figures = self.0.iter().flat_map(|figures| figures.iter());
        figures.map(|(name, figure)| (name.as_str(), figure))
    }
}

impl CustomFigure {
    /// A figure in `unit` that was `first` in the first call, and then each of
    /// `values` in so many iterations; `None` when there is no iteration.
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

    /// What it is measured in.
    #[must_use]
    pub const fn unit(&self) -> Unit {
        self.unit
    }

    /// The value in the first call ever, cold.
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

impl ScenarioRecord {
    /// The figures that the scenario measures itself, by name.
    pub fn custom(&self) -> impl Iterator<Item = (&str, &CustomFigure)> {
        self.custom.iter()
    }

    /// The figure of this name, if the scenario measures it.
    #[must_use]
    pub fn custom_figure(&self, name: &str) -> Option<&CustomFigure> {
        self.custom.get(name)
    }
}

impl fmt::Display for CustomNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { name } => write!(
                f,
                "`{}` is no name of a metric; write lower-case letters, digits and hyphens, a \
                 letter first and {LONGEST} at most",
                name.escape_debug()
            ),
            Self::Reserved { name } => write!(
                f,
                "a metric of one's own can't be called `{name}`, which means something else in \
                 gates.toml"
            ),
            Self::Twice { name } => write!(f, "the metric `{name}` is there twice"),
        }
    }
}

impl Error for CustomNameError {}

/// A figure as a line has it.
#[derive(Serialize)]
struct Written<'f> {
    name: &'f str,
    unit: Unit,
    /// What readers of before `samples` know: the figure of one call.
    value: i64,
    first: i64,
    samples: Vec<ValueSample>,
}

/// A figure as it is read. One without samples was taken from a single call, by a
/// bench of before figures were measured in each, and is no measurement.
#[derive(Deserialize)]
struct Raw {
    name: String,
    unit: String,
    #[serde(default)]
    first: Option<i64>,
    #[serde(default)]
    samples: Option<Vec<ValueSample>>,
}

/// A value, and how many iterations had it.
#[derive(Serialize, Deserialize)]
struct ValueSample {
    value: i64,
    times: u64,
}

impl Serialize for CustomFigures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entries = serializer.serialize_seq(None)?;
        for (name, figure) in self.iter() {
            // Each value came in as 64 bits.
            let samples = figure.distribution.values().filter_map(|(value, times)| {
                let value = i64::try_from(value).ok()?;
                Some(ValueSample { value, times })
            });
            entries.serialize_element(&Written {
                name,
                unit: figure.unit,
                value: figure.first,
                first: figure.first,
                samples: samples.collect(),
            })?;
        }
        entries.end()
    }
}

impl<'de> Deserialize<'de> for CustomFigures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = CustomFigures;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of the scenario's own metrics")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<CustomFigures, A::Error> {
        let mut figures = CustomFigures::default();
        while let Some(raw) = entries.next_element::<Raw>()? {
            if let Some(samples) = &raw.samples {
                check_custom_name(&raw.name).map_err(de::Error::custom)?;
                let figure = figure(&raw, samples).map_err(de::Error::custom)?;
                figures
                    .insert(&raw.name, figure)
                    .map_err(de::Error::custom)?;
            }
        }
        Ok(figures)
    }
}

fn figure(raw: &Raw, samples: &[ValueSample]) -> Result<CustomFigure, String> {
    let Raw { name, unit, .. } = raw;
    let first = raw
        .first
        .ok_or_else(|| format!("the metric `{name}` has no `first`"))?;
    let unit = unit
        .parse()
        .map_err(|()| format!("the metric `{name}` is in the unknown unit `{unit}`"))?;
    // Summed up here once with care, since no distribution does.
    let values = samples.iter().map(|sample| (sample.value, sample.times));
    values
        .clone()
        .try_fold(0_u64, |sum, (_, times)| sum.checked_add(times))
        .and_then(|_| CustomFigure::new(unit, first, values))
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
            "faults",
            "growth-axis",
            "tolerance",
        ] {
            let name = name.to_owned();
            assert_eq!(
                check_custom_name(&name),
                Err(CustomNameError::Reserved { name: name.clone() })
            );
        }
    }

    #[test]
    fn figures_are_sorted_and_each_name_is_there_once() {
        let figure = |first| CustomFigure::new(Unit::Count, first, [(first, 1)]).unwrap();
        let mut figures = CustomFigures::default();
        assert_eq!(figures.iter().count(), 0);
        figures.insert("rows", figure(2)).unwrap();
        figures.insert("refused", figure(1)).unwrap();
        let twice = figures.insert("rows", figure(3)).unwrap_err();
        assert_eq!(twice.to_string(), "the metric `rows` is there twice");
        let reserved = figures.insert("until", figure(3)).unwrap_err();
        assert_eq!(
            reserved.to_string(),
            "a metric of one's own can't be called `until`, which means something else in \
             gates.toml"
        );
        let names: Vec<_> = figures.iter().map(|(name, f)| (name, f.first())).collect();
        assert_eq!(names, [("refused", 1), ("rows", 2)]);
        assert_eq!(CustomFigure::new(Unit::Count, 0, []), None);
    }

    #[test]
    fn without_figures_there_is_a_pointer_and_nothing_else() {
        assert_eq!(size_of::<CustomFigures>(), size_of::<usize>());
    }
}
