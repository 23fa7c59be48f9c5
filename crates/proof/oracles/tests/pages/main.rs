//! The figures in `design/counting-model.md`, compared with what the counters
//! say: the worked examples with a measurement of each line, the table of peers
//! with the peers. `ALLOC_GATE_BLESS=1` rewrites the table.

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
            "the_worked_examples_are_what_is_counted",
            examples::the_worked_examples_are_what_is_counted,
        ),
        Trial::test(
            "the_table_of_peers_is_what_they_say",
            peers::the_table_of_peers_is_what_they_say,
        ),
        Trial::test(
            "a_figure_that_changed_is_found_in_the_table",
            peers::a_figure_that_changed_is_found_in_the_table,
        ),
        Trial::test(
            "what_divan_prints_is_read",
            divan::what_divan_prints_is_read,
        ),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Where the page is.
fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../design/counting-model.md")
}
