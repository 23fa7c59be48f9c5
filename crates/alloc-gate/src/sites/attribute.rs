//! [`Sites`]: the lines of code to which the operations of a scenario are attributed, and
//! [`Explained`], a value of a scenario with them, or why there are none.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use alloc_results::{BenchId, Metric, Ratio, SiteRow};
use alloc_symbols::names::short_name;
use alloc_symbols::{Blame, Frame, Weight, measured_frames};
use indexmap::IndexMap;

use crate::measure::Statistic;
use crate::sites::changes::{Changes, Side};
use crate::sites::diff::{SiteDiff, mark_added};
use crate::sites::site::{Amounts, Line, ScenarioSites, Site, SitePlace};
use crate::sites::source::{
    Members, Nearby, allocating_function, around_line, macro_around, modules, nearby, uses,
};

/// The lines that allocate or free in a scenario. Their amounts add up to the scenario's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sites {
    /// The sites, by place; those with nothing are left out.
    pub list: Vec<Site>,
    /// The number of iterations that amounts are sums over.
    pub iterations: u64,
    /// The edit in a function on most of the way to what is not blamed on an edited line.
    pub nearby: Option<Box<Nearby>>,
    /// What the diff edits, if nothing of it has to do with the operations: `src/lib.rs:1`.
    pub elsewhere: Vec<String>,
    /// Whether members have functions here, and none of them has a line.
    pub without_lines: bool,
    /// The call stacks that were attributed, with the paths of members' files as they are shown.
    pub measured: Arc<ScenarioSites>,
    /// What was done in the iterations, by the index of the stack; `None` for all further stacks.
    pub(crate) by_stack: IndexMap<Option<usize>, Amounts>,
    /// Whether the live blocks at the peaks are known.
    pub(crate) has_peaks: bool,
    /// The parts that the sites are made of.
    pub(crate) parts: Vec<Part>,
}

/// What is known of one stack, or of what has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    site: Site,
    /// The same by the line that is blamed where edits don't count, if an edited one is blamed.
    without_edits: Option<Site>,
}

/// The code that stacks go through.
#[derive(Clone, Copy)]
pub struct Code<'c> {
    /// Which files are the workspace's own.
    pub members: &'c Members,
    /// Finds the text of a member's file by the path that reports show.
    pub sources: &'c dyn Fn(&str) -> Option<String>,
    /// Which lines were edited.
    pub side: Side<'c>,
}

impl<'c> Code<'c> {
    /// The code of a workspace without known edits.
    pub fn new(members: &'c Members, sources: &'c dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            members,
            sources,
            side: Side::Unknown,
        }
    }
}

impl Sites {
    /// Attributes the operations of a scenario that a value is about.
    #[must_use]
    pub fn new(
        mut measured: ScenarioSites,
        metric: Metric,
        statistic: Statistic,
        code: Code<'_>,
    ) -> Self {
        let mut texts = Texts {
            code,
            bench: measured.bench.clone(),
            files: HashMap::new(),
            weights: HashMap::new(),
            names: typed_names(&measured.stacks),
        };
        texts.leave_macros(&mut measured.stacks);
        let mut sites = Self::unattributed(measured, metric, statistic);
        let measured = Arc::clone(&sites.measured);
        for (&index, &amounts) in &sites.by_stack {
            let stack = index.and_then(|index| measured.stacks.get(index));
            let part = if let Some((index, stack)) = index.zip(stack) {
                let mut blamed = |edits| texts.site((index, stack), amounts, metric, edits);
                let site = blamed(true);
                let without_edits = site.is_edited.then(|| blamed(false));
                let is_other =
                    |other: &Site| (&other.place, &other.how) != (&site.place, &site.how);
                Part {
                    without_edits: without_edits.filter(is_other),
                    site,
                }
            } else {
                Part::without_stack(SitePlace::FurtherStacks, amounts)
            };
            sites.parts.push(part);
        }
        let list = merged(sites.parts.iter().map(|part| &part.site));
        sites.list = list;
        if let Side::New(changes) = code.side {
            mark_added(&mut sites.list, changes);
            sites.nearby = texts.nearby(&sites, metric, changes).map(Box::new);
        }
        // The standard library has lines where the bench has none.
        let is_any = |is_kind: fn(&SitePlace) -> bool| {
            let mut list = sites.list.iter();
            list.any(|site| is_kind(&site.place))
        };
        sites.without_lines = is_any(|place| matches!(place, SitePlace::Function(_)))
            && !is_any(|place| matches!(place, SitePlace::Line(_)));
        if let Side::New(changes) = code.side
            && !sites.has_edits()
        {
            sites.elsewhere = changes.places(|file| code.members.path(file).is_some());
        }
        sites
    }

    /// The same; these stacks are blamed on the lines that would be if none was edited. `None` stands
    /// for all stacks.
    pub(super) fn without_edits_at(&self, stacks: Option<&HashSet<usize>>) -> Self {
        let mut sites = self.clone();
        for part in &mut sites.parts {
            let is_one = |site: &Site| {
                let mut all = site.stacks.iter();
                stacks.is_none_or(|stacks| all.any(|(stack, _)| stacks.contains(stack)))
            };
            if let Some(site) = part.without_edits.take_if(|site| is_one(site)) {
                part.site = site;
            }
        }
        sites.list = merged(sites.parts.iter().map(|part| &part.site));
        sites
    }

    /// What was done in the iterations that a value is about, with the site of the blocks from
    /// before them alone.
    fn unattributed(measured: ScenarioSites, metric: Metric, statistic: Statistic) -> Self {
        let (samples, iterations) = measured.samples_of(metric, statistic);
        let follows = measured.follows_blocks();
        let amounts_of = |row: &SiteRow| Amounts::of_row(row, follows);
        let mut sites = Self {
            iterations: iterations.max(1),
            has_peaks: measured.follows_blocks(),
            ..Self::default()
        };
        let mut before = Amounts::default();
        for sample in samples {
            for row in &sample.rows {
                *sites.by_stack.entry(row.stack).or_default() += amounts_of(row);
            }
            if let Some(row) = sample.before {
                before += Amounts::of_before(row);
                sites.has_peaks &= row.peak_bytes.is_some();
            }
        }
        Self {
            parts: vec![Part::without_stack(SitePlace::Before, before)],
            measured: Arc::new(measured),
            ..sites
        }
    }

    /// Whether an edit is known that has to do with the operations.
    #[must_use]
    pub fn has_edits(&self) -> bool {
        self.nearby.is_some() || self.list.iter().any(|site| site.is_edited)
    }

    /// A value of a site: its sum by the number of iterations.
    #[must_use]
    pub fn value(&self, site: &Site, metric: Metric) -> Ratio {
        self.value_of(&site.amounts, metric)
    }

    /// A value of a site or of a stack: its sum by the number of iterations.
    #[must_use]
    pub fn value_of(&self, amounts: &Amounts, metric: Metric) -> Ratio {
        self.per_iteration(amounts.of(metric))
    }

    /// The frames of a site's stacks, innermost first, without frames of the allocator and of the
    /// harness; stacks with the same frames are one. First those with the most of the first metric,
    /// and of those with as much of it the ones with the most of the next.
    #[must_use]
    pub fn stacks_of(&self, site: &Site, metrics: &[Metric]) -> Vec<(&[Frame], Amounts)> {
        let mut stacks: IndexMap<&[Frame], Amounts> = IndexMap::new();
        for &(stack, amounts) in &site.stacks {
            if let Some(stack) = self.measured.stacks.get(stack) {
                *stacks.entry(measured_frames(stack)).or_default() += amounts;
            }
        }
        let mut stacks: Vec<(&[Frame], Amounts)> = stacks.into_iter().collect();
        stacks.retain(|(_, amounts)| !amounts.is_zero());
        stacks.sort_by_cached_key(|(frames, amounts)| {
            let order = frames.iter().rev();
            let order = order.map(|it| (&it.function, &it.file, it.line, it.column));
            let most = metrics.iter().map(|&metric| -amounts.of(metric).abs());
            (most.collect::<Vec<_>>(), order.collect::<Vec<_>>())
        });
        stacks
    }

    /// The value of the scenario: all sites together.
    #[must_use]
    pub fn total(&self, metric: Metric) -> Ratio {
        let all = self.list.iter().map(|site| site.amounts).sum();
        self.value_of(&all, metric)
    }

    pub(crate) fn per_iteration(&self, sum: i128) -> Ratio {
        Ratio::new(sum, self.iterations.max(1)).unwrap_or(Ratio::whole(0))
    }
}

impl Part {
    fn without_stack(place: SitePlace, amounts: Amounts) -> Self {
        let mut site = Site::new(place, String::new());
        site.amounts = amounts;
        Self {
            site,
            without_edits: None,
        }
    }
}

/// The sites by place, each once; those with nothing are left out.
fn merged<'s>(parts: impl Iterator<Item = &'s Site>) -> Vec<Site> {
    let mut sites: IndexMap<(&SitePlace, &str), Site> = IndexMap::new();
    for part in parts {
        let site = sites.entry((&part.place, &part.how));
        let site = site.or_insert_with(|| Site::new(part.place.clone(), part.how.clone()));
        site.add(part);
    }
    let mut list: Vec<Site> = sites.into_values().collect();
    list.retain(|site| !site.amounts.is_zero());
    list.sort_by(|one, other| (&one.place, &one.how).cmp(&(&other.place, &other.how)));
    for site in &mut list {
        most_first(&mut site.allocates_in);
        most_first(&mut site.called_by);
    }
    list
}

fn most_first(places: &mut IndexMap<SitePlace, i128>) {
    places.sort_by_cached_key(|place, amount| {
        let location = place.line().map(Line::location);
        (-amount, place.function().map(str::to_owned), location)
    });
}

/// The code, with the texts of files and the weights of lines, each asked for once.
struct Texts<'s> {
    code: Code<'s>,
    bench: String,
    files: HashMap<String, Option<String>>,
    /// The weights without edits, and whether the line was edited.
    weights: HashMap<Frame, Option<(Weight, bool)>>,
    names: TypedNames,
}

/// The names of functions with their types, by their places and their names without, if one type has
/// the place. Line tables name an inlined function without its type, and others with it.
type TypedNames = HashMap<(Option<Arc<str>>, Option<u32>, Option<u32>, String), Option<String>>;

fn typed_names(stacks: &[Vec<Frame>]) -> TypedNames {
    let frames = stacks.iter().flatten();
    let frames: HashSet<&Frame> = frames.filter(|it| it.function.contains("::")).collect();
    let mut names = TypedNames::new();
    for frame in frames {
        let name = short_name(&frame.function);
        if let Some((_, last)) = name.rsplit_once("::") {
            let place = (
                frame.file.clone(),
                frame.line,
                frame.column,
                last.to_owned(),
            );
            let known = names.entry(place).or_insert_with(|| Some(name.clone()));
            if known.as_ref() != Some(&name) {
                *known = None;
            }
        }
    }
    names
}

impl Texts<'_> {
    /// What was done at a stack, with the place that is blamed for it.
    fn site(
        &mut self,
        (index, stack): (usize, &[Frame]),
        amounts: Amounts,
        metric: Metric,
        edits: bool,
    ) -> Site {
        let members = self.code.members;
        let (mut is_edited, mut others, mut called) = (false, [None; 2], String::new());
        let weigh = |frame: &Frame| match self.weight(frame)? {
            (_, true) if edits => Some(Weight::Edited),
            (weight, _) => Some(weight),
        };
        let place = match Blame::new(stack, weigh) {
            Blame::Ours {
                frame,
                weight,
                how,
                allocates_in,
                called_by,
            } => {
                is_edited = weight == Weight::Edited;
                others = [allocates_in, called_by];
                called.extend(how.map(|frame| self.name(frame)));
                self.place(frame)
            }
            // The measured code has no function of its own.
            Blame::Harness(None) => SitePlace::Function(String::from("measured closure")),
            Blame::Outside(frame) | Blame::Harness(Some(frame)) => {
                SitePlace::Dependency(frame.function.as_ref().to_owned())
            }
            Blame::Untraced(frame) => {
                let function = frame.map_or("", |frame| &frame.function);
                SitePlace::Untraced(function.to_owned())
            }
        };
        let amount = amounts.of(metric).abs();
        let [allocates_in, called_by] = others.map(|frame| {
            let place = frame.map(|frame| (self.place(frame), amount));
            place.into_iter().collect()
        });
        let made_by = allocating_function(stack, |frame| members.owns(frame));
        let made_by = made_by.map_or_else(String::new, |frame| self.name(frame));
        let around = place.line().and_then(|line| {
            let source = self.text(&line.file)?;
            Some(around_line(source, line.line))
        });
        Site {
            is_edited,
            around: around.unwrap_or_default(),
            allocates_in,
            called_by,
            made_by: [(made_by, amounts)].into_iter().collect(),
            amounts,
            stacks: vec![(index, amounts)],
            ..Site::new(place, called)
        }
    }

    /// The edit that most of the operations are made below which are not blamed on an edited line.
    fn nearby(&mut self, sites: &Sites, metric: Metric, changes: &Changes) -> Option<Nearby> {
        let (members, bench) = (self.code.members, self.bench.clone());
        let mut found: Vec<Nearby> = Vec::new();
        let others = sites.list.iter().filter(|site| !site.is_edited);
        for &(index, amounts) in others.flat_map(|site| &site.stacks) {
            let stack = &sites.measured.stacks[index];
            let frames = measured_frames(stack).iter().filter_map(|frame| {
                let path = members.path(frame.file.as_deref()?)?;
                (path != bench).then_some((frame, path))
            });
            let texts = |file: &str| self.text(file).map(str::to_owned);
            let Some(mut edit) = nearby(frames, changes, texts) else {
                continue;
            };
            match found.iter_mut().find(|one| one.line == edit.line) {
                Some(one) => one.amounts += amounts,
                None => {
                    edit.amounts = amounts;
                    found.push(edit);
                }
            }
        }
        let rank = |edit: &Nearby| (edit.has_code, edit.amounts.of(metric));
        found.into_iter().max_by_key(rank)
    }

    /// The weight of a member's frame without edits, and whether its line was edited.
    fn weight(&mut self, frame: &Frame) -> Option<(Weight, bool)> {
        if let Some(known) = self.weights.get(frame) {
            return *known;
        }
        let weight = self.code.members.owns(frame).then(|| {
            let file = frame.file.as_deref();
            let path = file.and_then(|file| self.code.members.path(file));
            let Some((path, line)) = path.zip(frame.line) else {
                return (Weight::NoLine, false);
            };
            let is_edited = path != self.bench && self.code.side.is_edited(&path, line);
            (Weight::of(frame, self.text(&path)), is_edited)
        });
        self.weights.insert(frame.clone(), weight);
        weight
    }

    fn name(&self, frame: &Frame) -> String {
        let name = short_name(&frame.function);
        let place = (frame.file.clone(), frame.line, frame.column, name);
        let typed = self.names.get(&place).cloned().flatten();
        typed.unwrap_or(place.3)
    }

    fn place(&mut self, frame: &Frame) -> SitePlace {
        let function = self.name(frame);
        let (Some(file), Some(line)) = (&frame.file, frame.line) else {
            return SitePlace::Function(function);
        };
        let members = self.code.members;
        let file = members
            .path(file)
            .unwrap_or_else(|| file.as_ref().to_owned());
        SitePlace::Line(Line {
            text: self.line(&file, line),
            file,
            line,
            column: frame.column,
            function,
        })
    }

    /// Gives frames in macros of members the places where these are used, if a function uses one
    /// once.
    fn leave_macros(&mut self, stacks: &mut [Vec<Frame>]) {
        let mut known: HashMap<Frame, Option<Frame>> = HashMap::new();
        for frame in stacks.iter_mut().flatten() {
            if !known.contains_key(frame) {
                let found = self.use_of_macro(frame);
                known.insert(frame.clone(), found);
            }
            if let Some(Some(user)) = known.get(frame) {
                *frame = user.clone();
            }
        }
    }

    /// The frame at the only use, in a function of this name in the modules of the crate, of the
    /// macro whose definition the line is in.
    fn use_of_macro(&mut self, frame: &Frame) -> Option<Frame> {
        let file = self.code.members.path(frame.file.as_deref()?)?;
        let lines: Vec<&str> = self.text(&file)?.lines().collect();
        let name = macro_around(&lines, frame.line?)?.to_owned();
        let mut found = Vec::new();
        let mut open = vec![file.clone()];
        if let Some(at) = file.rfind("src/") {
            open.extend(["lib.rs", "main.rs"].map(|root| format!("{}src/{root}", &file[..at])));
        }
        let mut read = BTreeSet::new();
        while let Some(file) = open.pop() {
            if !read.contains(&file)
                && let Some(source) = self.text(&file)
            {
                open.extend(modules(&file, source));
                let uses = uses(source, &name, &frame.function).into_iter();
                found.extend(uses.map(|place| (file.clone(), place)));
                read.insert(file);
            }
        }
        let [(ref file, (line, column))] = found[..] else {
            return None;
        };
        Some(Frame {
            file: Some(file.as_str().into()),
            line: Some(line),
            column: Some(column),
            ..frame.clone()
        })
    }

    fn line(&mut self, file: &str, line: u32) -> Option<String> {
        let line = usize::try_from(line).ok()?.checked_sub(1)?;
        self.text(file)?.lines().nth(line).map(str::to_owned)
    }

    fn text(&mut self, file: &str) -> Option<&str> {
        if !self.files.contains_key(file) {
            let text = (self.code.sources)(file);
            self.files.insert(file.to_owned(), text);
        }
        self.files.get(file)?.as_deref()
    }
}

/// A value of a scenario, with the lines behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    pub bench: BenchId,
    /// The scenario's full name.
    pub scenario: String,
    /// The name as reports show it.
    pub label: String,
    pub metric: Metric,
    pub statistic: Statistic,
    /// Whether the value breaks a limit.
    pub is_failure: bool,
    /// The value in the run that was judged, if it is one of the scenario and not of a series,
    /// and the sites are from a second run.
    pub judged: Option<Ratio>,
    /// The values of the baseline, in the same statistic.
    pub accepted: Vec<(Metric, Ratio)>,
    /// Whether reports show call stacks as well.
    pub shows_stacks: bool,
    /// The lines.
    pub found: Result<Found, Unexplained>,
}

impl Explained {
    /// A value whose lines were not looked for yet.
    #[must_use]
    pub fn new(bench: &BenchId, scenario: &str, metric: Metric, statistic: Statistic) -> Self {
        Self {
            bench: bench.clone(),
            scenario: scenario.to_owned(),
            label: scenario.to_owned(),
            metric,
            statistic,
            is_failure: false,
            judged: None,
            accepted: Vec::new(),
            shows_stacks: false,
            found: Err(Unexplained::Because(String::from("nothing was run"))),
        }
    }

    /// The value of a metric in the baseline.
    pub(crate) fn accepted(&self, metric: Metric) -> Option<Ratio> {
        let mut accepted = self.accepted.iter();
        accepted
            .find(|(one, _)| *one == metric)
            .map(|(_, value)| *value)
    }
}

/// The lines of one side or of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Sites {
        sites: Box<Sites>,
        /// The commit since which lines count as edited: `main (4f8762a1c0)`.
        since: Option<String>,
        /// Why they are not compared with a base, if they should be.
        no_base: Option<String>,
    },
    /// The sites of the run and of a base.
    Compared {
        /// The name of the base: `main (4f8762a1c0)`.
        base: String,
        /// The differences.
        diff: Box<SiteDiff>,
    },
}

/// Why a value has no sites.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Unexplained {
    /// The sites don't add up to the counters of their run, which is a bug.
    Inexact,
    /// The reason.
    Because(String),
}

impl fmt::Display for Unexplained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inexact => "they don't add up to the counters; please report this bug",
            Self::Because(reason) => reason,
        })
    }
}

impl Unexplained {
    /// Why call stacks tell nothing about a metric; `None` if they do.
    #[must_use]
    pub fn of_metric(metric: Metric, sites: &ScenarioSites) -> Option<Self> {
        let because = |why: &str| Some(Self::Because(why.to_owned()));
        let samples = sites.all_samples().filter(|one| !one.rows.is_empty());
        let befores: Vec<_> = samples.map(|one| one.before).collect();
        let mut followed = befores.iter().flatten();
        if metric != Metric::PeakBytes {
            None
        } else if befores.contains(&None) {
            because("live blocks were not followed")
        } else if followed.any(|before| before.peak_bytes.is_none()) {
            because("the blocks that were live at the peak are not known")
        } else {
            None
        }
    }
}

impl Found {
    /// The name of the commit since which lines count as edited.
    pub(crate) fn since(&self) -> Option<&str> {
        match self {
            Self::Sites { since, .. } => since.as_deref(),
            Self::Compared { base, .. } => Some(base),
        }
    }

    #[must_use]
    pub fn sites(&self) -> &Sites {
        match self {
            Self::Sites { sites, .. } => sites,
            Self::Compared { diff, .. } => &diff.head,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc_results::{BeforeRow, SampleSites, SiteRow};

    #[test]
    fn peaks_are_known_if_those_of_all_iterations_are() {
        let sample = |before: Option<Option<i64>>| SampleSites {
            rows: vec![SiteRow::default()],
            before: before.map(|peak_bytes| BeforeRow {
                peak_bytes,
                ..BeforeRow::default()
            }),
        };
        let [known, open, not_followed] = [Some(Some(-8)), Some(None), None].map(sample);
        let nothing = SampleSites::default();
        let not_known = "the blocks that were live at the peak are not known";
        for (first, other, expected) in [
            (&known, &nothing, None),
            (&known, &open, Some(not_known)),
            (&open, &not_followed, Some("live blocks were not followed")),
        ] {
            let expected = expected.map(|reason| Unexplained::Because(reason.to_owned()));
            let sites = ScenarioSites {
                first: first.clone(),
                samples: vec![(other.clone(), 1)],
                ..ScenarioSites::default()
            };
            assert_eq!(Unexplained::of_metric(Metric::PeakBytes, &sites), expected);
            assert_eq!(Unexplained::of_metric(Metric::Allocs, &sites), None);
        }
    }
}
