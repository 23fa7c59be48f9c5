//! Compares the figures in `design/counting-model.md` with the counters: the worked
//! examples with a measurement of each line, the table of peers with the peers. And the numbers
//! in `design/from-your-counter.md`.
//! `ALLOC_GATE_BLESS=1` rewrites the table.

mod divan;
mod examples;
mod from_your_counter;
mod peers;

use std::path::PathBuf;

use divan::the_output_of_divan_is_parsed;
use examples::the_worked_examples_match_the_counts;
use from_your_counter::each_number_of_another_counter_is_ours_or_differs;
use libtest_mimic::Trial;
use peers::{a_changed_figure_changes_the_table, the_table_of_peers_matches_their_output};
use proof_shared::named;

pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    named![
        the_worked_examples_match_the_counts,
        the_table_of_peers_matches_their_output,
        a_changed_figure_changes_the_table,
        the_output_of_divan_is_parsed,
        each_number_of_another_counter_is_ours_or_differs,
    ]
    .into_iter()
    .map(|(name, test)| Trial::test(name, test))
}

/// The path of the page.
fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../design/counting-model.md")
}
