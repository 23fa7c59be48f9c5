//! [`Outcome`]: what an operation asked for and what of it went wrong, and the
//! sums of it over the passes. Nothing here allocates before the passes are over;
//! what a fault means for a verdict is not known here.

use std::collections::BTreeMap;
use std::fmt;
use std::ptr;

use alloc_results::{Attempts, CustomNameError, MOST, check_custom_name};

/// The most kinds of faults of a scenario.
const KINDS: usize = 4;

/// What one call asked for, and what of it went wrong: what the closure of
/// [`Operation::outcome`](crate::Operation::outcome) says of an output.
///
/// It is `Copy` and allocates nothing, so that taking it costs a timed pass
/// little.
///
/// ```
/// use alloc_scenario::Outcome;
///
/// let lengths = [Some(3), None, Some(5)];
/// let refused = lengths.iter().filter(|length| length.is_none()).count();
/// let outcome = Outcome::of(lengths.len() as u64).fault("null", refused as u64);
/// assert_eq!(outcome, Outcome::of(3).fault("null", 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the closure returns it"]
pub struct Outcome {
    requests: u64,
    /// The first `len` are kinds of faults with their numbers.
    faults: [(&'static str, u64); KINDS],
    len: usize,
    /// The first kind for which there was no room.
    excess: Option<&'static str>,
}

/// Takes the outcome from an output, on the thread that made it.
pub(crate) type Judge<'a, O> = Box<dyn Fn(&O) -> Outcome + Sync + 'a>;

/// The outcomes of a scenario in sum, as the record tells them apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcomes {
    /// Of all calls of which the number is fixed.
    pub(crate) counted: Outcome,
    /// Of the timed pass.
    pub(crate) timed: Outcome,
}

/// Why outcomes can't be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OutcomeMistake {
    /// There are more kinds of faults than there is room for.
    TooManyKinds {
        kept: [&'static str; KINDS],
        excess: &'static str,
    },
    /// A kind of fault can't have its name.
    Misnamed { name: &'static str },
    /// The requests, or the faults of a kind, are more than can be recorded.
    TooLarge { what: &'static str },
}

impl Outcome {
    /// Of a call that made so many requests; none of them went wrong.
    #[inline]
    pub const fn of(requests: u64) -> Self {
        Self {
            requests,
            faults: [("", 0); KINDS],
            len: 0,
            excess: None,
        }
    }

    /// And `count` of the requests went wrong in the way that `kind` names:
    /// lower-case letters, digits and hyphens, such as `null`. A kind that is
    /// named twice has the sum; one that counts 0 is not recorded.
    ///
    /// A scenario has up to 4 kinds. One with more, or with another form of name,
    /// fails, and says why; nothing panics here.
    #[inline]
    pub fn fault(mut self, kind: &'static str, count: u64) -> Self {
        self.count(kind, count);
        self
    }

    #[inline]
    fn count(&mut self, kind: &'static str, count: u64) {
        for (known, sum) in &mut self.faults[..self.len] {
            if *known == kind {
                *sum = sum.saturating_add(count);
                return;
            }
        }
        if self.len < KINDS {
            self.faults[self.len] = (kind, count);
            self.len += 1;
        } else if self.excess.is_none() {
            self.excess = Some(kind);
        }
    }

    /// Adds another call's. What is too much stays at the largest number, which
    /// [`attempts`](Self::attempts) refuses.
    #[inline]
    pub(crate) fn add(&mut self, other: &Self) {
        self.requests = self.requests.saturating_add(other.requests);
        // The kinds of one closure are mostly the same in the same order, and then no
        // name need be compared: this runs in timed passes.
        let len = self.len.min(other.len).min(KINDS);
        let mut same = 0;
        for (own, &(kind, count)) in self.faults[..len].iter_mut().zip(&other.faults[..len]) {
            if !ptr::eq(own.0, kind) {
                break;
            }
            own.1 = own.1.saturating_add(count);
            same += 1;
        }
        if same < other.len || other.excess.is_some() {
            self.add_others(other, same);
        }
    }

    /// Adds the faults from this index on, whatever their kinds.
    #[cold]
    fn add_others(&mut self, other: &Self, from: usize) {
        for &(kind, count) in &other.faults[from..other.len] {
            self.count(kind, count);
        }
        self.excess = self.excess.or(other.excess);
    }

    /// As the record has it.
    pub(crate) fn attempts(&self) -> Result<Attempts, OutcomeMistake> {
        let kinds = &self.faults[..self.len];
        let excess = self.excess.iter();
        if let Some(&name) = kinds
            .iter()
            .map(|(name, _)| name)
            .chain(excess)
            .find(|name| {
                matches!(
                    check_custom_name(name),
                    Err(CustomNameError::Malformed { .. })
                )
            })
        {
            return Err(OutcomeMistake::Misnamed { name });
        }
        if let Some(excess) = self.excess {
            let kept = self.faults.map(|(kind, _)| kind);
            return Err(OutcomeMistake::TooManyKinds { kept, excess });
        }
        if let Some(what) = [("requests", self.requests)]
            .into_iter()
            .chain(kinds.iter().copied())
            .find_map(|(what, sum)| (sum > MOST).then_some(what))
        {
            return Err(OutcomeMistake::TooLarge { what });
        }
        let occurred = kinds.iter().filter(|(_, count)| *count > 0);
        let faults = occurred.map(|&(kind, count)| (kind.to_owned(), count));
        Ok(Attempts {
            requests: self.requests,
            faults: faults.collect::<BTreeMap<_, _>>(),
        })
    }
}

impl Outcomes {
    pub(crate) const NONE: Self = Self {
        counted: Outcome::of(0),
        timed: Outcome::of(0),
    };

    /// As the record has it.
    pub(crate) fn finish(&self) -> Result<alloc_results::Outcome, OutcomeMistake> {
        // The passes together have no more kinds than the scenario may have.
        let mut all = self.counted;
        all.add(&self.timed);
        if all.excess.is_some() {
            all.attempts()?;
        }
        Ok(alloc_results::Outcome {
            counted: self.counted.attempts()?,
            timed: self.timed.attempts()?,
        })
    }
}

impl fmt::Display for OutcomeMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyKinds { kept, excess } => write!(
                f,
                "the outcome has more than {KINDS} kinds of faults: `{}` and `{excess}` at least",
                kept.join("`, `")
            ),
            Self::Misnamed { name } => write!(
                f,
                "`{name}` is no name of a kind of fault; write lower-case letters, digits and \
                 hyphens, a letter first and 64 at most"
            ),
            Self::TooLarge { what } => write!(
                f,
                "the outcomes have more than 2^60 {what} in all together, which is not recorded"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(outcome: &Outcome) -> Vec<(String, u64)> {
        let attempts = outcome.attempts().expect("it can be recorded");
        attempts.faults.into_iter().collect()
    }

    #[test]
    fn what_is_added_is_summed_by_kind_whatever_the_order() {
        let mut sum = Outcome::of(3).fault("null", 1).fault("late", 0);
        sum.add(&Outcome::of(4).fault("late", 2).fault("null", 5));
        assert_eq!(sum.attempts().expect("recorded").requests, 7);
        assert_eq!(
            faults(&sum),
            [(String::from("late"), 2), (String::from("null"), 6)]
        );
    }

    #[test]
    fn a_kind_that_counts_nothing_is_not_recorded() {
        assert_eq!(faults(&Outcome::of(1).fault("null", 0)), []);
    }

    #[test]
    fn equal_names_in_different_places_are_one_kind() {
        let elsewhere: &'static str = String::from("null").leak();
        let both = Outcome::of(2).fault("null", 1).fault(elsewhere, 1);
        assert_eq!(faults(&both), [(String::from("null"), 2)]);
    }

    #[test]
    fn a_fifth_kind_is_a_mistake_even_if_it_counts_nothing_or_comes_later() {
        let four = Outcome::of(1)
            .fault("a", 1)
            .fault("b", 1)
            .fault("c", 1)
            .fault("d", 1);
        assert_eq!(faults(&four).len(), 4);
        let expected = Err(OutcomeMistake::TooManyKinds {
            kept: ["a", "b", "c", "d"],
            excess: "e",
        });
        assert_eq!(four.fault("e", 0).attempts(), expected);
        let mut sum = four;
        sum.add(&Outcome::of(1).fault("e", 1));
        assert_eq!(sum.attempts(), expected);
        let apart = Outcomes {
            counted: four,
            timed: Outcome::of(1).fault("e", 1),
        };
        assert_eq!(apart.finish().map(|_| ()), expected.map(|_| ()));
    }

    #[test]
    fn names_are_those_of_metrics_and_none_is_reserved() {
        for name in ["", "Null", "1st", "a b", "null\n"] {
            let expected = Err(OutcomeMistake::Misnamed { name });
            assert_eq!(Outcome::of(1).fault(name, 0).attempts(), expected);
        }
        // A metric can't be called so, as rules have a meaning for it.
        assert_eq!(faults(&Outcome::of(1).fault("failed", 1)).len(), 1);
    }

    #[test]
    fn sums_past_what_a_record_may_have_are_a_mistake() {
        let most = Outcome::of(MOST).fault("null", MOST);
        assert_eq!(faults(&most), [(String::from("null"), MOST)]);
        let mut sum = most;
        sum.add(&Outcome::of(1));
        let requests = OutcomeMistake::TooLarge { what: "requests" };
        assert_eq!(sum.attempts(), Err(requests));
        let mut sum = Outcome::of(1).fault("null", u64::MAX);
        sum.add(&Outcome::of(1).fault("null", u64::MAX));
        let null = OutcomeMistake::TooLarge { what: "null" };
        assert_eq!(sum.attempts(), Err(null));
    }
}
