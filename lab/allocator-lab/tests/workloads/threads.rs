//! The workload in which one thread takes blocks and another one gives them back: its requests,
//! as an independent count sees them, who gives a block back, and the faults that it finds.

use allocator_lab::workload::handover;
use allocator_lab::{Heap, Shared, Subject};

use crate::broken::{faults, hands_out_twice, ignores_alignment, refuses};
use crate::watched::{Watched, take_log};

/// A function that opens heaps on one subject.
fn opener<S: Subject>(subject: S) -> impl Fn() -> Heap<Shared<S>> {
    let shared = Shared::new(subject);
    move || Heap::new(shared.clone(), handover::BATCH)
}

/// Another program with another mt19937 has these bytes.
pub(crate) fn the_consumer_gives_its_share_back_and_the_producer_the_rest() {
    for (remote, by_consumer) in [(50, 20_480), (100, 40_960)] {
        assert!(handover::REMOTE.contains(&remote));
        let mut crew = handover::crew(opener(Watched), remote);
        for _ in 0..2 {
            let report = crew.call().report;
            assert_eq!(report.successful(), 40_960);
            let log = take_log();
            assert_eq!((log.seen.takes, log.seen.bytes), (40_960, 42_220_641));
            assert_eq!((log.seen.gives, log.seen.remote), (40_960, by_consumer));
            assert!(log.owners.is_empty(), "{log:?}");
            assert_eq!(log.threads.len(), 1, "the producer takes all");
        }
    }
}

pub(crate) fn faults_are_found_on_both_threads() {
    let found = |subject| faults(&handover::crew(opener(subject), 100).call().report);
    assert_eq!(found(refuses()), [40_960, 0, 0, 0]);
    assert_eq!(found(ignores_alignment()), [0, 40_960, 0, 0]);
    // Of each two blocks the first has the second's stamp.
    assert_eq!(found(hands_out_twice()), [0, 0, 0, 20_480]);
}
