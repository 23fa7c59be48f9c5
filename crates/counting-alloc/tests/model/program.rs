//! A random program. Each of its threads allocates, frees, resizes, passes blocks to
//! others and opens windows, and compares every counter with the model after every
//! step.

use std::alloc::Layout;
use std::fmt;
use std::hint::black_box;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use counting_alloc::{Scope, Tally, measure, thread_tally};

use crate::block::{Block, Luck, Wrong};
use crate::counted::{Keeps, Stacks, measure as measure_in, split, window};
use crate::ledger::{DEEPEST, Event, Ledger, Tide};
use crate::random::Random;
use crate::shared::{End, Order, Shared, panic_message};
use crate::watched::Method;

/// The parameters of a program. Everything but its timing follows from them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) order: Order,
    pub(crate) threads: usize,
    pub(crate) steps: u64,
    pub(crate) seed: u64,
}

/// Runs the program; the error is the first failure.
pub(crate) fn run(plan: Plan) -> Result<(), String> {
    let shared = Shared::new(plan.order, plan.threads, plan.steps, plan.seed);
    let (mail, boxes): (Vec<_>, Vec<_>) = (0..plan.threads)
        .map(|_| sync_channel::<Block>(IN_THE_POST))
        .unzip();
    thread::scope(|scope| {
        let mut running = Vec::new();
        for (me, inbox) in boxes.into_iter().enumerate() {
            let (shared, mail) = (&shared, &mail);
            running.push(scope.spawn(move || Worker::new(me, plan, shared, mail, inbox).work()));
        }
        // This thread waits as well, until the program ends.
        shared.let_start();
        for thread in running {
            // An explicit join: the end of a scope returns before a thread's last
            // deallocations, which would be counted in the next program.
            if thread.join().is_err() {
                shared.fail(String::from("a thread panicked outside of its program"));
            }
        }
    });
    let taken = shared.steps_taken();
    match shared.failure() {
        Some(wrong) => Err(wrong),
        None if plan.order == Order::InTurns
            && taken as u64 != plan.steps * plan.threads as u64 =>
        {
            Err(format!("only {taken} steps were taken"))
        }
        None => Ok(()),
    }
}

/// The maximum number of blocks that wait for one thread.
const IN_THE_POST: usize = 16;

/// The maximum number of blocks that a thread holds.
const HELD: usize = 64;

/// The size limit of a layout. divan sums sizes before it knows whether they are
/// granted, and panics when the sum overflows, so the largest sizes are left out.
const ABSURD: usize = if cfg!(any(feature = "over-divan", feature = "inside-divan")) {
    isize::MAX as usize / 1_024 + 1
} else {
    isize::MAX as usize + 1
};

struct Worker<'program> {
    me: usize,
    plan: Plan,
    shared: &'program Shared,
    mail: &'program [SyncSender<Block>],
    inbox: Receiver<Block>,
    random: Random,
    blocks: Vec<Block>,
    ledger: Ledger,
    tide: Tide,
    /// The thread's tally at the beginning of the program.
    start: Tally,
    step: u64,
    operation: Operation,
    /// Whether a window captures the stacks of the thread.
    is_captured: bool,
}

/// The action of a step.
#[derive(Debug, Clone, Copy)]
enum Operation {
    Allocate(Method, Layout, Luck),
    Resize { held: usize, to: usize, luck: Luck },
    Free { held: usize },
    Send { held: usize, to: usize },
    Receive,
    Open(Scope),
    Close,
}

impl<'program> Worker<'program> {
    fn new(
        me: usize,
        plan: Plan,
        shared: &'program Shared,
        mail: &'program [SyncSender<Block>],
        inbox: Receiver<Block>,
    ) -> Self {
        Self {
            me,
            plan,
            shared,
            mail,
            inbox,
            random: Random::new(plan.seed.wrapping_mul(31).wrapping_add(me as u64)),
            blocks: Vec::with_capacity(HELD + 1),
            ledger: Ledger::default(),
            tide: Tide::default(),
            start: Tally::ZERO,
            step: 0,
            operation: Operation::Receive,
            is_captured: false,
        }
    }

    fn work(mut self) {
        // The allocations of a first measurement and a first message are not part of
        // the program.
        let _ = measure(|| drop(black_box(vec![1_u8; 7])));
        let _ = self.inbox.try_recv();
        self.shared.line_up(self.me);
        self.start = thread_tally();
        let ended = panic::catch_unwind(AssertUnwindSafe(|| self.steps(0)))
            .unwrap_or_else(|panic| Err(End::Wrong(panic_message(&*panic))));
        match ended {
            Ok(()) => {
                // The last turn ends when every window is closed. After a failure or a
                // stop, no thread waits at a barrier any more.
                let _ = self.shared.end_turn(self.me, self.step, self.ledger);
            }
            Err(End::Stopped) => {}
            Err(End::Wrong(wrong)) => {
                self.shared.fail(self.report(&wrong));
                self.shared.bow_out();
            }
        }
        // Deallocations at the end of this thread are not part of the program, which
        // other threads may still run.
        self.shared.wait_for_all();
        for block in self.blocks.drain(..).chain(self.inbox.try_iter()) {
            // The blocks are freed, without a check of their content.
            let _ = block.free();
        }
    }

    /// Runs steps until the innermost window closes or the last step is done. It
    /// returns within its turn.
    fn steps(&mut self, depth: usize) -> Result<(), End> {
        while self.step < self.plan.steps {
            self.shared.await_turn(self.me)?;
            self.operation = self.choose(depth);
            match self.operation {
                Operation::Close => return Ok(()),
                Operation::Open(scope) => self.window(scope, depth)?,
                Operation::Allocate(..)
                | Operation::Resize { .. }
                | Operation::Free { .. }
                | Operation::Send { .. }
                | Operation::Receive => self.perform()?,
            }
            self.compare()?;
            self.step += 1;
            if self.step < self.plan.steps {
                self.shared.end_turn(self.me, self.step, self.ledger)?;
            }
        }
        Ok(())
    }

    /// Opens a window around further steps.
    fn window(&mut self, scope: Scope, depth: usize) -> Result<(), End> {
        let (own, all) = (self.ledger.tally(), self.shared.did());
        self.tide.open();
        // Each kind of window handles operations in another way.
        let (peak, first) = (self.random.below(2) == 0, self.random.below(4) == 0);
        // In a window of the process, the peak is known only if this thread is alone.
        let is_known = scope != Scope::Process || self.plan.threads == 1;
        let keeps = Keeps {
            peak: peak && is_known,
            first,
        };
        let window = window(scope, keeps);
        let stacks = self.stacks(scope);
        let measured = measure_in(window, stacks, || {
            self.step += 1;
            if self.step < self.plan.steps {
                self.shared.end_turn(self.me, self.step, self.ledger)?;
                self.steps(depth + 1)?;
            }
            // The step that closed the window, or the last step, counts outside.
            self.step -= u64::from(self.step == self.plan.steps);
            Ok::<(), End>(())
        })
        .map_err(|error| format!("no window could be opened: {error}"))?;
        if stacks != Stacks::Ignored {
            self.set_captured(scope, false);
        }
        self.operation = Operation::Close;
        let peak = self.tide.close();
        let (ended, measured) = split(measured);
        ended?;
        let own = self.ledger.tally() - own;
        let all = self.shared.did() - all;
        let tally = if scope == Scope::Process { all } else { own };
        let peak = keeps.peak.then_some(peak);
        let foreign = match self.plan.order {
            Order::InTurns => all - own,
            // Other threads run on while this one compares.
            Order::AtOnce => measured.foreign,
        };
        let expected = (scope, tally, peak, foreign);
        let counted = (
            measured.scope,
            measured.tally,
            measured.peak_bytes,
            measured.foreign,
        );
        if expected != counted {
            return Err(End::from(format!(
                "a window has to hold {expected:?}\nand holds            {counted:?}"
            )));
        }
        Ok(())
    }

    /// Whether the next window captures stacks. One of a thread can, and one of the
    /// process.
    fn stacks(&mut self, scope: Scope) -> Stacks {
        let is_wanted = self.random.below(3) == 0;
        if !is_wanted || !Stacks::are_available() || self.set_captured(scope, true) {
            return Stacks::Ignored;
        }
        Stacks::Captured
    }

    /// Notes whether a window captures the stacks of a scope, and returns what was so.
    fn set_captured(&mut self, scope: Scope, is_captured: bool) -> bool {
        if scope == Scope::Process {
            self.shared.set_captured(is_captured)
        } else {
            mem::replace(&mut self.is_captured, is_captured)
        }
    }

    fn choose(&mut self, depth: usize) -> Operation {
        let windows_close_first = depth > 0 && self.random.below(20) == 0;
        if windows_close_first {
            return Operation::Close;
        }
        let free_or_allocate = |worker: &mut Self| {
            if worker.blocks.is_empty() {
                worker.allocate(Method::Alloc, Luck::Granted)
            } else {
                Operation::Free {
                    held: worker.random.below(worker.blocks.len()),
                }
            }
        };
        if self.blocks.len() >= HELD {
            return free_or_allocate(self);
        }
        match self.random.below(100) {
            0..22 => self.allocate(Method::Alloc, Luck::Granted),
            22..36 => self.allocate(Method::AllocZeroed, Luck::Granted),
            36..38 => self.allocate(Method::Alloc, Luck::Refused),
            38..40 => self.allocate(Method::AllocZeroed, Luck::Refused),
            40..42 => self.absurd(),
            42..68 => self.resize(),
            68..84 => free_or_allocate(self),
            84..90 if !self.blocks.is_empty() => Operation::Send {
                held: self.random.below(self.blocks.len()),
                to: self.random.below(self.plan.threads),
            },
            90..96 => Operation::Receive,
            96..100 if depth < DEEPEST => Operation::Open(match self.plan.order {
                Order::InTurns if self.random.below(2) == 0 => Scope::Process,
                Order::InTurns | Order::AtOnce => Scope::Thread,
            }),
            _ => free_or_allocate(self),
        }
    }

    fn allocate(&mut self, method: Method, luck: Luck) -> Operation {
        let align = 1 << self.random.below(13);
        let layout = Layout::from_size_align(self.size(), align).expect("a valid layout");
        Operation::Allocate(method, layout, luck)
    }

    /// A size that no machine has, so that the inner allocator refuses by itself.
    fn absurd(&mut self) -> Operation {
        let align = 1 << self.random.below(13);
        let size = ABSURD - align - self.random.below(4096);
        let layout = Layout::from_size_align(size, align).expect("a valid layout");
        match self.random.below(3) {
            0 => Operation::Allocate(Method::Alloc, layout, Luck::Granted),
            1 => Operation::Allocate(Method::AllocZeroed, layout, Luck::Granted),
            _ if self.blocks.is_empty() => Operation::Receive,
            _ => {
                let held = self.random.below(self.blocks.len());
                let to = ABSURD - self.blocks[held].align();
                Operation::Resize {
                    held,
                    to,
                    luck: Luck::Granted,
                }
            }
        }
    }

    fn resize(&mut self) -> Operation {
        if self.blocks.is_empty() {
            return self.allocate(Method::Alloc, Luck::Granted);
        }
        let held = self.random.below(self.blocks.len());
        let to = match self.random.below(8) {
            0 => self.blocks[held].size(),
            1 => self.blocks[held].size() + 1,
            2 => self.blocks[held].size() * 2,
            3 => self.blocks[held].size().div_ceil(2),
            _ => self.size(),
        };
        let luck = match self.random.below(10) {
            0 => Luck::Refused,
            _ => Luck::Granted,
        };
        Operation::Resize { held, to, luck }
    }

    /// A size from 1 byte to 4 MiB, mostly small.
    fn size(&mut self) -> usize {
        let bits = match self.random.below(100) {
            0..80 => 9,
            80..95 => 13,
            95..99 => 17,
            _ => 22,
        };
        let bits = self.random.below(bits + 1);
        1 + self.random.below(1 << bits)
    }

    fn perform(&mut self) -> Result<(), Wrong> {
        let event = match self.operation {
            Operation::Allocate(method, layout, luck) => {
                let key = self.random.next().to_le_bytes()[0];
                match Block::new(method, layout, luck, key)? {
                    Some(_) if must_fail(layout.size(), luck) => {
                        return Err(String::from("it had to be refused"));
                    }
                    Some(block) => {
                        self.blocks.push(block);
                        Event::Allocated {
                            size: layout.size() as u64,
                        }
                    }
                    None if must_fail(layout.size(), luck) => Event::Refused,
                    None => return Err(String::from("the machine is out of memory")),
                }
            }
            Operation::Resize { held, to, luck } => {
                let from = self.blocks[held].size() as u64;
                let granted = self.blocks[held].resize(to, luck)?;
                match (granted, must_fail(to, luck)) {
                    (true, false) => Event::Resized {
                        from,
                        to: to as u64,
                    },
                    (false, true) => Event::Refused,
                    (true, true) => return Err(String::from("it had to be refused")),
                    (false, false) => return Err(String::from("the machine is out of memory")),
                }
            }
            Operation::Free { held } => {
                let block = self.blocks.swap_remove(held);
                let size = block.size() as u64;
                block.free()?;
                Event::Freed { size }
            }
            Operation::Send { held, to } => {
                let block = self.blocks.swap_remove(held);
                if let Err(TrySendError::Full(block) | TrySendError::Disconnected(block)) =
                    self.mail[to].try_send(block)
                {
                    self.blocks.push(block);
                }
                return Ok(());
            }
            Operation::Receive => {
                self.blocks.extend(self.inbox.try_recv());
                return Ok(());
            }
            Operation::Open(_) | Operation::Close => return Ok(()),
        };
        self.ledger.enter(event);
        self.tide.enter(event);
        if self.plan.order == Order::InTurns {
            self.shared.publish(self.me, self.ledger);
        }
        Ok(())
    }

    /// Compares every counter that is exact at this moment.
    fn compare(&self) -> Result<(), Wrong> {
        let expected = self.ledger.tally();
        let counted = thread_tally() - self.start;
        if counted != expected {
            return Err(format!(
                "the thread did     {expected}\nand was counted as {counted}"
            ));
        }
        match self.shared.order() {
            Order::InTurns => self.shared.compare(),
            Order::AtOnce => Ok(()),
        }
    }

    fn report(&self, wrong: &dyn fmt::Display) -> String {
        format!(
            "{:?}, seed {}, thread {}, step {}, {:?}:\n{wrong}",
            self.plan.order, self.plan.seed, self.me, self.step, self.operation
        )
    }
}

/// Whether a request of this size is refused.
fn must_fail(size: usize, luck: Luck) -> bool {
    luck == Luck::Refused || size > ABSURD / 2
}
