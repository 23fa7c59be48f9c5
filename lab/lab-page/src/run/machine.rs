//! The machine that measures, as far as the system tells; what it does not tell is empty.

use std::env;
use std::fs;
use std::process::Command;

use cargo_metadata::Metadata;
use lab_page::facts::{FACTS, Facts};
use lab_page::results::{Run, SubjectCrate};

/// A run on this machine today.
pub(super) fn describe() -> Run {
    let huge_pages = file("/sys/kernel/mm/transparent_hugepage/enabled");
    Run {
        date: output("date -u +%Y-%m-%d"),
        // With `-dirty` if tracked files differ from it.
        commit: output("git describe --always --dirty --abbrev=12 --exclude=*"),
        variables: set(|name| env::var(name).ok()),
        cpu: value(&file("/proc/cpuinfo"), "model name").to_owned(),
        memory: value(&file("/proc/meminfo"), "MemTotal").to_owned(),
        kernel: output("uname -sr"),
        libc: output("getconf GNU_LIBC_VERSION"),
        huge_pages: huge_pages.trim().to_owned(),
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

/// The variables that change what a compiler builds and what an allocator does.
const VARIABLES: [&str; 13] = [
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTFLAGS",
    "RUSTC_BOOTSTRAP",
    "CFLAGS",
    "CXXFLAGS",
    "GLIBC_TUNABLES",
    "MALLOC_ARENA_MAX",
    "MALLOC_CONF",
    "_RJEM_MALLOC_CONF",
    "MIMALLOC_ALLOW_THP",
    "MIMALLOC_ALLOW_LARGE_OS_PAGES",
    "MIMALLOC_PURGE_DELAY",
    "RPMALLOC_HUGE_PAGES",
];

/// The variables that are set, as one types them.
fn set(variable: impl Fn(&str) -> Option<String>) -> String {
    let set = VARIABLES.iter().filter_map(|name| {
        let value = variable(name).filter(|value| !value.is_empty())?;
        Some(format!("{name}={:?}", value.replace('\u{1f}', " ")))
    });
    set.collect::<Vec<_>>().join(" ")
}

/// What a command prints, without the end of the line; empty if it fails.
fn output(command: &str) -> String {
    let mut words = command.split(' ');
    let output = Command::new(words.next().unwrap_or_default())
        .args(words)
        .output();
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
        assert_eq!(output("no-such-program-of-the-lab"), "");
    }

    #[test]
    fn variables_are_shown_as_they_are_typed() {
        let shown = set(|name| match name {
            "CARGO_ENCODED_RUSTFLAGS" => Some("--cfg\u{1f}frusa".to_owned()),
            "RUSTFLAGS" => Some(String::new()),
            "MALLOC_CONF" => Some("narenas:1".to_owned()),
            _ => None,
        });
        let expected = r#"CARGO_ENCODED_RUSTFLAGS="--cfg frusa" MALLOC_CONF="narenas:1""#;
        assert_eq!(shown, expected);
    }
}
