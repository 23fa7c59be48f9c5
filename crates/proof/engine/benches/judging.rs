//! How long judging takes, by the number of scenarios and of gates. It says so
//! and judges nothing: times depend on the machine. What judging allocates is
//! counted by the bench `engine`.

use std::fmt::Write;
use std::hint::black_box;

use alloc_gate::baseline::{Baseline, Coverage};
use alloc_gate::{
    CfgSets, Config, Date, Inputs, Matching, Measurements, Outcome, Selection, Verdict, evaluate,
};
use divan::Bencher;

/// The sizes that are judged: scenarios and gates.
const SIZES: [(usize, usize); 5] = [
    (100, 1_000),
    (1_000, 1_000),
    (10_000, 10),
    (10_000, 100),
    (10_000, 1_000),
];

fn main() {
    divan::main();
}

/// All of a verdict: which scenarios each gate is about, and what it says of them.
#[divan::bench(args = SIZES, sample_count = 20, sample_size = 1)]
fn whole_verdict(bencher: Bencher<'_, '_>, (scenarios, gates): (usize, usize)) {
    let case = Case::new(scenarios, gates);
    bencher.bench(|| case.judge());
}

/// Only which scenarios each gate is about, as the engine finds out.
#[divan::bench(args = SIZES, sample_count = 20, sample_size = 1)]
fn matching(bencher: Bencher<'_, '_>, (scenarios, gates): (usize, usize)) {
    let case = Case::new(scenarios, gates);
    bencher.bench(|| Matching::new(&case.config, &case.measurements));
}

/// The same sizes with scenarios of the same 20 names in many benches, and gates of some
/// packages.
#[divan::bench(args = SIZES, sample_count = 20, sample_size = 1)]
fn names_of_many_benches(bencher: Bencher<'_, '_>, (scenarios, gates): (usize, usize)) {
    let case = Case::of_many_benches(scenarios, gates);
    bencher.bench(|| case.judge());
}

/// Reading the rules, which compiles the globs.
#[divan::bench(args = [10_usize, 100, 1_000], sample_count = 5, sample_size = 1)]
fn reading_rules(bencher: Bencher<'_, '_>, gates: usize) {
    let text = rules(gates, 10_000);
    bencher.bench(|| Config::parse("gates.toml", black_box(&text)));
}

/// What is judged.
struct Case {
    config: Config,
    measurements: Measurements,
    baseline: Baseline,
}

impl Case {
    fn new(scenarios: usize, gates: usize) -> Self {
        let lines = (0..scenarios).map(|number| format!("{}{FIGURES}\n", name(number)));
        Self::from_text(gates, &rules(gates, scenarios), &lines.collect::<String>())
    }

    fn of_many_benches(scenarios: usize, gates: usize) -> Self {
        const NAMES: usize = 20;
        let mut lines = String::new();
        for number in 0..scenarios {
            if number % NAMES == 0 {
                let bench = number / NAMES;
                // Writing to a string can't fail.
                let _ = writeln!(lines, "bench package{}/bench{}", bench / 2, bench % 2);
            }
            let _ = writeln!(lines, "operation{}{FIGURES}", number % NAMES);
        }
        Self::from_text(gates, &rules_of_packages(gates), &lines)
    }

    fn from_text(gates: usize, rules: &str, lines: &str) -> Self {
        let config = match Config::parse("gates.toml", rules) {
            Ok(config) => config,
            Err(diagnostics) => panic!("{diagnostics}"),
        };
        let streams = sample_results::streams(lines).expect("the results are well written");
        let measurements = Measurements::new(streams).expect("a bench has each name once");
        let scenarios = measurements.scenarios().len();
        let baseline = Baseline::default().accept(&measurements, Coverage::AllBenches);
        let case = Self {
            config,
            measurements,
            baseline,
        };
        // What would be measured otherwise is an engine that finds nothing.
        let evaluation = case.judge();
        let judged: usize = evaluation.gates.iter().map(|g| g.judgements.len()).sum();
        let matching = Matching::new(&case.config, &case.measurements);
        let matched: usize = (0..gates).map(|g| matching.scenarios_of(g).len()).sum();
        assert!(matched > gates.min(scenarios) / 2, "{matched}");
        assert_eq!(judged, 2 * matched);
        assert!(
            evaluation
                .gates
                .iter()
                .all(|gate| matches!(gate.verdict, Verdict::Pass | Verdict::Skipped))
        );
        assert_eq!(evaluation.outcome(), Outcome::Held);
        case
    }

    fn judge(&self) -> alloc_gate::Evaluation {
        let (no_cfgs, today) = (CfgSets::default(), Date::from_unix_days(0));
        evaluate(&Inputs {
            baseline: Some(&self.baseline),
            // Small sizes leave gates without a scenario.
            selection: Selection::Selected,
            ..Inputs::new(&self.config, &self.measurements, &no_cfgs, today)
        })
    }
}

/// The figures of every scenario.
const FIGURES: &str = ": 100 x allocs=2 alloc-bytes=44";

/// gates.toml with this many gates, each on one or several names in some packages.
fn rules_of_packages(gates: usize) -> String {
    let mut text = String::from(RULES);
    for gate in 0..gates {
        let (scenarios, package) = match gate % 4 {
            0 => ("'*'", format!("package{}", gate / 4)),
            1 => ("'operation1*'", format!("package{}", gate / 4)),
            2 => (
                "'operation3', 'operation7'",
                format!("package{}*", gate / 16),
            ),
            _ => ("'*7'", format!("*{}", gate / 4)),
        };
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "[[gate]]\nname = \"gate {gate}\"\nscenarios = [{scenarios}]\npackage = '{package}'\n\
             allocs = \"<= baseline\"\nbytes = {{ max = \"<= 4_096\" }}\n"
        );
    }
    text
}

/// The begin of every gates.toml.
const RULES: &str = "version = 1\n[baseline]\ndata = \"b.toml\"\n[policy]\nungated = \"allow\"\n";

/// The name of a scenario: like those of sweeps over three axes in many groups.
fn name(number: usize) -> String {
    let (group, operation) = (number % 250, number / 7 % 500);
    format!("group{group}/op={operation},impl=fast,case={number}")
}

/// gates.toml with this many gates for so many scenarios: prefixes, suffixes,
/// texts in between and whole names, one or two a gate. With 1,000 gates a
/// scenario matches two or three.
fn rules(gates: usize, scenarios: usize) -> String {
    let mut text = String::from(RULES);
    for gate in 0..gates {
        let number = gate / 4;
        let patterns = match gate % 4 {
            0 => format!("'group{number}/*'"),
            1 => format!("'*{number},impl=fast,case=*0', '*,case={}'", number * 31),
            2 => format!("'*/op={number},*'"),
            _ => format!(
                "'{}', '{}'",
                name(number * 3 % scenarios),
                name(number * 37 % scenarios)
            ),
        };
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "[[gate]]\nname = \"gate {gate}\"\nscenarios = [{patterns}]\n\
             allocs = \"<= baseline\"\nbytes = {{ max = \"<= 4_096\" }}\n"
        );
    }
    text
}
