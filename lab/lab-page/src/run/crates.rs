//! The versions and licences of the subjects' crates.

use cargo_metadata::Metadata;
use lab_page::facts::{FACTS, Facts};
use lab_page::results::SubjectCrate;

/// Those of the subjects that are built in.
pub(super) fn of_subjects(metadata: &Metadata) -> Vec<SubjectCrate> {
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
