//! Who may know whom, seen from the paths in the source: the table of what
//! each crate must not know, and the check. It looks at what ships; tests,
//! benches and examples may use what they like.

use std::collections::BTreeSet;

use super::finding::{Code, Finding, Place};
use super::lexer::Token;
use super::paths::{self, UsedPath};
use super::source::Source;

/// What the source of one crate must not know.
struct Boundary {
    package: &'static str,
    rule: Rule,
    /// Where the knowledge belongs.
    next: &'static str,
}

enum Rule {
    /// No path leads to any of these.
    Without(&'static [&'static str]),
    /// Every path begins at one of these, or in the crate itself.
    Only(&'static [&'static str]),
}

const BOUNDARIES: &[Boundary] = &[
    Boundary {
        package: "counting-alloc",
        // `loom` stands in for std's atomics in the models, under a `cfg` that
        // no user's build has.
        rule: Rule::Only(&[
            "core", "std", "alloc", "crate", "self", "super", "Self", "loom",
        ]),
        next: "counting-alloc uses the standard library alone; \
               build on it in alloc-scenario",
    },
    Boundary {
        package: "alloc-requirement",
        rule: Rule::Only(&["core", "std", "alloc", "crate", "self", "super", "Self"]),
        next: "alloc-requirement uses the standard library alone; \
               what a name or a limit means belongs to alloc-gate and alloc-scenario",
    },
    Boundary {
        package: "alloc-results",
        rule: Rule::Without(&[
            "std::process",
            "std::env",
            "std::fs",
            "std::time",
            "std::net",
        ]),
        next: "alloc-results reads a text and writes to a `Write`; \
               its caller opens them and hands in what else it needs",
    },
    Boundary {
        package: "alloc-gate",
        rule: Rule::Without(&[
            "std::process",
            "std::env",
            "std::fs",
            // A `Duration` is a value; these are clocks.
            "std::time::Instant",
            "std::time::SystemTime",
            "std::io::stdout",
            "std::io::stderr",
            "std::io::stdin",
            "counting_alloc",
            "alloc_scenario",
        ]),
        next: "the engine gets texts and values and gives them back; \
               do it in cargo-alloc-gate and hand in the result",
    },
    Boundary {
        package: "alloc-scenario",
        rule: Rule::Without(&["alloc_gate", "cargo_alloc_gate", "toml"]),
        next: "a bench measures and writes result lines; \
               what they are judged by belongs in alloc-gate",
    },
    Boundary {
        package: "cargo-alloc-gate",
        rule: Rule::Without(&["counting_alloc", "alloc_scenario"]),
        next: "the command meets a bench only at alloc-results; \
               put what both need there",
    },
];

/// Roots that are no crate although they look like one: the primitive types,
/// and the tools that attributes name.
const NO_CRATES: &[&str] = &[
    "bool",
    "char",
    "clippy",
    "diagnostic",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "miri",
    "rustdoc",
    "rustfmt",
    "str",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
];

/// Findings for one file.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    let used = paths::used_paths(source.shipped());
    let modules = own_modules(source.shipped());
    // By line and wording, so that an import and its use on one line, or a
    // path that is written twice, is one finding.
    let mut breaches = BTreeSet::new();
    for boundary in BOUNDARIES {
        if boundary.package != source.package {
            continue;
        }
        for path in &used {
            if let Some(what) = boundary.rule.breach(path, &modules) {
                breaches.insert((path.line, what, boundary.next));
            }
        }
    }
    breaches
        .into_iter()
        .map(|(line, what, next)| Finding {
            code: Code::ForbiddenPath,
            place: Place::new(&source.path, line),
            what: format!("{} {what}", source.package),
            next: next.to_owned(),
        })
        .collect()
}

impl Rule {
    /// What `path` does that it must not.
    fn breach(&self, path: &UsedPath, modules: &BTreeSet<&str>) -> Option<String> {
        match self {
            Self::Without(targets) => targets
                .iter()
                .find(|target| path.reaches(target))
                .map(|target| format!("must not know `{target}`")),
            Self::Only(roots) => {
                let root = path.root();
                let is_type = root.starts_with(char::is_uppercase);
                let known = is_type
                    || roots.contains(&root)
                    || NO_CRATES.contains(&root)
                    || modules.contains(root);
                (!known).then(|| format!("must not know the crate `{root}`"))
            }
        }
    }
}

/// The modules that the file declares, which paths may begin at.
fn own_modules(tokens: &[Token]) -> BTreeSet<&str> {
    tokens
        .windows(2)
        .filter(|pair| pair[0].is_word("mod"))
        .filter_map(|pair| pair[1].word())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines and wordings of what is found in `text`.
    fn found(package: &str, inside: &str, text: &str) -> Vec<String> {
        check(&Source::new(package, inside, inside, text))
            .into_iter()
            .map(|finding| {
                assert_eq!(finding.code, Code::ForbiddenPath);
                format!("{}: {}", finding.place.line, finding.what)
            })
            .collect()
    }

    fn breaks(package: &str, text: &str) -> bool {
        !found(package, "src/lib.rs", text).is_empty()
    }

    #[test]
    fn counting_alloc_knows_no_crate() {
        let text = "use std::cell::Cell;\nuse libc::malloc;\nmod pause;\n\
                    fn a() { pause::b(u64::MAX, Cell::new(1)); serde::c() }";
        assert_eq!(
            found("counting-alloc", "src/lib.rs", text),
            [
                "2: counting-alloc must not know the crate `libc`",
                "4: counting-alloc must not know the crate `serde`",
            ]
        );
        assert!(breaks("counting-alloc", "extern crate libc;"));
        assert!(!breaks(
            "counting-alloc",
            "#![expect(clippy::all)] use core::mem; use crate::a; use self::b; use super::c; \
             use alloc::vec; fn d() { mem::swap(); Self::e() }"
        ));
    }

    #[test]
    fn alloc_results_touches_no_process_environment_file_clock_or_network() {
        for module in ["process", "env", "fs", "time", "net"] {
            assert!(breaks("alloc-results", &format!("use std::{module};")));
            assert!(breaks(
                "alloc-results",
                &format!("fn a() {{ std::{module}::b() }}")
            ));
        }
        assert!(!breaks("alloc-results", "use std::io::{BufRead, Write};"));
    }

    #[test]
    fn the_engine_does_no_io_reads_no_clock_and_knows_no_measuring_crate() {
        for text in [
            "use std::process::Command;",
            "use std::{env, fmt};",
            "fn a() { std::fs::read(b) }",
            "use std::time::Instant;",
            "use std::time::*;",
            "use std::time; fn a() { time::SystemTime::now() }",
            "use std::io; fn a() { io::stdout() }",
            "use std::io::*;",
            "use std::io::stderr as s;",
            "use std::io::stdin;",
            "use counting_alloc::Tally;",
            "fn a() { alloc_scenario::b() }",
        ] {
            assert!(breaks("alloc-gate", text), "{text}");
        }
        assert!(!breaks(
            "alloc-gate",
            "use std::io::{self, Write}; use std::time::Duration; use toml::de::DeTable; use alloc_results::Record; \
             // use std::fs;\nconst A: &str = \"use alloc_scenario::Suite;\";"
        ));
    }

    #[test]
    fn a_bench_knows_nothing_of_gates() {
        for text in [
            "use alloc_gate::Gate;",
            "use cargo_alloc_gate as c;",
            "fn a() { toml::from_str(b) }",
        ] {
            assert!(breaks("alloc-scenario", text), "{text}");
        }
        assert!(!breaks("alloc-scenario", "pub use counting_alloc::Tally;"));
    }

    #[test]
    fn the_command_knows_no_measuring_crate() {
        assert!(breaks("cargo-alloc-gate", "use alloc_scenario::Suite;"));
        assert!(breaks("cargo-alloc-gate", "use counting_alloc;"));
        assert!(!breaks("cargo-alloc-gate", "use std::process::Command;"));
    }

    #[test]
    fn tests_and_other_crates_may_use_what_they_like() {
        let text = "use std::fs;";
        assert!(!breaks("nmx-codec", text));
        assert_eq!(found("alloc-gate", "tests/cases.rs", text), [""; 0]);
        assert!(!breaks(
            "alloc-gate",
            "#[cfg(test)] mod tests { use std::fs; }"
        ));
    }

    #[test]
    fn one_line_that_breaks_a_rule_twice_is_one_finding() {
        assert_eq!(
            found(
                "alloc-gate",
                "src/lib.rs",
                "use std::fs; fn a() { fs::b(); fs::c() }"
            ),
            ["1: alloc-gate must not know `std::fs`"]
        );
    }
}
