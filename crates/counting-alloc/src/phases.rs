//! [`Phases`]: a window that is divided into named parts, whose tallies add up to
//! the whole.

use std::cell::RefCell;
use std::fmt;

use crate::first::Trace;
use crate::measured::{MeasureError, Measured};
use crate::tally::Tally;
use crate::window::{Open, Window};

/// How many phases of different names a window can have. Recording a phase must not
/// allocate.
const MAX_PHASES: usize = 64;

/// The operations of a closure, in total and in each of its phases.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Phased<T> {
    /// The whole window: the sum of `phases` and `rest`.
    pub whole: Measured<T>,
    /// The phases, in the order in which they first began.
    pub phases: Vec<Phase>,
    /// The operations outside all phases.
    pub rest: Tally,
}

/// The operations of all phases of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Phase {
    /// The name.
    pub name: &'static str,
    /// How often the phase was run.
    pub runs: u64,
    /// The operations of the phase, without the operations of inner phases.
    pub tally: Tally,
}

impl<T> Phased<T> {
    /// The phase called `name`; `None` when none ran.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, Window};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// let phased = Window::thread().measure_phases(|phases| {
    ///     phases.run("fill", || vec![0_u8; 100])
    /// })?;
    /// assert_eq!(phased.phase("fill").unwrap().tally.bytes, 100);
    /// assert_eq!(phased.phase("empty"), None);
    /// # Ok(())
    /// # }
    /// ```
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

/// The phases of an open window, which the closure gets.
pub struct Phases<'open> {
    open: &'open Open<'open>,
    state: RefCell<State>,
}

struct State {
    phases: Vec<Phase>,
    /// The phase that is running; `None` outside all phases.
    current: Option<usize>,
    /// The tally of the window when `current` was set.
    since: Tally,
}

impl Phases<'_> {
    /// Runs `f` as a phase called `name`. Phases of the same name are one phase. The
    /// operations of an inner phase belong to the inner phase alone.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, Window};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// let phased = Window::thread().measure_phases(|phases| {
    ///     let twice = [1, 2].map(|size| phases.run("make", || vec![0_u8; size]));
    ///     phases.run("drop", || drop(twice));
    /// })?;
    /// let made = phased.phase("make").unwrap();
    /// assert_eq!((made.runs, made.tally.bytes), (2, 3));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// When the window has 64 other phases already. Also when `f` panics.
    #[track_caller]
    pub fn run<T>(&self, name: &'static str, f: impl FnOnce() -> T) -> T {
        /// Returns to the outer phase, also when `f` panics.
        struct Restore<'phases>(&'phases Phases<'phases>, Option<usize>);

        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                self.0.switch(self.1);
            }
        }

        let index = self.index(name);
        let _restore = Restore(self, self.switch(Some(index)));
        f()
    }

    /// The index of the phase called `name`, after counting one more run of it.
    #[track_caller]
    fn index(&self, name: &'static str) -> usize {
        let phases = &mut self.state.borrow_mut().phases;
        let known = phases.iter().position(|phase| phase.name == name);
        let index = known.unwrap_or_else(|| {
            assert!(
                phases.len() < MAX_PHASES,
                "a window can have at most {MAX_PHASES} phases; `{name}` would be one more"
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

    /// Adds the operations since the last switch to the current phase, switches to
    /// `next`, and returns the phase before.
    fn switch(&self, next: Option<usize>) -> Option<usize> {
        let mut state = self.state.borrow_mut();
        let now = self.open.so_far();
        let done = now.since(state.since);
        state.since = now;
        let before = state.current;
        if let Some(index) = before {
            state.phases[index].tally += done;
        }
        state.current = next;
        before
    }
}

impl fmt::Debug for Phases<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Phases")
            .field("phases", &self.state.borrow().phases)
            .finish_non_exhaustive()
    }
}

impl Window {
    /// Runs `f`, which can divide its work into phases, and returns the allocations
    /// of each phase, of the rest, and in total.
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
    /// In the scope of the process, a phase ends when its closure returns. Later
    /// operations of other threads belong to the next phase or to the rest.
    ///
    /// # Errors
    ///
    /// See [`Window::measure`].
    pub fn measure_phases<T>(
        self,
        f: impl FnOnce(&Phases<'_>) -> T,
    ) -> Result<Phased<T>, MeasureError> {
        let trace = self.trace();
        // Allocated before the window opens, so that recording a phase never does.
        let room = Vec::with_capacity(MAX_PHASES);
        let open = Open::new(self, trace.as_ref())?;
        let phases = Phases {
            open: &open,
            state: RefCell::new(State {
                phases: room,
                current: None,
                since: Tally::ZERO,
            }),
        };
        let value = f(&phases);
        let state = phases.state.into_inner();
        let whole = open.close()?;
        let in_phases = state
            .phases
            .iter()
            .fold(Tally::ZERO, |sum, phase| sum + phase.tally);
        Ok(Phased {
            rest: whole.tally.since(in_phases),
            whole: whole.measured(value, trace.as_ref().map(Trace::operations)),
            phases: state.phases,
        })
    }
}
