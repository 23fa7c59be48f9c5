//! Parses the tree that divan prints, which is the only way to read its tallies.

use libtest_mimic::Failed;
use proof_oracles::lines::LINES;

/// Divan's output about allocations for each of the five lines, in its own words and
/// units.
pub(crate) fn cells(printed: &str) -> Result<Vec<String>, Failed> {
    let mut lines: Vec<Vec<String>> = Vec::new();
    for row in printed.lines().map(first_column) {
        match row.split_whitespace().collect::<Vec<_>>()[..] {
            // `2  1.369 µs`: the argument and the fastest time.
            [argument, _, unit] if unit.ends_with('s') => {
                if argument.parse() != Ok(lines.len() + 1) {
                    return Err(format!("divan's output lacks a line:\n{printed}").into());
                }
                lines.push(Vec::new());
            }
            [] => {}
            _ => {
                // The column headings and the function come before the first line.
                if let Some(line) = lines.last_mut() {
                    line.push(row.to_owned());
                }
            }
        }
    }
    if lines.len() != LINES.len() {
        return Err(format!("divan's output has an unknown format:\n{printed}").into());
    }
    lines.iter().map(|line| cell(line)).collect()
}

/// The text of the first column, without the branches of the tree.
fn first_column(row: &str) -> &str {
    let text = row.trim_start_matches([' ', '│', '├', '╰', '─']);
    text.split('│').next().unwrap_or(text).trim()
}

/// The cell for groups of a label, a count and a size.
fn cell(rows: &[String]) -> Result<String, Failed> {
    let mut parts = Vec::new();
    for group in rows.chunks(3) {
        let [label, count, size] = group else {
            return Err(format!("divan's output has an incomplete tally: {group:?}").into());
        };
        let Some(label) = label.strip_suffix(':') else {
            return Err(format!("divan's output has `{label}` instead of a label").into());
        };
        parts.push(format!("{label} {count}, {size}"));
    }
    Ok(match parts[..] {
        [] => String::from("nothing"),
        _ => parts.join("; "),
    })
}

pub(crate) fn the_output_of_divan_is_parsed() -> Result<(), Failed> {
    let printed = "\
counted_by_divan  fastest       │ slowest       │ median        │ mean          │ samples │ iters
╰─ line                         │               │               │               │         │
   ├─ 1           4.794 µs      │ 4.794 µs      │ 4.794 µs      │ 4.794 µs      │ 1       │ 1
   │              alloc:        │               │               │               │         │
   │                1           │ 1             │ 1             │ 1             │         │
   │                64 B        │ 64 B          │ 64 B          │ 64 B          │         │
   │              grow:         │               │               │               │         │
   │                2           │ 2             │ 2             │ 2             │         │
   │                8 B         │ 8 B           │ 8 B           │ 8 B           │         │
   ├─ 2           2 ns          │ 2 ns          │ 2 ns          │ 2 ns          │ 1       │ 1
   ├─ 3           2 ns          │ 2 ns          │ 2 ns          │ 2 ns          │ 1       │ 1
   ├─ 4           56.24 µs      │ 56.24 µs      │ 56.24 µs      │ 56.24 µs      │ 1       │ 1
   ╰─ 5           18.99 ms      │ 18.99 ms      │ 18.99 ms      │ 18.99 ms      │ 1       │ 1
                  shrink:       │               │               │               │         │
                    1           │ 1             │ 1             │ 1             │         │
                    112 B       │ 112 B         │ 112 B         │ 112 B         │         │

";
    assert_eq!(
        cells(printed)?,
        [
            "alloc 1, 64 B; grow 2, 8 B",
            "nothing",
            "nothing",
            "nothing",
            "shrink 1, 112 B"
        ]
    );
    let without = |text: &str| {
        let rows = printed.lines().filter(|row| !row.contains(text));
        rows.collect::<Vec<_>>().join("\n")
    };
    assert!(cells(&without("64 B")).is_err(), "an incomplete tally");
    assert!(cells(&without("├─ 3")).is_err(), "a missing line");
    assert!(cells("").is_err());
    Ok(())
}
