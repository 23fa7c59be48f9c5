//! The workspace as the checks need it, read from cargo and from the disk.
//! The only module of `tidy` that touches either; it judges nothing.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use super::architecture;
use super::dependencies::Graph;
use super::msrv::RustVersions;
use super::source::Source;
use super::workflows::Workflow;
use crate::error::Error;

/// All that is checked.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The text of the root `Cargo.toml`.
    pub(crate) root_manifest: String,
    /// The text of `crates/proof/fuzz/Cargo.toml`, which is a workspace of its own.
    pub(crate) fuzz_manifest: String,
    /// Its members.
    pub(crate) members: Vec<Member>,
    /// All `.rs` files of the members and of the fuzz targets.
    pub(crate) sources: Vec<Source>,
    /// Who depends on whom, resolved for every platform with all features.
    pub(crate) graph: Graph,
    /// Which Rust each crate of that graph needs.
    pub(crate) rust_versions: RustVersions,
    /// The files under `.github/workflows`.
    pub(crate) workflows: Vec<Workflow>,
    /// The text of the architecture page, if there is one.
    pub(crate) architecture: Option<String>,
}

/// A member of the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// Its package name.
    pub(crate) name: String,
    /// Its manifest, from the workspace's root, with `/` on every platform.
    pub(crate) manifest_path: String,
    /// The manifest's text.
    pub(crate) manifest: String,
    /// The names of the crates that its users compile as well.
    pub(crate) shipped: BTreeSet<String>,
    /// The names of the crates that only its tests, benches and examples use.
    pub(crate) development: BTreeSet<String>,
    /// Whether a README.md stands beside the manifest.
    pub(crate) has_readme: bool,
}

impl Workspace {
    /// Reads the workspace around the working directory, with the versions
    /// that `Cargo.lock` names.
    pub(crate) fn read() -> Result<Self, Error> {
        let metadata = MetadataCommand::new()
            .other_options(["--all-features".into(), "--locked".into()])
            .exec()
            .map_err(Error::Metadata)?;
        let root = metadata.workspace_root.as_std_path();
        let packages = metadata.workspace_packages();
        let mut members = Vec::new();
        let mut sources = Vec::new();
        for package in packages {
            members.push(read_member(root, package)?);
            let folder = package.manifest_path.as_std_path().parent();
            sources.extend(read_sources(root, &package.name, folder.unwrap_or(root))?);
        }
        let fuzz = root.join("crates/proof/fuzz");
        sources.extend(read_sources(root, "alloc-gate-fuzz", &fuzz)?);
        Ok(Self {
            root_manifest: read(&root.join("Cargo.toml"))?,
            fuzz_manifest: read(&fuzz.join("Cargo.toml"))?,
            members,
            sources,
            graph: graph(&metadata)?,
            rust_versions: rust_versions(&metadata),
            workflows: read_workflows(root)?,
            architecture: read_if_there(&root.join(architecture::PAGE))?,
        })
    }
}

#[cfg(test)]
impl Member {
    /// A crate of this name with which nothing is wrong.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            manifest_path: format!("crates/{name}/Cargo.toml"),
            manifest: String::new(),
            shipped: BTreeSet::new(),
            development: BTreeSet::new(),
            has_readme: true,
        }
    }
}

fn read_member(root: &Path, package: &Package) -> Result<Member, Error> {
    let manifest_path = package.manifest_path.as_std_path();
    let names = |development: bool| {
        package
            .dependencies
            .iter()
            .filter(|dependency| (dependency.kind == DependencyKind::Development) == development)
            .map(|dependency| dependency.name.clone())
            .collect()
    };
    Ok(Member {
        name: package.name.to_string(),
        manifest_path: from_root(root, manifest_path),
        manifest: read(manifest_path)?,
        shipped: names(false),
        development: names(true),
        has_readme: manifest_path.with_file_name("README.md").is_file(),
    })
}

fn read_sources(root: &Path, package: &str, folder: &Path) -> Result<Vec<Source>, Error> {
    let mut paths = Vec::new();
    find_files(folder, &["rs"], &mut paths)?;
    paths
        .iter()
        .map(|path| {
            Ok(Source::new(
                package,
                &from_root(root, path),
                &from_root(folder, path),
                &read(path)?,
            ))
        })
        .collect()
}

fn read_workflows(root: &Path) -> Result<Vec<Workflow>, Error> {
    let folder = root.join(".github/workflows");
    let mut paths = Vec::new();
    if folder.is_dir() {
        find_files(&folder, &["yml", "yaml"], &mut paths)?;
    }
    paths
        .iter()
        .map(|path| {
            Ok(Workflow {
                path: from_root(root, path),
                text: read(path)?,
            })
        })
        .collect()
}

fn graph(metadata: &Metadata) -> Result<Graph, Error> {
    let resolve = metadata.resolve.as_ref().ok_or(Error::Unresolved)?;
    let mut graph = Graph::default();
    for node in &resolve.nodes {
        let name = metadata[&node.id].name.to_string();
        if name == "comfy-table" {
            let features = node.features.iter().map(ToString::to_string);
            graph.table_features.extend(features);
        }
        let shipped = node
            .deps
            .iter()
            .filter(|dependency| {
                let mut kinds = dependency.dep_kinds.iter();
                kinds.any(|info| info.kind != DependencyKind::Development)
            })
            .map(|dependency| metadata[&dependency.pkg].name.to_string());
        graph.edges.entry(name).or_default().extend(shipped);
    }
    Ok(graph)
}

fn rust_versions(metadata: &Metadata) -> RustVersions {
    let mut versions = RustVersions::default();
    let (members, others): (Vec<&Package>, Vec<&Package>) = metadata
        .packages
        .iter()
        .partition(|package| metadata.workspace_members.contains(&package.id));
    versions.promised = members
        .into_iter()
        .filter_map(|package| package.rust_version.clone())
        .min();
    versions.needed = others
        .into_iter()
        .map(|package| {
            let name = format!("{} {}", package.name, package.version);
            (name, package.rust_version.clone())
        })
        .collect();
    versions
}

/// The files below `folder` with one of these endings, in the order of their
/// names. Build outputs, hidden folders and links are passed over.
fn find_files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let in_folder = || Error::reading(folder);
    let mut entries = fs::read_dir(folder)
        .map_err(in_folder())?
        .collect::<Result<Vec<_>, _>>()
        .map_err(in_folder())?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let kind = entry.file_type().map_err(Error::reading(&path))?;
        let name = entry.file_name();
        if kind.is_dir() {
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                find_files(&path, endings, found)?;
            }
        } else if kind.is_file() {
            let ending = path.extension().and_then(OsStr::to_str);
            if ending.is_some_and(|ending| endings.contains(&ending)) {
                found.push(path);
            }
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::reading(path))
}

fn read_if_there(path: &Path) -> Result<Option<String>, Error> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::reading(path)(error)),
    }
}

/// `path` as seen from `root`, with `/` on every platform.
fn from_root(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let parts = inside.components().map(Component::as_os_str);
    let parts: Vec<_> = parts.map(OsStr::to_string_lossy).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_inside_the_workspace_is_shown_from_its_root() {
        let root = Path::new("root");
        assert_eq!(from_root(root, &root.join("crates").join("x")), "crates/x");
    }

    #[test]
    fn this_workspace_can_be_read() {
        let workspace = Workspace::read().unwrap();
        let own = |source: &&Source| source.path == "xtask/src/tidy/workspace.rs";
        let source = workspace.sources.iter().find(own).unwrap();
        assert_eq!(source.package, "xtask");
        let target = |source: &Source| source.path == "crates/proof/fuzz/fuzz_targets/rules.rs";
        assert!(workspace.sources.iter().any(target));
        assert!(workspace.rust_versions.promised.is_some());
        assert!(workspace.graph.edges["alloc-scenario"].contains("comfy-table"));
        assert!(!workspace.graph.edges["nmx-codec"].contains("alloc-scenario"));
        let xtask = workspace
            .members
            .iter()
            .find(|member| member.name == "xtask");
        assert!(xtask.unwrap().shipped.contains("clap"));
    }
}
