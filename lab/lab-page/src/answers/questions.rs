//! Which allocator for which program: ten answers, each by a rule.
//!
//! An answer names the allocator with the best figure, and all that differ from it by no more
//! than both measurements of `system` do. Only allocators that cargo builds on stable Rust take
//! part, and of these only such that have all figures of the rule and no failed request. A loop
//! that shares nothing with the lab confirms most of the orders.

use super::field::{Best, Field};
use super::orders::Order;
use crate::facts::{Facts, Family, Needs, NoStd};
use crate::figure::{Unit, ratio_text};
use crate::results::Results;
use crate::summary::{BASELINE, Column, PROGRAMS, Summary};
use crate::tables::{granted_percent, percent, region_percent};

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The kind of a program.
    pub program: String,
    /// The allocators with their figures, or that the cells of the rule were not measured.
    pub text: String,
    /// The orders behind it that loops confirm.
    pub orders: Vec<Order>,
}

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
    let times = |is_meant: &dyn Fn(&Column) -> bool| Field::times(summary, is_meant);
    let [one_thread, threads] = [false, true].map(|has_threads| {
        times(&|column| column.has_threads == has_threads && column.is_in_means())
    });
    let workload = |name| times(&|column| column.workload == name);
    let resident = Field::figures(results, "resident", |cell| {
        Some(percent(cell, "half-growth", "half-bytes")? / 100.0)
    });
    let programs = |label: &str, has_threads, is_asked| {
        let label = format!("{label}three real programs: ");
        let is_meant = |column: &Column| column.has_threads == has_threads;
        let times = times(&|column| column.is_of_programs() && is_meant(column));
        let of = if has_threads { "words 2" } else { "words 1" };
        Part::new(&label, (times, is_asked), ratio_text)
            .confirmed_by(of)
            .beside(
                "peak memory of a process",
                &peaks(results, has_threads),
                |peak| Unit::Memory.text(peak),
            )
    };
    let workloads = |field: &Field, is_asked| {
        let label = "by the workloads of the lab: ";
        Part::new(label, (field.clone(), is_asked), ratio_text)
    };
    let with_memory = |part: Part| {
        let label = "resident bytes for each live byte, after churn";
        part.beside(label, &resident, |ratio| format!("{ratio:.2}"))
    };
    let ratios = |label, field, is_asked: IsAsked| Part::new(label, (field, is_asked), ratio_text);
    let server = format!("A server, on several threads of {} cores", results.cores());
    let frame = workload("frame");
    vec![
        Answer::new(
            "Any program, on one thread",
            [
                programs("", false, is_general),
                with_memory(workloads(&one_thread, is_general).confirmed_by("mixed")),
            ],
        ),
        Answer::new(
            &server,
            [
                programs("", true, is_general),
                with_memory(workloads(&threads, is_general).confirmed_by("server")),
            ],
        ),
        Answer::new(
            "A pipeline, whose blocks another thread gives back",
            [ratios("", workload("handover"), is_general).confirmed_by("pipeline")],
        ),
        Answer::new(
            "A frame loop, which gives all blocks back at once",
            [
                ratios("", frame.clone(), is_buildable),
                ratios("where blocks go one by one: ", frame, is_single).confirmed_by("frames"),
            ],
        ),
        Answer::new(
            "Vectors and strings that grow",
            [ratios("", workload("vectors"), is_general).confirmed_by("vectors")],
        ),
        Answer::new("No call may be slow", [tails(results)]),
        Answer::new("A short program or a build tool", [short_program(results)]),
        Answer::new(
            "No C compiler",
            [
                programs("on one thread: ", false, is_without_c),
                workloads(&one_thread, is_without_c).confirmed_by("mixed"),
                ratios(
                    "on several, where those in Rust have one lock: ",
                    threads,
                    is_without_c,
                ),
            ],
        ),
        Answer::new(
            "An embedded program, without std, on one thread",
            embedded(results, one_thread),
        ),
        Answer::new("A small heap of a fixed size", [fixed_heap(results)]),
    ]
}

impl Answer {
    fn new(program: &str, parts: impl IntoIterator<Item = Part>) -> Self {
        let (mut texts, mut orders) = (Vec::new(), Vec::new());
        for part in parts {
            texts.extend(part.text);
            orders.extend(part.order.filter(|order| order.subjects.len() > 1));
        }
        Self {
            program: program.to_owned(),
            text: match texts.is_empty() {
                true => "not measured".to_owned(),
                false => texts.join("; "),
            },
            orders,
        }
    }
}

/// The answers as a list of Markdown, with a paragraph that explains their figures.
pub fn markdown(answers: &[Answer]) -> String {
    let lines = answers.iter();
    let lines = lines.map(|Answer { program, text, .. }| format!("- **{program}**: {text}.\n"));
    format!("{}\n{KEY}", lines.collect::<String>())
}

type IsAsked = fn(Option<&Facts>) -> bool;

/// A part of an answer: the winners of a field.
struct Part {
    /// `None` if the field has no figures.
    text: Option<String>,
    best: Option<Best>,
    field: Field,
    is_asked: IsAsked,
    order: Option<Order>,
}

impl Part {
    fn new(label: &str, (field, is_asked): (Field, IsAsked), show: fn(f64) -> String) -> Self {
        let best = field.best(is_asked);
        let text = best
            .as_ref()
            .map(|best| label.to_owned() + &named(best, show));
        Self {
            text,
            best,
            field,
            is_asked,
            order: None,
        }
    }

    /// The same, whose order this loop confirms.
    fn confirmed_by(self, of: &'static str) -> Self {
        let order = Some(Order::new(of, &self.field, self.is_asked));
        Self { order, ..self }
    }

    /// The same with another figure of the winners that it names, and of the baseline.
    fn beside(mut self, label: &str, other: &Field, show: fn(f64) -> String) -> Self {
        let winners = self.best.iter().flat_map(|best| &best.winners).take(NAMES);
        let mut subjects: Vec<&str> = winners.map(|winner| winner.subject.as_str()).collect();
        if !subjects.contains(&BASELINE) {
            subjects.push(BASELINE);
        }
        let figures = subjects.into_iter().filter_map(|subject| {
            let figure = show(other.figure(subject)?);
            Some(format!("`{subject}` {figure}"))
        });
        let figures: Vec<String> = figures.collect();
        if let (Some(text), false) = (&mut self.text, figures.is_empty()) {
            *text += &format!("; {label}: {}", figures.join(", "));
        }
        self
    }
}

/// The winners with their figures: `a` 0.25x or `b` 0.26x.
fn named(Best { winners, failed }: &Best, show: fn(f64) -> String) -> String {
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
    match failed.is_empty() {
        true => names,
        false => format!("{names}; requests fail with {}", failed.join(", ")),
    }
}

/// What cargo builds on stable Rust. An allocator of another crate is taken for one.
fn is_buildable(facts: Option<&Facts>) -> bool {
    facts.is_none_or(|facts| matches!(facts.needs, Needs::Nothing | Needs::C | Needs::Cpp))
}

/// Whose blocks go one by one.
fn is_single(facts: Option<&Facts>) -> bool {
    is_buildable(facts) && facts.is_none_or(|facts| facts.family != Family::Arena)
}

/// Without a C compiler: a program has the system's allocator, too.
fn is_without_c(facts: Option<&Facts>) -> bool {
    let is_ready = |facts: &Facts| matches!(facts.family, Family::Rust | Family::System);
    is_buildable(facts) && facts.is_some_and(is_ready)
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

/// The 99.9th percentiles of single calls.
fn tails(results: &Results) -> Part {
    let field = Field::figures(results, "tails", |cell| {
        Some(cell.metrics.get("call-p999")?.p50.max(1) as f64)
    });
    let label = "99.9th percentile of a call, median of the processes, mean of taking and giving, \
                 with the reading of the clock: ";
    let time = |value| Unit::Time.text(value);
    let mut part = Part::new(label, (field.of_times(), is_general), time).confirmed_by("tail");
    let mut winners = part.best.iter().flat_map(|best| &best.winners);
    let has_baseline = winners.any(|winner| winner.subject == BASELINE);
    let own = part.field.figure(BASELINE).filter(|_| !has_baseline);
    if let (Some(text), Some(own)) = (&mut part.text, own) {
        *text += &format!(" (`{BASELINE}` {})", time(own));
    }
    part
}

/// The least values of a metric.
fn least(results: &Results, workload: &str, metric: &str) -> Field {
    Field::figures(results, workload, |cell| {
        Some(cell.metrics.get(metric)?.min.max(1) as f64)
    })
}

/// The most memory of real programs, on one thread or on several.
fn peaks(results: &Results, has_threads: bool) -> Field {
    Field::figures(results, PROGRAMS, |cell| {
        let is_meant = (cell.threads_at_work() > 1) == has_threads;
        let peak = cell.metrics.get("peak-resident").filter(|_| is_meant)?;
        Some(peak.p50 as f64)
    })
}

/// The page faults of real programs that run once, and of the same allocator their most memory, the
/// time that it adds to a build and the size of the program.
fn short_program(results: &Results) -> Part {
    let build = least(results, "compilation", "build-time");
    let size = least(results, "compilation", "program-bytes");
    let faults = Field::figures(results, PROGRAMS, |cell| {
        let is_meant = cell.threads_at_work() == 1;
        let faults = cell.metrics.get("page-faults").filter(|_| is_meant)?;
        Some(faults.min.max(1) as f64)
    });
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
    let others = best.iter().filter(|best| *best != BASELINE);
    let subjects = best.iter().map(String::as_str);
    let texts = subjects.chain(others.map(|_| BASELINE)).filter_map(all);
    let texts = texts.collect::<Vec<_>>().join("; ");
    let text = (!texts.is_empty()).then(|| {
        format!(
            "page faults of real programs that work once, their peak memory, time added to a build, \
             and size of a small program: {texts}"
        )
    });
    let part = Part::new("", (faults, is_general), ratio_text).confirmed_by("faults");
    Part { text, ..part }
}

/// The times, and the best of what an embedded program asks for besides.
fn embedded(results: &Results, times: Field) -> [Part; 4] {
    let code = least(results, "code-size", "code-bytes");
    let worst = Field::figures(results, "worst-call", |cell| {
        let of = |name| Some(cell.metrics.get(name)?.max as f64);
        Some(of("take-instructions")?.max(of("give-instructions")?))
    });
    let region = Field::figures(results, "smallest-region", region_percent);
    let part = |label, field, show| Part::new(label, (field, is_embedded), show);
    let count = |value| Unit::Count.text(value);
    [
        part("", times, ratio_text).confirmed_by("embedded"),
        part("least code, in bytes: ", code, count),
        part("least instructions of a worst call: ", worst, count),
        part("smallest region, of the live bytes: ", region, |value| {
            Unit::Percent.text(value)
        }),
    ]
}

/// How much of a fixed heap is granted before the first refusal, in percent: of sizes as programs
/// have them, of which few are powers of two.
fn fixed_heap(results: &Results) -> Part {
    let granted = Field::figures(results, "fill", |cell| {
        let sizes = cell.axis("sizes").unwrap_or_default();
        let is_asked = ["uniform", "odd", "recorded"].contains(&sizes);
        let percent = granted_percent(cell).filter(|_| is_asked)?;
        // A geometric mean needs a figure above zero.
        Some(percent.max(f64::MIN_POSITIVE))
    });
    let granted = (granted.more_is_better(), is_embedded as IsAsked);
    let label = "granted before the first refusal: ";
    Part::new(label, granted, |value| Unit::Percent.text(value)).confirmed_by("fill")
}
