//! A wrapper counts what its name says.

use alloc_scenario::counting_alloc::process_tally;
use allocator_lab::workload::wrapper::{Wrapper, crew, window};

/// More allocations than the lab and std make beside the pairs.
const OWN: u64 = 100;

pub(crate) fn a_wrapper_makes_pairs_of_64_bytes_and_counts_them_if_it_is_on() {
    for threads in [1, 2] {
        for wrapper in Wrapper::ALL {
            let mut crew = crew(wrapper, threads);
            let before = process_tally().allocs;
            let window = window(&mut crew, wrapper);
            let counted = process_tally().allocs - before;
            let pairs = window.report.requests;
            assert_eq!(pairs, 1_000 * threads as u64 * window.passes, "{wrapper}");
            assert_eq!(window.report.requested_bytes, pairs * 64);
            assert_eq!(window.report.successful(), pairs);
            if wrapper == Wrapper::CountingOn {
                assert!(counted >= pairs, "{counted} of {pairs}");
            } else {
                assert!(counted < OWN, "{wrapper}: {counted}");
            }
        }
    }
}
