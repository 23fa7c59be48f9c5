//! Checks that the comparison can fail: it must report counts that don't belong
//! together.

use libtest_mimic::{Failed, Trial};
use proof_oracles::conversion::{self, OurCounts, disagreements};
use proof_oracles::operation::Operation;
use proof_oracles::operations;
use proof_oracles::{FIELDS, Values};
use proof_shared::named;

use crate::{programs, valgrind};

/// The trials that need no valgrind.
pub(crate) fn trials() -> [Trial; 3] {
    named![
        another_operation_is_a_disagreement_with_every_oracle,
        a_tally_that_is_off_by_one_is_a_disagreement_in_every_field,
        a_peak_that_is_off_by_one_is_a_disagreement,
    ]
    .map(trial)
}

pub(crate) fn trials_with_valgrind() -> [Trial; 2] {
    named![
        another_operation_is_a_disagreement_with_valgrind,
        valgrind_counts_the_blocks_of_c_code_separately,
    ]
    .map(trial)
}

fn trial((name, test): (&str, fn() -> Result<(), Failed>)) -> Trial {
    Trial::test(format!("sensitivity::{name}"), test)
}

fn find(name: &str) -> Result<&'static Operation, Failed> {
    operations::find(name).ok_or_else(|| format!("no operation is called `{name}`").into())
}

fn differ(oracle: &str, converted: &Values, reported: &Values) -> Result<(), Failed> {
    match disagreements(converted, reported)[..] {
        [] => Err(format!("{oracle} agrees with the counts of another operation").into()),
        _ => Ok(()),
    }
}

/// The two operations differ in one block: the scratch buffer of a stable sort.
fn another_operation_is_a_disagreement_with_every_oracle() -> Result<(), Failed> {
    let ours = programs::ours(find("sort_stable")?)?;
    let another = find("sort_unstable")?;
    let recorded = conversion::reported_by_recorder(&programs::ours(another)?);
    differ("recorder", &conversion::recorder(&ours), &recorded)?;
    differ("dhat", &conversion::dhat(&ours), &programs::dhat(another)?)
}

fn another_operation_is_a_disagreement_with_valgrind() -> Result<(), Failed> {
    let ours = programs::ours(find("sort_stable")?)?;
    let reported = valgrind::count(find("sort_unstable")?)?;
    let converted = conversion::valgrind(&ours, reported.c_blocks);
    differ("valgrind", &converted, &reported.by_rust)
}

/// The recorder finds it, and so does dhat-rs, which counts no refused requests.
fn a_tally_that_is_off_by_one_is_a_disagreement_in_every_field() -> Result<(), Failed> {
    let operation = find("every_kind_of_call")?;
    let ours = programs::ours(operation)?;
    let recorded = conversion::reported_by_recorder(&ours);
    let dhat = programs::dhat(operation)?;
    let disagree = |ours: &OurCounts| {
        [
            !disagreements(&conversion::recorder(ours), &recorded).is_empty(),
            !disagreements(&conversion::dhat(ours), &dhat).is_empty(),
        ]
    };
    assert_eq!(disagree(&ours), [false, false], "nothing is off yet");
    for (name, field) in FIELDS {
        let mut off = ours.clone();
        *field(&mut off.tally) += 1;
        assert_eq!(
            disagree(&off),
            [true, name != "failed"],
            "{name}: {}",
            off.tally
        );
    }
    Ok(())
}

fn a_peak_that_is_off_by_one_is_a_disagreement() -> Result<(), Failed> {
    let operation = find("every_kind_of_call")?;
    let mut ours = programs::ours(operation)?;
    ours.peak -= 1;
    differ(
        "dhat",
        &conversion::dhat(&ours),
        &programs::dhat(operation)?,
    )
}

/// `opendir` allocates a buffer that no counter in Rust sees.
fn valgrind_counts_the_blocks_of_c_code_separately() -> Result<(), Failed> {
    let reported = valgrind::count(find("folder_listed")?)?;
    assert!(reported.c_blocks > 0, "{reported:?}");
    let reported = valgrind::count(find("vec_pushes")?)?;
    assert_eq!(reported.c_blocks, 0, "{reported:?}");
    Ok(())
}
