//! [`Diagnostic`]: a problem or a note with its code, and [`Diagnostics`]: the mistakes in a file.
//!
//! A new one touches two places: where it is found, and the table of [`Code`]s, which
//! `docs/codes.md` repeats.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::ops::Range;

use alloc_results::{BenchId, Location};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Shown, Renderer, Snippet};

use crate::printable::{one_line, plain_lines, shortened};

/// Declares the codes, each with its variant, its name and a line about it.
macro_rules! codes {
    ($($Code:ident $name:literal $description:literal,)+) => {
        /// The kinds of diagnostics: mistakes in files, what a gate lacks, findings, and notes.
        /// `docs/codes.md` has a row for each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $description] $Code,)+
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$Code),+];

            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Code => $name,)+
                }
            }

            /// What the code means.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$Code => $description,)+
                }
            }
        }
    };
}

codes! {
    // Mistakes in a file.
    Syntax "toml-syntax" "The text is not TOML.",
    UnknownKey "unknown-key" "The table has no such key.",
    MissingKey "missing-key" "A required key is missing.",
    WrongType "wrong-type" "A value has the wrong type, as in `allocs = 5`.",
    BadValue "bad-value" "A value has the right type, but the key does not accept it.",
    UnsupportedVersion "unsupported-version" "This command doesn't read files of that `version`.",
    DuplicateGate "duplicate-gate" "Two gates have the same name.",
    DuplicateBench "duplicate-bench" "A bench is listed twice with the same features.",
    UnknownBench "unknown-bench" "The workspace has no such bench.",
    EmptyGate "empty-gate" "A gate, or the table of a metric, has no requirement.",
    NoScenarios "no-scenarios" "A gate has no `scenarios`.",
    BadPattern "bad-pattern" "A pattern is empty, or is not a glob.",
    UnknownMetric "unknown-metric" "A key of a gate is neither a metric nor another key that gates have.",
    UnknownStatistic "unknown-statistic" "The metric has no such statistic.",
    BadRequirement "bad-requirement" "A requirement can't be read.",
    UnknownOperator "unknown-operator" "There is no such operator, as in `=< 5`.",
    UnknownUnit "unknown-unit" "There is no such unit of bytes.",
    UnitMismatch "unit-mismatch" "A limit has a unit of bytes, but the metric is a count.",
    UnusedKey "unused-key" "A key has no effect.",
    NoBaselineFile "no-baseline-file" "A requirement compares with a baseline, but there is no `[baseline]`.",
    BadCfg "bad-cfg" "A `when` can't be read, or would be the same for every target.",
    BadVersionRequirement "bad-version-requirement" "A `rustc` is not a version requirement.",
    BadBaseline "bad-baseline" "The baseline's data can't be read, or contradicts itself.",

    // What a gate lacks for a verdict, from the least to the worst.
    UnmeasuredMetric "unmeasured-metric" "A scenario did not measure a metric that the gate limits.",
    OtherUnit "other-unit" "A scenario measures a metric in a unit that `[metrics]` does not declare.",
    NoEnvironment "no-environment" "The baseline has no values for the environment of the run.",
    NoAcceptedValue "no-accepted-value" "The baseline lacks the scenario, or this value of it.",
    NoElements "no-elements" "A scenario declares no number of elements, or 0.",
    NoReference "no-reference" "The scenario that a limit names was not measured, lacks the value, or is in several benches.",
    UncomputableLimit "uncomputable-limit" "A computed limit has too many digits to be exact.",
    NoAxis "no-axis" "A scenario has no axis of whole numbers to grow over, or several.",
    TooFewPoints "too-few-points" "A sweep has too few values to determine its growth.",
    PointsTooNear "points-too-near" "The values of a sweep are too close together to determine its growth.",
    UnavailableScenario "unavailable-scenario" "A scenario could not be measured on the machine that ran its bench.",
    UnmatchedPattern "unmatched-pattern" "A pattern of a gate matches no measured scenario.",

    // Findings.
    Ungated "ungated-scenario" "No gate applies to a measured scenario, and no limit names it.",
    Nondeterministic "nondeterministic-scenario" "The iterations of a scenario differ in a metric that a gate limits.",
    UnmatchedExclude "unmatched-exclude" "A pattern in `exclude` matches none of the gate's scenarios.",
    UnansweredCondition "unanswered-condition" "It is unknown whether a gate applies, because the target or the compiler is unknown.",
    Foreign "foreign-allocations" "Other threads used the allocator while a scenario in thread scope was counted.",
    Uncounted "uncounted-allocations" "`uncounted` excluded operations of a scenario from its counts.",
    StillRunning "threads-still-running" "A thread was still running a tenth of a second after the iteration that started it.",
    OtherToolchain "other-toolchain" "A gate compares with a baseline that was measured with another compiler.",
    UnusedBaseline "unused-baseline" "There is a baseline, but no gate compares with it.",
    StaleDocument "stale-document" "The baseline's page is out of date.",
    NoDocument "no-document" "The baseline's page does not exist.",
    UnlistedBench "unlisted-bench" "A bench uses alloc-scenario, but gates.toml does not list it, so it did not run.",
    UnrecordedBench "unrecorded-bench" "`check --results` got no results for a bench that gates.toml lists.",
    Unmeasured "unmeasured-scenario" "The baseline has a scenario that no bench has any more.",
    FellToZero "fell-to-zero" "A scenario no longer allocates, but did in the baseline.",
    Filtered "filtered-results" "A filter left scenarios out of the results.",
    Panicked "panicked-scenario" "A scenario panicked, or could not be measured.",
    TimedOut "timed-out-scenario" "A scenario does not fit a time limit, and was not measured.",

    // Notes.
    NotSelected "not-selected" "None of the gate's scenarios was selected.",
    OthersNotSelected "others-not-selected" "The scenarios that a gate compares with were not selected.",
    OtherTarget "other-target" "A gate's `when` does not hold for the target.",
    OtherCompiler "other-compiler" "A gate's `rustc` does not hold for the compiler.",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

named! {
    /// What a diagnostic does to the check.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Level {
        /// The check fails.
        Deny = "deny",
        /// It is only shown.
        Warn = "warn",
        /// It is no problem.
        Note = "note",
    }
}

/// A line and a column of a file, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// The place of a byte `offset` in `text`.
    #[must_use]
    pub fn from_offset(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_begin..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The subject of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Where {
    /// Nothing in particular.
    Nowhere,
    /// These bytes of the file that the [`Diagnostics`] are on.
    Span(Range<usize>),
    Place {
        file: String,
        /// The line and the column.
        place: Place,
    },
    Bench(BenchId),
    Scenario(Box<Registered>),
}

impl Where {
    pub(crate) fn scenario(bench: &BenchId, name: String, location: &Location) -> Self {
        Self::Scenario(Box::new(Registered {
            bench: bench.clone(),
            name,
            location: location.clone(),
        }))
    }
}

/// A scenario with the place that registers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    pub bench: BenchId,
    /// Its name as reports show it.
    pub name: String,
    /// Where it was registered.
    pub location: Location,
}

/// A problem, or a note: made where it is found, and shown as it is.
///
/// In `message` and `help`, names and code stand between backticks, as in markdown: a name with
/// backticks of its own stands between more of them. Text from outside that is not a name comes last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind.
    pub code: Code,
    /// What it does to the check.
    pub level: Level,
    /// The subject.
    pub place: Where,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A problem or a note of one line, without help.
    pub(crate) fn new(code: Code, level: Level, place: Where, message: &str) -> Self {
        Self {
            code,
            level,
            place,
            message: one_line(message),
            help: None,
        }
    }

    pub(crate) fn mistake(code: Code, span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            code,
            level: Level::Deny,
            place: Where::Span(span),
            message: message.into(),
            help: None,
        }
    }

    /// The bytes of the file that a mistake is about.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        match &self.place {
            Where::Span(span) => span.clone(),
            Where::Nowhere | Where::Place { .. } | Where::Bench(_) | Where::Scenario(_) => 0..0,
        }
    }

    /// A mistake at other bytes.
    pub(crate) fn at(self, span: Range<usize>) -> Self {
        Self {
            place: Where::Span(span),
            ..self
        }
    }

    /// With what to do about it.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }
}

/// How many mistakes of a file are rendered.
const MOST_SHOWN: usize = 50;

/// All mistakes of one file, in the order of the file; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    file: String,
    text: String,
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// The mistakes in the `text` of `file`, in any order.
    #[must_use]
    pub fn new(file: &str, text: &str, mut list: Vec<Diagnostic>) -> Self {
        for diagnostic in &mut list {
            diagnostic.place = Where::Span(whole_characters(text, &diagnostic.span()));
            // They quote the file.
            diagnostic.message = plain_lines(&shortened(&diagnostic.message));
            let help = diagnostic.help.as_deref().map(shortened);
            diagnostic.help = help.map(|help| plain_lines(&help));
        }
        list.sort_by_key(|diagnostic| diagnostic.span().start);
        Self {
            file: one_line(file),
            text: text.to_owned(),
            list,
        }
    }

    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The mistakes, in the order of the file.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// The first mistakes, which are rendered.
    pub fn shown(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter().take(MOST_SHOWN)
    }

    /// The place where a mistake begins.
    #[must_use]
    pub fn place(&self, diagnostic: &Diagnostic) -> Place {
        Place::from_offset(&self.text, diagnostic.span().start)
    }

    /// Rendered like compiler errors, with terminal styles.
    #[must_use]
    pub fn styled(&self) -> String {
        self.render(&Renderer::styled())
    }

    fn render(&self, renderer: &Renderer) -> String {
        let renderer = renderer.clone().decor_style(DecorStyle::Ascii);
        let mut blocks: Vec<String> = self
            .shown()
            .map(|diagnostic| renderer.render(&self.report(diagnostic)))
            .collect();
        if let Some(rest @ 1..) = self.list.len().checked_sub(MOST_SHOWN) {
            let plural = if rest == 1 { "" } else { "s" };
            let title = format!("{rest} more error{plural} not shown");
            let title = Shown::ERROR.primary_title(title);
            blocks.push(renderer.render(&[Group::with_title(title)]));
        }
        blocks.join("\n\n")
    }

    fn report<'d>(&'d self, diagnostic: &'d Diagnostic) -> Vec<Group<'d>> {
        // The renderer is slow on a long text, so it gets the lines of the span alone.
        let Range { start, end } = diagnostic.span();
        let begin = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &self.text[end..];
        let lines = &self.text[begin..end + rest.find('\n').unwrap_or(rest.len())];
        let snippet = Snippet::source(lines)
            .path(&self.file)
            .line_start(self.place(diagnostic).line)
            .annotation(AnnotationKind::Primary.span(start - begin..end - begin));
        let mut group = Shown::ERROR
            .primary_title(&diagnostic.message)
            .id(diagnostic.code.name())
            .element(snippet);
        if let Some(help) = &diagnostic.help {
            group = group.element(Shown::HELP.message(help));
        }
        vec![group]
    }
}

/// Limits a `span` to `text` and extends it to whole characters: the renderer slices by it.
fn whole_characters(text: &str, span: &Range<usize>) -> Range<usize> {
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Rendered like compiler errors, without styles.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain()))
    }
}

impl Error for Diagnostics {}

/// A collector of mistakes, so that a reader can report all of them.
#[derive(Debug, Default)]
pub(crate) struct Problems(RefCell<Vec<Diagnostic>>);

impl Problems {
    pub(crate) fn push(&self, diagnostic: Diagnostic) {
        self.0.borrow_mut().push(diagnostic);
    }

    /// Adds a mistake in the file.
    pub(crate) fn mistake(&self, code: Code, span: Range<usize>, message: impl Into<String>) {
        self.push(Diagnostic::mistake(code, span, message));
    }

    /// Adds a mistake in the file, with what to do about it.
    pub(crate) fn helped(
        &self,
        code: Code,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic::mistake(code, span, message).help(help));
    }

    pub(crate) fn into_list(self) -> Vec<Diagnostic> {
        self.0.into_inner()
    }
}

/// A hint with the word among `known` that is similar to `word`, or else with all of them.
pub(crate) fn suggest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(word, known.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None => format!("expected one of {}", list(&known)),
    }
}

/// The one of the `known` words that is most similar to `word`, if one is similar.
#[must_use]
pub fn nearest<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    known
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|&(nearness, _)| nearness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

fn list(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_many_mistakes_the_first_are_shown() {
        const LINES: usize = 200_000;
        let text = "a\n".repeat(LINES);
        let mistake =
            |line: usize| Diagnostic::mistake(Code::Syntax, 2 * line..2 * line + 1, "wrong");
        let diagnostics = Diagnostics::new("gates.toml", &text, (0..LINES).map(mistake).collect());
        assert_eq!(diagnostics.list().len(), LINES);
        // A minute, if the renderer reads the whole text for each.
        let shown = diagnostics.to_string();
        assert_eq!(shown.matches("error[toml-syntax]: wrong").count(), 50);
        assert!(shown.contains(" --> gates.toml:50:1\n"), "{shown}");
        assert!(
            shown.ends_with("\n\nerror: 199950 more errors not shown"),
            "{shown}"
        );
    }

    #[test]
    fn a_long_value_is_shown_in_part() {
        let text = "a".repeat(1_000_000);
        let message = format!("unknown key `{text}`");
        let mistake = Diagnostic::mistake(Code::UnknownKey, 0..text.len(), message);
        let mistake = mistake.help(format!("remove `{text}`"));
        let shown = Diagnostics::new("gates.toml", &text, vec![mistake]).to_string();
        assert!(shown.len() < 3_000, "{}", shown.len());
        assert!(shown.contains("bytes not shown"), "{shown}");
    }

    #[test]
    fn spans_are_extended_to_whole_characters() {
        for (text, span, whole) in [
            ("äö", 0..1, 0..2),
            ("äö", 1..3, 0..4),
            ("äö", 3..3, 2..4),
            ("äö", 9..12, 4..4),
            ("", 0..1, 0..0),
        ] {
            let diagnostic = Diagnostic::mistake(Code::Syntax, span.clone(), "wrong");
            let diagnostics = Diagnostics::new("gates.toml", text, vec![diagnostic]);
            assert_eq!(diagnostics.list()[0].span(), whole, "{text} {span:?}");
            assert!(
                diagnostics
                    .to_string()
                    .starts_with("error[toml-syntax]: wrong")
            );
        }
    }
}
