//! What a line allocates, by the function of the standard library behind it, and what the numbers
//! themselves say could be saved there; and a list of that.

use std::cmp::Reverse;

use alloc_results::{Metric, Ratio, Unit};
use indexmap::IndexMap;

use crate::figure::{Exact, Statistic, counted};
use crate::report::change::plain_figure;
use crate::report::document::{Block, Column, Document, Line, left, place, right, words};
use crate::report::explain::words::unexplained_words;
use crate::sites::{Amounts, Explained, Site, SiteMetric, SitePlace, Sites};

/// The functions behind a line at most.
const MOST_FUNCTIONS: usize = 3;

/// The blocks of one size from which on they are said to be many.
const MANY: i128 = 10;

/// What could be saved in a line.
#[derive(Clone)]
pub(super) struct Saving {
    pub(super) words: Line,
    /// The calls that it is about.
    pub(super) calls: Ratio,
}

/// The lines of a list at most.
const MOST_SAVINGS: usize = 20;

/// What could be saved in which line, the most calls first, if scenarios that fail nothing are
/// explained.
pub(in crate::report) fn savings(explained: &[Explained]) -> Document {
    const TITLE: &str = "what could be saved, the most calls first";
    let rest = explained.iter().filter(|one| !one.is_failure);
    if rest.clone().next().is_none() {
        return Vec::new();
    }
    let reasons: Vec<_> = rest.filter_map(|one| one.found.as_ref().err()).collect();
    let unknown = reasons.first().map(|reason| {
        let scenarios = counted(reasons.len(), "scenario");
        words!("{}: {}", scenarios, unexplained_words(reason))
    });
    let mut rows = rows(explained);
    let mut blocks = Vec::new();
    if rows.is_empty() {
        blocks.push(words!("{}: nothing that the figures alone show", TITLE).into());
    } else {
        let left_out = rows.len().saturating_sub(MOST_SAVINGS);
        rows.truncate(MOST_SAVINGS);
        let titles = ["calls", "line", "scenario", "help"];
        let mut columns = vec![Column::new("  "); 5];
        columns[1] = columns[1].right();
        let log = [titles.map(Line::from)].into_iter().chain(rows.clone());
        let log = log.map(|cells| [Line::default()].into_iter().chain(cells).collect());
        let title = words!("{}:", TITLE).into();
        let log = vec![Block::Space, title, Block::columns(columns, log)];
        let [calls, others @ ..] = titles;
        let titles = [right(calls)].into_iter().chain(others.map(left));
        let table = Block::table(titles, rows.into_iter().map(Vec::from));
        let heading = Block::Heading(3, words!("What could be saved"));
        blocks.extend([Block::Log(log), Block::Page(vec![heading, table])]);
        let more = (left_out > 0).then(|| words!("and {}", counted(left_out, "more line")));
        blocks.extend(more.map(Block::Line));
    }
    blocks.extend(unknown.map(Block::Line));
    blocks
}

/// For each line the calls, the line, the scenario and the help. Of several scenarios with a line,
/// the one that could save most counts.
fn rows(explained: &[Explained]) -> Vec<[Line; 4]> {
    let mut by_call: IndexMap<(&SitePlace, &str), (Saving, &str, usize)> = IndexMap::new();
    for one in explained {
        for site in one.found.iter().flat_map(|found| &found.sites().list) {
            let Some(saving) = saving(site, one).filter(|_| site.place.line().is_some()) else {
                continue;
            };
            let known = by_call.entry((&site.place, &site.how));
            let known = known.and_modify(|(_, _, others)| *others += 1);
            let (most, scenario, _) = known.or_insert_with(|| (saving.clone(), &one.label, 0));
            if saving.calls > most.calls {
                (*most, *scenario) = (saving, &one.label);
            }
        }
    }
    by_call.sort_by(|_, one, _, other| other.0.calls.cmp(&one.0.calls));
    let rows = by_call.into_iter();
    let rows = rows.map(|((at, _), (saving, scenario, others))| {
        let others = (others > 0).then(|| format!(" and {}", counted(others, "other")));
        let location = at.line().map(|line| place(line.location()));
        let scenario = words!("{}{}", scenario, others);
        [
            plain(saving.calls).into(),
            location.into(),
            scenario,
            saving.words,
        ]
    });
    rows.collect()
}

/// The sites of the run, if this is one of them.
fn sites_of<'e>(site: &Site, explained: &'e Explained) -> Option<&'e Sites> {
    let sites = explained.found.as_ref().ok()?.sites();
    let mut list = sites.list.iter();
    list.any(|one| std::ptr::eq(one, site)).then_some(sites)
}

fn plain(figure: Ratio) -> String {
    plain_figure(Unit::Count, figure)
}

/// `100 x to_owned, 11 B each; 6 x Vec::from_iter, 96 to 3,072 B`: the calls and the sizes of each
/// function behind a line, if there are several.
pub(super) fn made_by(site: &Site, explained: &Explained) -> Option<Line> {
    let sites = sites_of(site, explained)?;
    let calls = |amounts: &Amounts| sites.figure_of(amounts, Metric::Allocs);
    let is_over = matches!(explained.metric, SiteMetric::AllocsOver(_));
    let is_one = |amounts: &Amounts| match is_over {
        true => amounts.of(explained.metric) > 0,
        false => amounts.largest > 0,
    };
    let all = site.made_by.iter().filter(|(_, amounts)| is_one(amounts));
    let mut all: Vec<(&String, &Amounts)> = all.collect();
    if all.len() < 2 {
        return None;
    }
    all.sort_by_cached_key(|&(name, amounts)| (Reverse(calls(amounts)), name));
    let (shown, rest) = all.split_at(all.len().min(MOST_FUNCTIONS));
    let mut parts: Vec<(&str, Amounts)> = Vec::new();
    for (name, amounts) in shown {
        let is_named = !name.is_empty();
        parts.push((if is_named { name } else { "the line itself" }, **amounts));
    }
    if !rest.is_empty() {
        parts.push(("others", rest.iter().map(|(_, amounts)| **amounts).sum()));
    }
    let parts = parts.into_iter().map(|(name, amounts)| {
        let calls = calls(&amounts);
        format!("{} x {name}, {}", plain(calls), sizes(calls, amounts))
    });
    Some(parts.collect::<Vec<_>>().join("; ").into())
}

/// `11 B each`, `64 to 2,048 B`.
fn sizes(
    calls: Ratio,
    Amounts {
        smallest, largest, ..
    }: Amounts,
) -> String {
    let [least, most] = [smallest, largest].map(|size| plain(Ratio::whole(size.into())));
    match (smallest == largest, calls == Ratio::whole(1)) {
        (true, true) => format!("{most} B"),
        (true, false) => format!("{most} B each"),
        (false, _) => format!("{least} to {most} B"),
    }
}

/// What could be saved in a line, if the numbers themselves say it.
pub(super) fn saving(site: &Site, explained: &Explained) -> Option<Saving> {
    // Of the largest block, the figures are those of all iterations.
    let is_per_iteration = explained.metric != SiteMetric::LargestBlock;
    if !is_per_iteration || !site.allocates_in.is_empty() {
        return None;
    }
    let sites = sites_of(site, explained)?;
    growth(site, sites, explained.statistic)
        .or_else(|| short_lived(site, sites, explained.statistic))
}

/// Blocks that grow where the line itself fills them: with their capacity reserved, each is one
/// call.
fn growth(site: &Site, sites: &Sites, statistic: Statistic) -> Option<Saving> {
    let figure = |metric| sites.figure(site, metric);
    let [grows, calls] = [Metric::Reallocs, Metric::Allocs].map(figure);
    let allocs = (&Exact::from(calls) - &grows.into()).rounded();
    let allocs = allocs.unwrap_or(calls);
    if grows < Ratio::whole(2) {
        return None;
    }
    let instead = (allocs > Ratio::whole(0)).then(|| {
        let noun = if allocs == Ratio::whole(1) {
            "call"
        } else {
            "calls"
        };
        format!(", for {} {noun} instead of {}", plain(allocs), plain(calls))
    });
    Some(Saving {
        words: words!(
            "blocks grow here {} times {}; reserve their capacity before{}",
            plain(grows),
            statistic.words(),
            instead
        ),
        calls: grows,
    })
}

/// Many blocks of one size that are all freed in their iteration, and not by the harness that drops
/// the output.
fn short_lived(site: &Site, sites: &Sites, statistic: Statistic) -> Option<Saving> {
    let amounts = &site.amounts;
    let figure = |metric| sites.figure(site, metric);
    let [allocs, reallocs] = [Metric::Allocs, Metric::Reallocs].map(figure);
    let has_one_size = reallocs == Ratio::whole(0) && amounts.smallest == amounts.largest;
    // No stack keeps less than nothing, and no iteration.
    let are_freed = sites.measured.follows_blocks() && amounts.of(Metric::NetBlocks) == 0;
    let mut others = sites.list.iter().filter(|one| one.place.line().is_none());
    let are_output = others.any(|one| one.amounts.of(Metric::Deallocs) > 0);
    if allocs < Ratio::whole(MANY) || !has_one_size || !are_freed || are_output {
        return None;
    }
    Some(Saving {
        words: words!(
            "{} blocks of {} bytes {}, all freed before {} ends",
            plain(allocs),
            plain(Ratio::whole(amounts.largest.into())),
            statistic.words(),
            if statistic == Statistic::First {
                "it"
            } else {
                "the iteration"
            }
        ),
        calls: allocs,
    })
}
