//! [`Diagnostics`]: the mistakes in a file, each with a stable code, a place and a hint.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::named::named;
use crate::printable::{one_line, plain_lines, shortened};

named! {
    /// The kinds of mistakes. `design/codes.md` has a line for each.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Code {
        /// The text is not TOML.
        Syntax = "toml-syntax",
        /// A key that does not exist in this table.
        UnknownKey = "unknown-key",
        /// A required key that is missing.
        MissingKey = "missing-key",
        /// A value of the wrong type.
        WrongType = "wrong-type",
        /// A value that the key does not accept.
        BadValue = "bad-value",
        /// A `version` that this program does not support.
        UnsupportedVersion = "unsupported-version",
        /// Two gates with one name.
        DuplicateGate = "duplicate-gate",
        /// A bench that is listed twice.
        DuplicateBench = "duplicate-bench",
        /// A bench that the workspace does not have.
        UnknownBench = "unknown-bench",
        /// A gate that requires nothing.
        EmptyGate = "empty-gate",
        /// A gate without scenarios.
        NoScenarios = "no-scenarios",
        /// A pattern that is not a glob.
        BadPattern = "bad-pattern",
        /// A metric that does not exist.
        UnknownMetric = "unknown-metric",
        /// A statistic that does not exist.
        UnknownStatistic = "unknown-statistic",
        /// A requirement that can't be read.
        BadRequirement = "bad-requirement",
        /// An operator that does not exist.
        UnknownOperator = "unknown-operator",
        /// A unit that does not exist.
        UnknownUnit = "unknown-unit",
        /// A unit of bytes for a metric that is not measured in bytes.
        UnitMismatch = "unit-mismatch",
        /// A key that has no effect.
        UnusedKey = "unused-key",
        /// A requirement that needs a baseline in a file without `[baseline]`.
        NoBaselineFile = "no-baseline-file",
        /// A `when` that can't be read or decided.
        BadCfg = "bad-cfg",
        /// A `rustc` that is not a version requirement.
        BadVersionRequirement = "bad-version-requirement",
        /// A baseline's data that can't be read.
        BadBaseline = "bad-baseline",
    }
}

/// A line and a column of a file, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
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

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind.
    pub code: Code,
    /// The bytes of the file to underline.
    pub span: Range<usize>,
    /// The mistake, in a sentence.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
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
            diagnostic.span = whole_characters(text, &diagnostic.span);
            // They quote the file.
            diagnostic.message = plain_lines(&shortened(&diagnostic.message));
            let hint = diagnostic.hint.as_deref().map(shortened);
            diagnostic.hint = hint.map(|hint| plain_lines(&hint));
        }
        list.sort_by_key(|diagnostic| diagnostic.span.start);
        Self {
            file: one_line(file),
            text: text.to_owned(),
            list,
        }
    }

    /// The file.
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
        Place::from_offset(&self.text, diagnostic.span.start)
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
            let title = Level::ERROR.primary_title(title);
            blocks.push(renderer.render(&[Group::with_title(title)]));
        }
        blocks.join("\n\n")
    }

    fn report<'d>(&'d self, diagnostic: &'d Diagnostic) -> Vec<Group<'d>> {
        // The renderer is slow on a long text, so it gets the lines of the span alone.
        let Range { start, end } = diagnostic.span;
        let begin = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &self.text[end..];
        let lines = &self.text[begin..end + rest.find('\n').unwrap_or(rest.len())];
        let snippet = Snippet::source(lines)
            .path(&self.file)
            .line_start(self.place(diagnostic).line)
            .annotation(AnnotationKind::Primary.span(start - begin..end - begin));
        let mut group = Level::ERROR
            .primary_title(&diagnostic.message)
            .id(diagnostic.code.name())
            .element(snippet);
        if let Some(hint) = &diagnostic.hint {
            group = group.element(Level::HELP.message(hint));
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
    pub(crate) fn add(&self, code: Code, span: Range<usize>, message: String) {
        self.push(Diagnostic {
            code,
            span,
            message,
            hint: None,
        });
    }

    pub(crate) fn add_with_hint(
        &self,
        code: Code,
        span: Range<usize>,
        message: String,
        hint: impl Into<String>,
    ) {
        self.push(Diagnostic {
            code,
            span,
            message,
            hint: Some(hint.into()),
        });
    }

    pub(crate) fn push(&self, diagnostic: Diagnostic) {
        self.0.borrow_mut().push(diagnostic);
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
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_unique_and_kebab_case() {
        let names: HashSet<_> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for name in names {
            assert!(
                name.bytes().all(|b| b == b'-' || b.is_ascii_lowercase()),
                "{name}"
            );
        }
    }

    #[test]
    fn of_very_many_mistakes_the_first_are_shown() {
        const LINES: usize = 200_000;
        let text = "a\n".repeat(LINES);
        let mistake = |line: usize| Diagnostic {
            code: Code::Syntax,
            span: 2 * line..2 * line + 1,
            message: "wrong".into(),
            hint: None,
        };
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
        let mistake = Diagnostic {
            code: Code::UnknownKey,
            span: 0..text.len(),
            message: format!("unknown key `{text}`"),
            hint: Some(format!("remove `{text}`")),
        };
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
            let diagnostic = Diagnostic {
                code: Code::Syntax,
                span: span.clone(),
                message: "wrong".into(),
                hint: None,
            };
            let diagnostics = Diagnostics::new("gates.toml", text, vec![diagnostic]);
            assert_eq!(diagnostics.list()[0].span, whole, "{text} {span:?}");
            assert!(
                diagnostics
                    .to_string()
                    .starts_with("error[toml-syntax]: wrong")
            );
        }
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        assert_eq!(
            Place::from_offset("äöü = 1", "äöü".len()).to_string(),
            "1:4"
        );
        assert_eq!(Place::from_offset("a\nb", 999).to_string(), "2:2");
    }

    #[test]
    fn a_word_similar_to_none_gets_the_whole_list() {
        assert_eq!(
            suggest("zzz", ["deny", "warn"]),
            "expected one of `deny`, `warn`"
        );
    }
}
