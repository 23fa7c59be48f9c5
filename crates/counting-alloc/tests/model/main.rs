//! Random programs against a model in plain integers. After every step of every thread,
//! each counter has to agree with the model, and the inner allocator has to have seen
//! exactly the calls of the program.
//!
//! `COUNTING_ALLOC_MODEL_SEED=N` runs only the programs of one seed, to repeat a
//! failure. `COUNTING_ALLOC_MODEL_STEPS=N` sets the steps of all programs together, for
//! tools under which they run slowly.
#![expect(
    unsafe_code,
    reason = "the programs make raw calls, and the allocator below implements GlobalAlloc"
)]

mod block;
mod counted;
mod ledger;
mod program;
mod random;
mod recorder;
mod shared;
mod watched;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use counting_alloc::{CountingAlloc, measure};
use libtest_mimic::{Failed, Trial};
use own_process::inner::{Around, around};
use own_process::number;

use program::Plan;
use recorder::Recorder;
use shared::{Order, ROUND};
use watched::Watched;

#[global_allocator]
static ALLOC: Around<CountingAlloc<Watched<Recorder>>> = around(CountingAlloc::new(Watched::new()));

/// The steps of all programs together, unless the environment sets another number.
const STEPS: u64 = 100_000;

/// The seeds that are always run, in addition to a new one.
const SEEDS: [u64; 7] = [1, 2, 3, 5, 8, 13, 21];

/// How the programs of one seed run, and their share of its steps.
const KINDS: [(&str, Order, usize, u64); 4] = [
    ("one_thread", Order::InTurns, 1, 4),
    ("two_threads_in_turns", Order::InTurns, 2, 1),
    ("four_threads_in_turns", Order::InTurns, 4, 2),
    ("four_threads_at_once", Order::AtOnce, 4, 5),
];

fn main() -> ExitCode {
    let steps = number("COUNTING_ALLOC_MODEL_STEPS").unwrap_or(STEPS);
    let seeds: Vec<(String, u64)> = match number("COUNTING_ALLOC_MODEL_SEED") {
        Some(seed) => vec![(format!("seed_{seed}"), seed)],
        None => SEEDS
            .iter()
            .map(|seed| (format!("seed_{seed}"), *seed))
            .chain([(String::from("a_fresh_seed"), fresh_seed())])
            .collect(),
    };
    // The number of programs per seed is the same with one seed as with all, rounded
    // up.
    let of_a_seed = steps.div_ceil(SEEDS.len() as u64 + 1);
    let shares: u64 = KINDS.iter().map(|kind| kind.3).sum();
    let mut trials = Vec::new();
    for (name, seed) in seeds {
        for (kind, order, threads, share) in KINDS {
            let each = (of_a_seed * share).div_ceil(shares * threads as u64);
            let plan = Plan {
                order,
                threads,
                steps: each.next_multiple_of(ROUND),
                seed,
            };
            let name = format!("counters_follow_the_model::{kind}::{name}");
            trials.push(Trial::test(name, move || follow(plan)));
        }
    }
    trials.push(Trial::test(
        "a_refused_request_is_recorded_as_such",
        a_refused_request_is_recorded_as_such,
    ));
    own_process::run(trials)
}

/// It is recorded before it is made, since it makes no new peak.
fn a_refused_request_is_recorded_as_such() -> Result<(), Failed> {
    let measured = measure(|| {
        drop(black_box(Vec::<u8>::with_capacity(100)));
        recorder::refuse_next();
        let refused = Vec::<u8>::new().try_reserve_exact(64);
        assert!(refused.is_err());
        drop(black_box(Vec::<u8>::with_capacity(32)));
    });
    let first = measured.first.expect("they are kept").to_string();
    if first != "alloc 100, dealloc 100, refused 64, alloc 32, dealloc 32" {
        return Err(Failed::from(first));
    }
    let tally = measured.tally;
    assert_eq!((tally.allocs, tally.bytes, tally.failed), (2, 132, 1));
    assert_eq!(measured.peak_bytes, Some(100));
    Ok(())
}

fn follow(plan: Plan) -> Result<(), Failed> {
    program::run(plan).map_err(|wrong| {
        Failed::from(format!(
            "{wrong}\nCOUNTING_ALLOC_MODEL_SEED={} runs it again{}",
            plan.seed,
            match plan.order {
                Order::InTurns => "",
                Order::AtOnce => "; its threads run at once, so what they pass on may differ",
            }
        ))
    })
}

/// A seed from the clock, which only has to differ from run to run.
fn fresh_seed() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos() as u64)
}
