//! [`Colours`]: what the colours of the frames mean, and the legend.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::report::export::flame::layout::{Drawn, Layout, Sums};
use crate::report::export::flame::style::{CRATES, LESS, MORE, NONE, OTHERS, Paint, SAME, STD};
use crate::report::export::flame::tree::Node;
use crate::report::export::stacks::StackReport;
use crate::sites::crate_of;

/// The meaning of the colours.
pub(super) enum Colours<'s> {
    /// The crate of the function. The crates with the widest frames have a colour each.
    Crates(BTreeMap<&'s str, Paint>, Files<'s>),
    /// The direction of the change, and its part of the frame.
    Change,
}

/// The crates of source files, as far as names of functions tell them. Line tables name inlined
/// functions without their paths.
type Files<'s> = BTreeMap<&'s str, &'s str>;

/// The crate of a function: that of its name, or else of its file.
fn crate_of_node<'s>(node: &Node<'s>, files: &Files<'s>) -> Option<&'s str> {
    crate_of(node.function).or_else(|| {
        let (file, ..) = node.places.keys().next()?;
        let known = files.get(file).copied();
        known.or_else(|| file.starts_with("library/").then_some("std"))
    })
}

impl<'s> Colours<'s> {
    pub(super) fn new(report: &StackReport<'s>, layout: &Layout<'_, 's>) -> Self {
        if report.is_difference() {
            return Self::Change;
        }
        let mut files = Files::new();
        for frame in &layout.frames {
            if let Some(node) = frame.function
                && !node.function.starts_with('<')
                && let Some(name) = crate_of(node.function)
                && let Some((file, ..)) = node.places.keys().next()
            {
                files.insert(*file, name);
            }
        }
        let mut widths: BTreeMap<&str, f64> = BTreeMap::new();
        for frame in &layout.frames {
            if let Some(node) = frame.function
                && let Some(name) = crate_of_node(node, &files)
                && !is_std(name)
            {
                *widths.entry(name).or_default() += frame.edges.end - frame.edges.start;
            }
        }
        let mut widths: Vec<(&str, f64)> = widths.into_iter().collect();
        // Crates of the same width stay in the order of their names.
        widths.sort_by(|one, other| other.1.total_cmp(&one.1));
        let names = widths.into_iter().map(|(name, _)| name);
        let paints = CRATES.into_iter().chain(std::iter::repeat(OTHERS));
        Self::Crates(names.zip(paints).collect(), files)
    }

    /// The colours of a frame.
    pub(super) fn paint(&self, report: &StackReport<'_>, frame: &Drawn<'_, 's>) -> Paint {
        match (self, frame.function) {
            (Self::Crates(paints, files), Some(node)) => match crate_of_node(node, files) {
                Some(name) if is_std(name) => STD,
                Some(name) => paints.get(name).copied().unwrap_or(OTHERS),
                None => NONE,
            },
            (Self::Crates(..), None) => NONE,
            (Self::Change, _) => {
                let Sums { values, width, .. } = frame.sums;
                let change = report.difference(values).unwrap_or_default();
                let thirds = change.unsigned_abs().saturating_mul(3);
                let strength =
                    usize::from(thirds > width) + usize::from(thirds > width.saturating_mul(2));
                match change.cmp(&0) {
                    Ordering::Less => LESS[strength],
                    Ordering::Equal => SAME,
                    Ordering::Greater => MORE[strength],
                }
            }
        }
    }

    /// All classes of frames.
    pub(super) fn paints(&self) -> Vec<Paint> {
        match self {
            Self::Crates(..) => [&CRATES[..], &[OTHERS, STD, NONE]].concat(),
            Self::Change => [&LESS[..], &MORE, &[SAME]].concat(),
        }
    }

    /// The colours with their meaning.
    pub(super) fn legend(&self) -> Vec<(Paint, &str)> {
        match self {
            Self::Crates(paints, _) => {
                let own = CRATES.iter().filter_map(|paint| {
                    let (name, _) = paints.iter().find(|(_, own)| *own == paint)?;
                    Some((*paint, *name))
                });
                let has_others = paints.values().any(|paint| *paint == OTHERS);
                let others = has_others.then_some((OTHERS, "other crates"));
                own.chain(others)
                    .chain([(STD, "std, core, alloc")])
                    .collect()
            }
            Self::Change => vec![
                (MORE[2], "more than before"),
                (LESS[2], "less than before"),
                (SAME, "the same"),
            ],
        }
    }
}

fn is_std(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc")
}
