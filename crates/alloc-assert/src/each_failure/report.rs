//! [`EachFailure`]: what a body does when its calls are refused, and assertions on it.

use std::fmt;

use alloc_requirement::{Grain, Number, Values, comparisons};

use super::event::{Event, Refused};

/// The calls that a message lists.
const MOST: usize = 10;

/// What a body did when each of its allocations was refused; see
/// [`each_failure`](crate::each_failure).
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is checked without `assert`"]
pub struct EachFailure {
    /// In a child, a call that is not the child's.
    is_skipped: bool,
    counted: Option<(u64, i64)>,
    varied: Option<u64>,
    refused: Vec<RefusedCall>,
    stacks: Vec<Vec<i64>>,
    /// Why there are no lines.
    no_lines: Option<String>,
}

/// A call that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedCall {
    /// The number of the call in the body, from 1.
    pub call: u64,
    /// The size in bytes that was requested.
    pub size: usize,
    /// How the body ended.
    pub outcome: CallOutcome,
    /// The live blocks at the end of the body less those at its beginning: above 0 if it leaked.
    /// 0 after an abort.
    pub net_blocks: i64,
    /// The line that made the call, with its functions: of calls after which the body panicked,
    /// aborted or leaked, with the feature `sites`.
    pub line: Option<String>,
}

/// How a body ended in which a call was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallOutcome {
    /// It returned, with an error or without.
    Returned,
    /// It panicked, with this place and message.
    Panicked(String),
    /// It ended the process, with this status.
    Aborted(String),
}

/// A figure that a requirement can be about.
type Figure = (&'static str, fn(&EachFailure) -> u64);

/// The figures, with their names.
const FIGURES: [Figure; 5] = [
    ("calls", |report| {
        report.counted.map_or(0, |(calls, _)| calls)
    }),
    ("returned", |report| {
        report.count(|one| one.outcome == CallOutcome::Returned)
    }),
    ("panicked", |report| {
        report.count(|one| matches!(one.outcome, CallOutcome::Panicked(_)))
    }),
    ("aborted", |report| {
        report.count(|one| matches!(one.outcome, CallOutcome::Aborted(_)))
    }),
    ("leaked", |report| report.count(RefusedCall::leaked)),
];

impl RefusedCall {
    fn leaked(&self) -> bool {
        self.net_blocks > 0
    }

    fn is_right(&self) -> bool {
        self.outcome == CallOutcome::Returned && !self.leaked()
    }
}

impl EachFailure {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn skipped() -> Self {
        Self {
            is_skipped: true,
            ..Self::default()
        }
    }

    /// Adds an event.
    pub(super) fn add(&mut self, event: Event) {
        match event {
            Event::Counted { calls, net_blocks } => match self.counted {
                // The first child's are kept.
                Some((before, _)) if before != calls => self.varied = Some(calls),
                Some(_) => {}
                None => self.counted = Some((calls, net_blocks)),
            },
            Event::Probed { size, stack } => {
                if let (Some(call), Some(own)) = (self.refused.last_mut(), self.stacks.last_mut()) {
                    (call.size, *own) = (size, stack);
                }
            }
            Event::Returned(refused) => self.push(CallOutcome::Returned, refused),
            Event::Panicked(refused, message) => {
                self.push(CallOutcome::Panicked(message), refused);
            }
            Event::Aborted(status) => self.push(
                CallOutcome::Aborted(status),
                Refused {
                    size: 0,
                    net_blocks: 0,
                    stack: Vec::new(),
                },
            ),
            Event::Varied { calls } => self.varied = Some(calls),
            Event::End => {}
        }
    }

    fn push(&mut self, outcome: CallOutcome, refused: Refused) {
        self.refused.push(RefusedCall {
            call: self.refused() + 1,
            size: refused.size,
            outcome,
            net_blocks: refused.net_blocks,
            line: None,
        });
        self.stacks.push(refused.stack);
    }

    /// The number of allocations of the body, if they were counted.
    pub(super) fn calls(&self) -> Option<u64> {
        self.counted.map(|(calls, _)| calls)
    }

    /// The number of calls that were refused.
    pub(super) fn refused(&self) -> u64 {
        self.refused.len() as u64
    }

    /// Their stacks; empty ones for those that are right.
    pub(super) fn stacks(&self) -> &[Vec<i64>] {
        &self.stacks
    }

    /// Sets the lines of all calls.
    pub(super) fn set_lines(&mut self, lines: Result<Vec<Option<String>>, String>) {
        match lines {
            Ok(lines) => {
                for (call, line) in self.refused.iter_mut().zip(lines) {
                    call.line = line;
                }
            }
            Err(reason) => self.no_lines = Some(reason),
        }
    }

    /// The calls that were refused, in order. Empty in the processes that
    /// [`each_failure`](crate::each_failure) starts.
    #[must_use]
    pub fn refused_calls(&self) -> &[RefusedCall] {
        &self.refused
    }

    /// Checks requirements on the number of `calls`, and on those after which the body `returned`
    /// (with or without an error), `panicked`, `aborted` the process or `leaked` a block. They are
    /// written as in [`AssertMeasured`](crate::AssertMeasured).
    ///
    /// ```no_run
    /// # use alloc_assert::{CountingAlloc, each_failure};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn parse(text: &str) {}
    /// // In a `#[test]`:
    /// each_failure(|| parse("text")).assert("aborted == 0, panicked == 0, leaked == 0");
    /// ```
    ///
    /// # Panics
    ///
    /// When a requirement is broken, with the calls and their lines. Also when the number of calls
    /// varied from run to run, since then not every call was refused, and when the text is not a
    /// requirement or can't fail.
    #[track_caller]
    pub fn assert(&self, requirements: impl fmt::Display) {
        let text = requirements.to_string();
        let broken = match self.broken(&text) {
            Ok(broken) => broken,
            Err(mistake) => panic!("not a requirement on refused calls: {mistake} in `{text}`"),
        };
        if self.is_skipped {
            return;
        }
        if let (Some((before, _)), Some(calls)) = (self.counted, self.varied) {
            panic!(
                "the number of allocations varies from run to run: it was {before}, and then \
                 {calls}, so not every call can be refused; the body has to do the same in each \
                 run\n{self}"
            );
        }
        if let Some(broken) = broken {
            panic!("refused calls: {broken}\n{self}");
        }
    }

    /// The first requirement that does not hold, in words; an error if the text is wrong.
    fn broken(&self, text: &str) -> Result<Option<String>, String> {
        let mut broken = None;
        let mut current = None;
        for written in comparisons(text) {
            let operator = written.operator().map_err(|error| error.to_string())?;
            let limit = written.amount().map_err(|error| error.to_string())?;
            if limit.unit().is_some() {
                return Err(String::from("calls are a count, and have no unit"));
            }
            let limit = limit.value();
            let figure = match written.name.text {
                "" => current,
                name => FIGURES.iter().find(|(figure, _)| *figure == name),
            };
            let Some(figure) = figure else {
                let names = FIGURES.map(|(name, _)| name).join(", ");
                return Err(format!(
                    "unknown figure `{}` (the figures are {names})",
                    written.name.text
                ));
            };
            current = Some(figure);
            let (name, value) = (figure.0, figure.1(self));
            if Values::from_zero(Grain::Whole).all_meet(operator, limit) {
                return Err(format!("`{name}` is never below 0, so this can't fail:"));
            }
            if !operator.holds(&Number::from(i128::from(value)), &limit) {
                broken.get_or_insert(format!("expected `{name} {operator} {limit}`, got {value}"));
            }
        }
        Ok(broken)
    }

    fn count(&self, is_meant: impl Fn(&RefusedCall) -> bool) -> u64 {
        self.refused.iter().filter(|one| is_meant(one)).count() as u64
    }
}

/// The calls after which the body did not return or leaked, and the sums.
impl fmt::Display for EachFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrong = || self.refused.iter().filter(|one| !one.is_right());
        for call in wrong().take(MOST) {
            writeln!(f, "  {call}")?;
        }
        if let more @ 1.. = wrong().count().saturating_sub(MOST) {
            writeln!(f, "  and {more} more")?;
        }
        write!(f, "  figures: ")?;
        for (number, (name, figure)) in FIGURES.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{name} {}", figure(self))?;
        }
        if let Some((_, kept @ 1..)) = self.counted {
            write!(
                f,
                "\n  leaks:   the body leaves {kept} more blocks also when no call is refused"
            )?;
        }
        match &self.no_lines {
            Some(reason) if wrong().next().is_some() => write!(f, "\n  lines:   {reason}"),
            Some(_) | None => Ok(()),
        }
    }
}

/// `call 3, 48 bytes: panicked, leaked 2 blocks; src/parse.rs:12:9  Vec::push in parse`
impl fmt::Display for RefusedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call {}, {} bytes: ", self.call, self.size)?;
        match &self.outcome {
            CallOutcome::Returned => write!(f, "returned")?,
            CallOutcome::Panicked(_) => write!(f, "panicked")?,
            CallOutcome::Aborted(status) => write!(f, "aborted ({status})")?,
        }
        match self.net_blocks {
            ..=0 => {}
            1 => write!(f, ", leaked 1 block")?,
            blocks => write!(f, ", leaked {blocks} blocks")?,
        }
        if let Some(line) = &self.line {
            write!(f, "; {line}")?;
        }
        match &self.outcome {
            CallOutcome::Panicked(message) => write!(f, "; {message}"),
            CallOutcome::Returned | CallOutcome::Aborted(_) => Ok(()),
        }
    }
}
