//! Results in a compact text form, for tests: a scenario per line.
//!
//! ```text
//! bench codec/alloc_count profile=dev features=a,b
//! encode (Int32): 10000 x allocs=2 bytes=44
//! decode: 9999 x allocs=0; 1 x allocs=1 | first allocs=3 | scope=process
//! "a\nb": 1 x allocs=1
//! broken: panicked index out of bounds
//! slow: timed out does not fit the time limit of the bench
//! pair/subject=tbb: unavailable libtbbmalloc.so.2 is not installed
//! ```
//!
//! A `bench` line begins the results of a bench target. Results above the first one belong
//! to `sample/bench`. The line may set `target`, `profile`, `features`, `allocator`,
//! `rustc`, `harness`, `opt-level`, `commit`, `registered` and `unix-time` with `=`, and `debug-assertions`, `dirty`, `clean`, `quick` and
//! `filtered`. Values
//! have no spaces; in `rustc` and `harness`, `_` stands for a space.
//!
//! A scenario has a name, which in quotes is a JSON string, and samples joined by `;`. A
//! sample is a number of iterations and the fields that are not 0: `allocs`, `reallocs`,
//! `deallocs`, `bytes` and `freed-bytes`. Without `peak`, no peak was measured.
//!
//! Parts behind `|`:
//!
//! | part | meaning |
//! |---|---|
//! | `first allocs=3` | the first call; by default it is like the first sample |
//! | `foreign allocs=10` | what other threads did in all iterations together |
//! | `foreign-first allocs=1`, `uncounted allocs=10`, `uncounted-first allocs=1`, `still-running=1`, `still-running-first=1` | what else the counts leave out; without all of these, it was not measured |
//! | `scope=process`, `threads=`, `warmup=`, `elements=` | as in the record |
//! | `time 690 710` | nanoseconds of batches of one iteration |
//! | `custom rows count 98 x 1; 2 x -7, first 9` | a metric of the scenario in `count`, `bytes` or `nanoseconds` |
//! | `at FILE:LINE` | the location; by default the line of this text in `benches/TARGET.rs` |
//!
//! The axes of a scenario are the pairs behind the last `/` of its name, as in
//! `decode/rows=10,impl=old`.

#![forbid(unsafe_code)]

mod generator;

use alloc_results::{
    AxisValue, BenchId, CounterProof, CustomMetric, Distribution, EnvironmentRecord, FailureRecord,
    Location, OutputDrop, Outside, Reading, Sample, ScenarioRecord, Scope, Stream, Tally, Time,
    UnavailableScenario, Work, Writer,
};

pub use generator::{Generator, rounds};

/// The streams that the `text` describes, one per bench.
///
/// # Errors
///
/// The first line that is not written so.
pub fn streams(text: &str) -> Result<Vec<Stream>, String> {
    let mut streams: Vec<Stream> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let number = index + 1;
        let result = match line.strip_prefix("bench ") {
            Some(bench) => stream(bench).map(|stream| streams.push(stream)),
            None => {
                if streams.is_empty() {
                    streams.push(stream("sample/bench")?);
                }
                let last = streams.len() - 1;
                scenario(line, number, &mut streams[last])
            }
        };
        result.map_err(|problem| format!("results, line {number}: {problem}"))?;
    }
    Ok(streams)
}

/// The file of results that the bench of this stream would have written.
///
/// # Panics
///
/// Never: writing to memory doesn't fail.
#[must_use]
pub fn file(stream: &Stream) -> String {
    let write = || {
        let mut writer = Writer::new(Vec::new(), &stream.environment)?;
        for scenario in &stream.scenarios {
            writer.scenario(scenario)?;
        }
        for failure in &stream.failures {
            writer.failure(failure)?;
        }
        writer.end()
    };
    let bytes = write().expect("memory takes it");
    String::from_utf8(bytes).expect("results are JSON")
}

fn stream(text: &str) -> Result<Stream, String> {
    let mut words = text.split_whitespace();
    let bench = words.next().and_then(|word| word.split_once('/'));
    let (package, target) = bench.ok_or("a bench is written `package/target`")?;
    let counted = Tally {
        allocs: 1,
        bytes: 8,
        ..Tally::default()
    };
    let mut environment = EnvironmentRecord {
        bench: BenchId {
            package: package.into(),
            target: target.into(),
        },
        rustc: "rustc 1.90.0".into(),
        target: "x86_64-unknown-linux-gnu".into(),
        profile: "bench".into(),
        features: Vec::new(),
        allocator: "std::alloc::System".into(),
        debug_assertions: false,
        harness: "alloc-scenario 0.1.0".into(),
        proof: CounterProof {
            expected: counted,
            this_thread: counted,
            spawned_thread: Some(counted),
            idle: Tally::default(),
        },
        planned: Vec::new(),
        cores: None,
        commit: None,
        dirty: None,
        unix_time: None,
        opt_level: None,
        runner: None,
        quick: false,
        unavailable: Vec::new(),
        registered: Vec::new(),
        anchor: None,
    };
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match key {
            "target" => environment.target = value.into(),
            "profile" => environment.profile = value.into(),
            "features" => environment.features = value.split(',').map(str::to_owned).collect(),
            "allocator" => environment.allocator = value.into(),
            "rustc" => environment.rustc = value.replace('_', " "),
            "harness" => environment.harness = value.replace('_', " "),
            "opt-level" => environment.opt_level = Some(value.into()),
            "commit" => environment.commit = Some(value.into()),
            "dirty" => environment.dirty = Some(true),
            "clean" => environment.dirty = Some(false),
            "unix-time" => environment.unix_time = Some(integer(value)?),
            "quick" => environment.quick = true,
            "debug-assertions" => environment.debug_assertions = true,
            "filtered" => environment.registered = vec![String::from("another")],
            "registered" => environment.registered = value.split(',').map(str::to_owned).collect(),
            _ => return Err(format!("a bench has no `{key}`")),
        }
    }
    Ok(Stream {
        environment,
        scenarios: Vec::new(),
        failures: Vec::new(),
    })
}

fn scenario(line: &str, number: usize, stream: &mut Stream) -> Result<(), String> {
    let (name, rest) = name(line)?;
    let mut location = Location {
        file: format!("benches/{}.rs", stream.environment.bench.target),
        line: u32::try_from(number).map_err(|error| error.to_string())?,
    };
    if let Some(reason) = rest.strip_prefix("unavailable ") {
        stream.environment.unavailable.push(UnavailableScenario {
            axes: axes(&name),
            name,
            location,
            reason: reason.into(),
        });
        return Ok(());
    }
    stream.environment.planned.push(name.clone());
    let failure = [("panicked ", false), ("timed out ", true)]
        .into_iter()
        .find_map(|(word, timed_out)| Some((rest.strip_prefix(word)?, timed_out)));
    if let Some((message, timed_out)) = failure {
        stream.failures.push(FailureRecord {
            name,
            location,
            message: message.into(),
            timed_out,
        });
        return Ok(());
    }
    let mut parts = rest.split('|').map(str::trim);
    let samples = parts.next().unwrap_or_default().split(';').map(sample);
    let samples: Vec<Sample> = samples.collect::<Result<_, String>>()?;
    let mut first = samples[0].reading.clone();
    let (mut scope, mut threads, mut warmup) = (Scope::Thread, 1, 1_000);
    let mut foreign = Tally::default();
    let mut outside = Outside::default();
    let (mut work, mut time) = (Work::default(), None::<Time>);
    let mut metrics = Vec::new();
    let mut first_operations = None;
    for part in parts {
        let (key, value) = part.split_once([' ', '=']).unwrap_or((part, ""));
        match key {
            "first" => first = reading(value)?,
            "scope" if value == "process" => scope = Scope::Process,
            "foreign" => foreign = reading(value)?.counts,
            "foreign-first" => outside.foreign_first = reading(value)?.counts,
            "uncounted" => outside.uncounted = reading(value)?.counts,
            "uncounted-first" => {
                outside.uncounted_first = reading(value)?.counts;
            }
            "still-running" => outside.still_running = integer(value)?,
            "still-running-first" => {
                outside.still_running_first = integer(value)?;
            }
            "threads" => threads = integer(value)?,
            "warmup" => warmup = integer(value)?,
            "elements" => work.elements = Some(integer(value)?),
            "time" => {
                let batches = value.split_whitespace().map(integer);
                let mut nanoseconds: Vec<u64> = batches.collect::<Result<_, String>>()?;
                nanoseconds.sort_unstable();
                time = Some(Time {
                    batch: 1,
                    first: nanoseconds.first().copied().unwrap_or_default(),
                    nanoseconds,
                });
            }
            "custom" => metrics.push(custom(value)?),
            "first-operations" => first_operations = Some(Box::new(value.to_owned())),
            "at" => {
                let (file, line) = value.split_once(':').ok_or("`at` takes FILE:LINE")?;
                location = Location {
                    file: file.into(),
                    line: u32::try_from(integer(line)?).map_err(|error| error.to_string())?,
                };
            }
            _ => return Err(format!("a scenario has no `{part}`")),
        }
    }
    stream.scenarios.push(ScenarioRecord {
        axes: axes(&name),
        name,
        group: None,
        location,
        scope,
        threads,
        output_drop: OutputDrop::Inside,
        warmup,
        iterations: samples.iter().map(|sample| sample.times).sum(),
        work,
        first,
        samples,
        first_operations,
        mode: None,
        peak_pass: None,
        foreign,
        outside: Box::new(outside),
        time,
        fresh: false,
        sites: None,
        sites_unavailable: None,
        metrics,
        note: None,
    });
    Ok(())
}

/// A metric that the scenario measured itself.
fn custom(text: &str) -> Result<CustomMetric, String> {
    let mut words = text.splitn(3, ' ');
    let (Some(name), Some(unit), Some(values)) = (words.next(), words.next(), words.next()) else {
        return Err(String::from("`custom` takes a name, a unit and values"));
    };
    let unit = unit
        .parse()
        .map_err(|()| format!("`{unit}` is no unit of a metric"))?;
    let signed = |text: &str| -> Result<i64, String> {
        let text = text.trim();
        text.parse().map_err(|_| format!("`{text}` is no number"))
    };
    let (values, first) = match values.split_once(", first ") {
        Some((values, first)) => (values, Some(first)),
        None => (values, None),
    };
    let mut samples = Vec::new();
    for sample in values.split(';') {
        let (times, value) = sample
            .split_once(" x ")
            .ok_or_else(|| format!("`{sample}` is no sample; write `10 x 1`"))?;
        samples.push((signed(value)?, integer(times.trim())?));
    }
    let first = first.map_or(Ok(samples[0].0), signed)?;
    let samples = samples
        .into_iter()
        .map(|(value, times)| (value.into(), times));
    Ok(CustomMetric {
        name: name.to_owned(),
        unit,
        first,
        samples: Distribution::new(samples).ok_or("no iterations")?,
    })
}

/// The pairs behind the last `/`; none if anything there is not a pair.
fn axes(name: &str) -> Vec<AxisValue> {
    let suffix = name.rsplit_once('/').map_or("", |(_, suffix)| suffix);
    let pairs = suffix.split(',').map(|pair| {
        let (axis, value) = pair.split_once('=')?;
        Some(AxisValue {
            axis: axis.into(),
            value: value.into(),
        })
    });
    pairs.collect::<Option<_>>().unwrap_or_default()
}

/// The name and the rest of the line.
fn name(line: &str) -> Result<(String, &str), String> {
    if line.starts_with('"') {
        let end = line.rfind("\": ").ok_or("a quoted name has no end")? + 1;
        let name = serde_json::from_str(&line[..end]).map_err(|error| error.to_string())?;
        return Ok((name, &line[end + 2..]));
    }
    let end = line
        .match_indices(": ")
        .map(|(offset, _)| offset)
        .find(|&offset| {
            let rest = &line[offset + 2..];
            rest.starts_with(|c: char| c.is_ascii_digit())
                || ["panicked ", "timed out ", "unavailable "]
                    .iter()
                    .any(|word| rest.starts_with(word))
        })
        .ok_or("a scenario is written `name: 10 x allocs=1`")?;
    Ok((line[..end].to_owned(), &line[end + 2..]))
}

fn sample(text: &str) -> Result<Sample, String> {
    let (times, fields) = text
        .trim()
        .split_once(" x")
        .ok_or_else(|| format!("`{text}` is no sample; write `10 x allocs=1`"))?;
    Ok(Sample {
        reading: reading(fields)?,
        times: integer(times)?,
    })
}

fn reading(fields: &str) -> Result<Reading, String> {
    let mut reading = Reading::default();
    for field in fields.split_whitespace() {
        let (key, value) = field.split_once('=').unwrap_or((field, ""));
        let value = integer(value)?;
        let counts = &mut reading.counts;
        match key {
            "allocs" => counts.allocs = value,
            "reallocs" => counts.reallocs = value,
            "deallocs" => counts.deallocs = value,
            "bytes" => counts.bytes = value,
            "freed-bytes" => counts.freed_bytes = value,
            "peak" => reading.peak_bytes = Some(value),
            _ => return Err(format!("a reading has no `{key}`")),
        }
    }
    Ok(reading)
}

fn integer(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}
