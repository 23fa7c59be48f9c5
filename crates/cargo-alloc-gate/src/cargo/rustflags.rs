//! The `opt-level` that a user gives to rustc beside cargo's profile, by `RUSTFLAGS` or in the
//! configuration of cargo.

use std::env;

use cargo_platform::{Cfg, Platform};
use toml_edit::{Item, TableLike, Value};

use super::configuration::Configuration;

/// The `opt-level` that replaces the profile's; `None` if the profile decides.
pub(super) fn opt_level(
    all: &[Configuration],
    triple: &str,
    cfgs: impl FnOnce() -> Vec<Cfg>,
) -> Option<String> {
    level(&flags(|name| env::var(name).ok(), all, triple, cfgs))
}

/// The flags of the first place that has some, as cargo takes them. The last one counts.
fn flags(
    variable: impl Fn(&str) -> Option<String>,
    all: &[Configuration],
    triple: &str,
    cfgs: impl FnOnce() -> Vec<Cfg>,
) -> Vec<String> {
    let split = |flags: String| flags.split_whitespace().map(str::to_owned).collect();
    if let Some(flags) = variable("CARGO_ENCODED_RUSTFLAGS") {
        return flags.split('\x1f').map(str::to_owned).collect();
    }
    if let Some(flags) = variable("RUSTFLAGS") {
        return split(flags);
    }
    let with_variable = |mut flags: Vec<String>, name: &str| {
        flags.extend(variable(name).map(split).unwrap_or_default());
        flags
    };
    let weaker_first = || all.iter().rev().map(|one| &one.values);
    let targets = weaker_first().filter_map(|values| values.get("target")?.as_table_like());
    let targets = targets.flat_map(TableLike::iter);
    let targets = targets.filter_map(|(key, table)| Some((key, table.get("rustflags")?)));
    let mut targets: Vec<(&str, &Item)> = targets.collect();
    if targets.iter().any(|(key, _)| *key != triple) {
        let cfgs = cfgs();
        targets.retain(|(key, _)| {
            let platform = key.parse::<Platform>();
            platform.is_ok_and(|platform| platform.matches(triple, &cfgs))
        });
    }
    let targets = targets.into_iter().flat_map(|(_, flags)| words(flags));
    let name = triple.to_uppercase().replace(['-', '.'], "_");
    let flags = with_variable(targets.collect(), &format!("CARGO_TARGET_{name}_RUSTFLAGS"));
    if !flags.is_empty() {
        return flags;
    }
    let builds = weaker_first().filter_map(|values| values.get("build")?.get("rustflags"));
    with_variable(builds.flat_map(words).collect(), "CARGO_BUILD_RUSTFLAGS")
}

/// The words of a text, or the texts of a list.
fn words(flags: &Item) -> Vec<String> {
    let text = flags.as_str().into_iter().flat_map(str::split_whitespace);
    let list = flags.as_array().into_iter().flatten();
    let words = text.chain(list.filter_map(Value::as_str));
    words.map(str::to_owned).collect()
}

/// The last `opt-level`.
fn level(flags: &[String]) -> Option<String> {
    let mut level = None;
    let mut is_option = false;
    for flag in flags {
        let joined = flag.strip_prefix("--codegen=");
        let joined = joined.or_else(|| flag.strip_prefix("-C"));
        let option = if is_option { Some(&**flag) } else { joined };
        is_option = ["-C", "--codegen"].contains(&&**flag);
        let set = option.and_then(|option| option.strip_prefix("opt-level="));
        level = set.or((flag == "-O").then_some("3")).or(level);
    }
    level.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::configuration::tests::configurations;

    #[test]
    fn the_flags_of_one_place_decide_and_the_last_of_them() {
        const BUILD: &str = "build.rustflags = ['-C', 'opt-level=1']";
        const TARGET: &str = "target.a-b.rustflags = '-D warnings -Copt-level=s'";
        for (variables, texts, expected) in [
            (&[][..], &[][..], None),
            (&[], &[BUILD], Some("1")),
            (
                &[],
                &["build.rustflags = '-C opt-level=2'", BUILD],
                Some("2"),
            ),
            (&[], &[BUILD, TARGET], Some("s")),
            (&[], &[BUILD, "target.c-d.rustflags = '-O'"], Some("1")),
            (&[], &["target.'cfg(unix)'.rustflags = ['-O']"], Some("3")),
            (&[], &["target.'cfg(windows)'.rustflags = ['-O']"], None),
            (&[], &["target.a-b.linker = 'ld'", BUILD], Some("1")),
            (
                &[("CARGO_BUILD_RUSTFLAGS", "-Copt-level=0")],
                &[BUILD],
                Some("0"),
            ),
            (
                &[("CARGO_TARGET_A_B_RUSTFLAGS", "-O")],
                &[TARGET],
                Some("3"),
            ),
            (&[("RUSTFLAGS", "-D warnings")], &[TARGET], None),
            (&[("RUSTFLAGS", "-O --codegen opt-level=z")], &[], Some("z")),
            (
                &[
                    ("RUSTFLAGS", "-O"),
                    ("CARGO_ENCODED_RUSTFLAGS", "--codegen=opt-level=1\x1f-g"),
                ],
                &[],
                Some("1"),
            ),
        ] {
            let texts: Vec<_> = texts.iter().map(|text| ("/", *text)).collect();
            let all = configurations(&texts);
            let cfgs = || vec!["unix".parse().expect("it is a cfg")];
            let variable = |name: &str| {
                let mut set = variables.iter().filter(|(key, _)| *key == name);
                set.next().map(|(_, value)| (*value).to_owned())
            };
            let found = level(&flags(variable, &all, "a-b", cfgs));
            assert_eq!(found.as_deref(), expected, "{variables:?} {texts:?}");
        }
    }
}
