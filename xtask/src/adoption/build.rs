//! Builds one project and measures the build.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use cargo_metadata::{Message, MetadataCommand, PackageId};

use super::project::Project;
use crate::error::Error;

/// The cost of a build.
#[derive(Debug)]
pub(super) struct Built {
    /// The crates that were compiled, without the project itself.
    pub(super) crates: usize,
    /// The user and the system time of all processes.
    pub(super) cpu_seconds: f64,
    /// The size of the test, the bench or the command.
    pub(super) program_bytes: u64,
    /// The highest Rust version that one of the crates declares.
    pub(super) rust: String,
    /// The version of the crate that is adopted.
    pub(super) version: String,
}

/// Builds a project into an empty folder; `None` if it does not build.
pub(super) fn build(project: &Project, root: &Path, folder: &Path) -> Result<Option<Built>, Error> {
    let place = match &project.files {
        Some(files) => {
            let place = folder.join("project");
            files.write(&place, root).map_err(Error::writing(&place))?;
            place
        }
        None => root.to_owned(),
    };
    let target = folder.join("target");
    emptied(&target).map_err(Error::writing(&target))?;
    if let Some(files) = &project.files
        && files.has_former()
    {
        if !cargo(project.command, &place, &target)?.1 {
            return Ok(None);
        }
        let written = files.replace_former(&place, root);
        written.map_err(Error::writing(&place))?;
    }
    // The packages are downloaded before the time is taken.
    let metadata = MetadataCommand::new().current_dir(&place).exec();
    let metadata = metadata.map_err(Error::Metadata)?;
    let (lines, succeeded) = cargo(project.command, &place, &target)?;
    if !succeeded {
        return Ok(None);
    }
    let mut compiled = BTreeSet::<PackageId>::new();
    let mut program_bytes = 0;
    let mut last = String::new();
    for message in Message::parse_stream(BufReader::new(&*lines)) {
        match message {
            Ok(Message::CompilerArtifact(artifact)) => {
                if let Some(program) = &artifact.executable {
                    let size = fs::metadata(program).map(|file| file.len());
                    program_bytes = size.map_err(Error::reading(program.as_std_path()))?;
                }
                if !artifact.fresh {
                    compiled.insert(artifact.package_id);
                }
            }
            Ok(Message::TextLine(line)) => last = line,
            Ok(_) | Err(_) => {}
        }
    }
    emptied(&target).map_err(Error::writing(&target))?;
    let packages = metadata
        .packages
        .iter()
        .filter(|one| compiled.contains(&one.id));
    let packages: BTreeMap<_, _> = packages.map(|one| (one.name.as_str(), one)).collect();
    let rust = packages
        .values()
        .filter_map(|one| one.rust_version.as_ref());
    let version = packages
        .get(project.name)
        .map(|one| one.version.to_string());
    // The project itself was compiled too; the command is the project.
    let own = usize::from(project.files.is_some());
    Ok(Some(Built {
        crates: compiled.len() - own,
        cpu_seconds: children_seconds(&last).unwrap_or(0.0),
        program_bytes,
        rust: rust.max().map_or(String::from("-"), |rust| {
            format!("{}.{}", rust.major, rust.minor)
        }),
        version: version.unwrap_or_default(),
    }))
}

fn emptied(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => fs::create_dir_all(folder),
    }
}

/// Runs cargo with two jobs in a shell, which prints the times of its children after
/// cargo's messages. Returns all of that, and whether cargo succeeded.
fn cargo(arguments: &str, place: &Path, target: &Path) -> Result<(Vec<u8>, bool), Error> {
    let line = format!("cargo {arguments} --jobs 2 --quiet --message-format json && times");
    let output = Command::new("sh")
        .args(["-c", &line])
        .current_dir(place)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_INCREMENTAL", "0")
        // As `cargo alloc-gate` builds. It concerns alloc-criterion alone.
        .env("ALLOC_GATE_CRITERION", "1")
        .env_remove("RUSTFLAGS")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    let output = output.map_err(|source| Error::Start {
        command: line,
        source,
    })?;
    Ok((output.stdout, output.status.success()))
}

/// The sum of the times in a line such as `0m12.345s 0m1.5s`.
fn children_seconds(line: &str) -> Option<f64> {
    let times = line.split_whitespace().map(|time| {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    });
    times.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_a_shell_are_added() {
        assert_eq!(children_seconds("1m2.250s 0m0.50s"), Some(62.75));
        assert_eq!(children_seconds("error: no such command"), None);
    }
}
