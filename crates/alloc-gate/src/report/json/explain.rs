//! The lines behind figures, as JSON. The keys are written only here.

use alloc_results::{Metric, Ratio};
use indexmap::IndexMap;

use crate::report::explain::{SitesText, shown_metrics};
use crate::report::json::object::{Json, Object};
use crate::report::write::plain;
use crate::sites::{Explained, Found, FrameKind, Line, Site, SiteChange, SitePlace, Sites};

/// The version of the format of a report of their own; within it, fields may be added.
const SCHEMA: u32 = 1;

/// The figures in one object.
pub(in crate::report) fn report(explained: &[Explained]) -> Object {
    Object::default()
        .with("program", "alloc-gate")
        .with("schema", SCHEMA)
        .with_list("sites", explained.iter().map(self::explained))
}

/// One figure with its lines.
pub(super) fn explained(explained: &Explained) -> Object {
    let text = SitesText::new(explained);
    let stacks = |sites, site: Option<&Site>, is_base| {
        let site = site.filter(|_| explained.shows_stacks)?;
        Some(stacks_of(sites, site, explained.metric, is_base))
    };
    let metric = explained.metric;
    let object = Object::default()
        .with("scenario", &explained.scenario)
        .with_bench(&explained.bench)
        .with_figure(&metric.to_string(), explained.statistic)
        .with("failed", explained.is_failure)
        .with("summary", plain(&text.excerpts.title));
    let Ok(found) = &explained.found else {
        // The summary says why.
        return object.with("lines", Json::Null);
    };
    let (base, since, lines) = match found {
        Found::Sites { sites, since, .. } => {
            let lines = sites.list.iter().map(|site| {
                let figures = |metric| (None, Some(sites.figure(site, metric)));
                line(site, &figures).with_some("stacks", stacks(sites, Some(site), false))
            });
            (None, since.as_ref(), Json::list(lines))
        }
        Found::Compared { base, diff } => {
            let lines = diff.deltas.iter().filter_map(|&delta| {
                let (before, now) = diff.sites(delta);
                let figures = |metric| {
                    let (base, head) = diff.figures(delta, metric);
                    (Some(base), Some(head))
                };
                let object = line(now.or(before)?, &figures)
                    .with("change", delta.change.name())
                    .with_some("stacks", stacks(&diff.head, now, false))
                    .with_some("base-stacks", stacks(&diff.base, before, true));
                let moved = matches!(delta.change, SiteChange::Edited | SiteChange::Moved);
                let before = before.filter(|_| moved).and_then(|site| site.place.line());
                Some(object.with_some("before", before.map(place)))
            });
            (Some(base), None, Json::list(lines))
        }
    };
    let total = found.sites().total(metric);
    object
        // The base, if the lines are compared with one.
        .with("base", base)
        // The commit since which lines count as edited, without a base.
        .with("since", since)
        // The sum of all lines.
        .with("measured", total)
        .with_list("notes", text.excerpts.notes.iter().map(plain))
        .with("lines", lines)
}

/// The call stacks of a line with their figures.
fn stacks_of(sites: &Sites, site: &Site, metric: Metric, is_base: bool) -> Json {
    let stacks = sites.stacks_of(site, &shown_metrics(metric)).into_iter();
    Json::list(stacks.map(|(frames, amounts)| {
        let figures = |metric| {
            let figure = Some(sites.figure_of(&amounts, metric));
            if is_base {
                (figure, None)
            } else {
                (None, figure)
            }
        };
        let frames = frames.iter().map(|frame| {
            Object::default()
                .with("kind", kind(frame.kind))
                .with("function", &*frame.function)
                .with("file", frame.file.as_deref())
                .with("line", frame.line)
                .with("column", frame.column)
        });
        Object::default()
            .with("figures", self::figures(&figures))
            // The innermost first.
            .with_list("frames", frames)
    }))
}

const fn kind(kind: FrameKind) -> &'static str {
    match kind {
        FrameKind::Called => "called",
        FrameKind::Inlined => "inlined",
        FrameKind::TailCalled => "tail-called",
    }
}

/// The figures of the base and of the run, so far as they are known.
type Figures<'f> = &'f dyn Fn(Metric) -> (Option<Ratio>, Option<Ratio>);

/// The metrics of which there is something on either side.
fn figures(figures: Figures<'_>) -> Json {
    let zero = Ratio::whole(0);
    let figures = Metric::ALL.into_iter().filter_map(|metric| {
        let (base, measured) = figures(metric);
        let is_zero = [base, measured]
            .iter()
            .flatten()
            .all(|figure| *figure == zero);
        (!is_zero).then(|| {
            Object::default()
                .with("metric", metric.to_string())
                .with("base", base)
                .with("measured", measured)
        })
    });
    Json::list(figures)
}

/// A line with its figures.
fn line(site: &Site, figures: Figures<'_>) -> Object {
    let places = |places: &IndexMap<SitePlace, i128>| {
        let places = places.keys().map(|place| {
            Object::default()
                .with("function", place.function())
                .with("location", place.line().map(Line::location))
        });
        Json::list(places)
    };
    let kind = match &site.place {
        SitePlace::Line(_) => "line",
        SitePlace::Function(_) => "function",
        SitePlace::Dependency(_) => "dependency",
        SitePlace::Untraced(_) => "untraced",
        SitePlace::FurtherStacks => "further-stacks",
        SitePlace::Before => "before",
    };
    let edit = match (site.is_edited, site.is_added) {
        (false, _) => None,
        (true, false) => Some(SiteChange::Edited.name()),
        (true, true) => Some(SiteChange::Added.name()),
    };
    let call = (!site.how.is_empty()).then_some(&site.how);
    let object = Object::default()
        .with("kind", kind)
        .with("function", site.place.function());
    let object = match site.place.line() {
        Some(line) => object.with("place", place(line)),
        None => object,
    };
    object
        // The function that the line calls.
        .with("call", call)
        // What a diff did to the line.
        .with("edit", edit)
        .with("allocates-in", places(&site.allocates_in))
        .with("called-by", places(&site.called_by))
        .with("figures", self::figures(figures))
}

fn place(line: &Line) -> Object {
    Object::default()
        .with("file", &line.file)
        .with("line", line.line)
        .with("column", line.column)
        .with("text", line.text.as_deref())
}
