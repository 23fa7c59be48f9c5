//! [`Sites`]: the lines of code to which the operations of a scenario are attributed.

use std::collections::HashMap;
use std::sync::Arc;

use alloc_results::{Metric, Ratio};
use alloc_symbols::names::short_name;
use alloc_symbols::{Blame, Frame, measured_frames};
use indexmap::IndexMap;

use crate::figure::Statistic;
use crate::sites::amounts::Amounts;
use crate::sites::blame::Members;
use crate::sites::rows::ScenarioSites;

/// The lines that allocate or free in a scenario. Their amounts add up to those of the scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sites {
    /// The sites, by place; those with nothing are left out.
    pub list: Vec<Site>,
    /// The number of iterations that amounts are sums over.
    pub iterations: u64,
    /// Whether members have functions here, and none of them has a line.
    pub without_lines: bool,
    /// The call stacks that were attributed, with the paths of members' files as they are shown.
    pub measured: Arc<ScenarioSites>,
}

/// A place with its operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The blamed line, or what stands for it.
    pub place: SitePlace,
    /// The function that the line calls: `Vec::with_capacity`; empty if it is the allocator.
    pub how: String,
    /// The places of members that call the blamed function, those with most operations first.
    pub called_by: Vec<SitePlace>,
    /// The sums over the iterations.
    pub amounts: Amounts,
    /// The call stacks that are blamed on the place, by their indices in [`Sites::measured`].
    /// Their amounts add up to those of the site.
    pub stacks: Vec<(usize, Amounts)>,
}

/// Where operations come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SitePlace {
    /// A line of a workspace member.
    Line(Line),
    /// A function of a workspace member, without line tables.
    Function(String),
    /// A function of a dependency; no member is in the stack.
    Dependency(String),
    /// The last function of a stack that ends early: code without unwind tables.
    Untraced(String),
    /// All stacks that were not kept, because there were too many.
    FurtherStacks,
    /// The blocks from before the iterations.
    Before,
}

/// A line of a member's code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The file, relative to the root of the workspace.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column of the call in bytes, from 1, if it is known.
    pub column: Option<u32>,
    /// The function, without its path.
    pub function: String,
    /// The text of the line, if the source is at hand.
    pub text: Option<String>,
}

impl SitePlace {
    /// The line, if it is one.
    #[must_use]
    pub fn line(&self) -> Option<&Line> {
        if let Self::Line(line) = self {
            return Some(line);
        }
        None
    }

    /// The function, if it is known.
    #[must_use]
    pub fn function(&self) -> Option<&str> {
        match self {
            Self::Line(line) => Some(&line.function),
            Self::Function(function) | Self::Dependency(function) | Self::Untraced(function) => {
                Some(function)
            }
            Self::FurtherStacks | Self::Before => None,
        }
    }
}

impl Line {
    /// `src/text.rs:53:21`.
    #[must_use]
    pub fn location(&self) -> String {
        let column = self
            .column
            .map_or(String::new(), |column| format!(":{column}"));
        format!("{}:{}{column}", self.file, self.line)
    }
}

impl Sites {
    /// Attributes the operations of a scenario that a figure is about. `sources` finds the text
    /// of a member's file by the path that reports show.
    #[must_use]
    pub fn new(
        measured: ScenarioSites,
        metric: Metric,
        statistic: Statistic,
        members: &Members,
        sources: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let measured = measured.with_paths(members);
        let (samples, iterations) = measured.samples_of(metric, statistic);
        let follows_blocks = measured.follows_blocks();
        let mut by_stack: IndexMap<Option<usize>, Amounts> = IndexMap::new();
        let mut before = Amounts::default();
        for sample in samples {
            for row in &sample.rows {
                *by_stack.entry(row.stack).or_default() += Amounts::of_row(row, follows_blocks);
            }
            if let Some(row) = sample.before {
                before += Amounts::of_before(row);
            }
        }
        let mut texts = Texts {
            members,
            sources,
            files: HashMap::new(),
        };
        let mut groups: IndexMap<(SitePlace, String), Group> = IndexMap::new();
        for (index, amounts) in by_stack {
            let stack = index.and_then(|index| measured.stacks.get(index));
            let (place, how, caller) = match stack {
                None => (SitePlace::FurtherStacks, String::new(), None),
                Some(stack) => texts.attributed(stack),
            };
            let group = groups.entry((place, how)).or_default();
            group.amounts += amounts;
            let stack = index.filter(|_| stack.is_some());
            group.stacks.extend(stack.map(|stack| (stack, amounts)));
            if let Some(caller) = caller {
                *group.callers.entry(caller).or_default() += amounts.of(metric).abs();
            }
        }
        let group = groups
            .entry((SitePlace::Before, String::new()))
            .or_default();
        group.amounts += before;
        let list = groups.into_iter();
        let list = list.filter(|(_, group)| !group.amounts.is_zero());
        let mut list: Vec<Site> = list.map(|(key, group)| group.site(key)).collect();
        list.sort_by(|one, other| (&one.place, &one.how).cmp(&(&other.place, &other.how)));
        // The standard library has lines where the bench has none.
        let [is_line, is_function] = [
            |place: &SitePlace| matches!(place, SitePlace::Line(_)),
            |place: &SitePlace| matches!(place, SitePlace::Function(_)),
        ]
        .map(|is_kind| list.iter().any(|site| is_kind(&site.place)));
        Self {
            without_lines: is_function && !is_line,
            list,
            iterations,
            measured: Arc::new(measured),
        }
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
        let sites = self.list.iter();
        self.per_iteration(sites.map(|site| site.amounts.of(metric)).sum())
    }

    pub(super) fn per_iteration(&self, sum: i128) -> Ratio {
        Ratio::new(sum, self.iterations.max(1)).unwrap_or(Ratio::whole(0))
    }
}

#[derive(Default)]
struct Group {
    amounts: Amounts,
    callers: IndexMap<SitePlace, i128>,
    stacks: Vec<(usize, Amounts)>,
}

impl Group {
    fn site(self, (place, how): (SitePlace, String)) -> Site {
        let mut callers: Vec<(SitePlace, i128)> = self.callers.into_iter().collect();
        callers.sort_by_cached_key(|(caller, amount)| {
            let location = caller.line().map(Line::location);
            (-amount, caller.function().map(str::to_owned), location)
        });
        Site {
            place,
            how,
            called_by: callers.into_iter().map(|(caller, _)| caller).collect(),
            amounts: self.amounts,
            stacks: self.stacks,
        }
    }
}

/// The members of the workspace, and the texts of their files, each asked for once.
struct Texts<'s> {
    members: &'s Members,
    sources: &'s dyn Fn(&str) -> Option<String>,
    files: HashMap<String, Option<String>>,
}

impl Texts<'_> {
    /// The place, the called function and the caller that a stack tells.
    fn attributed(&mut self, stack: &[Frame]) -> (SitePlace, String, Option<SitePlace>) {
        let place = match Blame::new(stack, |frame| self.members.owns(frame)) {
            Blame::Ours {
                frame,
                how,
                called_by,
            } => {
                let how = how.map_or_else(String::new, |frame| short_name(&frame.function));
                let caller = called_by.map(|frame| self.place(frame));
                return (self.place(frame), how, caller);
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
        (place, String::new(), None)
    }

    /// The place of a member's frame.
    fn place(&mut self, frame: &Frame) -> SitePlace {
        let function = short_name(&frame.function);
        let (Some(file), Some(line)) = (&frame.file, frame.line) else {
            return SitePlace::Function(function);
        };
        let file = self
            .members
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
        let text = match self.files.get(file) {
            Some(text) => text,
            None => {
                let text = (self.sources)(file);
                self.files.entry(file.to_owned()).or_insert(text)
            }
        };
        let line = usize::try_from(line).ok()?.checked_sub(1)?;
        text.as_ref()?.lines().nth(line).map(str::to_owned)
    }
}
