//! `audit`: measure or read, break each gate in a copy, report.

use alloc_gate::Inputs;
use alloc_gate::audit::AuditOutcome;
use alloc_gate::report::audit::{json, markdown, terminal, verdict_line};

use super::check::{Judged, measure};
use crate::arguments::{Format, JudgedArguments};
use crate::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::rules::Rules;
use crate::shell::Shell;
use crate::{judging, outputs};

pub(crate) fn audit(arguments: &JudgedArguments, shell: &Shell) -> Result<Code, Failure> {
    let workspace = Workspace::load(&arguments.workspace)?;
    let rules = Rules::load(&workspace, &arguments.workspace)?;
    let baseline = rules.baseline()?;
    let Judged {
        measurements,
        partiality,
        ..
    } = measure(arguments, &workspace, &rules, shell)?;
    let cfgs = judging::cfgs(&rules.config, &measurements)?;
    let audited = alloc_gate::audit(&Inputs {
        config: &rules.config,
        measurements: &measurements,
        baseline: baseline.as_ref(),
        // What the page shows makes no gate fail.
        document: None,
        partiality,
        cfgs: &cfgs,
        today: judging::today(),
    });

    let all = arguments.workspace.verbose;
    let failures = outputs::write_each(
        &|format, out| match format {
            Format::Terminal => terminal::write(&audited, all, out),
            Format::Markdown => markdown::write(&audited, out),
            Format::Json => json::write(&audited, out),
        },
        &arguments.output,
        shell,
    );
    let code = match audited.outcome() {
        AuditOutcome::CannotFail => Code::GateFailed,
        AuditOutcome::NothingAudited => Code::NothingSelected,
        AuditOutcome::Proved if failures.is_empty() => Code::Held,
        AuditOutcome::Proved => Code::OutputFailed,
    };
    for failure in &failures {
        shell.error(failure);
    }
    let mut line = verdict_line(&audited);
    if !failures.is_empty() {
        line.push_str(&format!(
            "; but {} (exit code {})",
            Code::OutputFailed.meaning(),
            code.number()
        ));
    }
    shell.verdict(&line);
    Ok(code)
}
