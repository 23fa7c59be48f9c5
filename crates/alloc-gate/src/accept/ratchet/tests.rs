//! The figures that a ratchet takes, and the figures that it keeps.

use super::*;
use crate::baseline::Coverage;
use crate::rules::Config;
use crate::tests::{accepted, measured, rules};

/// The ratchet of a baseline with the results `before`, and a gate with these rules on
/// `metrics`.
fn ratchet(before: &str, results: &str, metrics: &str) -> Ratchet {
    let before = accepted(before);
    let config = rules(&if metrics.is_empty() {
        String::from("version = 1")
    } else {
        format!(
            "version = 1\n[baseline]\ndata = \"b.toml\"\n\
             [[gate]]\nname = \"g\"\nscenarios = [\"gated*\"]\n{metrics}"
        )
    });
    let after = before.accept(&measured(results), Coverage::AllBenches);
    before.ratchet(&after, &config.gates)
}

fn kept(ratchet: &Ratchet) -> Vec<String> {
    ratchet.kept.iter().map(ToString::to_string).collect()
}

const LOWER: &str = "allocs = \"<= baseline\"";

#[test]
fn a_better_figure_is_taken_and_a_worse_one_kept() {
    let ratchet = ratchet(
        "gated a: 10 x allocs=5\ngated b: 10 x allocs=5\ngated c: 10 x allocs=5",
        "gated a: 10 x allocs=4\ngated b: 10 x allocs=6\ngated c: 10 x allocs=5",
        LOWER,
    );
    let expected =
        accepted("gated a: 10 x allocs=4\ngated b: 10 x allocs=5\ngated c: 10 x allocs=5");
    assert_eq!(ratchet.baseline, expected);
    assert_eq!(kept(&ratchet), ["gated b: allocs mean 6 is worse than 5"]);
}

#[test]
fn a_scenario_is_taken_whole_or_not_at_all() {
    // The 12 bytes are better, but the allocations are worse.
    let one = ratchet(
        "gated: 10 x allocs=1 alloc-bytes=20",
        "gated: 10 x allocs=2 alloc-bytes=12",
        "allocs = \"<= 9\"\nbytes = { max = \"<= baseline\" }",
    );
    assert_eq!(
        one.baseline,
        accepted("gated: 10 x allocs=1 alloc-bytes=20")
    );
    assert_eq!(kept(&one), ["gated: allocs mean 2 is worse than 1"]);
    // No rule is on bytes.
    let other = ratchet(
        "gated: 10 x allocs=2 alloc-bytes=12",
        "gated: 10 x allocs=1 alloc-bytes=20",
        LOWER,
    );
    assert_eq!(
        other.baseline,
        accepted("gated: 10 x allocs=1 alloc-bytes=20")
    );
    assert!(other.kept.is_empty());
}

#[test]
fn without_a_gate_every_figure_is_compared() {
    for gate in ["", LOWER] {
        let ratchet = ratchet(
            "free: 10 x allocs=2 alloc-bytes=12",
            "free: 10 x allocs=1 alloc-bytes=12 | first allocs=3 alloc-bytes=12",
            gate,
        );
        assert_eq!(
            kept(&ratchet),
            [
                "free: allocs first 3 is worse than 2, alloc-calls first 3 is worse than 2, \
                 net-blocks first 3 is worse than 2"
            ]
        );
        assert_eq!(
            ratchet.baseline,
            accepted("free: 10 x allocs=2 alloc-bytes=12")
        );
    }
}

#[test]
fn higher_is_better_where_every_rule_on_the_figure_asks_for_at_least_the_baseline() {
    for (rule, taken) in [
        ("\">= baseline\"", true),
        ("\"> baseline\"", true),
        ("\">= baseline, <= 9\"", true),
        ("\">= 1\"", false),
        ("\"<= baseline, >= baseline\"", false),
        ("\"== baseline\"", false),
    ] {
        let (low, high) = ("gated: 10 x deallocs=3", "gated: 10 x deallocs=4");
        let rules = format!("deallocs = {{ max = {rule} }}");
        let up = ratchet(low, high, &rules);
        assert_eq!(up.baseline == accepted(high), taken, "{rule}");
        let down = ratchet(high, low, &rules);
        assert_eq!(down.baseline == accepted(low), !taken, "{rule}");
    }
}

/// 299 allocations in 100 iterations are fewer per iteration than 30 in 10. The exact
/// fractions are compared.
#[test]
fn means_are_compared_exactly_and_sums_only_where_they_can_be() {
    let fewer = "gated: 99 x allocs=3; 1 x allocs=2";
    let more = "gated: 10 x allocs=3";
    for rule in ["allocs = \"<= 9\"", "allocs = { total = \"<= 9_999\" }"] {
        assert_eq!(
            ratchet(more, fewer, rule).baseline,
            accepted(fewer),
            "{rule}"
        );
        let up = ratchet(fewer, more, rule);
        assert_eq!(up.baseline, accepted(fewer), "{rule}");
        assert_eq!(kept(&up), ["gated: allocs mean 3 is worse than 2.99"]);
    }
}

#[test]
fn new_scenarios_and_environments_are_taken_and_none_is_removed() {
    let ratchet = ratchet(
        "gated a: 10 x\nold: 10 x\nbench sample/other profile=dev\nb: 10 x",
        "gated a: 10 x\nnew: 10 x allocs=9\nbench sample/third features=f\nc: 10 x",
        LOWER,
    );
    let expected = accepted(
        "gated a: 10 x\nold: 10 x\nnew: 10 x allocs=9\nbench sample/other profile=dev\nb: 10 x\n\
         bench sample/third features=f\nc: 10 x",
    );
    assert_eq!(ratchet.baseline, expected);
    assert_eq!(
        kept(&ratchet),
        ["old: not measured; accept without a ratchet removes it"]
    );
}

#[test]
fn a_metric_that_is_no_longer_measured_is_worse() {
    let ratchet = ratchet(
        "gated: 10 x allocs=1 peak=8",
        "gated: 10 x allocs=1",
        "peak-bytes = \"<= baseline\"",
    );
    assert_eq!(
        kept(&ratchet),
        ["gated: peak-bytes mean is no longer measured; it was 8"]
    );
    assert_eq!(ratchet.baseline, accepted("gated: 10 x allocs=1 peak=8"));
}

#[test]
fn versions_are_those_of_the_run_whose_figures_are_taken() {
    let rustc = |ratchet: Ratchet| ratchet.baseline.environments[0].environment.rustc.clone();
    let old = "bench a/b rustc=old\ngated: 10 x allocs=1";
    assert_eq!(
        rustc(ratchet(old, "bench a/b\ngated: 10 x", LOWER)),
        "rustc 1.90.0"
    );
    let same = "bench a/b\ngated: 10 x allocs=1";
    assert_eq!(rustc(ratchet(old, same, LOWER)), "rustc 1.90.0");
    let worse = "bench a/b\ngated: 10 x allocs=2";
    assert_eq!(rustc(ratchet(old, worse, LOWER)), "old");
    let with_new = format!("{worse}\ngated too: 10 x");
    assert_eq!(rustc(ratchet(old, &with_new, LOWER)), "rustc 1.90.0");
}

#[test]
fn a_bench_over_another_allocator_replaces_nothing() {
    let old = "bench a/b\ngated: 10 x allocs=1";
    let new = "bench a/b allocator=mimalloc\ngated: 10 x allocs=1";
    let ratchet = ratchet(old, new, LOWER);
    assert_eq!(ratchet.baseline.environments.len(), 2);
    assert_eq!(
        kept(&ratchet),
        ["gated: not measured; accept without a ratchet removes it"]
    );
}

#[test]
fn a_lower_limit_on_a_custom_metric_means_that_higher_is_better() {
    let ratchet = |before: u64, now: u64, rules: &str| {
        let results = |hits| format!("gated: 1 x | custom hits count 1 x {hits}");
        let config = Config::parse(
            "gates.toml",
            &format!(
                "version = 1\n[metrics]\nhits = \"count\"\n\
                 [[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n{rules}"
            ),
        )
        .expect("the rules are valid");
        let before = accepted(&results(before));
        kept(&before.ratchet(&accepted(&results(now)), &config.gates))
    };
    let nothing: [String; 0] = [];
    assert_eq!(ratchet(8, 9, "hits = \">= 5\""), nothing);
    assert_eq!(
        ratchet(9, 8, "hits = \">= 5\""),
        ["gated: hits mean 8 is worse than 9"]
    );
    assert_eq!(
        ratchet(8, 9, "hits = \">= 5, <= 10\""),
        ["gated: hits mean 9 is worse than 8"]
    );
}

#[test]
fn a_metric_in_another_unit_is_not_compared_with_the_old_one() {
    let config = Config::parse(
        "gates.toml",
        "version = 1\n[metrics]\nsize = \"bytes\"\n\
         [[gate]]\nname = \"g\"\nscenarios = [\"*\"]\nsize = \"<= 1 KiB\"",
    )
    .expect("the rules are valid");
    let before = accepted("a: 1 x | custom size count 1 x 5");
    let now = accepted("a: 1 x | custom size bytes 1 x 900");
    assert_eq!(before.ratchet(&now, &config.gates).baseline, now);
}
