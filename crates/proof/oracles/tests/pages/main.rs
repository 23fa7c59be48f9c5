//! Compares the figures in `design/counting-model.md` with the counters: the worked
//! examples with a measurement of each line, the table of peers with the peers.
//! `ALLOC_GATE_BLESS=1` rewrites the table.

mod divan;
mod examples;
mod peers;

use std::path::PathBuf;
use std::process::ExitCode;

use counting_alloc::CountingAlloc;
use libtest_mimic::{Arguments, Trial};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let trials = vec![
        Trial::test(
            "the_worked_examples_match_the_counts",
            examples::the_worked_examples_match_the_counts,
        ),
        Trial::test(
            "the_table_of_peers_matches_their_output",
            peers::the_table_of_peers_matches_their_output,
        ),
        Trial::test(
            "a_changed_figure_changes_the_table",
            peers::a_changed_figure_changes_the_table,
        ),
        Trial::test(
            "the_output_of_divan_is_parsed",
            divan::the_output_of_divan_is_parsed,
        ),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// The path of the page.
fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../design/counting-model.md")
}
