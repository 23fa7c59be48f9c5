//! What can be told of a subject by asking it, as a scenario.

use alloc_scenario::{Definition, Unit};

use crate::entrant::{Entry, Need};
use crate::memory::Footprint;
use crate::subject::{Subject, Unavailable};
use crate::workload::architecture;

use super::{Blank, Often, outcome};

/// A process is asked once, in the set-up; the iteration says what was found.
pub(super) fn architecture<S: Subject + 'static>(
    b: Blank,
    entry: &Entry<S>,
) -> Definition<'static> {
    let b = b
        .axis("subject", [entry.name.clone()])
        .warmup(Often::ONCE.warmup)
        .iterations(Often::ONCE.iterations);
    let missing = entry
        .hindrance(Need::Places)
        .or_else(|| Footprint::now().err().map(|Unavailable(reason)| reason));
    if let Some(reason) = missing {
        return b.unavailable(reason);
    }
    let open = entry.opener(architecture::BLOCKS);
    b.setup(move |_| match architecture::architecture(&mut open()) {
        Ok(found) => found,
        Err(missing) => panic!("it was there a moment ago, but now: {missing}"),
    })
    .run(|found| *found)
    .outcome(|found| outcome(&found.report))
    .metric("shared", Unit::Count, |found| i64::from(found.shared))
    .metric("reused", Unit::Count, |found| i64::from(found.reused))
    .metric("coalesced", Unit::Count, |found| i64::from(found.coalesced))
    .metric("kept-bytes", Unit::Bytes, |found| found.kept_bytes)
    .into()
}
