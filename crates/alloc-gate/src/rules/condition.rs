//! [`Condition`]: where a gate or a waiver applies, `when` and `rustc`. What an
//! environment is like is asked elsewhere.

use std::fmt;

use cargo_platform::{Cfg, CfgExpr, Platform};
use semver::{Version, VersionReq};

/// Where a gate or a waiver applies: everywhere, if it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// For which targets.
    pub when: Option<When>,
    /// For which compilers.
    pub rustc: Option<CompilerRequirement>,
}

/// `when`: a target triple or a `cfg(...)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When {
    pub(super) text: String,
    pub(super) platform: Platform,
}

/// `rustc`: a requirement on the compiler's version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerRequirement {
    pub(super) text: String,
    pub(super) requirement: VersionReq,
}

pub(super) const DEBUG_ASSERTIONS: &str = "debug_assertions";

impl Condition {
    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.when.is_none() && self.rustc.is_none()
    }
}

impl When {
    /// As it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it can be answered only with what the compiler says of the target.
    #[must_use]
    pub fn asks_compiler(&self) -> bool {
        match &self.platform {
            Platform::Name(_) => false,
            Platform::Cfg(expression) => values(expression).iter().any(|cfg| !is_profile(cfg)),
        }
    }

    /// Whether it asks for debug assertions.
    #[must_use]
    pub(crate) fn asks_debug_assertions(&self) -> bool {
        match &self.platform {
            Platform::Name(_) => false,
            Platform::Cfg(expression) => values(expression).into_iter().any(is_profile),
        }
    }

    /// Whether it holds for the `target` that the compiler says `cfgs` of, in a
    /// build with or without debug assertions.
    pub(crate) fn holds(&self, target: &str, cfgs: &[Cfg], debug_assertions: bool) -> bool {
        match &self.platform {
            Platform::Name(name) => name == target,
            Platform::Cfg(expression) => holds(expression, &|cfg| {
                if is_profile(cfg) {
                    debug_assertions
                } else {
                    cfgs.contains(cfg)
                }
            }),
        }
    }
}

impl CompilerRequirement {
    /// As it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the release that `version` is of meets it. A nightly or a beta
    /// counts as the release that it becomes.
    pub(crate) fn holds(&self, version: &Version) -> bool {
        let release = Version::new(version.major, version.minor, version.patch);
        self.requirement.matches(&release)
    }
}

/// Whether the profile decides about it, and not the target.
fn is_profile(cfg: &Cfg) -> bool {
    matches!(cfg, Cfg::Name(name) if *name == DEBUG_ASSERTIONS)
}

fn holds(expression: &CfgExpr, value: &dyn Fn(&Cfg) -> bool) -> bool {
    match expression {
        CfgExpr::Not(inner) => !holds(inner, value),
        CfgExpr::All(all) => all.iter().all(|inner| holds(inner, value)),
        CfgExpr::Any(any) => any.iter().any(|inner| holds(inner, value)),
        CfgExpr::Value(cfg) => value(cfg),
        CfgExpr::True => true,
        CfgExpr::False => false,
    }
}

/// Everything that the expression asks for.
pub(super) fn values(expression: &CfgExpr) -> Vec<&Cfg> {
    match expression {
        CfgExpr::Not(inner) => values(inner),
        CfgExpr::All(all) | CfgExpr::Any(all) => all.iter().flat_map(values).collect(),
        CfgExpr::Value(cfg) => vec![cfg],
        CfgExpr::True | CfgExpr::False => Vec::new(),
    }
}

/// `when cfg(unix), rustc >=1.90`; nothing, if it says nothing.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(when) = &self.when {
            write!(f, "when {}", when.text)?;
        }
        if let Some(rustc) = &self.rustc {
            let comma = if self.when.is_some() { ", " } else { "" };
            write!(f, "{comma}rustc {}", rustc.text)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requirement(text: &str) -> CompilerRequirement {
        CompilerRequirement {
            text: text.to_owned(),
            requirement: VersionReq::parse(text).unwrap(),
        }
    }

    #[test]
    fn a_nightly_counts_as_the_release_that_it_becomes() {
        for (requirement_text, version, holds) in [
            (">=1.90", "1.97.0-nightly", true),
            (">=1.90", "1.90.0-beta.3", true),
            (">=1.90", "1.89.1", false),
            ("<1.97", "1.97.0-nightly", false),
            ("1.90", "1.95.0", true),
            ("~1.90", "1.95.0", false),
            (">=1.88, <1.90.0", "1.89.0+build", true),
        ] {
            let version = Version::parse(version).unwrap();
            let found = requirement(requirement_text).holds(&version);
            assert_eq!(found, holds, "{requirement_text} {version}");
        }
    }

    #[test]
    fn debug_assertions_are_of_the_profile_and_the_rest_is_of_the_target() {
        let when = |text: &str| When {
            text: text.to_owned(),
            platform: text.parse().unwrap(),
        };
        // What `rustc --print cfg` says of debug assertions is not of the bench.
        let cfgs: [Cfg; 3] =
            ["unix", "debug_assertions", "target_os=\"linux\""].map(|cfg| cfg.parse().unwrap());
        for (text, debug, holds, asks) in [
            ("cfg(unix)", false, true, true),
            ("cfg(not(unix))", false, false, true),
            ("cfg(debug_assertions)", false, false, false),
            ("cfg(debug_assertions)", true, true, false),
            ("cfg(not(debug_assertions))", true, false, false),
            ("cfg(all(unix, not(debug_assertions)))", false, true, true),
            (
                "cfg(any(windows, target_os = \"linux\"))",
                false,
                true,
                true,
            ),
            ("cfg(target_os = \"macos\")", false, false, true),
            ("x86_64-unknown-linux-gnu", false, true, false),
            ("x86_64-pc-windows-msvc", false, false, false),
            ("cfg(all())", false, true, false),
            ("cfg(false)", false, false, false),
        ] {
            let when = when(text);
            let found = when.holds("x86_64-unknown-linux-gnu", &cfgs, debug);
            assert_eq!(found, holds, "{text}");
            assert_eq!(when.asks_compiler(), asks, "{text}");
        }
    }
}
