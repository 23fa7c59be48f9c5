//! [`Overrides`]: what decided about a run besides the workspace and the command line.

/// What decided about a run besides the workspace and the command line. Reports name it,
/// because a green run by other rules looks like any other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The path of the rules, if they are not the workspace's own.
    pub rules: Option<String>,
    /// The names of the environment variables that stood for options.
    pub variables: Vec<String>,
}
