//! Whether design/architecture.md speaks of every crate. What it says is for
//! people to judge.

use super::finding::{Code, Finding, Place};
use super::workspace::Member;

/// The page, from the workspace's root.
pub(crate) const PAGE: &str = "design/architecture.md";

/// Findings for the crates under `crates/`; `page` is the page's text, if
/// there is one.
pub(crate) fn check(members: &[Member], page: Option<&str>) -> Vec<Finding> {
    let Some(page) = page else {
        return vec![Finding {
            code: Code::ArchitecturePageMissing,
            place: Place::new(PAGE, 1),
            what: "nothing says what the crates are and must not know".into(),
            next: "write the page, with a line for every crate".into(),
        }];
    };
    members
        .iter()
        .filter(|member| member.manifest_path.starts_with("crates/"))
        .filter(|member| !mentions(page, &member.name))
        .map(|member| Finding {
            code: Code::CrateNotInArchitecture,
            place: Place::new(PAGE, 1),
            what: format!("the page does not mention `{}`", member.name),
            next: "add a line that says what the crate is, and what it must not know".into(),
        })
        .collect()
}

/// Whether `name` stands there as a name of its own: `cargo-alloc-gate` does
/// not mention `alloc-gate`.
fn mentions(page: &str, name: &str) -> bool {
    let is_of_a_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    page.split(|c| !is_of_a_name(c)).any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(page: Option<&str>) -> Vec<Code> {
        let members = [
            Member::named("alloc-gate"),
            Member {
                manifest_path: "xtask/Cargo.toml".into(),
                ..Member::named("xtask")
            },
        ];
        let findings = check(&members, page);
        findings.iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn a_crate_without_a_line_is_found_and_xtask_needs_none() {
        assert_eq!(codes(Some("| `crates/alloc-gate` | the engine |")), []);
        assert_eq!(
            codes(Some("cargo-alloc-gate runs `alloc-gates`")),
            [Code::CrateNotInArchitecture]
        );
    }

    #[test]
    fn a_missing_page_is_found() {
        assert_eq!(codes(None), [Code::ArchitecturePageMissing]);
    }
}
