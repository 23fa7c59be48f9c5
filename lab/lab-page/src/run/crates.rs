//! The versions and licences of the subjects, from their crates or from Debian's packages.

use std::process::Command;

use cargo_metadata::Metadata;
use lab_page::facts::{FACTS, Facts, INSTALLED};
use lab_page::results::SubjectCrate;

/// Those of the subjects that are built in or installed.
pub(super) fn of_subjects(metadata: &Metadata) -> Vec<SubjectCrate> {
    let found = |facts: &Facts| match facts.needs {
        INSTALLED => Some(SubjectCrate {
            subject: facts.subject.to_owned(),
            name: format!("Debian's {}", facts.package),
            version: debian_version(facts.package)?,
            licence: debian_licence(facts.package).to_owned(),
        }),
        _ => {
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
        }
    };
    FACTS.iter().filter_map(found).collect()
}

/// As the package's file `copyright` has it, which is no expression for programs.
fn debian_licence(package: &str) -> &'static str {
    match package {
        "libtbbmalloc2" => "Apache-2.0",
        "libtcmalloc-minimal4" => "BSD-3-Clause",
        _ => "",
    }
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
