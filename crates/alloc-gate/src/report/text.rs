//! The text of a report: lines with styled parts, in blocks. It is laid out once; each writer in
//! `write/` makes a format of it, and text from outside harmless.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;

use alloc_results::{Location, Metric, Ratio, Unit, mean, rounded};
use alloc_symbols::names::{call_length, in_view};
use indexmap::IndexSet;

use crate::diagnostic::{Diagnostic, Level, Place, Where};
use crate::printable::one_line;

/// A line of text: its parts, each with its style. In a plain part, names and code stand between
/// backticks, as [`quoted`](crate::printable::quoted) writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Line(pub(super) Vec<(Style, String)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Style {
    Plain,
    /// Text from outside, which is shown as it is.
    Foreign,
    /// A file with its line.
    Place,
    Code,
    Good,
    Bad,
    Doubtful,
    Dim,
    Strong,
}

/// A line of several parts: `line!["required at ", place, "."]`.
macro_rules! line {
    ($($part:expr),* $(,)?) => {{
        let mut line = $crate::report::text::Line::default();
        $(line.push($part);)*
        line
    }};
}

pub(super) use line;

impl Line {
    pub(super) fn push(&mut self, part: impl Into<Self>) {
        self.0.extend(part.into().0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Display + ?Sized> From<&T> for Line {
    fn from(text: &T) -> Self {
        text.to_string().into()
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        styled(Style::Plain, text)
    }
}

impl<L: Into<Self>> From<Option<L>> for Line {
    fn from(part: Option<L>) -> Self {
        part.map(Into::into).unwrap_or_default()
    }
}

pub(super) fn styled(style: Style, text: impl Into<String>) -> Line {
    let text = text.into();
    Line(
        (!text.is_empty())
            .then_some((style, text))
            .into_iter()
            .collect(),
    )
}

/// A name or another text from outside, which is shown as it is.
pub(super) fn foreign(text: impl Into<String>) -> Line {
    styled(Style::Foreign, text)
}

/// A file with its line: `gates.toml:12:10`.
pub(super) fn place(place: impl Display) -> Line {
    styled(Style::Place, place.to_string())
}

pub(super) fn at(file: &str, at: Place) -> Line {
    place(format_args!("{file}:{at}"))
}

pub(super) fn location(location: &Location) -> Line {
    place(format_args!("{}:{}", location.file, location.line))
}

/// `error[ungated-scenario]`.
pub(super) fn label(level: Level, code: &str) -> Line {
    styled(level_style(level), format!("{}[{code}]", level_word(level)))
}

pub(super) const fn level_style(level: Level) -> Style {
    match level {
        Level::Deny => Style::Bad,
        Level::Warn => Style::Doubtful,
        Level::Note => Style::Dim,
    }
}

pub(super) const fn level_word(level: Level) -> &'static str {
    match level {
        Level::Deny => "error",
        Level::Warn => "warning",
        Level::Note => "note",
    }
}

/// The message of a diagnostic, with its place.
pub(super) fn sentence(diagnostic: &Diagnostic) -> Line {
    let message = &diagnostic.message;
    match &diagnostic.place {
        Where::Place { file, place } => line![message, " (", at(file, *place), ")"],
        Where::Scenario(one) => line![message, " (", location(&one.location), ")"],
        Where::Nowhere | Where::Span(_) | Where::Bench(_) => message.into(),
    }
}

/// What a report shows of a long list, and the rest. A row that says `1 more` would not be shorter.
pub(super) fn most<T>(all: &[T], most: usize) -> (&[T], &[T]) {
    all.split_at(match all.len() {
        few if few <= most.saturating_add(1) => few,
        _ => most,
    })
}

/// A part of a report.
#[derive(Clone, Debug)]
pub(super) enum Block {
    Title(usize, Line),
    /// A line in a terminal, a paragraph elsewhere.
    Line(Line),
    Lines(Vec<Line>),
    /// An empty line in a terminal.
    Space,
    List(Vec<Line>),
    Table(Table),
    Excerpts(Excerpts),
    /// Lines in this language, which keep their spaces.
    Code(&'static str, Vec<String>),
    /// Blocks that a page folds below a title.
    Fold {
        title: Line,
        is_open: bool,
        blocks: Vec<Self>,
    },
}

/// A table; nothing without rows. A column whose cells are all empty is left out.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Line>>,
    pub(super) look: Look,
}

/// How a terminal shows a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// With titles and lines between the columns.
    Grid,
    /// With titles, so many columns from the left.
    Titled(usize),
    /// Without titles, so many columns from the left.
    Plain(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) title: String,
    pub(super) is_right: bool,
}

pub(super) fn left(title: &str) -> Column {
    Column {
        title: title.to_owned(),
        is_right: false,
    }
}

pub(super) fn right(title: &str) -> Column {
    Column {
        is_right: true,
        ..left(title)
    }
}

impl Block {
    pub(super) fn table(look: Look, columns: Vec<Column>, rows: Vec<Vec<Line>>) -> Self {
        let is_used = |at: usize| {
            rows.iter()
                .any(|row| row.get(at).is_some_and(|it| !it.is_empty()))
        };
        let used: Vec<bool> = (0..columns.len()).map(is_used).collect();
        let keep = |at: usize| used.get(at).copied().unwrap_or_default();
        let columns = columns.into_iter().enumerate().filter(|(at, _)| keep(*at));
        let columns = columns.map(|(_, column)| column).collect();
        let row = |row: Vec<Line>| {
            let cells = row.into_iter().enumerate().filter(|(at, _)| keep(*at));
            cells.map(|(_, cell)| cell).collect()
        };
        let rows = rows.into_iter().map(row).collect();
        Self::Table(Table {
            columns,
            rows,
            look,
        })
    }
}

impl From<Line> for Block {
    fn from(line: Line) -> Self {
        Self::Line(line)
    }
}

/// A sentence with excerpts of the code that it is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Excerpts {
    /// The level and the code of a problem.
    pub(super) label: Option<(Level, &'static str)>,
    pub(super) title: String,
    pub(super) list: Vec<Excerpt>,
    pub(super) notes: Vec<String>,
}

/// Lines of one file that are no further apart share an excerpt; so the lines between are known.
const NEAR: u32 = 5;

/// A line of code with a caret below a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Excerpt {
    pub(super) file: String,
    pub(super) line: u32,
    /// The column of the call, from 1.
    pub(super) column: Option<u32>,
    pub(super) code: String,
    /// The lines around it, with their numbers.
    pub(super) around: Vec<(u32, String)>,
    /// `added: 1 allocation, 12 bytes`.
    pub(super) label: String,
    /// Whether the line is known to be old: it is shown, and not blamed.
    pub(super) is_old: bool,
    /// Each with the words in front of it: `before` an edit, where it `allocates in`, what it was
    /// `called by` and `made by`.
    pub(super) notes: Vec<(&'static str, Line)>,
}

/// A value as sentences and rows show it: exact, with thousands separators, and without decimals
/// that it does not need. `1`, `2,048`, `0.0001`, `700.0 ns`.
pub(super) fn printed(unit: Unit, value: Ratio) -> String {
    // Times differ in each run, so a tenth of a nanosecond is precise enough.
    if unit == Unit::Nanoseconds {
        format!("{} ns", rounded(value, 1))
    } else {
        mean(value, 0)
    }
}

/// `1 to 4`, or a single value.
pub(super) fn low_to_high(low: String, high: String) -> String {
    if low == high {
        low
    } else {
        format!("{low} to {high}")
    }
}

/// The size of a change. Counts have a difference: `+100`. Bytes and times have a factor:
/// `1.70x`. They have a difference where a factor would say nothing: from or to 0 or less, and
/// where it rounds to 1.
#[must_use]
pub fn difference(unit: Unit, before: Ratio, after: Ratio) -> String {
    if unit != Unit::Count
        && before.numerator() > 0
        && after.numerator() > 0
        && let Some(factor) = after.checked_div(before)
    {
        // Nobody needs the decimals of a large factor.
        let is_large = factor >= Ratio::whole(100);
        let text = rounded(factor, if is_large { 0 } else { 2 });
        if text != "1.00" {
            return format!("{text}x");
        }
    }
    let sign = match after.cmp(&before) {
        Ordering::Greater => "+",
        Ordering::Equal => "",
        Ordering::Less => "-",
    };
    // Only values with very many digits have no exact difference.
    let size = after.max(before).checked_sub(after.min(before));
    let size = size.map_or_else(|| String::from("not exact"), |it| printed(unit, it));
    format!("{sign}{size}")
}

/// Both values, and the size of the change: `2,048 -> 3,472 (1.70x)`. `None` is a value that
/// was not measured.
#[must_use]
pub fn change(unit: Unit, before: Option<Ratio>, after: Option<Ratio>) -> String {
    let [old, new] = [before, after]
        .map(|value| value.map_or_else(|| String::from("not measured"), |it| printed(unit, it)));
    match before.zip(after) {
        Some((before, after)) => format!("{old} -> {new} ({})", difference(unit, before, after)),
        None => format!("{old} -> {new}"),
    }
}

/// Whether a row that shows the `changed` metrics can leave `metric` out, since it follows from
/// them: `deallocs` is `allocs` minus `reallocs` minus `net-blocks`.
#[must_use]
pub fn is_implied(metric: Metric, changed: &[Metric]) -> bool {
    let implying = [Metric::Allocs, Metric::NetBlocks];
    metric == Metric::Deallocs && implying.iter().any(|one| changed.contains(one))
}

impl Line {
    /// The line in plain text.
    pub(super) fn plain(&self) -> String {
        self.0.iter().map(|(_, text)| one_line(text)).collect()
    }
}

impl Excerpts {
    /// The excerpts, lines that are near each other together.
    pub(super) fn shared(&self) -> Vec<Vec<&Excerpt>> {
        let mut groups: Vec<Vec<&Excerpt>> = Vec::new();
        for excerpt in &self.list {
            let is_near = |other: &&Excerpt| {
                other.file == excerpt.file
                    && match other.line.abs_diff(excerpt.line) {
                        // A long line is cut around its call.
                        0 => other.around_call().concat() == excerpt.around_call().concat(),
                        distance => distance <= NEAR,
                    }
            };
            match groups.iter_mut().find(|group| group.iter().any(is_near)) {
                Some(group) => group.push(excerpt),
                None => groups.push(vec![excerpt]),
            }
        }
        groups
    }
}

/// The lines of a shared excerpt, with so many lines before and behind, and their numbers.
pub(super) fn numbered(shared: &[&Excerpt], around: u32) -> BTreeMap<u32, String> {
    let lines = || shared.iter().map(|one| one.line);
    let first = lines().min().unwrap_or_default().saturating_sub(around);
    let last = lines().max().unwrap_or_default().saturating_add(around);
    let others = shared.iter().flat_map(|one| &one.around);
    let others = others.filter(|(number, _)| (first..=last).contains(number));
    let cut = |text: &str| in_view(["", "", &one_line(text)]).concat();
    let mut lines: BTreeMap<_, _> = others.map(|(number, text)| (*number, cut(text))).collect();
    lines.extend(
        shared
            .iter()
            .map(|one| (one.line, one.around_call().concat())),
    );
    lines
}

/// The notes of a shared excerpt, each once. One that is not of all lines names its line.
pub(super) fn notes(shared: &[&Excerpt]) -> IndexSet<(String, Line)> {
    let mut shared = shared.to_vec();
    shared.sort_by_key(|one| one.line);
    let notes = shared.iter().flat_map(|one| {
        one.notes.iter().map(|note| {
            let is_of_all = shared.iter().all(|other| other.notes.contains(note));
            let line = (!is_of_all).then(|| format!("line {}, ", one.line));
            (line.unwrap_or_default() + note.0, note.1.clone())
        })
    });
    notes.collect()
}

impl Excerpt {
    /// `src/text.rs:53:21`.
    pub(super) fn place(&self) -> String {
        crate::sites::location(&self.file, Some(self.line), self.column)
    }

    /// The call in the code as it is shown.
    pub(super) fn call(&self) -> Range<usize> {
        let [before, call, _] = self.around_call();
        before.len()..before.len() + call.len()
    }

    /// The code before the call, the call, and the code behind it, as far as they are shown. The
    /// place of the call can move, if characters before it are escaped.
    pub(super) fn around_call(&self) -> [String; 3] {
        let code = &self.code;
        let column = self.column.and_then(|column| usize::try_from(column).ok());
        let column = match column.map_or(0, |column| column.saturating_sub(1)) {
            0 => code.len() - code.trim_start().len(),
            column => column.min(code.len()),
        };
        let column = (0..=column).rev().find(|&at| code.is_char_boundary(at));
        let (before, rest) = code.split_at(column.unwrap_or_default());
        let rest = one_line(rest);
        let (call, behind) = rest.split_at(call_length(&rest));
        in_view([&one_line(before), call, behind])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_a_difference_and_bytes_a_factor() {
        use Unit::{Bytes, Count, Nanoseconds};
        let ratio = |text: &str| {
            let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
            Ratio::new(numerator.parse().ok()?, denominator.parse().ok()?)
        };
        // A factor would be infinite, 0, or 1 for the last ones.
        let counts = "
            1 | 101 | 1 -> 101 (+100)
            0 | 1/10000 | 0 -> 0.0001 (+0.0001)
            5/2 | 2 | 2.5 -> 2 (-0.5)
            0 | 1/3 | 0 -> ~0.333333 (+~0.333333)
            1/3 | 0 | ~0.333333 -> 0 (-~0.333333)
            1 | 10001 | 1 -> 10,001 (+10,000)
            1500 | 0 | 1,500 -> 0 (-1,500)";
        let bytes = "
            2048 | 3472 | 2,048 -> 3,472 (1.70x)
            3472 | 2048 | 3,472 -> 2,048 (0.59x)
            8 | 80004 | 8 -> 80,004 (10,001x)
            80000 | 8 | 80,000 -> 8 (<0.01x)
            no | 5 | not measured -> 5
            5 | no | 5 -> not measured
            0 | 72 | 0 -> 72 (+72)
            72 | 0 | 72 -> 0 (-72)
            -16 | -12 | -16 -> -12 (+4)
            -8 | -24 | -8 -> -24 (-16)
            2048 | 2056 | 2,048 -> 2,056 (+8)";
        let times = "
            1000 | 3001/2 | 1,000.0 ns -> 1,500.5 ns (1.50x)
            1000 | 1001 | 1,000.0 ns -> 1,001.0 ns (+1.0 ns)";
        for (unit, table) in [(Count, counts), (Bytes, bytes), (Nanoseconds, times)] {
            for [before, after, text] in crate::tests::rows(table) {
                assert_eq!(change(unit, ratio(before), ratio(after)), text);
            }
        }
    }
}
