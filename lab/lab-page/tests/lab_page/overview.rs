//! The heat map and the table of facts.

use lab_page::facts;
use lab_page::heat;
use lab_page::summary::Summary;

use crate::support::example;

#[test]
fn the_heat_map_has_ratios_and_the_noise_of_the_system() {
    let summary = Summary::new(&example());
    // In `pair`, (4 - 2) / (10 - 2) and (10 - 2) / (34 - 2) of mimalloc are both 0.25; of talc,
    // (18 - 2) / (10 - 2) is 2, and (34 - 2) / (34 - 2) is 1; of bumpalo, with the floor of arenas,
    // 0.8 / 8 and 3.2 / 32. `frame` has no floor.
    let text = heat::markdown(&summary);
    let (table, key) = text.split_once("\n\n").unwrap();
    assert_eq!(
        table,
        "|                     | system | mimalloc | jemalloc |  talc | buddy | bumpalo |   mine |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n\
         |                pair |    ±5% |    0.25x |        - |  1.4x |  FAIL |   0.10x | 0.80x* |\n\
         |               frame |    ±5% |    0.50x |        - | ≈1.0x |     - |   0.10x |      - |\n\
         |          concurrent |   ±25% |    0.50x |        - |  4.0x |  3.0x |       - |      - |\n\
         | concurrent, threads |   ±25% |    0.50x |        - |  4.0x |  3.0x |       - |      - |"
    );
    assert!(key.starts_with("0.50x takes half the time"), "{key}");
}

#[test]
fn facts_stand_beside_the_measured_version_and_the_faults() {
    let mut results = example();
    results.run.libc = "glibc 2.36".to_owned();
    let text = facts::markdown(&results);
    let row = |subject: &str| {
        let mut rows = text.lines();
        let begin = format!("| `{subject}` |");
        rows.find(|row| row.starts_with(&begin)).unwrap()
    };
    assert_eq!(
        row("talc"),
        "| `talc` | talc 5.1.1, MIT OR Apache-2.0 | Rust | - | yes | one lock | lists by size | \
         constant; a search where a list has several sizes | 0 of 5 scenarios |"
    );
    assert!(row("system").starts_with("| `system` | glibc 2.36 | C | - | no | each has"));
    assert!(row("buddy").ends_with("| 1 of 3 scenarios pair |"));
    let absent = "| not measured: built without the feature `jemalloc` |";
    assert!(row("jemalloc").ends_with(absent));
}
