//! The workspace, read from cargo and from the disk. No other module of `tidy`
//! touches either.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use toml::Spanned;
use toml::de::DeTable;

use super::finding::{Code, Finding};
use super::named_tests;
use super::page::{self, Page};
use super::source::Source;
use crate::error::Error;

/// All that is checked.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// What the architecture page says.
    pub(crate) page: Page,
    /// The manifests of the root and of the lab, which state the versions.
    pub(crate) roots: Vec<Manifest>,
    pub(crate) members: Vec<Member>,
    /// All `.rs` files of the members.
    pub(crate) sources: Vec<Source>,
    /// The resolved dependencies, for every platform with all features.
    pub(crate) graph: Graph,
    /// The files below `.github/workflows`, with their texts.
    pub(crate) workflows: Vec<(String, String)>,
    /// The page of ways in which a gate is wrong and green.
    pub(crate) wrong_and_green: String,
    /// The names of the engine's cases.
    pub(crate) cases: BTreeSet<String>,
    /// All files by path, with the texts of those in which a link or a license may be.
    pub(crate) files: BTreeMap<String, String>,
}

/// A `Cargo.toml`.
#[derive(Debug, Default, Clone)]
pub(crate) struct Manifest {
    /// From the workspace's root, with `/` on every platform.
    pub(crate) path: String,
    pub(crate) text: String,
}

#[derive(Debug, Default, Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) manifest: Manifest,
    /// The crates that it names as dependencies, and whether its users compile
    /// them as well.
    pub(crate) dependencies: BTreeSet<(String, bool)>,
}

/// The resolved dependencies by crate name. Two versions of a crate are one entry.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The crates that each crate brings along, development dependencies aside.
    pub(crate) edges: BTreeMap<String, BTreeSet<String>>,
}

impl Manifest {
    /// The manifest as TOML, with the place of every key.
    pub(crate) fn table(&self) -> Result<Spanned<DeTable<'_>>, Finding> {
        DeTable::parse(&self.text).map_err(|error| {
            let message = error.message().to_owned();
            let help = "make it valid TOML";
            Finding::new(Code::Unreadable, (&self.path, 1), message, help)
        })
    }

    /// The first line about the dependency of this name, or the first line.
    pub(crate) fn line_of(&self, dependency: &str) -> usize {
        let is_about = |line: &str| {
            let rest = line.trim_start_matches('[').strip_prefix(dependency);
            rest.is_some_and(|rest| rest.starts_with(['.', ' ', '=']))
        };
        self.text
            .lines()
            .position(is_about)
            .map_or(1, |before| before + 1)
    }
}

impl Workspace {
    /// Reads the workspace around the working directory and the workspace of the lab, with the
    /// versions that their `Cargo.lock` name.
    pub(crate) fn read() -> Result<Self, Error> {
        let mut command = MetadataCommand::new();
        command.other_options(["--all-features".into(), "--locked".into()]);
        let metadata = command.exec().map_err(Error::Metadata)?;
        let root = metadata.workspace_root.as_std_path();
        command.manifest_path(root.join("lab/Cargo.toml"));
        let workspaces = [&metadata, &command.exec().map_err(Error::Metadata)?];
        let page = |path| fs::read_to_string(root.join(path)).unwrap_or_default();
        let cases = texts(root, &root.join(named_tests::CASES), &["txt"])?;
        let case_name = |(path, _): &(String, _)| path.rsplit('/').next().map(String::from);
        let mut workspace = Self {
            page: Page::read(&page(page::PATH)),
            wrong_and_green: page(named_tests::PATH),
            cases: cases.iter().filter_map(case_name).collect(),
            files: files(root)?,
            ..Self::default()
        };
        for metadata in workspaces {
            let path = metadata.workspace_root.join("Cargo.toml");
            workspace.roots.push(manifest(root, path.as_std_path())?);
            add_to(&mut workspace.graph, metadata)?;
            for package in metadata.workspace_packages() {
                let path = package.manifest_path.as_std_path();
                workspace.members.push(member(root, package)?);
                for (path, text) in texts(root, &path.with_file_name(""), &["rs"])? {
                    let source = Source::new(&package.name, &path, &text);
                    workspace.sources.push(source);
                }
            }
        }
        let workflows = root.join(".github/workflows");
        if workflows.is_dir() {
            workspace.workflows = texts(root, &workflows, &["yml", "yaml"])?;
        }
        Ok(workspace)
    }
}

fn manifest(root: &Path, path: &Path) -> Result<Manifest, Error> {
    Ok(Manifest {
        path: from_root(root, path),
        text: fs::read_to_string(path).map_err(Error::reading(path))?,
    })
}

fn member(root: &Path, package: &Package) -> Result<Member, Error> {
    let path = package.manifest_path.as_std_path();
    let named = |dependency: &cargo_metadata::Dependency| {
        let is_shipped = dependency.kind != DependencyKind::Development;
        (dependency.name.clone(), is_shipped)
    };
    Ok(Member {
        name: package.name.to_string(),
        manifest: manifest(root, path)?,
        dependencies: package.dependencies.iter().map(named).collect(),
    })
}

fn add_to(graph: &mut Graph, metadata: &Metadata) -> Result<(), Error> {
    let resolve = metadata.resolve.as_ref().ok_or(Error::Unresolved)?;
    for node in &resolve.nodes {
        let name = metadata[&node.id].name.to_string();
        let is_shipped = |dependency: &&cargo_metadata::NodeDep| {
            let mut kinds = dependency.dep_kinds.iter();
            kinds.any(|info| info.kind != DependencyKind::Development)
        };
        // Our own crates have no optional dependencies by default, if others depend on them.
        let package = &metadata[&node.id];
        let is_optional = |dependency: &&cargo_metadata::NodeDep| {
            let name = &metadata[&dependency.pkg].name;
            let mut declared = package.dependencies.iter();
            package.source.is_none() && declared.any(|one| one.optional && one.name == **name)
        };
        let shipped = node.deps.iter().filter(is_shipped);
        let shipped = shipped.filter(|dependency| !is_optional(dependency));
        let names = shipped.map(|dependency| metadata[&dependency.pkg].name.to_string());
        graph.edges.entry(name).or_default().extend(names);
    }
    Ok(())
}

/// The endings of files in which a link may be.
const LINKED: [&str; 6] = ["md", "rs", "toml", "in", "yml", "sh"];

fn files(root: &Path) -> Result<BTreeMap<String, String>, Error> {
    let mut paths = Vec::new();
    find_files(root, &|_| true, &mut paths)?;
    // The only hidden folder with pages.
    find_files(&root.join(".github"), &|_| true, &mut paths)?;
    paths
        .into_iter()
        .map(|path| {
            let text = if has_ending(&path, &LINKED) {
                fs::read_to_string(&path).map_err(Error::reading(&path))?
            } else {
                String::new()
            };
            Ok((from_root(root, &path), text))
        })
        .collect()
}

/// The files below `folder` with one of these endings, by name: their paths from
/// the root and their texts.
fn texts(root: &Path, folder: &Path, endings: &[&str]) -> Result<Vec<(String, String)>, Error> {
    let mut paths = Vec::new();
    find_files(folder, &|path| has_ending(path, endings), &mut paths)?;
    paths
        .iter()
        .map(|path| {
            let text = fs::read_to_string(path).map_err(Error::reading(path))?;
            Ok((from_root(root, path), text))
        })
        .collect()
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| endings.contains(&ending))
}

/// Skips build outputs, hidden folders and links.
fn find_files(
    folder: &Path,
    is_wanted: &dyn Fn(&Path) -> bool,
    found: &mut Vec<PathBuf>,
) -> Result<(), Error> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect);
    let mut entries: Vec<fs::DirEntry> = entries.map_err(Error::reading(folder))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let kind = entry.file_type().map_err(Error::reading(&path))?;
        let name = entry.file_name();
        if kind.is_dir() {
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                find_files(&path, is_wanted, found)?;
            }
        } else if kind.is_file() && is_wanted(&path) {
            found.push(path);
        }
    }
    Ok(())
}

/// `path` as seen from `root`, with `/` on every platform.
fn from_root(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let parts = inside.components().map(Component::as_os_str);
    let parts: Vec<_> = parts.map(OsStr::to_string_lossy).collect();
    parts.join("/")
}
