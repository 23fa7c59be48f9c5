//! A server, as in Larson's and Krishnan's benchmark: each thread replaces random blocks of
//! a set, and hands its set to the next thread after a while.

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use crate::crew::{Crew, Part};
use crate::entry::Need;
use crate::heap::Heap;
use crate::mt19937::{Mt19937, SEED};
use crate::plan::Plan;
use crate::registration::{CHECK, SubjectSuite, Workload, checks};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::shared::{Shared, on_threads};
use crate::subject::Subject;
use crate::window::{EXACT, WINDOW, Window};

/// The numbers of threads.
pub const THREADS: [usize; 3] = [1, 2, 4];

const THREADS_OF_CHECK: usize = 4;

/// Blocks of one set.
pub const SLOTS: usize = 500;

/// How often a set moves in one call: a multiple of each number of threads.
pub const ROUNDS: usize = 4;

/// Blocks that are replaced in one round of the check, and of a window.
pub const STEPS: [usize; 2] = [2_500, 25_000];

/// The sizes in bytes, each equally likely.
const SIZES: RangeInclusive<u32> = 16..=1_000;

/// The live blocks that one thread works on.
#[derive(Debug)]
struct Set<S> {
    heap: Heap<Shared<S>>,
    /// The stamp of each live block.
    stamps: Vec<u64>,
    next_stamp: u64,
    number: u32,
    random: Mt19937,
    rounds: usize,
    steps: usize,
    search: bool,
}

impl<S: Subject> Set<S> {
    fn new(heap: Heap<Shared<S>>, number: u32, steps: usize, search: bool) -> Self {
        Self {
            heap,
            stamps: Vec::with_capacity(SLOTS),
            next_stamp: 0,
            number,
            random: Mt19937::new(SEED),
            rounds: 0,
            steps,
            search,
        }
    }

    /// The next round, by whichever thread has the set.
    #[inline(never)]
    fn round(&mut self) -> Report {
        let mut report = Report::default();
        if self.rounds == 0 {
            self.random = Mt19937::new(SEED + self.number);
            self.next_stamp = u64::from(self.number) << 32;
            for _ in 0..SLOTS {
                self.take(&mut report);
            }
        }
        for _ in 0..self.steps {
            self.give_any(&mut report);
            self.take(&mut report);
        }
        self.rounds += 1;
        if self.rounds == ROUNDS {
            self.rounds = 0;
            if self.search && S::HAS_MEMORY {
                report.overlapping += self.heap.overlapping();
            }
            for (index, &stamp) in self.stamps.iter().enumerate() {
                report.corrupt += u64::from(!self.heap.block(index).is_stamped(stamp));
            }
            self.stamps.clear();
            self.heap.give_all();
        }
        report
    }

    #[inline]
    fn take(&mut self, report: &mut Report) {
        let size = self.random.draw_in(SIZES);
        if let Some(mut block) = self.heap.take(layout(size as usize, ALIGN), report) {
            block.stamp(self.next_stamp);
            self.stamps.push(self.next_stamp);
        }
        self.next_stamp += 1;
    }

    /// Verifies a random block and gives it back, unless all were refused.
    #[inline]
    fn give_any(&mut self, report: &mut Report) {
        let live = self.stamps.len() as u32;
        let index = self.random.draw_below(live) as usize;
        if live > 0 {
            let stamp = self.stamps.swap_remove(index);
            report.corrupt += u64::from(!self.heap.block(index).is_stamped(stamp));
            self.heap.give_and_swap(index);
        }
    }
}

/// The threads, with a set of blocks for each.
#[derive(Debug)]
pub struct Server {
    crew: Crew,
    passes: u64,
}

impl Server {
    /// This many threads, each of which replaces as many blocks as `steps` in a round. `search`
    /// looks for overlapping blocks in each set; without it, they are corrupt ones.
    pub fn new<S: Subject + 'static>(
        open: impl Fn() -> Heap<Shared<S>>,
        threads: usize,
        steps: usize,
        search: bool,
    ) -> Self {
        let sets: Arc<[Mutex<Set<S>>]> = (0..threads as u32)
            .map(|number| Mutex::new(Set::new(open(), number, steps, search)))
            .collect();
        let part = |thread: usize| -> Part {
            let sets = Arc::clone(&sets);
            let mut turn = thread;
            Box::new(move || {
                let set = &sets[turn % threads];
                turn += 1;
                // No other thread has this set in this round.
                set.lock().unwrap_or_else(PoisonError::into_inner).round()
            })
        };
        Self {
            crew: Crew::new((0..threads).map(part).collect()),
            passes: 1,
        }
    }

    /// Takes 500 blocks for each set. Then, in each of four rounds, each thread verifies
    /// and gives back a random block of its set and takes another one, for each step, and the
    /// set moves to the next thread. At the end all blocks are given back.
    ///
    /// mt19937 draws the sizes, from 16 to 1,000 bytes. On more than one thread, about a
    /// seventh of the blocks are given back by another thread than the one that took them.
    pub fn call(&mut self) -> Window {
        let first = self.crew.call();
        (1..ROUNDS).fold(first, |sum, _| sum.then(self.crew.call()))
    }

    /// As [`Crew::window`]; the wall time is that of the rounds.
    pub fn window(&mut self) -> Window {
        let mut passes = self.passes;
        let window = Window::of(&mut passes, |passes| {
            let first = self.call();
            let sum = (1..passes).fold(first, |sum, _| sum.then(self.call()));
            Window { passes, ..sum }
        });
        self.passes = passes;
        window
    }
}

pub(crate) struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.found(
            "larson",
            &[Need::OtherThreads],
            Plan::THREADS,
            WINDOW,
            |b| {
                let b = b.axis("threads", THREADS);
                on_threads::<S, _>(b.elements(|_| SLOTS + ROUNDS * STEPS[1]).untimed())
            },
            |open, &(_, threads)| Server::new(open.shared(SLOTS), threads, STEPS[1], false),
            Server::window,
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        if Shared::<S>::POSSIBLE {
            suite.found(
                CHECK,
                &[Need::Memory],
                Plan::ONCE,
                EXACT,
                |b| on_threads::<S, _>(checks("larson")(b)),
                |open, _| Server::new(open.shared(SLOTS), THREADS_OF_CHECK, STEPS[0], true),
                Server::call,
            );
        }
    }
}
