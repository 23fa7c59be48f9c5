//! [`Pace`]: compares the time that the iterations of a scenario take with its time
//! limits, so that a plan that does not fit fails after the first calls.

use std::fmt;
use std::time::{Duration, Instant};

use alloc_results::integer;
use counting_alloc::Scope;

use crate::failure::NotMeasured;
use crate::plan::Plan;

/// The number of calls after which a scenario can fail because of its pace.
const ENOUGH: u64 = 10;

/// The time after the first call after which fewer calls are enough.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// For about so long the iterations of a scenario are explained by their call stacks: an
/// operation whose stack is unwound takes a hundred times as long.
const EXPLAINED_FOR: Duration = Duration::from_secs(1);

/// The same as a part of the bench's time that is left, if that is less.
const PART_TO_EXPLAIN: u32 = 10;

/// The calls of a scenario and their time.
#[derive(Debug)]
pub(crate) struct Pace {
    plan: Plan,
    begin: Instant,
    /// When the first call ended.
    first: Instant,
    /// When the last call ended.
    last: Instant,
    done: u64,
    /// The time of the fastest call with its preparation, without the first, cold one.
    fastest: Duration,
}

/// A plan that does not fit a time limit.
#[derive(Debug)]
struct TooSlow {
    plan: Plan,
    bound: Bound,
    left: Duration,
    /// The time of one call with its preparation.
    call: Duration,
    remaining: u64,
}

/// The limit that does not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Bench(Duration),
    Scenario(Duration),
}

impl Pace {
    /// Begins a scenario, before its set-up.
    pub(crate) fn new(plan: &Plan) -> Self {
        let now = Instant::now();
        Self {
            plan: *plan,
            begin: now,
            first: now,
            last: now,
            done: 0,
            fastest: Duration::MAX,
        }
    }

    /// The time after which the counted pass ends, if call stacks are captured in it.
    pub(crate) fn explained_for(&self) -> Option<Duration> {
        let left = self.left().map_or(Duration::MAX, |(_, left)| left);
        let most = EXPLAINED_FOR.min(left / PART_TO_EXPLAIN);
        self.plan.sites.then_some(most)
    }

    /// Whether there is time for two calls like the first one, if call stacks are captured: it
    /// captured them, and the next one to do so is in the counted pass.
    pub(crate) fn has_time_to_explain(&self) -> bool {
        let left = self.left().filter(|_| self.plan.sites);
        left.is_none_or(|(_, left)| left > (self.first - self.begin) * 2)
    }

    /// Ends a call, and fails if even the fastest of the calls so far would be too slow
    /// for those that remain.
    pub(crate) fn called(&mut self) -> Result<(), NotMeasured> {
        let called = self.called_until(Instant::now());
        called.map_err(|too_slow| NotMeasured {
            message: too_slow.to_string(),
            timed_out: true,
        })
    }

    /// [`called`](Self::called), for a call that ended at `now`.
    fn called_until(&mut self, now: Instant) -> Result<(), Box<TooSlow>> {
        self.done += 1;
        if self.done == 1 {
            (self.first, self.last) = (now, now);
            return Ok(());
        }
        self.fastest = self.fastest.min(now - self.last);
        self.last = now;
        let Some((bound, left)) = self.left().filter(|_| !self.plan.sites) else {
            return Ok(());
        };
        let remaining = self.plan.calls().saturating_sub(self.done);
        let is_known = self.done >= ENOUGH || now - self.first >= MAX_WAIT;
        if remaining > 0 && is_known && time_of(remaining, self.fastest) > left {
            return Err(Box::new(TooSlow {
                plan: self.plan,
                bound,
                left,
                call: self.fastest,
                remaining,
            }));
        }
        Ok(())
    }

    /// The limit that ends first, and the time until then.
    fn left(&self) -> Option<(Bound, Duration)> {
        let plan = &self.plan;
        let until = |limit: Duration, begin: Instant| limit.saturating_sub(self.last - begin);
        let bench = plan.bench_limit;
        let bench = bench.map(|limit| (Bound::Bench(limit), until(limit, plan.begin)));
        let scenario = plan.limit;
        let scenario = scenario.map(|limit| (Bound::Scenario(limit), until(limit, self.begin)));
        bench
            .into_iter()
            .chain(scenario)
            .min_by_key(|&(_, left)| left)
    }
}

/// The calls of the timed pass: one to choose the size of batches, and one batch.
const TIMED: u64 = 2;

impl Plan {
    /// The number of calls of all passes, at least.
    fn calls(&self) -> u64 {
        let counted = self.iterations.saturating_mul(self.counted_passes());
        counted
            .saturating_add(self.warmup)
            .saturating_add(1 + if self.is_timed { TIMED } else { 0 })
    }

    /// The number of passes of `iterations` calls.
    fn counted_passes(&self) -> u64 {
        if self.scope == Scope::Process { 2 } else { 1 }
    }
}

fn time_of(calls: u64, call: Duration) -> Duration {
    let nanoseconds = call.as_nanos().saturating_mul(calls.into());
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}

impl TooSlow {
    /// Numbers of warm-up and of counted iterations that fit, in the proportion of the
    /// plan; `None` if not one does.
    fn fitting(&self) -> Option<(u64, u64)> {
        // A quarter of the time is left for calls that are slower.
        let calls = self.left.as_nanos() * 3 / 4 / self.call.as_nanos().max(1);
        let calls = u64::try_from(calls).unwrap_or(u64::MAX);
        let plan = &self.plan;
        let calls = calls.checked_sub(if plan.is_timed { TIMED } else { 0 })?;
        let all = u128::from(plan.iterations) * u128::from(plan.counted_passes())
            + u128::from(plan.warmup);
        let share = |planned: u64| {
            let share = u128::from(planned) * u128::from(calls) / all;
            round_down(u64::try_from(share).unwrap_or(u64::MAX))
        };
        let iterations = share(plan.iterations);
        (iterations > 0).then(|| (share(plan.warmup), iterations))
    }
}

/// The number with all digits but the first as zero.
fn round_down(number: u64) -> u64 {
    let power = 10_u64.pow(number.checked_ilog10().unwrap_or(0));
    number / power * power
}

impl fmt::Display for TooSlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whose, limit) = match self.bound {
            Bound::Bench(limit) => ("bench", limit),
            Bound::Scenario(limit) => ("scenario", limit),
        };
        write!(
            f,
            "does not fit the time limit of the {whose}: {} more calls of {:.1?} take {:.1?}, and ",
            integer(self.remaining.into()),
            self.call,
            time_of(self.remaining, self.call),
        )?;
        if self.left.is_zero() {
            write!(f, "nothing of {limit:.1?} is left. ")?;
        } else {
            write!(f, "{:.1?} of {limit:.1?} are left. ", self.left)?;
        }
        match self.fitting() {
            Some((_, iterations @ 10..)) if self.plan.is_called => {
                write!(f, "Set `sample_size({iterations})`, or ")?;
            }
            _ if self.plan.is_called => f.write_str("Make it faster, or ")?,
            Some((0, iterations)) if self.plan.warmup == 0 => {
                write!(f, "Set `.iterations({iterations})` here, or ")?;
            }
            Some((warmup, iterations)) => {
                write!(
                    f,
                    "Set `.warm_up({warmup}).iterations({iterations})` here, or "
                )?;
            }
            None => f.write_str("No number of iterations fits: ")?,
        }
        f.write_str(match (self.bound, self.plan.has_own_limit) {
            (Bound::Bench(_), _) => "raise `timeout` under `[run]` in gates.toml",
            (Bound::Scenario(_), true) => "raise its `.timeout(...)`",
            (Bound::Scenario(_), false) => "raise `scenario-timeout` under `[run]` in gates.toml",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(warmup: u64, iterations: u64) -> Plan {
        Plan {
            warmup,
            iterations,
            bench_limit: Some(Duration::from_secs(60)),
            ..Plan::usual()
        }
    }

    fn too_slow(plan: Plan, call: Duration) -> TooSlow {
        TooSlow {
            plan,
            bound: Bound::Bench(Duration::from_secs(60)),
            left: Duration::from_secs(60),
            call,
            remaining: plan.calls() - 1,
        }
    }

    #[test]
    fn the_message_names_numbers_that_fit() {
        let ten = too_slow(plan(1_000, 10_000), Duration::from_millis(10));
        assert_eq!(
            ten.to_string(),
            "does not fit the time limit of the bench: 11,002 more calls of 10.0ms take 110.0s, and \
             60.0s of 60.0s are left. Set `.warm_up(400).iterations(4000)` here, or raise `timeout` under `[run]` in gates.toml"
        );
        // 45 s are 4,500 calls, less those of the timed pass.
        let process = Plan {
            scope: Scope::Process,
            ..plan(1_000, 10_000)
        };
        let process = too_slow(process, Duration::from_millis(10));
        assert_eq!(process.fitting(), Some((200, 2_000)));
        assert_eq!(process.remaining, 21_002);
        let cold = too_slow(plan(0, 50), Duration::from_secs(2));
        assert_eq!(cold.fitting(), Some((0, 20)));
        assert!(cold.to_string().contains("Set `.iterations(20)` here"));
        let endless = too_slow(plan(0, 50), Duration::from_secs(20));
        assert_eq!(endless.fitting(), None);
        let none = TooSlow {
            left: Duration::ZERO,
            ..endless
        };
        let message = none.to_string();
        assert!(
            message.ends_with(
                "take 1040.0s, and nothing of 60.0s is left. No number of iterations fits: raise \
                 `timeout` under `[run]` in gates.toml"
            ),
            "{message}"
        );
    }

    /// The result of calls that take these times one after the other. The clock is not
    /// asked.
    fn called(plan: Plan, calls: impl IntoIterator<Item = Duration>) -> Result<(), Box<TooSlow>> {
        let mut now = plan.begin;
        let mut pace = Pace {
            begin: now,
            first: now,
            last: now,
            ..Pace::new(&plan)
        };
        calls.into_iter().try_for_each(|call| {
            now += call;
            pace.called_until(now)
        })
    }

    #[test]
    fn call_stacks_are_captured_for_a_second_or_a_part_of_what_is_left() {
        let mut plan = plan(1_000, 10_000);
        assert_eq!(Pace::new(&plan).explained_for(), None);
        plan.sites = true;
        let cold = Duration::from_secs(19);
        let pace = |limit: u64| {
            let mut plan = plan;
            plan.bench_limit = Some(Duration::from_secs(limit));
            let mut pace = Pace::new(&plan);
            (pace.begin, pace.plan.begin) = (pace.last, pace.last);
            // However slow the calls are, they end early, and are no failure.
            for _ in 0..ENOUGH {
                pace.called_until(pace.last + cold).expect("it ends early");
            }
            (
                pace.explained_for().expect("it captures"),
                pace.has_time_to_explain(),
            )
        };
        assert_eq!(pace(300), (Duration::from_secs(1), true));
        // 8 s are left, and a call takes more.
        assert_eq!(pace(198), (Duration::from_millis(800), false));
        assert_eq!(pace(19), (Duration::ZERO, false));
    }

    #[test]
    fn one_slow_call_is_not_enough() {
        let cold = Duration::from_secs(20);
        assert!(called(plan(0, 100_000), [cold]).is_ok());
        // After the first call, one that takes longer than a second is enough.
        let error = called(plan(0, 100_000), [cold, Duration::from_secs(2)]).unwrap_err();
        assert_eq!(error.remaining, 100_001);
        assert_eq!(error.call, Duration::from_secs(2));
        assert_eq!(error.left, Duration::from_secs(38));
    }

    #[test]
    fn the_shorter_limit_counts() {
        let calls = [Duration::from_millis(1); ENOUGH as usize];
        let mut plan = plan(0, 100);
        plan.limit = Some(Duration::from_millis(15));
        plan.has_own_limit = true;
        assert!(called(plan, calls[1..].to_vec()).is_ok());
        // 5 ms are left: three calls of 1 ms, of which the timed pass takes two.
        let message = called(plan, calls).unwrap_err().to_string();
        assert_eq!(
            message,
            "does not fit the time limit of the scenario: 93 more calls of 1.0ms take 93.0ms, and \
             5.0ms of 15.0ms are left. Set `.iterations(1)` here, or raise its `.timeout(...)`"
        );
        let mut free = plan;
        (free.bench_limit, free.limit) = (None, None);
        assert!(called(free, [Duration::from_secs(100); 20]).is_ok());
    }

    #[test]
    fn scenarios_of_criterion_are_told_a_sample_size() {
        let called = |seconds| {
            let plan = Plan {
                is_called: true,
                ..plan(10, 100)
            };
            too_slow(plan, Duration::from_secs(seconds)).to_string()
        };
        assert!(called(1).contains("are left. Set `sample_size(30)`, or raise `timeout`"));
        // Criterion has no sample size below 10.
        assert!(called(5).contains("are left. Make it faster, or raise `timeout`"));
    }

    #[test]
    fn numbers_are_rounded_down_to_one_digit() {
        for (number, rounded) in [
            (0, 0),
            (9, 9),
            (10, 10),
            (4_545, 4_000),
            (u64::MAX, 10_u64.pow(19)),
        ] {
            assert_eq!(round_down(number), rounded);
        }
    }
}
