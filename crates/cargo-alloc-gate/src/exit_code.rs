//! [`Code`]: the exit codes, with their documentation.

use std::process::ExitCode;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $number:literal, $meaning:literal,)+) => {
        /// The exit codes of the program. `docs/red.md` has the same table, and a
        /// test compares the two.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $variant = $number,)+
        }

        impl Code {
            /// All codes, ascending.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The meaning, as in the table and in the last line of a run.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)+
                }
            }
        }
    };
}

codes! {
    /// Everything was measured and every gate held.
    Held = 0, "everything was measured and every gate held",
    /// A gate failed, or a denied `stale`, `missing` or other finding.
    GateFailed = 1, "a gate failed",
    /// The command line is wrong.
    Usage = 2, "wrong usage",
    /// No bench was selected, or no gate applies to what was.
    NothingSelected = 4, "nothing was selected",
    /// A bug in alloc-gate: the program panicked; 70 is EX_SOFTWARE of sysexits.
    InternalError = 70, "alloc-gate itself failed",
    /// gates.toml, the baseline or its page is invalid or missing.
    InvalidRules = 96, "gates.toml or a baseline is invalid",
    /// A bench did not build.
    BuildFailed = 101, "a bench did not build",
    /// `cargo metadata` failed: there is no workspace, for example.
    MetadataFailed = 102, "cargo metadata failed",
    /// A bench crashed, timed out, was incomplete, or its counter was not live;
    /// recorded results that are broken count as such.
    BenchFailed = 104, "a bench crashed, timed out, was incomplete, or its counter was not live",
    /// An output could not be written.
    OutputFailed = 110, "an output could not be written",
}

impl Code {
    /// The number that the process exits with.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_same_table() {
        let page = include_str!("../../../docs/red.md");
        let rows: Vec<String> = page
            .lines()
            .filter(|line| line.starts_with("| ") && line[2..].starts_with(char::is_numeric))
            .map(|line| line.split(" | ").take(2).collect::<Vec<_>>().join(" | "))
            .collect();
        let codes: Vec<String> = Code::ALL
            .iter()
            .map(|code| format!("| {} | {}", code.number(), code.meaning()))
            .collect();
        assert_eq!(rows, codes);
    }
}
