//! [`Condition`]: where a gate applies, from `when` and `rustc`.

use std::fmt;

use cargo_platform::{Cfg, CfgExpr, Ident, Platform};
use semver::{Version, VersionReq};

use crate::results::Environment;
use crate::rules::cfgs::CfgSets;

/// Where a gate applies; an empty condition applies everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// On which targets.
    pub when: Option<When>,
    /// With which compilers.
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
    /// Whether it applies everywhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.when.is_none() && self.rustc.is_none()
    }

    /// Whether it holds in the environment.
    pub(crate) fn holds(&self, environment: &Environment, cfgs: &CfgSets) -> bool {
        self.unmet(environment, cfgs).is_none()
    }

    /// The part that does not hold in the environment, if any.
    pub(crate) fn unmet(&self, environment: &Environment, cfgs: &CfgSets) -> Option<Unmet<'_>> {
        if let Some(when) = &self.when {
            let known = cfgs.get(&environment.target);
            if known.is_none() && when.needs_cfgs() {
                return Some(Unmet::UnknownTarget);
            }
            let cfgs = known.unwrap_or_default();
            if !when.holds(&environment.target, cfgs, environment.debug_assertions) {
                return Some(Unmet::When(when));
            }
        }
        if let Some(required) = &self.rustc {
            let Some(version) = version(&environment.rustc) else {
                return Some(Unmet::UnknownRustc);
            };
            if !required.holds(&version) {
                return Some(Unmet::Rustc(required));
            }
        }
        None
    }
}

/// The part of a condition that does not hold.
#[derive(Clone, Copy)]
pub(crate) enum Unmet<'c> {
    When(&'c When),
    Rustc(&'c CompilerRequirement),
    /// The cfgs of the target are unknown.
    UnknownTarget,
    /// The compiler's version can't be read.
    UnknownRustc,
}

/// The version in the output of `rustc --version`, such as `rustc 1.95.0 (59807616e
/// 2026-04-14)`.
fn version(rustc: &str) -> Option<Version> {
    let mut words = rustc.split_whitespace();
    words.find_map(|word| Version::parse(word).ok())
}

impl When {
    /// The text in the rules.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the cfgs of the target are needed to decide it.
    #[must_use]
    pub fn needs_cfgs(&self) -> bool {
        match &self.platform {
            Platform::Name(_) => false,
            Platform::Cfg(expression) => values(expression).iter().any(|cfg| !is_profile(cfg)),
        }
    }

    /// Whether debug assertions take part in the decision.
    #[must_use]
    pub(crate) fn depends_on_debug_assertions(&self) -> bool {
        match &self.platform {
            Platform::Name(_) => false,
            Platform::Cfg(expression) => values(expression).into_iter().any(is_profile),
        }
    }

    /// Whether it holds for `target`, whose cfgs are in `sets` if they are needed, without
    /// debug assertions.
    #[must_use]
    pub fn holds_for(&self, target: &str, sets: &CfgSets) -> bool {
        self.holds(target, sets.get(target).unwrap_or_default(), false)
    }

    /// Whether it holds for `target` with these `cfgs`, in a build with or without debug
    /// assertions.
    fn holds(&self, target: &str, cfgs: &[Cfg], debug_assertions: bool) -> bool {
        let of_target = cfgs.iter().filter(|cfg| !is_profile(cfg)).cloned();
        let of_profile = debug_assertions.then(|| {
            Cfg::Name(Ident {
                name: DEBUG_ASSERTIONS.to_owned(),
                raw: false,
            })
        });
        let cfgs: Vec<Cfg> = of_target.chain(of_profile).collect();
        self.platform.matches(target, &cfgs)
    }
}

impl CompilerRequirement {
    /// The text in the rules.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether `version` meets it. A nightly or a beta counts as the release that it becomes.
    fn holds(&self, version: &Version) -> bool {
        let release = Version::new(version.major, version.minor, version.patch);
        self.requirement.matches(&release)
    }
}

/// Whether the cfg depends on the profile and not on the target.
fn is_profile(cfg: &Cfg) -> bool {
    matches!(cfg, Cfg::Name(name) if *name == DEBUG_ASSERTIONS)
}

/// All cfgs in the expression.
pub(super) fn values(expression: &CfgExpr) -> Vec<&Cfg> {
    match expression {
        CfgExpr::Not(inner) => values(inner),
        CfgExpr::All(all) | CfgExpr::Any(all) => all.iter().flat_map(values).collect(),
        CfgExpr::Value(cfg) => vec![cfg],
        CfgExpr::True | CfgExpr::False => Vec::new(),
    }
}

/// `when cfg(unix), rustc >=1.90`; empty if it applies everywhere.
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
    fn nightly_and_beta_count_as_the_coming_release() {
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
    fn debug_assertions_come_from_the_profile_and_other_cfgs_from_the_target() {
        let when = |text: &str| When {
            text: text.to_owned(),
            platform: text.parse().unwrap(),
        };
        // `rustc --print cfg` reports debug assertions of its own profile, not of the bench's.
        let cfgs: [Cfg; 3] =
            ["unix", "debug_assertions", "target_os=\"linux\""].map(|cfg| cfg.parse().unwrap());
        for (text, debug, holds, needs_cfgs) in [
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
            assert_eq!(when.needs_cfgs(), needs_cfgs, "{text}");
        }
    }
}
