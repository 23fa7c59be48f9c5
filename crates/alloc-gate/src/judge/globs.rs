//! [`GlobMarks`]: which globs of a list matched a name.

use crate::diagnostic::Place;
use crate::rules::Pattern;

/// The globs of a list, and whether each matched a name so far.
pub(super) struct GlobMarks<'g>(Vec<(&'g Pattern, bool)>);

impl<'g> GlobMarks<'g> {
    pub(super) fn new(globs: &'g [Pattern]) -> Self {
        Self(globs.iter().map(|glob| (glob, false)).collect())
    }

    /// Marks the globs that match the name, and says whether any does.
    pub(super) fn mark(&mut self, name: &str) -> bool {
        let mut is_matched = false;
        for (glob, matched) in &mut self.0 {
            if glob.matches(name) {
                *matched = true;
                is_matched = true;
            }
        }
        is_matched
    }

    /// The globs that matched nothing, with their places.
    pub(super) fn idle(&self) -> impl Iterator<Item = (String, Place)> {
        let idle = self.0.iter().filter(|(_, matched)| !matched);
        idle.map(|(glob, _)| (glob.text().to_owned(), glob.place()))
    }
}
