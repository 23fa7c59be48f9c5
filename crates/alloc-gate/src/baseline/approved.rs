//! Changes that a commit approves: it also changes the accepted figures of the scenario.

use std::collections::HashSet;

use crate::baseline::{Accepted, AcceptedScenario, Baseline};
use crate::results::axis::sort_naturally;
use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, Measurements};

impl Baseline {
    /// These figures of a base, with those that the `head` approves in their place: the
    /// accepted figures of a scenario that differ between the data of the base, `before`,
    /// and that of the head, `after`. A scenario that the head neither measures nor has in
    /// its data any more is removed. Returns the names of the scenarios whose figures are
    /// others now, too.
    #[must_use]
    pub fn approved_by(
        &self,
        before: &Self,
        after: &Self,
        head: &Measurements,
    ) -> (Self, Vec<String>) {
        let measured = head.scenarios().iter().map(MeasuredScenario::id);
        let measured: HashSet<IdRef<'_>> = measured.collect();
        let mut approved = self.clone();
        let mut names: Vec<String> = Vec::new();
        for (base, now) in self.environments.iter().zip(&mut approved.environments) {
            let Some(after) = after.accepted_in(&base.environment) else {
                continue;
            };
            let before = before.accepted_in(&base.environment);
            let labels = Accepted::labels(&[base, after]);
            for (id, new) in &after.scenarios {
                let old = before.and_then(|before| before.scenarios.get(id));
                if old.is_some_and(|old| old.has_figures_of(new)) {
                    continue;
                }
                let replaced = now.scenarios.insert(id.clone(), new.clone());
                if replaced.is_some_and(|replaced| !replaced.has_figures_of(new)) {
                    names.extend(labels.get(id).cloned());
                }
            }
            let removed = before
                .into_iter()
                .flat_map(|before| before.scenarios.keys());
            for id in removed {
                let is_gone =
                    !after.scenarios.contains_key(id) && !measured.contains(&id.borrowed());
                if is_gone && now.scenarios.shift_remove(id).is_some() {
                    names.extend(labels.get(id).cloned());
                }
            }
        }
        sort_naturally(&mut names);
        names.dedup();
        (approved, names)
    }
}

impl AcceptedScenario {
    /// Whether all that rules compare with is the same.
    #[must_use]
    pub fn has_figures_of(&self, other: &Self) -> bool {
        let figures = |one: &Self| (one.iterations, one.elements);
        figures(self) == figures(other)
            && self.metrics == other.metrics
            && self.custom == other.custom
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{accepted, measured};

    #[test]
    fn only_figures_that_the_head_accepts_anew_are_approved() {
        let base = accepted(
            "a: 1 x allocs=1\nb: 1 x allocs=1\nc: 1 x allocs=1\ngone: 1 x\nleft: 1 x allocs=1",
        );
        // `b` is out of date in the data of both.
        let before = accepted("a: 1 x allocs=1\nb: 1 x allocs=9\ngone: 1 x\nleft: 1 x allocs=1");
        let after = accepted("a: 1 x allocs=2\nb: 1 x allocs=9");
        let head = measured("a: 1 x allocs=2\nb: 1 x\nc: 1 x\nleft: 1 x");
        let (approved, names) = base.approved_by(&before, &after, &head);
        assert_eq!(names, ["a", "gone"]);
        assert_eq!(
            approved,
            accepted("a: 1 x allocs=2\nb: 1 x allocs=1\nc: 1 x allocs=1\nleft: 1 x allocs=1")
        );
        // Data that does not change approves nothing.
        let (same, names) = base.approved_by(&after, &after, &head);
        assert_eq!((same, names.len()), (base.clone(), 0));
        // Without data at the base, all that the head accepts is approved.
        let (_, names) = base.approved_by(&Baseline::default(), &after, &head);
        assert_eq!(names, ["a", "b"]);
        // Nor does data without the environment.
        let (same, names) = base.approved_by(&before, &Baseline::default(), &head);
        assert_eq!((same, names.len()), (base, 0));
    }
}
