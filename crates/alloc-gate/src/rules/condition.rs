//! [`Condition`]: where a gate applies, from `when` and `rustc`; [`CfgSets`]: the cfgs that the
//! compiler sets for targets, which decide it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use cargo_platform::{Cfg, CfgExpr, Ident, ParseError, Platform};
use semver::{Version, VersionReq};

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::results::{Environment, Measurements};
use crate::rules::Config;

/// Where a gate applies; an empty condition applies everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// On which targets.
    pub when: Option<When>,
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

const DEBUG_ASSERTIONS: &str = "debug_assertions";

impl Condition {
    /// Whether it applies everywhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.when.is_none() && self.rustc.is_none()
    }

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

fn values(expression: &CfgExpr) -> Vec<&Cfg> {
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

/// The cfgs that the compiler sets, by target triple.
#[derive(Clone, Debug, Default)]
pub struct CfgSets(BTreeMap<String, Vec<Cfg>>);

impl CfgSets {
    /// The targets of `measurements` whose cfgs the conditions of `config` need; empty unless a
    /// `when` needs more than the triple.
    #[must_use]
    pub fn needed<'m>(config: &Config, measurements: &'m Measurements) -> BTreeSet<&'m str> {
        let mut gates = config.gates.iter().map(|gate| &gate.condition);
        let needs_cfgs =
            |condition: &Condition| condition.when.as_ref().is_some_and(When::needs_cfgs);
        if !gates.any(needs_cfgs) {
            return BTreeSet::new();
        }
        let environments = measurements.environments().iter();
        environments
            .map(|environment| environment.target.as_str())
            .collect()
    }

    /// Adds the output of `rustc --print cfg --target TARGET`.
    ///
    /// # Errors
    ///
    /// Says which line is the first that can't be read, and why.
    pub fn insert(&mut self, target: &str, printed: &str) -> Result<(), String> {
        let lines = printed
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let cfgs = lines.map(|line| {
            line.parse().map_err(|error: ParseError| {
                format!("`{line}` is not a cfg of the compiler: {error}")
            })
        });
        let cfgs = cfgs.collect::<Result<_, _>>()?;
        self.0.insert(target.to_owned(), cfgs);
        Ok(())
    }

    /// The cfgs of a target, if they were added.
    pub(crate) fn get(&self, target: &str) -> Option<&[Cfg]> {
        self.0.get(target).map(Vec::as_slice)
    }
}

/// How deep parentheses may be nested. cargo_platform follows them by recursion.
const DEEPEST: usize = 32;

/// The [`Cfg`] names that a stable compiler sets for targets. Any other cfg would be false for
/// every target, and the gate would never apply.
const NAMES: [&str; 3] = [DEBUG_ASSERTIONS, "unix", "windows"];

/// The keys of such cfgs with a value.
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

impl When {
    /// Reads a `when`. The mistake is without a place.
    pub(super) fn parse(text: &str) -> Result<Self, Diagnostic> {
        let bad = |message: String, help: &str| {
            Diagnostic::mistake(Code::BadCfg, 0..0, message).help(help)
        };
        if depth(text) > DEEPEST {
            let message = format!("its parentheses are nested deeper than {DEEPEST}");
            return Err(bad(message, "write it with fewer `all`, `any` and `not`"));
        }
        let platform: Platform = text.parse().map_err(|error: ParseError| {
            let help = "write `cfg(...)` as in Cargo.toml, or a target triple";
            bad(error.to_string(), help)
        })?;
        match &platform {
            Platform::Name(name) if !name.contains('-') => {
                let message = format!("`{name}` is neither a `cfg(...)` nor a target triple");
                let help = "write a cfg, such as `cfg(unix)` or `cfg(target_os = \"linux\")`, or a \
                            triple, such as `x86_64-unknown-linux-gnu`";
                return Err(bad(message, help));
            }
            Platform::Name(_) => {}
            Platform::Cfg(expression) => {
                let values = values(expression);
                if values.is_empty() {
                    let message = format!("`{text}` is the same for every target");
                    let help = "remove the condition, or delete a gate that never applies";
                    return Err(bad(message, help));
                }
                if let Some(cfg) = values.into_iter().find(|cfg| !is_supported(cfg)) {
                    return Err(unsupported(cfg));
                }
            }
        }
        Ok(Self {
            text: text.to_owned(),
            platform,
        })
    }
}

impl CompilerRequirement {
    /// Reads a `rustc`. The mistake is without a place.
    pub(super) fn parse(text: &str) -> Result<Self, Diagnostic> {
        let bad = |message: String, help: &str| {
            Diagnostic::mistake(Code::BadVersionRequirement, 0..0, message).help(help)
        };
        let requirement = VersionReq::parse(text).map_err(|error| {
            bad(
                format!("`{text}` is not a version requirement: {error}"),
                "write it like the version of a dependency, such as `>=1.90`",
            )
        })?;
        let mut comparators = requirement.comparators.iter();
        if comparators.any(|comparator| !comparator.pre.is_empty()) {
            return Err(bad(
                format!("`{text}` names a pre-release"),
                "remove it; a nightly or a beta counts as the coming release",
            ));
        }
        Ok(Self {
            text: text.to_owned(),
            requirement,
        })
    }
}

/// How deep the parentheses of a text are nested at most.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn is_supported(cfg: &Cfg) -> bool {
    match cfg {
        Cfg::Name(name) => NAMES.contains(&name.as_str()),
        Cfg::KeyPair(key, _) => KEYS.contains(&key.as_str()),
    }
}

/// That no target sets `cfg`.
fn unsupported(cfg: &Cfg) -> Diagnostic {
    let (Cfg::Name(name) | Cfg::KeyPair(name, _)) = cfg;
    let (message, help) = match cfg {
        _ if name == "feature" => (
            format!("`{cfg}` can't be a condition: features belong to a package, not to a target"),
            "register the scenario under `#[cfg(feature = ...)]`, and select it by its name".into(),
        ),
        Cfg::Name(_) => (
            format!("no target sets `{cfg}`"),
            "write `unix`, `windows`, `debug_assertions`, or a key with a value, such as \
             `target_os = \"linux\"`"
                .into(),
        ),
        Cfg::KeyPair(..) => (
            format!("no target sets `{cfg}`"),
            suggest(name.as_str(), KEYS.into_iter().chain(NAMES)),
        ),
    };
    Diagnostic::mistake(Code::BadCfg, 0..0, message).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::rows;

    #[test]
    fn nightly_and_beta_count_as_the_coming_release() {
        let table = "
            >=1.90 | 1.97.0-nightly | true
            >=1.90 | 1.90.0-beta.3 | true
            >=1.90 | 1.89.1 | false
            <1.97 | 1.97.0-nightly | false
            1.90 | 1.95.0 | true
            ~1.90 | 1.95.0 | false
            >=1.88, <1.90.0 | 1.89.0+build | true";
        for [text, version, holds] in rows(table) {
            let version = Version::parse(version).unwrap();
            let found = CompilerRequirement::parse(text).map(|it| it.holds(&version));
            assert_eq!(found, Ok(holds == "true"), "{text} {version}");
        }
    }

    #[test]
    fn debug_assertions_come_from_the_profile_and_other_cfgs_from_the_target() {
        // `rustc --print cfg` reports debug assertions of its own profile, not of the bench's.
        let cfgs: [Cfg; 3] =
            ["unix", "debug_assertions", "target_os=\"linux\""].map(|cfg| cfg.parse().unwrap());
        let table = "
            cfg(unix) | | holds | needs cfgs
            cfg(not(unix)) | | | needs cfgs
            cfg(debug_assertions) | | |
            cfg(debug_assertions) | debug | holds |
            cfg(not(debug_assertions)) | debug | |
            cfg(all(unix, not(debug_assertions))) | | holds | needs cfgs
            cfg(any(windows, target_os = \"linux\")) | | holds | needs cfgs
            cfg(target_os = \"macos\") | | | needs cfgs
            x86_64-unknown-linux-gnu | | holds |
            x86_64-pc-windows-msvc | | |
            cfg(all()) | | holds |
            cfg(false) | | |";
        for [text, debug, holds, needs_cfgs] in rows(table) {
            let when = When {
                text: text.to_owned(),
                platform: text.parse().unwrap(),
            };
            let found = when.holds("x86_64-unknown-linux-gnu", &cfgs, debug == "debug");
            assert_eq!(found, holds == "holds", "{text}");
            assert_eq!(when.needs_cfgs(), needs_cfgs == "needs cfgs", "{text}");
        }
    }
}
