//! [`Report`]: the message of a failed assertion, from the requirements and the
//! figures of the measurement.

use std::fmt;

use alloc_results::{Metric, Ratio};
use counting_alloc::{MeasureError, Mode, Scope, Tally};

use crate::fresh_process;
use crate::sites::Captured;

use super::figures::{AssertedMetric, Figures};
use super::requirements::{Requirement, Requirements, Statistic};
use super::steady::Repeats;

/// The measured expression, in the words of the test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    /// The text of the expression, where there is one.
    pub(super) expression: Option<&'a str>,
    /// The part of the window that the requirements are about, if it is not the whole.
    pub(super) part: Option<&'a str>,
    /// The arguments that the test adds.
    pub(super) context: Option<fmt::Arguments<'a>>,
}

impl Subject<'_> {
    pub(super) const NONE: Self = Self {
        expression: None,
        part: None,
        context: None,
    };
}

/// A measurement that breaks a requirement.
pub(super) struct Report<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) requirements: &'a Requirements<'a>,
    pub(super) figures: &'a Figures,
    /// The results of all repeats, if there are several.
    pub(super) repeats: Option<&'a Repeats>,
    /// The call stacks of the shown figures, or of all repeats if only requirements on them
    /// together are broken.
    pub(super) sites: &'a Captured,
}

impl Report<'_> {
    /// The requirements on each repeat that the shown figures break, unless that is an
    /// exception that is allowed.
    fn broken(&self) -> impl Iterator<Item = &Requirement> {
        let is_allowed = |repeats: &Repeats| repeats.broken <= repeats.steady.exceptions;
        let counts = !self.repeats.is_some_and(is_allowed);
        let broken = self.requirements.broken(self.figures);
        broken.filter(move |_| counts)
    }

    /// The requirements on all repeats together that are broken, with their sums.
    fn broken_together(&self) -> impl Iterator<Item = (&Requirement, Option<i128>)> {
        let repeats = self.repeats.into_iter();
        repeats.flat_map(|repeats| repeats.broken_together(self.requirements))
    }

    /// Whether all requirements that are broken are upper limits.
    fn is_exceeded(&self) -> bool {
        self.broken().all(|one| one.is_exceeded(self.figures))
            && self
                .broken_together()
                .all(|(one, sum)| one.is_upper() && sum.is_some())
    }

    /// The lines of code behind the requirements that are broken, if they are about operations
    /// that have some, or why there are none.
    fn lines(&self) -> Result<Vec<String>, String> {
        let together = self.broken_together().map(|(requirement, _)| requirement);
        let broken = self.broken().chain(together);
        let mut broken = broken.filter_map(|requirement| match requirement.metric {
            AssertedMetric::Counted(metric) => Some(metric),
            AssertedMetric::ForeignAllocs => None,
        });
        let first = broken.next();
        let companion = first.and_then(Metric::companion);
        let mut metrics: Vec<Metric> = Vec::new();
        for metric in first.into_iter().chain(companion).chain(broken) {
            if !metrics.contains(&metric) && metric.value(&self.figures.reading).is_some() {
                metrics.push(metric);
            }
        }
        let is_nothing = self.repeats.is_none() && self.figures.tally == Tally::ZERO;
        if metrics.is_empty() || is_nothing {
            Ok(Vec::new())
        } else {
            self.sites.lines(&metrics)
        }
    }

    /// Writes each requirement that is broken, and what was measured instead.
    fn headline(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = self.figures;
        f.write_str(if self.is_exceeded() {
            "allocation limit exceeded: "
        } else {
            "allocations not as expected: "
        })?;
        let mut broken = 0;
        for requirement in self.broken() {
            let separator = if broken == 0 { "" } else { "; " };
            write!(f, "{separator}expected `{requirement}`, ")?;
            match requirement.metric.value(figures) {
                Some(value) => write!(f, "got {}", Ratio::whole(value))?,
                None => f.write_str("which was not measured")?,
            }
            broken += 1;
        }
        if let Some(repeats) = self.repeats {
            if broken > 0 {
                write!(
                    f,
                    " in repeat {} of {}",
                    repeats.shown, repeats.steady.repeats
                )?;
            }
            for (requirement, sum) in self.broken_together() {
                let separator = if broken == 0 { "" } else { "; " };
                write!(f, "{separator}expected `{requirement}`, ")?;
                together(f, requirement, sum, repeats.steady.repeats)?;
                broken += 1;
            }
        }
        Ok(())
    }

    /// Whether all limits that were broken are below what the window's own threads did.
    fn all_exceeded_on_this_thread(&self) -> bool {
        self.broken()
            .all(|one| one.metric != AssertedMetric::ForeignAllocs && one.is_exceeded(self.figures))
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = self.figures;
        self.headline(f)?;
        self.subject.fmt(f)?;
        let together = self.broken_together().count();
        if self.requirements.list.len() > self.broken().count() + together {
            line(f, "required", self.requirements.text)?;
        }
        let lines = self.lines();
        if let Ok(lines @ [_, ..]) = lines.as_deref() {
            lines.iter().try_for_each(|text| write!(f, "\n{text}"))?;
            // The figures follow.
            f.write_str("\n")?;
        }
        if let Some(repeats) = self.repeats {
            repeats_lines(f, self.requirements, repeats)?;
        }
        line(f, "counted", figures.tally)?;
        line(f, "figures", all_metrics(figures))?;
        match &figures.first {
            Some(first) => line(f, "first operations", first)?,
            None if self.subject.part.is_some() => {}
            None => line(
                f,
                "first operations",
                "not kept by this window; `with_first_operations` keeps them",
            )?,
        }
        window_lines(f, self)?;
        let build = if cfg!(debug_assertions) {
            "debug; a release build can count fewer, because the optimizer removes allocations"
        } else {
            "release; a debug build can count more, because it keeps unused allocations"
        };
        line(f, "build", build)?;
        match lines {
            Ok(_) => Ok(()),
            Err(reason) => line(f, "lines", reason),
        }
    }
}

/// Writes what was measured in all repeats together.
fn together(
    f: &mut fmt::Formatter<'_>,
    requirement: &Requirement,
    sum: Option<i128>,
    repeats: u64,
) -> fmt::Result {
    let Some(sum) = sum else {
        return f.write_str("which was not measured");
    };
    let total = Ratio::whole(sum);
    if requirement.statistic == Statistic::Mean {
        // Only shown; the exact sum stands beside it.
        let mean = sum as f64 / repeats as f64;
        write!(f, "got {mean:.2}: {total} in {repeats} repeats")
    } else {
        write!(f, "got {total} in {repeats} repeats")
    }
}

/// The message of an assertion that failed because nothing was measured.
pub(super) fn not_measured(
    reason: impl fmt::Display,
    requirements: &str,
    subject: Subject<'_>,
) -> String {
    let label = "required:";
    format!("allocations were not measured: {reason}{subject}\n  {label:<18}{requirements}")
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

impl fmt::Display for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(expression) = self.expression {
            line(f, "expression", shortened(expression))?;
        }
        if let Some(part) = self.part {
            line(f, "part", part)?;
        }
        match self.context {
            Some(context) => line(f, "context", context),
            None => Ok(()),
        }
    }
}

/// Writes one more line with a label.
fn line(f: &mut fmt::Formatter<'_>, label: &str, text: impl fmt::Display) -> fmt::Result {
    write!(f, "\n  {:<18}{text}", format!("{label}:"))
}

/// Writes a line that continues the one above.
fn further_line(f: &mut fmt::Formatter<'_>, text: impl fmt::Display) -> fmt::Result {
    write!(f, "\n  {:<18}{text}", "")
}

/// Writes the scope of the window and the operations outside of it.
fn window_lines(f: &mut fmt::Formatter<'_>, report: &Report<'_>) -> fmt::Result {
    let figures = report.figures;
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
    line(f, "scope", format_args!("{scope}; {mode}"))?;
    if let Some(uncounted) = figures.uncounted.filter(|tally| *tally != Tally::ZERO) {
        line(
            f,
            "uncounted",
            format_args!("{uncounted}, not in the figures"),
        )?;
    }
    let Some(foreign) = figures.foreign else {
        return Ok(());
    };
    let others = match (foreign == Tally::ZERO, is_of_process) {
        (true, _) => String::from("no operations meanwhile"),
        (false, false) => format!("{foreign}, not in the figures"),
        (false, true) => format!("{foreign}, in the figures"),
    };
    line(f, "other threads", others)?;
    match hint(report) {
        Some(hint) => line(f, "hint", hint),
        None => Ok(()),
    }
}

/// A hint for figures that the scope may explain.
fn hint(report: &Report<'_>) -> Option<String> {
    let figures = report.figures;
    let foreign = figures.foreign?.allocs;
    // More work of other threads would not lower what this thread did.
    let is_of_this_thread = report.all_exceeded_on_this_thread();
    let what = if foreign == 0 {
        return None;
    } else if figures.scope == Scope::Process {
        if foreign < figures.tally.allocs / 2 {
            return None;
        }
        "other threads did much of this; `Window::thread()` counts only the calling thread"
    } else if figures.tally == Tally::ZERO {
        "this thread did nothing while other threads allocated; `Window::process()` counts all \
         threads"
    } else if is_of_this_thread {
        return None;
    } else {
        "other threads allocated meanwhile; if they worked for this, `Window::process()` counts \
         them"
    };
    // A fresh process has no other tests.
    let alone = if fresh_process::is_fresh() {
        ""
    } else {
        "; `in_fresh_process` runs a test without others beside it"
    };
    Some(format!("{what}{alone}"))
}

/// Writes the results of all repeats and of the warm-up.
fn repeats_lines(
    f: &mut fmt::Formatter<'_>,
    requirements: &Requirements<'_>,
    repeats: &Repeats,
) -> fmt::Result {
    let mut first = true;
    for (requirement, repeated) in requirements.list.iter().zip(&repeats.by_requirement) {
        let how = match repeated.first_broken {
            Some(first_broken) => format!(
                "broken by {} of {}, first by repeat {first_broken}",
                repeated.broken, repeats.steady.repeats
            ),
            None if requirement.statistic == Statistic::Each => continue,
            None => String::from("is about all together"),
        };
        let metric = requirement.metric;
        let range = match repeated.range {
            Some((low, high)) if low == high => format!("{metric} always {}", Ratio::whole(low)),
            Some((low, high)) => {
                format!("{metric} {} to {}", Ratio::whole(low), Ratio::whole(high))
            }
            None => format!("{metric} not measured"),
        };
        let text = format!("`{requirement}` {how}; {range}");
        if first {
            line(f, "repeats", text)?;
            first = false;
        } else {
            further_line(f, text)?;
        }
    }
    if repeats.steady.exceptions > 0 {
        line(
            f,
            "exceptions",
            format_args!(
                "{} of {} repeats broke a requirement; {} may",
                repeats.broken, repeats.steady.repeats, repeats.steady.exceptions
            ),
        )?;
    }
    match repeats.cold {
        Some(cold) => {
            let calls = repeats.steady.warm_up;
            line(
                f,
                "warm-up",
                format_args!("{calls} calls; the first, cold one: {cold}"),
            )
        }
        None => line(f, "warm-up", "none"),
    }
}

/// The values of all metrics.
fn all_metrics(figures: &Figures) -> String {
    let reading = &figures.reading;
    let shown =
        Metric::ALL
            .into_iter()
            .map(|metric| match metric.value(reading).map(Ratio::whole) {
                Some(value) => format!("{metric} {value}"),
                None => format!("{metric} not measured"),
            });
    shown.collect::<Vec<_>>().join(", ")
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
