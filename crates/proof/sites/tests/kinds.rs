//! Captures the call stacks of the scenarios of `kinds`, and checks that rows add up.

use std::fs;
use std::path::{Path, PathBuf};

use alloc_results::{Stream, read_streams};
use alloc_scenario::counting_alloc::Sites;
use proof_shared::console;
use proof_sites::{SitesError, check, differences, read};

const SITES: (&str, &str) = ("ALLOC_GATE_SITES", "1");

/// Runs the scenarios that the filters select, and returns the folder of the results.
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
    folder
}

#[test]
fn rows_of_every_kind_add_up() {
    if !Sites::AVAILABLE {
        return;
    }
    let folder = captured("all", &[], &[SITES]);
    let [stream] = &read(&folder).expect("rows add up")[..] else {
        panic!("one bench");
    };
    let totals = check(stream).expect("every stack is right");
    // Past libtest, so that the log of CI has it.
    console::print(&format!("kinds: {totals}\n")).expect("stdout can be written");
    assert!(totals.scenarios >= 57, "{totals}");
    assert!(totals.peaks >= 50, "{totals}");
    assert!(totals.stacks > 1_000, "{totals}");
    // Planted mistakes.
    let of = |change: &dyn Fn(&mut Stream)| {
        let mut changed = stream.clone();
        change(&mut changed);
        check(&changed).expect_err("it is wrong").to_string()
    };
    let sites = |stream: &mut Stream| stream.scenarios[1].sites.clone().expect("it has sites");
    let of_sites = |change: &dyn Fn(&mut alloc_results::SitesRecord)| {
        of(&|stream| {
            let mut changed = sites(stream);
            change(&mut changed);
            stream.scenarios[1].sites = Some(changed);
        })
    };
    assert_eq!(
        of_sites(&|sites| sites.first.before = None),
        "kinds: format!: the live blocks of a sample are missing"
    );
    assert_eq!(
        of(&|stream| stream.scenarios[1].sites = None),
        "kinds: format!: it has no call stacks"
    );
}

#[test]
fn rows_that_do_not_add_up_are_wrong() {
    if !Sites::AVAILABLE {
        return;
    }
    let folder = captured("one", &["older block freed"], &[SITES]);
    let file = fs::read_dir(&folder).expect("it is there").next();
    let path = file.expect("one file").expect("readable").path();
    let text = fs::read_to_string(&path).expect("readable");
    for figure in [
        "\"allocs\":",
        "\"freed-bytes\":",
        "\"kept-bytes\":",
        "\"peak-bytes\":",
    ] {
        // The first row of the first scenario with this figure gets one more.
        let rows = text.find("\"rows\":").expect("there are rows");
        let place = rows + text[rows..].find(figure).expect("a row has it") + figure.len();
        let digits = text[place..].find(|c: char| !c.is_ascii_digit() && c != '-');
        let digits = &text[place..place + digits.expect("an object ends")];
        let more = digits.parse::<i64>().expect("a number") + 1;
        let changed = format!("{}{more}{}", &text[..place], &text[place + digits.len()..]);
        let error = read_streams("r.jsonl", &changed).expect_err("a row is wrong");
        let name = figure.trim_matches(['"', ':']);
        let place = format!("{name} of the first call");
        let text = error.to_string();
        assert!(text.contains(&place), "{text}");
    }
    let error = read(&folder.join("missing")).expect_err("it is not there");
    assert!(matches!(error, SitesError::File { .. }), "{error}");
}

#[test]
fn capturing_changes_no_figure() {
    if !Sites::AVAILABLE {
        return;
    }
    let run = |name, variables: &[_]| {
        let skipped = ["--skip", ", thread", "--skip", ", process"];
        read(&captured(name, &skipped, variables)).expect("rows add up")
    };
    let (number, differing) = differences(&run("plain", &[]), &run("captured", &[SITES]));
    assert!(number >= 50, "{number}");
    // A body that captures by itself is refused.
    assert_eq!(differing, ["kinds: window with call stacks"]);
}
