//! Files of call stacks: flame graphs, folded stacks, and files for DHAT's viewer.

use std::path::{Path, PathBuf};

use alloc_gate::counted;
use alloc_gate::report::{StackReport, dhat, flame, folded};
use alloc_gate::sites::{Explained, Found};
use clap::Args;

use crate::failure::Failure;
use crate::files;
use crate::outputs;
use crate::shell::Shell;
use crate::shell_words::quoted;

/// The names of scenarios that an error has at most.
const MOST_NAMES: usize = 5;

/// The files to write.
#[derive(Debug, Args)]
pub(super) struct StackFiles {
    /// Draw the stacks of one scenario: a flame graph as SVG
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    flame: Option<PathBuf>,
    /// Write them as text for other tools: folded stacks
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    folded: Option<PathBuf>,
    /// Write them as JSON for the viewer of Valgrind's DHAT
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    dhat: Option<PathBuf>,
}

impl StackFiles {
    /// The options with their files.
    fn options(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let all = [
            ("--flame", self.flame.as_deref()),
            ("--folded", self.folded.as_deref()),
            ("--dhat", self.dhat.as_deref()),
        ];
        let all = all.into_iter();
        all.filter_map(|(option, file)| Some((option, file?)))
    }

    pub(super) fn files(&self) -> Vec<&Path> {
        self.options().map(|(_, file)| file).collect()
    }

    /// Refuses a file that has no form for a difference.
    pub(super) fn refuse_difference(&self) -> Result<(), Failure> {
        match self.dhat {
            Some(_) => Err(Failure::usage(
                "--dhat can't be used with --base: the format has no differences",
            )
            .help("use --flame or --folded, or leave out --base")),
            None => Ok(()),
        }
    }

    /// Refuses several scenarios: the sum of their stacks would mean nothing.
    pub(super) fn refuse_several(&self, wanted: &[Explained]) -> Result<(), Failure> {
        let ([first, _, ..], Some((option, _))) = (wanted, self.options().next()) else {
            return Ok(());
        };
        let names = wanted.iter().take(MOST_NAMES).map(|one| &*one.label);
        let mut names = names.collect::<Vec<_>>().join(", ");
        if wanted.len() > MOST_NAMES {
            names.push_str(&format!(", and {} more", wanted.len() - MOST_NAMES));
        }
        let all = counted(wanted.len(), "scenario");
        let one = quoted(["cargo", "alloc-gate", "explain", &first.label]);
        Err(Failure::usage(format!(
            "{option} needs one scenario, and {all} were selected: {names}"
        ))
        .help(format!("name one, as in `{one} {option} FILE`")))
    }

    /// Writes the files. Returns the errors of those that could not be written.
    pub(super) fn write(&self, explained: &Explained, shell: &Shell) -> Vec<Failure> {
        if explained.found.is_err() {
            // The report says why, and the run fails.
            return Vec::new();
        }
        let Some(report) = StackReport::from_explained(explained) else {
            let metric = explained.metric;
            return vec![Failure::usage(format!("call stacks have no {metric}"))];
        };
        if let Ok(Found::Sites { no_base, .. }) = &explained.found
            && let (Some(reason), Some((_, first))) = (no_base, self.options().next())
        {
            shell.warning(
                &format!("{} has no difference: {reason}", files::shown(first)),
                "choose another commit as --base",
            );
        }
        let written = self.options().map(|(option, file)| {
            let mut text = Vec::new();
            let mut about = String::new();
            let rendered = match option {
                "--flame" => flame(&report, &mut text),
                "--dhat" => dhat(&report, &mut text),
                _ => {
                    let folded = folded(&report);
                    about = words(folded.iterations, folded.below_zero);
                    text = folded.text.into();
                    Ok(())
                }
            };
            rendered.map_err(|error| files::failed(file, &error))?;
            outputs::write_to(file, &text, shell)?;
            if files::descriptor(file).is_none() {
                shell.status("Wrote", &(files::shown(file) + &about));
            }
            Ok(())
        });
        written.filter_map(Result::err).collect()
    }
}

/// What a reader of folded stacks has to know.
fn words(iterations: u128, below_zero: usize) -> String {
    let sums = (iterations != 1).then(|| format!("sums of {iterations} iterations"));
    let without =
        (below_zero > 0).then(|| format!("without {} below zero", counted(below_zero, "stack")));
    let words: Vec<String> = [sums, without].into_iter().flatten().collect();
    if words.is_empty() {
        String::new()
    } else {
        format!(": {}", words.join(", "))
    }
}
