//! Scenarios that are selected by globs, and the errors about globs that select
//! nothing or too much.

use std::collections::BTreeSet;

use alloc_gate::rules::Pattern;
use alloc_gate::{ScenarioId, counted, nearest};
use alloc_results::BenchId;

use crate::failure::Failure;
use crate::shell::{Shell, quoted};

/// A glob that selects nothing.
pub(crate) struct IdleGlob<'p> {
    pattern: &'p Pattern,
    /// The scenario's name that it may have been meant for.
    meant: Option<String>,
}

/// The scenarios that a glob selects, and the globs that select none. A glob that matches no full
/// name can match `bench/name` or `package/bench/name`.
pub(crate) fn matches<'p>(
    wanted: &'p [Pattern],
    all: &[ScenarioId],
) -> (BTreeSet<ScenarioId>, Vec<IdleGlob<'p>>) {
    const FORMS: [fn(&ScenarioId) -> String; 3] = [
        |id| id.name.clone(),
        |id| format!("{}/{}", id.bench.target, id.name),
        |id| format!("{}/{}", id.bench, id.name),
    ];
    let mut selected = BTreeSet::new();
    let mut idle = Vec::new();
    for pattern in wanted {
        let matched_by = |form: fn(&ScenarioId) -> String| -> Vec<&ScenarioId> {
            let matched = all.iter().filter(|id| pattern.matches(&form(id)));
            matched.collect()
        };
        let mut forms = FORMS.into_iter().map(matched_by);
        if let Some(matched) = forms.find(|matched| !matched.is_empty()) {
            selected.extend(matched.into_iter().cloned());
        } else {
            let names = all.iter().map(|id| &*id.name);
            let meant = nearest(&pattern.text().replace('*', ""), names);
            idle.push(IdleGlob {
                pattern,
                meant: meant.map(str::to_owned),
            });
        }
    }
    (selected, idle)
}

/// Scenarios of a bench by their names.
pub(crate) fn ids(bench: &BenchId, names: &[String]) -> impl Iterator<Item = ScenarioId> {
    names
        .iter()
        .map(move |name| ScenarioId::from((bench, &**name)))
}

/// The error for an option whose globs select nothing.
pub(crate) fn nothing_selected(option: &str, idle: &[IdleGlob<'_>]) -> Failure {
    let globs: Vec<&str> = idle.iter().map(|glob| glob.pattern.text()).collect();
    let failure =
        Failure::nothing_selected(format!("{option} {} matches no scenario", globs.join(" ")));
    match idle {
        [only] => failure.help(advice(option, only)),
        _ => failure.help(NAMES),
    }
}

/// Warns of globs that select nothing beside others that do.
pub(crate) fn warn_of_idle(idle: &[IdleGlob<'_>], shell: &Shell) {
    for glob in idle {
        let text = glob.pattern.text();
        let what = format!("--scenarios {text} matches no scenario");
        shell.warning(&what, &advice("--scenarios", glob));
    }
}

fn advice(option: &str, glob: &IdleGlob<'_>) -> String {
    let text = glob.pattern.text();
    if let Some(meant) = &glob.meant {
        return format!("{NAMES}; did you mean `{meant}`?");
    }
    if text.contains(['*', '/']) {
        return NAMES.to_owned();
    }
    let part = quoted([format!("*{text}*")]);
    format!("{NAMES}; {option} {part} selects by a part of the name")
}

const NAMES: &str = "a glob must match the whole name; `cargo alloc-gate list` prints the names";

/// The most bytes of names that a bench is started with. Every system allows longer
/// command lines.
const MAX_NAMES: usize = if cfg!(windows) { 24 << 10 } else { 512 << 10 };

/// Refuses names that don't fit on one command line: a bench measures all of them in
/// one process.
pub(crate) fn refuse_too_many(bench: &BenchId, only: &[String]) -> Result<(), Failure> {
    // On Windows each has quotes and a space.
    let bytes: usize = only.iter().map(|name| name.len() + 3).sum();
    if bytes <= MAX_NAMES {
        return Ok(());
    }
    Err(Failure::nothing_selected(format!(
        "{} of {} are too many to be selected by name: a command line has room for {} KiB \
         of names, and these take {} KiB",
        counted(only.len(), "scenario"),
        bench,
        MAX_NAMES >> 10,
        bytes.div_ceil(1 << 10),
    ))
    .help("select fewer scenarios, or all, which needs no names"))
}
