//! The lines behind a value, in reports: an excerpt of the code for those that matter most, and
//! a table of all. Below a scenario that fails, and as a report of their own.

use std::cmp::{Ordering, Reverse};

use alloc_results::{Metric, Ratio, Unit, integer};
use indexmap::IndexMap;

use crate::diagnostic::Level;
use crate::measure::{Measure, Statistic, counted, enumerated};
use crate::report::text::{
    Block, Excerpt, Excerpts, Line, Look, Style, difference, left, line, most, place, printed,
    right, styled,
};
use crate::requirement::value_words;
use crate::sites::{
    Amounts, Explained, Found, Nearby, Site, SiteChange, SiteDelta, SiteDiff, SitePlace, Sites,
    Unexplained,
};

pub use folded::{Folded, folded};

mod folded;
mod stacks;

/// The values, each below the scenario that it is of.
pub(super) fn document(all: &[Explained], is_page: bool) -> Vec<Block> {
    let mut blocks = Vec::new();
    blocks.extend(is_page.then(|| Block::Title(1, "Lines that allocate".into())));
    for (number, one) in all.iter().enumerate() {
        blocks.extend((number > 0).then_some(Block::Space));
        let value = value_words(&one.metric.into(), one.statistic);
        blocks.push(Block::Title(2, line![&one.label, ": ", value]));
        blocks.extend(SitesText::new(one).blocks());
    }
    blocks
}

/// The lines of a table at most.
const MOST_LINES: usize = 10;

/// The lines of a table at least, with others than those that differ or were edited.
const FEW_LINES: usize = 3;

/// The excerpts at most. Without a base, a line has one if it has this part of the value.
const MOST_EXCERPTS: u8 = 3;

const ZERO: Ratio = Ratio::ZERO;

/// What a report shows of one value.
#[derive(Clone, Default)]
pub(super) struct SitesText {
    /// The title, such as `1 allocation and 12 bytes per iteration more than at main
    /// (4f8762a1c0)`, with a label if the value breaks a limit.
    pub(super) excerpts: Excerpts,
    has_lines: bool,
    /// The table of the lines, unless the excerpts have all of it.
    table: Option<Block>,
    /// The call stacks below the lines; empty unless they are asked for.
    stacks: Vec<String>,
}

/// The lines behind a value, with their values of some metrics.
pub(super) struct Lines<'e> {
    explained: &'e Explained,
    pub(super) found: &'e Found,
    /// The one that the value is of comes first.
    pub(super) metrics: Vec<Metric>,
    /// The values of all lines together.
    pub(super) totals: Pairs,
    /// Those that have something of the metrics, in the order of the table.
    pub(super) entries: Vec<Entry<'e>>,
}

/// A site with its values: of the base, if there is one, and of the run.
pub(super) struct Entry<'s> {
    change: Option<SiteChange>,
    pub(super) site: &'s Site,
    pub(super) before: Option<&'s Site>,
    pub(super) values: Pairs,
}

/// For each metric, its value in the base and in the run.
type Pairs = Vec<(Ratio, Ratio)>;

/// Whether there is a table of lines.
pub(super) fn has_lines(explained: &Explained) -> bool {
    Lines::new(explained, shown_metrics(explained.metric))
        .is_ok_and(|lines| !lines.entries.is_empty())
}

impl SitesText {
    pub(super) fn new(explained: &Explained) -> Self {
        let lines = match Lines::new(explained, shown_metrics(explained.metric)) {
            Ok(lines) => lines,
            Err(reason) => return Self::without_lines(reason),
        };
        let grows = lines.base().is_some() && lines.totals[0].1 > lines.totals[0].0;
        let code = if grows { "allocates-more" } else { "allocates" };
        let list = lines.excerpts(|entry| {
            if grows {
                entry.growth() == Ordering::Greater
            } else {
                lines.is_large_part(entry)
            }
        });
        Self {
            has_lines: !lines.entries.is_empty(),
            table: lines.table().filter(|_| !lines.are_all_in(&list)),
            stacks: lines.stacks(),
            excerpts: Excerpts {
                label: explained.is_failure.then_some((Level::Deny, code)),
                title: lines.title(),
                list,
                notes: lines.notes(),
            },
        }
    }

    /// Says which scenario the lines are of, if the title above them is another. They are of one
    /// point of a sweep, or of one of several scenarios, which have no title.
    pub(super) fn put_below(&mut self, title: &str, scenario: &str) {
        if self.has_lines && title != scenario {
            let excerpts = &mut self.excerpts;
            excerpts.title.insert_str(0, &format!("{scenario}: "));
            if title.is_empty() {
                let note = "the other scenarios allocate in the same lines";
                excerpts.notes.push(note.to_owned());
            }
        }
    }

    /// Whether the lines have more than at the base.
    pub(super) fn grows(&self) -> bool {
        self.excerpts.label == Some((Level::Deny, "allocates-more"))
    }

    /// What makes lines of several scenarios the same: the places of edited lines, or else of all
    /// excerpts; or the reason why there are none.
    pub(super) fn cause(&self) -> Option<Vec<(&str, u32)>> {
        let all = &self.excerpts.list;
        let edited = all.iter().filter(|one| !one.is_old);
        let edited: Vec<_> = edited.map(|one| (&*one.file, one.line)).collect();
        match (self.has_lines, &edited[..]) {
            (false, _) => Some(vec![(&self.excerpts.title, 0)]),
            (true, [_, ..]) => Some(edited),
            (true, []) if all.is_empty() => None,
            (true, []) => Some(all.iter().map(|one| (&*one.file, one.line)).collect()),
        }
    }

    /// The sentence for a value whose lines are not known.
    fn without_lines(reason: &Unexplained) -> Self {
        let is_inexact = *reason == Unexplained::Inexact;
        let begin = if is_inexact {
            "no lines are shown, because"
        } else {
            "not explained:"
        };
        Self {
            excerpts: Excerpts {
                label: is_inexact.then_some((Level::Warn, "sites-inexact")),
                title: format!("{begin} {reason}"),
                ..Excerpts::default()
            },
            ..Self::default()
        }
    }

    /// The title with the excerpts and the notes, the table, and the call stacks.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![Block::Space, Block::Excerpts(self.excerpts.clone())];
        if let Some(table) = &self.table {
            blocks.extend([Block::Space, table.clone()]);
        }
        if !self.stacks.is_empty() {
            blocks.push(Block::Space);
            blocks.push(Block::Fold {
                title: "call stacks, innermost frame first".into(),
                is_open: false,
                blocks: vec![Block::Code("text", self.stacks.clone())],
            });
        }
        blocks.push(Block::Space);
        blocks
    }
}

impl Entry<'_> {
    /// How the value differs from the base.
    fn growth(&self) -> Ordering {
        let (base, head) = self.values[0];
        head.cmp(&base)
    }

    /// Whether the line differs from the base, or was edited.
    fn tells(&self) -> bool {
        let mut values = self.values.iter();
        let differs = values.any(|(base, head)| base != head);
        self.change.map_or(self.site.is_edited, |_| differs)
    }

    /// The order in a table: by the size of the change if there is a base, and then by values.
    fn rank(&self) -> [Ratio; 4] {
        let first = self.values[0];
        let both = [first, self.values.get(1).copied().unwrap_or(first)];
        let changes = both.map(|(base, head)| match self.change {
            Some(_) => size_of_change(base, head).unwrap_or(head),
            None => head,
        });
        [changes[0], changes[1], both[0].1, both[1].1]
    }

    /// `added: 1 allocation, 12 bytes`, `edited: 1 allocation more`, `1 allocation, 52 bytes`.
    fn label(&self, metrics: &[Metric]) -> String {
        let each = metrics.iter().zip(&self.values);
        let words = each.filter_map(|(&metric, &(base, head))| match self.change {
            None | Some(SiteChange::Added) => (head != ZERO).then(|| amount(metric, head)),
            Some(_) => change_words(metric, base, head),
        });
        let words = words.collect::<Vec<_>>().join(", ");
        match self.change {
            Some(change) if words.is_empty() => change.to_string(),
            Some(change @ (SiteChange::Added | SiteChange::Edited | SiteChange::Moved)) => {
                format!("{change}: {words}")
            }
            Some(SiteChange::Same | SiteChange::Removed) | None => words,
        }
    }

    /// Whether the line is new; of two with as much, it is more likely the reason.
    fn is_added(&self) -> bool {
        let is_alone = self.change.is_none();
        self.change == Some(SiteChange::Added) || is_alone && self.site.is_added
    }

    /// What happened to the line, if that is known.
    pub(super) fn change(&self) -> Option<&'static str> {
        let edit = match (self.site.is_added, self.site.is_edited) {
            (true, _) => Some(SiteChange::Added),
            (false, true) => Some(SiteChange::Edited),
            (false, false) => None,
        };
        self.change.or(edit).map(SiteChange::name)
    }
}

/// The metric, and the one that goes with it; and the `reallocs` among `allocs`.
pub(super) fn shown_metrics(metric: Metric) -> Vec<Metric> {
    let mut shown: Vec<Metric> = [metric].into_iter().chain(metric.companion()).collect();
    if shown.contains(&Metric::Allocs) {
        shown.push(Metric::Reallocs);
    }
    shown
}

impl<'e> Lines<'e> {
    /// The lines with their values of these metrics.
    pub(super) fn new(
        explained: &'e Explained,
        metrics: Vec<Metric>,
    ) -> Result<Self, &'e Unexplained> {
        let found = explained.found.as_ref()?;
        let (totals, mut entries): (Pairs, Vec<Entry<'e>>) = match found {
            Found::Sites { sites, .. } => {
                let entry = |site| Entry {
                    change: None,
                    site,
                    before: None,
                    values: pairs(&metrics, |metric| (ZERO, sites.value(site, metric))),
                };
                let totals = pairs(&metrics, |metric| (ZERO, sites.total(metric)));
                (totals, sites.list.iter().map(entry).collect())
            }
            Found::Compared { diff, .. } => {
                let entry = |&delta: &SiteDelta| {
                    let (before, now) = diff.sites(delta);
                    Some(Entry {
                        change: Some(delta.change),
                        site: now.or(before)?,
                        before,
                        values: pairs(&metrics, |metric| diff.values(delta, metric)),
                    })
                };
                let total = |metric| (diff.base.total(metric), diff.head.total(metric));
                let entries = diff.deltas.iter().filter_map(entry);
                (pairs(&metrics, total), entries.collect())
            }
        };
        entries.retain(|entry| has_some(&entry.values));
        // By rank; sites with the same one stay in the order of their places.
        entries.sort_by_cached_key(|entry| {
            let is_edited = entry.change.is_none() && entry.site.is_edited;
            let [first, others @ ..] = entry.rank();
            Reverse((is_edited, first, entry.is_added(), others))
        });
        Ok(Self {
            explained,
            found,
            metrics,
            totals,
            entries,
        })
    }

    /// The name of the base, if the lines are compared with one.
    pub(super) fn base(&self) -> Option<&'e str> {
        match self.found {
            Found::Compared { base, .. } => Some(base),
            Found::Sites { .. } => None,
        }
    }

    /// Whether a line has a third of the value or more. Others have a row in the table alone.
    fn is_large_part(&self, entry: &Entry<'_>) -> bool {
        let (value, total) = (entry.values[0].1, self.totals[0].1);
        let times = value.checked_mul(Ratio::whole(MOST_EXCERPTS.into()));
        value > ZERO && times.is_none_or(|times| times >= total)
    }

    /// `1 allocation and 12 bytes per iteration more than at main (4f8762a1c0)`.
    fn title(&self) -> String {
        let per = self.explained.statistic.words();
        // The third metric is a part of the first or the second.
        let each = || self.metrics.iter().zip(&self.totals).take(2);
        let now = each().map(|(&metric, &(_, head))| amount(metric, head));
        let mut now = now.collect::<Vec<_>>().join(" and ");
        if self.entries.is_empty() && self.metrics.contains(&Metric::Allocs) {
            now = "no allocations".into();
        }
        let Some(base) = self.base() else {
            return format!("{now} {per}");
        };
        let change = self.totals[0].1.cmp(&self.totals[0].0);
        let word = match change {
            Ordering::Greater => "more",
            Ordering::Less => "fewer",
            Ordering::Equal => return format!("{now} {per}, as at {base}"),
        };
        // A metric that changed the other way is in the table alone.
        let alike = each().filter(|(_, (base, head))| head.cmp(base) == change);
        let words = alike.filter_map(|(&metric, &(base, head))| {
            Some(amount(metric, size_of_change(base, head)?))
        });
        let words = words.collect::<Vec<_>>().join(" and ");
        format!("{words} {per} {word} than at {base}")
    }

    /// The table: the lines, what is left out, and the sum.
    fn table(&self) -> Option<Block> {
        if self.entries.is_empty() {
            return None;
        }
        let (shown, rest) = self.shown();
        let mut rows: Vec<Vec<Line>> = Vec::new();
        for entry in shown {
            let (at, what) = place_words(entry.site);
            rows.push(self.row(
                &entry.values,
                entry.change().unwrap_or_default(),
                place(at),
                &what,
            ));
        }
        if !rest.is_empty() {
            let zero = vec![(ZERO, ZERO); self.metrics.len()];
            let sums = rest.iter().fold(zero, |sums, entry| {
                let pairs = sums.iter().zip(&entry.values);
                let pairs =
                    pairs.map(|(one, other)| (together(one.0, other.0), together(one.1, other.1)));
                pairs.collect()
            });
            rows.push(self.row(&sums, "", counted(rest.len(), "more line").into(), ""));
        }
        rows.push(self.row(&self.totals, "", "sum".into(), ""));
        // No column of `reallocs` without any.
        if let [.., Metric::Reallocs] = self.metrics[..]
            && self.metrics.len() > 1
            && self.totals.last() == Some(&(ZERO, ZERO))
        {
            let last = 2 * (self.metrics.len() - 1);
            rows.iter_mut()
                .for_each(|row| row[last..last + 2].fill(Line::default()));
        }
        let values = self.metrics.iter();
        let mut columns: Vec<_> = values
            .flat_map(|metric| [right(metric.name()), left("")])
            .collect();
        columns.extend(["change", "line", "call"].map(left));
        Some(Block::table(Look::Titled(3), columns, rows))
    }

    /// Whether each line with its values is in an excerpt, and none is compared with a base.
    fn are_all_in(&self, list: &[Excerpt]) -> bool {
        self.entries.iter().all(|entry| {
            let (line, label) = (entry.site.place.line(), entry.label(&self.metrics));
            // Of the only line, the title has the values.
            let is_it = |one: &Excerpt| {
                line.is_some_and(|line| (&line.file, line.line) == (&one.file, one.line))
                    && (self.entries.len() == 1 || one.label.contains(&label))
            };
            matches!(entry.change, None | Some(SiteChange::Added)) && list.iter().any(is_it)
        })
    }

    /// The cells of a row: for each metric the value and its difference, and the words.
    fn row(&self, pairs: &Pairs, change: &str, place: Line, what: &str) -> Vec<Line> {
        let mut cells = Vec::new();
        for &(base, head) in pairs {
            let differs = self.base().is_some() && base != head;
            let by = differs.then(|| format!("({})", difference(Unit::Count, base, head)));
            cells.extend([printed(Unit::Count, head).into(), by.into()]);
        }
        cells.extend([change.into(), place, what.into()]);
        cells
    }

    /// The sites that the table shows, and the others.
    fn shown(&self) -> (&[Entry<'e>], &[Entry<'e>]) {
        let told = self.entries.iter().filter(|entry| entry.tells()).count();
        let lines = match told {
            0 if self.found.sites().nearby.is_none() => MOST_LINES,
            told => told.clamp(FEW_LINES, MOST_LINES),
        };
        most(&self.entries, lines)
    }

    /// What else a reader has to know.
    fn notes(&self) -> Vec<String> {
        let sites = self.found.sites();
        let mut notes = Vec::new();
        if let Found::Sites {
            no_base: Some(reason),
            ..
        } = self.found
        {
            notes.push(format!("not compared with the base: {reason}"));
        }
        if let (Some(since), edits @ [_, ..]) = (self.found.since(), &sites.elsewhere[..])
            && !self.entries.is_empty()
        {
            let edits = enumerated(edits.to_vec());
            notes.push(format!(
                "the edits since {since} are not on the way to these allocations: {edits}"
            ));
        }
        match (&sites.measured.problem, sites.without_lines) {
            (Some(problem), true) => notes.push(format!("functions without lines: {problem}")),
            (Some(problem), false) => notes.push(format!("lines may be missing: {problem}")),
            (None, true) => {
                notes.push("functions without lines: the bench has no line tables".into())
            }
            (None, false) => {}
        }
        let part = sites.measured.part();
        let part = part.filter(|_| self.explained.statistic != Statistic::First);
        if let Some((explained, planned)) = part {
            let [explained, planned] = [explained, planned].map(|count| integer(count.into()));
            notes.push(format!(
                "call stacks were recorded in {explained} of {planned} iterations"
            ));
        }
        let total = sites.total(self.explained.metric);
        if let Some(judged) = self.explained.judged.filter(|judged| *judged != total) {
            let metric = Measure::from(self.explained.metric);
            let [now, judged] = [total, judged].map(|value| printed(metric.unit(), value));
            notes.push(format!(
                "the lines are of a second run, with {metric} {now} instead of {judged}"
            ));
        }
        notes
    }
}

fn pairs(metrics: &[Metric], pair: impl Fn(Metric) -> (Ratio, Ratio)) -> Pairs {
    metrics.iter().map(|&metric| pair(metric)).collect()
}

fn has_some(pairs: &Pairs) -> bool {
    pairs.iter().any(|pair| *pair != (ZERO, ZERO))
}

/// The value of two sites.
fn together(one: Ratio, other: Ratio) -> Ratio {
    one.checked_add(other).unwrap_or(one)
}

/// How far both are apart; `None` if that has too many digits.
fn size_of_change(base: Ratio, head: Ratio) -> Option<Ratio> {
    head.max(base).checked_sub(head.min(base))
}

/// `1 allocation`, `2,048 bytes`.
pub(super) fn amount(metric: Metric, amount: Ratio) -> String {
    let [one, many] = metric.definition().nouns;
    let noun = if amount == Ratio::whole(1) { one } else { many };
    format!("{} {noun}", printed(Unit::Count, amount))
}

/// `1 allocation more`; `None` if nothing changed.
fn change_words(metric: Metric, base: Ratio, head: Ratio) -> Option<String> {
    let word = match head.cmp(&base) {
        Ordering::Greater => "more",
        Ordering::Less => "fewer",
        Ordering::Equal => return None,
    };
    Some(format!(
        "{} {word}",
        amount(metric, size_of_change(base, head)?)
    ))
}

/// Where a site is, and what it does there.
fn place_words(site: &Site) -> (String, String) {
    let how = |function: &str| match &*site.how {
        "" => format!("in {function}"),
        how => format!("{how} in {function}"),
    };
    let name = |function: &str| match function {
        "" => String::from("an unknown function"),
        function => function.to_owned(),
    };
    let (place, what) = match &site.place {
        SitePlace::Line(line) => return (line.location(), how(&line.function)),
        SitePlace::Function(function) => ("no line", how(function)),
        SitePlace::Dependency(function) => {
            ("in dependencies", format!("called from {}", name(function)))
        }
        SitePlace::Untraced(function) => (
            "code without unwind tables",
            format!("at {}", name(function)),
        ),
        SitePlace::FurtherStacks => ("further stacks", "more than the counter keeps".into()),
        SitePlace::Before => ("blocks from before", "freed or resized".into()),
    };
    (place.to_owned(), what)
}

#[cfg(test)]
mod tests;

/// The functions behind a line at most.
const MOST_FUNCTIONS: usize = 3;

/// The metrics of a cause, whatever the value is that failed.
const CAUSES: [Metric; 2] = [Metric::Allocs, Metric::Bytes];

impl Entry<'_> {
    /// Whether the line was edited, and has something of the value.
    fn is_edited(&self) -> bool {
        self.site.is_edited && self.values[0].1 > ZERO
    }

    /// The line with its code, below which the `label` stands. `sites` are those of the run, if the
    /// line is there, and `has_diff` says whether it is known which lines were edited.
    fn excerpt(&self, label: String, has_diff: bool, sites: &Sites) -> Option<Excerpt> {
        let line = self.site.place.line()?;
        let code = line.text.as_ref()?;
        let is_edited = self.change == Some(SiteChange::Edited);
        let before = self.before.filter(|_| is_edited);
        let before = before.and_then(|site| site.place.line()?.text.as_deref());
        let column = line.column.map(|column| match &*self.site.how {
            "?" => column_of_operator(code, column),
            _ => column,
        });
        Some(Excerpt {
            file: line.file.clone(),
            line: line.line,
            column,
            code: code.clone(),
            around: self.site.around.clone(),
            label,
            is_old: has_diff && !self.is_edited(),
            notes: notes([
                (
                    "before",
                    before.map(|text| styled(Style::Code, text.trim())),
                ),
                ("allocates in", with_others(&self.site.allocates_in)),
                ("called by", with_others(&self.site.called_by)),
                ("made by", made_by(self.site, sites)),
            ]),
        })
    }
}

fn notes<const N: usize>(notes: [(&'static str, Option<Line>); N]) -> Vec<(&'static str, Line)> {
    let notes = notes.into_iter();
    let notes = notes.filter_map(|(name, note)| Some((name, note?)));
    notes.collect()
}

/// An entry with the words below its line.
type Labelled<'e, 's> = (&'e Entry<'s>, String);

impl<'e> Lines<'e> {
    /// The excerpts of lines that are chosen. Where it is known which lines were edited, old ones
    /// are left out if there are edited ones; if not, an edit that can be the reason comes first.
    pub(super) fn excerpts(&self, is_chosen: impl Fn(&Entry<'e>) -> bool) -> Vec<Excerpt> {
        let since = self.found.since();
        let chosen = self.entries.iter().filter(|entry| is_chosen(entry));
        let chosen = chosen.map(|entry| (entry, entry.label(&self.metrics)));
        let (mut edited, others): (Vec<_>, Vec<_>) =
            chosen.partition(|(entry, _)| since.is_some() && entry.is_edited());
        if let Some(since) = since.filter(|_| self.base().is_none()) {
            edited = self.edited_since(since);
        }
        let reason = since.filter(|_| edited.is_empty());
        let reason = reason.and_then(|since| self.reason_elsewhere(since));
        // Where the reason is shown, one line is enough to see what it led to.
        let most_others = match (edited.is_empty(), &reason) {
            (false, _) => 0,
            (true, Some(_)) => 1,
            (true, None) => usize::MAX,
        };
        let lines = edited
            .into_iter()
            .chain(others.into_iter().take(most_others));
        let sites = self.found.sites();
        let lines = lines.filter_map(|(entry, label)| entry.excerpt(label, since.is_some(), sites));
        // One place is one excerpt: a macro makes several calls there.
        let mut list: Vec<Excerpt> = Vec::new();
        for excerpt in reason.into_iter().chain(lines) {
            let mut before = list.iter_mut();
            match before.find(|one| {
                (&one.file, one.line, one.column) == (&excerpt.file, excerpt.line, excerpt.column)
            }) {
                Some(one) => one.label.push_str(&format!("; {}", excerpt.label)),
                None => list.push(excerpt),
            }
        }
        list.truncate(MOST_EXCERPTS.into());
        list
    }

    /// All edited lines, the largest first. A call that was there before is less likely the reason,
    /// so it is left out unless it has more than each new one.
    fn edited_since(&self, since: &str) -> Vec<Labelled<'_, 'e>> {
        let value = |entry: &Entry<'_>| entry.values[0].1;
        let edited = self.entries.iter().filter(|entry| entry.is_edited());
        let mut edited: Vec<_> = edited
            .map(|entry| (entry, entry.label(&self.metrics)))
            .collect();
        let added = edited.iter().filter(|(entry, _)| entry.site.is_added);
        if let Some(most) = added.map(|(entry, _)| value(entry)).max() {
            edited.retain(|(entry, _)| entry.site.is_added || value(entry) > most);
        }
        // The line can have no more of the rise than it allocates.
        let (all, accepted) = (self.totals[0].1, self.explained.accepted(self.metrics[0]));
        if let [(entry, label)] = &mut edited[..]
            && !entry.site.is_added
            && accepted.is_some_and(|accepted| together(accepted, value(entry)) >= all)
            && let Some(rise) = self.rise()
        {
            *label = rise;
        }
        for (entry, label) in &mut edited {
            *label = format!(
                "{} since {since}: {label}",
                entry.change().unwrap_or_default()
            );
        }
        edited
    }

    /// An edited line that has less than before, which the others make up for, or an edit in a
    /// function that calls them.
    fn reason_elsewhere(&self, since: &str) -> Option<Excerpt> {
        let diff = match self.found {
            Found::Sites { .. } => None,
            Found::Compared { diff, .. } => Some(diff),
        };
        if let Some(cause) = diff.and_then(|diff| cause(diff)) {
            return Some(cause);
        }
        let near = self.found.sites().nearby.as_ref()?;
        let vanished = diff.and_then(|diff| vanished(diff, near));
        let removed = near.removed.as_ref();
        let removed = removed.map(|text| styled(Style::Code, text));
        Some(Excerpt {
            file: near.line.file.clone(),
            line: near.line.line,
            code: near.line.text.clone()?,
            around: near.around.clone(),
            label: vanished.unwrap_or_else(|| self.passing(near, since)),
            notes: notes([("before", removed)]),
            ..Excerpt::default()
        })
    }

    /// `1 allocation more`: what the value has more than at the base, or than in the baseline.
    fn rise(&self) -> Option<String> {
        let values = self.metrics.iter().zip(&self.totals);
        let words = values.filter_map(|(&metric, &(base, head))| {
            let before = match self.base() {
                Some(_) => base,
                None => self.explained.accepted(metric)?,
            };
            change_words(metric, before, head).filter(|_| head > before)
        });
        let words = words.collect::<Vec<_>>().join(", ");
        let of = self.base().map_or(" than in the baseline", |_| "");
        (!words.is_empty()).then(|| words + of)
    }

    /// `edited since main (4f8762a1c0): 1 allocation more`; `trim has 6 allocations` where nothing is
    /// known to compare with.
    fn passing(&self, near: &Nearby, since: &str) -> String {
        let begin = format!("{} since {since}", what(near));
        if let Some(rise) = self.rise() {
            return format!("{begin}: {rise}");
        }
        // A call to what allocates can have no line; then it is not among the amounts of its
        // function.
        match &*self.words(&near.amounts) {
            "" => begin,
            amounts => format!("{begin}: {} has {amounts}", near.line.function),
        }
    }
}

/// The edited line that has less than at the base, while others have more: a capacity that was
/// lost, for example.
fn cause(diff: &SiteDiff) -> Option<Excerpt> {
    let fewer = diff.deltas.iter().filter_map(|&delta| {
        let (before, site) = diff.sites(delta);
        let values = CAUSES.map(|metric| diff.values(delta, metric));
        let entry = Entry {
            change: Some(delta.change),
            site: site?,
            before,
            values: values.to_vec(),
        };
        let is_cause = delta.change == SiteChange::Edited
            && values.iter().all(|(base, head)| head <= base)
            && values.iter().any(|(base, head)| head < base);
        is_cause.then_some(entry)
    });
    let entry = fewer.max_by_key(Entry::rank)?;
    let excerpt = entry.excerpt(entry.label(&CAUSES), true, &diff.head)?;
    Some(Excerpt {
        is_old: false,
        ..excerpt
    })
}

fn what(near: &Nearby) -> &'static str {
    if near.is_removal {
        "lines after this one were removed"
    } else {
        "edited"
    }
}

/// `edited: 1 allocation fewer`: what a line of the base had that is not there any more.
fn vanished(diff: &SiteDiff, near: &Nearby) -> Option<String> {
    let gone = diff.deltas.iter().filter(|delta| {
        let line = delta.base.and_then(|at| diff.base.list[at].place.line());
        let is_here = line.is_some_and(|line| {
            let text = line.text.as_deref().map(str::trim);
            line.function.ends_with(&near.line.function) && text == near.removed.as_deref()
        });
        delta.change == SiteChange::Removed && is_here
    });
    let words = gone.flat_map(|&delta| {
        CAUSES.map(|metric| {
            let (base, head) = diff.values(delta, metric);
            change_words(metric, base, head)
        })
    });
    let words = words.flatten().collect::<Vec<_>>().join(", ");
    (!words.is_empty()).then(|| format!("{}: {words}", what(near)))
}

/// The column of the `?` behind an expression that begins at a column.
fn column_of_operator(code: &str, column: u32) -> u32 {
    let begin = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
    let found = code.get(begin..).and_then(|rest| rest.find('?'));
    let behind = found.and_then(|at| u32::try_from(at).ok());
    behind.map_or(column, |behind| column + behind)
}

/// The first of some places, and how many others there are: `encode, src/text.rs:40:9, and 2
/// other lines`.
fn with_others(places: &IndexMap<SitePlace, i128>) -> Option<Line> {
    let (first, _) = places.first()?;
    let mut line = line![first.function().unwrap_or_default()];
    if let Some(at) = first.line() {
        line.push(line![", ", place(at.location())]);
    }
    if let more @ 1.. = places.len() - 1 {
        line.push(format!(", and {}", counted(more, "other line")));
    }
    Some(line)
}

/// `100 x to_owned, 11 B each; 6 x Vec::from_iter, 96 to 3,072 B`: the calls and the sizes of each
/// function behind a line of the run, if there are several.
fn made_by(site: &Site, sites: &Sites) -> Option<Line> {
    if !sites.list.iter().any(|one| std::ptr::eq(one, site)) {
        return None;
    }
    let calls = |amounts: &Amounts| sites.value_of(amounts, Metric::Allocs);
    let all = site.made_by.iter();
    let all = all.filter(|(_, amounts)| amounts.largest > 0);
    let mut all: Vec<(&str, Amounts)> = all.map(|(name, it)| (&**name, *it)).collect();
    if all.len() < 2 {
        return None;
    }
    all.sort_by_cached_key(|&(name, amounts)| (Reverse(calls(&amounts)), name));
    let rest = all.split_off(all.len().min(MOST_FUNCTIONS));
    if !rest.is_empty() {
        all.push(("others", rest.iter().map(|(_, amounts)| *amounts).sum()));
    }
    let count = |value: Ratio| printed(Unit::Count, value);
    let parts = all.into_iter().map(|(name, amounts)| {
        let calls = calls(&amounts);
        let [least, most] =
            [amounts.smallest, amounts.largest].map(|size| count(Ratio::whole(size.into())));
        let sizes = match (least.cmp(&most), calls == Ratio::whole(1)) {
            (Ordering::Equal, true) => format!("{most} B"),
            (Ordering::Equal, false) => format!("{most} B each"),
            _ => format!("{least} to {most} B"),
        };
        format!("{} x {name}, {sizes}", count(calls))
    });
    Some(parts.collect::<Vec<_>>().join("; ").into())
}
