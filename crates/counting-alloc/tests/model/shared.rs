//! The state that the threads of one program share: the turns, the operations so far,
//! and the first failure. Nothing here allocates between the start of a program and its
//! end.

use std::any::Any;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Barrier, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};

use counting_alloc::{Tally, process_tally};

use crate::block::Wrong;
use crate::ledger::Ledger;
use crate::random::Random;

/// How the threads of a program run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// One thread at a time does a step, in an order that follows from the seed. The
    /// others wait, so that the totals of the process can be compared after every step.
    InTurns,
    /// All threads at once. They all wait for each other after a number of steps.
    AtOnce,
}

/// The steps between two points at which threads that run at once wait for each other.
pub(crate) const ROUND: u64 = 50;

pub(crate) struct Shared {
    order: Order,
    /// The thread of each step of the program.
    schedule: Vec<u8>,
    position: AtomicUsize,
    threads: Vec<OnceLock<Thread>>,
    start_line: Barrier,
    barrier: Barrier,
    /// The operations that each thread last reported.
    ledgers: Vec<Mutex<Ledger>>,
    /// The tally of the process before the program.
    start: Mutex<Tally>,
    failure: Mutex<Option<String>>,
    /// Whether a failure was seen while all threads waited. It is only written then, so
    /// that all of them stop at the same barrier.
    stop: AtomicBool,
    /// Whether a window captures the stacks of the process.
    is_captured: AtomicBool,
}

/// Another thread found a failure, or the program has ended.
#[derive(Debug)]
pub(crate) struct Stopped;

/// Why the program of a thread ends before its last step.
pub(crate) enum End {
    Stopped,
    Wrong(Wrong),
}

impl From<Stopped> for End {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<Wrong> for End {
    fn from(wrong: Wrong) -> Self {
        Self::Wrong(wrong)
    }
}

impl Shared {
    pub(crate) fn new(order: Order, threads: usize, steps: u64, seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5EED);
        let mut left = vec![steps; threads];
        let mut schedule = Vec::new();
        while left.iter().any(|&left| left > 0) {
            let thread = random.below(threads);
            if left[thread] > 0 {
                left[thread] -= 1;
                schedule.push(u8::try_from(thread).expect("few threads"));
            }
        }
        Self {
            order,
            schedule,
            position: AtomicUsize::new(0),
            threads: (0..threads).map(|_| OnceLock::new()).collect(),
            start_line: Barrier::new(threads + 1),
            barrier: Barrier::new(threads),
            ledgers: (0..threads).map(|_| Mutex::default()).collect(),
            start: Mutex::default(),
            failure: Mutex::default(),
            stop: AtomicBool::new(false),
            is_captured: AtomicBool::new(false),
        }
    }

    /// Notes whether a window captures the stacks of the process, and returns what was so.
    pub(crate) fn set_captured(&self, is_captured: bool) -> bool {
        self.is_captured.swap(is_captured, Relaxed)
    }

    pub(crate) fn order(&self) -> Order {
        self.order
    }

    /// Starts the totals. All threads have called it, have counters of their own, and
    /// allocate nothing more.
    pub(crate) fn line_up(&self, me: usize) {
        self.threads[me].get_or_init(thread::current);
        // Locks that allocate on their first use have done so before.
        drop(locked(&self.failure));
        drop(locked(&self.start));
        drop(locked(&self.ledgers[me]));
        self.start_line.wait();
        if self.barrier.wait().is_leader() {
            *locked(&self.start) = process_tally();
        }
        self.barrier.wait();
    }

    /// Called by the thread that started the others, when it has nothing more to
    /// allocate.
    pub(crate) fn let_start(&self) {
        self.start_line.wait();
    }

    /// Waits for the turn of `me`.
    pub(crate) fn await_turn(&self, me: usize) -> Result<(), Stopped> {
        if self.order == Order::AtOnce {
            return Ok(());
        }
        loop {
            match self.schedule.get(self.position.load(Acquire)) {
                None => return Err(Stopped),
                Some(&turn) if usize::from(turn) == me => return Ok(()),
                Some(_) => thread::park(),
            }
        }
    }

    /// Gives the turn to the next thread. When all threads run at once, waits for the
    /// others at the end of a round.
    pub(crate) fn end_turn(&self, me: usize, steps: u64, did: Ledger) -> Result<(), Stopped> {
        match self.order {
            Order::InTurns => {
                let next = self.position.fetch_add(1, Release) + 1;
                if let Some(&turn) = self.schedule.get(next) {
                    self.wake(usize::from(turn));
                }
                Ok(())
            }
            Order::AtOnce if steps % ROUND == 0 => {
                self.publish(me, did);
                self.stand_still()
            }
            Order::AtOnce => Ok(()),
        }
    }

    fn stand_still(&self) -> Result<(), Stopped> {
        if self.barrier.wait().is_leader() {
            if let Err(wrong) = self.compare() {
                self.fail(format!("with all threads standing still, {wrong}"));
            }
            self.stop.store(locked(&self.failure).is_some(), Relaxed);
        }
        self.barrier.wait();
        match self.stop.load(Relaxed) {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    /// Reports the operations of `me` so far.
    pub(crate) fn publish(&self, me: usize, did: Ledger) {
        *locked(&self.ledgers[me]) = did;
    }

    /// The sum of the operations that all threads reported.
    pub(crate) fn did(&self) -> Tally {
        self.ledgers
            .iter()
            .map(|ledger| locked(ledger).tally())
            .fold(Tally::ZERO, |sum, did| sum + did)
    }

    /// Compares the totals of the process, while all other threads wait.
    pub(crate) fn compare(&self) -> Result<(), String> {
        let counted = process_tally() - *locked(&self.start);
        let expected = self.did();
        if counted == expected {
            return Ok(());
        }
        Err(format!(
            "the process did    {expected}\nand was counted as {counted}"
        ))
    }

    /// Keeps the first failure, and ends the program.
    pub(crate) fn fail(&self, what: String) {
        locked(&self.failure).get_or_insert(what);
        self.position.store(self.schedule.len(), Release);
        for thread in 0..self.threads.len() {
            self.wake(thread);
        }
    }

    /// Called by a thread that found a failure before the end of its last step: the
    /// others wait for it once more.
    pub(crate) fn bow_out(&self) {
        if self.order == Order::AtOnce {
            let _ = self.stand_still();
        }
    }

    pub(crate) fn wait_for_all(&self) {
        self.barrier.wait();
    }

    pub(crate) fn failure(self) -> Option<String> {
        self.failure
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of steps that were done, of the planned ones.
    pub(crate) fn steps_taken(&self) -> usize {
        self.position.load(Relaxed)
    }

    fn wake(&self, thread: usize) {
        if let Some(thread) = self.threads[thread].get() {
            thread.unpark();
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The panic of a thread as a failure.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    format!("it panicked: {}", text.unwrap_or("with no message"))
}
