//! Blocks that another thread gives back: a producer takes them, and a consumer verifies
//! them and gives them back.

use std::mem;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Duration;

use crate::crew::{Crew, Part};
use crate::heap::Heap;
use crate::mt19937::{Mt19937, SEED};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::{Shared, Subject};
use crate::suite::{Need, Plan, SubjectSuite, on_threads};
use crate::window::WINDOW;

/// The shares of the blocks that the consumer gives back, in percent.
pub const REMOTE: [usize; 2] = [50, 100];

/// Blocks of one call.
const BLOCKS: usize = 40_960;

/// Blocks that are given back together.
pub const BATCH: usize = 256;

/// Batches that are under way to the consumer, or back, at most.
const UNDER_WAY: usize = 4;

/// How long a thread waits for the other one, which must have panicked then.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// Blocks that one thread gives back, the oldest first.
struct Batch<S> {
    heap: Heap<Shared<S>>,
    requests: usize,
    /// Where the stamps of its blocks begin; no two batches have the same ones.
    first_stamp: u64,
}

impl<S: Subject> Batch<S> {
    #[inline]
    fn take(&mut self, size: usize, report: &mut Report) {
        let stamp = self.first_stamp + self.heap.live_blocks() as u64;
        if let Some(mut block) = self.heap.take(layout(size, ALIGN), report) {
            block.stamp(stamp);
        }
        self.requests += 1;
    }

    /// Verifies all blocks and gives them back.
    #[inline]
    fn give(&mut self, report: &mut Report) {
        for index in 0..self.heap.live_blocks() {
            let stamp = self.first_stamp + index as u64;
            report.corrupt += u64::from(!self.heap.block(index).is_stamped(stamp));
        }
        self.heap.give_all();
        self.requests = 0;
    }
}

/// A producer and a consumer with everything that they need, on two threads. In a call,
/// the producer takes 40,960 blocks of 16 to 2,048 bytes, whose sizes mt19937 draws, and
/// writes a number to both ends of each.
///
/// The consumer gets all blocks, or every second one, and the producer keeps the others. Both
/// verify blocks and give them back 256 at a time. At most four batches are under way; a thread
/// that has to wait sleeps.
pub fn crew<S: Subject + 'static>(open: impl Fn() -> Heap<Shared<S>>, remote: usize) -> Crew {
    let batch = |number: usize| Batch {
        heap: open(),
        requests: 0,
        first_stamp: (number as u64) << 32,
    };
    let (mut own, mut next) = (batch(0), batch(1));
    let (to_consumer, full) = mpsc::sync_channel(UNDER_WAY);
    let (to_producer, empty) = mpsc::sync_channel(UNDER_WAY);
    for number in 2..2 + UNDER_WAY {
        send(&to_producer, batch(number));
    }
    let producer: Part = Box::new(move || {
        let mut report = Report::default();
        let mut random = Mt19937::new(SEED);
        for number in 0..BLOCKS {
            let is_remote = number % 2 < remote / 50;
            let batch = if is_remote { &mut next } else { &mut own };
            batch.take(random.draw_in(16..=2_048) as usize, &mut report);
            if batch.requests == BATCH && is_remote {
                let full = mem::replace(batch, receive(&empty));
                send(&to_consumer, full);
            } else if batch.requests == BATCH {
                batch.give(&mut report);
            }
        }
        report
    });
    let consumer: Part = Box::new(move || {
        let mut report = Report::default();
        for _ in 0..BLOCKS * remote / 100 / BATCH {
            let mut batch = receive(&full);
            batch.give(&mut report);
            send(&to_producer, batch);
        }
        report
    });
    Crew::new(vec![producer, consumer])
}

fn send<T>(queue: &SyncSender<T>, batch: T) {
    // Each thread keeps its ends of both queues as long as the crew lives.
    let _ = queue.send(batch);
}

fn receive<T>(queue: &Receiver<T>) -> T {
    let batch = queue.recv_timeout(MAX_WAIT);
    batch.expect("a batch arrives within a minute, unless the other thread has panicked")
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "handover",
        &[Need::OtherThreads],
        Plan::THREADS,
        WINDOW,
        |b| on_threads::<S, _>(b.axis("remote", REMOTE).elements(|_| BLOCKS).untimed()),
        |open, &(_, remote)| crew(open.shared(BATCH), remote),
        Crew::window,
    );
}
