//! The versions and licences of the subjects, from their crates or from Debian's packages.

use std::process::Command;

use cargo_metadata::Metadata;

use lab_page::results::SubjectCrate;

/// The subjects of allocator-lab and the crates that they are called through.
const CRATES: [(&str, &str); 12] = [
    ("talc", "talc"),
    ("talc-claim", "talc"),
    ("dlmalloc", "dlmalloc"),
    ("rlsf", "rlsf"),
    ("buddy", "buddy_system_allocator"),
    ("linked-list", "linked_list_allocator"),
    ("bumpalo", "bumpalo"),
    ("mimalloc", "mimalloc"),
    ("rpmalloc", "rpmalloc"),
    ("snmalloc", "snmalloc-rs"),
    ("jemalloc", "tikv-jemallocator"),
    ("frusa", "frusa"),
];

/// The subjects that are libraries of the system: Debian's packages, and their licences as
/// the files `copyright` of these packages have them.
const PACKAGES: [(&str, &str, &str); 2] = [
    ("tbb", "libtbbmalloc2", "Apache-2.0"),
    ("tcmalloc", "libtcmalloc-minimal4", "BSD-3-Clause"),
];

/// Those of the subjects that are built in or installed.
pub(super) fn of_subjects(metadata: &Metadata) -> Vec<SubjectCrate> {
    let of_crate = |&(subject, name): &(&str, &str)| {
        let package = metadata.packages.iter().find(|one| *one.name == name)?;
        Some(SubjectCrate {
            subject: subject.to_owned(),
            name: name.to_owned(),
            version: package.version.to_string(),
            licence: licence(package.license.as_deref().unwrap_or_default()),
        })
    };
    let of_package = |&(subject, name, licence): &(&str, &str, &str)| {
        Some(SubjectCrate {
            subject: subject.to_owned(),
            name: format!("Debian's {name}"),
            version: debian_version(name)?,
            licence: licence.to_owned(),
        })
    };
    let crates = CRATES.iter().filter_map(of_crate);
    crates
        .chain(PACKAGES.iter().filter_map(of_package))
        .collect()
}

/// Old manifests have `MIT/Apache-2.0` for `MIT OR Apache-2.0`.
fn licence(text: &str) -> String {
    text.replace('/', " OR ")
}

/// The version of an installed package of Debian.
fn debian_version(package: &str) -> Option<String> {
    let output = Command::new("dpkg-query")
        .args(["--show", "--showformat=${Version}", package])
        .output()
        .ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !version.is_empty()).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_licence_expression_becomes_one_of_spdx() {
        assert_eq!(licence("MIT/Apache-2.0"), "MIT OR Apache-2.0");
        assert_eq!(licence("MIT"), "MIT");
    }
}
