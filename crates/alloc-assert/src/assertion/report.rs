//! The message of a failed assertion, from the requirements that are broken and the counts of the
//! measurement.

use std::fmt;

use alloc_results::{Metric, Ratio, Reading};
use counting_alloc::{MeasureError, Scope, Tally};

use crate::fresh_process;

use super::measurement::{AssertedMetric, Measurement};
use super::requirements::{Broken, Statistic};
use super::steady::Repeats;

/// The measured expression, in the words of the test.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Subject<'a> {
    /// The text of the expression, where there is one.
    pub(super) expression: Option<&'a str>,
    /// The part of the window that the requirements apply to, if it is not the whole.
    pub(super) part: Option<&'a str>,
    /// The arguments that the test adds.
    pub(super) context: Option<fmt::Arguments<'a>>,
}

/// A measurement that breaks requirements.
pub(super) struct Report<'a> {
    pub(super) subject: Subject<'a>,
    /// Those on each repeat first.
    pub(super) broken: Vec<Broken<'a>>,
    pub(super) measurement: &'a Measurement,
    /// The results of all repeats, if there are several.
    pub(super) repeats: Option<&'a Repeats<'a>>,
}

/// A message, which has a label on most lines.
struct Message(String);

impl Message {
    /// Adds one more line.
    fn line(&mut self, label: &str, text: impl fmt::Display) {
        let colon = if label.is_empty() { "" } else { ":" };
        self.0 += &format!("\n  {:<18}{text}", format!("{label}{colon}"));
    }

    fn subject(&mut self, subject: Subject<'_>) {
        if let Some(expression) = subject.expression {
            self.line("expression", shortened(expression));
        }
        if let Some(part) = subject.part {
            self.line("part", part);
        }
        if let Some(context) = subject.context {
            self.line("context", context);
        }
    }
}

impl Report<'_> {
    pub(super) fn message(&self) -> String {
        let measurement = self.measurement;
        let mut message = Message(self.headline());
        message.subject(self.subject);
        let lines = self.lines();
        if let Ok(lines @ [_, ..]) = lines.as_deref() {
            // More lines follow.
            message.0 += &format!("\n{}\n", lines.join("\n"));
        }
        if let Some(repeats) = self.repeats {
            add_repeats(&mut message, repeats);
        }
        // Otherwise only the mean or the total of all repeats is wrong.
        if self.broken.iter().any(Broken::is_of_each) {
            let others = counts(&measurement.reading, |metric| !self.has_shown(metric));
            if !others.is_empty() {
                message.line("other counts", others);
            }
            if let Some(first) = &measurement.first {
                message.line("first operations", shortened(&first.to_string()));
            } else if self.subject.part.is_none() {
                message.line(
                    "first operations",
                    "a window `.with_first_operations()` has them",
                );
            }
        }
        self.add_window(&mut message);
        if let Err(reason) = lines {
            message.line("lines", reason);
        }
        message.0
    }

    /// Each requirement that is broken, and what was measured instead.
    fn headline(&self) -> String {
        let shown = |(index, one): (usize, &Broken<'_>)| {
            let mut text = format!("expected `{}`, {one}", one.requirement);
            let reallocs = self.measurement.reading.counts.reallocs;
            if one.is_of_each_alloc() && reallocs > 0 {
                text += &format!(" ({} by `realloc`)", Ratio::whole(reallocs.into()));
            }
            if let (0, true, Some(repeats)) = (index, one.is_of_each(), self.repeats) {
                let (shown, all) = (repeats.shown, repeats.steady.repeats);
                text += &format!(" in repeat {shown} of {all}");
                if shown == 1 && repeats.steady.warm_up == 0 {
                    text += ", the first call";
                }
            }
            text
        };
        let broken: Vec<_> = self.broken.iter().enumerate().map(shown).collect();
        let title = "assertion failed: ";
        format!(
            "{title}{}",
            broken.join(&format!("\n{:1$}", "", title.len()))
        )
    }

    /// Whether the first lines have the value of a metric.
    fn has_shown(&self, metric: Metric) -> bool {
        self.broken.iter().any(|one| {
            one.is_of_each() && one.requirement.metric == AssertedMetric::Counted(metric)
                || one.is_of_each_alloc() && metric == Metric::Reallocs
        })
    }

    /// The lines of code behind the requirements that are broken, if they count operations
    /// that have some, or why there are none.
    fn lines(&self) -> Result<Vec<String>, String> {
        let measurement = self.measurement;
        let broken = self.broken.iter().map(|one| one.requirement.metric);
        let mut broken = broken.filter_map(AssertedMetric::counted);
        let first = broken.next();
        let companion = first.and_then(Metric::companion);
        let mut metrics: Vec<Metric> = Vec::new();
        for metric in first.into_iter().chain(companion).chain(broken) {
            if !metrics.contains(&metric) && metric.value(&measurement.reading).is_some() {
                metrics.push(metric);
            }
        }
        let is_nothing = self.repeats.is_none() && measurement.reading.counts == Tally::ZERO;
        if metrics.is_empty() || is_nothing {
            Ok(Vec::new())
        } else {
            measurement.sites.lines(&metrics)
        }
    }

    /// Adds the operations that the window does not count, or counts of other threads.
    fn add_window(&self, message: &mut Message) {
        let all = |tally| counts(&Reading::new(tally, None), |_| true);
        let measurement = self.measurement;
        if measurement.uncounted != Tally::ZERO {
            message.line("uncounted", all(measurement.uncounted));
        }
        let Some(foreign) = measurement.foreign.filter(|tally| *tally != Tally::ZERO) else {
            return;
        };
        // More work of other threads would not lower what this thread did.
        let is_of_this_thread = |one: &Broken<'_>| {
            one.requirement.metric != AssertedMetric::ForeignAllocs && one.is_exceeded()
        };
        let (included, hint) = match measurement.scope {
            Scope::Process => ("included", "`Window::thread()` leaves them out"),
            Scope::Thread if self.broken.iter().all(is_of_this_thread) => return,
            Scope::Thread => ("not included", "`Window::process()` includes them"),
        };
        message.line(
            "other threads",
            format_args!("{} ({included})", all(foreign)),
        );
        // A fresh process has no other tests.
        let alone = if fresh_process::is_fresh() {
            ""
        } else {
            "; `in_fresh_process` runs a test alone"
        };
        message.line("", format_args!("{hint}{alone}"));
    }
}

/// The message of an assertion that failed because nothing was measured. What to do about it is on
/// lines of its own.
pub(super) fn not_measured(reason: impl fmt::Display, subject: Subject<'_>) -> String {
    let reason = reason.to_string().replace("; ", "\n  ");
    let mut message = Message(format!("allocations were not measured: {reason}"));
    message.subject(subject);
    message.0
}

/// An error, the message of a failed assertion, if threads outlived the window: its counts are not
/// exact.
pub(super) fn not_still_running(threads: u64, subject: Subject<'_>) -> Result<(), String> {
    let threads = match threads {
        0 => return Ok(()),
        1 => String::from("1 thread of the window still runs"),
        several => format!("{several} threads of the window still run"),
    };
    let reason =
        format!("{threads}; call `join()` inside the window, or start the threads before it");
    Err(not_measured(reason, subject))
}

/// The error, with the lines that the user has to add.
pub(super) fn error_message(error: MeasureError) -> String {
    if error == MeasureError::NotInstalled {
        return String::from(
            "`CountingAlloc` is not the global allocator of this test\n  \
             add to its root (tests/NAME.rs, or src/lib.rs with `#[cfg(test)]`):\n    \
             #[global_allocator]\n    \
             static ALLOC: alloc_assert::CountingAlloc = alloc_assert::CountingAlloc::system();\n  \
             if the program has a `#[global_allocator]`, put the counter around it: \
             `CountingAlloc::new(...)`",
        );
    }
    error.to_string()
}

/// Adds the results of all repeats.
fn add_repeats(message: &mut Message, repeats: &Repeats<'_>) {
    let steady = repeats.steady;
    let mut rows = Vec::new();
    for (requirement, repeated) in repeats.requirements.iter().zip(&repeats.by_requirement) {
        let (metric, broken) = (requirement.metric, repeated.broken);
        let Some((low, high)) = repeated.range else {
            continue;
        };
        let mut row = match (Ratio::whole(low), Ratio::whole(high)) {
            (low, high) if low == high => format!("{metric} always {low}"),
            (low, high) => format!("{metric} {low} to {high}"),
        };
        match repeated.first_broken {
            Some(first) => {
                row += &format!("; `{requirement}` fails in {broken} of {}", steady.repeats);
                if first != repeats.shown {
                    row += &format!(", first in repeat {first}");
                }
            }
            None if requirement.statistic == Statistic::Each => continue,
            None => {}
        }
        if !rows.contains(&row) {
            message.line(if rows.is_empty() { "repeats" } else { "" }, &row);
            rows.push(row);
        }
    }
    if steady.exceptions > 0 {
        let (allowed, needed) = (steady.exceptions, repeats.broken);
        message.line(
            "exceptions",
            format_args!("{allowed} allowed, {needed} needed"),
        );
    }
}

/// The counts that are not 0.
fn counts(reading: &Reading, is_shown: impl Fn(Metric) -> bool) -> String {
    let shown = Metric::ALL.into_iter().filter(|metric| is_shown(*metric));
    let shown = shown.filter_map(|metric| {
        let value = metric.value(reading).filter(|value| *value != 0)?;
        Some(format!("{metric} {}", Ratio::whole(value)))
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// A text on one line, cut to the width of a screen.
fn shortened(text: &str) -> String {
    const MOST: usize = 76;
    let one_line = if text.contains('\n') {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        text.to_owned()
    };
    match one_line.char_indices().nth(MOST) {
        Some((end, _)) => {
            let cut = &one_line[..end];
            let end = cut.rfind(", ").map_or(end, |comma| comma + 1);
            format!("{} ...", &cut[..end])
        }
        None => one_line,
    }
}
