//! [`Origin`]: where, when and from which sources a bench measured.

use alloc_results::{BenchId, EnvironmentRecord};

use crate::results::environment::Environment;

/// Where, when and from which sources a bench measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The bench target.
    pub bench: BenchId,
    /// The properties that counts depend on.
    pub environment: Environment,
    /// The `opt-level` of the profile, if it is known.
    pub opt_level: Option<String>,
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
            quick: record.quick,
            commit: record.commit.clone(),
            dirty: record.dirty,
            unix_time: record.unix_time,
        }
    }
}
