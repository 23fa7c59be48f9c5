//! [`Matching`] against asking every pattern about every name.

use alloc_gate::{Config, Diagnostics, Matching, MeasuredScenario, Measurements};

use sample_results::Generator;

fn measured(names: &[String]) -> Measurements {
    let lines: Vec<String> = names
        .iter()
        .map(|name| format!("{}: 1 x allocs=1", serde_json::Value::from(name.as_str())))
        .collect();
    crate::measured(&lines.join("\n"))
}

fn gates(all: &[Vec<String>]) -> Result<Config, Diagnostics> {
    let mut text = String::from("version = 1\n");
    for (number, patterns) in all.iter().enumerate() {
        let patterns: Vec<toml::Value> = patterns
            .iter()
            .map(|pattern| toml::Value::from(pattern.as_str()))
            .collect();
        text += &format!(
            "[[gate]]\nname = 'g{number}'\nscenarios = {}\nallocs = '< 5'\n",
            toml::Value::from(patterns)
        );
    }
    Config::parse("gates.toml", &text)
}

/// Compares with the definition; says how many pairs of a gate and a scenario
/// match.
fn same_as_asking_each(config: &Config, measurements: &Measurements) -> usize {
    let matching = Matching::new(config, measurements);
    let names: Vec<(String, &str)> = measurements
        .scenarios()
        .iter()
        .map(|scenario| (scenario.bench.to_string(), scenario.record.name.as_str()))
        .collect();
    let mut pairs = 0;
    for (number, gate) in config.gates.iter().enumerate() {
        let means = |scenario: &MeasuredScenario| {
            let mut patterns = gate.filter.scenarios.iter();
            gate.filter.benches.includes(&scenario.bench)
                && patterns.any(|pattern| pattern.matches(&scenario.record.name))
        };
        let scenarios = measurements.scenarios();
        let meant: Vec<usize> = (0..names.len())
            .filter(|&at| means(&scenarios[at]))
            .collect();
        let texts: Vec<&str> = gate
            .filter
            .scenarios
            .iter()
            .map(|pattern| pattern.text())
            .collect();
        assert_eq!(
            matching.scenarios_of(number),
            meant,
            "{texts:?} in {names:?}"
        );
        pairs += meant.len();
    }
    pairs
}

#[test]
fn gates_mean_the_scenarios_that_their_patterns_match() {
    let names = ["decode/rows=1", "decode/rows=10", "encode", "x"].map(String::from);
    let patterns = [
        vec!["decode/*", "*rows=1"],
        vec!["encode"],
        vec!["*"],
        vec!["nothing", "?"],
    ];
    let patterns = patterns.map(|gate| gate.into_iter().map(String::from).collect());
    let matching = Matching::new(
        &gates(&patterns).expect("the rules are valid"),
        &measured(&names),
    );
    assert_eq!(matching.scenarios_of(0), [0, 1]);
    assert_eq!(matching.scenarios_of(1), [2]);
    assert_eq!(matching.scenarios_of(2), [0, 1, 2, 3]);
    assert_eq!(matching.scenarios_of(3), [3]);
}

#[test]
fn any_globs_and_names_come_to_the_same_as_asking_each() {
    // Few characters, so that much matches; those that globs and paths have a
    // meaning for, and some that take several bytes.
    const NAMES: [&str; 9] = ["a", "b", "/", ".", "*", ",", "]", "ä", "包"];
    const GLOBS: [&str; 23] = [
        "a",
        "b",
        "/",
        ".",
        ",",
        "ä",
        "包",
        "*",
        "*",
        "**",
        "?",
        "[ab]",
        "[!a]",
        "[]*]",
        "[!]]",
        "[ä-ü]",
        "{a,b}",
        "{a,{b,*}}",
        "{,/}",
        r"\*",
        r"\]",
        "/**/",
        "**/",
    ];
    let mut generator = Generator::new(7);
    let mut text = |parts: &[&str], most: usize, least: usize| -> String {
        let length = least + generator.below(most + 1 - least);
        (0..length).map(|_| generator.one(parts)).collect()
    };
    let mut pairs = 0;
    for _ in 0..300 {
        let mut names: Vec<String> = (0..12).map(|_| text(&NAMES, 7, 0)).collect();
        names.sort();
        names.dedup();
        let all: Vec<Vec<String>> = (0..8)
            .map(|_| vec![text(&GLOBS, 5, 1), text(&GLOBS, 5, 1)])
            .collect();
        let config = gates(&all).expect("every part is a glob by itself");
        pairs += same_as_asking_each(&config, &measured(&names));
    }
    assert!(pairs > 2_000, "only {pairs} pairs matched");
}

#[test]
fn globs_as_people_write_them_come_to_the_same_as_asking_each() {
    let names: Vec<String> = (0..400)
        .map(|n| format!("group{}/op{}/impl={},rows={n}", n % 40, n % 7, n % 3))
        .collect();
    let all: Vec<Vec<String>> = (0..60)
        .map(|n| match n % 6 {
            0 => vec![format!("group{n}/*")],
            1 => vec![format!("*,rows={n}"), names[n].clone()],
            2 => vec![format!("group{}/*/impl=1,*", n % 40)],
            3 => vec![format!("*rows={n}*")],
            4 => vec![format!("group{n}/op{{1,2}}/*")],
            _ => vec!["*/op3/*".into(), "group?/op1/*".into()],
        })
        .collect();
    let config = gates(&all).expect("the rules are valid");
    assert!(same_as_asking_each(&config, &measured(&names)) > 500);
}

#[test]
fn gates_of_some_benches_come_to_the_same_as_asking_each() {
    let mut results = String::new();
    for bench in 0..60 {
        results += &format!("bench p{}/b{}\n", bench / 3, bench % 3);
        for name in ["encode", "decode", "read/all"] {
            results += &format!("{name}: 1 x allocs=1\n");
        }
    }
    let mut text = String::from("version = 1\n");
    let packages = ["p1", "p1*", "*", "p?", "p[!1]", "{p2,p13}", "q"];
    let benches = ["b1", "*", "b[02]", "[!b]*"];
    for number in 0..120 {
        let scenarios = ["encode", "*code", "*", "read/*"][number % 4];
        text += &format!(
            "[[gate]]\nname = 'g{number}'\nscenarios = ['{scenarios}', 'decode']\nallocs = '< 5'\n"
        );
        if number % 3 != 0 {
            text += &format!("package = '{}'\n", packages[number % packages.len()]);
        }
        if number % 5 < 2 {
            text += &format!("bench = '{}'\n", benches[number / 5 % benches.len()]);
        }
    }
    let config = Config::parse("gates.toml", &text).expect("the rules are valid");
    assert!(same_as_asking_each(&config, &crate::measured(&results)) > 3_000);
}
