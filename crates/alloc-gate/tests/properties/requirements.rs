//! Requirements: what is shown of one can be written, and means the same.

use alloc_gate::{Config, Diagnostics, Requirement};

use sample_results::Generator;

/// Writes a limit of one kind.
type Write = fn(&mut Generator) -> String;

/// The kinds of limits: a new kind is a line here.
const LIMITS: &[(&str, Write)] = &[
    ("the baseline", |_| String::from("baseline")),
    ("a small number", |g| g.below(10).to_string()),
    ("a negative number", |g| format!("-{}", g.below(100_000))),
    ("thousands apart", |g| {
        format!("{}_{:03}", g.below(1_000) + 1, g.below(1_000))
    }),
    ("decimals", |g| {
        format!("{}.{}", g.below(2_000), g.below(1_000_000_000))
    }),
    ("any number", |g| g.below(usize::MAX).to_string()),
    ("a unit of bytes", |g| {
        let unit = g.one(&["B", "KiB", "MiB", "GiB", "kB", "MB", "GB"]);
        format!(
            "{}.{}{}{unit}",
            g.below(100),
            g.below(100),
            g.one(&["", " "])
        )
    }),
    ("a tolerance in numbers", |g| {
        format!("baseline {} {}", g.one(&["+", "-"]), g.below(100))
    }),
    ("a tolerance in percent", |g| {
        format!(
            "baseline{}{}.{}%",
            g.one(&["+", "-"]),
            g.below(200),
            g.below(100)
        )
    }),
    ("a tolerance in bytes", |g| {
        format!("baseline {} {} KiB", g.one(&["+", "-"]), g.below(100))
    }),
    ("another scenario", |g| {
        format!(
            "[{}]",
            g.one(&["old", "a (b)", "d/impl=old,rows=*", "a[0]"])
        )
    }),
    ("a share of another scenario", |g| {
        format!("{}.{} * [d/rows=*,i=1]", g.below(9) + 1, g.below(100))
    }),
];

/// Metrics and statistics that requirements are read for.
const RULES: [(&str, &str); 3] = [
    ("net-bytes", "mean"),
    ("net-blocks", "max"),
    ("net-bytes", "first"),
];

/// The requirement of a rule, read from gates.toml.
fn requirement((metric, statistic): (&str, &str), text: &str) -> Result<Requirement, Diagnostics> {
    let rules = format!(
        "version = 1\n[baseline]\ndata = 'b'\n[[gate]]\nname = 'g'\nscenarios = ['*']\n\
         {metric} = {{ {statistic} = '{text}' }}\n"
    );
    let config = Config::parse("gates.toml", &rules)?;
    Ok(Requirement::clone(&config.gates[0].rules[0].requirement))
}

/// A comparison with a limit of this kind.
fn comparison(generator: &mut Generator, kind: usize) -> String {
    let operator = generator.one(&["<", "<=", "==", ">=", ">"]);
    let space = generator.one(&["", " ", "  "]);
    let limit = LIMITS[kind].1(generator);
    format!("{operator}{space}{limit}")
}

#[test]
fn what_is_shown_of_a_requirement_reads_back_as_the_same() {
    let mut generator = Generator::new(1);
    let mut read = vec![0; LIMITS.len()];
    for round in 0..8_000 {
        let kind = round % LIMITS.len();
        let mut comparisons = vec![comparison(&mut generator, kind)];
        for _ in 0..generator.below(3) {
            let other = generator.below(LIMITS.len());
            comparisons.push(comparison(&mut generator, other));
        }
        let text = comparisons.join(generator.one(&[",", ", ", " , "]));
        let rule = RULES[generator.below(RULES.len())];
        let Ok(once) = requirement(rule, &text) else {
            continue;
        };
        read[kind] += 1;
        let shown = once.to_string();
        let twice = requirement(rule, &shown).map_err(|error| error.to_string());
        assert_eq!(twice.as_ref(), Ok(&once), "{text} is shown as {shown}");
        assert_eq!(twice.map(|twice| twice.to_string()), Ok(shown));
    }
    for ((kind, _), read) in LIMITS.iter().zip(read) {
        assert!(
            read > 100,
            "only {read} requirements with {kind} could be read"
        );
    }
}
