//! [`Pace`]: compares the time that the iterations of a scenario take with its time
//! limits, so that a plan that does not fit fails after the first calls.

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

/// A time limit.
#[derive(Debug)]
struct Limit {
    /// What it is a limit of.
    of: &'static str,
    all: Duration,
    left: Duration,
    /// How to raise it.
    advice: &'static str,
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
        let left = self.limit().map_or(Duration::MAX, |limit| limit.left);
        let most = EXPLAINED_FOR.min(left / PART_TO_EXPLAIN);
        self.plan.sites.then_some(most)
    }

    /// Whether there is time for two calls like the first one, if call stacks are captured: it
    /// captured them, and the next one to do so is in the counted pass.
    pub(crate) fn has_time_to_explain(&self) -> bool {
        let limit = self.limit().filter(|_| self.plan.sites);
        limit.is_none_or(|limit| limit.left > (self.first - self.begin) * 2)
    }

    /// Ends a call, and fails if even the fastest of the calls so far would be too slow
    /// for those that remain.
    pub(crate) fn called(&mut self) -> Result<(), NotMeasured> {
        self.called_until(Instant::now())
    }

    /// [`called`](Self::called), for a call that ended at `now`.
    fn called_until(&mut self, now: Instant) -> Result<(), NotMeasured> {
        self.done += 1;
        if self.done == 1 {
            (self.first, self.last) = (now, now);
            return Ok(());
        }
        self.fastest = self.fastest.min(now - self.last);
        self.last = now;
        let Some(limit) = self.limit().filter(|_| !self.plan.sites) else {
            return Ok(());
        };
        let is_known = self.done >= ENOUGH || now - self.first >= MAX_WAIT;
        let remaining = self.plan.calls().saturating_sub(self.done);
        if remaining > 0 && is_known && time_of(remaining, self.fastest) > limit.left {
            return Err(NotMeasured {
                message: too_slow(&self.plan, &limit, remaining, self.fastest),
                timed_out: true,
            });
        }
        Ok(())
    }

    /// The limit that ends first.
    fn limit(&self) -> Option<Limit> {
        let plan = &self.plan;
        let limit = |of, all: Option<Duration>, begin: Instant, advice| {
            let all = all?;
            let left = all.saturating_sub(self.last - begin);
            Some(Limit {
                of,
                all,
                left,
                advice,
            })
        };
        let advice = "raise `timeout` under `[run]` in gates.toml";
        let bench = limit("bench", plan.bench_limit, plan.begin, advice);
        let advice = if plan.has_own_limit {
            "raise its `.timeout(...)`"
        } else {
            "raise `scenario-timeout` under `[run]` in gates.toml"
        };
        let scenario = limit("scenario", plan.limit, self.begin, advice);
        bench
            .into_iter()
            .chain(scenario)
            .min_by_key(|limit| limit.left)
    }
}

/// The calls of the timed pass: one to choose the size of batches, and one batch.
const TIMED: u64 = 2;

impl Plan {
    /// The number of calls of all passes, at least.
    fn calls(&self) -> u64 {
        let counted = self.iterations.saturating_mul(self.counted_passes());
        let calls = counted.saturating_add(self.warmup);
        calls.saturating_add(1 + self.timed_calls())
    }

    /// The number of passes of `iterations` calls.
    fn counted_passes(&self) -> u64 {
        if self.scope == Scope::Process { 2 } else { 1 }
    }

    fn timed_calls(&self) -> u64 {
        if self.is_timed { TIMED } else { 0 }
    }

    /// Numbers of warm-up and of counted iterations that fit, in the proportion of the
    /// plan; `None` if not one does.
    fn fitting(&self, left: Duration, call: Duration) -> Option<(u64, u64)> {
        // A quarter of the time is left for calls that are slower.
        let calls = left.as_nanos() * 3 / 4 / call.as_nanos().max(1);
        let calls = u64::try_from(calls).unwrap_or(u64::MAX);
        let calls = u128::from(calls.checked_sub(self.timed_calls())?);
        let (warmup, iterations) = (u128::from(self.warmup), u128::from(self.iterations));
        let all = iterations * u128::from(self.counted_passes()) + warmup;
        let [warmup, iterations] = [warmup, iterations].map(|planned| {
            let share = planned * calls / all;
            round_down(u64::try_from(share).unwrap_or(u64::MAX))
        });
        (iterations > 0).then_some((warmup, iterations))
    }
}

fn time_of(calls: u64, call: Duration) -> Duration {
    let nanoseconds = call.as_nanos().saturating_mul(calls.into());
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}

/// The number with all digits but the first as zero.
fn round_down(number: u64) -> u64 {
    let power = 10_u64.pow(number.checked_ilog10().unwrap_or(0));
    number / power * power
}

/// The message for a plan that does not fit a limit, with the time of one `call` and its
/// preparation.
fn too_slow(plan: &Plan, limit: &Limit, remaining: u64, call: Duration) -> String {
    let Limit {
        of,
        all,
        left,
        advice,
    } = limit;
    let left = if left.is_zero() {
        format!("nothing of {all:.1?} is left")
    } else {
        format!("{left:.1?} of {all:.1?} are left")
    };
    let instead = match plan.fitting(limit.left, call) {
        Some((_, iterations @ 10..)) if plan.is_called => {
            format!("Set `sample_size({iterations})`, or ")
        }
        _ if plan.is_called => String::from("Make it faster, or "),
        Some((0, iterations)) if plan.warmup == 0 => {
            format!("Set `.iterations({iterations})` here, or ")
        }
        Some((warmup, iterations)) => {
            format!("Set `.warm_up({warmup}).iterations({iterations})` here, or ")
        }
        None => String::from("No number of iterations fits: "),
    };
    format!(
        "does not fit the time limit of the {of}: {} more calls of {call:.1?} take {:.1?}, and \
         {left}. {instead}{advice}",
        integer(remaining.into()),
        time_of(remaining, call),
    )
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

    /// The message after the first call of a plan that has 60 s.
    fn message(plan: &Plan, left: u64, call: Duration) -> String {
        let limit = Limit {
            of: "bench",
            all: Duration::from_secs(60),
            left: Duration::from_secs(left),
            advice: "raise `timeout`",
        };
        too_slow(plan, &limit, plan.calls() - 1, call)
    }

    #[test]
    fn the_message_names_numbers_that_fit() {
        let ten = Duration::from_millis(10);
        assert_eq!(
            message(&plan(1_000, 10_000), 60, ten),
            "does not fit the time limit of the bench: 11,002 more calls of 10.0ms take 110.0s, and \
             60.0s of 60.0s are left. Set `.warm_up(400).iterations(4000)` here, or raise `timeout`"
        );
        // 45 s are 4,500 calls, less the calls of the timed pass.
        let process = Plan {
            scope: Scope::Process,
            ..plan(1_000, 10_000)
        };
        let called = Plan {
            is_called: true,
            ..plan(10, 100)
        };
        for (plan, left, call, part) in [
            (
                process,
                60,
                ten,
                "Set `.warm_up(200).iterations(2000)` here, or raise",
            ),
            (
                plan(0, 50),
                60,
                200 * ten,
                "Set `.iterations(20)` here, or raise",
            ),
            (
                plan(0, 50),
                0,
                2_000 * ten,
                "take 1040.0s, and nothing of 60.0s is left. No number of iterations fits: raise",
            ),
            (
                called,
                60,
                100 * ten,
                "are left. Set `sample_size(30)`, or raise",
            ),
            // Criterion has no sample size below 10.
            (called, 60, 500 * ten, "are left. Make it faster, or raise"),
        ] {
            let message = message(&plan, left, call);
            assert!(message.contains(part), "{message}");
        }
    }

    /// The result of calls that take these times one after the other. The clock is not
    /// asked.
    fn called(plan: Plan, calls: impl IntoIterator<Item = Duration>) -> Result<(), NotMeasured> {
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
        let numbers = ": 100,001 more calls of 2.0s take 200002.0s, and 38.0s of 60.0s are left. ";
        assert!(error.timed_out && error.message.contains(numbers));
    }

    #[test]
    fn the_shorter_limit_counts() {
        let calls = [Duration::from_millis(1); ENOUGH as usize];
        let mut plan = plan(0, 100);
        plan.limit = Some(Duration::from_millis(15));
        plan.has_own_limit = true;
        assert!(called(plan, calls[1..].to_vec()).is_ok());
        // 5 ms are left: three calls of 1 ms. The timed pass takes two.
        let message = called(plan, calls).unwrap_err().message;
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
    fn numbers_are_rounded_down_to_one_digit() {
        assert_eq!([0, 9, 10, 4_545].map(round_down), [0, 9, 10, 4_000]);
        assert_eq!(round_down(u64::MAX), 10_u64.pow(19));
    }
}
