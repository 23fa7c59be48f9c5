//! [`Sites`]: the lines of code to which the operations of a scenario are attributed.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use alloc_results::{Metric, Ratio, SiteRow};
use alloc_symbols::names::short_name;
use alloc_symbols::{Blame, Frame, Weight, measured_frames};
use indexmap::IndexMap;

use crate::figure::Statistic;
use crate::sites::added::mark_added;
use crate::sites::amounts::Amounts;
use crate::sites::changes::{Changes, Side};
use crate::sites::members::Members;
use crate::sites::members::{Owners, allocating_function, owner};
use crate::sites::nearby::{Nearby, nearby};
use crate::sites::rows::ScenarioSites;
use crate::sites::site::{Line, Site, SitePlace};

/// The lines that allocate or free in a scenario. Their amounts add up to those of the scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sites {
    /// The sites, by place; those with nothing are left out.
    pub list: Vec<Site>,
    /// The number of iterations that amounts are sums over.
    pub iterations: u64,
    /// The edit in a function on most of the way, if no line of a site was edited.
    pub nearby: Option<Box<Nearby>>,
    /// Whose code it is that allocates; together as much as the sites with stacks.
    pub owners: Owners,
    /// Whether members have functions here, and none of them has a line.
    pub without_lines: bool,
    /// The call stacks that were attributed, with the paths of members' files as they are shown.
    pub measured: Arc<ScenarioSites>,
    /// What was done in the iterations, by the index of the stack; `None` for all further stacks.
    pub(crate) by_stack: IndexMap<Option<usize>, Amounts>,
    /// Whether the live blocks at the peaks are known.
    pub(crate) has_peaks: bool,
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
    /// The code of a workspace of which no edits are known.
    pub fn new(members: &'c Members, sources: &'c dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            members,
            sources,
            side: Side::Unknown,
        }
    }
}

impl Sites {
    /// Attributes the operations of a scenario that a figure is about.
    #[must_use]
    pub fn new(
        measured: ScenarioSites,
        metric: Metric,
        statistic: Statistic,
        code: Code<'_>,
    ) -> Self {
        let mut sites = Self::unattributed(measured, metric, statistic);
        let measured = Arc::clone(&sites.measured);
        let mut texts = Texts {
            code,
            bench: measured.bench.clone(),
            files: HashMap::new(),
            weights: HashMap::new(),
            sites: IndexMap::new(),
        };
        for (&index, &amounts) in &sites.by_stack {
            let stack = index.and_then(|index| measured.stacks.get(index));
            if let Some((index, stack)) = index.zip(stack) {
                let owner = owner(stack, |frame| code.members.owns(frame));
                *sites.owners.entry(owner).or_default() += amounts;
                texts.add((index, stack), amounts, metric);
            } else {
                texts.site(SitePlace::FurtherStacks, String::new()).amounts += amounts;
            }
        }
        let list = mem::take(&mut texts.sites).into_values().chain(sites.list);
        let mut list: Vec<Site> = list.filter(|site| !site.amounts.is_zero()).collect();
        list.sort_by(|one, other| (&one.place, &one.how).cmp(&(&other.place, &other.how)));
        for site in &mut list {
            most_first(&mut site.allocates_in);
            most_first(&mut site.called_by);
        }
        let is_told = |site: &Site| site.is_edited && site.amounts.of(metric) != 0;
        if let Side::New(changes) = code.side {
            mark_added(&mut list, changes);
            if !list.iter().any(is_told) {
                let nearby = texts.nearby(&measured, &sites.by_stack, metric, changes);
                sites.nearby = nearby.map(Box::new);
            }
        }
        // The standard library has lines where the bench has none.
        let any = |is_kind: fn(&SitePlace) -> bool| list.iter().any(|site| is_kind(&site.place));
        sites.without_lines = any(|place| matches!(place, SitePlace::Function(_)))
            && !any(|place| matches!(place, SitePlace::Line(_)));
        sites.list = list;
        sites
    }

    /// What was done in the iterations that a figure is about, with the site of the blocks from
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
        let mut before = Site::new(SitePlace::Before, String::new());
        for sample in samples {
            for row in &sample.rows {
                *sites.by_stack.entry(row.stack).or_default() += amounts_of(row);
            }
            if let Some(row) = sample.before {
                before.amounts += Amounts::of_before(row);
                sites.has_peaks &= row.peak_bytes.is_some();
            }
        }
        Self {
            list: vec![before],
            measured: Arc::new(measured),
            ..sites
        }
    }

    /// Whether an edit is known that has to do with the operations.
    #[must_use]
    pub fn has_edits(&self) -> bool {
        self.nearby.is_some() || self.list.iter().any(|site| site.is_edited)
    }

    /// A figure of a site: its sum by the number of iterations.
    #[must_use]
    pub fn figure(&self, site: &Site, metric: Metric) -> Ratio {
        self.figure_of(&site.amounts, metric)
    }

    /// A figure of a site or of a stack: its sum by the number of iterations.
    #[must_use]
    pub fn figure_of(&self, amounts: &Amounts, metric: Metric) -> Ratio {
        self.per_iteration(amounts.of(metric))
    }

    /// The frames of a site's stacks, innermost first, without those of the allocator and of the
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

    /// The figure of the scenario: that of all sites together.
    #[must_use]
    pub fn total(&self, metric: Metric) -> Ratio {
        let all = self.list.iter().map(|site| site.amounts).sum();
        self.figure_of(&all, metric)
    }

    pub(crate) fn per_iteration(&self, sum: i128) -> Ratio {
        Ratio::new(sum, self.iterations.max(1)).unwrap_or(Ratio::whole(0))
    }
}

fn most_first(places: &mut IndexMap<SitePlace, i128>) {
    places.sort_by_cached_key(|place, amount| {
        let location = place.line().map(Line::location);
        (-amount, place.function().map(str::to_owned), location)
    });
}

/// The code, with the texts of files and the weights of lines, each asked for once, and the sites
/// so far.
struct Texts<'s> {
    code: Code<'s>,
    bench: String,
    files: HashMap<String, Option<String>>,
    weights: HashMap<Frame, Option<Weight>>,
    sites: IndexMap<(SitePlace, String), Site>,
}

impl Texts<'_> {
    /// The site of a place with the function that it calls.
    fn site(&mut self, place: SitePlace, how: String) -> &mut Site {
        let site = self.sites.entry((place, how));
        site.or_insert_with_key(|(place, how)| Site::new(place.clone(), how.clone()))
    }

    /// Adds what was done at a stack to the site that the stack is blamed on.
    fn add(&mut self, (index, stack): (usize, &[Frame]), amounts: Amounts, metric: Metric) {
        let members = self.code.members;
        let made_by = allocating_function(stack, |frame| members.owns(frame));
        let made_by = made_by.map_or_else(String::new, |frame| short_name(&frame.function));
        let (mut is_edited, mut others, mut called) = (false, [None; 2], String::new());
        let place = match Blame::new(stack, |frame| self.weight(frame)) {
            Blame::Ours {
                frame,
                weight,
                how,
                allocates_in,
                called_by,
            } => {
                is_edited = weight == Weight::Edited;
                others = [allocates_in, called_by];
                called.extend(how.map(|frame| short_name(&frame.function)));
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
        let others = others.map(|frame| Some(self.place(frame?)));
        let site = self.site(place, called);
        site.amounts += amounts;
        site.is_edited |= is_edited;
        *site.made_by.entry(made_by).or_default() += amounts;
        site.stacks.push((index, amounts));
        let amount = amounts.of(metric).abs();
        for (place, amounts) in others
            .into_iter()
            .zip([&mut site.allocates_in, &mut site.called_by])
        {
            if let Some(place) = place {
                *amounts.entry(place).or_default() += amount;
            }
        }
    }

    /// The edit that most of the operations are made below.
    fn nearby(
        &mut self,
        measured: &ScenarioSites,
        by_stack: &IndexMap<Option<usize>, Amounts>,
        metric: Metric,
        changes: &Changes,
    ) -> Option<Nearby> {
        let (members, bench) = (self.code.members, self.bench.clone());
        let mut found: Vec<Nearby> = Vec::new();
        for (index, &amounts) in by_stack {
            let Some(stack) = index.and_then(|index| measured.stacks.get(index)) else {
                continue;
            };
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
        found.into_iter().max_by_key(|edit| edit.amounts.of(metric))
    }

    /// The weight of a member's frame.
    fn weight(&mut self, frame: &Frame) -> Option<Weight> {
        if let Some(known) = self.weights.get(frame) {
            return *known;
        }
        let weight = self.code.members.owns(frame).then(|| {
            let file = frame.file.as_deref();
            let path = file.and_then(|file| self.code.members.path(file));
            match (path, frame.line) {
                (Some(path), Some(line))
                    if path != self.bench && self.code.side.is_edited(&path, line) =>
                {
                    Weight::Edited
                }
                (Some(path), Some(_)) => Weight::of(frame, self.text(&path)),
                _ => Weight::NoLine,
            }
        });
        self.weights.insert(frame.clone(), weight);
        weight
    }

    /// The place of a member's frame.
    fn place(&mut self, frame: &Frame) -> SitePlace {
        let function = short_name(&frame.function);
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
