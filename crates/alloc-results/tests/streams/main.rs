//! Streams: the reader reads what the writer writes, and refuses every kind of
//! incomplete stream with a sentence that says what to do.

mod custom;
mod samples;
mod sites;

use alloc_results::{
    AxisValue, BenchId, CounterProof, EnvironmentRecord, FailureRecord, Location, Metric, Mode,
    OutputDrop, Outside, PeakPass, PeakSample, Ratio, Reading, Sample, ScenarioRecord, Scope,
    Tally, Time, Work, Writer, read_streams,
};

fn environment(planned: &[&str]) -> EnvironmentRecord {
    let expected = Tally {
        allocs: 2,
        bytes: 96,
        ..Tally::default()
    };
    EnvironmentRecord {
        bench: BenchId {
            package: "codec".into(),
            target: "alloc_count".into(),
        },
        rustc: "rustc 1.95.0".into(),
        target: "x86_64-unknown-linux-gnu".into(),
        profile: "bench".into(),
        features: vec![],
        allocator: "std::alloc::System".into(),
        debug_assertions: false,
        harness: "alloc-scenario 0.1.0".into(),
        proof: CounterProof {
            expected,
            this_thread: expected,
            spawned_thread: Some(expected),
            idle: Tally::default(),
        },
        planned: planned.iter().map(|&name| name.into()).collect(),
        cores: None,
        commit: Some("4f1c".into()),
        dirty: Some(true),
        unix_time: Some(1_790_000_000),
        opt_level: Some("3".into()),
        runner: None,
        quick: false,
        unavailable: Vec::new(),
        registered: Vec::new(),
        anchor: None,
    }
}

fn location() -> Location {
    Location {
        file: "benches/alloc_count.rs".into(),
        line: 7,
    }
}

fn scenario(name: &str) -> ScenarioRecord {
    let reading = Reading {
        counts: Tally {
            allocs: 2,
            bytes: 44,
            deallocs: 2,
            freed_bytes: 44,
            ..Tally::default()
        },
        peak_bytes: Some(44),
    };
    ScenarioRecord {
        name: name.into(),
        group: Some("encode".into()),
        axes: vec![AxisValue {
            axis: "rows".into(),
            value: "10".into(),
        }],
        location: location(),
        scope: Scope::Thread,
        threads: 1,
        output_drop: OutputDrop::Inside,
        warmup: 10,
        iterations: 100,
        work: Work {
            elements: Some(10),
            bytes: None,
        },
        first: reading.clone(),
        samples: vec![Sample {
            reading,
            times: 100,
        }],
        first_operations: Some(Box::new("alloc 64, grow 64 -> 128 and 3 more".into())),
        mode: Some(Mode::Counting),
        peak_pass: Some(Box::new(PeakPass {
            mode: Mode::ProcessPeak,
            samples: vec![
                PeakSample {
                    peak_bytes: 44,
                    times: 98,
                },
                PeakSample {
                    peak_bytes: 60,
                    times: 2,
                },
            ],
        })),
        foreign: Tally::default(),
        outside: Box::new(Outside {
            uncounted: Tally {
                allocs: 25,
                ..Tally::default()
            },
            ..Outside::default()
        }),
        time: Some(Time {
            batch: 10,
            nanoseconds: vec![400, 410],
            first: 600,
        }),
        fresh: false,
        sites: None,
        sites_unavailable: None,
        metrics: custom::figures(),
        note: Some(Box::new("a \"quoted\" remark\nof two lines".into())),
    }
}

/// A stream with a record of each planned scenario.
fn written(planned: &[&str]) -> String {
    let scenarios: Vec<_> = planned.iter().map(|name| scenario(name)).collect();
    stream(&environment(planned), &scenarios, &[])
}

fn stream(
    environment: &EnvironmentRecord,
    scenarios: &[ScenarioRecord],
    failures: &[FailureRecord],
) -> String {
    let mut writer = Writer::new(Vec::new(), environment).expect("memory takes it");
    for scenario in scenarios {
        writer.scenario(scenario).expect("memory takes it");
    }
    for failure in failures {
        writer.failure(failure).expect("memory takes it");
    }
    String::from_utf8(writer.end().expect("memory takes it")).expect("JSON is UTF-8")
}

fn refused(text: &str) -> String {
    read_streams("r.jsonl", text)
        .expect_err("the stream is not whole")
        .to_string()
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

#[test]
fn a_written_stream_is_read_back_unchanged() {
    let failure = FailureRecord {
        name: "c".into(),
        location: location(),
        message: "index out of bounds".into(),
        timed_out: true,
    };
    let mut environment = environment(&["a", "b", "c"]);
    environment.registered = ["a", "b", "c", "d"].map(String::from).into();
    let scenarios = [scenario("a"), scenario("b")];
    let text = stream(&environment, &scenarios, std::slice::from_ref(&failure));
    assert!(text.contains("\"timed-out\":true"), "{text}");
    let [stream] = read_streams("r.jsonl", &text).unwrap().try_into().unwrap();
    assert_eq!(stream.environment, environment);
    assert_eq!(stream.scenarios, scenarios);
    assert_eq!(stream.failures, [failure]);
    let said = refused(&text.replace(r#"["a","b","c","d"]"#, r#"["a","b"]"#));
    assert!(
        said.contains("(`c` is not among the registered scenarios)"),
        "{said}"
    );
}

#[test]
fn each_line_begins_with_schema_and_record_and_counts_are_integers() {
    let text = written(&["a"]);
    let lines = lines(&text);
    assert!(lines[0].starts_with(r#"{"schema":1,"record":"environment","bench":{"#));
    assert!(lines[1].starts_with(r#"{"schema":1,"record":"scenario","name":"a""#));
    assert!(lines[1].contains(
        r#""samples":[{"reading":{"counts":{"allocs":2,"reallocs":0,"deallocs":2,"bytes":44,"freed-bytes":44},"peak-bytes":44},"times":100}]"#
    ));
    assert_eq!(
        lines[2],
        r#"{"schema":1,"record":"end","scenarios":1,"failed":0}"#
    );
}

#[test]
fn files_of_several_streams_and_fields_of_later_minor_versions_are_read() {
    let text = written(&["a"]).replace("\"scope\"", "\"colour\":\"blue\",\"scope\"")
        + "\n"
        + &written(&["b"]);
    let streams = read_streams("r.jsonl", &text).unwrap();
    assert_eq!(streams.len(), 2);
    assert_eq!(streams[1].scenarios, [scenario("b")]);
}

#[test]
fn fields_about_the_sources_may_be_absent() {
    let text = written(&["a"]);
    let sources =
        ",\"commit\":\"4f1c\",\"dirty\":true,\"unix-time\":1790000000,\"opt-level\":\"3\"";
    assert!(text.contains(sources), "{text}");
    let older = read_streams("older", &text.replace(sources, "")).expect("it is whole");
    let environment = &older[0].environment;
    assert_eq!((&environment.commit, environment.dirty), (&None, None));
    assert_eq!(
        (environment.unix_time, &environment.opt_level),
        (None, &None)
    );
}

#[test]
fn a_truncated_stream_names_the_scenario_that_was_being_measured() {
    let text = written(&["a", "b"]);
    let lines = lines(&text);
    assert_eq!(
        refused(&lines[..2].join("\n")),
        "r.jsonl:2: the end record is missing; the bench exited while it measured `b`"
    );
    assert_eq!(
        refused(&lines[..3].join("\n")),
        "r.jsonl:3: the end record is missing; the bench exited after its last scenario, before \
         `Suite::finish` returned"
    );
    assert_eq!(
        refused(&[lines[0], lines[0]].join("\n")),
        "r.jsonl:2: the end record is missing; the bench exited while it measured `a`"
    );
    assert!(refused(&text[..text.len() - 20]).starts_with("r.jsonl:4: not a result line"));
}

#[test]
fn a_text_without_records_is_refused() {
    for text in ["", "\n\n"] {
        assert_eq!(
            refused(text),
            "r.jsonl:1: no records; run the bench again, and return the result of `Suite::finish` \
             from `main`"
        );
    }
}

#[test]
fn duplicate_unplanned_and_missing_scenarios_are_refused() {
    let text = written(&["a", "b"]);
    let lines = lines(&text);
    assert_eq!(
        refused(&[lines[0], lines[1], lines[1], lines[3]].join("\n")),
        "r.jsonl:3: two scenarios are called `a`; give each its own name or group"
    );
    assert_eq!(
        refused(&text.replace(r#""scenario","name":"b""#, r#""scenario","name":"z""#)),
        "r.jsonl:3: the scenario `z` was not announced; two runs wrote to one file: measure again into separate files"
    );
    assert_eq!(
        refused(&[lines[0], lines[1], lines[3]].join("\n")),
        "r.jsonl:3: the end record counts 2 scenarios, 2 were announced and 1 are here; lines are \
         missing, measure again"
    );
    assert_eq!(
        refused(lines[1]),
        "r.jsonl:1: the first record is not an environment record; the start of the file is \
         missing: measure again"
    );
}

#[test]
fn other_programs_lines_and_other_versions_are_refused() {
    assert_eq!(
        refused("running 3 tests\n"),
        "r.jsonl:1: not a result line of alloc-gate (expected value at line 1 column 1); give the \
         files that a bench wrote under ALLOC_GATE_BENCH_RESULTS"
    );
    let text = written(&["a"]);
    assert_eq!(
        refused(&text.replace("\"schema\":1", "\"schema\":2")),
        "r.jsonl:1: the results have schema 2, and this program reads schema 1; update cargo-alloc-gate \
         to the version of the bench's alloc-scenario"
    );
    assert_eq!(
        refused(&text.replace("\"schema\":1", "\"schema\":0")),
        "r.jsonl:1: the results have schema 0, and this program reads schema 1; measure again with the \
         current alloc-scenario"
    );
    assert_eq!(
        refused(&text.replace("\"record\":\"scenario\"", "\"record\":\"plot\"")),
        "r.jsonl:2: unknown kind of record, `plot`; update cargo-alloc-gate to the version of \
         the bench's alloc-scenario"
    );
    assert!(
        refused(&text.replace("\"iterations\":100", "\"iterations\":-1"))
            .starts_with("r.jsonl:2: invalid record (invalid value: integer `-1`, expected u64")
    );
}

#[test]
fn a_counter_that_read_zero_is_refused() {
    let mut dead = environment(&["a"]);
    dead.proof.this_thread = Tally::default();
    assert_eq!(
        refused(&stream(&dead, &[], &[])),
        "r.jsonl:1: the counter is not active: known allocations read as zero on the thread that \
         measures. Add to the bench:\n    \
         #[global_allocator]\n    \
         static ALLOC: alloc_scenario::CountingAlloc = alloc_scenario::CountingAlloc::system();\n\
         If a crate of the program has a `#[global_allocator]`, put the counter around that one \
         instead: `CountingAlloc::new(...)`"
    );

    let mut deaf = environment(&["a"]);
    deaf.proof.idle.allocs = 1;
    assert!(refused(&stream(&deaf, &[], &[])).starts_with(
        "r.jsonl:1: the counter is not active: while nothing was done it counted 1 allocs (0 bytes), "
    ));
}

#[test]
fn the_peak_is_taken_from_its_own_pass() {
    let peak = scenario("a")
        .distribution(Metric::PeakBytes)
        .expect("it was measured");
    assert_eq!((peak.min(), peak.max()), (44, 60));
    let of_readings = ScenarioRecord {
        peak_pass: None,
        ..scenario("a")
    };
    let peak = of_readings
        .distribution(Metric::PeakBytes)
        .expect("it was measured");
    assert_eq!((peak.min(), peak.max()), (44, 44));
}

#[test]
fn a_mean_time_is_exact() {
    let record = scenario("a");
    // 400 and 410 ns for ten iterations each.
    assert_eq!(record.time_mean(), Ratio::new(81, 2));
    let untimed = ScenarioRecord {
        time: None,
        ..record
    };
    assert_eq!(untimed.time_mean(), None);
}
