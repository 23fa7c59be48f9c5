//! `cargo xtask man`: writes the manual pages of `cargo alloc-gate`, for packagers.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::console::say;
use crate::error::Error;

/// What was typed after `man`.
#[derive(Debug, PartialEq, Eq, Args)]
pub(crate) struct ManArguments {
    /// The folder to write to; it is created if missing
    #[arg(value_name = "DIR", default_value = "target/man")]
    pub(crate) folder: PathBuf,
}

/// Writes a page for the command and one for each of its commands.
pub(crate) fn run(arguments: &ManArguments) -> Result<ExitCode, Error> {
    let folder = &arguments.folder;
    let definition = cargo_alloc_gate::definition().name("cargo-alloc-gate");
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(definition, folder))
        .map_err(Error::writing(folder))?;
    say(&format!("man: wrote {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_page_for_the_command_and_for_each_of_its_commands() {
        let folder = std::env::temp_dir().join(format!("alloc-gate-man-{}", std::process::id()));
        let written = run(&ManArguments {
            folder: folder.clone(),
        });
        assert_eq!(written.unwrap(), ExitCode::SUCCESS);
        let page = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        let whole = page("cargo-alloc-gate.1");
        assert!(whole.contains(r"cargo\-alloc\-gate\-compare(1)"), "{whole}");
        let accept = page("cargo-alloc-gate-accept.1");
        assert!(accept.contains(r"\-\-check"), "{accept}");
        assert!(accept.contains("cargo alloc\\-gate accept"), "{accept}");
        fs::remove_dir_all(folder).unwrap();
    }
}
