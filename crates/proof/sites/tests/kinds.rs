//! Captures the call stacks of the scenarios of `kinds`, and checks that rows add up.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use alloc_results::{ScenarioRecord, read_streams};
use alloc_scenario::counting_alloc::Sites;
use proof_shared::console;

const SITES: (&str, &str) = ("ALLOC_GATE_SITES", "1");

/// Runs the scenarios that the filters select, and returns the file of the results.
fn captured(name: &str, filters: &[&str], variables: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let output = own_process::started(Path::new(env!("CARGO_BIN_EXE_kinds")))
        .arg("--bench")
        .args(filters)
        .env("ALLOC_GATE_BENCH_RESULTS", &folder)
        .env_remove("ALLOC_GATE_SITES")
        .envs(variables.iter().copied())
        .output()
        .expect("the bench can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let file = fs::read_dir(&folder).expect("it is there").next();
    file.expect("one file").expect("readable").path()
}

/// The scenarios of the one bench. The reader checks that the rows of each sample add up to its
/// reading in every field, and to its peak where that is known.
fn read(file: &Path) -> Vec<ScenarioRecord> {
    let text = fs::read_to_string(file).expect("readable");
    let mut streams = read_streams("kinds", &text).expect("rows add up");
    let stream = streams.remove(0);
    assert!(stream.failures.is_empty(), "{:?}", stream.failures);
    stream.scenarios
}

#[test]
fn rows_of_every_kind_add_up() {
    if !Sites::AVAILABLE {
        return;
    }
    let scenarios = read(&captured("all", &[], &[SITES]));
    let (mut peaks, mut stacks) = (0, 0);
    for ScenarioRecord {
        name,
        first,
        sites,
        sites_unavailable,
        ..
    } in &scenarios
    {
        let sites = sites.as_ref();
        let sites = sites.unwrap_or_else(|| panic!("{name}: {sites_unavailable:?}"));
        let own = sites.samples.iter().flatten();
        for sample in own.chain([&sites.first]).chain(&sites.others) {
            let before = sample.before.expect("live blocks are kept");
            let has_peak = before.peak_bytes.is_some();
            assert_eq!(has_peak, first.peak_bytes.is_some(), "{name}");
        }
        peaks += usize::from(first.peak_bytes.is_some());
        stacks += sites.stacks.0.len();
    }
    let totals = format!(
        "{} scenarios, {peaks} peaks, {stacks} stacks",
        scenarios.len()
    );
    // Past libtest, so that the log of CI has it.
    console::print(&format!("kinds: {totals}\n")).expect("stdout can be written");
    assert!(
        scenarios.len() >= 42 && peaks >= 37 && stacks > 1_000,
        "{totals}"
    );
}

#[test]
fn rows_that_do_not_add_up_are_wrong() {
    if !Sites::AVAILABLE {
        return;
    }
    let file = captured("one", &["older block freed"], &[SITES]);
    let text = fs::read_to_string(file).expect("readable");
    for value in [
        "\"allocs\":",
        "\"freed-bytes\":",
        "\"kept-bytes\":",
        "\"peak-bytes\":",
    ] {
        // The first row of the first scenario with this value gets one more.
        let rows = text.find("\"rows\":").expect("there are rows");
        let place = rows + text[rows..].find(value).expect("a row has it") + value.len();
        let digits = text[place..].find(|c: char| !c.is_ascii_digit() && c != '-');
        let digits = &text[place..place + digits.expect("an object ends")];
        let more = digits.parse::<i64>().expect("a number") + 1;
        let changed = format!("{}{more}{}", &text[..place], &text[place + digits.len()..]);
        let error = read_streams("r.jsonl", &changed).expect_err("a row is wrong");
        let name = value.trim_matches(['"', ':']);
        let place = format!("{name} of the first call");
        let text = error.to_string();
        assert!(text.contains(&place), "{text}");
    }
}

#[test]
fn capturing_changes_no_value() {
    if !Sites::AVAILABLE {
        return;
    }
    let run = |name, variables: &[_]| {
        let skipped = ["--skip", ", thread", "--skip", ", process"];
        let scenarios = read(&captured(name, &skipped, variables)).into_iter();
        let counts = scenarios.map(|one| (one.name, (one.first, one.samples, one.peak_pass)));
        counts.collect::<BTreeMap<_, _>>()
    };
    // So few that an emulator captures the stacks of all.
    let few = ("ALLOC_GATE_ITERATIONS", "3");
    let (plain, captured) = (run("plain", &[few]), run("captured", &[few, SITES]));
    assert!(plain.len() >= 34, "{}", plain.len());
    assert!(plain.keys().eq(captured.keys()));
    let differing = plain
        .iter()
        .filter(|(name, counts)| captured[*name] != **counts);
    let names: Vec<_> = differing.map(|(name, _)| name).collect();
    // A body that captures by itself is refused.
    assert_eq!(names, ["window with call stacks"]);
}
