//! Which allocator for which program: ten answers, each by a rule.
//!
//! A mean over several workloads has the best and the worst of them behind it. An answer names the allocator with the best figure, and all that differ from it by no more
//! than both measurements of `system` do. Only allocators with all figures of a rule take
//! part, and none whose requests failed. Answers for any program name only what cargo builds on
//! stable Rust.

use super::field::{Best, Field};
use crate::facts::{Facts, Family, Needs, NoStd};
use crate::pictures::memory::MemoryMeasure;
use crate::results::{Cell, Results};
use crate::summary::{BASELINE, Column, Summary, times};

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The kind of a program.
    pub program: &'static str,
    /// The allocators with their figures, or that the cells of the rule were not measured.
    pub text: String,
}

/// The text of an answer whose rule has no cells.
const NOT_MEASURED: &str = "not measured";

/// So many names stand in an answer; the rest is a number.
const NAMES: usize = 4;

/// The workloads whose first call shows what a short program pays.
const COLD: [&str; 3] = ["batch", "frame", "phases"];

/// All answers.
#[must_use]
pub fn answers(results: &Results, summary: &Summary) -> Vec<Answer> {
    let one_thread = Field::times(summary, |column| !column.has_threads);
    let threads = Field::times(summary, |column| column.has_threads);
    let workload =
        |name: &'static str| Field::times(summary, move |column: &Column| column.workload == name);
    let memory = Memory::new(results);
    let text = |best: Option<Best>, of: &str| match best {
        Some(best) => sentence(&best, &format!(" of `{BASELINE}`'s time{of}"), times),
        None => NOT_MEASURED.to_owned(),
    };
    let answer = |program, text| Answer { program, text };
    let any = one_thread.best(is_general);
    let server = threads.best(is_general);
    let frame = workload("frame");
    let rust = |facts: &Facts| facts.family == Family::Rust && facts.needs == Needs::Nothing;
    vec![
        answer(
            "Any program, on one thread",
            text(any.clone(), ", mean of all workloads") + &memory.of(any.as_ref()),
        ),
        answer(
            "A server, on several threads",
            text(server.clone(), ", mean of the workloads with threads")
                + &memory.of(server.as_ref()),
        ),
        answer(
            "A pipeline, whose blocks another thread gives back",
            text(workload("handover").best(is_general), " in `handover`"),
        ),
        answer(
            "A frame loop, which gives all blocks back at once",
            two(
                text(frame.best(|_| true), " in `frame`"),
                "where blocks go one by one",
                text(frame.best(|facts| facts.family != Family::Arena), ""),
            ),
        ),
        answer(
            "Vectors and strings that grow",
            text(workload("realloc").best(is_general), " in `realloc`"),
        ),
        answer("No call may be slow", tails(results)),
        answer("A short program or a build tool", short_program(results)),
        answer(
            "No C compiler",
            two(
                text(
                    one_thread.best(rust),
                    ", mean of all workloads on one thread",
                ),
                "on several threads",
                text(threads.best(rust), ""),
            ),
        ),
        answer(
            "An embedded program, without std",
            text(
                one_thread.best(is_embedded),
                ", mean of all workloads on one thread",
            ),
        ),
        answer("A small heap of a fixed size", fixed_heap(results)),
    ]
}

/// The answers as a list of Markdown.
#[must_use]
pub fn markdown(answers: &[Answer]) -> String {
    let lines = answers
        .iter()
        .map(|Answer { program, text }| format!("- **{program}**: {text}.\n"));
    lines.collect()
}

/// For any program, and built by cargo on stable Rust.
fn is_general(facts: &Facts) -> bool {
    matches!(facts.family, Family::System | Family::Native | Family::Rust)
        && matches!(facts.needs, Needs::Nothing | Needs::C | Needs::Cpp)
}

/// Without an operating system, in memory that the program has.
fn is_embedded(facts: &Facts) -> bool {
    facts.no_std == NoStd::Alone
}

/// The winners with their figures: "`a` (0.25x of ..)", "`a` (0.25x) and `b` (0.26x) ...".
fn sentence(best: &Best, unit: &str, show: impl Fn(f64) -> String) -> String {
    let named = best.winners.iter().take(NAMES);
    let named = named.map(|figure| {
        let range = figure
            .range
            .map(|(low, high)| format!(" ({} to {})", show(low), show(high)));
        let (subject, value) = (&figure.subject, show(figure.value));
        format!("`{subject}` {value}{}", range.unwrap_or_default())
    });
    let mut named: Vec<String> = named.collect();
    if let more @ 1.. = best.winners.len().saturating_sub(NAMES) {
        named.push(format!("{more} more"));
    }
    let names = match named.as_slice() {
        [one] => format!("{one}{unit}"),
        [first @ .., last] => {
            let first = first.join(", ");
            format!("{first} and {last}{unit}; they differ by no more than the noise")
        }
        [] => String::new(),
    };
    match best.failed.as_slice() {
        [] => names,
        failed => {
            let failed: Vec<String> = failed
                .iter()
                .map(|subject| format!("`{subject}`"))
                .collect();
            format!(
                "{names}; left out, since requests fail: {}",
                failed.join(", ")
            )
        }
    }
}

/// Two answers in a line, unless both are missing.
fn two(first: String, condition: &str, second: String) -> String {
    match first == NOT_MEASURED && second == NOT_MEASURED {
        true => first,
        false => format!("{first}; {condition}: {second}"),
    }
}

/// The memory that the winners of another rule take.
struct Memory<'r> {
    measure: Option<&'static MemoryMeasure>,
    results: &'r Results,
}

impl<'r> Memory<'r> {
    fn new(results: &'r Results) -> Self {
        let measure = MemoryMeasure::first(results);
        Self { measure, results }
    }

    fn of(&self, best: Option<&Best>) -> String {
        let (Some(measure), Some(best)) = (self.measure, best) else {
            return String::new();
        };
        let figure = |subject: &str| measure.figure(self.results, subject);
        let winners = best.winners.iter().take(NAMES);
        let figures = winners.filter_map(|winner| {
            let figure = figure(&winner.subject)?;
            Some(format!("`{}` {figure:.2}", winner.subject))
        });
        let mut figures: Vec<String> = figures.collect();
        if let Some(own) = figure(BASELINE)
            && !figures.is_empty()
            && !has_baseline(best)
        {
            figures.push(format!("`{BASELINE}` {own:.2}"));
        }
        match figures.is_empty() {
            true => String::new(),
            false => format!("; {}: {}", measure.label, figures.join(", ")),
        }
    }
}

/// The 99.9th percentile of single calls.
fn tails(results: &Results) -> String {
    let of = |cell: &Cell| {
        let metric = cell.metrics.get("call-p999").filter(|_| cell.is_sound());
        metric.map(|metric| metric.min.max(1) as f64)
    };
    let field = Field::figures(results, &["tails"], of);
    let Some(best) = field.best(is_general) else {
        return NOT_MEASURED.to_owned();
    };
    let text = sentence(&best, " in the slowest of 1,000 calls", nanoseconds);
    match field.figure(BASELINE).filter(|_| !has_baseline(&best)) {
        Some(own) => format!("{text} (`{BASELINE}` {})", nanoseconds(own)),
        None => text,
    }
}

/// The first calls of a process, and the time of a build.
fn short_program(results: &Results) -> String {
    let cold = |cell: &Cell| {
        let pairs = cell.metrics.get("pairs-time").filter(|_| cell.is_sound());
        let pairs = pairs.and_then(|metric| metric.first.iter().min().map(|first| *first as f64));
        let first = cell.first_ns.iter().min().filter(|_| cell.is_sound());
        pairs.or_else(|| first.map(|first| *first as f64))
    };
    let cold = Field::ratios(results, &COLD, cold);
    let cold = match cold.best(is_general) {
        Some(best) => {
            let unit = format!(" of `{BASELINE}`'s time in the first calls of a process");
            sentence(&best, &unit, times)
        }
        None => NOT_MEASURED.to_owned(),
    };
    let build = |cell: &Cell| {
        let metric = cell.metrics.get("build-time").filter(|_| cell.is_sound());
        metric.map(|metric| metric.min as f64)
    };
    let build = Field::figures(results, &["compilation"], build);
    let system = build.figure(BASELINE);
    let build = match build.best(|facts| is_general(facts) && facts.family != Family::System) {
        Some(best) => {
            let added = |time: f64| match system {
                Some(system) => format!("{:+.1} s", (time - system) / 1e9),
                None => format!("{:.1} s", time / 1e9),
            };
            sentence(&best, "", added)
        }
        None => NOT_MEASURED.to_owned(),
    };
    two(cold, "the least to compile", build)
}

/// How much of a fixed heap is granted before the first refusal.
fn fixed_heap(results: &Results) -> String {
    let part = |cell: &Cell| {
        let metric = |name: &str| {
            let metric = cell.metrics.get(name).filter(|_| cell.is_sound());
            metric.map(|metric| metric.min as f64)
        };
        Some(metric("granted-bytes")?.max(1.0) / metric("region-bytes")?)
    };
    let field = Field::figures(results, &["fill"], part).more_is_better();
    match field.best(is_embedded) {
        Some(best) => {
            let unit = " of the region is granted before the first refusal";
            sentence(&best, unit, |part| format!("{:.1} %", part * 100.0))
        }
        None => NOT_MEASURED.to_owned(),
    }
}

fn has_baseline(best: &Best) -> bool {
    best.winners.iter().any(|winner| winner.subject == BASELINE)
}

/// Nanoseconds or microseconds, with honest digits.
fn nanoseconds(value: f64) -> String {
    match value {
        value if value < 999.5 => format!("{value:.0} ns"),
        value => format!("{:.1} µs", value / 1_000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use crate::results::Unit;

    fn text(results: &Results, program: &str) -> String {
        let answers = answers(results, &Summary::new(results));
        let mut answers = answers.into_iter();
        let answer = answers.find(|answer| answer.program.starts_with(program));
        answer
            .unwrap_or_else(|| panic!("no answer for {program}"))
            .text
    }

    #[test]
    fn answers_have_the_figures_of_the_results() {
        let results = example::results();
        let text = markdown(&answers(&results, &Summary::new(&results)));
        // The cube root of 0.25 * 0.5 * 0.5 is 0.397, and that of 1.414 * 1.01 * 4 is 1.788.
        assert_eq!(
            text,
            "- **Any program, on one thread**: `mimalloc` 0.40x (0.25x to 0.50x) of \
             `system`'s time, mean of all workloads; bytes for each requested byte, sizes of a real program: `mimalloc` 1.20, \
             `system` 1.10.\n\
             - **A server, on several threads**: `mimalloc` 0.50x of `system`'s time, mean of the \
             workloads with threads; bytes for each requested byte, sizes of a real program: \
             `mimalloc` 1.20, `system` 1.10.\n\
             - **A pipeline, whose blocks another thread gives back**: not measured.\n\
             - **A frame loop, which gives all blocks back at once**: `bumpalo` 0.10x of \
             `system`'s time in `frame`; where blocks go one by one: `mimalloc` 0.50x of \
             `system`'s time.\n\
             - **Vectors and strings that grow**: not measured.\n\
             - **No call may be slow**: not measured.\n\
             - **A short program or a build tool**: `mimalloc` 0.50x of `system`'s time in the \
             first calls of a process; the least to compile: not measured.\n\
             - **No C compiler**: `talc` 1.79x (1.01x to 4.0x) of `system`'s time, mean of all \
             workloads on one thread; on several threads: `talc` 4.0x of `system`'s time.\n\
             - **An embedded program, without std**: `talc` 1.79x (1.01x to 4.0x) of `system`'s \
             time, mean of all workloads on one thread; left out, since requests fail: `buddy`.\n\
             - **A small heap of a fixed size**: not measured.\n"
        );
    }

    #[test]
    fn all_that_differ_by_no_more_than_the_noise_are_named() {
        let mut results = example::results();
        for (subject, time) in [
            ("system", 40.0),
            ("rlsf", 21.0),
            ("mimalloc", 20.0),
            ("talc", 29.0),
            ("system-again", 48.0),
        ] {
            results
                .cells
                .push(example::timed(&format!("realloc/subject={subject}"), time));
        }
        // The noise is 48 / 40, which is 1.2: more than 21 / 20, and less than 29 / 20.
        assert_eq!(
            text(&results, "Vectors"),
            "`mimalloc` 0.50x and `rlsf` 0.53x of `system`'s time in `realloc`; they differ by no \
             more than the noise"
        );
    }

    #[test]
    fn a_system_that_nobody_beats_is_the_answer() {
        let mut results = example::results();
        for (subject, time) in [
            ("system", 10.0),
            ("mimalloc", 40.0),
            ("tcmalloc", 1.0),
            ("system-again", 10.5),
        ] {
            results
                .cells
                .push(example::timed(&format!("handover/subject={subject}"), time));
        }
        // Cargo does not build tcmalloc.
        assert_eq!(
            text(&results, "A pipeline"),
            "`system` 1.00x of `system`'s time in `handover`"
        );
    }

    #[test]
    fn untimed_rules_have_figures_of_their_own() {
        let mut results = example::results();
        for (subject, take, give) in [("system", 400, 900), ("mimalloc", 90, 1_000)] {
            for (call, time) in [("take", take), ("give", give)] {
                results.cells.push(example::with_metrics(
                    &format!("tails/subject={subject},call={call}"),
                    Unit::Nanoseconds,
                    &[("call-p999", time)],
                ));
            }
        }
        // The geometric means: 20 * 30 and the root of 90,000.
        assert_eq!(
            text(&results, "No call"),
            "`mimalloc` 300 ns in the slowest of 1,000 calls (`system` 600 ns)"
        );
        for (subject, granted) in [("buddy", 500), ("linked-list", 960), ("talc-claim", 900)] {
            results.cells.push(example::with_metrics(
                &format!("fill/subject={subject},sizes=64"),
                Unit::Bytes,
                &[("granted-bytes", granted), ("region-bytes", 1_000)],
            ));
        }
        assert_eq!(
            text(&results, "A small heap"),
            "`linked-list` 96.0 % of the region is granted before the first refusal"
        );
        for (subject, time) in [("system", 400), ("talc", 1_300), ("mimalloc", 7_900)] {
            results.cells.push(example::with_metrics(
                &format!("compilation/subject={subject}"),
                Unit::Nanoseconds,
                &[("build-time", time * 1_000_000)],
            ));
        }
        assert!(text(&results, "A short").ends_with("the least to compile: `talc` +0.9 s"));
    }
}
