//! [`BlockGroup`]: the failures that have the same cause, for all reports.

use indexmap::IndexMap;

use crate::evaluation::{Evaluation, Level};
use crate::report::blocks::Block;
use crate::report::sites::SitesText;
use crate::report::sites::shared::shared;
use crate::report::subjects::Subjects;

/// Blocks that the same lines explain, those that nothing explains, or one block.
pub(super) struct BlockGroup {
    /// At least one; all of a level and a verdict.
    pub(super) blocks: Vec<Block>,
    /// The lines of each block.
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

/// Puts blocks that the same lines explain into one group, at the place of the first of them,
/// and those that are left unexplained into another. With `is_each`, each block is a group of its own.
pub(super) fn groups(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    blocks: Vec<Block>,
    is_each: bool,
) -> Vec<BlockGroup> {
    // A block with several explained figures, of a sweep, has lines of its own.
    let single = |block: &Block| match (&block.explained[..], is_each) {
        (&[number], false) if block.level == Level::Deny => Some(number),
        _ => None,
    };
    let explained = blocks.iter().filter_map(single);
    let explained = explained.map(|number| &evaluation.explained[number]);
    let shared = shared(explained, |one, metric| subjects.accepted(one, metric));
    let cause_of = |block: &Block| {
        let explained = &evaluation.explained[single(block)?];
        shared.iter().position(|cause| {
            let mut all = cause.explained();
            all.any(|one| std::ptr::eq(one, explained))
        })
    };
    let leaves_some = !is_each && !evaluation.explained.is_empty();
    let mut groups: IndexMap<(Option<usize>, usize), Vec<Block>> = IndexMap::new();
    for (number, block) in blocks.into_iter().enumerate() {
        let key = match cause_of(&block) {
            Some(cause) => (Some(cause), 0),
            None if leaves_some && block.is_left_unexplained() => (None, usize::MAX),
            None => (None, number),
        };
        groups.entry(key).or_default().push(block);
    }
    let group = |((cause, _), blocks): ((Option<usize>, usize), Vec<Block>)| BlockGroup {
        each: blocks
            .iter()
            .flat_map(|block| &block.explained)
            .map(|&number| SitesText::new(&evaluation.explained[number]))
            .collect(),
        shared: cause
            .filter(|_| blocks.len() > 1)
            .map(|cause| shared[cause].text()),
        blocks,
    };
    groups.into_iter().map(group).collect()
}
