//! The message of a failed assertion, from the requirements that are broken and the figures of the
//! measurement.

use std::fmt;

use alloc_results::{Metric, Ratio};
use counting_alloc::{MeasureError, Mode, Scope, Tally};

use crate::fresh_process;

use super::figures::{AssertedMetric, Figures};
use super::requirements::{Broken, Requirements, Statistic};
use super::steady::{Repeats, Steady};

/// The measured expression, in the words of the test.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Subject<'a> {
    /// The text of the expression, where there is one.
    pub(super) expression: Option<&'a str>,
    /// The part of the window that the requirements are about, if it is not the whole.
    pub(super) part: Option<&'a str>,
    /// The arguments that the test adds.
    pub(super) context: Option<fmt::Arguments<'a>>,
}

/// A measurement that breaks requirements.
pub(super) struct Report<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) requirements: &'a Requirements<'a>,
    /// Those on each repeat first.
    pub(super) broken: Vec<Broken<'a>>,
    pub(super) figures: &'a Figures,
    /// The results of all repeats, if there are several.
    pub(super) repeats: Option<&'a Repeats>,
}

/// A message, which has a label on most lines.
struct Message(String);

impl Message {
    /// Adds one more line.
    fn line(&mut self, label: &str, text: impl fmt::Display) {
        let label = if label.is_empty() {
            ""
        } else {
            &format!("{label}:")
        };
        self.0 += &format!("\n  {label:<18}{text}");
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
        let figures = self.figures;
        let mut message = Message(self.headline());
        message.subject(self.subject);
        if self.requirements.list.len() > self.broken.len() {
            message.line("required", self.requirements.text);
        }
        let lines = self.lines();
        if let Ok(lines @ [_, ..]) = lines.as_deref() {
            // The figures follow.
            message.0 += &format!("\n{}\n", lines.join("\n"));
        }
        if let Some(repeats) = self.repeats {
            add_repeats(&mut message, self.requirements, repeats);
        }
        message.line("counted", figures.tally);
        message.line("figures", all_metrics(figures));
        if let Some(first) = &figures.first {
            message.line("first operations", first);
        } else if self.subject.part.is_none() {
            let how = "not kept by this window; `with_first_operations` keeps them";
            message.line("first operations", how);
        }
        self.add_window(&mut message);
        message.line(
            "build",
            if cfg!(debug_assertions) {
                "debug; a release build can count fewer, because the optimizer removes allocations"
            } else {
                "release; a debug build can count more, because it keeps unused allocations"
            },
        );
        if let Err(reason) = lines {
            message.line("lines", reason);
        }
        message.0
    }

    /// Each requirement that is broken, and what was measured instead.
    fn headline(&self) -> String {
        let shown = |one: &Broken<'_>| format!("expected `{}`, {one}", one.requirement);
        let (each, together): (Vec<_>, Vec<_>) =
            self.broken.iter().partition(|one| one.is_of_each());
        let mut parts: Vec<String> = each.into_iter().map(shown).collect();
        if let (Some(last), Some(repeats)) = (parts.last_mut(), self.repeats) {
            *last += &format!(" in repeat {} of {}", repeats.shown, repeats.steady.repeats);
        }
        parts.extend(together.into_iter().map(shown));
        let what = if self.broken.iter().all(Broken::is_exceeded) {
            "allocation limit exceeded"
        } else {
            "allocations not as expected"
        };
        format!("{what}: {}", parts.join("; "))
    }

    /// The lines of code behind the requirements that are broken, if they are about operations
    /// that have some, or why there are none.
    fn lines(&self) -> Result<Vec<String>, String> {
        let figures = self.figures;
        let broken = self.broken.iter().map(|one| one.requirement.metric);
        let mut broken = broken.filter_map(AssertedMetric::counted);
        let first = broken.next();
        let companion = first.and_then(Metric::companion);
        let mut metrics: Vec<Metric> = Vec::new();
        for metric in first.into_iter().chain(companion).chain(broken) {
            if !metrics.contains(&metric) && metric.value(&figures.reading).is_some() {
                metrics.push(metric);
            }
        }
        let is_nothing = self.repeats.is_none() && figures.tally == Tally::ZERO;
        if metrics.is_empty() || is_nothing {
            Ok(Vec::new())
        } else {
            figures.sites.lines(&metrics)
        }
    }

    /// Adds the scope of the window and the operations outside of it.
    fn add_window(&self, message: &mut Message) {
        let figures = self.figures;
        let is_of_process = figures.scope == Scope::Process;
        let scope = match (is_of_process, figures.polls) {
            (false, 0) => "the calling thread",
            (false, _) => "the polls of a future",
            (true, 0) => "all threads of the process",
            (true, _) => "all threads of the process while a future ran",
        };
        let mode = match figures.mode {
            Mode::Counting => "counts without a peak",
            Mode::ThreadPeak => "counts and the thread's peak",
            Mode::ProcessPeak => "counts and the process's peak",
        };
        message.line("scope", format_args!("{scope}; {mode}"));
        if let Some(uncounted) = figures.uncounted.filter(|tally| *tally != Tally::ZERO) {
            message.line("uncounted", format_args!("{uncounted}, not in the figures"));
        }
        let Some(foreign) = figures.foreign else {
            return;
        };
        let others = match (foreign == Tally::ZERO, is_of_process) {
            (true, _) => String::from("no operations meanwhile"),
            (false, false) => format!("{foreign}, not in the figures"),
            (false, true) => format!("{foreign}, in the figures"),
        };
        message.line("other threads", others);
        if let Some(hint) = self.hint(foreign.allocs) {
            // A fresh process has no other tests.
            let alone = if fresh_process::is_fresh() {
                ""
            } else {
                "; `in_fresh_process` runs a test without others beside it"
            };
            message.line("hint", format_args!("{hint}{alone}"));
        }
    }

    /// A hint for figures that the scope may explain.
    fn hint(&self, foreign: u64) -> Option<&'static str> {
        let tally = self.figures.tally;
        // More work of other threads would not lower what this thread did.
        let is_of_this_thread = |one: &Broken<'_>| {
            one.requirement.metric != AssertedMetric::ForeignAllocs && one.is_exceeded()
        };
        if foreign == 0 {
            None
        } else if self.figures.scope == Scope::Process {
            (foreign >= tally.allocs / 2).then_some(
                "other threads did much of this; `Window::thread()` counts only the calling thread",
            )
        } else if tally == Tally::ZERO {
            Some(
                "this thread did nothing while other threads allocated; `Window::process()` counts \
                 all threads",
            )
        } else if self.broken.iter().all(is_of_this_thread) {
            None
        } else {
            Some(
                "other threads allocated meanwhile; if they worked for this, `Window::process()` \
                 counts them",
            )
        }
    }
}

/// The message of an assertion that failed because nothing was measured.
pub(super) fn not_measured(
    reason: impl fmt::Display,
    requirements: &str,
    subject: Subject<'_>,
) -> String {
    let mut message = Message(format!("allocations were not measured: {reason}"));
    message.subject(subject);
    message.line("required", requirements);
    message.0
}

/// An error, the message of a failed assertion, if threads outlived the window: its counts are not
/// exact.
pub(super) fn not_still_running(
    threads: u64,
    requirements: &str,
    subject: Subject<'_>,
) -> Result<(), String> {
    let threads = match threads {
        0 => return Ok(()),
        1 => String::from("1 thread that began in the window was"),
        several => format!("{several} threads that began in the window were"),
    };
    let reason = format!(
        "{threads} still running a tenth of a second after it, so the counts can be too low; \
         call `join()` inside the window, or start the threads before it"
    );
    Err(not_measured(reason, requirements, subject))
}

/// The message of the error, with the lines that the user has to add.
pub(super) fn error_message(error: MeasureError) -> String {
    if error == MeasureError::NotInstalled {
        return String::from(
            "no allocation was counted: `CountingAlloc` is not the global allocator of this test. \
             Add to its root (tests/NAME.rs, or src/lib.rs with `#[cfg(test)]`):\n    \
             #[global_allocator]\n    \
             static ALLOC: alloc_assert::CountingAlloc = alloc_assert::CountingAlloc::system();\n\
             If a crate of the program has a `#[global_allocator]`, put the counter around that \
             one instead: `CountingAlloc::new(...)`",
        );
    }
    error.to_string()
}

/// Adds the results of all repeats and of the warm-up.
fn add_repeats(message: &mut Message, requirements: &Requirements<'_>, repeats: &Repeats) {
    let Steady {
        repeats: all,
        exceptions,
        warm_up,
        ..
    } = repeats.steady;
    let mut label = "repeats";
    for (requirement, repeated) in requirements.list.iter().zip(&repeats.by_requirement) {
        let how = match repeated.first_broken {
            Some(first) => format!(
                "broken by {} of {all}, first by repeat {first}",
                repeated.broken
            ),
            None if requirement.statistic == Statistic::Each => continue,
            None => String::from("is about all together"),
        };
        let metric = requirement.metric;
        let range = match repeated
            .range
            .map(|(low, high)| (Ratio::whole(low), Ratio::whole(high)))
        {
            Some((low, high)) if low == high => format!("{metric} always {low}"),
            Some((low, high)) => format!("{metric} {low} to {high}"),
            None => format!("{metric} not measured"),
        };
        message.line(label, format_args!("`{requirement}` {how}; {range}"));
        label = "";
    }
    if exceptions > 0 {
        let broken = repeats.broken;
        let text = format!("{broken} of {all} repeats broke a requirement; {exceptions} may");
        message.line("exceptions", text);
    }
    match repeats.cold {
        Some(cold) => {
            let text = format!("{warm_up} calls; the first, cold one: {cold}");
            message.line("warm-up", text);
        }
        None => message.line("warm-up", "none"),
    }
}

/// The values of all metrics.
fn all_metrics(figures: &Figures) -> String {
    let shown = Metric::ALL.map(|metric| match metric.value(&figures.reading) {
        Some(value) => format!("{metric} {}", Ratio::whole(value)),
        None => format!("{metric} not measured"),
    });
    shown.join(", ")
}

/// The text of an expression on one line, cut to about the width of a screen.
fn shortened(expression: &str) -> String {
    const MOST: usize = 120;
    let one_line = if expression.contains('\n') {
        expression.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        expression.to_owned()
    };
    match one_line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} ...", &one_line[..end]),
        None => one_line,
    }
}
