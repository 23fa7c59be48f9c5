//! Whether the promised minimum of Rust is one that the dependencies allow.
//! It compares what is declared; that the code compiles with it is the step
//! `msrv` of `cargo xtask ci`.

use cargo_metadata::semver::Version;

use super::finding::{Code, Finding, Place};

/// What the crates of the resolved graph declare.
#[derive(Debug, Default)]
pub(crate) struct RustVersions {
    /// The lowest that a member of the workspace promises.
    pub(crate) promised: Option<Version>,
    /// Every other crate's `name version`, with the Rust that it needs, if it
    /// says so.
    pub(crate) needed: Vec<(String, Option<Version>)>,
}

/// Findings at the line of the root manifest that makes the promise.
pub(crate) fn check(root_manifest: &str, versions: &RustVersions) -> Vec<Finding> {
    let place = || {
        Place::find("Cargo.toml", root_manifest, |line| {
            line.starts_with("rust-version")
        })
    };
    let Some(promised) = &versions.promised else {
        return vec![Finding {
            code: Code::MsrvUndeclared,
            place: place(),
            what: "no member of the workspace declares a rust-version".into(),
            next: "set `rust-version` under [workspace.package], and inherit it".into(),
        }];
    };
    versions
        .needed
        .iter()
        .filter_map(|(name, needed)| Some((name, needed.as_ref()?)))
        .filter(|(_, needed)| *needed > promised)
        .map(|(name, needed)| Finding {
            code: Code::MsrvTooLow,
            place: place(),
            what: format!("`{name}` needs Rust {needed}, and the workspace promises {promised}"),
            next: "raise rust-version, or keep an older release of the crate in Cargo.lock".into(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[workspace.package]\nrust-version = \"1.88\"\n";

    fn codes(versions: &RustVersions) -> Vec<(Code, usize)> {
        check(MANIFEST, versions)
            .into_iter()
            .map(|finding| (finding.code, finding.place.line))
            .collect()
    }

    #[test]
    fn a_crate_that_needs_a_newer_rust_is_found_and_one_that_does_not_say_is_not() {
        let needs = |minor, patch| Some(Version::new(1, minor, patch));
        let versions = RustVersions {
            promised: needs(88, 0),
            needed: vec![
                ("older 1.0.0".into(), needs(63, 0)),
                ("equal 1.0.0".into(), needs(88, 0)),
                ("silent 1.0.0".into(), None),
            ],
        };
        assert_eq!(codes(&versions), []);
        let versions = RustVersions {
            needed: vec![
                ("newer 1.0.0".into(), needs(89, 0)),
                ("patch 1.0.0".into(), needs(88, 1)),
            ],
            ..versions
        };
        let too_low = (Code::MsrvTooLow, 2);
        assert_eq!(codes(&versions), [too_low, too_low]);
    }

    #[test]
    fn a_workspace_that_promises_nothing_is_found() {
        assert_eq!(codes(&RustVersions::default()), [(Code::MsrvUndeclared, 2)]);
    }
}
