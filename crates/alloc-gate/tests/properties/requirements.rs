//! Requirements: what is shown of one can be written, and means the same.

use alloc_gate::{Config, Diagnostics, Requirement};

use sample_results::Generator;

/// The kinds of limits: a new kind is a line here. `#` stands for a digit, `±` for a sign, `~` for a
/// space or none, `U` for a unit of bytes, and `N` for a name.
const LIMITS: [&str; 12] = [
    "baseline",
    "#",
    "-1####",
    "1##_###",
    "1###.#########",
    "1##################",
    "1#.##~U",
    "baseline ± 1#",
    "baseline±1##.##%",
    "baseline ± 1# KiB",
    "[N]",
    "1.## * [d/rows=*,i=1]",
];

fn limit(generator: &mut Generator, kind: usize) -> String {
    let written = LIMITS[kind].chars().map(|character| match character {
        '#' => generator.below(10).to_string(),
        '±' => String::from(generator.one(&["+", "-"])),
        '~' => String::from(generator.one(&["", " "])),
        'U' => String::from(generator.one(&["B", "KiB", "MiB", "GiB", "kB", "MB", "GB"])),
        'N' => String::from(generator.one(&["old", "a (b)", "d/impl=old,rows=*", "a[0]"])),
        other => String::from(other),
    });
    written.collect()
}

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

fn comparison(generator: &mut Generator, kind: usize) -> String {
    let operator = generator.one(&["<", "<=", "==", ">=", ">"]);
    let space = generator.one(&["", " ", "  "]);
    let limit = limit(generator, kind);
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
    for (kind, read) in LIMITS.iter().zip(read) {
        assert!(read > 100, "only {read} requirements with {kind} were read");
    }
}
