//! Which allocator for which program: ten answers, each by a rule.
//!
//! An answer names the allocator with the best figure, and all that differ from it by no more
//! than both measurements of `system` do. Only allocators that cargo builds on stable Rust take
//! part, and of these only such that have all figures of the rule and no failed request.

use super::field::{Best, Field};
use crate::facts::{Facts, Family, Needs, NoStd};
use crate::figure::{Unit, ratio_text};
use crate::pictures::memory::MemoryMeasure;
use crate::results::{Cell, Results};
use crate::summary::{BASELINE, Column, Summary};
use crate::tables::granted_percent;

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

/// Explains the figures.
const KEY: &str = "Net times, compared with those of `system`: 0.40x takes 40 % of its time. \
                   Brackets show the best and the worst workload of a mean. Allocators joined by \
                   \"or\" are equal within the noise. An answer considers only allocators that \
                   cargo builds on stable Rust and that have all of its figures.\n";

/// The number of names in an answer; of further ones it has the number.
const NAMES: usize = 4;

/// The workloads whose first call shows what a short program pays.
const COLD: [&str; 3] = ["batch", "frame", "phases"];

/// All answers.
#[must_use]
pub fn answers(results: &Results, summary: &Summary) -> Vec<Answer> {
    let one_thread = Field::times(summary, |column| !column.has_threads);
    let threads = Field::times(summary, |column| column.has_threads);
    let workload = |name: &'static str| {
        let named = move |column: &Column| column.workload == name;
        Field::times(summary, named)
    };
    let frame = workload("frame");
    let is_single = |facts: Option<&Facts>| {
        is_buildable(facts) && facts.is_none_or(|facts| facts.family != Family::Arena)
    };
    // A program has the system's allocator without a C compiler.
    let is_without_c = |facts: Option<&Facts>| {
        let is_ready = |facts: &Facts| matches!(facts.family, Family::Rust | Family::System);
        is_buildable(facts) && facts.is_some_and(is_ready)
    };
    let answer = |program, text| Answer { program, text };
    vec![
        answer(
            "Any program, on one thread",
            with_memory(results, one_thread.best(is_general)),
        ),
        answer(
            "A server, on several threads",
            with_memory(results, threads.best(is_general)),
        ),
        answer(
            "A pipeline, whose blocks another thread gives back",
            ratios(workload("handover").best(is_general)),
        ),
        answer(
            "A frame loop, which gives all blocks back at once",
            parts([
                ("", ratios(frame.best(is_buildable))),
                (
                    "where blocks go one by one: ",
                    ratios(frame.best(is_single)),
                ),
            ]),
        ),
        answer(
            "Vectors and strings that grow",
            ratios(workload("realloc").best(is_general)),
        ),
        answer("No call may be slow", tails(results)),
        answer(
            "A short program or a build tool",
            parts([
                ("first calls of a process: ", first_calls(results)),
                ("time to compile: ", compilation(results)),
            ]),
        ),
        answer(
            "No C compiler",
            parts([
                ("on one thread: ", ratios(one_thread.best(is_without_c))),
                ("on several: ", ratios(threads.best(is_without_c))),
            ]),
        ),
        answer(
            "An embedded program, without std",
            ratios(one_thread.best(is_embedded)),
        ),
        answer("A small heap of a fixed size", fixed_heap(results)),
    ]
}

/// The answers as a list of Markdown, with a paragraph that explains their figures.
#[must_use]
pub fn markdown(answers: &[Answer]) -> String {
    let lines = answers.iter();
    let lines = lines.map(|Answer { program, text }| format!("- **{program}**: {text}.\n"));
    format!("{}\n{KEY}", lines.collect::<String>())
}

/// What cargo builds on stable Rust. An allocator of another crate is taken for one.
fn is_buildable(facts: Option<&Facts>) -> bool {
    facts.is_none_or(|facts| matches!(facts.needs, Needs::Nothing | Needs::C | Needs::Cpp))
}

/// For any program.
fn is_general(facts: Option<&Facts>) -> bool {
    let is_limited =
        facts.is_some_and(|facts| matches!(facts.family, Family::Region | Family::Arena));
    is_buildable(facts) && !is_limited
}

/// Without an operating system, in memory that the program has.
fn is_embedded(facts: Option<&Facts>) -> bool {
    facts.is_some_and(|facts| facts.no_std == NoStd::Alone)
}

/// The winners with their figures: `a` 0.25x or `b` 0.26x.
fn named(best: Option<&Best>, show: impl Fn(f64) -> String) -> Option<String> {
    let Best { winners, failed } = best?;
    let names = winners.iter().take(NAMES).map(|figure| {
        let range = figure.range.map(|(low, high)| (show(low), show(high)));
        let range = range.filter(|(low, high)| low != high);
        let range = range.map(|(low, high)| format!(" ({low} to {high})"));
        let (subject, value) = (&figure.subject, show(figure.value));
        format!("`{subject}` {value}{}", range.unwrap_or_default())
    });
    let mut names: Vec<String> = names.collect();
    if let more @ 1.. = winners.len().saturating_sub(NAMES) {
        names.push(format!("{more} more"));
    }
    let names = match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    };
    let failed = failed.iter().map(|subject| format!("`{subject}`"));
    let failed: Vec<String> = failed.collect();
    Some(match failed.is_empty() {
        true => names,
        false => format!("{names}; requests fail with {}", failed.join(", ")),
    })
}

/// The winners of a field of ratios.
fn ratios(best: Option<Best>) -> String {
    named(best.as_ref(), ratio_text).unwrap_or_else(|| NOT_MEASURED.to_owned())
}

/// Several answers in a line, unless all are missing.
fn parts<const N: usize>(parts: [(&str, String); N]) -> String {
    if parts.iter().all(|(_, text)| text == NOT_MEASURED) {
        return NOT_MEASURED.to_owned();
    }
    parts.map(|(what, text)| format!("{what}{text}")).join("; ")
}

/// The winners of a field of ratios, and the memory that they take.
fn with_memory(results: &Results, best: Option<Best>) -> String {
    let winners = best.iter().flat_map(|best| &best.winners).take(NAMES);
    let mut subjects: Vec<&str> = winners.map(|winner| winner.subject.as_str()).collect();
    if !subjects.contains(&BASELINE) {
        subjects.push(BASELINE);
    }
    let text = ratios(best.clone());
    let Some(measure) = MemoryMeasure::first(results).filter(|_| best.is_some()) else {
        return text;
    };
    let figures = subjects.into_iter().filter_map(|subject| {
        let figure = measure.figure(results, subject)?;
        Some(format!("`{subject}` {figure:.2}"))
    });
    let figures: Vec<String> = figures.collect();
    format!("{text}; {}: {}", measure.label, figures.join(", "))
}

/// The 99.9th percentile of single calls.
fn tails(results: &Results) -> String {
    let of = |cell: &Cell| {
        let metric = cell.metrics.get("call-p999").filter(|_| cell.is_sound());
        metric.map(|metric| metric.p50.max(1) as f64)
    };
    let field = Field::figures(results, &["tails"], of);
    let best = field.best(is_general);
    let time = |value| Unit::Time.text(value);
    let Some(text) = named(best.as_ref(), time) else {
        return NOT_MEASURED.to_owned();
    };
    let has_baseline = best.is_some_and(|best| {
        let mut winners = best.winners.iter();
        winners.any(|winner| winner.subject == BASELINE)
    });
    let own = field.figure(BASELINE).filter(|_| !has_baseline);
    let own = own.map(|own| format!(" (`{BASELINE}` {})", time(own)));
    let own = own.unwrap_or_default();
    format!(
        "99.9th percentile of a call, median of the processes, mean of taking and giving, with \
         the reading of the clock: {text}{own}"
    )
}

/// The first calls of a process.
fn first_calls(results: &Results) -> String {
    let first = |cell: &Cell| {
        let pairs = cell.metrics.get("pairs-time").filter(|_| cell.is_sound());
        let pairs = pairs.and_then(|metric| metric.first.iter().min().copied());
        let first = cell.first_ns.iter().min().filter(|_| cell.is_sound());
        let pairs = pairs.map(|first| first as f64);
        pairs.or_else(|| first.map(|first| *first as f64))
    };
    ratios(Field::ratios(results, &COLD, first).best(is_general))
}

/// The time that an allocator adds to a build.
fn compilation(results: &Results) -> String {
    let build = |cell: &Cell| {
        let metric = cell.metrics.get("build-time").filter(|_| cell.is_sound());
        metric.map(|metric| metric.min as f64)
    };
    let field = Field::figures(results, &["compilation"], build);
    let Some(system) = field.figure(BASELINE) else {
        return NOT_MEASURED.to_owned();
    };
    let best = field.best(|facts| {
        is_general(facts) && facts.is_none_or(|facts| facts.family != Family::System)
    });
    let added = |time: f64| format!("{:+.1} s", (time - system) / 1e9);
    named(best.as_ref(), added).unwrap_or_else(|| NOT_MEASURED.to_owned())
}

/// How much of a fixed heap is granted before the first refusal.
fn fixed_heap(results: &Results) -> String {
    let granted = |cell: &Cell| {
        let percent = granted_percent(cell).filter(|_| cell.is_sound())?;
        // A geometric mean needs a figure above zero.
        Some(percent.max(f64::MIN_POSITIVE))
    };
    let field = Field::figures(results, &["fill"], granted).more_is_better();
    let percent = |value| Unit::Percent.text(value);
    match named(field.best(is_embedded).as_ref(), percent) {
        Some(text) => format!("granted before the first refusal: {text}"),
        None => NOT_MEASURED.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use crate::results::{Metric, Unit};

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
        // The cube root of 0.25 * 0.5 * 0.5 is 0.397, and that of 1.414 * 1.01 * 4 is 1.788. The
        // system needs no C compiler, and talc is slower.
        assert_eq!(
            text.strip_suffix(KEY),
            Some(
                "- **Any program, on one thread**: `mimalloc` 0.40x (0.25x to 0.50x); bytes for \
                 each requested byte, sizes of a real program: `mimalloc` 1.20, `system` 1.10.\n\
                 - **A server, on several threads**: `mimalloc` 0.50x; bytes for each requested \
                 byte, sizes of a real program: `mimalloc` 1.20, `system` 1.10.\n\
                 - **A pipeline, whose blocks another thread gives back**: not measured.\n\
                 - **A frame loop, which gives all blocks back at once**: `bumpalo` 0.10x; where \
                 blocks go one by one: `mimalloc` 0.50x.\n\
                 - **Vectors and strings that grow**: not measured.\n\
                 - **No call may be slow**: not measured.\n\
                 - **A short program or a build tool**: first calls of a process: `mimalloc` \
                 0.50x; time to compile: not measured.\n\
                 - **No C compiler**: on one thread: `system` 1.0x; on several: `system` 1.0x.\n\
                 - **An embedded program, without std**: `talc` 1.8x (1.0x to 4.0x); requests \
                 fail with `buddy`.\n\
                 - **A small heap of a fixed size**: not measured.\n\n"
            )
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
            "`mimalloc` 0.50x or `rlsf` 0.53x"
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
        assert_eq!(text(&results, "A pipeline"), "`system` 1.0x");
    }

    #[test]
    fn an_allocator_of_another_crate_takes_part() {
        let mut results = example::results();
        for (subject, time) in [("system", 10.0), ("mine", 2.0), ("system-again", 10.5)] {
            let name = format!("handover/subject={subject}");
            results.cells.push(example::timed(&name, time));
        }
        assert_eq!(text(&results, "A pipeline"), "`mine` 0.20x");
    }

    #[test]
    fn untimed_rules_have_figures_of_their_own() {
        let mut results = example::results();
        for (subject, take, give) in [("system", 400, 900), ("mimalloc", 90, 1_000)] {
            for (call, time) in [("take", take), ("give", give)] {
                let name = format!("tails/subject={subject},call={call}");
                let figures = [("call-p999", time)];
                let mut cell = example::with_metrics(&name, Unit::Nanoseconds, &figures);
                // One process had a calm moment.
                let calm = |metric: &mut Metric| metric.min = 1;
                cell.metrics.values_mut().for_each(calm);
                results.cells.push(cell);
            }
        }
        // The geometric means: 20 * 30 and the root of 90,000.
        assert_eq!(
            text(&results, "No call"),
            "99.9th percentile of a call, median of the processes, mean of taking and giving, \
             with the reading of the clock: `mimalloc` 300 ns (`system` 600 ns)"
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
            "granted before the first refusal: `linked-list` 96.0 %"
        );
        for (subject, time) in [("system", 400), ("talc", 1_300), ("mimalloc", 7_900)] {
            results.cells.push(example::with_metrics(
                &format!("compilation/subject={subject}"),
                Unit::Nanoseconds,
                &[("build-time", time * 1_000_000)],
            ));
        }
        assert!(text(&results, "A short").ends_with("time to compile: `talc` +0.9 s"));
    }
}
