//! [`Condition`]: where a gate or a waiver applies, `when` and `rustc`. What an
//! environment is like is asked elsewhere.

use std::fmt;

use cargo_platform::{Cfg, CfgExpr, Platform};
use semver::{Version, VersionReq};

use super::fields::{Fields, Text};
use super::read::Reader;
use crate::diagnostic::{Code, suggest};

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
    text: String,
    platform: Platform,
}

/// `rustc`: a requirement on the compiler's version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerRequirement {
    text: String,
    requirement: VersionReq,
}

/// The names and keys of [`Cfg`]s that a stable compiler says of a target. Every
/// other one would be false everywhere, as if the gate were not there.
const NAMES: [&str; 3] = [DEBUG_ASSERTIONS, "unix", "windows"];
const KEYS: [&str; 11] = [
    "panic",
    "target_abi",
    "target_arch",
    "target_endian",
    "target_env",
    "target_family",
    "target_feature",
    "target_has_atomic",
    "target_os",
    "target_pointer_width",
    "target_vendor",
];
const DEBUG_ASSERTIONS: &str = "debug_assertions";

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
fn values(expression: &CfgExpr) -> Vec<&Cfg> {
    match expression {
        CfgExpr::Not(inner) => values(inner),
        CfgExpr::All(all) | CfgExpr::Any(all) => all.iter().flat_map(values).collect(),
        CfgExpr::Value(cfg) => vec![cfg],
        CfgExpr::True | CfgExpr::False => Vec::new(),
    }
}

impl<'t> Reader<'t> {
    /// `when` and `rustc` of a gate or a waiver.
    pub(super) fn condition(&self, fields: &Fields<'t>) -> Condition {
        Condition {
            when: fields.text("when").and_then(|text| self.when(&text)),
            rustc: fields.text("rustc").and_then(|text| self.compiler(&text)),
        }
    }

    fn when(&self, text: &Text<'t>) -> Option<When> {
        let bad = |message, hint| {
            let span = text.span.clone();
            self.problems.push(Code::BadCfg, span, message, hint);
        };
        let platform = match text.text.parse::<Platform>() {
            Ok(platform) => platform,
            Err(error) => {
                bad(
                    error.to_string(),
                    Some(String::from(
                        "write `cfg(...)` as in a manifest, or a target triple",
                    )),
                );
                return None;
            }
        };
        match &platform {
            Platform::Name(name) if !name.contains('-') => {
                bad(
                    format!("`{name}` is neither a `cfg(...)` nor a target triple"),
                    Some(format!(
                        "write `cfg({})`, or a triple such as `x86_64-unknown-linux-gnu`",
                        condition_called(name)
                    )),
                );
                return None;
            }
            Platform::Name(_) => {}
            Platform::Cfg(expression) => {
                let values = values(expression);
                if values.is_empty() {
                    bad(
                        format!("`{}` is the same for every target", text.text),
                        Some(String::from("leave it out, or delete what never applies")),
                    );
                    return None;
                }
                if let Some((message, hint)) = values.into_iter().find_map(unanswerable) {
                    bad(message, Some(hint));
                    return None;
                }
            }
        }
        Some(When {
            text: text.text.to_owned(),
            platform,
        })
    }

    fn compiler(&self, text: &Text<'t>) -> Option<CompilerRequirement> {
        const HINT: &str =
            "write it as a manifest says which version of a dependency it takes: `>=1.90`";
        let bad = |message, hint: &str| {
            let span = text.span.clone();
            self.problems
                .add_with_hint(Code::BadVersionRequirement, span, message, hint);
            None
        };
        let requirement = match VersionReq::parse(text.text) {
            Ok(requirement) => requirement,
            Err(error) => {
                return bad(
                    format!("`{}` is no requirement on a version: {error}", text.text),
                    HINT,
                );
            }
        };
        let mut comparators = requirement.comparators.iter();
        if comparators.any(|comparator| !comparator.pre.is_empty()) {
            return bad(
                format!("`{}` asks for a pre-release", text.text),
                "leave it out: a nightly or a beta counts as the release that it becomes",
            );
        }
        Some(CompilerRequirement {
            text: text.text.to_owned(),
            requirement,
        })
    }
}

/// The condition that a bare word most likely stands for.
fn condition_called(name: &str) -> String {
    const SYSTEMS: [&str; 8] = [
        "android", "freebsd", "ios", "linux", "macos", "netbsd", "openbsd", "wasi",
    ];
    const ARCHITECTURES: [&str; 8] = [
        "aarch64",
        "arm",
        "powerpc64",
        "riscv64",
        "s390x",
        "wasm32",
        "x86",
        "x86_64",
    ];
    if SYSTEMS.contains(&name) {
        format!("target_os = \"{name}\"")
    } else if ARCHITECTURES.contains(&name) {
        format!("target_arch = \"{name}\"")
    } else if NAMES.contains(&name) {
        name.to_owned()
    } else {
        String::from("unix")
    }
}

/// Why nothing can answer whether the `cfg` is set, if so, and what to do.
fn unanswerable(cfg: &Cfg) -> Option<(String, String)> {
    let (name, known) = match cfg {
        Cfg::Name(name) => (name, &NAMES[..]),
        Cfg::KeyPair(key, _) => (key, &KEYS[..]),
    };
    if known.contains(&name.as_str()) {
        return None;
    }
    if name == "feature" {
        return Some((
            format!(
                "`{cfg}` can't be asked for: features belong to a package, and not to a target"
            ),
            String::from(
                "cargo refuses it in target tables for that reason; register the scenario under \
                 `#[cfg(feature = ...)]`, and gate it under its name",
            ),
        ));
    }
    let hint = match cfg {
        Cfg::Name(_) if KEYS.contains(&name.as_str()) => format!("write `{name} = \"...\"`"),
        Cfg::Name(_) if condition_called(name.as_str()).contains('=') => {
            format!("write `{}`", condition_called(name.as_str()))
        }
        Cfg::KeyPair(_, value) if NAMES.contains(&name.as_str()) && value.is_empty() => {
            format!("write `{name}`")
        }
        Cfg::Name(_) | Cfg::KeyPair(..) => suggest(name.as_str(), known.iter().copied()),
    };
    Some((format!("no target sets `{cfg}`"), hint))
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
