//! The machine that measures, as far as the system tells; what it does not tell is empty.

use std::env;
use std::fs;
use std::process::Command;

use cargo_metadata::Metadata;
use lab_page::facts::{FACTS, Facts};
use lab_page::results::{Run, SubjectCrate};

/// A run on this machine today.
pub(super) fn describe() -> Run {
    let variable = |name: &str| env::var(name).ok();
    Run {
        date: output("date", &["-u", "+%Y-%m-%d"]),
        // With `-dirty` if tracked files differ from it.
        commit: output(
            "git",
            &[
                "describe",
                "--always",
                "--dirty",
                "--abbrev=12",
                "--exclude=*",
            ],
        ),
        rustflags: set(&FLAGS, variable),
        cpu: value(&file("/proc/cpuinfo"), "model name").to_owned(),
        memory: value(&file("/proc/meminfo"), "MemTotal").to_owned(),
        kernel: output("uname", &["-sr"]),
        libc: output("getconf", &["GNU_LIBC_VERSION"]),
        settings: match set(&SETTINGS, variable) {
            text if text.is_empty() => "default".to_owned(),
            text => text,
        },
        huge_pages: file("/sys/kernel/mm/transparent_hugepage/enabled")
            .trim()
            .to_owned(),
        ..Run::default()
    }
}

/// The versions and licences of the crates of all subjects that are built in.
pub(super) fn crates(metadata: &Metadata) -> Vec<SubjectCrate> {
    let found = |facts: &Facts| {
        let mut packages = metadata.packages.iter();
        let package = packages.find(|one| *one.name == facts.package)?;
        let licence = package.license.as_deref().unwrap_or_default();
        Some(SubjectCrate {
            subject: facts.subject.to_owned(),
            name: facts.package.to_owned(),
            version: package.version.to_string(),
            // Old manifests have `MIT/Apache-2.0`.
            licence: licence.replace('/', " OR "),
        })
    };
    FACTS.iter().filter_map(found).collect()
}

/// The variables that change what an allocator does.
const SETTINGS: [&str; 8] = [
    "GLIBC_TUNABLES",
    "MALLOC_ARENA_MAX",
    "MALLOC_CONF",
    "_RJEM_MALLOC_CONF",
    "MIMALLOC_ALLOW_THP",
    "MIMALLOC_ALLOW_LARGE_OS_PAGES",
    "MIMALLOC_PURGE_DELAY",
    "RPMALLOC_HUGE_PAGES",
];

/// The variables with flags for the compilers.
const FLAGS: [&str; 5] = [
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTFLAGS",
    "RUSTC_BOOTSTRAP",
    "CFLAGS",
    "CXXFLAGS",
];

/// The variables that are set, as one types them.
fn set(names: &[&str], variable: impl Fn(&str) -> Option<String>) -> String {
    let set = names.iter().filter_map(|name| {
        let value = variable(name).filter(|value| !value.is_empty())?;
        Some(format!("{name}={:?}", value.replace('\u{1f}', " ")))
    });
    set.collect::<Vec<_>>().join(" ")
}

/// What the program prints, without the end of the line; empty if it fails.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.ok().filter(|output| output.status.success());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_default()
}

fn file(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// The value of the first line `LABEL: VALUE`.
fn value<'t>(text: &'t str, label: &str) -> &'t str {
    let line = text.lines().find_map(|line| line.strip_prefix(label));
    let value = line.and_then(|rest| rest.trim_start().strip_prefix(':'));
    value.unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_read_and_the_rest_is_empty() {
        let cpuinfo = "processor\t: 0\nmodel name\t: AMD EPYC 9R14\nflags\t: fpu\n";
        assert_eq!(value(cpuinfo, "model name"), "AMD EPYC 9R14");
        assert_eq!(value(cpuinfo, "cpu cores"), "");
        assert_eq!(output("no-such-program-of-the-lab", &[]), "");
    }

    #[test]
    fn variables_are_shown_as_they_are_typed() {
        let shown = |names: &[&str], variables: &[(&str, &str)]| {
            set(names, |name| {
                let mut found = variables.iter().filter(|(own, _)| *own == name);
                found.next().map(|(_, value)| (*value).to_owned())
            })
        };
        let conf = shown(&SETTINGS, &[("MALLOC_CONF", "narenas:1")]);
        assert_eq!(conf, r#"MALLOC_CONF="narenas:1""#);
        let some = ["RUSTFLAGS", "RUSTC_BOOTSTRAP", "CFLAGS"].map(|name| (name, "-a"));
        let expected = r#"RUSTFLAGS="-a" RUSTC_BOOTSTRAP="-a" CFLAGS="-a""#;
        assert_eq!(shown(&FLAGS, &some), expected);
        let encoded = shown(&FLAGS, &[("CARGO_ENCODED_RUSTFLAGS", "--cfg\u{1f}frusa")]);
        assert_eq!(encoded, r#"CARGO_ENCODED_RUSTFLAGS="--cfg frusa""#);
        assert_eq!(shown(&FLAGS, &[("RUSTFLAGS", "")]), "");
    }
}
