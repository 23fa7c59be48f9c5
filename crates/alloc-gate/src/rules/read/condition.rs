//! Reads `when` and `rustc` of gates, and `when` of benches.

use cargo_platform::{Cfg, ParseError, Platform};
use semver::VersionReq;

use crate::diagnostic::{Code, suggest};
use crate::rules::condition::{CompilerRequirement, Condition, DEBUG_ASSERTIONS, When, values};
use crate::rules::read::fields::{Fields, Text};
use crate::rules::read::{Mistake, Reader};

/// The [`Cfg`] names that a stable compiler sets for targets. Any other cfg would be false for
/// every target, and the gate would never apply.
const NAMES: [&str; 3] = [DEBUG_ASSERTIONS, "unix", "windows"];

/// How deep parentheses may be nested. cargo_platform follows them by recursion.
const DEEPEST: usize = 32;

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

impl<'t> Reader<'t> {
    /// Reads `when` and `rustc` of a gate.
    pub(super) fn condition(&self, fields: &Fields<'t>) -> Condition {
        Condition {
            when: fields.text("when").and_then(|text| self.when(&text)),
            rustc: fields.text("rustc").and_then(|text| self.compiler(&text)),
        }
    }

    pub(super) fn when(&self, text: &Text<'t>) -> Option<When> {
        let platform = self.valid(Code::BadCfg, text, platform(text.text))?;
        Some(When {
            text: text.text.to_owned(),
            platform,
        })
    }

    fn compiler(&self, text: &Text<'t>) -> Option<CompilerRequirement> {
        let requirement = version_requirement(text.text);
        Some(CompilerRequirement {
            text: text.text.to_owned(),
            requirement: self.valid(Code::BadVersionRequirement, text, requirement)?,
        })
    }
}

fn platform(text: &str) -> Result<Platform, Mistake> {
    if depth(text) > DEEPEST {
        return Err((
            format!("its parentheses are nested deeper than {DEEPEST}"),
            String::from("write it with fewer `all`, `any` and `not`"),
        ));
    }
    let platform: Platform = text.parse().map_err(|error: ParseError| {
        let hint = "write `cfg(...)` as in Cargo.toml, or a target triple";
        (error.to_string(), hint.to_owned())
    })?;
    let mistake = match &platform {
        Platform::Name(name) if !name.contains('-') => Some((
            format!("`{name}` is neither a `cfg(...)` nor a target triple"),
            format!(
                "write `cfg({})`, or a triple such as `x86_64-unknown-linux-gnu`",
                likely_cfg(name)
            ),
        )),
        Platform::Name(_) => None,
        Platform::Cfg(expression) if values(expression).is_empty() => Some((
            format!("`{text}` is the same for every target"),
            String::from("remove the condition, or delete a gate that never applies"),
        )),
        Platform::Cfg(expression) => values(expression).into_iter().find_map(unsupported_cfg),
    };
    mistake.map_or(Ok(platform), Err)
}

fn version_requirement(text: &str) -> Result<VersionReq, Mistake> {
    let requirement = VersionReq::parse(text).map_err(|error| {
        let hint = "write it like the version of a dependency, such as `>=1.90`";
        let message = format!("`{text}` is not a version requirement: {error}");
        (message, hint.to_owned())
    })?;
    let mut comparators = requirement.comparators.iter();
    if comparators.any(|comparator| !comparator.pre.is_empty()) {
        return Err((
            format!("`{text}` names a pre-release"),
            String::from("remove it; a nightly or a beta counts as the coming release"),
        ));
    }
    Ok(requirement)
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

/// The cfg that a bare word probably stands for.
fn likely_cfg(name: &str) -> String {
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

/// The mistake if no target sets `cfg`.
fn unsupported_cfg(cfg: &Cfg) -> Option<Mistake> {
    let (name, known) = match cfg {
        Cfg::Name(name) => (name, &NAMES[..]),
        Cfg::KeyPair(key, _) => (key, &KEYS[..]),
    };
    if known.contains(&name.as_str()) {
        return None;
    }
    if name == "feature" {
        return Some((
            format!("`{cfg}` can't be a condition: features belong to a package, not to a target"),
            String::from(
                "register the scenario under `#[cfg(feature = ...)]`, and select it by its name",
            ),
        ));
    }
    let hint = match cfg {
        Cfg::Name(_) if KEYS.contains(&name.as_str()) => format!("write `{name} = \"...\"`"),
        Cfg::Name(_) if likely_cfg(name.as_str()).contains('=') => {
            format!("write `{}`", likely_cfg(name.as_str()))
        }
        Cfg::KeyPair(_, value) if NAMES.contains(&name.as_str()) && value.is_empty() => {
            format!("write `{name}`")
        }
        Cfg::Name(_) | Cfg::KeyPair(..) => suggest(name.as_str(), known.iter().copied()),
    };
    Some((format!("no target sets `{cfg}`"), hint))
}
