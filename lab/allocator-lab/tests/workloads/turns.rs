//! The wrappers take turns: a round has a turn of every wrapper, and a wrapper counts in
//! its own turns alone.

use alloc_scenario::counting_alloc::thread_tally;
use allocator_lab::workload::wrapper::{Rounds, Wrapper};

/// The allocations that this thread counts during the call.
fn counted<T>(call: impl FnOnce() -> T) -> (u64, T) {
    let before = thread_tally().allocs;
    let value = call();
    (thread_tally().allocs - before, value)
}

pub(crate) fn a_turn_is_forty_thousand_pairs_of_64_bytes_or_ten_times_as_many_on_threads() {
    for (threads, pairs) in [(1, 40_000), (2, 400_000)] {
        let mut rounds = Rounds::on(threads);
        for wrapper in Wrapper::ALL {
            let turn = rounds.next(wrapper);
            let report = turn.report;
            assert_eq!(
                (report.requests, report.requested_bytes),
                (pairs, pairs * 64),
                "{wrapper}"
            );
            assert_eq!(report.successful(), pairs, "{wrapper}");
            assert!(turn.pairs_nanoseconds > 0, "{wrapper}");
        }
    }
}

/// More allocations than the loops make for their own lists.
const OWN: u64 = 100;

pub(crate) fn counting_is_on_in_one_turn_of_a_round_and_off_in_the_others() {
    let mut rounds = Rounds::on(1);
    // 4 calls before and 40 that are timed, of 1,000 pairs: those of one wrapper. If the
    // paused wrapper counted, they would be twice as many.
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
    // A wrapper that is behind reads a turn that was taken already.
    let (allocs, _) = counted(|| rounds.next(Wrapper::Floor));
    assert_eq!(allocs, 0);
}
