//! `accept`: measures or reads results, and makes them the baseline. It writes all files
//! or none.

mod measure;

use std::path::{Path, PathBuf};

use alloc_gate::baseline::Baseline;
use alloc_gate::rules::{BaselineFiles, BaselinePage, Pattern, Reaction};
use alloc_gate::{HistoryEntry, counted, one_line};
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{BuildArguments, StaleArguments, glob};
use crate::baseline_diff::{changes, same_figures};
use crate::children;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{destination, shown};
use crate::inputs;
use crate::journal::{self, Replacement};
use crate::project::Project;
use crate::rules::{self, Rules};
use crate::shell::Shell;

/// A gate on each scenario's accepted figures.
const GATE: &str = "
[[gate]]
name = \"no-worse\"
scenarios = [\"*\"]
alloc-calls = \"<= baseline\"
bytes = \"<= baseline\"
";

/// Measure, and make the results the baseline: its data and its page
#[derive(Debug, Args)]
pub(crate) struct AcceptArguments {
    #[command(flatten)]
    build: BuildArguments,
    /// Write nothing; fail if a committed file is out of date
    #[arg(long)]
    check: bool,
    /// Record the reason in the history of the page
    ///
    /// Only if a figure changes.
    #[arg(long, value_name = "TEXT", value_parser = reason, conflicts_with = "check")]
    reason: Option<String>,
    /// Only these; the others keep their figures
    ///
    /// A glob has to match a full name, or else bench/name or package/bench/name.
    #[arg(
        long = "scenarios",
        visible_alias = "scenario",
        value_name = "GLOB",
        num_args = 1..,
        value_parser = glob,
        help_heading = "Bench selection"
    )]
    scenario: Vec<Pattern>,
    /// Accept recorded results, and run no bench
    ///
    /// The results of several machines can be accepted at once.
    #[arg(
        long = "results",
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["package", "exclude", "bench", "scenario"],
        help_heading = "Results"
    )]
    results: Vec<PathBuf>,
    #[command(flatten)]
    stale: StaleArguments,
}

impl Runnable for AcceptArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let (workspace, shell) = (call.workspace, call.shell);
        if self.build.quick {
            return Err(Failure::usage("`accept` can't be used with --quick").help(
                "run `accept` without --quick and `ALLOC_GATE_QUICK`; a baseline needs all iterations",
            ));
        }
        let project = if self.check {
            Project::load(workspace, shell)?
        } else {
            Project::load_with(workspace, shell, Rules::load_with_baseline)?
        };
        let rules = &project.rules;
        let Some(files) = rules.config.baseline.clone() else {
            return Err(Failure::invalid_rules(format!(
                "{} has no `[baseline]`",
                rules.config.file()
            ))
            .help(
                "run `cargo alloc-gate accept`, which adds `[baseline]` and writes its \
                     files",
            ));
        };
        // A page that can't be updated is found before the benches run.
        let data = rules.data(&files)?;
        let before = rules.baseline()?.unwrap_or_default();
        new_pages(rules, &files, &before, self.reason.as_deref(), |_| {
            Some(Vec::new())
        })?;
        let measured = measure::measure(self, &project, shell)?;

        let several = measured.len() > 1;
        let mut after = before.clone();
        for (measurements, coverage) in &measured {
            let kept = measurements.restricted_to(|id| files.keeps(&id.name));
            after = after.accept(&kept, *coverage);
        }
        let acceptance = Acceptance {
            changes: changes(&before, &after, several),
            before,
            after,
            several,
        };
        if self.check {
            compare(call.typed, rules, &files, acceptance, shell)
        } else {
            let target = project.workspace.target_directory();
            let changed = rules.data(&files)? != data;
            if changed {
                return Err(rules::changed(&files.data));
            }
            write(self, target, rules, &files, &acceptance, shell)
        }
    }
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(String::from("say in a few words why the figures change"));
    }
    Ok(text.to_owned())
}

/// The result of accepting, before anything is written.
struct Acceptance {
    before: Baseline,
    after: Baseline,
    /// All changes for a person to read, a line each.
    changes: Vec<String>,
    /// Whether several environments were measured.
    several: bool,
}

fn write(
    arguments: &AcceptArguments,
    target: &Path,
    rules: &Rules,
    files: &BaselineFiles,
    acceptance: &Acceptance,
    shell: &Shell,
) -> Result<Code, Failure> {
    let mut written = vec![(rules.data_path(files), acceptance.after.to_toml())];
    if rules.has_new_baseline() {
        let path = rules.unchanged_file()?.to_path_buf();
        written.push((path, rules.config.text().to_owned()));
    }
    let changes = &acceptance.changes;
    let reason = arguments.reason.as_deref().filter(|_| !changes.is_empty());
    let changes_of = |page: &BaselinePage| acceptance.changes_of(page);
    written.extend(new_pages(
        rules,
        files,
        &acceptance.after,
        reason,
        changes_of,
    )?);
    let mut replacements = Vec::new();
    for (path, text) in &written {
        replacements.push(Replacement {
            path: destination(path)?,
            text: text.clone(),
        });
    }
    children::check()?;
    // If the changes can't be shown, nothing is accepted.
    report(changes, shell)?;
    journal::replace(target, &replacements)?;
    for (path, _) in &written {
        shell.status("Wrote", &shown(path));
    }
    let config = &rules.config;
    if !config.compares_with_baseline() && config.policy.unused_baseline != Reaction::Allow {
        let file = config.file();
        let what = format!("no gate compares with the baseline yet, as this one in {file} would:");
        shell.note(&what, GATE);
    }
    shell.verdict(&acceptance.line(arguments.reason.is_some()));
    Ok(Code::Held)
}

impl Acceptance {
    /// The last line of a run that wrote the baseline, with or without a reason for the history.
    fn line(&self, has_reason: bool) -> String {
        if self.changes.is_empty() {
            let reason = if has_reason {
                "; the reason is not recorded"
            } else {
                ""
            };
            return format!("alloc-gate: accepted: no figure changed{reason}");
        }
        format!(
            "alloc-gate: accepted: {}; review the diff and commit it",
            counted(self.changes.len(), "change")
        )
    }

    /// The changes that the history of a page records; `None` where nothing that it shows
    /// changed.
    fn changes_of(&self, page: &BaselinePage) -> Option<Vec<String>> {
        let shown = |baseline: &Baseline| baseline.restricted_to(|bench| page.shows(bench));
        let lines = changes(&shown(&self.before), &shown(&self.after), self.several);
        (!lines.is_empty()).then_some(lines)
    }
}

/// The path and the new text of each page that the rules name. With a `reason`, the history
/// of a page records the `changes` that concern it.
fn new_pages(
    rules: &Rules,
    files: &BaselineFiles,
    baseline: &Baseline,
    reason: Option<&str>,
    changes: impl Fn(&BaselinePage) -> Option<Vec<String>>,
) -> Result<Vec<(PathBuf, String)>, Failure> {
    let pages = rules.pages()?;
    if pages.is_empty() && reason.is_some() {
        return Err(Failure::invalid_rules(format!(
            "{} names no page, and the page has the history of reasons",
            rules.config.file()
        ))
        .help("add `document = \"design/alloc-baseline.md\"` to `[baseline]`"));
    }
    let mut texts = Vec::new();
    for page in pages {
        let mut text = rules.updated_page(files, &page, baseline)?;
        if let Some((reason, changes)) = reason.zip(changes(&page.rule)) {
            // In UTC, so that entries are in order wherever they are written.
            let today = inputs::current_day().to_string();
            let entry = HistoryEntry {
                date: &today,
                reason,
                changes: &changes,
            };
            text = entry.add_to(&text).map_err(|error| page.broken(&error))?;
        }
        texts.push((page.path, text));
    }
    Ok(texts)
}

fn compare(
    typed: &str,
    rules: &Rules,
    files: &BaselineFiles,
    acceptance: Acceptance,
    shell: &Shell,
) -> Result<Code, Failure> {
    let Acceptance {
        before,
        after,
        changes: mut differences,
        ..
    } = acceptance;
    if differences.is_empty() && !same_figures(&before, &after) {
        differences.push(String::from("the data has figures that were not measured"));
    }
    for page in rules.pages()? {
        let text = rules.updated_page(files, &page, &before)?;
        if page.text.as_ref() != Some(&text) {
            differences.push(format!("{} is out of date", shown(&page.path)));
        }
    }
    report(&differences, shell)?;
    if differences.is_empty() {
        shell.verdict("alloc-gate: passed: the committed baseline is up to date");
        return Ok(Code::Held);
    }
    let command = typed.replacen(" --check", "", 1);
    shell.verdict(&format!(
        "alloc-gate: FAILED: the committed baseline is out of date; run `{command}` and review \
         the diff",
    ));
    Ok(Code::GateFailed)
}

fn report(changes: &[String], shell: &Shell) -> Result<(), Failure> {
    let lines = changes.iter();
    let text: String = lines.map(|line| format!("{}\n", one_line(line))).collect();
    shell.list(&text)
}
