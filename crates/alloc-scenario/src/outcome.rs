//! [`CallOutcome`]: the requests of one call and those that failed, and their sums
//! over the passes. Nothing here allocates before the passes are over.

use std::fmt;
use std::ptr;

use alloc_results::{Attempts, CustomNameError, MOST, OutcomeRecord, check_custom_name};

/// The maximum number of kinds of faults in a scenario.
const KINDS: usize = 4;

/// The requests of one call, and how many of them failed. The closure of
/// [`Operation::outcome`](crate::Operation::outcome) returns it for an output.
///
/// It is `Copy` and allocates nothing, so that it costs a timed pass little.
///
/// ```
/// use alloc_scenario::CallOutcome;
///
/// let lengths = [Some(3), None, Some(5)];
/// let refused = lengths.iter().filter(|length| length.is_none()).count();
/// let outcome = CallOutcome::new(lengths.len() as u64).fault("null", refused as u64);
/// assert_eq!(outcome, CallOutcome::new(3).fault("null", 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the closure returns it"]
pub struct CallOutcome {
    requests: u64,
    /// The kinds of faults with their numbers, in the first `len` elements.
    faults: [(&'static str, u64); KINDS],
    len: usize,
    /// The first kind past [`KINDS`].
    excess: Option<&'static str>,
}

/// The former name of [`CallOutcome`].
#[deprecated = "use `CallOutcome`"]
#[doc(hidden)]
pub type Outcome = CallOutcome;

/// Takes the outcome from an output, on the thread that made the output.
pub(crate) type Judge<'a, O> = Box<dyn Fn(&O) -> CallOutcome + Sync + 'a>;

/// The sums of the outcomes of a scenario's calls, as the record has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutcomeSums {
    /// The sum over the passes with a fixed number of calls.
    pub(crate) counted: CallOutcome,
    /// The sum over the timed pass.
    pub(crate) timed: CallOutcome,
}

/// Why outcomes can't be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OutcomeMistake {
    /// There are too many kinds of faults.
    TooManyKinds {
        kept: [&'static str; KINDS],
        excess: &'static str,
    },
    /// The name of a kind of fault is not allowed.
    Misnamed { name: &'static str },
    /// The number of requests, or of faults of a kind, is too large for a record.
    TooLarge { what: &'static str },
}

impl CallOutcome {
    /// The outcome of a call that made this many requests, without faults.
    ///
    /// ```
    /// # use alloc_scenario::CallOutcome;
    /// let three_requests = CallOutcome::new(3);
    /// # let _ = three_requests;
    /// ```
    #[inline]
    pub const fn new(requests: u64) -> Self {
        Self {
            requests,
            faults: [("", 0); KINDS],
            len: 0,
            excess: None,
        }
    }

    /// The former name of [`new`](Self::new).
    #[deprecated = "use `CallOutcome::new`"]
    #[doc(hidden)]
    pub const fn of(requests: u64) -> Self {
        Self::new(requests)
    }

    /// Adds `count` failed requests of a kind, such as `null`. The name of a kind
    /// has lower-case letters, digits and hyphens. Counts of the same kind are
    /// added; a kind with a count of 0 is not recorded.
    ///
    /// A scenario has at most 4 kinds. A scenario with more kinds or with another
    /// form of name fails with a message; this function does not panic.
    ///
    /// ```
    /// # use alloc_scenario::CallOutcome;
    /// let outcome = CallOutcome::new(8).fault("null", 1).fault("null", 1);
    /// assert_eq!(outcome, CallOutcome::new(8).fault("null", 2));
    /// ```
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

    /// Adds the outcome of another call. A sum that overflows stays at the largest
    /// number, which [`attempts`](Self::attempts) refuses.
    #[inline]
    pub(crate) fn add(&mut self, other: &Self) {
        self.requests = self.requests.saturating_add(other.requests);
        // This runs in timed passes. The kinds of one closure mostly have the same
        // addresses and order, and then no name has to be compared.
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

    /// Adds the faults from this index on, of any kind.
    #[cold]
    fn add_others(&mut self, other: &Self, from: usize) {
        for &(kind, count) in &other.faults[from..other.len] {
            self.count(kind, count);
        }
        self.excess = self.excess.or(other.excess);
    }

    /// The outcome for the record.
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
        let mut faults: Vec<(String, u64)> = Vec::new();
        for &(kind, count) in kinds.iter().filter(|(_, count)| *count > 0) {
            let at = faults.partition_point(|(other, _)| other.as_str() < kind);
            faults.insert(at, (kind.to_owned(), count));
        }
        Ok(Attempts {
            requests: self.requests,
            faults,
        })
    }
}

impl OutcomeSums {
    pub(crate) const NONE: Self = Self {
        counted: CallOutcome::new(0),
        timed: CallOutcome::new(0),
    };

    /// The sums for the record.
    pub(crate) fn finish(&self) -> Result<OutcomeRecord, OutcomeMistake> {
        // The limit on kinds holds for all passes together.
        let mut all = self.counted;
        all.add(&self.timed);
        if all.excess.is_some() {
            all.attempts()?;
        }
        Ok(OutcomeRecord {
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
                "the outcome has more than {KINDS} kinds of faults: `{}`, `{excess}`",
                kept.join("`, `")
            ),
            Self::Misnamed { name } => write!(
                f,
                "`{name}` is not a valid name for a kind of fault; use at most 64 lower-case \
                 letters, digits and hyphens, and start with a letter"
            ),
            Self::TooLarge { what } => write!(
                f,
                "the sum of all outcomes has more than 2^60 {what}, the most that can be recorded"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(outcome: &CallOutcome) -> Vec<(String, u64)> {
        let attempts = outcome.attempts().expect("it can be recorded");
        attempts.faults.into_iter().collect()
    }

    #[test]
    fn faults_are_summed_by_kind_in_any_order() {
        let mut sum = CallOutcome::new(3).fault("null", 1).fault("late", 0);
        sum.add(&CallOutcome::new(4).fault("late", 2).fault("null", 5));
        assert_eq!(sum.attempts().expect("recorded").requests, 7);
        assert_eq!(
            faults(&sum),
            [(String::from("late"), 2), (String::from("null"), 6)]
        );
    }

    #[test]
    #[expect(deprecated, reason = "this tests the former names")]
    fn the_former_names_are_the_same() {
        let former: Outcome = Outcome::of(3).fault("null", 1);
        assert_eq!(former, CallOutcome::new(3).fault("null", 1));
    }

    #[test]
    fn a_kind_with_a_count_of_zero_is_not_recorded() {
        assert_eq!(faults(&CallOutcome::new(1).fault("null", 0)), []);
    }

    #[test]
    fn equal_names_at_different_addresses_are_one_kind() {
        let elsewhere: &'static str = String::from("null").leak();
        let both = CallOutcome::new(2).fault("null", 1).fault(elsewhere, 1);
        assert_eq!(faults(&both), [(String::from("null"), 2)]);
    }

    #[test]
    fn a_fifth_kind_is_a_mistake_even_with_a_count_of_zero() {
        let four = CallOutcome::new(1)
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
        sum.add(&CallOutcome::new(1).fault("e", 1));
        assert_eq!(sum.attempts(), expected);
        let apart = OutcomeSums {
            counted: four,
            timed: CallOutcome::new(1).fault("e", 1),
        };
        assert_eq!(apart.finish().map(|_| ()), expected.map(|_| ()));
    }

    #[test]
    fn names_have_the_form_of_metric_names_but_none_is_reserved() {
        for name in ["", "Null", "1st", "a b", "null\n"] {
            let expected = Err(OutcomeMistake::Misnamed { name });
            assert_eq!(CallOutcome::new(1).fault(name, 0).attempts(), expected);
        }
        // A metric can't have this name, which rules reserve.
        assert_eq!(faults(&CallOutcome::new(1).fault("failed", 1)).len(), 1);
    }

    #[test]
    fn sums_that_are_too_large_for_a_record_are_a_mistake() {
        let most = CallOutcome::new(MOST).fault("null", MOST);
        assert_eq!(faults(&most), [(String::from("null"), MOST)]);
        let mut sum = most;
        sum.add(&CallOutcome::new(1));
        let requests = OutcomeMistake::TooLarge { what: "requests" };
        assert_eq!(sum.attempts(), Err(requests));
        let mut sum = CallOutcome::new(1).fault("null", u64::MAX);
        sum.add(&CallOutcome::new(1).fault("null", u64::MAX));
        let null = OutcomeMistake::TooLarge { what: "null" };
        assert_eq!(sum.attempts(), Err(null));
    }
}
