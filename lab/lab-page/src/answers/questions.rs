//! Which allocator for which program: ten answers, each by a rule.
//!
//! An answer names the allocator with the best figure, and all that differ from it by no more
//! than both measurements of `system` do. Only allocators that cargo builds on stable Rust take
//! part, and of these only such that have all figures of the rule and no failed request. A loop
//! that shares nothing with the lab confirms most of the orders.

use super::field::{Best, Field};
use super::orders::Order;
use crate::facts::{Facts, Family, Needs, NoStd};
use crate::figure::{Figure, Unit};
use crate::results::{Cell, Results};
use crate::summary::{BASELINE, Column, Summary};
use crate::tables::{granted_percent, half_percent, least, less, median, more, region_percent};

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
    let figures = |cells, figure| Field::figures(results, cells, figure);
    let programs = |label: &str, has_threads, is_asked| {
        let (of, cells) = match has_threads {
            false => ("words 1", "programs/threads=1"),
            true => ("words 2", "programs/threads=2"),
        };
        let is_meant = |column: &Column| column.has_threads == has_threads;
        let times = times(&|column| column.is_of_programs() && is_meant(column));
        let peaks = figures(cells, PEAK);
        let label = format!("{label}three real programs: ");
        Part::new(&label, &times, is_asked, Some(of)).beside("peak memory of a process", &peaks)
    };
    let by_workloads =
        |field, is_asked, of| Part::new("by the workloads of the lab: ", field, is_asked, Some(of));
    let resident = figures("resident", less(half_percent, Unit::Percent));
    let with_memory =
        |part: Part| part.beside("resident memory after churn, of the live bytes", &resident);
    let tails = figures("tails", median("call-p999", Unit::Time));
    let label = "99.9th percentile of a call, median of the processes, mean of taking and giving, \
                 with the reading of the clock: ";
    let tails = Part::new(label, &tails, is_general, Some("tail")).with_baseline(&tails);
    let built = [("build-time", Unit::Time), ("program-bytes", Unit::Memory)];
    let [build, size] = built.map(|(name, unit)| figures("compilation", least(name, unit)));
    let peaks = figures("programs/threads=1", PEAK);
    let faults = figures("programs/threads=1", least("page-faults", Unit::Count));
    let faults = faults.of_those_in(&[&peaks, &build, &size]);
    let label = "page faults of real programs that work once: ";
    let short = Part::new(label, &faults, is_general, Some("faults"))
        .with_baseline(&faults)
        .beside("peak memory of a process", &peaks)
        .beside("time of a build, with cargo's own", &build)
        .beside("size of a small program", &size);
    let part = Part::new;
    let server = format!("A server, on several threads of {} cores", results.cores());
    let frame = workload("frame");
    let answer = Answer::new;
    vec![
        answer(
            "Any program, on one thread",
            vec![
                programs("", false, is_general),
                with_memory(by_workloads(&one_thread, is_general, "mixed")),
            ],
        ),
        answer(
            &server,
            vec![
                programs("", true, is_general),
                with_memory(by_workloads(&threads, is_general, "server")),
            ],
        ),
        answer(
            "A pipeline, whose blocks another thread gives back",
            vec![part(
                "",
                &workload("handover"),
                is_general,
                Some("pipeline"),
            )],
        ),
        answer(
            "A frame loop, which gives all blocks back at once",
            vec![
                part("", &frame, is_buildable, None),
                part(
                    "where blocks go one by one: ",
                    &frame,
                    is_single,
                    Some("frames"),
                ),
            ],
        ),
        answer(
            "Vectors and strings that grow",
            vec![part("", &workload("vectors"), is_general, Some("vectors"))],
        ),
        answer("No call may be slow", vec![tails]),
        answer("A short program or a build tool", vec![short]),
        answer(
            "No C compiler",
            vec![
                programs("on one thread: ", false, is_without_c),
                by_workloads(&one_thread, is_without_c, "mixed"),
                part(
                    "on several, where those in Rust have one lock: ",
                    &threads,
                    is_without_c,
                    None,
                ),
            ],
        ),
        answer(
            "An embedded program, without std, on one thread",
            vec![
                part("", &one_thread, is_embedded, Some("embedded")),
                part(
                    "least code, in bytes: ",
                    &figures("code-size", least("code-bytes", Unit::Bytes)),
                    is_embedded,
                    None,
                ),
                part(
                    "least instructions of a worst call: ",
                    &figures("worst-call", less(worst_call, Unit::Count)),
                    is_embedded,
                    None,
                ),
                part(
                    "smallest region, of the live bytes: ",
                    &figures("smallest-region", less(region_percent, Unit::Percent)),
                    is_embedded,
                    None,
                ),
            ],
        ),
        answer(
            "A small heap of a fixed size",
            vec![part(
                "granted before the first refusal: ",
                &figures("fill", more(granted_of_programs, Unit::Percent)),
                is_embedded,
                Some("fill"),
            )],
        ),
    ]
}

/// The most memory of a process.
const PEAK: Figure = median("peak-resident", Unit::Memory);

/// The instructions of the slower of both calls.
fn worst_call(cell: &Cell) -> Option<f64> {
    let most = |name| Some(cell.metrics.get(name)?.max as f64);
    Some(most("take-instructions")?.max(most("give-instructions")?))
}

/// How much of a fixed heap is granted before the first refusal, in percent: of sizes as programs
/// have them, of which few are powers of two.
fn granted_of_programs(cell: &Cell) -> Option<f64> {
    let sizes = cell.axis("sizes").unwrap_or_default();
    let is_asked = ["uniform", "odd", "recorded"].contains(&sizes);
    granted_percent(cell).filter(|_| is_asked)
}

impl Answer {
    fn new(program: &str, parts: Vec<Part>) -> Self {
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
    order: Option<Order>,
}

impl Part {
    /// The winners behind a label, and their order if a loop confirms it.
    fn new(label: &str, field: &Field, is_asked: IsAsked, of: Option<&'static str>) -> Self {
        let best = field.best(is_asked);
        let text = best
            .as_ref()
            .map(|best| label.to_owned() + &named(best, field.unit));
        let order = of.map(|of| Order::new(of, field, is_asked));
        Self { text, best, order }
    }

    /// The same with another figure of the winners that it names, and of the baseline.
    fn beside(mut self, label: &str, other: &Field) -> Self {
        let winners = self.best.iter().flat_map(|best| &best.winners).take(NAMES);
        let mut subjects: Vec<&str> = winners.map(|winner| winner.subject.as_str()).collect();
        if !subjects.contains(&BASELINE) {
            subjects.push(BASELINE);
        }
        let figures = subjects.into_iter().filter_map(|subject| {
            let figure = other.unit.text(other.figure(subject)?);
            Some(format!("`{subject}` {figure}"))
        });
        let figures: Vec<String> = figures.collect();
        if let (Some(text), false) = (&mut self.text, figures.is_empty()) {
            *text += &format!("; {label}: {}", figures.join(", "));
        }
        self
    }

    /// The same with the figure of the baseline, if it is no winner.
    fn with_baseline(mut self, field: &Field) -> Self {
        let mut winners = self.best.iter().flat_map(|best| &best.winners);
        let has_it = winners.any(|winner| winner.subject == BASELINE);
        let own = field.figure(BASELINE).filter(|_| !has_it);
        if let (Some(text), Some(own)) = (&mut self.text, own) {
            *text += &format!(" (`{BASELINE}` {})", field.unit.text(own));
        }
        self
    }
}

/// The winners with their figures: `a` 0.25x or `b` 0.26x.
fn named(Best { winners, failed }: &Best, unit: Unit) -> String {
    let show = |value| unit.text(value);
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
