//! Who may depend on whom, seen from the manifests: the table, and the two
//! checks of it. It knows a member by its name and its dependencies' names
//! alone.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Code, Finding, Place};
use super::workspace::Member;

/// What one member may depend on.
struct Allowance {
    package: &'static str,
    /// Normal and build dependencies: what its users compile as well.
    shipped: &'static [&'static str],
    development: Development,
}

/// What its tests, benches and examples may depend on.
enum Development {
    /// They are nobody's burden.
    Anything,
    /// The example shows a user's whole manifest.
    Only(&'static [&'static str]),
}

const ALLOWANCES: &[Allowance] = &[
    Allowance {
        package: "counting-alloc",
        shipped: &[],
        development: Development::Anything,
    },
    Allowance {
        package: "alloc-requirement",
        shipped: &[],
        development: Development::Anything,
    },
    Allowance {
        package: "alloc-results",
        shipped: &["serde", "serde_json"],
        development: Development::Anything,
    },
    Allowance {
        package: "alloc-scenario",
        shipped: &[
            "counting-alloc",
            "alloc-requirement",
            "alloc-results",
            "comfy-table",
        ],
        development: Development::Anything,
    },
    Allowance {
        package: "alloc-gate",
        shipped: &[
            "alloc-requirement",
            "alloc-results",
            "annotate-snippets",
            "anstyle",
            "cargo-platform",
            "comfy-table",
            "globset",
            "num-bigint",
            "num-rational",
            "num-traits",
            "schemars",
            "semver",
            "serde",
            "serde_json",
            "strsim",
            "toml",
            "toml_edit",
        ],
        development: Development::Anything,
    },
    Allowance {
        package: "cargo-alloc-gate",
        shipped: &[
            "alloc-gate",
            "alloc-results",
            "anstream",
            "anstyle",
            "cargo_metadata",
            "clap",
            "fs4",
            "indicatif",
            "tempfile",
            "toml_edit",
            "wait-timeout",
        ],
        development: Development::Anything,
    },
    Allowance {
        // Not published: nobody's users compile them.
        package: "proof-suites",
        shipped: &["dhat", "divan", "mimalloc", "snmalloc-rs", "stats_alloc"],
        development: Development::Anything,
    },
    Allowance {
        package: "nmx-codec",
        shipped: &[],
        development: Development::Only(&["alloc-scenario"]),
    },
    // The counters that it runs beside ours are what it is for.
    Allowance {
        package: "proof-oracles",
        shipped: &[
            "alloc_tracker",
            "allocation-counter",
            "counting-alloc",
            "dhat",
            "divan",
            "proof-shared",
            "regex",
            "serde_json",
            "stats_alloc",
            "tempfile",
            "tokio",
        ],
        development: Development::Anything,
    },
    Allowance {
        package: "proof-peers",
        shipped: &[
            "alloc_tracker",
            "counting-alloc",
            "dhat",
            "divan",
            "proof-plot",
            "proof-shared",
            "stats_alloc",
            "tempfile",
        ],
        development: Development::Anything,
    },
    // The allocators that it compares are what it is for.
    Allowance {
        package: "allocator-lab",
        shipped: &[
            "alloc-scenario",
            "buddy_system_allocator",
            "bumpalo",
            "dlmalloc",
            "frusa",
            "libc",
            "libloading",
            "linked_list_allocator",
            "mimalloc",
            "object",
            "rlsf",
            "rpmalloc",
            "rpmalloc-sys",
            "snmalloc-rs",
            "spinning_top",
            "talc",
            "tikv-jemallocator",
        ],
        development: Development::Anything,
    },
    Allowance {
        package: "proof-plot",
        shipped: &["plotters", "proof-shared", "serde_json"],
        development: Development::Anything,
    },
    Allowance {
        package: "proof-shared",
        shipped: &[],
        development: Development::Anything,
    },
    Allowance {
        package: "proof-native",
        shipped: &["alloc-scenario", "bzip2-sys"],
        development: Development::Anything,
    },
    Allowance {
        package: "xtask",
        shipped: &["cargo-alloc-gate", "cargo_metadata", "clap"],
        development: Development::Anything,
    },
];

/// The crate on which a user's bench depends.
const BENCH_ROOT: &str = "alloc-scenario";

/// What a cold build of that bench compiles besides it, on any platform: ours,
/// the three third-party crates that we chose, and what those bring.
const BENCH_BUILD: &[&str] = &[
    "alloc-requirement",
    "alloc-results",
    "comfy-table",
    "counting-alloc",
    "itoa",
    "memchr",
    "proc-macro2",
    "quote",
    "serde",
    "serde_core",
    "serde_derive",
    "serde_json",
    "syn",
    "unicode-ident",
    "unicode-segmentation",
    "unicode-width",
    "zmij",
];

/// The resolved dependencies, by crate name. Two versions of a crate are one
/// entry.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// What each crate's users compile because of it, on any platform.
    pub(crate) edges: BTreeMap<String, BTreeSet<String>>,
    /// The features of comfy-table that are switched on.
    pub(crate) table_features: Vec<String>,
}

/// Compares each member's own dependencies with the table.
pub(crate) fn check_members(members: &[Member]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let allowance = ALLOWANCES.iter().find(|row| row.package == member.name);
        let Some(allowance) = allowance else {
            findings.push(unknown_member(member));
            continue;
        };
        for dependency in &member.shipped {
            if !allowance.shipped.contains(&dependency.as_str()) {
                findings.push(not_allowed(member, dependency));
            }
        }
        for dependency in &member.development {
            match allowance.development {
                Development::Anything => {}
                Development::Only(names) if names.contains(&dependency.as_str()) => {}
                Development::Only(_) => findings.push(not_allowed(member, dependency)),
            }
        }
    }
    findings
}

/// Compares what stands behind a user's bench with the list of it.
pub(crate) fn check_bench_build(graph: &Graph) -> Vec<Finding> {
    let place = || Place::new("Cargo.lock", 1);
    let mut findings: Vec<Finding> = newcomers(graph)
        .into_iter()
        .map(|(name, bringer)| Finding {
            code: Code::BenchBuildGrew,
            place: place(),
            what: format!("`{bringer}` brings `{name}` into every user's bench build"),
            next: "do without it, or list it in xtask/src/tidy/dependencies.rs with what it \
                   brings in turn"
                .into(),
        })
        .collect();
    if !graph.table_features.is_empty() {
        findings.push(Finding {
            code: Code::TerminalDetection,
            place: place(),
            what: format!(
                "comfy-table is built with its features {:?}",
                graph.table_features
            ),
            next: "keep `default-features = false` wherever comfy-table is a dependency".into(),
        });
    }
    findings
}

/// The crates behind a bench that are not on the list, each with the one on
/// the list that brings it.
fn newcomers(graph: &Graph) -> BTreeSet<(&str, &str)> {
    let mut newcomers = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut ahead = vec![BENCH_ROOT];
    while let Some(bringer) = ahead.pop() {
        for name in graph.edges.get(bringer).into_iter().flatten() {
            if !BENCH_BUILD.contains(&name.as_str()) {
                newcomers.insert((name.as_str(), bringer));
            } else if seen.insert(name) {
                ahead.push(name);
            }
        }
    }
    newcomers
}

fn unknown_member(member: &Member) -> Finding {
    Finding {
        code: Code::UnknownMember,
        place: Place::find(&member.manifest_path, &member.manifest, |line| {
            line.starts_with("name")
        }),
        what: format!("nothing says what `{}` may depend on", member.name),
        next: "add it to the table in xtask/src/tidy/dependencies.rs and to \
               design/architecture.md"
            .into(),
    }
}

fn not_allowed(member: &Member, dependency: &str) -> Finding {
    Finding {
        code: Code::DependencyNotAllowed,
        place: Place::find(&member.manifest_path, &member.manifest, |line| {
            let rest = line.strip_prefix(dependency);
            rest.is_some_and(|rest| rest.starts_with(['.', ' ', '=']))
        }),
        what: format!("`{}` must not depend on `{dependency}`", member.name),
        next: "do it in a crate that may, or grant it in the table in \
               xtask/src/tidy/dependencies.rs and say why in design/architecture.md"
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, shipped: &[&str], development: &[&str]) -> Member {
        Member {
            shipped: shipped.iter().map(|&name| name.into()).collect(),
            development: development.iter().map(|&name| name.into()).collect(),
            manifest: "[package]\nname = \"x\"\n\n[dependencies]\nserde_json.workspace = true\n\
                       serde.workspace = true\n"
                .into(),
            ..Member::named(name)
        }
    }

    fn codes(findings: &[Finding]) -> Vec<(Code, usize)> {
        let code_and_line = |finding: &Finding| (finding.code, finding.place.line);
        findings.iter().map(code_and_line).collect()
    }

    #[test]
    fn every_member_may_have_what_the_table_grants() {
        for row in ALLOWANCES {
            let development: &[&str] = match row.development {
                Development::Anything => &["snapbox"],
                Development::Only(names) => names,
            };
            let member = member(row.package, row.shipped, development);
            assert_eq!(check_members(&[member]), []);
        }
    }

    #[test]
    fn a_dependency_outside_the_table_is_found_at_its_line() {
        for name in ["counting-alloc", "alloc-scenario", "xtask", "nmx-codec"] {
            let findings = check_members(&[member(name, &["serde"], &[])]);
            assert_eq!(codes(&findings), [(Code::DependencyNotAllowed, 6)]);
            assert!(findings[0].what.contains(name));
        }
    }

    #[test]
    fn the_example_may_only_have_the_scenarios_for_its_bench() {
        let findings = check_members(&[member("nmx-codec", &[], &["serde"])]);
        assert_eq!(codes(&findings), [(Code::DependencyNotAllowed, 6)]);
        assert_eq!(check_members(&[member("alloc-gate", &[], &["serde"])]), []);
    }

    #[test]
    fn a_member_that_the_table_does_not_name_is_found() {
        let findings = check_members(&[member("new-crate", &[], &[])]);
        assert_eq!(codes(&findings), [(Code::UnknownMember, 2)]);
    }

    fn graph(edges: &[(&str, &[&str])]) -> Graph {
        let owned = |names: &[&str]| names.iter().map(|&name| name.into()).collect();
        Graph {
            edges: edges
                .iter()
                .map(|&(name, names)| (name.into(), owned(names)))
                .collect(),
            table_features: Vec::new(),
        }
    }

    #[test]
    fn a_crate_deep_behind_a_bench_is_found_with_the_one_that_brings_it() {
        let graph = graph(&[
            ("alloc-scenario", &["comfy-table"]),
            ("comfy-table", &["unicode-width", "crossterm"]),
            ("unicode-width", &["comfy-table"]),
            ("crossterm", &["rustix"]),
            ("cargo-alloc-gate", &["clap"]),
        ]);
        let findings = check_bench_build(&graph);
        assert_eq!(codes(&findings), [(Code::BenchBuildGrew, 1)]);
        assert!(
            findings[0]
                .what
                .starts_with("`comfy-table` brings `crossterm`"),
            "{}",
            findings[0].what
        );
    }

    #[test]
    fn a_table_that_looks_at_the_terminal_is_found() {
        let mut graph = graph(&[("alloc-scenario", &["comfy-table"])]);
        assert_eq!(check_bench_build(&graph), []);
        graph.table_features = vec!["tty".into()];
        let findings = check_bench_build(&graph);
        assert_eq!(codes(&findings), [(Code::TerminalDetection, 1)]);
    }
}
