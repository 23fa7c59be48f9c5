//! The workloads in which threads take blocks and others give them back: their requests,
//! as an independent count sees them, who gives a block back, and the faults that they
//! find.

use allocator_lab::workload::{handover, larson};
use allocator_lab::{Heap, Report, Shared, Subject, Unavailable};

use crate::broken::{Broken, faults, hands_out_twice_for_ever, ignores_every_alignment, refuses};
use crate::watched::{Log, Seen, Watched, take_log};

/// A function that opens heaps on one subject.
fn opener<S: Subject>(
    open: fn() -> Result<S, Unavailable>,
    blocks: usize,
) -> impl Fn() -> Heap<Shared<S>> {
    let shared = Shared::new(open().unwrap());
    move || Heap::new(shared.clone(), blocks)
}

/// A call makes this many requests of this many bytes without a fault, and gives all blocks
/// back. Returns its log.
#[track_caller]
fn check(call: impl FnOnce() -> Report, requests: u64, bytes: u64) -> Log {
    let _ = take_log();
    let report = call();
    assert_eq!((report.requests, report.requested_bytes), (requests, bytes));
    assert_eq!(report.successful(), requests);
    let log = take_log();
    let Seen { takes, gives, .. } = log.seen;
    assert_eq!((takes, log.seen.bytes, gives), (requests, bytes, requests));
    assert!(log.owners.is_empty(), "{log:?}");
    log
}

/// The bytes are those of another program with another mt19937.
pub(crate) fn the_consumer_gives_its_share_back_and_the_producer_the_rest() {
    for (remote, by_consumer) in [(25, 10_240), (50, 20_480), (75, 30_720), (100, 40_960)] {
        assert!(handover::REMOTE.contains(&remote));
        let open = opener(|| Ok(Watched), handover::BATCH);
        let mut crew = handover::crew(open, remote, true);
        for _ in 0..2 {
            let log = check(|| crew.call().report, 40_960, 42_220_641);
            assert_eq!(log.seen.remote, by_consumer, "{remote} %");
            assert_eq!(log.threads.len(), 1, "the producer takes all");
        }
    }
}

/// The bytes are those of another program with another mt19937.
pub(crate) fn a_set_that_moves_is_given_back_by_another_thread() {
    for (threads, bytes) in [(1, 5_340_411), (2, 10_696_172), (4, 21_336_707)] {
        assert!(larson::THREADS.contains(&threads));
        let open = opener(|| Ok(Watched), larson::SLOTS);
        let mut server = larson::Server::new(open, threads, larson::STEPS[0], true);
        for _ in 0..2 {
            let requests = 10_500 * threads as u64;
            let log = check(|| server.call().report, requests, bytes);
            assert_eq!(log.threads.len(), threads);
            // In 2,500 draws of 500 slots all but 0.7 % are drawn. In three of four rounds
            // the first draw of a slot finds a block of another thread: 3 x 496.6 of 10,500.
            let percent = log.seen.remote * 100 / log.seen.gives;
            assert_eq!(percent, if threads == 1 { 0 } else { 14 }, "{threads}");
        }
    }
}

pub(crate) fn faults_are_found_on_every_thread() {
    let consumer = |open: fn() -> Result<Broken, Unavailable>| {
        let mut crew = handover::crew(opener(open, handover::BATCH), 100, true);
        faults(&crew.call().report)
    };
    let server = |open: fn() -> Result<Broken, Unavailable>| {
        let open = opener(open, larson::SLOTS);
        let mut server = larson::Server::new(open, 2, larson::STEPS[0], true);
        faults(&server.call().report)
    };
    assert_eq!(consumer(|| Ok(refuses())), [40_960, 0, 0, 0]);
    assert_eq!(server(|| Ok(refuses())), [21_000, 0, 0, 0]);
    assert_eq!(
        consumer(|| Ok(ignores_every_alignment())),
        [0, 40_960, 0, 0]
    );
    assert_eq!(server(|| Ok(ignores_every_alignment())), [0, 21_000, 0, 0]);
    // Of each two blocks one begins within the other, and the first has the second's stamp.
    let twice = || Ok(hands_out_twice_for_ever());
    assert_eq!(consumer(twice), [0, 0, 20_480, 20_480]);
    let [nulls, misaligned, _, corrupt] = server(twice);
    assert_eq!((nulls, misaligned), (0, 0));
    assert!(corrupt > 0);
}
