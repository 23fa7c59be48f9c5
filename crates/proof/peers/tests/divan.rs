//! Checks that divan's allocator tallies when it is called directly as a value. A
//! program can't read its counts; a bench prints them in a table.

use std::process::Command;

#[test]
fn divan_tallies_direct_calls_of_its_allocator() {
    let output = Command::new(env!("CARGO_BIN_EXE_divan-tallies"))
        .output()
        .unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{table}");
    // 750 allocations of 64 bytes, 48,000 bytes in all, and as many deallocations.
    let counted = |heading: &str| {
        let first_cells = table.lines().map(|line| line.split('│').next());
        let mut first_cells = first_cells.map(|cell| cell.unwrap_or_default().trim());
        first_cells.find(|cell| *cell == heading);
        [(); 2].map(|()| first_cells.next().unwrap_or_default().to_owned())
    };
    for heading in ["alloc:", "dealloc:"] {
        assert_eq!(counted(heading), ["750", "48 KB"], "{heading}\n{table}");
    }
}
