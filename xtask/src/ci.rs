//! `cargo xtask ci`: runs the steps of continuous integration, and says how each
//! ended and how long it took.

mod command;
mod needs;
mod parts;
mod step;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use cargo_metadata::{Metadata, MetadataCommand, Package};
use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::console::say;
use crate::error::Error;
pub(crate) use command::{CommandLine, run_all};
pub(crate) use needs::Need;
use needs::last_release;
use parts::PARTS;
use step::{GROUPS, STEPS, Step, Tier};

/// What was typed after `ci`.
#[derive(Debug, PartialEq, Eq, Args)]
pub(crate) struct CiArguments {
    /// Run the steps that take long as well, and all steps with full numbers
    #[arg(long)]
    all: bool,
    /// The steps to run; without one, those of every push, or with --all all of them
    #[arg(value_name = "STEP", value_parser = PossibleValuesParser::new(names()))]
    steps: Vec<String>,
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum StepResult {
    Passed,
    Failed(String),
    Skipped(String),
}

/// A step that is over.
#[derive(Debug)]
struct Record {
    name: &'static str,
    outcome: StepResult,
    seconds: f64,
}

/// Runs the chosen steps, all of them even if one fails.
pub(crate) fn run(arguments: &CiArguments) -> Result<ExitCode, Error> {
    let metadata = MetadataCommand::new().no_deps().exec();
    let mut site = Site::new(&metadata.map_err(Error::Metadata)?, arguments.all);
    let folds = env::var_os("GITHUB_ACTIONS").is_some();
    let mut records = Vec::new();
    for step in chosen(arguments) {
        let start = Instant::now();
        let heading = if folds { "::group::" } else { "\n== " };
        say(&format!("{heading}{}", step.name))?;
        let outcome = site.perform(step)?;
        if folds {
            say("::endgroup::")?;
        }
        let (word, reason) = outcome.words();
        say(format!("{}: {word} {reason}", step.name).trim_end())?;
        records.push(Record {
            name: step.name,
            outcome,
            seconds: start.elapsed().as_secs_f64(),
        });
    }
    say(&summary(&records))?;
    let failed = |record: &Record| matches!(record.outcome, StepResult::Failed(_));
    Ok(if records.iter().any(failed) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// The names of steps and of groups.
fn names() -> impl Iterator<Item = &'static str> {
    let steps = STEPS.iter().map(|step| step.name);
    steps.chain(GROUPS.iter().map(|(name, _)| *name))
}

/// The named steps in the order of their names, or those of the tier.
fn chosen(arguments: &CiArguments) -> Vec<&'static Step> {
    if arguments.steps.is_empty() {
        let runs = |step: &&Step| arguments.all || step.tier == Tier::Push;
        return STEPS.iter().filter(runs).collect();
    }
    let mut chosen = Vec::new();
    for name in &arguments.steps {
        let group = GROUPS.iter().find(|(group, _)| group == name);
        let is_named = |step: &&Step| {
            step.name == name || group.is_some_and(|(_, steps)| steps.contains(&step.name))
        };
        chosen.extend(STEPS.iter().filter(is_named));
    }
    chosen
}

/// One line a step, and the line that counts them.
fn summary(records: &[Record]) -> String {
    let mut text = format!("\n{:<13} {:<8} {:>8}\n", "step", "outcome", "seconds");
    let mut counts = [("passed", 0), ("failed", 0), ("skipped", 0)];
    for record in records {
        let (word, reason) = record.outcome.words();
        for (counted, count) in &mut counts {
            *count += usize::from(*counted == word);
        }
        let line = format!(
            "{:<13} {word:<8} {:>8.1}  {reason}",
            record.name, record.seconds
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let total: f64 = records.iter().map(|record| record.seconds).sum();
    let counts = counts.map(|(word, count)| format!("{count} {word}"));
    text + &format!("{:<22} {total:>8.1}\n\nci: {}", "all", counts.join(", "))
}

impl StepResult {
    fn words(&self) -> (&'static str, &str) {
        match self {
            Self::Passed => ("passed", ""),
            Self::Failed(reason) => ("failed", reason),
            Self::Skipped(reason) => ("skipped", reason),
        }
    }
}

/// The workspace in which the steps run.
struct Site {
    root: PathBuf,
    /// The version of the oldest Rust that builds all members, as rustup names it.
    oldest: String,
    /// The names of the published crates, each after `-p`.
    published: String,
    all: bool,
    /// Where the gate keeps results.
    results: PathBuf,
    /// The results that the step `gate` recorded.
    recorded: Vec<PathBuf>,
}

impl Site {
    fn new(metadata: &Metadata, all: bool) -> Self {
        let declared = metadata
            .packages
            .iter()
            .filter_map(|package| package.rust_version.as_ref());
        // Some crates need less, but all of them are built together.
        let oldest = declared
            .max()
            .map_or_else(String::new, |version| match version.patch {
                // To rustup, 1.88 and 1.88.0 are two toolchains.
                0 => format!("{}.{}", version.major, version.minor),
                _ => version.to_string(),
            });
        // Cargo lists a package with `publish = false` under no registry.
        let is_published = |package: &&Package| package.publish.is_none();
        let published = metadata.packages.iter().filter(is_published);
        let published = published.map(|package| format!("-p {}", package.name));
        Self {
            root: metadata.workspace_root.clone().into(),
            oldest,
            published: published.collect::<Vec<_>>().join(" "),
            all,
            results: metadata.target_directory.join("alloc-gate").into(),
            recorded: Vec::new(),
        }
    }

    /// Runs the commands of a step up to the first that fails. Only a line that
    /// can't be printed ends the whole run.
    fn perform(&mut self, step: &Step) -> Result<StepResult, Error> {
        let mut missing = step
            .needs
            .iter()
            .filter_map(|need| need.missing(&self.oldest));
        if let Some(reason) = missing.next() {
            return Ok(StepResult::Skipped(reason));
        }
        let start = SystemTime::now();
        for line in step.commands {
            let command = self.command(line);
            say(&format!("+ {command}"))?;
            if let Err(reason) = perform(&command, &self.root) {
                return Ok(StepResult::Failed(reason));
            }
        }
        if step.name == "gate" {
            self.recorded = recorded_since(start, &self.results);
        }
        Ok(StepResult::Passed)
    }

    /// The command of a line of the table.
    fn command(&self, line: &str) -> CommandLine {
        let tier = if self.all { Tier::All } else { Tier::Push };
        let mut line = line.replace("{numbers}", tier.numbers());
        for (name, part) in PARTS {
            line = line.replace(name, part);
        }
        line = line.replace("{oldest}", &self.oldest);
        line = line.replace("{published}", &self.published);
        line = line.replace("{root}", &self.root.to_string_lossy());
        if line.contains("{release}") {
            line = line.replace("{release}", &last_release().unwrap_or_default());
        }
        let Some((line, option)) = line.split_once("{recorded ") else {
            return CommandLine::parse(&line);
        };
        let files: Vec<_> = self
            .recorded
            .iter()
            .map(|file| file.to_string_lossy())
            .collect();
        let files = files.iter().map(AsRef::as_ref);
        CommandLine::parse(line).and_all(option.trim_end_matches('}'), files)
    }
}

/// Runs one command of a step, and returns why the step failed. Tests of which none
/// passed fail too: what should have run them, such as an emulator, ran nothing.
fn perform(command: &CommandLine, root: &Path) -> Result<(), String> {
    let ended = if command.is_of_tests() {
        command.run_tests(root)
    } else {
        command.run(root).map(|status| (status, 1))
    };
    match ended {
        Ok((status, 0)) if status.success() => Err(format!("`{command}`: no test ran")),
        Ok((status, _)) if status.success() => Ok(()),
        Ok((status, _)) => Err(format!("`{command}`: {status}")),
        Err(error) => Err(format!("failed to {error}")),
    }
}

/// The result files in `folder` that were written since then.
fn recorded_since(start: SystemTime, folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_new = |entry: &fs::DirEntry| {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified >= start)
    };
    let mut files: Vec<PathBuf> = entries
        .filter(is_new)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn site(all: bool) -> Site {
        let metadata = MetadataCommand::new().no_deps().exec().unwrap();
        Site::new(&metadata, all)
    }

    /// The commands of a step, as the log shows them.
    fn lines(site: &Site, name: &str) -> Vec<String> {
        let step = STEPS.iter().find(|step| step.name == name).unwrap();
        step.commands
            .iter()
            .map(|line| site.command(line).to_string())
            .collect()
    }

    #[test]
    fn steps_are_chosen_by_name_or_by_tier() {
        let names = |all, steps: &[&str]| -> Vec<&str> {
            let steps = steps.iter().map(|&step| step.to_owned()).collect();
            chosen(&CiArguments { all, steps })
                .iter()
                .map(|step| step.name)
                .collect()
        };
        assert_eq!(names(false, &["msrv", "fmt"]), ["msrv", "fmt"]);
        assert_eq!(names(true, &["tidy"]), ["tidy"]);
        let platforms = names(true, &["fmt", "platforms"]);
        assert_eq!(platforms[..2], ["fmt", "musl"]);
        assert_eq!(
            platforms[1..],
            *GROUPS[0].1,
            "each of the group, in the order of steps"
        );
        assert_eq!(names(true, &[]).len(), STEPS.len());
        let push = [
            "fmt", "tidy", "size", "clippy", "test", "doc", "gate", "baseline",
        ];
        assert_eq!(names(false, &[]), push);
    }

    #[test]
    fn a_push_has_smaller_numbers_than_all() {
        let quick = lines(&site(false), "test");
        assert_eq!(quick, ["cargo test --workspace --locked"]);
        let all = lines(&site(true), "test");
        let expected = "ALLOC_GATE_KILLS=120 ALLOC_GATE_ROUNDS=5 COUNTING_ALLOC_WINDOWS=5000 \
                        PROOF_FUZZ_SECONDS=5 \
                        cargo test --workspace --locked";
        assert_eq!(all, [expected]);
    }

    #[test]
    fn the_results_of_the_gate_are_judged_again_where_there_are_any() {
        let mut site = site(false);
        site.recorded = vec!["a.jsonl".into(), "b.jsonl".into()];
        assert_eq!(
            lines(&site, "baseline"),
            ["cargo xtask alloc-gate accept --check --results a.jsonl b.jsonl"]
        );
    }

    #[test]
    fn no_command_has_an_unknown_part() {
        for step in STEPS {
            let lines = lines(&site(false), step.name);
            assert!(!lines.concat().contains(['{', '}']), "{lines:?}");
            assert!(
                lines.iter().all(|line| line.contains("cargo ")),
                "{lines:?}"
            );
        }
    }

    #[test]
    fn tests_of_which_none_ran_fail_the_step() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        // The runner of an emulated platform that starts nothing, as far as cargo can tell. The
        // package has no dependencies then: a package alone gives those other features, and they
        // would be built once more.
        let test = |filter: &str| {
            let options = "--quiet -p alloc-results --no-default-features --lib";
            CommandLine::cargo(&format!("test {options} -- {filter}"))
        };
        let reason = perform(&test("no-such-test"), folder).unwrap_err();
        assert!(reason.ends_with(": no test ran"), "{reason}");
        let one = test("names_read_back_and_are_unique");
        assert_eq!(perform(&one, folder), Ok(()));
    }

    #[test]
    fn published_crates_alone_are_packaged() {
        let lines = lines(&site(true), "package");
        let [line] = &lines[..] else {
            panic!("one command: {lines:?}")
        };
        let has = |name: &str| line.contains(&format!(" -p {name} "));
        assert!(has("counting-alloc") && has("cargo-alloc-gate"), "{line}");
        assert!(!has("nmx-codec") && !has("xtask"), "{line}");
    }

    #[test]
    fn results_from_before_the_gate_are_not_judged() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let later = SystemTime::now() + Duration::from_secs(3600);
        assert_eq!(recorded_since(later, folder), [""; 0].map(PathBuf::from));
        assert_eq!(recorded_since(later, Path::new("/no/such/folder")).len(), 0);
    }

    #[test]
    fn the_oldest_rust_is_named_as_the_manifest_spells_it() {
        let manifest = include_str!("../../crates/cargo-alloc-gate/Cargo.toml");
        let site = site(true);
        assert!(manifest.contains(&format!("rust-version = \"{}\"", site.oldest)));
        assert!(lines(&site, "msrv")[0].starts_with(&format!("cargo +{} check ", site.oldest)));
        let libraries = &lines(&site, "msrv-libraries")[0];
        for name in [
            "counting-alloc",
            "alloc-assert",
            "alloc-results",
            "alloc-scenario",
        ] {
            let manifest = site.root.join("crates").join(name).join("Cargo.toml");
            let manifest = fs::read_to_string(manifest).unwrap();
            assert!(manifest.contains("\nrust-version = \"1.85\"\n"), "{name}");
        }
        assert!(libraries.starts_with("cargo +1.85 check "), "{libraries}");
    }

    #[test]
    fn the_summary_has_a_line_a_step_and_counts_the_outcomes() {
        let record = |name, outcome, seconds| Record {
            name,
            outcome,
            seconds,
        };
        let records = [
            record("fmt", StepResult::Passed, 1.23),
            record(
                "test",
                StepResult::Failed("`cargo test`: exit status: 101".into()),
                61.0,
            ),
            record("nextest", StepResult::Skipped("not installed".into()), 0.0),
        ];
        let text = summary(&records);
        for line in [
            "\nfmt           passed        1.2\n",
            "\ntest          failed       61.0  `cargo test`: exit status: 101\n",
            "\nall                        62.2\n\nci: 1 passed, 1 failed, 1 skipped",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }
}
