//! Result lines: no text makes reading them panic, or take more memory than its
//! length allows. Accepted lines are written as they were read, and can be judged.

use std::slice;
use std::sync::LazyLock;

use alloc_gate::baseline::{Baseline, Coverage};
use alloc_gate::report::{Evaluations, Format, Report, View};
use alloc_gate::{CfgSets, Config, Inputs, Measurements, Statistic, evaluate};
use alloc_results::{Metric, ScenarioRecord, Stream, StreamError, Writer, read_streams};
use counting_alloc::{CountingAlloc, Window};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// A name in the list of planned ones takes three bytes there; here it has a
/// place in a vector and in a map, which both double their size.
const MOST_MEMORY_A_BYTE: usize = 64;

/// What an error and the first elements of collections take.
const MOST_MEMORY_AT_FIRST: usize = 64 << 10;

/// Each statistic of each metric, against a number and the baseline.
static RULES: LazyLock<Config> = LazyLock::new(|| {
    let mut text = String::from(
        "version = 1\n[baseline]\ndata = 'b'\n[[gate]]\nname = 'g'\nscenarios = ['*']\n",
    );
    for metric in Metric::ALL {
        let statistics = Statistic::ALL.map(|statistic| {
            if statistic == Statistic::Growth {
                format!("{statistic} = 'O(n)'")
            } else {
                format!("{statistic} = '<= 7, <= baseline'")
            }
        });
        text += &format!("{metric} = {{ {} }}\n", statistics.join(", "));
    }
    match Config::parse("gates.toml", &text) {
        Ok(config) => config,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
});

/// Checks one text.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match read_frugally(&text) {
        Ok(streams) => {
            assert_eq!(written(&streams), streams);
            streams
                .iter()
                .flat_map(|stream| &stream.scenarios)
                .for_each(add_up);
            judge(streams);
        }
        Err(error) => assert!(error.to_string().starts_with("results:")),
    }
}

fn read_frugally(text: &str) -> Result<Vec<Stream>, StreamError> {
    let measured = Window::thread()
        .with_peak()
        .measure(|| read_streams("results", text))
        .expect("the counter is installed");
    let peak = measured.peak_bytes.expect("the window keeps the peak");
    let most = MOST_MEMORY_A_BYTE * text.len() + MOST_MEMORY_AT_FIRST;
    assert!(
        usize::try_from(peak).is_ok_and(|peak| peak <= most),
        "{peak} bytes for a text of {}",
        text.len()
    );
    measured.value
}

/// The streams after they were written and read.
fn written(streams: &[Stream]) -> Vec<Stream> {
    let mut text = Vec::new();
    for stream in streams {
        let mut writer = Writer::new(text, &stream.environment).expect("memory takes it");
        for scenario in &stream.scenarios {
            writer.scenario(scenario).expect("memory takes it");
        }
        for failure in &stream.failures {
            writer.failure(failure).expect("memory takes it");
        }
        text = writer.end().expect("memory takes it");
    }
    let text = String::from_utf8(text).expect("JSON is UTF-8");
    match read_streams("written", &text) {
        Ok(streams) => streams,
        Err(error) => panic!("{error}"),
    }
}

/// Whoever shows the lines of a scenario adds the rows of its sites, and finds their stacks.
fn add_up(scenario: &ScenarioRecord) {
    let Some(sites) = &scenario.sites else { return };
    let samples = sites.samples.iter().flatten();
    let all = samples.chain([&sites.first]).chain(&sites.others);
    let rows = || all.clone().flat_map(|sample| &sample.rows);
    assert!(rows().all(|row| row.stack.is_none_or(|stack| stack < sites.stacks.0.len())));
    let mut allocs = 0;
    let mut kept = 0_i64;
    for row in rows() {
        allocs += row.counts.allocs;
        kept += row.kept_bytes;
    }
    let mut measured = scenario.first.counts.allocs;
    for sample in &scenario.samples {
        measured += sample.reading.counts.allocs * sample.times;
    }
    let before: i64 = all
        .filter_map(|sample| Some(sample.before?.kept_bytes))
        .sum();
    assert_eq!(allocs, measured);
    assert!(kept.checked_add(before).is_some());
}

fn judge(streams: Vec<Stream>) {
    let Ok(measurements) = Measurements::new(streams) else {
        return;
    };
    let baseline = Baseline::default().accept(&measurements, Coverage::AllBenches);
    let read = Baseline::parse("b.toml", &baseline.to_toml());
    assert_eq!(
        read.map_err(|error| error.to_string()),
        Ok(baseline.clone())
    );
    let no_cfgs = CfgSets::default();
    let evaluation = evaluate(&Inputs {
        baseline: Some(&baseline),
        ..Inputs::new(&RULES, &measurements, &no_cfgs)
    });
    let mut report = Vec::new();
    let evaluations = Evaluations {
        runs: slice::from_ref(&evaluation),
        view: View::default(),
        repository: None,
    };
    let written = evaluations.write(Format::Terminal, None, &mut report);
    written.expect("memory takes it");
}
