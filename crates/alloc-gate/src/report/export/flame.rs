//! Flame graphs as SVG: [`flame`].
//!
//! A picture stands alone: it has no script and loads nothing. It is the same for the same
//! stacks. The outermost functions are at the top.

use std::io::{self, Write};

use crate::figure::counted;
use crate::printable::markup;
use crate::report::export::flame::colours::Colours;
use crate::report::export::flame::label::{label, shortened, width};
use crate::report::export::flame::layout::{Drawn, Layout, Sums, layout};
use crate::report::export::flame::style::{Paint, sheet};
use crate::report::export::flame::svg::{Svg, rect, text};
use crate::report::export::flame::tree::{Node, Place, Tree, add};
use crate::report::export::stacks::StackReport;
use crate::sites::location;

mod colours;
mod label;
mod layout;
mod style;
pub(in crate::report) mod svg;
mod tree;

/// The width of the picture, and the space on its left and its right.
const WIDTH: usize = 1_200;
const MARGIN: usize = 10;
/// The distance of two rows, and the height of a frame.
const ROW: usize = 18;
const FRAME: usize = 17;
/// The top of the first row.
const TOP: usize = 58;
/// The distance of lines below the frames.
const LINE: usize = 20;
/// The width of a character of the labels, rounded up: fonts differ.
const CHARACTER: f64 = 7.3;
/// The places in a function that its title shows.
const MOST_PLACES: usize = 8;

/// Writes a flame graph of a scenario. With stacks from before a change, it shows the
/// difference: the width of a frame is the larger value of each stack, so that stacks which are
/// gone have a width too, and the colour is the direction of the change.
///
/// # Errors
///
/// When `out` can't be written.
pub fn flame(report: &StackReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let tree = Tree::new(report);
    let layout = layout(&tree, (WIDTH - 2 * MARGIN) as f64);
    let colours = Colours::new(report, &layout);
    let legend = legend(&colours.legend());
    let notes = notes(report, &tree, &layout);
    let below = TOP + layout.depth * ROW + LINE;
    let height = below + (legend.len() + notes.len()) * LINE;
    let heading = heading(report, &tree);

    let scenario = markup(report.scenario);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\">\n<title>{scenario}: {}</title>\n<style>\n{}\n</style>\n\
         <rect class=\"b\" width=\"{WIDTH}\" height=\"{height}\"/>",
        markup(&heading[0]),
        sheet(&colours.paints()),
    )?;
    let columns = ((WIDTH - 2 * MARGIN) as f64 / 9.2) as usize;
    let title = shortened(report.scenario, columns).unwrap_or_default();
    writeln!(
        out,
        "<text class=\"h\" x=\"{MARGIN}\" y=\"24\">{}</text>",
        markup(&title)
    )?;
    writeln!(out, "{}", text(MARGIN as f64, 45, &heading.join("; ")))?;
    for frame in &layout.frames {
        draw(report, &tree, &colours, frame, out)?;
    }
    for (line, entries) in legend.iter().enumerate() {
        let y = below + line * LINE;
        for (x, paint, name) in entries {
            let square = rect(paint.class, &(*x..x + 12.0), y - 10, 12);
            writeln!(out, "{square}{}", text(x + 17.0, y, name))?;
        }
    }
    for (line, note) in notes.iter().enumerate() {
        let y = below + (legend.len() + line) * LINE;
        writeln!(out, "{}", text(MARGIN as f64, y, note))?;
    }
    writeln!(out, "</svg>")
}

/// The flame graph as a part of a page.
pub(in crate::report) fn picture(report: &StackReport<'_>) -> Svg {
    let mut text = Vec::new();
    // Writing to a vector can't fail.
    let _ = flame(report, &mut text);
    Svg(String::from_utf8_lossy(&text).into_owned())
}

/// The figure of the whole picture; with a difference, the meaning of the widths too.
fn heading(report: &StackReport<'_>, tree: &Tree<'_>) -> Vec<String> {
    let mut values = tree.root().values;
    add(&mut values, tree.below_zero_sums);
    let mut heading = vec![figure(report, values)];
    if report.is_difference() {
        heading.push(String::from("widths are of the larger side of each stack"));
    }
    heading
}

/// `allocs per iteration: 4`.
fn figure(report: &StackReport<'_>, values: [i128; 2]) -> String {
    let (metric, statistic) = (report.metric, report.statistic.words());
    format!("{metric} {statistic}: {}", report.figure(values))
}

fn draw<'s>(
    report: &StackReport<'_>,
    tree: &Tree<'_>,
    colours: &Colours<'s>,
    frame: &Drawn<'_, 's>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let top = TOP + frame.depth * ROW;
    let edges = MARGIN as f64 + frame.edges.start..MARGIN as f64 + frame.edges.end;
    let values = frame.sums.values;
    let name = match frame.function {
        Some(_) if frame.depth == 0 => String::from("all"),
        Some(node) => node.function.to_owned(),
        None => counted(frame.sums.functions, "narrow frame"),
    };
    let mut title = vec![
        name.clone(),
        figure(report, values) + &share(report, tree, values),
    ];
    if let Some(node) = frame.function {
        title.extend(places(report, node));
    }
    let title: Vec<String> = title.iter().map(|line| markup(line)).collect();
    let class = colours.paint(report, frame).class;
    let columns = ((edges.end - edges.start - 6.0).max(0.0) / CHARACTER) as usize;
    // The colour of a change is not its only sign.
    let sign = match report.difference(values) {
        Some(1..) => "+ ",
        Some(..0) => "- ",
        Some(0) | None => "",
    };
    let columns = columns.checked_sub(sign.len());
    let label = columns.and_then(|columns| label(&name, columns));
    let label = label.filter(|label| !label.is_empty());
    let label = label.map_or_else(String::new, |label| {
        text(edges.start + 3.0, top + 13, &format!("{sign}{label}"))
    });
    writeln!(
        out,
        "<g><title>{}</title>{}{label}</g>",
        title.join("\n"),
        rect(class, &edges, top, FRAME)
    )
}

/// ` (25%)`: the part of the whole; nothing in a difference, which has two.
fn share(report: &StackReport<'_>, tree: &Tree<'_>, values: [i128; 2]) -> String {
    if report.is_difference() {
        return String::new();
    }
    let part = values[1] as f64 / tree.root().values[1] as f64 * 100.0;
    match format!("{part:.1}").trim_end_matches(".0") {
        "0" => String::from(" (<0.1%)"),
        rounded => format!(" ({rounded}%)"),
    }
}

/// The places in a function, those with the largest values first.
fn places(report: &StackReport<'_>, node: &Node<'_>) -> Vec<String> {
    let mut places: Vec<(&Place<'_>, &[i128; 2])> = node.places.iter().collect();
    places.sort_by_key(|(_, values)| std::cmp::Reverse(values[0].max(values[1])));
    let rest = places.len().saturating_sub(MOST_PLACES);
    let shown = places
        .iter()
        .take(MOST_PLACES)
        .map(|((file, line, column, note), values)| {
            let place = location(file, *line, *column);
            format!("{place}{note}: {}", report.figure(**values))
        });
    let rest = (rest > 0).then(|| counted(rest, "more place"));
    shown.chain(rest).collect()
}

/// What the picture does not show.
fn notes(report: &StackReport<'_>, tree: &Tree<'_>, layout: &Layout<'_, '_>) -> Vec<String> {
    let left_out = |sums: &Sums, why: &str| {
        let frames = counted(sums.functions, "frame");
        let figure = figure(report, sums.values);
        (sums.functions > 0).then(|| format!("not drawn: {frames} {why}; {figure}"))
    };
    let below_zero = (tree.below_zero > 0).then(|| {
        let stacks = counted(tree.below_zero, "stack");
        let figure = figure(report, tree.below_zero_sums);
        format!("not drawn: {stacks} below zero; {figure}")
    });
    let nothing = (tree.root().width == 0).then(|| format!("no stack has {}", report.metric));
    nothing
        .into_iter()
        .chain(left_out(&layout.narrow, "of less than 1 pixel"))
        .chain(left_out(&layout.deep, "below the last row"))
        .chain(below_zero)
        .collect()
}

/// The legend as lines of entries, each with its left edge.
fn legend<'c>(entries: &[(Paint, &'c str)]) -> Vec<Vec<(f64, Paint, &'c str)>> {
    let mut lines = vec![Vec::new()];
    let mut x = MARGIN as f64;
    for &(paint, name) in entries {
        let end = x + 40.0 + width(name) as f64 * CHARACTER;
        if end > WIDTH as f64 && x > MARGIN as f64 {
            lines.push(Vec::new());
            x = MARGIN as f64;
        }
        if let Some(line) = lines.last_mut() {
            line.push((x, paint, name));
        }
        x += 40.0 + width(name) as f64 * CHARACTER;
    }
    lines
}
