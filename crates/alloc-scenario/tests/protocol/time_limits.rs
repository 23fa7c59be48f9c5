//! Time limits, and quick runs.

use std::thread;
use std::time::{Duration, Instant};

use alloc_results::Stream;
use alloc_scenario::{Scope, Suite};

use crate::start::{failures, find, recorded, run_kind};

const CALL: Duration = Duration::from_millis(20);

/// Scenarios of 1,010 calls of at least 20 ms: 20 seconds each.
pub(crate) fn add_slow(suite: &mut Suite<'_>) {
    suite.iterations(1_000);
    suite.scenario("slow", || thread::sleep(CALL));
    suite.scenario_with("slow input", |b| {
        b.input(|()| thread::sleep(CALL)).run(|()| ())
    });
    suite.scenario_with("slow process", |b| {
        b.scope(Scope::Process).run(|()| thread::sleep(CALL))
    });
    suite.scenario_with("slow threads", |b| {
        b.run_on_threads(|()| 2, |()| thread::sleep(CALL))
    });
    suite.scenario_with("slow child", |b| {
        b.fresh_process().run(|()| thread::sleep(CALL))
    });
    suite.scenario_with("slow by its own limit", |b| {
        b.timeout(Duration::from_secs(2))
            .run(|()| thread::sleep(CALL))
    });
    // Only its first call is slow.
    let mut calls = 0;
    suite.scenario_with("slow once", |b| {
        b.timeout(Duration::from_secs(10)).run(move |()| {
            if calls == 0 {
                thread::sleep(CALL);
            }
            calls += 1;
        })
    });
}

pub(crate) fn add_long(suite: &mut Suite<'_>) {
    suite.scenario_with("long", |b| b.warm_up(1_000).iterations(10_000).run(|()| ()));
    suite.scenario_with("short", |b| b.warm_up(2).iterations(20).run(|()| ()));
    suite.scenario_with("long child", |b| {
        b.iterations(500).fresh_process().run(|()| ())
    });
}

/// Measures the slow scenarios with these variables, which takes less time than their
/// iterations would.
fn slow(names: &[&str], variables: &[(&str, &str)]) -> Stream {
    let begin = Instant::now();
    let arguments = [&["--bench", "--exact"], names].concat();
    let (_, stream) = recorded("slow", &arguments, variables);
    assert!(
        begin.elapsed() < Duration::from_secs(18),
        "it was not stopped"
    );
    stream
}

pub(crate) fn a_plan_that_does_not_fit_the_bench_fails_after_the_first_calls() {
    let names = [
        "slow",
        "slow input",
        "slow process",
        "slow threads",
        "slow child",
    ];
    let stream = slow(
        &[&names[..], &["slow once"]].concat(),
        &[("ALLOC_GATE_TIMEOUT", "8000")],
    );
    let failures = failures(&stream);
    assert_eq!(
        failures.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        names
    );
    let mut records = stream.failures.iter();
    assert!(records.all(|failure| failure.timed_out), "{stream:?}");
    for (name, message) in failures {
        let calls = if name == "slow process" {
            "2,003 more"
        } else {
            "1,003 more"
        };
        let begin = format!("does not fit the time limit of the bench: {calls} calls of ");
        assert!(message.starts_with(&begin), "{name}: {message}");
    }
    assert_eq!(find(&stream, "slow once").iterations, 1_000);
}

pub(crate) fn a_scenario_has_a_time_limit_of_its_own() {
    let names = ["slow", "slow by its own limit", "slow once"];
    let stream = slow(&names, &[("ALLOC_GATE_SCENARIO_TIMEOUT", "1000")]);
    let [(slow, default), (own, message)] = failures(&stream)[..] else {
        panic!("two scenarios do not fit");
    };
    assert_eq!((slow, own), (names[0], names[1]));
    let end = ", or raise `scenario-timeout` under `[run]` in gates.toml";
    assert!(
        default.contains(" of 1.0s are left. ") && default.ends_with(end),
        "{default}"
    );
    let end = ", or raise its `.timeout(...)`";
    assert!(
        message.contains(" of 2.0s are left. ") && message.ends_with(end),
        "{message}"
    );
    assert_eq!(find(&stream, "slow once").iterations, 1_000);
}

pub(crate) fn a_quick_run_has_fewer_iterations_and_says_so() {
    let names = ["long", "short", "long child"];
    let numbers = |arguments: &[&str], variables: &[(&str, &str)]| {
        let arguments = [arguments, &names].concat();
        let (_, stream) = recorded("long", &arguments, variables);
        let numbers = names.map(|name| {
            let scenario = find(&stream, name);
            (scenario.warmup, scenario.iterations)
        });
        (stream.environment.quick, numbers)
    };
    let whole = (false, [(1_000, 10_000), (2, 20), (10, 500)]);
    let quick = (true, [(10, 100), (2, 20), (10, 100)]);
    let plain = ["--bench", "--exact"];
    assert_eq!(numbers(&plain, &[]), whole);
    assert_eq!(numbers(&["--bench", "--quick", "--exact"], &[]), quick);
    let set = [("ALLOC_GATE_QUICK", "1"), ("ALLOC_GATE_ITERATIONS", "5000")];
    assert_eq!(numbers(&["--exact", "--bench"], &set), quick);
    for off in ["", "0", "False", "no"] {
        assert_eq!(numbers(&plain, &[("ALLOC_GATE_QUICK", off)]), whole);
    }
}

pub(crate) fn a_limit_that_is_no_number_is_refused() {
    for variable in ["ALLOC_GATE_TIMEOUT", "ALLOC_GATE_SCENARIO_TIMEOUT"] {
        let wrong = run_kind("plain", &["--bench"], &[(variable, "1m")]);
        assert_eq!(wrong.code, Some(101));
        assert_eq!(
            wrong.stderr,
            format!(
                "error: {variable} is 1m, which is not a number of milliseconds; set it to a whole \
                 number\n"
            )
        );
    }
}
