//! `accept`: measure, and make the results the baseline. Both files are written
//! or neither, and a failed run leaves the old ones.

use alloc_gate::Partiality;
use alloc_gate::baseline::{Baseline, Coverage};
use alloc_gate::config::BaselineFiles;
use alloc_gate::report::counted;

use crate::accepting::{changes, same_figures};
use crate::arguments::AcceptArguments;
use crate::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::Prepared;
use crate::results::{Job, no_scenario, shown};
use crate::rules::Rules;
use crate::shell::Shell;

pub(crate) fn accept(arguments: &AcceptArguments, shell: &Shell) -> Result<Code, Failure> {
    let workspace = Workspace::load(&arguments.workspace)?;
    let rules = Rules::load(&workspace, &arguments.workspace)?;
    let Some(files) = &rules.config.baseline else {
        return Err(Failure::new(
            Code::InvalidRules,
            format!("{} names no baseline", rules.config.file()),
        )
        .next("add `[baseline]` with `data = \"design/alloc-baseline.toml\"`"));
    };
    // What can't be replaced is found before the long work.
    let before = rules.baseline()?.unwrap_or_default();
    if let Some(page) = rules.page()? {
        rules.updated_page(files, &page, &before)?;
    }
    let job = Job::new(
        &workspace,
        &rules.config,
        &arguments.build,
        &arguments.workspace,
    )?;
    let run = job.run(shell)?;
    if run.measurements.scenarios().is_empty() {
        return Err(no_scenario());
    }
    let coverage = match job.partiality() {
        Partiality::Whole => Coverage::AllBenches,
        Partiality::Selected => Coverage::SomeBenches,
    };
    let after = before.accept(&run.measurements, coverage);
    if arguments.check {
        compare(&rules, files, &before, &after, shell)
    } else {
        write(&rules, files, &before, &after, shell)
    }
}

fn write(
    rules: &Rules,
    files: &BaselineFiles,
    before: &Baseline,
    after: &Baseline,
    shell: &Shell,
) -> Result<Code, Failure> {
    let data_path = rules.data_path(files);
    let mut prepared = vec![Prepared::new(&data_path, after.to_toml().as_bytes())?];
    let mut paths = vec![data_path];
    if let Some(page) = rules.page()? {
        let text = rules.updated_page(files, &page, after)?;
        prepared.push(Prepared::new(&page.path, text.as_bytes())?);
        paths.push(page.path);
    }
    // Whoever can't be shown what changes has accepted nothing.
    let changes = changes(before, after);
    report(&changes, shell)?;
    for file in prepared {
        file.persist()?;
    }
    for path in &paths {
        shell.status("Wrote", &shown(path));
    }
    shell.verdict(&if changes.is_empty() {
        String::from("alloc-gate: accepted: no figure changed")
    } else {
        format!(
            "alloc-gate: accepted: {}; read the difference, and commit it",
            counted(changes.len(), "change")
        )
    });
    Ok(Code::Held)
}

fn compare(
    rules: &Rules,
    files: &BaselineFiles,
    before: &Baseline,
    after: &Baseline,
    shell: &Shell,
) -> Result<Code, Failure> {
    let mut differences = changes(before, after);
    if differences.is_empty() && !same_figures(before, after) {
        differences.push(String::from("the data has figures that were not measured"));
    }
    if let Some(page) = rules.page()? {
        let text = rules.updated_page(files, &page, before)?;
        if page.text.as_ref() != Some(&text) {
            differences.push(format!(
                "{} does not show the data and the gates in force",
                shown(&page.path)
            ));
        }
    }
    report(&differences, shell)?;
    if differences.is_empty() {
        shell.verdict("alloc-gate: passed: the committed baseline is current");
        return Ok(Code::Held);
    }
    shell.verdict(
        "alloc-gate: FAILED: the committed baseline is not current; run `cargo alloc-gate accept`, \
         and read the difference",
    );
    Ok(Code::GateFailed)
}

fn report(lines: &[String], shell: &Shell) -> Result<(), Failure> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    shell.report(text.as_bytes())
}
