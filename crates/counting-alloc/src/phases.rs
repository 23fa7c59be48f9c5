//! [`Phases`]: a window cut into named parts whose tallies sum to the whole.

use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

use crate::measured::{MeasureError, Measured};
use crate::tally::Tally;
use crate::window::{Open, Window};

/// How many phases of different names a window can have: they are written down
/// without allocating.
const ROOM: usize = 64;

/// What a closure did, in total and in each of its phases.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use = "a measurement that nobody looks at proves nothing"]
pub struct Phased<T> {
    /// The whole window: the sum of `phases` and `rest`.
    pub whole: Measured<T>,
    /// The phases, in the order in which they first began.
    pub phases: Vec<Phase>,
    /// What was done in no phase.
    pub rest: Tally,
}

/// What was done in the phases of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Phase {
    /// The name.
    pub name: &'static str,
    /// How often it was run.
    pub runs: u64,
    /// What was done in it, and in no phase inside of it.
    pub tally: Tally,
}

impl<T> Phased<T> {
    /// What was done in the phases called `name`; `None` when none ran.
    #[must_use]
    pub fn phase(&self, name: &str) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.name == name)
    }
}

/// A line for each phase, for the rest, and for the whole.
impl<T> fmt::Display for Phased<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Phase { name, runs, tally } in &self.phases {
            let s = if *runs == 1 { "" } else { "s" };
            writeln!(f, "{name} ({runs} run{s}): {tally}")?;
        }
        writeln!(f, "rest: {}", self.rest)?;
        write!(f, "whole: {}", self.whole.tally)
    }
}

/// The phases of an open window; the closure gets it.
pub struct Phases<'open> {
    open: &'open Open<'open>,
    cuts: RefCell<Cuts>,
}

struct Cuts {
    phases: Vec<Phase>,
    /// The phase that operations belong to at present; `None` for the rest.
    current: Option<usize>,
    /// What the window had counted when `current` became current.
    since: Tally,
}

impl Phases<'_> {
    /// Runs `f` as a phase called `name`. Phases of the same name are one;
    /// what a phase inside of another does belongs to the inner one alone.
    ///
    /// # Panics
    ///
    /// When the window has 64 other phases already. And when `f` panics.
    #[track_caller]
    pub fn run<T>(&self, name: &'static str, f: impl FnOnce() -> T) -> T {
        /// Goes back to the phase around, also when `f` panics.
        struct Back<'phases>(&'phases Phases<'phases>, Option<usize>);

        impl Drop for Back<'_> {
            fn drop(&mut self) {
                self.0.switch(self.1);
            }
        }

        let index = self.index(name);
        let _back = Back(self, self.switch(Some(index)));
        f()
    }

    /// The place of the phase called `name`, with one run more.
    #[track_caller]
    fn index(&self, name: &'static str) -> usize {
        let phases = &mut self.cuts.borrow_mut().phases;
        let known = phases.iter().position(|phase| phase.name == name);
        let index = known.unwrap_or_else(|| {
            assert!(
                phases.len() < ROOM,
                "a window can have {ROOM} phases; `{name}` would be one more"
            );
            phases.push(Phase {
                name,
                runs: 0,
                tally: Tally::ZERO,
            });
            phases.len() - 1
        });
        phases[index].runs += 1;
        index
    }

    /// Gives what was done since the last cut to the current phase, makes `next`
    /// the current one and returns the one before.
    fn switch(&self, next: Option<usize>) -> Option<usize> {
        let mut cuts = self.cuts.borrow_mut();
        let now = self.open.so_far();
        let done = now.since(cuts.since);
        cuts.since = now;
        let before = cuts.current;
        if let Some(index) = before {
            cuts.phases[index].tally += done;
        }
        cuts.current = next;
        before
    }
}

impl fmt::Debug for Phases<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Phases")
            .field("phases", &self.cuts.borrow().phases)
            .finish_non_exhaustive()
    }
}

impl Window {
    /// Runs `f`, which can divide what it does into phases, and returns what was
    /// allocated in each, in the rest, and in total.
    ///
    /// ```
    /// use counting_alloc::{CountingAlloc, Window};
    ///
    /// #[global_allocator]
    /// static ALLOC: CountingAlloc = CountingAlloc::system();
    ///
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// let phased = Window::thread().measure_phases(|phases| {
    ///     let words = phases.run("split", || "a b c".split(' ').collect::<Vec<_>>());
    ///     phases.run("join", || words.join("-"))
    /// })?;
    /// assert_eq!(phased.phase("join").map(|join| join.tally.allocs), Some(1));
    /// assert_eq!(phased.rest.allocs, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// In the scope of the process, a phase ends when its closure returns, and
    /// what threads do afterwards is part of what comes next.
    ///
    /// # Errors
    ///
    /// See [`Window::measure`].
    pub fn measure_phases<T>(
        self,
        f: impl FnOnce(&Phases<'_>) -> T,
    ) -> Result<Phased<T>, MeasureError> {
        let trace = self.trace();
        // Before the window opens: nothing that is written down allocates.
        let room = Vec::with_capacity(ROOM);
        let open = Open::new(self, trace.as_ref())?;
        let phases = Phases {
            open: &open,
            cuts: RefCell::new(Cuts {
                phases: room,
                current: None,
                since: Tally::ZERO,
            }),
        };
        let value = f(&phases);
        let cuts = phases.cuts.into_inner();
        let whole = open.close()?;
        let in_phases = cuts
            .phases
            .iter()
            .fold(Tally::ZERO, |sum, phase| sum + phase.tally);
        Ok(Phased {
            rest: whole.tally.since(in_phases),
            whole: whole.map(|()| value),
            phases: cuts.phases,
        })
    }
}
