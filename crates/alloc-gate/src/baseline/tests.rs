//! Baselines and measurements in, baselines out.

use super::*;
use crate::results::streams;

fn measured(results: &str) -> Measurements {
    let streams = streams(results).expect("the results are well written");
    Measurements::new(streams).expect("no name occurs twice")
}

fn accepted(results: &str) -> Baseline {
    Baseline::default().accept(&measured(results), Coverage::AllBenches)
}

/// Each scenario as `allocator package/target name total`, total of allocs.
fn shown(baseline: &Baseline) -> Vec<String> {
    let mut lines = Vec::new();
    for accepted in baseline.environments() {
        let allocator = accepted.environment.allocator.rsplit("::").next();
        for (name, scenario) in &accepted.scenarios {
            lines.push(format!(
                "{} {}/{} {name} {}",
                allocator.unwrap_or_default(),
                scenario.bench.package,
                scenario.bench.target,
                scenario.metrics[&Metric::Allocs].total
            ));
        }
    }
    lines
}

const BEFORE: &str = "bench a/x\nkept: 10 x allocs=1\ndropped: 10 x\nbench b/y\nother: 10 x";
const NOW: &str = "bench a/x\nkept: 10 x allocs=2\nnew: 10 x";

#[test]
fn a_run_of_all_benches_drops_what_was_not_measured() {
    let after = accepted(BEFORE).accept(&measured(NOW), Coverage::AllBenches);
    assert_eq!(shown(&after), ["System a/x kept 20", "System a/x new 0"]);
}

#[test]
fn a_run_of_some_benches_leaves_the_others_alone() {
    let after = accepted(BEFORE).accept(&measured(NOW), Coverage::SomeBenches);
    assert_eq!(
        shown(&after),
        [
            "System a/x kept 20",
            "System a/x new 0",
            "System b/y other 0"
        ]
    );
}

#[test]
fn other_targets_profiles_and_features_stay() {
    let elsewhere = "bench a/x target=wasm32-wasip1\nkept: 10 x\nbench a/x profile=dev\ndev: 10 x\n\
                     bench a/x features=fast\nfast: 10 x";
    let before = accepted(elsewhere);
    let after = before.accept(&measured(NOW), Coverage::AllBenches);
    assert_eq!(after.environments().len(), 4);
    for accepted in before.environments() {
        assert!(after.environments().contains(accepted));
    }
}

#[test]
fn a_bench_that_changed_its_allocator_has_no_old_figures() {
    let now = measured("bench a/x allocator=mimalloc\nkept: 10 x");
    let after = accepted(BEFORE).accept(&now, Coverage::AllBenches);
    assert_eq!(shown(&after), ["mimalloc a/x kept 0"]);
    let after = accepted(BEFORE).accept(&now, Coverage::SomeBenches);
    assert_eq!(shown(&after), ["mimalloc a/x kept 0", "System b/y other 0"]);
}

#[test]
fn benches_of_several_allocators_are_accepted_side_by_side() {
    let both = "bench a/x allocator=mimalloc\na: 1 x\nbench b/y\nb: 1 x";
    let after = accepted(both);
    assert_eq!(shown(&after), ["mimalloc a/x a 0", "System b/y b 0"]);
    assert_eq!(after.accept(&measured(both), Coverage::AllBenches), after);
}

#[test]
fn versions_are_those_of_the_last_run() {
    let before = accepted("bench a/x rustc=rustc_1.89.0\na: 1 x");
    let after = before.accept(&measured("bench a/x\na: 1 x"), Coverage::AllBenches);
    assert_eq!(after.environments().len(), 1);
    assert_eq!(after.environments()[0].environment.rustc, "rustc 1.90.0");
}

#[test]
fn nothing_measured_changes_nothing() {
    let before = accepted(BEFORE);
    let nothing = Measurements::default();
    assert_eq!(before.accept(&nothing, Coverage::AllBenches), before);
}

/// 98 iterations of 1, one of 7, one of 20, and a first call of 9: the sum is
/// 125.
#[test]
fn the_figures_are_those_that_rules_ask_for() {
    let baseline =
        accepted("a: 98 x allocs=1; 1 x allocs=7; 1 x allocs=20 | first allocs=9 | elements=10");
    let scenario = &baseline.environments()[0].scenarios["a"];
    let figures = Statistic::ALL.map(|statistic| {
        let figure = scenario.figure(Metric::Allocs, statistic);
        figure.map(|figure| (figure.numerator(), figure.denominator()))
    });
    let whole = |value| Some((value, 1));
    assert_eq!(
        figures,
        [
            Some((5, 4)),
            whole(1),
            whole(20),
            whole(1),
            whole(7),
            whole(9),
            whole(125),
            Some((1, 8)),
            None
        ]
    );
    assert_eq!(scenario.figure(Metric::PeakBytes, Statistic::Mean), None);
}

#[test]
fn a_sum_past_64_bits_is_no_figure_and_not_a_wrong_one() {
    let baseline = accepted("a: 2 x allocs=1 alloc-bytes=9223372036854775807");
    let scenario = &baseline.environments()[0].scenarios["a"];
    assert_eq!(scenario.figure(Metric::Bytes, Statistic::Max), None);
    assert!(scenario.figure(Metric::Allocs, Statistic::Max).is_some());
}

#[test]
fn names_survive_the_data_file() {
    let names = [
        "a\"b",
        "c\\d",
        "e'f",
        "\"\"\"",
        "größe 📦",
        "tab\tline\nbreak",
        "# no comment",
    ];
    let lines = names.map(|name| format!("{name:?}: 1 x allocs=1"));
    let baseline = accepted(&lines.join("\n"));
    assert_eq!(baseline.environments()[0].scenarios.len(), names.len());
    assert_eq!(Baseline::parse("b.toml", &baseline.to_toml()), Ok(baseline));
}
