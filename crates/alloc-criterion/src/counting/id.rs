//! [`BenchmarkId`]: the name of a bench in its group.

use std::fmt::Display;

/// The name of a bench in its group: a function's name, a parameter, or both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BenchmarkId {
    pub(super) function: Option<String>,
    pub(super) parameter: Option<String>,
}

impl BenchmarkId {
    /// A bench of a function with a parameter. A parameter that is a number is an axis.
    pub fn new<S: Into<String>, P: Display>(function_name: S, parameter: P) -> Self {
        Self {
            function: Some(function_name.into()),
            parameter: Some(parameter.to_string()),
        }
    }

    /// A bench with a parameter, of the one function of its group.
    pub fn from_parameter<P: Display>(parameter: P) -> Self {
        Self {
            function: None,
            parameter: Some(parameter.to_string()),
        }
    }

    /// The one bench of a group.
    pub(super) const fn no_function() -> Self {
        Self {
            function: None,
            parameter: None,
        }
    }

    /// The full name of the bench.
    pub(super) fn name(&self, group: &str) -> String {
        let parts = [
            Some(group),
            self.function.as_deref(),
            self.parameter.as_deref(),
        ];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        parts.join("/")
    }

    /// The parameter, if it is a number.
    pub(super) fn number(&self) -> Option<&str> {
        let parameter = self.parameter.as_deref()?;
        let is_number = parameter.ends_with(|c: char| c.is_ascii_digit())
            && parameter.parse().is_ok_and(f64::is_finite);
        is_number.then_some(parameter)
    }
}

/// What names a bench in a group: a [`BenchmarkId`], or the name of a function.
pub trait IntoBenchmarkId: sealed::Sealed {
    /// The name as an id.
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        let function = self.into();
        assert!(
            !function.is_empty(),
            "the name of a bench must not be empty"
        );
        BenchmarkId {
            function: Some(function),
            parameter: None,
        }
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::BenchmarkId {}
    impl<S: Into<String>> Sealed for S {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_criterion() {
        for (id, name) in [
            (BenchmarkId::new("f", 7), "g/f/7"),
            (BenchmarkId::from_parameter("short"), "g/short"),
            ("f".into_benchmark_id(), "g/f"),
        ] {
            assert_eq!(id.name("g"), name);
        }
    }

    #[test]
    fn numbers_are_values_of_an_axis() {
        let is_number = |text: &&str| BenchmarkId::from_parameter(text).number().is_some();
        assert!(["10", "-3", "0.5", "1e3"].iter().all(is_number));
        let others = ["", "inf", "NaN", "10 KiB", "short", "1."];
        assert!(!others.iter().any(is_number));
    }
}
