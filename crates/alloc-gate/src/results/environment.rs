//! [`Environment`]: the properties of a measurement's environment that counts depend on.

use std::fmt;

use alloc_results::{BenchId, EnvironmentRecord};

/// The properties of a measurement's environment that counts depend on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Environment {
    /// The target triple.
    pub target: String,
    /// The cargo profile.
    pub profile: String,
    /// The requested features, sorted.
    pub features: Vec<String>,
    /// The type name of the counted allocator.
    pub allocator: String,
    /// Whether debug assertions were enabled.
    pub debug_assertions: bool,
    /// The compiler's version.
    pub rustc: String,
    /// The harness and its version.
    pub harness: String,
}

impl Environment {
    /// Whether counts can be compared: all but the versions of compiler and harness is equal.
    #[must_use]
    pub fn is_comparable_to(&self, other: &Self) -> bool {
        self.is_built_like(other) && self.allocator == other.allocator
    }

    /// Whether target, profile, features and debug assertions are equal. The environments of
    /// one run differ only in the allocators of its benches.
    #[must_use]
    pub fn is_built_like(&self, other: &Self) -> bool {
        self.target == other.target
            && self.profile == other.profile
            && self.features == other.features
            && self.debug_assertions == other.debug_assertions
    }
}

impl From<&EnvironmentRecord> for Environment {
    fn from(record: &EnvironmentRecord) -> Self {
        Self {
            target: record.target.clone(),
            profile: record.profile.clone(),
            features: record.features.clone(),
            allocator: record.allocator.clone(),
            debug_assertions: record.debug_assertions,
            rustc: record.rustc.clone(),
            harness: record.harness.clone(),
        }
    }
}

/// `x86_64-unknown-linux-gnu, profile bench, features a b, over
/// std::alloc::System`.
impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, profile {}", self.target, self.profile)?;
        if !self.features.is_empty() {
            write!(f, ", features {}", self.features.join(" "))?;
        }
        if self.debug_assertions {
            f.write_str(", with debug assertions")?;
        }
        write!(f, ", over {}", self.allocator)
    }
}

/// Where, when and from which sources a bench measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The bench target.
    pub bench: BenchId,
    /// The properties that counts depend on.
    pub environment: Environment,
    /// The `opt-level` of the profile, if it is known.
    pub opt_level: Option<String>,
    /// The program that started the bench; `None` for none.
    pub runner: Option<String>,
    /// Whether the run was quick, with fewer iterations than usual.
    pub quick: bool,
    /// The full name of the commit of the sources, if it is known.
    pub commit: Option<String>,
    /// Whether files of the working tree differed from the commit, if it is known.
    pub dirty: Option<bool>,
    /// When the bench began, in seconds since 1970 in UTC, if it is known.
    pub unix_time: Option<u64>,
}

impl From<&EnvironmentRecord> for Origin {
    fn from(record: &EnvironmentRecord) -> Self {
        Self {
            bench: record.bench.clone(),
            environment: Environment::from(record),
            opt_level: record.opt_level.clone(),
            runner: record.runner.clone(),
            quick: record.quick,
            commit: record.commit.clone(),
            dirty: record.dirty,
            unix_time: record.unix_time,
        }
    }
}
