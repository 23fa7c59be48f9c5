//! `history`: the accepted figures over the commits that changed them. It measures nothing.

use std::path::Path;

use alloc_gate::ScenarioId;
use alloc_gate::counted;
use alloc_gate::history::History;
use alloc_gate::report::Subject;
use alloc_gate::report::history::HistoryReport;
use alloc_gate::rules::Pattern;
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{OutputArguments, glob};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::git::Git;
use crate::project::Project;
use crate::{outputs, past_baselines};

/// The commits that are read at most.
const MOST: u64 = 1_000;

/// Show how the accepted figures changed, commit by commit
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct HistoryArguments {
    /// The scenarios; without a glob, those that ever changed
    #[arg(value_name = "GLOB", value_parser = glob)]
    scenarios: Vec<Pattern>,
    #[command(flatten)]
    output: OutputArguments,
}

const HELP: &str = "\
The commits are those that changed the data of `[baseline]`, along the first
parents of HEAD. The figures are means, with the difference to the commit before.";

impl Runnable for HistoryArguments {
    fn report_files(&self) -> Vec<&Path> {
        self.output.files()
    }

    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load(call.workspace, shell)?;
        let rules = &project.rules;
        outputs::prepare(&self.output, Subject::Rows, rules, &[])?;
        let Some(files) = &rules.config.baseline else {
            let file = rules.config.file();
            return Err(Failure::usage(format!("{file} has no [baseline]"))
                .help("add one with `data`, and run `cargo alloc-gate accept`"));
        };
        let git = Git::open(project.workspace.root())?;
        let now = rules.baseline()?.unwrap_or_default();
        let past = past_baselines::until_now(&git, rules.folder(), &files.data, &now, MOST);
        let (revisions, notes) = past.map_err(|why| {
            Failure::usage(format!(
                "failed to read the history of {}: {why}",
                files.data
            ))
            .help("run it in a git repository that has the file")
        })?;
        for note in notes {
            shell.say(&format!("note: {note}"));
        }
        let is_wanted = |id: &ScenarioId| {
            let mut globs = self.scenarios.iter();
            self.scenarios.is_empty() || globs.any(|glob| glob.matches(&id.name))
        };
        let history = History::new(&revisions, &is_wanted);
        if history.scenarios.is_empty() {
            return Err(Failure::nothing_selected("no accepted scenario matches")
                .help("`cargo alloc-gate history` shows those that changed"));
        }
        let report = HistoryReport {
            history: &history,
            lists_all: !self.scenarios.is_empty(),
        };
        let failures = outputs::write(report, &self.output, shell);
        let line = format!(
            "alloc-gate: {} in {} of {} (`history` checks no gates)",
            counted(history.scenarios.len(), "scenario"),
            counted(revisions.len(), "revision"),
            files.data
        );
        Ok(outputs::conclude(Code::Held, line, &failures, shell))
    }
}
