//! A card for each allocator: what it is, what it is good for, and what not.

use crate::facts::{self, Facts, Family, Threads};
use crate::figure::{counted, ratio_text};
use crate::query::{distinct, unavailable};
use crate::results::{Cell, Results};
use crate::summary::{BASELINE, Summary};

/// The number of workloads that a card names for each direction.
const WORKLOADS: usize = 3;

/// The cards of all allocators as Markdown, by family.
pub fn markdown(results: &Results, summary: &Summary) -> String {
    let families = summary.families().map(|(family, subjects)| {
        let card = |subject: &String| card(results, summary, subject);
        let cards: String = subjects.iter().map(card).collect();
        format!("**{}**\n\n{cards}", family.name())
    });
    families.collect::<Vec<_>>().join("\n")
}

fn card(results: &Results, summary: &Summary, subject: &str) -> String {
    let all = results.cells.iter();
    let cells = || all.clone().filter(|cell| cell.subject() == Some(subject));
    let measured: Vec<_> = cells().filter(|cell| cell.unavailable.is_none()).collect();
    let version = version(results, subject, &measured);
    let version = version.map_or_else(String::new, |version| format!(" ({version})"));
    let facts = Facts::find(subject);
    let known = facts.map_or_else(String::new, |facts| {
        let (language, needs) = (facts.language, facts.needs.words());
        let (no_std, threads) = (facts.no_std.words(), facts.threads.words());
        format!(": {language}, needs {needs}; {no_std}; {threads}")
    });
    let mut card = format!("- **`{subject}`**{version}{known}.\n");
    if let Some(reason) = unavailable(cells()) {
        return card + &format!("  - Not measured: {reason}.\n");
    }
    let has_failed = measured.iter().any(|cell| cell.failure.is_some());
    if subject != BASELINE {
        card += &judged(summary, subject, facts, has_failed);
    }
    card + &format!("  - Faults: {}.\n", faults(&measured))
}

/// How many scenarios failed, and their workloads.
fn faults(cells: &[&Cell]) -> String {
    let all = counted(cells.len(), "scenario");
    let failed = || cells.iter().filter(|cell| cell.failure.is_some());
    let workloads = distinct(failed().map(|cell| format!("`{}`", cell.workload())));
    match failed().count() {
        0 => format!("none in {all}"),
        count => format!("in {count} of {all}: {}", workloads.join(", ")),
    }
}

/// The best and the worst workloads outside of the noise.
fn judged(summary: &Summary, subject: &str, facts: Option<&Facts>, has_failed: bool) -> String {
    let columns = summary.columns.iter().filter_map(|column| {
        let ratio = summary.score(column, subject).ratio()?;
        (!column.is_noise(ratio)).then(|| (column.heading(), ratio))
    });
    let mut columns: Vec<(String, f64)> = columns.collect();
    columns.sort_by(|one, other| one.1.total_cmp(&other.1));
    let shown = |(heading, ratio): &(String, f64)| format!("`{heading}` {}", ratio_text(*ratio));
    let faster = columns.iter().filter(|(_, ratio)| *ratio < 1.0);
    let faster = faster.take(WORKLOADS).map(shown).collect();
    let slower = columns.iter().rev().filter(|(_, ratio)| *ratio > 1.0);
    let limits = facts.into_iter().flat_map(limits).map(str::to_owned);
    let slower: Vec<_> = limits.chain(slower.take(WORKLOADS).map(shown)).collect();
    let lists = [("For", faster, "faster"), ("Not for", slower, "slower")];
    let lines = lists.map(|(heading, list, word)| match list.is_empty() {
        // Of an allocator whose requests fail, the slow workloads may be those without a time.
        true if has_failed => String::new(),
        true => format!(
            "  - {heading}: no workload is {word} than with `{BASELINE}`, beyond the noise.\n"
        ),
        false => format!("  - {heading}: {}.\n", list.join(", ")),
    });
    lines.concat()
}

/// What an allocator can't do at all.
fn limits(facts: &Facts) -> Vec<&'static str> {
    let mut limits = Vec::new();
    match facts.family {
        Family::Region => limits.push("a heap that grows"),
        Family::Arena => limits.push("blocks that are given back one by one"),
        Family::System | Family::Native | Family::Rust | Family::Other => {}
    }
    if facts.threads == Threads::One {
        limits.push("several threads");
    }
    limits
}

/// The library, the version and the licence of a subject in the run of the first of its cells.
fn version(results: &Results, subject: &str, measured: &[&Cell]) -> Option<String> {
    let run = results.runs.get(measured.first()?.run)?;
    if facts::family(subject) == Family::System {
        return Some(run.libc.clone()).filter(|libc| !libc.is_empty());
    }
    let own = run.crates.iter().find(|one| one.subject == subject)?;
    let library = Facts::find(subject).and_then(Facts::library);
    let library = library.map_or_else(String::new, |library| format!("{library}, "));
    let (name, version, licence) = (&own.name, &own.version, &own.licence);
    Some(format!("{library}{name} {version}, {licence}"))
}
