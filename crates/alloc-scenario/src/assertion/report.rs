//! [`Report`]: the message of a failed assertion, from the requirements and the
//! figures of the measurement.

use std::fmt;

use alloc_requirement::Number;
use alloc_results::{Metric, Reading, ReadingPart};
use counting_alloc::{MeasureError, Mode, Scope, Tally};

use super::figures::Figures;
use super::repeats::Repeats;
use super::requirements::{Requirement, Requirements};

/// The measured expression, in the words of the test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    /// The text of the expression, where there is one.
    pub(super) expression: Option<&'a str>,
    /// The arguments that the test adds.
    pub(super) context: Option<fmt::Arguments<'a>>,
}

impl Subject<'_> {
    pub(super) const NONE: Self = Self {
        expression: None,
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
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = self.figures;
        let is_exceeded = |requirement: &Requirement| requirement.is_exceeded(&figures.reading);
        let mut all_broken = self.requirements.broken(&figures.reading);
        f.write_str(if all_broken.all(is_exceeded) {
            "allocation limit exceeded: "
        } else {
            "allocations not as expected: "
        })?;
        let mut broken = 0;
        for requirement in self.requirements.broken(&figures.reading) {
            let separator = if broken == 0 { "" } else { "; " };
            write!(f, "{separator}expected `{requirement}`, ")?;
            match requirement.metric.value(&figures.reading) {
                Some(value) => write!(f, "got {}", Number::from(value))?,
                None => f.write_str("which was not measured")?,
            }
            broken += 1;
        }
        if let Some(repeats) = self.repeats {
            write!(
                f,
                " in repeat {} of {}",
                repeats.first_broken, repeats.repeats
            )?;
        }
        self.subject.fmt(f)?;
        if self.requirements.list.len() > broken {
            line(f, "required", self.requirements.text)?;
        }
        if let Some(repeats) = self.repeats {
            repeats_lines(f, self.requirements, repeats)?;
        }
        line(f, "counted", figures.tally)?;
        line(f, "figures", all_metrics(&figures.reading))?;
        match &figures.first {
            Some(first) => line(f, "first operations", first)?,
            None => line(
                f,
                "first operations",
                "not kept by this window; `with_first_operations` keeps them",
            )?,
        }
        window_lines(f, figures)?;
        let build = if cfg!(debug_assertions) {
            "debug; a release build can count fewer, because the optimizer removes allocations"
        } else {
            "release; a debug build can count more, because it keeps unused allocations"
        };
        line(f, "build", build)
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

/// The message of the error, with the names of this crate.
pub(super) fn error_message(error: MeasureError) -> String {
    if error == MeasureError::NotInstalled {
        return String::from(
            "no allocation was counted: `CountingAlloc` is not the global allocator of this test. \
             Add to its root (tests/NAME.rs, or src/lib.rs with `#[cfg(test)]`):\n    \
             #[global_allocator]\n    \
             static ALLOC: alloc_scenario::CountingAlloc = \
             alloc_scenario::CountingAlloc::system();",
        );
    }
    error.to_string()
}

impl fmt::Display for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(expression) = self.expression {
            line(f, "expression", shortened(expression))?;
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
fn window_lines(f: &mut fmt::Formatter<'_>, figures: &Figures) -> fmt::Result {
    let scope = match figures.scope {
        Scope::Thread => "the calling thread",
        Scope::Process => "all threads of the process",
    };
    let mode = match figures.mode {
        Mode::Counting => "counts without a peak",
        Mode::ThreadPeak => "counts and the thread's peak",
        Mode::ProcessPeak => "counts and the process's peak",
    };
    line(f, "scope", format_args!("{scope}; {mode}"))?;
    if figures.joined > 0 {
        line(
            f,
            "joined",
            format_args!("{} calls on other threads, in the figures", figures.joined),
        )?;
    }
    if figures.uncounted != Tally::ZERO {
        line(
            f,
            "uncounted",
            format_args!("{}, not in the figures", figures.uncounted),
        )?;
    }
    let foreign = figures.foreign;
    let others = match (foreign == Tally::ZERO, figures.scope) {
        (true, _) => String::from("no operations meanwhile"),
        (false, Scope::Thread) => format!("{foreign}, not in the figures"),
        (false, Scope::Process) => format!("{foreign}, in the figures"),
    };
    line(f, "other threads", others)?;
    match hint(figures) {
        Some(hint) => line(f, "hint", hint),
        None => Ok(()),
    }
}

/// A hint for figures that the scope may explain.
fn hint(figures: &Figures) -> Option<&'static str> {
    let foreign = figures.foreign.alloc_calls();
    match figures.scope {
        Scope::Thread if figures.tally == Tally::ZERO && foreign > 0 => Some(
            "this thread did nothing while other threads allocated; `measure_joined` counts \
             threads that join in, `Window::process()` all threads (in `in_fresh_process`)",
        ),
        Scope::Process if foreign > 0 && foreign >= figures.tally.alloc_calls() / 2 => Some(
            "other threads did much of this, perhaps other tests; `in_fresh_process` runs a test \
             alone, `Window::thread()` counts only the calling thread",
        ),
        Scope::Thread | Scope::Process => None,
    }
}

/// Writes the results of all repeats and of the warm-up.
fn repeats_lines(
    f: &mut fmt::Formatter<'_>,
    requirements: &Requirements<'_>,
    repeats: &Repeats,
) -> fmt::Result {
    let mut first = true;
    for (requirement, repeated) in requirements.list.iter().zip(&repeats.by_requirement) {
        let Some(first_broken) = repeated.first_broken else {
            continue;
        };
        let metric = requirement.metric;
        let range = match repeated.range {
            Some((low, high)) if low == high => format!("{metric} always {}", Number::from(low)),
            Some((low, high)) => {
                format!("{metric} {} to {}", Number::from(low), Number::from(high))
            }
            None => format!("{metric} not measured"),
        };
        let text = format!(
            "`{requirement}` broken by {} of {}, first by repeat {first_broken}; {range}",
            repeated.broken, repeats.repeats
        );
        if first {
            line(f, "repeats", text)?;
            first = false;
        } else {
            further_line(f, text)?;
        }
    }
    match repeats.cold {
        Some(cold) => {
            let calls = repeats.warm_up;
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
fn all_metrics(reading: &Reading) -> String {
    let shown = Metric::ALL.into_iter().filter_map(|metric| {
        let value = metric.value(reading).map(Number::from);
        match (value, metric.part()) {
            (Some(value), _) => Some(format!("{metric} {value}")),
            // Without the feature they are never measured.
            (None, ReadingPart::Native) => None,
            (None, ReadingPart::Counts | ReadingPart::Peak) => {
                Some(format!("{metric} not measured"))
            }
        }
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
