//! What the engine allocates for its own work: reading rules and results, and
//! judging. `gates.toml` of the workspace holds the limits.

use std::fmt::Write;
use std::process::ExitCode;

use alloc_gate::{CfgSets, Config, Inputs, Measurements, Outcome, evaluate};
use alloc_results::{Mode, read_streams};
use alloc_scenario::{CountingAlloc, Suite};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// Each iteration is milliseconds of work, and all are the same: `gates.toml` asks
/// for more of them than this bench has time for.
const WARMUP: u64 = 2;
const ITERATIONS: u64 = 20;

/// No rule of these asks for it.
fn main() -> ExitCode {
    let mut suite = Suite::from_args();
    suite.scenario_with("Config::parse", |b| {
        b.axis("gates", [10_usize, 25, 50, 100])
            .elements(|&gates| gates)
            .warm_up(WARMUP)
            .iterations(ITERATIONS)
            .setup(|&gates| rules(gates))
            .run(|text| Config::parse("gates.toml", text))
            .verify(|config| assert!(config.is_ok()))
    });
    suite.scenario_with("evaluate", |b| {
        b.axis("scenarios", [100_usize, 250, 500, 1_000])
            .elements(|&scenarios| scenarios)
            .warm_up(WARMUP)
            .iterations(ITERATIONS)
            .setup(|&scenarios| {
                let config = Config::parse("gates.toml", &rules(10)).expect("the rules are valid");
                let streams = read_streams("results", &results(scenarios)).expect("they are whole");
                let measurements = Measurements::new(streams).expect("every name is its own");
                (config, measurements)
            })
            .run(|(config, measurements)| {
                let no_cfgs = CfgSets::default();
                evaluate(&Inputs::new(config, measurements, &no_cfgs))
            })
            .verify(|evaluation| assert_eq!(evaluation.outcome(), Outcome::Held))
    });
    suite.scenario_with("read_streams", |b| {
        b.axis("lines", [10_000_usize])
            .elements(|&lines| lines)
            .warm_up(WARMUP)
            .iterations(ITERATIONS)
            .setup(|&lines| results(lines))
            .run(|text| read_streams("results", text))
            .verify(|streams| assert!(streams.is_ok()))
    });
    suite.finish()
}

/// gates.toml with this many gates, which split the scenarios of [`results`]
/// among them.
fn rules(gates: usize) -> String {
    let mut text = String::from("version = 1\n");
    for gate in 0..gates {
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "\n[[gate]]\n\
             name = \"gate {gate}\"\n\
             scenarios = [\"scenario *{}\"]\n\
             allocs = \"< 5\"\n\
             bytes = {{ max = \"<= 4_096\", first = \"<= 8_192\" }}\n\
             reason = \"as promised\"\n",
            gate % 10
        );
    }
    text
}

/// A stream of this many scenarios, called `scenario 0` and so on.
fn results(scenarios: usize) -> String {
    let mut text = String::from("bench sample/bench rustc=rustc_1.88.0 harness=alloc-scenario\n");
    for n in 0..scenarios {
        let _ = writeln!(
            text,
            "scenario {n}: 10000 x allocs=2 bytes=44 deallocs=2 freed-bytes=44 peak=44 \
             | at benches/bench.rs:7"
        );
    }
    let mut streams = sample_results::streams(&text).expect("the results are well written");
    let scenarios = streams[0].scenarios.iter_mut();
    scenarios.for_each(|record| record.mode = Some(Mode::ThreadPeak));
    sample_results::file(&streams[0])
}
