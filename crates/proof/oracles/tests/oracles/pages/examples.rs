//! The worked examples: runs and measures each line of the page's table.

use std::fs;
use std::hint::black_box;

use counting_alloc::{Measured, Tally, measure};
use libtest_mimic::Failed;
use proof_oracles::raw::Block;

use super::page;

const HEADING: &str = "## One example per operation";

/// The variables of the lines.
#[derive(Default)]
struct Variables {
    v: Vec<u8>,
    z: Vec<u8>,
    w: Vec<u64>,
    block: Option<Block>,
}

/// The first column, the code to measure, and a preparation that is not measured.
struct Example(&'static str, fn(&mut Variables), fn(&mut Variables));

/// An example that needs no preparation.
const fn example(code: &'static str, run: fn(&mut Variables)) -> Example {
    Example(code, run, |_| ())
}

const ONE_VECTOR: [Example; 5] = [
    example("`let mut v = Vec::<u8>::with_capacity(64)`", |vars| {
        vars.v = black_box(Vec::with_capacity(64));
    }),
    example("`v.reserve_exact(128)`", |vars| vars.v.reserve_exact(128)),
    example("`v.extend_from_slice(&[1; 16])`", |vars| {
        vars.v.extend_from_slice(&[1; 16]);
    }),
    example("`v.shrink_to_fit()`", |vars| vars.v.shrink_to_fit()),
    example("`drop(v)`", |vars| vars.v = Vec::new()),
];

const FURTHER: [Example; 6] = [
    example("`let mut z = vec![0_u8; 32]`", |vars| {
        vars.z = black_box(vec![0; 32]);
    }),
    example("`z.try_reserve_exact(isize::MAX as usize - 32)`", |vars| {
        let refused = vars.z.try_reserve_exact(isize::MAX as usize - 32);
        assert!(refused.is_err());
    }),
    example("`drop(z)`", |vars| vars.z = Vec::new()),
    Example(
        "`realloc(block, layout, 32)` of a block of 32",
        |vars| {
            if let Some(block) = &mut vars.block {
                block.resize(32);
            }
        },
        |vars| vars.block = Some(Block::new(32, 8)),
    ),
    example("ten pushes of a `u64` onto an empty vector", |vars| {
        for n in 0..10 {
            vars.w.push(black_box(n));
        }
    }),
    Example(
        "`drop(v)` of 100 bytes that were made before",
        |vars| vars.v = Vec::new(),
        |vars| vars.v = Vec::with_capacity(100),
    ),
];

pub(crate) fn the_worked_examples_match_the_counts() -> Result<(), Failed> {
    let page = fs::read_to_string(page())?;
    let section = page.split(HEADING).nth(1).ok_or("the section is missing")?;
    let section = section.split("\n## ").next().unwrap_or(section);
    let is_row = |line: &&str| {
        line.starts_with("| ") && !line.starts_with("| line ") && !line.starts_with("|--")
    };
    let mut rows = section.lines().filter(is_row);
    let mut vars = Variables::default();
    let mut check = |Example(code, run, prepare): &Example, rows: &mut dyn Iterator<Item = _>| {
        prepare(&mut vars);
        let measured = measure(|| run(&mut vars));
        expect(rows.next(), code, &operation(&measured.tally), &measured)
    };
    for example in &ONE_VECTOR {
        check(example, &mut rows)?;
    }
    let together = measure(|| {
        let mut vars = Variables::default();
        for Example(_, run, _) in &ONE_VECTOR {
            run(&mut vars);
        }
    });
    let operations = "1 alloc, 1 grow, 1 shrink, 1 dealloc";
    let Tally {
        allocs,
        grows,
        shrinks,
        deallocs,
        ..
    } = together.tally;
    assert_eq!([allocs, grows, shrinks, deallocs], [1; 4]);
    assert_eq!(together.tally.reallocs(), 2);
    assert_eq!(together.tally.alloc_calls(), 3);
    expect(
        rows.next(),
        "all of them in one window",
        operations,
        &together,
    )?;
    for example in &FURTHER {
        check(example, &mut rows)?;
    }
    match rows.next() {
        None => Ok(()),
        Some(row) => Err(format!("no example for the row {row}").into()),
    }
}

/// The beginning of the second column.
fn operation(tally: &Tally) -> String {
    let parts: Vec<String> = [
        (tally.allocs, "alloc", "of", tally.alloc_bytes),
        (tally.grows, "grow", "by", tally.grow_bytes),
        (tally.shrinks, "shrink", "by", tally.shrink_bytes),
        (tally.deallocs, "dealloc", "of", tally.dealloc_bytes),
    ]
    .into_iter()
    .filter(|&(calls, ..)| calls > 0)
    .map(|(calls, name, of, bytes)| {
        let plural = if calls == 1 { "" } else { "s" };
        format!("{calls} {name}{plural} {of} {bytes}")
    })
    .chain((tally.failed > 0).then(|| format!("{} failed", tally.failed)))
    .collect();
    match parts[..] {
        [] => String::from("none"),
        _ => parts.join(", "),
    }
}

/// Compares the first column of a row, the beginning of the second, and the
/// figures in the others.
fn expect(
    row: Option<&str>,
    code: &str,
    operation: &str,
    measured: &Measured<()>,
) -> Result<(), Failed> {
    let row = row.ok_or_else(|| format!("the row of {code} is missing"))?;
    let columns: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let [first, second, figures @ ..] = &columns[..] else {
        return Err(format!("too few columns: {row}").into());
    };
    let tally = &measured.tally;
    let counted = [
        tally.bytes().to_string(),
        tally.freed_bytes().to_string(),
        tally.net_bytes().to_string(),
        measured.peak_bytes.unwrap_or_default().to_string(),
    ];
    let after = second.strip_prefix(operation);
    if *first == code
        && after.is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
        && figures
            .iter()
            .copied()
            .eq(counted.iter().map(String::as_str))
    {
        return Ok(());
    }
    Err(format!("the page has\n{row}\nbut {code} was {operation}, {counted:?}").into())
}
