//! What the engine allocates for its own work: reading rules and results, and
//! judging. `gates.toml` of the workspace holds the limits.

use std::fmt::Write;
use std::process::ExitCode;

use alloc_gate::{CfgSets, Config, Date, Inputs, Measurements, Outcome, Selection, evaluate};
use alloc_results::{
    BenchId, CounterProof, Counts, CustomFigures, EnvironmentRecord, Location, Mode, OutputDrop,
    Reading, Sample, ScenarioRecord, Scope, Work, Writer, read_streams,
};
use alloc_scenario::{CountingAlloc, Suite};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// Each iteration is milliseconds of work, and all are the same: `gates.toml` asks
/// for more of them than this bench has time for.
const WARMUP: u64 = 2;
const ITERATIONS: u64 = 20;

/// No rule of these asks for it.
const TODAY: Date = Date::new(2026, 1, 31).expect("there is such a day");

fn main() -> ExitCode {
    let mut suite = Suite::from_args();
    suite.scenario_with("Config::parse", |b| {
        b.axis("gates", [10_usize, 25, 50, 100])
            .elements(|&gates| gates)
            .warmup(WARMUP)
            .iterations(ITERATIONS)
            .setup(|&gates| rules(gates))
            .run(|text| Config::parse("gates.toml", text))
            .verify(|config| assert!(config.is_ok()))
    });
    suite.scenario_with("evaluate", |b| {
        b.axis("scenarios", [100_usize, 250, 500, 1_000])
            .elements(|&scenarios| scenarios)
            .warmup(WARMUP)
            .iterations(ITERATIONS)
            .setup(|&scenarios| {
                let config = Config::parse("gates.toml", &rules(10)).expect("the rules are valid");
                let streams = read_streams("results", &results(scenarios)).expect("they are whole");
                let measurements = Measurements::new(streams).expect("every name is its own");
                (config, measurements)
            })
            .run(|(config, measurements)| {
                evaluate(&Inputs {
                    config,
                    measurements,
                    baseline: None,
                    documents: &[],
                    unchecked: &[],
                    selection: Selection::Whole,
                    cfgs: &CfgSets::default(),
                    today: TODAY,
                })
            })
            .verify(|evaluation| assert_eq!(evaluation.outcome(), Outcome::Held))
    });
    suite.scenario_with("read_streams", |b| {
        b.axis("lines", [10_000_usize])
            .elements(|&lines| lines)
            .warmup(WARMUP)
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
    let names: Vec<String> = (0..scenarios).map(|n| format!("scenario {n}")).collect();
    let mut writer = Writer::new(Vec::new(), &environment(&names)).expect("memory takes it");
    for name in &names {
        writer.scenario(&record(name)).expect("memory takes it");
    }
    String::from_utf8(writer.end().expect("memory takes it")).expect("JSON is UTF-8")
}

fn environment(names: &[String]) -> EnvironmentRecord {
    let expected = Counts {
        allocs: 1,
        alloc_bytes: 8,
        ..Counts::default()
    };
    EnvironmentRecord {
        bench: BenchId {
            package: "sample".into(),
            target: "bench".into(),
        },
        rustc: "rustc 1.88.0".into(),
        target: "x86_64-unknown-linux-gnu".into(),
        profile: "bench".into(),
        features: Vec::new(),
        allocator: "std::alloc::System".into(),
        debug_assertions: false,
        harness: "alloc-scenario".into(),
        proof: CounterProof {
            expected,
            this_thread: expected,
            spawned_thread: Some(expected),
            idle: Counts::default(),
        },
        filtered: false,
        planned: names.to_vec(),
        cores: None,
        commit: None,
        dirty: None,
        unix_time: None,
        opt_level: None,
        quick: false,
        unavailable: Vec::new(),
    }
}

fn record(name: &str) -> ScenarioRecord {
    let reading = Reading {
        counts: Counts {
            allocs: 2,
            alloc_bytes: 44,
            deallocs: 2,
            dealloc_bytes: 44,
            ..Counts::default()
        },
        peak_bytes: Some(44),
        native: None,
    };
    ScenarioRecord {
        name: name.to_owned(),
        group: None,
        axes: Vec::new(),
        location: Location {
            file: "benches/bench.rs".into(),
            line: 7,
        },
        scope: Scope::Thread,
        threads: 1,
        output_drop: OutputDrop::Inside,
        warmup: 1_000,
        iterations: 10_000,
        work: Work::default(),
        first: reading.clone(),
        samples: vec![Sample {
            reading,
            times: 10_000,
        }],
        mode: Some(Mode::ThreadPeak),
        peak_pass: None,
        foreign: Counts::default(),
        outside: None,
        time: None,
        outcome: None,
        fresh: false,
        custom: CustomFigures::default(),
        note: None,
    }
}
