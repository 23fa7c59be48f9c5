//! `cargo xtask release`: the archive of the command for a target, and the text of a release.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use cargo_metadata::{Metadata, MetadataCommand, Package};
use clap::Subcommand;

use crate::ci::CommandLine;
use crate::console::say;
use crate::error::Error;

const PACKAGE: &str = "cargo-alloc-gate";

/// The license files in the root, of which each archive has a copy.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The part of a release that is made.
#[derive(Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum ReleaseChore {
    /// Build the command for a target, and pack it as cargo-binstall looks for it
    ///
    /// The archive is in target/archives; its program has run once, so the target has to run here.
    Archive {
        /// The target, such as x86_64-unknown-linux-musl
        target: String,
    },
    /// Print the section of CHANGELOG.md that a tag is for
    ///
    /// The exit code is 1 if the tag is not that of the workspace's version, and if the
    /// version has no section.
    Notes {
        /// The tag, such as v0.1.0
        tag: String,
    },
}

pub(crate) fn run(chore: &ReleaseChore) -> Result<ExitCode, Error> {
    let metadata = MetadataCommand::new().no_deps().exec();
    let metadata = metadata.map_err(Error::Metadata)?;
    let mut packages = metadata.packages.iter();
    let found = packages.find(|package| package.name == PACKAGE);
    let package =
        found.ok_or_else(|| Error::wrong("the workspace has no package of the command"))?;
    let said = match chore {
        ReleaseChore::Archive { target } => {
            let archive = archive(&metadata, package, target)?;
            format!("release: wrote {}", archive.display())
        }
        ReleaseChore::Notes { tag } => {
            let page = metadata.workspace_root.join("CHANGELOG.md");
            let page = page.as_std_path();
            let text = fs::read_to_string(page).map_err(Error::reading(page))?;
            notes(&text, &package.version.to_string(), tag).map_err(Error::wrong)?
        }
    };
    say(&said)?;
    Ok(ExitCode::SUCCESS)
}

/// Builds and packs the command, and runs what was packed.
fn archive(metadata: &Metadata, package: &Package, target: &str) -> Result<PathBuf, Error> {
    let name = archive_name(package, target).map_err(Error::wrong)?;
    let root = metadata.workspace_root.as_std_path();
    let build = format!("build --profile dist --locked -p {PACKAGE} --target {target}");
    let build = CommandLine::cargo(&build);
    if !build.run(root)?.success() {
        return Err(Error::wrong(format!("`{build}` failed")));
    }
    let ending = if target.contains("windows") {
        ".exe"
    } else {
        ""
    };
    let program = format!("{PACKAGE}{ending}");
    let folder = metadata.target_directory.join("archives");
    let folder = folder.as_std_path();
    let files = folder.join(target);
    fs::create_dir_all(&files).map_err(Error::writing(&files))?;
    let built = metadata.target_directory.join(target).join("dist");
    let built = built.join(&program).into_std_path_buf();
    let licenses = LICENSES.iter().map(|name| root.join(name));
    for from in licenses.chain([built]) {
        let to = files.join(from.file_name().unwrap_or_default());
        fs::copy(&from, &to).map_err(Error::writing(&to))?;
    }
    // With names and no paths: to some versions of tar, `C:` is a machine.
    tar(
        folder,
        &[
            "-czf",
            &name,
            "-C",
            target,
            &program,
            LICENSES[0],
            LICENSES[1],
        ],
    )?;
    fs::remove_dir_all(&files).map_err(Error::writing(&files))?;
    fs::create_dir(&files).map_err(Error::writing(&files))?;
    tar(folder, &["-xzf", &name, "-C", target])?;
    let said = said(Command::new(files.join(&program)).args(["alloc-gate", "--version"]))?;
    fs::remove_dir_all(&files).map_err(Error::writing(&files))?;
    let expected = format!("cargo alloc-gate {}", package.version);
    if !said.starts_with(&expected) {
        let problem = format!(
            "the program in {name} says `{}`, not `{expected}`",
            said.trim()
        );
        return Err(Error::wrong(problem));
    }
    Ok(folder.join(name))
}

/// The file that cargo-binstall loads for a target, as the manifest names it.
fn archive_name(package: &Package, target: &str) -> Result<String, String> {
    let layout = package.metadata.pointer("/binstall/pkg-url");
    let layout = layout.and_then(|url| url.as_str()).unwrap_or_default();
    let (_, file) = layout.rsplit_once('/').unwrap_or_default();
    let version = package.version.to_string();
    let name = file
        .replace("{ name }", PACKAGE)
        .replace("{ target }", target)
        .replace("{ version }", &version)
        .replace("{ archive-suffix }", ".tgz");
    if name.is_empty() || name.contains(['{', '}']) {
        return Err(format!(
            "`pkg-url` of {PACKAGE} has no file name that is known: `{file}`"
        ));
    }
    Ok(name)
}

fn tar(folder: &Path, args: &[&str]) -> Result<(), Error> {
    said(Command::new("tar").args(args).current_dir(folder)).map(drop)
}

/// What a command prints, if it succeeds.
fn said(command: &mut Command) -> Result<String, Error> {
    let line = format!("{command:?}");
    let output = command.output().map_err(|source| Error::Start {
        command: line.clone(),
        source,
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Error::wrong(format!("`{line}`: {}: {said}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The section of a version in the changelog.
fn notes(changelog: &str, version: &str, tag: &str) -> Result<String, String> {
    if tag != format!("v{version}") {
        return Err(format!("the tag is {tag}, and the version {version}"));
    }
    let title = format!("## [{version}]");
    let mut lines = changelog
        .lines()
        .skip_while(|line| !line.starts_with(&title));
    if lines.next().is_none() {
        return Err(format!("CHANGELOG.md has no section `{title}`"));
    }
    let section: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    Ok(section.join("\n").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_has_the_name_that_the_manifest_gives() {
        let metadata = MetadataCommand::new().no_deps().exec().unwrap();
        let mut packages = metadata.packages.iter();
        let package = packages.find(|package| package.name == PACKAGE).unwrap();
        let name = archive_name(package, "x86_64-pc-windows-msvc").unwrap();
        let version = &package.version;
        assert_eq!(
            name,
            format!("cargo-alloc-gate-x86_64-pc-windows-msvc-v{version}.tgz")
        );
    }

    #[test]
    fn the_notes_are_the_section_of_the_tag() {
        let changelog = "# Changelog\n\n## [Unreleased]\n\nNothing.\n\n\
                         ## [0.2.0] - 2027-01-02\n\n### Added\n\n- A thing.\n\n\
                         ## [0.1.0] - 2026-12-01\n\n- All.\n";
        assert_eq!(
            notes(changelog, "0.2.0", "v0.2.0").unwrap(),
            "### Added\n\n- A thing."
        );
        assert_eq!(notes(changelog, "0.1.0", "v0.1.0").unwrap(), "- All.");
        let problem = notes(changelog, "0.2.0", "v0.1.0").unwrap_err();
        assert_eq!(problem, "the tag is v0.1.0, and the version 0.2.0");
        let problem = notes(changelog, "0.3.0", "v0.3.0").unwrap_err();
        assert_eq!(problem, "CHANGELOG.md has no section `## [0.3.0]`");
    }
}
