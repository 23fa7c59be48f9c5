//! [`layout`]: the positions of the frames of a flame graph.

use std::collections::VecDeque;
use std::ops::Range;

use crate::report::export::flame::tree::{Node, Tree, add};

/// Frames in deeper rows are not drawn.
const MAX_DEPTH: usize = 250;
/// A narrower frame is not drawn on its own, in pixels.
const MIN_WIDTH: f64 = 1.0;

/// The frames to draw, and those that are left out.
#[derive(Default)]
pub(super) struct Layout<'t, 's> {
    /// In the order of the rows, and in a row from left to right.
    pub(super) frames: Vec<Drawn<'t, 's>>,
    /// The number of rows.
    pub(super) depth: usize,
    /// Functions that are too narrow to draw, also together.
    pub(super) narrow: Sums,
    /// Functions in rows that are too deep.
    pub(super) deep: Sums,
}

/// A frame of the picture.
pub(super) struct Drawn<'t, 's> {
    /// Its left and right edge, in pixels from the left edge of the root.
    pub(super) edges: Range<f64>,
    pub(super) depth: usize,
    /// The function; `None` for several that are too narrow to draw each.
    pub(super) function: Option<&'t Node<'s>>,
    pub(super) sums: Sums,
}

/// One function, or several with the same caller, with the sums of their values.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) functions: usize,
    pub(super) values: [i128; 2],
    pub(super) width: u128,
}

impl Sums {
    fn of(node: &Node<'_>) -> Self {
        Self {
            functions: 1,
            values: node.values,
            width: node.width,
        }
    }

    fn add(&mut self, other: Self) {
        self.functions += other.functions;
        self.width = self.width.saturating_add(other.width);
        add(&mut self.values, other.values);
    }
}

/// Places the frames of a tree on a width in pixels. Callees stand below their caller in the
/// order of their names, so that pictures of two runs have the same order. Each edge is
/// computed from exact sums, so no error adds up.
pub(super) fn layout<'t, 's>(tree: &'t Tree<'s>, pixels: f64) -> Layout<'t, 's> {
    let total = tree.root().width;
    let mut layout = Layout::default();
    if total == 0 {
        return layout;
    }
    let position = |units: u128| units as f64 / total as f64 * pixels;
    let root = (Some(tree.root()), Sums::of(tree.root()));
    let mut queue = VecDeque::from([(root, 0_u128, 0_usize)]);
    while let Some(((function, sums), start, depth)) = queue.pop_front() {
        if let Some(node) = function {
            let mut at = start;
            let mut narrow = Sums::default();
            for child in tree.children(node) {
                let sums = Sums::of(child);
                if depth + 1 == MAX_DEPTH {
                    layout.deep.add(sums);
                } else if position(child.width) < MIN_WIDTH {
                    narrow.add(sums);
                } else {
                    queue.push_back(((Some(child), sums), at, depth + 1));
                    at = at.saturating_add(child.width);
                }
            }
            if position(narrow.width) >= MIN_WIDTH {
                queue.push_back(((None, narrow), at, depth + 1));
            } else {
                layout.narrow.add(narrow);
            }
        }
        let end = start.saturating_add(sums.width);
        layout.depth = depth + 1;
        layout.frames.push(Drawn {
            edges: position(start)..position(end),
            depth,
            function,
            sums,
        });
    }
    layout
}
