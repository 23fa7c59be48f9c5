//! `check`: measure or read, judge, report.

use alloc_gate::report::verdict_line;
use alloc_gate::{Evaluation, Inputs, Measurements, Outcome, Partiality, TablesUpdate, evaluate};

use crate::arguments::{CheckArguments, JudgedArguments};
use crate::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;

use crate::recorded;
use crate::results::Job;
use crate::rules::Rules;
use crate::shell::Shell;
use crate::{accepted_past, judging, outputs, tables_page};

/// What there is to judge.
pub(super) struct Judged {
    pub(super) measurements: Measurements,
    pub(super) partiality: Partiality,
    /// The scenarios that a person left out.
    left_out: Vec<String>,
}

pub(crate) fn check(
    arguments: &CheckArguments,
    command_line: &str,
    shell: &Shell,
) -> Result<Code, Failure> {
    let CheckArguments {
        judged: arguments,
        page,
    } = arguments;
    let page = page.update_tables.as_deref();
    let workspace = Workspace::load(&arguments.workspace)?;
    let rules = Rules::load(&workspace, &arguments.workspace)?;
    let baseline = rules.baseline()?;
    let document = rules.document_state(baseline.as_ref())?;
    if let Some(path) = page {
        tables_page::check(path, &rules.config, shell)?;
    }
    let Judged {
        measurements,
        partiality,
        left_out,
    } = measure(arguments, &workspace, &rules, shell)?;
    let measurements = accepted_past::beside(measurements, &rules);
    let cfgs = judging::cfgs(&rules.config, &measurements)?;
    let evaluation = evaluate(&Inputs {
        config: &rules.config,
        measurements: &measurements,
        baseline: baseline.as_ref(),
        document,
        partiality,
        cfgs: &cfgs,
        today: judging::today(),
    });

    let mut failures = outputs::write_all(&evaluation, &arguments.output, shell);
    if let Some(path) = page {
        let update = TablesUpdate {
            tables: &evaluation.tables,
            measurements: &measurements,
            partiality,
            command: command_line,
        };
        let written = tables_page::write(path, &rules.config, &update, &left_out, shell);
        failures.extend(written.err());
    }
    Ok(conclude(&evaluation, &failures, &rules, shell))
}

/// Says the verdict, and what could not be written; the code for both.
pub(super) fn conclude(
    evaluation: &Evaluation,
    failures: &[Failure],
    rules: &Rules,
    shell: &Shell,
) -> Code {
    let code = match evaluation.outcome() {
        Outcome::Failed => Code::GateFailed,
        Outcome::NothingJudged => {
            shell.error(&nothing_judged(rules, evaluation));
            Code::NothingSelected
        }
        Outcome::Held if failures.is_empty() => Code::Held,
        Outcome::Held => Code::OutputFailed,
    };
    for failure in failures {
        shell.error(failure);
    }
    let mut line = verdict_line(evaluation);
    if !failures.is_empty() {
        line.push_str(&format!(
            "; but {} (exit code {})",
            Code::OutputFailed.meaning(),
            code.number()
        ));
    }
    shell.verdict(&line);
    code
}

fn nothing_judged(rules: &Rules, evaluation: &Evaluation) -> Failure {
    let file = rules.config.file();
    if rules.config.gates.is_empty() {
        Failure::new(Code::NothingSelected, format!("{file} has no gates")).next(
            "add a `[[gate]]` with `name`, `scenarios` and a limit such as `allocs = \"<= 3\"`",
        )
    } else if evaluation.tally().skipped > evaluation.tally().not_selected {
        Failure::new(
            Code::NothingSelected,
            format!("no gate of {file} applies to what was measured"),
        )
        .next("see above why each is skipped, and add a gate that applies here")
    } else {
        Failure::new(
            Code::NothingSelected,
            format!("no gate of {file} applies to what was selected"),
        )
        .next("select others, or see `cargo alloc-gate list` for which gates apply to what")
    }
}

/// Measures, or reads what was recorded.
pub(super) fn measure(
    arguments: &JudgedArguments,
    workspace: &Workspace,
    rules: &Rules,
    shell: &Shell,
) -> Result<Judged, Failure> {
    if !arguments.results.is_empty() {
        return Ok(Judged {
            measurements: recorded::read(&arguments.results)?,
            partiality: Partiality::Whole,
            left_out: Vec::new(),
        });
    }
    let job = Job::new(
        workspace,
        &rules.config,
        &arguments.build,
        &arguments.workspace,
    )?;
    let run = job.run_only(&arguments.selection.scenarios, shell)?;
    Ok(Judged {
        measurements: run.measurements,
        partiality: run.partiality,
        left_out: run.left_out,
    })
}
