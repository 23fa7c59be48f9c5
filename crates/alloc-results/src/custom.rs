//! [`CustomMetric`]: a metric that a scenario measures itself besides the counted ones, such as
//! an encoded length or the number of refused requests, and the names that it may have.

use crate::distribution::Distribution;
use crate::json::record;
use crate::metric::{Definition, Metric, Unit};

record! {
    /// A metric that a scenario measures itself: one integer of 64 bits per iteration.
    pub struct CustomMetric {
        /// The name, for which [`check_custom_name`] is fine.
        pub name: String,
        /// The unit of its values.
        pub unit: Unit,
        /// The value in the first, cold call.
        pub first: i64,
        /// The values in the counted iterations.
        pub samples: Distribution,
    }
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

/// Checks the name of a metric: lower-case letters, digits and hyphens, starting
/// with a letter, at most 64 bytes, and without another meaning in rules.
///
/// # Errors
///
/// A sentence that says why the name is not allowed.
pub fn check_custom_name(name: &str) -> Result<(), String> {
    let is_reserved = name.parse::<Metric>().is_ok()
        || [Definition::FOREIGN_ALLOCS.name, TIME].contains(&name)
        || GATE_KEYS.contains(&name);
    if is_reserved {
        return Err(format!(
            "the metric name `{name}` is reserved: it has another meaning in gates.toml"
        ));
    }
    let is_well_formed = name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    if !is_well_formed {
        return Err(format!(
            "`{}` is not a valid metric name; use at most {LONGEST} lower-case letters, digits and \
             hyphens, and start with a letter",
            name.escape_debug()
        ));
    }
    Ok(())
}

/// Checks the names of a scenario's own metrics. Each occurs once.
///
/// # Errors
///
/// A sentence about the first name that is not allowed.
pub fn check_custom_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<(), String> {
    let mut before = Vec::new();
    for name in names {
        check_custom_name(name)?;
        if before.contains(&name) {
            return Err(format!("the metric `{name}` is defined twice"));
        }
        before.push(name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_case_and_mean_one_thing() {
        for name in ["encoded-bytes", "a", "x86-64", &"n".repeat(64)] {
            assert_eq!(check_custom_name(name), Ok(()), "{name}");
        }
        let long = "n".repeat(65);
        for name in ["", "-a", "1st", "Rows", "rows/op", "größe", "a b", &long] {
            let sentence = check_custom_name(name).unwrap_err();
            assert!(sentence.contains("not a valid metric"), "{sentence}");
        }
        for name in ["allocs", "time", "foreign-allocs", "growth-axis"] {
            let sentence = format!(
                "the metric name `{name}` is reserved: it has another meaning in gates.toml"
            );
            assert_eq!(check_custom_name(name), Err(sentence));
        }
        let twice = String::from("the metric `rows` is defined twice");
        assert_eq!(check_custom_names(["rows", "refused", "rows"]), Err(twice));
    }
}
