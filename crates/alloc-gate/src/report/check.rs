//! The report of an [`Evaluation`]. A terminal has the values first and ends with what matters; a
//! page begins with what fails, and folds the values.

use indexmap::IndexMap;

use crate::diagnostic::{Code, Diagnostic, Level};
use crate::evaluation::{Evaluation, Outcome, Subjects};
use crate::measure::counted;
use crate::report::check::failures::{count, groups};
use crate::report::text::{Block, Line, Style, label, line, sentence, styled};
use crate::report::verdict::{headline, verdict};
use crate::report::{Detail, View};
use crate::results::Origin;

pub(super) mod end;
pub(super) mod failures;
pub(super) mod values;

/// The groups of failures of a report, unless all are asked for: the worst ones. A page folds the
/// others.
const MOST_GROUPS: usize = 20;

/// The sentences of a problem in a terminal, unless all are asked for. A page folds the others.
const MOST_SENTENCES: usize = 5;

/// The report on several environments, each below its name and its verdict. One has neither.
pub(super) fn document(evaluations: &[Evaluation], view: View<'_>, is_page: bool) -> Vec<Block> {
    let mut blocks = Vec::new();
    if is_page {
        let mark = match Outcome::of_all(evaluations) {
            Outcome::Held => styled(Style::Good, "\u{2713}"),
            Outcome::Failed | Outcome::NothingJudged => styled(Style::Bad, "\u{2717}"),
        };
        let title = line!["alloc-gate: ", mark, " ", headline(evaluations)];
        blocks.push(Block::Title(1, title));
    }
    for (number, evaluation) in evaluations.iter().enumerate() {
        let is_quiet = view.detail == Detail::Quiet && !is_page;
        if evaluations.len() > 1 && (!is_quiet || evaluation.outcome() == Outcome::Failed) {
            blocks.extend((number > 0).then_some(Block::Space));
            let origin = evaluation.origins.first();
            let environment = origin.map_or_else(
                || String::from("an unknown environment"),
                |origin| origin.environment.to_string(),
            );
            let (word, rest) = verdict(std::slice::from_ref(evaluation));
            let title = format!("on {environment}: {word}{rest}");
            blocks.extend([Block::Title(2, styled(Style::Strong, title)), Block::Space]);
        }
        blocks.extend(one(evaluation, view, is_page));
    }
    blocks
}

fn one(evaluation: &Evaluation, view: View<'_>, is_page: bool) -> Vec<Block> {
    let mut blocks = Vec::new();
    if is_page {
        blocks.extend(failed(evaluation, view, true));
        blocks.extend(labelled("note", values::notes(evaluation)));
        let scenarios = counted(evaluation.scenarios.len(), "scenario");
        let mut tables = values::tables(evaluation, Some(crate::report::TableRows::All));
        tables.extend(environment(&evaluation.origins, true));
        tables.push(values::gates(evaluation));
        blocks.push(Block::Fold {
            title: format!("All values ({scenarios})").into(),
            // Without gates, the values are what was asked for.
            is_open: evaluation.gates.is_empty(),
            blocks: tables,
        });
        return blocks;
    }
    if view.detail != Detail::Quiet {
        blocks.extend(values::tables(evaluation, view.rows));
        // The reader has to see why nothing was checked.
        if view.detail == Detail::Verbose || evaluation.outcome() == Outcome::NothingJudged {
            blocks.extend((!evaluation.gates.is_empty()).then_some(Block::Space));
            blocks.push(values::gates(evaluation));
        } else {
            blocks.extend(labelled("note", values::notes(evaluation)));
        }
    }
    let failed = failed(evaluation, view, false);
    let has_space = view.detail != Detail::Quiet && !failed.is_empty();
    blocks.extend(has_space.then_some(Block::Space));
    blocks.extend(failed);
    if view.detail != Detail::Quiet {
        let is_whole = view.detail == Detail::Verbose || evaluation.outcome() != Outcome::Failed;
        blocks.extend(environment(&evaluation.origins, is_whole));
    }
    blocks
}

fn labelled(word: &str, lines: Vec<String>) -> Vec<Block> {
    let lines = lines.into_iter();
    lines
        .map(|line| Block::Line(format!("{word}: {line}").into()))
        .collect()
}

/// The failures and warnings, the worst first, with the advice at the end.
fn failed(evaluation: &Evaluation, view: View<'_>, is_page: bool) -> Vec<Block> {
    let subjects = Subjects::new(evaluation);
    let is_verbose = view.detail == Detail::Verbose && !is_page;
    let groups = groups(evaluation, &subjects, is_verbose || is_page, is_verbose);
    let mut blocks = Vec::new();
    let levels = match view.detail {
        Detail::Quiet if !is_page => &[Level::Deny][..],
        Detail::Quiet | Detail::Normal | Detail::Verbose => &[Level::Deny, Level::Warn],
    };
    for level in levels {
        let groups: Vec<_> = groups.iter().filter(|it| it.level() == *level).collect();
        let most = if is_verbose { usize::MAX } else { MOST_GROUPS };
        let (shown, rest) = groups.split_at(most.min(groups.len()));
        blocks.extend(shown.iter().flat_map(|group| group.blocks(is_verbose)));
        if !rest.is_empty() {
            let more = count(rest.iter().flat_map(|group| &group.failures));
            let more = format!("and {}", counted(more, "more scenario"));
            blocks.push(if is_page {
                Block::Fold {
                    title: more.into(),
                    is_open: false,
                    blocks: rest.iter().flat_map(|group| group.blocks(false)).collect(),
                }
            } else {
                Block::Line(format!("{more}; `-v` shows all").into())
            });
        }
        blocks.extend(problems(evaluation, *level, is_verbose, is_page));
    }
    if blocks.is_empty() {
        return blocks;
    }
    blocks.extend(labelled("note", end::reasons(evaluation)));
    blocks.extend(labelled("help", end::help(evaluation, &subjects, view)));
    blocks
}

/// What gates lack, and the findings; findings of one kind with the same help are one problem.
fn problems(evaluation: &Evaluation, level: Level, is_verbose: bool, is_page: bool) -> Vec<Block> {
    let mut kinds: IndexMap<(Code, &Option<String>), Vec<&Diagnostic>> = IndexMap::new();
    for diagnostic in evaluation.diagnostics() {
        if diagnostic.level == level {
            let key = (diagnostic.code, &diagnostic.help);
            kinds.entry(key).or_default().push(diagnostic);
        }
    }
    let mut blocks = Vec::new();
    for ((code, help), all) in kinds {
        let label = label(level, code.name());
        let lines = all
            .iter()
            .map(|one| line![label.clone(), ": ", sentence(one)]);
        let mut lines: Vec<Line> = lines.collect();
        let rest = match lines.len() {
            all if is_verbose || all <= MOST_SENTENCES + 1 => Vec::new(),
            _ => lines.split_off(MOST_SENTENCES),
        };
        blocks.extend(lines.into_iter().map(Block::Line));
        let more = rest.len();
        if is_page && more > 0 {
            blocks.push(Block::Fold {
                title: format!("and {more} more").into(),
                is_open: false,
                blocks: vec![Block::List(rest)],
            });
        } else if more > 0 {
            let words = format!(": {more} more like these; `-v` shows all");
            blocks.push(line![label, words].into());
        }
        blocks.extend(
            help.iter()
                .map(|help| Block::Line(format!("  help: {help}").into())),
        );
    }
    blocks
}

/// `environment: x86_64-unknown-linux-gnu, profile bench, opt-level 3, over
/// std::alloc::System, rustc 1.95.0, commit 9ab1dd53bd, 2026-09-21 14:13 UTC`; nothing without a
/// bench. Different values of several benches are joined by `and`. Below a failure, where the rest
/// explains nothing, it is what was built, and the commit.
fn environment(origins: &[Origin], is_whole: bool) -> Option<Block> {
    let values = |one: &Origin| {
        let environment = &one.environment;
        let features = &environment.features;
        [
            Some(environment.target.clone()),
            Some(format!("profile {}", environment.profile)),
            one.opt_level
                .as_ref()
                .filter(|_| is_whole)
                .map(|level| format!("opt-level {level}")),
            (!features.is_empty()).then(|| format!("features {}", features.join(" "))),
            environment
                .debug_assertions
                .then(|| "with debug assertions".into()),
            one.quick
                .then(|| "a quick run with fewer iterations".into()),
            is_whole.then(|| format!("over {}", environment.allocator)),
            one.runner
                .as_ref()
                .map(|runner| format!("started by {runner}")),
            is_whole.then(|| environment.rustc.clone()),
            Some(commit(one)),
        ]
    };
    let mut parts: Vec<Vec<String>> = vec![Vec::new(); 10];
    for origin in origins {
        for (part, value) in parts.iter_mut().zip(values(origin)) {
            let is_new = value.as_ref().is_some_and(|value| !part.contains(value));
            part.extend(value.filter(|_| is_new));
        }
    }
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    let mut parts: Vec<String> = parts.map(|part| part.join(" and ")).collect();
    // The oldest results are the most likely to be out of date.
    parts.extend(
        origins
            .iter()
            .filter_map(|one| one.unix_time.filter(|_| is_whole))
            .min()
            .map(minute),
    );
    let words = format!("environment: {}", parts.join(", "));
    (!origins.is_empty()).then(|| Block::Line(styled(Style::Dim, words)))
}

/// The first ten digits of a commit's name.
pub(super) fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

fn commit(origin: &Origin) -> String {
    let commit = origin.commit.as_deref().map_or("unknown", short);
    match origin.dirty {
        Some(true) if origin.commit.is_some() => {
            format!("commit {commit} with uncommitted changes")
        }
        Some(_) | None => format!("commit {commit}"),
    }
}

/// `2026-01-31 18:00 UTC`, of the seconds since 1970.
///
/// The algorithm is `civil_from_days` of
/// <https://howardhinnant.github.io/date_algorithms.html>. Its years begin in March, so that a
/// leap day is the last day of a year.
fn minute(seconds: u64) -> String {
    const DAY: u64 = 24 * 60 * 60;
    let days = seconds / DAY + 719_468; // since 0000-03-01
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let minutes = seconds % DAY / 60;
    let (hour, minute) = (minutes / 60, minutes % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}
