//! Which allocator for which program: ten answers, each by a rule.
//!
//! An answer names the allocator with the best figure, and all that differ from it by no more
//! than both measurements of `system` do. Only allocators that cargo builds on stable Rust take
//! part, and of these only such that have all figures of the rule and no failed request. A loop
//! that shares nothing with the lab confirms most of the orders.

use super::field::{Best, Field};
use super::orders::Order;
use crate::facts::{ALONE, Facts, Family, NIGHTLY};
use crate::figure::Unit;
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
                   Brackets show the best and the worst workload of a mean, in which each kind of \
                   workload counts once and `replay`, the allocations of real programs, three \
                   times. Allocators joined by \"or\" are equal: times within 20 % or within \
                   the noise. An answer considers only allocators that cargo builds on stable \
                   Rust and that have all of its figures, all with their default settings; \
                   `system-keep` is glibc with the two that \
                   `allocator-lab/src/subjects/system.rs` sets, and `mimalloc-4k` is mimalloc \
                   without huge pages.\n";

/// The number of names in an answer; of further ones it has the number.
const NAMES: usize = 4;

/// The number of allocators whose order a loop confirms.
const FIRST: usize = 3;

const PROGRAMS: &str = "three real programs: ";
const WORKLOADS: &str = "by the workloads of the lab: ";
const PEAK: &str = "peak memory of a process";
const RESIDENT: &str = "resident memory after churn, of the live bytes";
const TAILS: &str = "99.9th percentile of a call, median of the processes, mean of taking and \
                     giving, with the reading of the clock: ";

/// All answers.
pub fn answers(results: &Results, summary: &Summary) -> Vec<Answer> {
    let times = |is_meant: &dyn Fn(&Column) -> bool| Field::times(summary, is_meant);
    let [one_thread, threads] = [false, true].map(|has_threads| {
        times(&|column| column.has_threads == has_threads && !column.is_of_programs())
    });
    let [programs, programs_2] = [false, true].map(|has_threads| {
        times(&|column| column.has_threads == has_threads && column.is_of_programs())
    });
    let workload = |name| times(&|column| column.workload == name);
    let frame = workload("frame");
    let figures = |cells, figure| Field::figures(results, cells, figure);
    let least = |cells, metric, unit| figures(cells, least(metric, unit));
    let peaks = |cells| figures(cells, median("peak-resident", Unit::Memory));
    let [peaks, peaks_2] = ["programs/threads=1", "programs/threads=2"].map(peaks);
    let resident = figures("resident", less(half_percent, Unit::Percent));
    let tails = figures("tails", median("call-p999", Unit::Time));
    let build = least("compilation", "build-time", Unit::Time);
    let size = least("compilation", "program-bytes", Unit::Memory);
    let faults = least("programs/threads=1", "page-faults", Unit::Count);
    let faults = faults.of_those_in(&[&peaks, &build, &size]);
    let region = figures("smallest-region", less(region_percent, Unit::Percent));
    let granted = figures("fill", more(granted_of_programs, Unit::Percent));
    let server = format!("A server, on several threads of {} cores", results.cores());
    let rules = [
        Rule::new("Any program, on one thread", is_general)
            .part(PROGRAMS, &programs, Some("words 1"))
            .beside(PEAK, &peaks)
            .part(WORKLOADS, &one_thread, Some("mixed"))
            .beside(RESIDENT, &resident),
        Rule::new(&server, is_general)
            .part(PROGRAMS, &programs_2, Some("words 2"))
            .beside(PEAK, &peaks_2)
            .part(WORKLOADS, &threads, Some("server"))
            .beside(RESIDENT, &resident),
        Rule::new(
            "A pipeline, whose blocks another thread gives back",
            is_general,
        )
        .part("", &workload("handover"), Some("pipeline")),
        Rule::new(
            "A frame loop, which gives all blocks back at once",
            is_buildable,
        )
        .part("", &frame, None)
        .asked(is_single)
        .part("where blocks go one by one: ", &frame, Some("frames")),
        Rule::new("Vectors and strings that grow", is_general).part(
            "",
            &workload("vectors"),
            Some("vectors"),
        ),
        Rule::new("No call may be slow", is_general)
            .part(TAILS, &tails, Some("tail"))
            .with_baseline(&tails),
        Rule::new("A short program or a build tool", is_general)
            .part(
                "page faults of real programs that work once: ",
                &faults,
                Some("faults"),
            )
            .with_baseline(&faults)
            .beside(PEAK, &peaks)
            .beside("time of a build, with cargo's own", &build)
            .beside("size of a small program", &size),
        Rule::new("No C compiler", is_without_c)
            .part(
                &format!("on one thread: {PROGRAMS}"),
                &programs,
                Some("words 1"),
            )
            .beside(PEAK, &peaks)
            .part(WORKLOADS, &one_thread, Some("mixed"))
            .part(
                "on several, where those in Rust have one lock: ",
                &threads,
                None,
            ),
        Rule::new(
            "An embedded program, without std, on one thread",
            is_embedded,
        )
        .part("", &one_thread, Some("embedded"))
        .part("smallest region, of the live bytes: ", &region, None),
        Rule::new("A small heap of a fixed size", is_embedded).part(
            "granted before the first refusal: ",
            &granted,
            Some("fill"),
        ),
    ];
    rules.map(Rule::answer).into()
}

/// How much of a fixed heap is granted before the first refusal, in percent: of sizes as programs
/// have them, of which few are powers of two.
fn granted_of_programs(cell: &Cell) -> Option<f64> {
    let sizes = cell.axis("sizes").unwrap_or_default();
    let is_asked = ["uniform", "odd", "recorded"].contains(&sizes);
    granted_percent(cell).filter(|_| is_asked)
}

/// The answers as a list of Markdown, with a paragraph that explains their figures.
pub fn markdown(answers: &[Answer]) -> String {
    let lines = answers.iter();
    let lines = lines.map(|Answer { program, text, .. }| format!("- **{program}**: {text}.\n"));
    format!("{}\n{KEY}", lines.collect::<String>())
}

type IsAsked = fn(Option<&Facts>) -> bool;

/// An answer whose parts are added one by one.
struct Rule {
    answer: Answer,
    /// Whom the next parts ask.
    is_asked: IsAsked,
    /// The winners of the last part.
    best: Option<Best>,
}

impl Rule {
    fn new(program: &str, is_asked: IsAsked) -> Self {
        let answer = Answer {
            program: program.to_owned(),
            text: String::new(),
            orders: Vec::new(),
        };
        Self {
            answer,
            is_asked,
            best: None,
        }
    }

    fn asked(self, is_asked: IsAsked) -> Self {
        Self { is_asked, ..self }
    }

    /// Adds the winners of a field, if it has figures, and the order that a loop confirms.
    fn part(mut self, label: &str, field: &Field, of: Option<&'static str>) -> Self {
        self.best = field.best(self.is_asked);
        if let Some(best) = &self.best {
            let gap = if self.answer.text.is_empty() {
                ""
            } else {
                "; "
            };
            self.answer.text += &format!("{gap}{label}{}", named(best, field.unit));
        }
        if let (Some(best), Some(of)) = (&self.best, of)
            && best.figures.len() > 1
        {
            let first = best.figures.iter().take(FIRST);
            self.answer.orders.push(Order {
                of,
                subjects: first.map(|one| (one.subject.clone(), one.value)).collect(),
                noise: best.noise,
            });
        }
        self
    }

    /// Adds another figure of the winners that the last part names, and of the baseline.
    fn beside(mut self, label: &str, other: &Field) -> Self {
        let winners = self.best.iter().flat_map(Best::winners).take(NAMES);
        let mut subjects: Vec<&str> = winners.map(|winner| winner.subject.as_str()).collect();
        if !subjects.contains(&BASELINE) {
            subjects.push(BASELINE);
        }
        let figures = subjects.into_iter().filter_map(|subject| {
            let figure = other.unit.text(other.figure(subject)?);
            Some(format!("`{subject}` {figure}"))
        });
        let figures: Vec<String> = figures.collect();
        if self.best.is_some() && !figures.is_empty() {
            self.answer.text += &format!("; {label}: {}", figures.join(", "));
        }
        self
    }

    /// Adds the figure of the baseline to the last part, if it is no winner.
    fn with_baseline(mut self, field: &Field) -> Self {
        let own = field.figure(BASELINE);
        if let (Some(best), Some(own)) = (&self.best, own)
            && best.winners().all(|one| one.subject != BASELINE)
        {
            self.answer.text += &format!(" (`{BASELINE}` {})", field.unit.text(own));
        }
        self
    }

    fn answer(mut self) -> Answer {
        if self.answer.text.is_empty() {
            self.answer.text = "not measured".to_owned();
        }
        self.answer
    }
}

/// The winners with their figures: `a` 0.25x or `b` 0.26x.
fn named(best: &Best, unit: Unit) -> String {
    let show = |value| unit.text(value);
    let names = best.winners().take(NAMES).map(|figure| {
        let range = figure.range.map(|(low, high)| (show(low), show(high)));
        let range = range.filter(|(low, high)| low != high);
        let range = range.map(|(low, high)| format!(" ({low} to {high})"));
        let (subject, value) = (&figure.subject, show(figure.value));
        format!("`{subject}` {value}{}", range.unwrap_or_default())
    });
    let mut names: Vec<String> = names.collect();
    if let more @ 1.. = best.winners().count().saturating_sub(NAMES) {
        names.push(format!("{more} more"));
    }
    let names = match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    };
    let failed = best.failed.iter().map(|subject| format!("`{subject}`"));
    let failed: Vec<String> = failed.collect();
    match failed.is_empty() {
        true => names,
        false => format!("{names}; requests fail with {}", failed.join(", ")),
    }
}

/// What cargo builds on stable Rust. An allocator of another crate is taken for one.
fn is_buildable(facts: Option<&Facts>) -> bool {
    facts.is_none_or(|facts| facts.needs != NIGHTLY)
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
    facts.is_some_and(|facts| facts.no_std == ALONE)
}
