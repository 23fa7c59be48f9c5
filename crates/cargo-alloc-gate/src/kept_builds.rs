//! [`KeptBuilds`]: the benches of other commits below the target folder, so that a commit that
//! was built is not built again.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;

use alloc_results::BenchId;
use serde_json::{Value, json};

use crate::cargo::{Workspace, rustc};
use crate::children;
use crate::compile::{Built, Script};
use crate::line_tables;

/// The most builds that are kept. A bisection of 1,000 commits has 12.
const MOST: usize = 16;

/// The file with what is to know about a build.
const NOTES: &str = "build.json";

/// The beginnings of variables that decide about a build.
const VARIABLES: [&str; 8] = [
    "AR", "CARGO", "CC", "CFLAGS", "CXX", "HOST_", "RUST", "TARGET_",
];

/// The builds of one commit.
pub(crate) struct KeptBuilds {
    folder: PathBuf,
    commit: String,
}

impl KeptBuilds {
    /// In a folder that is locked.
    pub(crate) const fn new(folder: PathBuf, commit: String) -> Self {
        Self { folder, commit }
    }

    /// The build of the workspace by these calls of cargo.
    pub(crate) fn by<'w>(
        &self,
        calls: &[Vec<OsString>],
        workspace: &'w Workspace,
    ) -> KeptBuild<'w> {
        let mut hasher = DefaultHasher::new();
        calls.hash(&mut hasher);
        workspace.folder().hash(&mut hasher);
        fs::read(workspace.root().join("Cargo.lock"))
            .ok()
            .hash(&mut hasher);
        line_tables::configurations(workspace).hash(&mut hasher);
        let rustc = children::output(Command::new(rustc()).arg("-vV"));
        rustc.map(|output| output.stdout).ok().hash(&mut hasher);
        let decides = |name: &OsString| {
            let name = name.to_string_lossy();
            VARIABLES.iter().any(|start| name.starts_with(start))
        };
        let variables: BTreeSet<_> = env::vars_os().filter(|(name, _)| decides(name)).collect();
        variables.hash(&mut hasher);
        KeptBuild {
            folder: self
                .folder
                .join(format!("{}-{:016x}", self.commit, hasher.finish())),
            workspace,
        }
    }
}

/// A build, if it is kept.
pub(crate) struct KeptBuild<'w> {
    folder: PathBuf,
    workspace: &'w Workspace,
}

impl KeptBuild<'_> {
    /// The benches of the build, if it has them all.
    pub(crate) fn read(&self, names: &[BenchId]) -> Option<Vec<Built>> {
        let notes: Value = serde_json::from_slice(&fs::read(self.notes()).ok()?).ok()?;
        let others = notes["others"].as_array()?.iter();
        let others: Option<BTreeSet<PathBuf>> =
            others.map(|folder| Some(folder.as_str()?.into())).collect();
        let others = Arc::new(others?);
        let built = names.iter().map(|name| {
            let opt_level = notes["opt-levels"][name.to_string()].as_str()?;
            let others = Arc::clone(&others);
            Built::kept(
                name,
                self.workspace,
                self.executable(name),
                opt_level,
                others,
            )
        });
        let built = built.collect();
        // The builds that were used last stay.
        let notes = File::options().append(true).open(self.notes());
        let _ = notes.and_then(|notes| notes.set_modified(SystemTime::now()));
        built
    }

    /// Keeps the benches, unless something besides the commit decides about them. What can't be
    /// written is built again by the next run.
    pub(crate) fn keep(&self, built: &[Built]) {
        let home = env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
        let is_inside = |folder: &PathBuf| {
            let mut roots = [Some(self.workspace.folder()), home.clone()]
                .into_iter()
                .flatten();
            roots.any(|root| folder.starts_with(root))
        };
        let is_fixed =
            |bench: &Built| bench.script == Script::default() && bench.others.iter().all(is_inside);
        if built.iter().all(is_fixed) && self.write(built).is_err() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }

    fn write(&self, built: &[Built]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        for bench in built {
            fs::copy(&bench.executable, self.executable(&bench.name))?;
        }
        let opt_levels = built.iter().map(|bench| {
            let level = Value::from(&*bench.opt_level);
            (bench.name.to_string(), level)
        });
        let others = built.iter().flat_map(|bench| &*bench.others);
        let others: BTreeSet<&PathBuf> = others.collect();
        let notes = json!({
            "opt-levels": Value::from_iter(opt_levels),
            "others": others,
        });
        // A build without notes is not whole.
        fs::write(self.notes(), notes.to_string())?;
        sweep(&self.folder)
    }

    fn notes(&self) -> PathBuf {
        self.folder.join(NOTES)
    }

    fn executable(&self, name: &BenchId) -> PathBuf {
        let name = format!(
            "{}.{}{}",
            name.package,
            name.target,
            env::consts::EXE_SUFFIX
        );
        self.folder.join(name)
    }
}

/// Removes the builds beside this one that were not used lately, and those that are not whole.
fn sweep(folder: &Path) -> io::Result<()> {
    let mut builds = Vec::new();
    for entry in fs::read_dir(folder.parent().unwrap_or(folder))? {
        let build = entry?.path();
        let used = fs::metadata(build.join(NOTES)).and_then(|notes| notes.modified());
        builds.push((Reverse(used.ok()), build));
    }
    builds.sort();
    for (number, (Reverse(used), build)) in builds.iter().enumerate() {
        if number >= MOST || used.is_none() {
            fs::remove_dir_all(build)?;
        }
    }
    Ok(())
}
