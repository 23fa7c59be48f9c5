//! Blocks that another thread gives back: a producer takes them, and a consumer verifies
//! them and gives them back.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::crew::{Crew, Part};
use crate::entry::Need;
use crate::heap::Heap;
use crate::mt19937::{Mt19937, SEED};
use crate::plan::Plan;
use crate::registration::SubjectSuite;
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::shared::{Shared, on_threads};
use crate::subject::Subject;
use crate::window::WINDOW;

/// The shares of the blocks that the consumer gives back, in percent.
pub const REMOTE: [usize; 2] = [50, 100];

/// Blocks of one call.
const BLOCKS: usize = 40_960;

/// Blocks that are given back together.
pub const BATCH: usize = 256;

/// Batches that are under way to the consumer, or back, at most.
const UNDER_WAY: u64 = 4;

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

/// Batches from one thread to the other. It has room for all of them, and allocates
/// nothing after it was made.
struct Queue<S> {
    batches: Mutex<VecDeque<Batch<S>>>,
    is_there: Condvar,
}

impl<S> Queue<S> {
    fn new(batches: impl Iterator<Item = Batch<S>>) -> Self {
        let mut queue = VecDeque::with_capacity(UNDER_WAY as usize + 1);
        queue.extend(batches);
        Self {
            batches: Mutex::new(queue),
            is_there: Condvar::new(),
        }
    }

    fn push(&self, batch: Batch<S>) {
        let mut batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
        batches.push_back(batch);
        drop(batches);
        self.is_there.notify_one();
    }

    /// The oldest batch, for which it waits.
    fn pop(&self) -> Batch<S> {
        let batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = self
            .is_there
            .wait_timeout_while(batches, MAX_WAIT, |all| all.is_empty());
        let (mut batches, _) = wait.unwrap_or_else(PoisonError::into_inner);
        batches
            .pop_front()
            .expect("a batch arrives within a minute, unless the other thread has panicked")
    }
}

/// The queues between both threads.
struct Link<S> {
    full: Queue<S>,
    empty: Queue<S>,
    /// The share of blocks that go to the consumer, in percent.
    remote: usize,
}

/// A producer and a consumer with everything that they need, on two threads. In a call,
/// the producer takes 40,960 blocks of 16 to 2,048 bytes, whose sizes mt19937 draws, and
/// writes a number to both ends of each.
///
/// The consumer gets all blocks, or every second one, and the producer keeps the others. Both
/// verify blocks and give them back 256 at a time. At most four batches are under way; a thread
/// that has to wait sleeps.
pub fn crew<S: Subject + 'static>(open: impl Fn() -> Heap<Shared<S>>, remote: usize) -> Crew {
    let batch = |number: u64| Batch {
        heap: open(),
        requests: 0,
        first_stamp: number << 32,
    };
    let (mut own, mut next) = (batch(0), batch(1));
    let link = Arc::new(Link {
        full: Queue::new([].into_iter()),
        empty: Queue::new((2..2 + UNDER_WAY).map(batch)),
        remote,
    });
    let producer: Part = {
        let link = Arc::clone(&link);
        Box::new(move || produce(&link, &mut own, &mut next))
    };
    Crew::new(vec![producer, Box::new(move || consume(&link))])
}

/// The producer's part. `own` has the blocks that it gives back itself, and `next` those
/// that go to the consumer next.
#[inline(never)]
fn produce<S: Subject>(link: &Link<S>, own: &mut Batch<S>, next: &mut Batch<S>) -> Report {
    let mut report = Report::default();
    let mut random = Mt19937::new(SEED);
    for number in 0..BLOCKS {
        let size = random.draw_in(16..=2_048) as usize;
        if number % 2 < link.remote / 50 {
            next.take(size, &mut report);
            if next.requests == BATCH {
                let empty = link.empty.pop();
                link.full.push(mem::replace(next, empty));
            }
        } else {
            own.take(size, &mut report);
            if own.requests == BATCH {
                own.give(&mut report);
            }
        }
    }
    report
}

/// The consumer's part, which gives back as many batches as the producer fills.
#[inline(never)]
fn consume<S: Subject>(link: &Link<S>) -> Report {
    let mut report = Report::default();
    for _ in 0..BLOCKS * link.remote / 100 / BATCH {
        let mut batch = link.full.pop();
        batch.give(&mut report);
        link.empty.push(batch);
    }
    report
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
