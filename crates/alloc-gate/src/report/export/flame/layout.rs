//! [`layout`]: the positions of the frames of a flame graph.

use std::collections::VecDeque;
use std::ops::Range;

use crate::report::export::flame::tree::{Node, Tree, add};

/// Frames in deeper rows are not drawn.
const MAX_DEPTH: usize = 250;
/// A narrower frame is not drawn on its own, in pixels.
const MIN_WIDTH: f64 = 1.0;

/// The frames to draw, and those that are left out.
pub(super) struct Layout<'t, 's> {
    /// In the order of the rows, and in a row from left to right.
    pub(super) frames: Vec<Drawn<'t, 's>>,
    /// The number of rows.
    pub(super) depth: usize,
    /// Functions that are too narrow to draw, also together.
    pub(super) narrow: Merged,
    /// Functions in rows that are too deep.
    pub(super) deep: Merged,
}

/// A frame of the picture.
pub(super) struct Drawn<'t, 's> {
    /// Its left and right edge, in pixels from the left edge of the root.
    pub(super) edges: Range<f64>,
    pub(super) depth: usize,
    pub(super) content: Content<'t, 's>,
}

pub(super) enum Content<'t, 's> {
    Function(&'t Node<'s>),
    /// Functions that are too narrow to draw each.
    Narrow(Merged),
}

impl Content<'_, '_> {
    pub(super) fn values(&self) -> [i128; 2] {
        match self {
            Self::Function(node) => node.values,
            Self::Narrow(merged) => merged.values,
        }
    }

    pub(super) fn width(&self) -> u128 {
        match self {
            Self::Function(node) => node.width,
            Self::Narrow(merged) => merged.width,
        }
    }
}

/// Several functions with the same caller, with the sums of their values.
#[derive(Clone, Copy, Default)]
pub(super) struct Merged {
    pub(super) functions: usize,
    pub(super) values: [i128; 2],
    width: u128,
}

impl Merged {
    fn add(&mut self, functions: usize, width: u128, values: [i128; 2]) {
        self.functions += functions;
        self.width = self.width.saturating_add(width);
        add(&mut self.values, values);
    }
}

/// Places the frames of a tree on a width in pixels. Callees stand below their caller in the
/// order of their names, so that pictures of two runs have the same order. Each edge is
/// computed from exact sums, so no error adds up.
pub(super) fn layout<'t, 's>(tree: &'t Tree<'s>, pixels: f64) -> Layout<'t, 's> {
    let total = tree.root().width;
    let mut layout = Layout {
        frames: Vec::new(),
        depth: 0,
        narrow: Merged::default(),
        deep: Merged::default(),
    };
    if total == 0 {
        return layout;
    }
    let position = |units: u128| units as f64 / total as f64 * pixels;
    let mut queue = VecDeque::from([(Content::Function(tree.root()), 0_u128, 0_usize)]);
    while let Some((content, start, depth)) = queue.pop_front() {
        if let Content::Function(node) = content {
            let mut at = start;
            let mut narrow = Merged::default();
            for child in tree.children(node) {
                if depth + 1 == MAX_DEPTH {
                    layout.deep.add(1, child.width, child.values);
                } else if position(child.width) < MIN_WIDTH {
                    narrow.add(1, child.width, child.values);
                } else {
                    queue.push_back((Content::Function(child), at, depth + 1));
                    at = at.saturating_add(child.width);
                }
            }
            if position(narrow.width) >= MIN_WIDTH {
                queue.push_back((Content::Narrow(narrow), at, depth + 1));
            } else {
                let all = &mut layout.narrow;
                all.add(narrow.functions, narrow.width, narrow.values);
            }
        }
        let end = start.saturating_add(content.width());
        layout.depth = depth + 1;
        layout.frames.push(Drawn {
            edges: position(start)..position(end),
            depth,
            content,
        });
    }
    layout
}
