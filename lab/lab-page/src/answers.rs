//! Which allocator for which program: ten answers, each by a rule.
//!
//! An answer names the allocator with the best value, and all that differ from it by no more
//! than both measurements of `system` do. Only allocators that cargo builds on stable Rust take
//! part, and of these only such that have all values of the rule and no failed request. A loop
//! that shares nothing with the lab confirms most of the orders.

use crate::facts::{ALONE, Facts, Family, NIGHTLY};
use crate::query::{BASELINE, distinct, is_control};
use crate::results::{Cell, Results};
use crate::summary::{self, Column, Score, Summary, geometric_mean, is_within};
use crate::tables::{granted_percent, half_percent, region_percent};
use crate::value::{Better, Unit, Value, least, less, median, more};

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The kind of a program.
    pub program: String,
    /// Sentences, or that the cells of the rule were not measured.
    pub text: String,
    /// The orders behind it that loops confirm.
    pub orders: Vec<Order>,
}

/// Explains the values.
const KEY: &str = "0.40x is 40 % of the time with `system`, without the loop, except where threads \
                   exceed the cores. A mean of workloads has its best and its worst one behind it; \
                   each kind of workload counts once in it, and `replay`, the recorded allocations \
                   of real programs, three times. Allocators joined by \"or\" differ by no more \
                   than 20 %, or than the noise. All are built by cargo on stable Rust, with their \
                   default settings; `system-keep` is glibc with the two settings in \
                   `allocator-lab/src/subjects/system.rs`, and `mimalloc-4k` is mimalloc without \
                   huge pages.\n";

/// The number of names in an answer; of further ones it has the number.
const NAMES: usize = 4;

/// The number of allocators whose order a loop confirms.
const FIRST: usize = 3;

/// By how much two times have to differ at least to tell a program which allocator is better: two
/// loops that ask the same question differ by as much.
const TOLERANCE: f64 = 1.2;

/// By how much two values of a loop differ if they are not the same.
const TOLERANCE_OF_A_LOOP: f64 = 1.1;

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
    let values = |cells, value| Field::values(results, cells, value);
    let peaks = |cells| values(cells, median("peak-resident", Unit::Memory));
    let [peaks, peaks_2] = ["programs/threads=1", "programs/threads=2"].map(peaks);
    let resident = values("resident", less(half_percent, Unit::Percent));
    let tails = values("tails", least("call-p999", Unit::Time));
    let build = values("compilation", least("build-time", Unit::Time));
    let size = values("compilation", least("program-bytes", Unit::Memory));
    let faults = values("programs/threads=1", least("page-faults", Unit::Count));
    let region = values("smallest-region", less(region_percent, Unit::Percent));
    let granted = values("fill", more(granted_percent, Unit::Percent));
    let cores = results.run.cores;
    let server = format!("A server, on several threads of {cores} cores");
    let rules = [
        Rule::new("Any program, on one thread")
            .part(PROGRAMS, &programs, Some("words 1"))
            .beside(PEAK, &peaks)
            .part(WORKLOADS, &one_thread, Some("workloads"))
            .beside(CHURN, &resident),
        Rule::new(&server)
            .part(PROGRAMS, &programs_2, Some("words 2"))
            .beside(PEAK, &peaks_2)
            .part(WORKLOADS, &threads, Some("server"))
            .beside(CHURN, &resident),
        Rule::new("A pipeline, whose blocks another thread gives back").part(
            FASTEST,
            &workload("handover"),
            Some("pipeline"),
        ),
        Rule::new("A frame loop, which gives all blocks back at once")
            .asked(is_buildable)
            .part(FASTEST, &frame, None)
            .asked(is_single)
            .part(ONE_BY_ONE, &frame, Some("frames")),
        Rule::new("Vectors and strings that grow").part(
            FASTEST,
            &workload("vectors"),
            Some("vectors"),
        ),
        Rule::new("No call may be slow").part(TAILS, &tails, Some("tail")),
        Rule::new("A short program or a build tool")
            .part(FAULTS, &faults, Some("faults"))
            .beside(PEAK, &peaks)
            .beside("A small program builds in", &build)
            .beside("Its size", &size),
        Rule::new("No C compiler")
            .asked(is_without_c)
            .part(PROGRAMS, &programs, Some("words 1"))
            .beside(PEAK, &peaks)
            .part(WORKLOADS, &one_thread, Some("workloads"))
            .part(LOCKED, &threads, None),
        Rule::new("An embedded program, without std, on one thread")
            .asked(is_embedded)
            .part(WORKLOADS, &one_thread, Some("embedded"))
            .part(LEAST, &region, None),
        Rule::new("A small heap of a fixed size")
            .asked(is_embedded)
            .part(FILLED, &granted, Some("fill")),
    ];
    rules.map(Rule::answer).into()
}

const FASTEST: &str = "Fastest with {names}.";
const ONE_BY_ONE: &str = "Where blocks go one by one: {names}.";
const PROGRAMS: &str = "Three real programs are fastest with {names}.";
const WORKLOADS: &str = "The workloads of the lab are fastest with {names}.";
const LOCKED: &str = "On several threads, where the ones in Rust have one lock: {names}.";
const TAILS: &str = "One call in 1,000 takes longer than {with}{system}, clock included.";
const FAULTS: &str = "Page faults until three real programs have worked once: {with}{system}.";
const LEAST: &str = "Of their live bytes, the recorded programs need {with}.";
const FILLED: &str = "Before the first request is refused, it is filled to {with}.";
const PEAK: &str = "Peak memory";
const CHURN: &str = "Resident memory after churn, of the live bytes";

/// The answers as a list of Markdown, with a paragraph that explains their values.
pub fn markdown(answers: &[Answer]) -> String {
    let lines = answers.iter();
    let lines = lines.map(|Answer { program, text, .. }| format!("- **{program}.** {text}\n"));
    format!("{}\n{KEY}", lines.collect::<String>())
}

type IsAsked = fn(&Facts) -> bool;

/// What cargo builds on stable Rust.
fn is_buildable(facts: &Facts) -> bool {
    facts.needs != NIGHTLY
}

/// Whose blocks go one by one.
fn is_single(facts: &Facts) -> bool {
    is_buildable(facts) && facts.family != Family::Arena
}

/// Without a C compiler: a program has the system's allocator, too.
fn is_without_c(facts: &Facts) -> bool {
    is_buildable(facts) && matches!(facts.family, Family::Rust | Family::System)
}

/// For any program.
fn is_general(facts: &Facts) -> bool {
    is_single(facts) && facts.family != Family::Region
}

/// Without an operating system, in memory that the program has.
fn is_embedded(facts: &Facts) -> bool {
    facts.no_std == ALONE
}

/// An answer whose parts are added one by one.
struct Rule {
    program: String,
    sentences: Vec<String>,
    orders: Vec<Order>,
    /// Whom the next parts ask.
    is_asked: IsAsked,
    /// The winners of the last part.
    best: Option<Field>,
}

impl Rule {
    /// For any program.
    fn new(program: &str) -> Self {
        Self {
            program: program.to_owned(),
            sentences: Vec::new(),
            orders: Vec::new(),
            is_asked: is_general,
            best: None,
        }
    }

    fn asked(self, is_asked: IsAsked) -> Self {
        Self { is_asked, ..self }
    }

    /// Adds a sentence on the winners of a field, if it has values, and the order that a loop
    /// confirms. `{names}` are the winners with their values, `{with}` the values with their
    /// winners, and `{system}` is the baseline's value if it is no winner.
    fn part(mut self, sentence: &str, field: &Field, of: Option<&'static str>) -> Self {
        self.best = field.best(self.is_asked);
        let Some(best) = &self.best else {
            return self;
        };
        let show = |value| field.unit.text(value);
        let names = best.listed(|one| {
            let range = one.range.map(|(low, high)| (show(low), show(high)));
            let range = range.filter(|(low, high)| low != high);
            let range = range.map(|(low, high)| format!("; {low} to {high}"));
            let (subject, value) = (&one.subject, show(one.value));
            format!("`{subject}` ({value}{})", range.unwrap_or_default())
        });
        let with = best.listed(|one| format!("{} with `{}`", show(one.value), one.subject));
        let system = match field.value(BASELINE) {
            Some(own) if best.winners().all(|one| one.subject != BASELINE) => {
                format!(" ({} with `{BASELINE}`)", show(own))
            }
            _ => String::new(),
        };
        let sentence = sentence.replace("{names}", &names).replace("{with}", &with);
        self.sentences.push(sentence.replace("{system}", &system));
        if !best.failed.is_empty() {
            let failed: Vec<String> = best.failed.iter().map(|one| format!("`{one}`")).collect();
            self.sentences
                .push(format!("Requests fail with {}.", failed.join(", ")));
        }
        if let Some(of) = of.filter(|_| best.ranked.len() > 1) {
            let first = best.ranked.iter().take(FIRST);
            self.orders.push(Order {
                of,
                subjects: first.map(|one| (one.subject.clone(), one.value)).collect(),
                noise: best.noise,
            });
        }
        self
    }

    /// Adds another value of the winners that the last part names, and of the baseline.
    fn beside(mut self, label: &str, other: &Field) -> Self {
        let Some(best) = &self.best else {
            return self;
        };
        let winners = best
            .winners()
            .take(NAMES)
            .map(|winner| winner.subject.as_str());
        let subjects = distinct(winners.chain([BASELINE])).into_iter();
        let values = subjects.filter_map(|subject| {
            let value = other.unit.text(other.value(subject)?);
            Some(format!("`{subject}` {value}"))
        });
        let values: Vec<String> = values.collect();
        if !values.is_empty() {
            self.sentences
                .push(format!("{label}: {}.", values.join(", ")));
        }
        self
    }

    fn answer(self) -> Answer {
        let text = match self.sentences.is_empty() {
            true => "Not measured.".to_owned(),
            false => self.sentences.join(" "),
        };
        Answer {
            program: self.program,
            text,
            orders: self.orders,
        }
    }
}

/// The value of a subject.
#[derive(Clone)]
struct Ranked {
    subject: String,
    value: f64,
    /// The least and the greatest value that a mean is of, if there are several.
    range: Option<(f64, f64)>,
}

/// A value of each subject.
#[derive(Clone)]
struct Field {
    ranked: Vec<Ranked>,
    failed: Vec<String>,
    /// The factor by which both measurements of the baseline differ, and two times at least.
    noise: f64,
    unit: Unit,
    better: Better,
}

impl Field {
    fn new(noise: Option<f64>, unit: Unit, better: Better) -> Self {
        let is_time = matches!(unit, Unit::Ratio | Unit::Time);
        let least = if is_time { TOLERANCE } else { 1.0 };
        Self {
            ranked: Vec::new(),
            failed: Vec::new(),
            noise: noise.unwrap_or(1.0).max(least),
            unit,
            better,
        }
    }

    /// The times in some columns, as ratios to the baseline: of subjects with all of their
    /// cells.
    fn times(summary: &Summary, is_asked: impl Fn(&Column) -> bool) -> Self {
        let columns: Vec<&Column> = summary.columns.iter().filter(|one| is_asked(one)).collect();
        let noises = columns.iter();
        let noises = noises.filter_map(|&column| Some((column, column.noise?)));
        let noise = summary::mean(&noises.collect::<Vec<_>>());
        let mut field = Self::new(noise, Unit::Ratio, Better::Less);
        for subject in &summary.subjects {
            let scores = columns.iter().map(|column| summary.score(column, subject));
            let scores: Vec<Score> = scores.collect();
            if scores.contains(&Score::Failed) {
                field.failed.push(subject.clone());
                continue;
            }
            let whole = columns.iter().zip(&scores).filter_map(|(column, score)| {
                let is_partial = matches!(score, Score::Ratio { is_partial, .. } if *is_partial);
                Some((*column, score.ratio()?)).filter(|_| !is_partial)
            });
            let whole: Vec<(&Column, f64)> = whole.collect();
            if whole.len() < columns.len() {
                continue;
            }
            field.ranked.extend(summary::mean(&whole).map(|value| {
                let ratios = || whole.iter().map(|(_, ratio)| *ratio);
                let range = (
                    ratios().fold(value, f64::min),
                    ratios().fold(value, f64::max),
                );
                Ranked {
                    subject: subject.clone(),
                    value,
                    range: (whole.len() > 1).then_some(range),
                }
            }));
        }
        field
    }

    /// The geometric mean of a value over some cells: of subjects with as many of them as the
    /// subject with most. Less than 1 counts as 1, since a mean needs values above zero.
    fn values(results: &Results, of: &str, value: Value) -> Self {
        let cells: Vec<&Cell> = results.cells.iter().filter(|cell| cell.is_of(of)).collect();
        let own = |subject| {
            let cells = cells.iter().copied();
            cells.filter(move |cell| cell.subject() == Some(subject))
        };
        let value_of = |cell: &Cell| Some(value.of(cell)?.max(1.0));
        let noises = own(BASELINE).filter_map(|cell| results.noise_factor_of(cell, value_of));
        let noise = geometric_mean(&noises.collect::<Vec<_>>());
        let mut field = Self::new(noise, value.unit, value.better);
        let mut most = 0;
        let mut counts = Vec::new();
        for subject in distinct(cells.iter().filter_map(|cell| cell.subject())) {
            if is_control(subject) {
                continue;
            }
            if own(subject).any(|cell| cell.failure.is_some()) {
                field.failed.push(subject.to_owned());
                continue;
            }
            let values: Vec<f64> = own(subject).filter_map(value_of).collect();
            if let Some(value) = geometric_mean(&values) {
                field.ranked.push(Ranked {
                    subject: subject.to_owned(),
                    value,
                    range: None,
                });
                most = most.max(values.len());
                counts.push(values.len());
            }
        }
        let mut counts = counts.into_iter();
        field.ranked.retain(|_| counts.next() == Some(most));
        field
    }

    /// The value of a subject.
    fn value(&self, subject: &str) -> Option<f64> {
        let found = self.ranked.iter().find(|one| one.subject == subject)?;
        Some(found.value)
    }

    /// The subjects that are asked, the best first; `None` if there is none with a value.
    fn best(&self, is_asked: IsAsked) -> Option<Self> {
        let asked = |subject: &str| Facts::find(subject).is_some_and(is_asked);
        let mut best = self.clone();
        best.ranked.retain(|one| asked(&one.subject));
        best.failed.retain(|subject| asked(subject));
        best.ranked.sort_by(|one, other| match self.better {
            Better::More => other.value.total_cmp(&one.value),
            Better::Less | Better::Neither => one.value.total_cmp(&other.value),
        });
        (!best.ranked.is_empty()).then_some(best)
    }

    /// All that differ from the first by no more than the noise.
    fn winners(&self) -> impl Iterator<Item = &Ranked> {
        let best = self.ranked[0].value;
        let ranked = self.ranked.iter();
        ranked.filter(move |one| is_within(one.value / best, self.noise))
    }

    /// The winners: `a, b or 3 more`.
    fn listed(&self, show: impl Fn(&Ranked) -> String) -> String {
        let mut names: Vec<String> = self.winners().take(NAMES).map(show).collect();
        if let more @ 1.. = self.winners().count().saturating_sub(NAMES) {
            names.push(format!("{more} more"));
        }
        match names.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            names => names.concat(),
        }
    }
}

/// The first allocators of an answer, whose order an independent loop confirms.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The loop.
    pub of: &'static str,
    pub subjects: Vec<(String, f64)>,
    /// The factor that two values differ by if they are not the same.
    pub noise: f64,
}

impl Order {
    /// The first two allocators that a loop has in the other order, beyond the noise of both; less
    /// is better in the loop. Allocators without a value are left out.
    pub fn contradiction(&self, value: impl Fn(&str) -> Option<f64>) -> Option<(&str, &str)> {
        for (nth, (better, own)) in self.subjects.iter().enumerate() {
            for (worse, other) in &self.subjects[nth + 1..] {
                let are_apart = (own / other).max(other / own) > self.noise;
                let both = value(better).zip(value(worse));
                let is_wrong = both.is_some_and(|(own, other)| own > TOLERANCE_OF_A_LOOP * other);
                if are_apart && is_wrong {
                    return Some((better, worse));
                }
            }
        }
        None
    }
}
