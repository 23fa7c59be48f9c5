//! [`Tree`]: the stacks of a report from the outermost frames to the innermost, with the values
//! of each function.

use std::collections::BTreeMap;

use crate::report::export::stacks::{Frames, StackReport, entered, shown_file};

/// Functions by their callers. A node stands before the nodes that it calls.
///
/// The nodes are in a list, since a hostile stack can be deeper than a recursion.
pub(super) struct Tree<'s> {
    nodes: Vec<Node<'s>>,
    /// The stacks with values below zero, which have no width, and their sums.
    pub(super) below_zero: usize,
    pub(super) below_zero_sums: [i128; 2],
}

/// A function with the same callers.
#[derive(Default)]
pub(super) struct Node<'s> {
    /// Its name; empty for the root.
    pub(super) function: &'s str,
    /// The values before and now, with those of the functions that it calls.
    pub(super) values: [i128; 2],
    /// The width: the larger value of each stack, so that no frame hides a change below.
    pub(super) width: u128,
    own: [i128; 2],
    children: BTreeMap<&'s str, usize>,
    /// The values by place in the source.
    pub(super) places: BTreeMap<Place<'s>, [i128; 2]>,
}

/// The file, the line and the column in a function, and a note on how it was entered.
pub(super) type Place<'s> = (&'s str, Option<u32>, Option<u32>, &'static str);

impl<'s> Tree<'s> {
    pub(super) fn new(report: &StackReport<'s>) -> Self {
        let mut tree = Self {
            nodes: vec![Node::default()],
            below_zero: 0,
            below_zero_sums: [0; 2],
        };
        for (side, stacks) in report.values().into_iter().enumerate() {
            for (frames, value) in stacks {
                let mut values = [0; 2];
                values[side] = value;
                match value {
                    0 => {}
                    1.. => tree.add(frames, values),
                    _ => {
                        tree.below_zero += 1;
                        add(&mut tree.below_zero_sums, values);
                    }
                }
            }
        }
        let (_, factors) = report.common_iterations();
        tree.measure(factors);
        tree
    }

    pub(super) fn root(&self) -> &Node<'s> {
        &self.nodes[0]
    }

    /// The functions that a node calls, by name.
    pub(super) fn children<'t>(&'t self, node: &'t Node<'s>) -> impl Iterator<Item = &'t Node<'s>> {
        node.children.values().map(|&index| &self.nodes[index])
    }

    fn add(&mut self, frames: Frames<'s>, values: [i128; 2]) {
        let mut at = 0;
        add(&mut self.nodes[at].values, values);
        for frame in frames.unwrap_or_default().iter().rev() {
            at = self.child(at, &frame.function, values);
            if let Some(file) = &frame.file {
                let place = (
                    shown_file(file),
                    frame.line,
                    frame.column,
                    entered(frame.kind),
                );
                add(self.nodes[at].places.entry(place).or_default(), values);
            }
        }
        if let Err(name) = frames {
            at = self.child(at, name, values);
        }
        add(&mut self.nodes[at].own, values);
    }

    /// Adds the values to a function that a node calls.
    fn child(&mut self, parent: usize, function: &'s str, values: [i128; 2]) -> usize {
        let next = self.nodes.len();
        let index = *self.nodes[parent].children.entry(function).or_insert(next);
        if index == next {
            self.nodes.push(Node {
                function,
                ..Node::default()
            });
        }
        add(&mut self.nodes[index].values, values);
        index
    }

    /// Sets the widths: the larger of the own values, and those of the children.
    fn measure(&mut self, factors: [i128; 2]) {
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            let own =
                [0, 1].map(|side| node.own[side].saturating_mul(factors[side]).unsigned_abs());
            let below = node.children.values().map(|&child| self.nodes[child].width);
            let width = below.fold(own[0].max(own[1]), u128::saturating_add);
            self.nodes[index].width = width;
        }
    }
}

/// Adds the values of both sides.
pub(super) fn add(sums: &mut [i128; 2], values: [i128; 2]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = sum.saturating_add(value);
    }
}
