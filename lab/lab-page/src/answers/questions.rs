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
use crate::summary::{BASELINE, Column, PROGRAMS, Summary};
use crate::tables::{granted_percent, region_percent};

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The kind of a program.
    pub program: String,
    /// The allocators with their figures, or that the cells of the rule were not measured.
    pub text: String,
}

/// The text of an answer whose rule has no cells.
const NOT_MEASURED: &str = "not measured";

/// Explains the figures.
const KEY: &str = "Net times, compared with those of `system`: 0.40x takes 40 % of its time. \
                   Brackets show the best and the worst workload of a mean, in which each kind \
                   of workload counts once and `replay`, the allocations of real programs, three \
                   times; blocks of mebibytes, and resizes of blocks that nobody writes to, are in no mean. Allocators joined by \"or\" are equal: times within 20 % or within the noise. An answer \
                   considers only allocators that cargo builds on stable Rust and that have all of \
                   its figures, all with their default settings; `system-keep` is glibc with the \
                   two that `allocator-lab/src/subjects/system.rs` sets, and `mimalloc-4k` is mimalloc \
                   without huge pages.\n";

/// The number of names in an answer; of further ones it has the number.
const NAMES: usize = 4;

/// All answers.
pub fn answers(results: &Results, summary: &Summary) -> Vec<Answer> {
    let one_thread = workloads(summary, false);
    let threads = workloads(summary, true);
    let programs = |has_threads, is_asked| programs(results, summary, has_threads, is_asked);
    let workload = |name: &'static str| {
        let named = move |column: &Column| column.workload == name;
        Field::times(summary, named)
    };
    let frame = workload("frame");
    let answer = |program: &str, text| Answer {
        program: program.to_owned(),
        text,
    };
    let cores = results.cores();
    vec![
        answer(
            "Any program, on one thread",
            first(
                programs(false, is_general),
                with_memory(results, one_thread.best(is_general)),
            ),
        ),
        answer(
            &format!("A server, on several threads of {cores} cores"),
            first(
                programs(true, is_general),
                with_memory(results, threads.best(is_general)),
            ),
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
            ratios(workload("vectors").best(is_general)),
        ),
        answer("No call may be slow", tails(results)),
        answer("A short program or a build tool", short_program(results)),
        answer(
            "No C compiler",
            parts([
                (
                    "on one thread: ",
                    first(
                        programs(false, is_without_c),
                        ratios(one_thread.best(is_without_c)),
                    ),
                ),
                (
                    "on several, where those in Rust have one lock: ",
                    ratios(threads.best(is_without_c)),
                ),
            ]),
        ),
        answer(
            "An embedded program, without std, on one thread",
            embedded(results, ratios(one_thread.best(is_embedded))),
        ),
        answer("A small heap of a fixed size", fixed_heap(results)),
    ]
}

/// The answers as a list of Markdown, with a paragraph that explains their figures.
pub fn markdown(answers: &[Answer]) -> String {
    let lines = answers.iter();
    let lines = lines.map(|Answer { program, text }| format!("- **{program}**: {text}.\n"));
    format!("{}\n{KEY}", lines.collect::<String>())
}

/// The times of all workloads of the lab, on one thread or on several.
pub(super) fn workloads(summary: &Summary, has_threads: bool) -> Field {
    Field::times(summary, |column| {
        column.has_threads == has_threads && column.is_in_means()
    })
}

/// The answer of whole programs, which is the first, and then that of the workloads.
fn first(programs: Option<String>, workloads: String) -> String {
    match programs {
        Some(programs) => format!("{programs}; by the workloads of the lab: {workloads}"),
        None => workloads,
    }
}

/// The winners by the times of whole programs, and the most memory that their processes had.
fn programs(
    results: &Results,
    summary: &Summary,
    has_threads: bool,
    is_asked: fn(Option<&Facts>) -> bool,
) -> Option<String> {
    let is_meant = |column: &Column| column.is_of_programs() && column.has_threads == has_threads;
    let best = Field::times(summary, is_meant).best(is_asked)?;
    let peaks = peaks(results, has_threads);
    let memory = with_baseline(&best).into_iter().filter_map(|subject| {
        let peak = Unit::Memory.text(peaks.figure(subject)?);
        Some(format!("`{subject}` {peak}"))
    });
    let memory: Vec<String> = memory.collect();
    Some(format!(
        "three real programs: {}; peak memory of a process: {}",
        ratios(Some(best.clone())),
        memory.join(", ")
    ))
}

/// The winners that an answer names, and the baseline.
fn with_baseline(best: &Best) -> Vec<&str> {
    let winners = best.winners.iter().take(NAMES);
    let mut subjects: Vec<&str> = winners.map(|winner| winner.subject.as_str()).collect();
    if !subjects.contains(&BASELINE) {
        subjects.push(BASELINE);
    }
    subjects
}

/// What cargo builds on stable Rust. An allocator of another crate is taken for one.
pub(super) fn is_buildable(facts: Option<&Facts>) -> bool {
    facts.is_none_or(|facts| matches!(facts.needs, Needs::Nothing | Needs::C | Needs::Cpp))
}

/// Whose blocks go one by one.
pub(super) fn is_single(facts: Option<&Facts>) -> bool {
    is_buildable(facts) && facts.is_none_or(|facts| facts.family != Family::Arena)
}

/// Without a C compiler: a program has the system's allocator, too.
pub(super) fn is_without_c(facts: Option<&Facts>) -> bool {
    let is_ready = |facts: &Facts| matches!(facts.family, Family::Rust | Family::System);
    is_buildable(facts) && facts.is_some_and(is_ready)
}

/// For any program.
pub(super) fn is_general(facts: Option<&Facts>) -> bool {
    let is_limited =
        facts.is_some_and(|facts| matches!(facts.family, Family::Region | Family::Arena));
    is_buildable(facts) && !is_limited
}

/// Without an operating system, in memory that the program has.
pub(super) fn is_embedded(facts: Option<&Facts>) -> bool {
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
    let text = ratios(best.clone());
    let (Some(measure), Some(best)) = (MemoryMeasure::first(results), best) else {
        return text;
    };
    let figures = with_baseline(&best).into_iter().filter_map(|subject| {
        let figure = measure.figure(results, subject)?;
        Some(format!("`{subject}` {figure:.2}"))
    });
    let figures: Vec<String> = figures.collect();
    format!("{text}; {}: {}", measure.label, figures.join(", "))
}

/// The 99.9th percentiles of single calls.
pub(super) fn tail_times(results: &Results) -> Field {
    Field::figures(results, &["tails"], |cell| {
        let metric = cell.metrics.get("call-p999").filter(|_| cell.is_sound());
        metric.map(|metric| metric.p50.max(1) as f64)
    })
    .of_times()
}

/// The answer of [`tail_times`].
fn tails(results: &Results) -> String {
    let field = tail_times(results);
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

/// The least values of a metric.
fn least(results: &Results, workload: &str, metric: &str) -> Field {
    Field::figures(results, &[workload], |cell| {
        let metric = cell.metrics.get(metric).filter(|_| cell.is_sound())?;
        Some(metric.min.max(1) as f64)
    })
}

/// The page faults of real programs until they have worked once.
pub(super) fn page_faults(results: &Results) -> Field {
    of_programs(results, false, |cell| {
        Some(cell.metrics.get("page-faults")?.min.max(1) as f64)
    })
}

/// The most memory of real programs.
fn peaks(results: &Results, has_threads: bool) -> Field {
    of_programs(results, has_threads, |cell| {
        Some(cell.metrics.get("peak-resident")?.p50 as f64)
    })
}

/// A figure of real programs on one thread, or on several.
fn of_programs(results: &Results, has_threads: bool, of: fn(&Cell) -> Option<f64>) -> Field {
    Field::figures(results, &[PROGRAMS], |cell| {
        let is_meant = (cell.threads_at_work() > 1) == has_threads && cell.is_sound();
        is_meant.then(|| of(cell)).flatten()
    })
}

/// The page faults of real programs that run once, and of the same allocator their most memory, the
/// time that it adds to a build and the size of the program.
fn short_program(results: &Results) -> String {
    let build = least(results, "compilation", "build-time");
    let size = least(results, "compilation", "program-bytes");
    let faults = page_faults(results);
    let peaks = peaks(results, false);
    let all = |subject: &str| {
        let faults = Unit::Count.text(faults.figure(subject)?);
        let peak = Unit::Memory.text(peaks.figure(subject)?);
        let added = (build.figure(subject)? - build.figure(BASELINE)?) / 1e9;
        let size = Unit::Memory.text(size.figure(subject)?);
        Some(format!(
            "`{subject}` {faults}, {peak}, {added:+.1} s and {size}"
        ))
    };
    let best = faults.best(|facts| {
        let is_built = facts.is_some_and(|facts| all(facts.subject).is_some());
        is_general(facts) && is_built
    });
    let best = best.and_then(|best| Some(best.winners.first()?.subject.clone()));
    let subjects = best.iter().map(String::as_str);
    let others = best.iter().filter(|best| *best != BASELINE);
    let texts: Vec<String> = subjects
        .chain(others.map(|_| BASELINE))
        .filter_map(all)
        .collect();
    match texts.is_empty() {
        true => NOT_MEASURED.to_owned(),
        false => format!(
            "page faults of real programs that work once, their peak memory, time added to a build, \
             and size of a small program: {}",
            texts.join("; ")
        ),
    }
}

/// The answer of times, and the best of what an embedded program asks for besides.
fn embedded(results: &Results, times: String) -> String {
    let code = least(results, "code-size", "code-bytes");
    let worst = Field::figures(results, &["worst-call"], |cell| {
        let of = |name| cell.metrics.get(name).map(|metric| metric.max as f64);
        of("take-instructions")
            .zip(of("give-instructions"))
            .map(|(take, give)| take.max(give))
    });
    let region = Field::figures(results, &["smallest-region"], region_percent);
    let others: [(&str, Field, Unit); 3] = [
        ("least code, in bytes", code, Unit::Bytes),
        ("least instructions of a worst call", worst, Unit::Count),
        ("smallest region, of the live bytes", region, Unit::Percent),
    ];
    let others = others.iter().filter_map(|(what, field, unit)| {
        let text = named(field.best(is_embedded).as_ref(), |value| unit.text(value))?;
        Some(format!("; {what}: {text}"))
    });
    times + &others.collect::<String>()
}

/// How much of a fixed heap is granted before the first refusal, in percent: of sizes as programs
/// have them, of which few are powers of two.
pub(super) fn granted(results: &Results) -> Field {
    let granted = |cell: &Cell| {
        let sizes = cell.axis("sizes").unwrap_or_default();
        let is_asked = ["uniform", "odd", "recorded"].contains(&sizes) && cell.is_sound();
        let percent = granted_percent(cell).filter(|_| is_asked)?;
        // A geometric mean needs a figure above zero.
        Some(percent.max(f64::MIN_POSITIVE))
    };
    Field::figures(results, &["fill"], granted).more_is_better()
}

/// The answer of [`granted`].
fn fixed_heap(results: &Results) -> String {
    let field = granted(results);
    let percent = |value| Unit::Percent.text(value);
    match named(field.best(is_embedded).as_ref(), percent) {
        Some(text) => format!("granted before the first refusal: {text}"),
        None => NOT_MEASURED.to_owned(),
    }
}
