//! [`Document`]: a report for people, as data. The writers make text of it.

use std::fmt::Display;

use alloc_results::Location;

use crate::diagnostic::{Diagnostic, Level, Place};
use crate::printable::code_parts;
pub(super) use crate::report::write::Foreign;
use crate::report::write::plain;

/// A [`Line`] of our words, in which each `{}` stands for a part, and names stand between
/// backticks: `words!("no gate applies to {}; see `cargo alloc-gate list`", name(scenario))`.
macro_rules! words {
    ($words:literal $(, $part:expr)* $(,)?) => {{
        const PARTS: usize = $crate::report::document::parts($words);
        let parts: [$crate::report::document::Line; PARTS] =
            [$($crate::report::document::Line::from($part)),*];
        $crate::report::document::Line::new($words, parts)
    }};
}

pub(super) use words;

/// A report: its blocks from top to bottom.
pub(super) type Document = Vec<Block>;

/// A part of a document. A log is read in a terminal: it has narrow lines, and columns that are
/// aligned. A page is markdown: it has an empty line between any two blocks.
#[derive(Clone, Debug)]
pub(super) enum Block {
    /// Blocks for a log alone.
    Log(Document),
    /// Blocks for a page alone.
    Page(Document),
    /// A title, of this level on a page.
    Heading(usize, Line),
    /// A line of a log, a paragraph of a page.
    Line(Line),
    /// Lines of one paragraph.
    Lines(Vec<Line>),
    /// An empty line of a log.
    Space,
    /// A list on a page; in a log, its lines.
    List(Vec<Line>),
    /// Things with the same problem, and what to do about it.
    Problem(Problem),
    /// A table with titles.
    Table(Table),
    /// Aligned columns without titles, for a log alone.
    Columns(Columns),
    /// Lines of code, below a sentence about them.
    Excerpts(Excerpts),
    /// Lines in this language, which keep their spaces.
    Preformatted(&'static str, Vec<Foreign>),
    /// Blocks that a page folds behind a title.
    Fold {
        title: Line,
        is_open: bool,
        blocks: Document,
    },
}

/// A problem of one or several things.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) label: Label,
    /// A sentence for each thing.
    pub(super) sentences: Vec<Line>,
    pub(super) help: Option<Line>,
    /// Whether a log has all sentences, and not the first ones.
    pub(super) is_whole: bool,
}

/// A table; nothing without rows. A log shows it as a grid.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) columns: Vec<Title>,
    pub(super) rows: Vec<Vec<Line>>,
}

/// The title of a column, and the side of its cells.
pub(super) type Title = (Line, Align);

pub(super) fn left(title: impl Into<Line>) -> Title {
    (title.into(), Align::Left)
}

pub(super) fn right(title: impl Into<Line>) -> Title {
    (title.into(), Align::Right)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// The width of a log. Where the last of some columns is beyond it, its cells have further lines.
pub(super) const WIDTH: usize = 100;

/// Columns that are as wide as their cells.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) columns: Vec<Column>,
    /// The cells of each row, and the blocks below it.
    pub(super) rows: Vec<(Vec<Line>, Document)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) align: Align,
    pub(super) least_width: usize,
    /// The space behind it.
    pub(super) gap: &'static str,
    /// Whether it goes, with its gap, if all its cells are empty.
    pub(super) is_optional: bool,
}

/// A sentence with excerpts of the code that it is about. The notes belong to it in a log; a
/// page has them elsewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Excerpts {
    pub(super) label: Option<Label>,
    pub(super) title: Line,
    pub(super) list: Vec<Excerpt>,
    pub(super) notes: Vec<Line>,
}

/// A line of code with a caret below a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Excerpt {
    pub(super) file: Foreign,
    pub(super) line: u32,
    /// The column of the call, from 1.
    pub(super) column: Option<u32>,
    pub(super) code: Foreign,
    /// `added: 1 allocation, 12 bytes`.
    pub(super) label: Line,
    /// Whether the line is known to be old: it is shown, and not blamed.
    pub(super) is_old: bool,
    /// The code before an edit.
    pub(super) before: Option<Foreign>,
    /// The place further in that allocates: `fmt, src/value.rs:30:9`.
    pub(super) allocates_in: Option<Line>,
    /// `encode_into, src/write_message.rs:98:16`.
    pub(super) called_by: Option<Line>,
    /// `100 x to_owned, 11 B each; 6 x Vec::from_iter, 96 to 3,072 B`.
    pub(super) made_by: Option<Line>,
}

/// A line of text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Line(pub(super) Vec<Inline>);

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Inline {
    /// The words of a literal in [`words!`].
    Words(&'static str),
    /// Any other text.
    Text(Foreign),
    /// A name, a pattern, a rule, a command.
    Name(Foreign),
    /// A file with its line.
    Place(Foreign),
    Styled(Style, Line),
    Label(Label),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Style {
    Good,
    Bad,
    Doubtful,
    Faint,
    Strong,
}

/// `error[ungated]`: the level of a problem, and its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Label {
    pub(super) level: Level,
    pub(super) code: Option<&'static str>,
}

impl From<Level> for Style {
    fn from(level: Level) -> Self {
        match level {
            Level::Deny => Self::Bad,
            Level::Warn => Self::Doubtful,
            Level::Note => Self::Faint,
        }
    }
}

impl From<&Diagnostic> for Label {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            level: diagnostic.level,
            code: Some(diagnostic.code.name()),
        }
    }
}

impl Label {
    pub(super) const fn error(code: &'static str) -> Self {
        Self {
            level: Level::Deny,
            code: Some(code),
        }
    }

    pub(super) const fn word(self) -> &'static str {
        match self.level {
            Level::Deny => "error",
            Level::Warn => "warning",
            Level::Note => "note",
        }
    }

    /// The label where it has a colour.
    pub(super) fn styled(self) -> Line {
        let code = self.code.map(|code| format!("[{code}]"));
        styled(self.level.into(), words!("{}{}", self.word(), code)).into()
    }
}

pub(super) fn name(name: impl Display) -> Inline {
    Inline::Name(name.to_string().into())
}

/// A place in a file of ours: `gates.toml:12:10`.
pub(super) fn at(file: &str, place: Place) -> Inline {
    self::place(format_args!("{file}:{place}"))
}

/// A place in a user's code: `benches/bench.rs:7`.
pub(super) fn location(location: &Location) -> Inline {
    place(format_args!("{}:{}", location.file, location.line))
}

pub(super) fn place(place: impl Display) -> Inline {
    Inline::Place(place.to_string().into())
}

pub(super) fn styled(style: Style, line: impl Into<Line>) -> Inline {
    Inline::Styled(style, line.into())
}

/// The number of `{}` in the words. None stands between backticks.
pub(super) const fn parts(words: &str) -> usize {
    let words = words.as_bytes();
    let (mut at, mut parts, mut is_name) = (0, 0, false);
    while at < words.len() {
        if words[at] == b'`' {
            is_name = !is_name;
        }
        if words[at] == b'{' && at + 1 < words.len() && words[at + 1] == b'}' {
            assert!(!is_name, "a part of a line can't stand between backticks");
            parts += 1;
        }
        at += 1;
    }
    assert!(!is_name, "a line has an even number of backticks");
    parts
}

impl Line {
    pub(super) fn new<const N: usize>(words: &'static str, parts: [Self; N]) -> Self {
        let mut line = Self::default();
        let mut parts = parts.into_iter();
        for words in words.split("{}") {
            line.push_words(words);
            line.0
                .extend(parts.next().into_iter().flat_map(|part| part.0));
        }
        line
    }

    /// The words of a diagnostic, in which names stand between backticks.
    pub(super) fn from_text(text: &str) -> Self {
        let mut line = Self::default();
        for (number, part) in code_parts(text).into_iter().enumerate() {
            match number % 2 {
                0 => line.push(Self::from(part.to_owned())),
                _ => line.push(name(part)),
            }
        }
        line
    }

    /// Adds our words, in which names stand between backticks.
    fn push_words(&mut self, words: &'static str) {
        for (number, words) in words.split('`').enumerate() {
            match number % 2 {
                0 if words.is_empty() => {}
                0 => self.0.push(Inline::Words(words)),
                _ => self.0.push(name(words)),
            }
        }
    }

    /// The number of its characters in a log.
    pub(super) fn width(&self) -> usize {
        plain(self).chars().count()
    }

    /// Adds to the end.
    pub(super) fn push(&mut self, part: impl Into<Self>) {
        self.0.extend(part.into().0);
    }

    /// One line with these words between the parts.
    pub(super) fn joined<L: Into<Self>>(
        parts: impl IntoIterator<Item = L>,
        words: &'static str,
    ) -> Self {
        let mut line = Self::default();
        for (number, part) in parts.into_iter().enumerate() {
            if number > 0 {
                line.push(Inline::Words(words));
            }
            line.push(part);
        }
        line
    }
}

impl From<Inline> for Line {
    fn from(part: Inline) -> Self {
        Self(vec![part])
    }
}

impl<T: Display + ?Sized> From<&T> for Line {
    fn from(text: &T) -> Self {
        text.to_string().into()
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        match &*text {
            "" => Self::default(),
            _ => Inline::Text(text.into()).into(),
        }
    }
}

impl<L: Into<Self>> From<Option<L>> for Line {
    fn from(part: Option<L>) -> Self {
        part.map(Into::into).unwrap_or_default()
    }
}

impl From<usize> for Line {
    fn from(number: usize) -> Self {
        number.to_string().into()
    }
}

impl From<Label> for Line {
    fn from(label: Label) -> Self {
        Inline::Label(label).into()
    }
}

impl Block {
    pub(super) fn table(
        columns: impl IntoIterator<Item = Title>,
        rows: impl IntoIterator<Item = Vec<Line>>,
    ) -> Self {
        Self::Table(Table {
            columns: columns.into_iter().collect(),
            rows: rows.into_iter().collect(),
        })
    }

    pub(super) fn columns(columns: Vec<Column>, rows: impl IntoIterator<Item = Vec<Line>>) -> Self {
        Self::Columns(Columns::new(columns, rows))
    }
}

impl Columns {
    pub(super) fn new(columns: Vec<Column>, rows: impl IntoIterator<Item = Vec<Line>>) -> Self {
        let rows = rows.into_iter().map(|cells| (cells, Vec::new()));
        let rows = rows.collect();
        Self { columns, rows }
    }

    pub(super) fn widths(&self) -> Vec<usize> {
        let width = |(at, column): (usize, &Column)| {
            let cells = self.rows.iter().filter_map(|(cells, _)| cells.get(at));
            cells
                .map(Line::width)
                .max()
                .unwrap_or_default()
                .max(column.least_width)
        };
        self.columns.iter().enumerate().map(width).collect()
    }

    /// The width of all columns with their gaps.
    pub(super) fn width(&self) -> usize {
        let gaps = self.columns.iter().map(|column| column.gap.len());
        gaps.chain(self.widths()).sum()
    }
}

impl Problem {
    /// The blocks of a page: of many sentences the first ones, and the others folded.
    pub(super) fn blocks(&self) -> Document {
        const SHOWN: usize = 5;
        let mut blocks = Vec::new();
        if let [only] = &self.sentences[..] {
            blocks.push(words!("{}: {}", self.label, only.clone()).into());
        } else {
            let all = self.sentences.len();
            let shown = if all <= SHOWN + 1 { all } else { SHOWN };
            let (shown, folded) = self.sentences.split_at(shown);
            blocks.push(words!("{}:", self.label).into());
            blocks.push(Block::List(shown.to_vec()));
            blocks.extend((!folded.is_empty()).then(|| Block::Fold {
                title: words!("and {} more", folded.len()),
                is_open: false,
                blocks: vec![Block::List(folded.to_vec())],
            }));
        }
        let help = self.help.clone();
        blocks.extend(help.map(|help| words!("help: {}", help).into()));
        blocks
    }
}

impl From<Line> for Block {
    fn from(line: Line) -> Self {
        Self::Line(line)
    }
}

impl Column {
    pub(super) const fn new(gap: &'static str) -> Self {
        Self {
            align: Align::Left,
            least_width: 0,
            gap,
            is_optional: false,
        }
    }

    pub(super) const fn right(self) -> Self {
        Self {
            align: Align::Right,
            ..self
        }
    }

    pub(super) const fn optional(self) -> Self {
        Self {
            is_optional: true,
            ..self
        }
    }

    pub(super) const fn at_least(self, least_width: usize) -> Self {
        Self {
            least_width,
            ..self
        }
    }
}
