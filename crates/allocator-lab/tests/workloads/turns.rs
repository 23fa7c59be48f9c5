//! The wrappers take turns: one round is every wrapper's, and those that count do so in
//! their own turns and in no other.

use alloc_scenario::counting_alloc::thread_tally;
use allocator_lab::workload::wrapper::{Rounds, Wrapper};

/// Allocations that this thread has counted meanwhile.
fn counted<T>(call: impl FnOnce() -> T) -> (u64, T) {
    let before = thread_tally().allocs;
    let value = call();
    (thread_tally().allocs - before, value)
}

pub(crate) fn a_turn_is_forty_thousand_pairs_of_64_bytes_without_a_refusal() {
    for threads in [1, 2] {
        let mut rounds = Rounds::on(threads);
        for wrapper in Wrapper::ALL {
            let turn = rounds.next(wrapper);
            let report = turn.report;
            assert_eq!(
                (report.requests, report.requested_bytes),
                (40_000, 2_560_000),
                "{wrapper}"
            );
            assert_eq!(report.successful(), 40_000, "{wrapper}");
            assert!(turn.pairs_nanoseconds > 0, "{wrapper}");
        }
    }
}

/// The loops' own lists, of which there are a few for each wrapper.
const OWN: u64 = 100;

pub(crate) fn counting_is_on_in_one_turn_of_a_round_and_off_in_the_others() {
    let mut rounds = Rounds::on(1);
    // 4 calls before and 40 that are timed, of 1,000 pairs: of one wrapper, while what
    // counts in a pause would make it twice as many.
    for _ in 0..2 {
        let (allocs, _) = counted(|| rounds.next(Wrapper::CountingOff));
        assert!((44_000..44_000 + OWN).contains(&allocs), "{allocs}");
    }
}

pub(crate) fn a_round_is_taken_for_all_wrappers_at_once() {
    let mut rounds = Rounds::on(1);
    let _ = rounds.next(Wrapper::None);
    for wrapper in Wrapper::ALL {
        let (allocs, _) = counted(|| rounds.next(wrapper));
        let is_new = allocs >= 44_000;
        assert_eq!(is_new, wrapper == Wrapper::None, "{wrapper}: {allocs}");
    }
    // Where the others are behind, they get what is there.
    let (allocs, _) = counted(|| rounds.next(Wrapper::Floor));
    assert_eq!(allocs, 0);
}
