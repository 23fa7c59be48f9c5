//! [`BlockGroup`]: the failures that have the same cause, for all reports.

use indexmap::IndexMap;

use crate::evaluation::Subjects;
use crate::evaluation::{Evaluation, Level};
use crate::report::blocks::Block;
use crate::report::sites::SitesText;
use crate::report::sites::shared::shared;
use crate::sites::Unexplained;

/// Blocks that the same lines explain, those without lines for the same reason, those that
/// nothing explains, or one block.
pub(super) struct BlockGroup {
    /// At least one; all of a level and a verdict.
    pub(super) blocks: Vec<Block>,
    /// The lines of each block, or once why there are none.
    pub(super) each: Vec<SitesText>,
    /// The lines that explain several blocks, once.
    pub(super) shared: Option<SitesText>,
}

impl BlockGroup {
    pub(super) fn level(&self) -> Level {
        self.blocks[0].level
    }

    /// The lines to show: what the blocks share, or those of the only one.
    pub(super) fn lines(&self) -> &[SitesText] {
        match &self.shared {
            Some(shared) => std::slice::from_ref(shared),
            None => &self.each,
        }
    }
}

/// What blocks of a group have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Common<'e> {
    /// The lines, by their number.
    Lines(usize),
    /// The reason why there are no lines.
    Reason(&'e Unexplained),
    /// Their lines were not asked for.
    NotAsked,
    /// Nothing: the number of the block.
    Nothing(usize),
}

/// Puts blocks that the same lines explain, or that have no lines for the same reason, into one
/// group, at the place of the first of them, and those that are left unexplained into another.
/// With `is_each`, each block is a group of its own.
pub(super) fn groups(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    blocks: Vec<Block>,
    is_each: bool,
) -> Vec<BlockGroup> {
    // A block with several explained figures, of a sweep, has lines of its own.
    let single = |block: &Block| match (&block.explained[..], is_each) {
        (&[number], false) if block.level == Level::Deny => Some(&evaluation.explained[number]),
        _ => None,
    };
    let explained = blocks.iter().filter_map(single);
    let shared = shared(explained, |one, metric| subjects.accepted(one, metric));
    let in_common = |block: &Block| {
        let explained = single(block)?;
        if let Err(reason) = &explained.found {
            return Some(Common::Reason(reason));
        }
        let cause = shared.iter().position(|cause| {
            let mut all = cause.explained();
            all.any(|one| std::ptr::eq(one, explained))
        });
        cause.map(Common::Lines)
    };
    let leaves_some = !is_each && !evaluation.explained.is_empty();
    let mut groups: IndexMap<Common<'_>, Vec<Block>> = IndexMap::new();
    for (number, block) in blocks.into_iter().enumerate() {
        let common = match in_common(&block) {
            Some(common) => common,
            None if leaves_some && block.is_left_unexplained => Common::NotAsked,
            None => Common::Nothing(number),
        };
        groups.entry(common).or_default().push(block);
    }
    let group = |(common, blocks): (Common<'_>, Vec<Block>)| {
        let explained = blocks.iter().flat_map(|block| &block.explained);
        let explained = explained.map(|&number| &evaluation.explained[number]);
        let (most, shared) = match common {
            Common::Reason(_) => (1, None),
            Common::Lines(cause) if blocks.len() > 1 => (usize::MAX, Some(shared[cause].text())),
            Common::Lines(_) | Common::NotAsked | Common::Nothing(_) => (usize::MAX, None),
        };
        BlockGroup {
            each: explained.take(most).map(SitesText::new).collect(),
            shared,
            blocks,
        }
    };
    groups.into_iter().map(group).collect()
}
