//! `cargo xtask ci`: runs the steps of continuous integration, and says how each
//! ended and how long it took.

mod command;
mod needs;
mod parts;
mod step;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use cargo_metadata::{Metadata, MetadataCommand, Package};
use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::console::say;
use crate::error::Error;
pub(crate) use command::{CommandLine, run_all};
pub(crate) use needs::Need;
use needs::last_release;
use parts::PARTS;
use step::{STEPS, Step, Tier};

/// What was typed after `ci`.
#[derive(Debug, PartialEq, Eq, Args)]
pub(crate) struct CiArguments {
    /// Run the steps that take long as well, and all steps with full numbers
    #[arg(long)]
    all: bool,
    /// The steps to run [default: the steps of every push, or with --all all steps]
    #[arg(value_name = "STEP", value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
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
    let site = Site::new(&metadata.map_err(Error::Metadata)?, arguments.all);
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

/// The named steps in the order of their names, or the steps of the tier.
fn chosen(arguments: &CiArguments) -> Vec<&'static Step> {
    if arguments.steps.is_empty() {
        let runs = |step: &&Step| arguments.all || step.tier == Tier::Push;
        return STEPS.iter().filter(runs).collect();
    }
    let mut chosen = Vec::new();
    for name in &arguments.steps {
        chosen.extend(STEPS.iter().filter(|step| step.name == name));
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
        }
    }

    /// Runs the commands of a step up to the first that fails. Only a line that
    /// can't be printed ends the whole run.
    fn perform(&self, step: &Step) -> Result<StepResult, Error> {
        let mut missing = step
            .needs
            .iter()
            .filter_map(|need| need.missing(&self.oldest));
        if let Some(reason) = missing.next() {
            return Ok(StepResult::Skipped(reason));
        }
        for line in step.commands {
            let command = self.command(line);
            say(&format!("+ {command}"))?;
            if let Err(reason) = perform(&command, &self.root) {
                return Ok(StepResult::Failed(reason));
            }
        }
        Ok(StepResult::Passed)
    }

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
        CommandLine::parse(&line)
    }
}

/// Runs one command of a step, and returns why the step failed. If no
/// test passed, that fails too: what should have run them, such as an emulator, ran nothing.
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

#[cfg(test)]
mod tests {
    use std::fs;

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
    fn no_command_has_an_unknown_part() {
        for step in STEPS {
            let lines = lines(&site(false), step.name);
            assert!(!lines.concat().contains(['{', '}']), "{lines:?}");
            let mut programs = lines.iter().map(|line| (line.contains("cargo "), line));
            assert!(
                programs.all(|(is_cargo, line)| is_cargo || line.starts_with(".ci/")),
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
