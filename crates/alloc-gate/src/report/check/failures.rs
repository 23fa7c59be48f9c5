//! Failures: the figures of a scenario, or of those with the same cause, and below them the
//! lines of code that allocate.

use std::mem;

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::Level;
use crate::evaluation::Evaluation;
use crate::figure::counted;
use crate::report::check::failure::{FailureText, Row};
use crate::report::document::{
    Block, Column, Columns, Document, Inline, Line, Style, WIDTH, left, name, right, styled, words,
};
use crate::report::explain::SitesText;
use crate::report::explain::shared::shared;
use crate::sites::{Explained, Unexplained};

/// The columns before the location behind a scenario's name, and at least of the names of
/// figures.
const LOCATION: usize = 54;
const FIGURE: usize = 10;

/// The scenarios of one cause that are named at most, unless all are asked for.
const MOST_SCENARIOS: usize = 12;

/// Failures that have the same cause, and then the lines of code.
pub(super) fn log(group: &FailureGroup, lists_all: bool) -> Document {
    let mut blocks = match &group.failures[..] {
        [only] => one(only),
        several => scenarios(several, lists_all),
    };
    if group.failures.len() > 1 && group.each.is_empty() {
        blocks.push(faint(words!(
            "not explained; `--explain all` explains each"
        )));
    }
    blocks.extend(group.lines().iter().flat_map(SitesText::blocks));
    blocks
}

fn faint(words: Line) -> Block {
    let columns = vec![Column::new("       "), Column::new("")];
    let words = styled(Style::Faint, words).into();
    Block::columns(columns, [vec![Line::default(), words]])
}

/// The number of scenarios.
pub(in crate::report) fn count<'f>(failures: impl IntoIterator<Item = &'f FailureText>) -> usize {
    failures.into_iter().map(|failure| failure.scenarios).sum()
}

/// `and 3 more scenarios; `-v` shows all`, if there are more.
fn more(count: usize, noun: &str) -> Option<Block> {
    let words = || words!("       and {}; `-v` shows all", counted(count, noun));
    (count > 0).then(|| words().into())
}

/// The verdict with what it is about, and where that was registered.
fn heading(block: &FailureText, title: &str, place: Option<&Inline>) -> Block {
    let title = words!("{} {}", styled(block.level.into(), block.word), title);
    let place = place.map(|place| styled(Style::Faint, place.clone()));
    let column = Column::new("  ").at_least(LOCATION);
    Block::columns(vec![column, Column::new("")], [vec![title, place.into()]])
}

/// What a scenario does not meet.
fn one(block: &FailureText) -> Document {
    let columns = vec![
        Column::new("       "),
        Column::new("  ").at_least(FIGURE),
        Column::new("  ").optional(),
        Column::new("").right().optional(),
        Column::new(""),
        Column::new("    "),
        Column::new(""),
    ];
    let mut above: Option<&Row> = None;
    let rows = block.rows.iter().map(|row| {
        // What the row above says is not repeated.
        let above = above
            .replace(row)
            .filter(|above| above.figure == row.figure);
        let figure = above.is_none().then_some(&row.figure);
        let is_same = above.is_some_and(|above| above.limits == row.limits);
        let limits = (!is_same).then_some(&row.limits);
        let difference = Some(&row.difference).filter(|it| !it.is_empty());
        vec![
            Line::default(),
            figure.into(),
            Line::from(&row.point),
            Line::from(&row.before),
            Line::from(&row.now),
            difference.map(|difference| format!(" {difference}")).into(),
            words!("{}{}", limits, others(row)),
        ]
    });
    let mut blocks = vec![heading(block, &block.title, Some(&block.location))];
    blocks.push(Block::columns(columns, rows));
    blocks.extend(more(block.left_out, "more figure"));
    let notes = block.notes.iter().chain(&block.first_operations);
    blocks.extend(notes.cloned().map(faint));
    blocks
}

/// The other statistics that share a row.
fn others(row: &Row) -> Line {
    let others = row.others.iter().map(|other| format!("; {other}"));
    others.collect::<String>().into()
}

/// What several scenarios do not meet: a row for each, a column for each figure, and the limits
/// at the end. Without room for the columns, the scenarios stand below each other.
fn scenarios(blocks: &[FailureText], lists_all: bool) -> Document {
    let places: IndexSet<&Inline> = blocks.iter().map(|block| &block.location).collect();
    let place = places.first().copied().filter(|_| places.len() == 1);
    let title = counted(count(blocks), "scenario");
    let mut document = vec![heading(&blocks[0], &title, place)];

    let mut limits: IndexMap<&str, IndexSet<&str>> = IndexMap::new();
    for row in blocks.iter().flat_map(|block| &block.rows) {
        let of_figure = limits.entry(&row.figure).or_default();
        of_figure.insert(&row.limits);
    }
    let cell = |(block, point): (&FailureText, &str), figure: &str| {
        let mut rows = block.rows.iter();
        let row = rows.find(|row| row.figure == figure && row.point == point);
        row.map_or_else(Line::default, |row| {
            let all = [row.change()].into_iter().chain(row.others.iter().cloned());
            Line::joined(all.map(Line::from), ", ")
        })
    };
    let mut rows: Vec<Vec<Line>> = Vec::new();
    let titles = limits.keys().map(Line::from);
    let empty = || [Line::default(), Line::default()].into_iter();
    let titles = empty().chain(titles);
    rows.push(titles.collect());
    for block in blocks {
        let points: IndexSet<&str> = block.rows.iter().map(|row| &*row.point).collect();
        for point in points {
            let name = Line::from(format!("{} {point}", block.title).trim_end());
            let cells = limits.keys().map(|figure| cell((block, point), figure));
            let place = place.is_none().then(|| block.location.clone().into());
            let names = [Line::default(), name].into_iter();
            let cells = names.chain(cells).chain(place);
            rows.push(cells.collect());
        }
    }
    let most = |rows: usize| match rows {
        rows if lists_all || rows <= MOST_SCENARIOS + 1 => rows,
        _ => MOST_SCENARIOS,
    };
    let mut columns = vec![Column::new("       ")];
    columns.resize(limits.len() + 3, Column::new("   "));
    let left_out = rows.split_off(most(rows.len() - 1) + 1);
    let table = Columns::new(columns, rows);
    if table.width() > WIDTH {
        let (shown, rest) = blocks.split_at(most(blocks.len()));
        document.extend(shown.iter().flat_map(one));
        document.extend(more(count(rest), "more scenario"));
        return document;
    }
    document.push(Block::Columns(table));
    document.extend(more(left_out.len(), "more scenario"));
    for (figure, limits) in &limits {
        let limits = Line::joined(limits, ", ");
        document.push(faint(words!("required: {} {}", *figure, limits)));
    }
    for block in blocks {
        let notes = block.notes.iter().cloned();
        document.extend(notes.map(|note| faint(words!("{}: {}", &block.title, note))));
    }
    document
}

/// The rows of scenarios, and their notes and lines below; nothing without any. A group below a
/// heading of its own has neither the name of its only scenario nor the lines of each.
pub(super) fn page(groups: &[FailureGroup], has_heading: bool) -> Document {
    if groups.is_empty() {
        return Vec::new();
    }
    let failures = || groups.iter().flat_map(|group| &group.failures);
    let columns = [
        left("verdict"),
        left("scenario"),
        left("figure"),
        right(words!("before -> now")),
        right("difference"),
        left("limit"),
    ];
    let is_named = has_heading && failures().count() == 1;
    let named = if is_named { 2 } else { 0 };
    let rows = failures()
        .flat_map(rows)
        .map(|mut row| row.split_off(named));
    let columns = columns.into_iter().skip(named);
    let notes = failures().flat_map(|block| {
        let notes = block.notes.iter().chain(&block.first_operations).cloned();
        notes.map(|note| words!("{}: {}", name(&block.title), note))
    });
    let mut blocks = vec![Block::table(columns, rows), Block::List(notes.collect())];
    for group in groups {
        blocks.extend(group.lines().iter().flat_map(SitesText::blocks));
        if group.shared.is_some() && !has_heading {
            let each = group.failures.iter().zip(&group.each);
            let each = each.flat_map(|(block, lines)| {
                let title = Block::Line(Line::from(&block.title));
                [title].into_iter().chain(lines.blocks())
            });
            blocks.push(Block::Fold {
                title: words!("The lines of each scenario"),
                is_open: false,
                blocks: each.collect(),
            });
        }
    }
    blocks
}

/// The rows of a scenario. The first one names it.
fn rows(block: &FailureText) -> Vec<Vec<Line>> {
    let word = match block.level {
        Level::Deny => styled(Style::Bad, block.word).into(),
        Level::Warn | Level::Note => block.word.into(),
    };
    let mut names = [word, words!("{} {}", &block.title, block.location.clone())];
    let rows = block.rows.iter().map(|row| {
        let [word, scenario] = mem::take(&mut names);
        let point = Some(&row.point).filter(|point| !point.is_empty());
        let point = point.map(|point| words!(", {}", point));
        vec![
            word,
            scenario,
            words!("{}{}", &row.figure, point),
            words!("{}{}{}", &row.before, &row.now, others(row)),
            row.difference.trim_matches(['(', ')']).into(),
            Line::from(&row.limits),
        ]
    });
    rows.collect()
}

/// Failures that the same lines explain, those without lines for the same reason, those that
/// nothing explains, or one failure.
pub(in crate::report) struct FailureGroup {
    /// At least one; all of a level and a verdict.
    pub(in crate::report) failures: Vec<FailureText>,
    /// The lines of each failure, or once why there are none.
    pub(in crate::report) each: Vec<SitesText>,
    /// The lines that explain several failures, once.
    pub(in crate::report) shared: Option<SitesText>,
}

impl FailureGroup {
    pub(in crate::report) fn level(&self) -> Level {
        self.failures[0].level
    }

    /// The lines to show: what the failures share, or those of the only one.
    pub(in crate::report) fn lines(&self) -> &[SitesText] {
        match &self.shared {
            Some(shared) => std::slice::from_ref(shared),
            None => &self.each,
        }
    }
}

/// What failures of a group have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Common<'e> {
    /// The lines, by their number.
    Lines(usize),
    /// The reason why there are no lines.
    Reason(&'e Unexplained),
    /// Their lines were not asked for.
    NotAsked,
    /// Nothing: the number of the failure.
    Nothing(usize),
}

/// Puts failures that the same lines explain, or that have no lines for the same reason, into one
/// group, at the place of the first of them, and those that are left unexplained into another.
/// With `is_each`, each failure is a group of its own.
pub(in crate::report) fn groups(
    evaluation: &Evaluation,
    failures: Vec<FailureText>,
    is_each: bool,
) -> Vec<FailureGroup> {
    // A failure with several explained figures, of a sweep, has lines of its own.
    let single = |failure: &FailureText| match (&failure.explained[..], is_each) {
        (&[number], false) if failure.level == Level::Deny => Some(&evaluation.explained[number]),
        _ => None,
    };
    let explained = failures.iter().filter_map(single);
    let mut shared = shared(explained);
    let in_common = |failure: &FailureText| {
        let explained = single(failure)?;
        if let Err(reason) = &explained.found {
            return Some(Common::Reason(reason));
        }
        let mut causes = shared.iter();
        let is_one = |one: &Explained| std::ptr::eq(one, explained);
        let cause = causes.position(|(cause, _)| cause.iter().any(|one| is_one(one)));
        cause.map(Common::Lines)
    };
    let leaves_some = !is_each && !evaluation.explained.is_empty();
    let mut groups: IndexMap<Common<'_>, Vec<FailureText>> = IndexMap::new();
    for (number, failure) in failures.into_iter().enumerate() {
        let common = match in_common(&failure) {
            Some(common) => common,
            None if leaves_some && failure.is_left_unexplained => Common::NotAsked,
            None => Common::Nothing(number),
        };
        groups.entry(common).or_default().push(failure);
    }
    let group = |(common, failures): (Common<'_>, Vec<FailureText>)| {
        let lines = failures.iter().flat_map(|failure| {
            let explained = failure.explained.iter();
            let explained = explained.map(|&number| &evaluation.explained[number]);
            explained.map(|one| SitesText::new(one).below(&failure.title, &one.label))
        });
        let (most, shared) = match common {
            Common::Reason(_) => (1, None),
            Common::Lines(cause) => (usize::MAX, Some(mem::take(&mut shared[cause].1))),
            Common::NotAsked | Common::Nothing(_) => (usize::MAX, None),
        };
        FailureGroup {
            each: lines.take(most).collect(),
            shared,
            failures,
        }
    };
    groups.into_iter().map(group).collect()
}
