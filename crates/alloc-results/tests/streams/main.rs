//! Streams: the reader reads what the writer writes, and refuses every kind of
//! incomplete stream with a sentence that says what to do.

mod sites;

use alloc_results::{
    CounterProof, Distribution, EnvironmentRecord, FailureRecord, Metric, Mode, PeakPass,
    ScenarioRecord, Stream, Tally, read_streams,
};

fn whole(planned: &[&str]) -> Stream {
    const SAMPLES: &str = "100 x allocs=2 bytes=44 deallocs=2 freed-bytes=44 peak=44 | elements=10 \
                           | time 400 410 | uncounted allocs=25 \
                           | custom encoded bytes 98 x 40; 2 x 44, first 48 \
                           | first-operations alloc 64, grow 64 -> 128 and 3 more";
    let lines: Vec<String> = planned
        .iter()
        .map(|name| format!("{name}: {SAMPLES}"))
        .collect();
    let text = format!(
        "bench codec/alloc_count commit=4f1c dirty unix-time=1790000000 opt-level=3\n{}",
        lines.join("\n")
    );
    let streams = sample_results::streams(&text).expect("it is well written");
    let [mut stream] = <[Stream; 1]>::try_from(streams).expect("there is one bench");
    for record in &mut stream.scenarios {
        record.group = Some("encode".into());
        record.mode = Some(Mode::Counting);
        record.peak_pass = Some(Box::new(PeakPass {
            mode: Mode::ProcessPeak,
            samples: Distribution::new([(44, 98), (60, 2)]).expect("it is not empty"),
        }));
        record.note = Some(Box::new("a \"quoted\" remark\nof two lines".into()));
    }
    stream
}

fn environment(planned: &[&str]) -> EnvironmentRecord {
    whole(planned).environment
}

fn scenario(name: &str) -> ScenarioRecord {
    whole(&[name]).scenarios.remove(0)
}

fn written(planned: &[&str]) -> String {
    sample_results::file(&whole(planned))
}

fn stream(environment: &EnvironmentRecord, scenarios: &[ScenarioRecord]) -> String {
    sample_results::file(&Stream {
        environment: environment.clone(),
        scenarios: scenarios.to_vec(),
        failures: Vec::new(),
    })
}

fn refused(text: &str) -> String {
    read_streams("r.jsonl", text)
        .expect_err("the stream is not whole")
        .to_string()
}

#[test]
fn a_written_stream_is_read_back_unchanged() {
    let mut whole = whole(&["a", "b"]);
    whole.environment.planned.push("c".into());
    whole.environment.registered = ["a", "b", "c", "d"].map(String::from).into();
    whole.failures.push(FailureRecord {
        name: "c".into(),
        location: whole.scenarios[0].location.clone(),
        message: "index out of bounds".into(),
        timed_out: true,
    });
    let text = sample_results::file(&whole);
    // Fields of later minor versions are skipped, and a file can have several streams.
    let later = text.replace("\"scope\"", "\"colour\":\"blue\",\"scope\"");
    let streams = read_streams("r.jsonl", &(text + "\n" + &later)).expect("both are whole");
    assert_eq!(streams, [whole.clone(), whole]);
}

#[test]
fn each_line_begins_with_schema_and_record_and_counts_are_integers() {
    let text = written(&["a"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with(r#"{"schema":1,"record":"environment","bench":{"#));
    assert!(lines[1].starts_with(r#"{"schema":1,"record":"scenario","name":"a""#));
    assert!(lines[1].contains(
        r#""samples":[{"reading":{"counts":{"allocs":2,"reallocs":0,"deallocs":2,"bytes":44,"freed-bytes":44},"peak-bytes":44},"times":100}]"#
    ));
    // Each value of a metric is written once.
    assert!(lines[1].contains(&format!(r#""metrics":[{ENCODED}]"#)));
    assert!(!text.contains("sites") && !text.contains("executable"));
    assert_eq!(
        lines[2],
        r#"{"schema":1,"record":"end","scenarios":1,"failed":0}"#
    );
}

const ENCODED: &str = r#"{"name":"encoded","unit":"bytes","first":48,"samples":[{"value":40,"times":98},{"value":44,"times":2}]}"#;

#[test]
fn fields_about_the_sources_may_be_absent() {
    let text = written(&["a"]);
    let sources =
        ",\"commit\":\"4f1c\",\"dirty\":true,\"unix-time\":1790000000,\"opt-level\":\"3\"";
    assert!(text.contains(sources), "{text}");
    let older = read_streams("older", &text.replace(sources, "")).expect("it is whole");
    assert_eq!(older[0].environment.commit, None);
    assert_eq!(older[0].environment.opt_level, None);
}

#[test]
fn a_truncated_stream_names_the_scenario_that_was_being_measured() {
    let text = written(&["a", "b"]);
    let lines: Vec<&str> = text.lines().collect();
    for (lines, sentence) in [
        (
            &lines[..2],
            "r.jsonl:2: the end record is missing; the bench exited while it measured `b`",
        ),
        (
            &lines[..3],
            "r.jsonl:3: the end record is missing; the bench exited after its last scenario, \
             before `Suite::finish` returned",
        ),
        (
            &[lines[0], lines[0]],
            "r.jsonl:2: the end record is missing; the bench exited while it measured `a`",
        ),
    ] {
        assert_eq!(refused(&lines.join("\n")), sentence);
    }
    assert!(refused(&text[..text.len() - 20]).starts_with("r.jsonl:4: not a result line"));
}

#[test]
fn lines_that_are_missing_twice_or_of_another_run_are_refused() {
    let text = written(&["a", "b"]);
    let lines: Vec<&str> = text.lines().collect();
    let other = lines[2].replace(r#""name":"b""#, r#""name":"z""#);
    for (lines, sentence) in [
        (
            &["", ""][..],
            "1: no records; run the bench again, and return the result of `Suite::finish` from \
             `main`",
        ),
        (
            &[lines[0], lines[1], lines[1], lines[3]],
            "3: two scenarios are called `a`; give each its own name or group",
        ),
        (
            &[lines[0], lines[1], &other, lines[3]],
            "3: the scenario `z` was not announced; two runs wrote to one file: measure again into \
             separate files",
        ),
        (
            &[lines[0], lines[1], lines[3]],
            "3: the end record counts 2 scenarios, 2 were announced and 1 are here; lines are \
             missing, measure again",
        ),
        (
            &[lines[1]],
            "1: the first record is not an environment record; the start of the file is missing: \
             measure again",
        ),
        (
            &["running 3 tests"],
            "1: not a result line of alloc-gate (expected value at line 1 column 1); give the \
             files that a bench wrote under ALLOC_GATE_BENCH_RESULTS",
        ),
    ] {
        assert_eq!(refused(&lines.join("\n")), format!("r.jsonl:{sentence}"));
    }
}

#[test]
fn changed_lines_are_refused() {
    const SAMPLES: &str = "2: the samples of `a` don't add up to its iterations, or are too large \
                           to have been counted; the file was damaged or edited: measure again";
    let mut environment = environment(&["a"]);
    environment.registered = vec!["a".into()];
    let text = stream(&environment, &[scenario("a")]);
    let first = r#""first":{"counts":{"allocs":2"#;
    for (from, to, sentence) in [
        (
            "\"schema\":1",
            "\"schema\":2",
            "1: the results have schema 2, and this program reads schema 1; update \
             cargo-alloc-gate to the version of the bench's alloc-scenario",
        ),
        (
            "\"schema\":1",
            "\"schema\":0",
            "1: the results have schema 0, and this program reads schema 1; measure again with the \
             current alloc-scenario",
        ),
        (
            "\"record\":\"scenario\"",
            "\"record\":\"plot\"",
            "2: unknown kind of record, `plot`; update cargo-alloc-gate to the version of the \
             bench's alloc-scenario",
        ),
        (
            "\"registered\":[\"a\"]",
            "\"registered\":[\"b\"]",
            "1: invalid record (`a` is not among the registered scenarios); the file was damaged \
             or edited: measure again",
        ),
        (
            "\"iterations\":100",
            "\"iterations\":-1",
            "2: invalid record (invalid value: integer `-1`, expected u64",
        ),
        ("\"times\":100", "\"times\":99", SAMPLES),
        // In the pass for the peak, and in a metric of the scenario's own.
        (
            "{\"value\":60,\"times\":2}",
            "{\"value\":60,\"times\":3}",
            SAMPLES,
        ),
        (
            "{\"value\":60,\"times\":2}",
            "{\"value\":-1,\"times\":2}",
            SAMPLES,
        ),
        (
            "{\"value\":40,\"times\":98}",
            "{\"value\":40,\"times\":99}",
            SAMPLES,
        ),
        ("\"bytes\":44", "\"bytes\":18446744073709551615", SAMPLES),
        (first, &first.replace('2', "18446744073709551615"), SAMPLES),
        (
            ENCODED,
            &format!("{ENCODED},{ENCODED}"),
            "2: invalid record (the metric `encoded` is defined twice)",
        ),
        (
            "\"encoded\"",
            "\"Encoded\"",
            "2: invalid record (`Encoded` is not a valid metric name; use at most 64 lower-case \
             letters, digits and hyphens, and start with a letter)",
        ),
        (
            "\"encoded\"",
            "\"bytes\"",
            "2: invalid record (the metric name `bytes` is reserved: it has another meaning in \
             gates.toml)",
        ),
        (
            "\"unit\":\"bytes\"",
            "\"unit\":\"miles\"",
            "2: invalid record (unknown variant `miles`",
        ),
        (
            "\"first\":48,",
            "",
            "2: invalid record (missing field `first`",
        ),
        (
            "\"value\":44,",
            "\"value\":9223372036854775808,",
            "2: invalid record (invalid value",
        ),
        (
            "{\"value\":40,\"times\":98}",
            "{\"value\":40,\"times\":18446744073709551615}",
            "2: invalid record (no iterations, or too many",
        ),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        let said = refused(&changed);
        assert!(said.starts_with(&format!("r.jsonl:{sentence}")), "{said}");
    }
}

#[test]
fn a_scenario_without_samples_is_refused() {
    let empty = ScenarioRecord {
        iterations: 0,
        samples: Vec::new(),
        peak_pass: None,
        metrics: Vec::new(),
        ..scenario("a")
    };
    let said = refused(&stream(&environment(&["a"]), &[empty]));
    assert!(said.contains("2: the samples of `a` don't"), "{said}");
}

#[test]
fn a_counter_that_read_zero_is_refused() {
    let proof = |change: fn(&mut CounterProof)| {
        let mut environment = environment(&["a"]);
        change(&mut environment.proof);
        refused(&stream(&environment, &[]))
    };
    assert_eq!(
        proof(|proof| proof.this_thread = Tally::default()),
        "r.jsonl:1: the counter is not active: known allocations read as zero on the thread that \
         measures"
    );
    let spawned = proof(|proof| proof.spawned_thread = None);
    assert!(spawned.contains("zero on a spawned thread"), "{spawned}");
    let idle = proof(|proof| proof.idle.allocs = 1);
    let begin = "r.jsonl:1: the counter is not active: while nothing was done it counted 1 allocs (0 bytes), ";
    assert!(idle.starts_with(begin), "{idle}");
    // A proof without operations proves nothing.
    let nothing = proof(|proof| {
        [proof.expected, proof.this_thread] = [Tally::ZERO; 2];
        proof.spawned_thread = Some(Tally::ZERO);
    });
    assert!(nothing.contains("the counter is not active"), "{nothing}");
}

#[test]
fn values_are_of_the_passes_that_measured_them() {
    let peaks = |record: &ScenarioRecord| {
        let peaks = record
            .distribution(Metric::PeakBytes)
            .expect("it was measured");
        (peaks.min(), peaks.max())
    };
    let mut record = scenario("a");
    assert_eq!(peaks(&record), (44, 60));
    record.peak_pass = None;
    assert_eq!(peaks(&record), (44, 44));
    let encoded = record.custom_metric("encoded").expect("it was measured");
    // 98 * 40 + 2 * 44.
    assert_eq!(encoded.samples.total(), 4_008);
    assert_eq!(record.custom_metric("rows"), None);
    // The counts are the same in all iterations, but the length differs.
    assert!(!record.is_deterministic());
    record.metrics.clear();
    assert!(record.is_deterministic());
}
