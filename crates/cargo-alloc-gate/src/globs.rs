//! Scenarios that are selected by globs, and the errors about globs that select
//! nothing or too much.

use alloc_gate::rules::Pattern;
use alloc_gate::{counted, nearest};
use alloc_results::BenchId;

use crate::failure::Failure;
use crate::shell::Shell;
use crate::shell_words::quoted;

/// A glob that selects nothing.
pub(crate) struct IdleGlob<'p> {
    pattern: &'p Pattern,
    /// The scenario's name that it may have been meant for.
    meant: Option<String>,
}

/// For each scenario of each bench whether a glob selects it, and the globs that select none.
/// A glob that matches no full name can match `bench/name` or `package/bench/name`.
pub(crate) fn matches<'p>(
    wanted: &'p [Pattern],
    benches: &[(&BenchId, &[String])],
) -> (Vec<Vec<bool>>, Vec<IdleGlob<'p>>) {
    const FORMS: [fn(&BenchId, &str) -> String; 3] = [
        |_, name| name.to_owned(),
        |bench, name| format!("{}/{name}", bench.target),
        |bench, name| format!("{bench}/{name}"),
    ];
    let matched_by = |pattern: &Pattern, form: fn(&BenchId, &str) -> String| -> Vec<Vec<bool>> {
        let benches = benches.iter();
        let matched = benches.map(|(bench, names)| {
            let names = names.iter().map(|name| pattern.matches(&form(bench, name)));
            names.collect()
        });
        matched.collect()
    };
    let none: Vec<Vec<bool>> = benches
        .iter()
        .map(|(_, names)| vec![false; names.len()])
        .collect();
    let mut selected = none.clone();
    let mut idle = Vec::new();
    for pattern in wanted {
        let mut forms = FORMS.into_iter().map(|form| matched_by(pattern, form));
        let Some(matched) = forms.find(|matched| *matched != none) else {
            let names = benches.iter().flat_map(|(_, names)| *names);
            let meant = nearest(&pattern.text().replace('*', ""), names.map(String::as_str));
            idle.push(IdleGlob {
                pattern,
                meant: meant.map(str::to_owned),
            });
            continue;
        };
        for (selected, matched) in selected.iter_mut().flatten().zip(matched.iter().flatten()) {
            *selected |= matched;
        }
    }
    (selected, idle)
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
