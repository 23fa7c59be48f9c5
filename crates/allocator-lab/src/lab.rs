//! [`Lab`]: the suite of all workloads on the subjects that are added to it, and the
//! controls. Which allocators there are is not known here.

use std::process::ExitCode;
use std::thread;

use alloc_scenario::Suite;

use crate::entrant::{Entrant, Entry};
use crate::floor::{ArenaFloor, Floor};
use crate::registration::{self, Workload};
use crate::subject::{Subject, Unavailable};
use crate::subjects::Roster;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Every workload, often enough for its times to be read.
    Everything,
    /// The workloads whose counts can be judged, a few times each.
    Checks,
}

/// A bench of allocators: every workload on every subject.
///
/// The first subject that is added is the baseline. Controls are added to the others:
/// the [`Floor`] before the first, as `floor`, that of arenas beside it, as
/// `floor-arena`, and the baseline once more after the last, as `NAME-again`. Workloads are measured one after the other, each on all
/// subjects, so that what is compared is measured near in time.
///
/// ```no_run
/// use std::alloc::System;
///
/// use alloc_scenario::CountingAlloc;
/// use allocator_lab::{Extent, Global, Lab};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// fn main() -> std::process::ExitCode {
///     let mut lab = Lab::from_args(Extent::Everything);
///     lab.subject("system", || Ok(Global(System)));
///     lab.finish()
/// }
/// ```
#[must_use = "nothing runs before `finish`"]
pub struct Lab {
    suite: Suite<'static>,
    extent: Extent,
    entrants: Vec<Box<dyn Entrant>>,
}

impl Lab {
    /// Without subjects; it does what the program's arguments ask for, as
    /// [`Suite::from_args`] has it.
    pub fn from_args(extent: Extent) -> Self {
        Self {
            suite: Suite::from_args(),
            extent,
            entrants: Vec::new(),
        }
    }

    /// Adds a subject, which `open` makes anew for each scenario.
    ///
    /// It is opened once at once, to see whether it is there. Where it is not, it has
    /// its rows all the same, with the reason instead of figures.
    pub fn subject<S: Subject + 'static>(
        &mut self,
        name: &str,
        open: fn() -> Result<S, Unavailable>,
    ) -> &mut Self {
        self.entrants.push(Box::new(Entry::new(name, open)));
        self
    }

    /// Does what the command line asked for; `main` returns it.
    #[must_use = "`main` has to return it, or a failure looks like a success"]
    pub fn finish(mut self) -> ExitCode {
        have_threads();
        let again = self.entrants.first().map(|baseline| baseline.again());
        let floors: [Box<dyn Entrant>; 2] = [
            Box::new(Entry::new("floor", || Ok(Floor))),
            Box::new(Entry::new("floor-arena", || Ok(ArenaFloor))),
        ];
        self.entrants.splice(..0, floors);
        self.entrants.extend(again);
        for &workload in Workload::of(self.extent) {
            for entrant in &self.entrants {
                entrant.register(&mut self.suite, workload, self.extent);
            }
        }
        match self.extent {
            Extent::Everything => registration::own(&mut self.suite),
            Extent::Checks => {}
        }
        self.suite.finish()
    }
}

/// Starts a thread and waits for its end. A C library may leave locks out until a
/// process starts its first thread: with glibc 2.36 a pair of 4,096 bytes took 23 ns
/// before that and 31 ns after. Some subjects and workloads start threads, and what is
/// measured after them must not differ from what is measured before.
fn have_threads() {
    // Nothing in it panics; and if no thread can be started, none makes a difference.
    let _ = thread::Builder::new()
        .spawn(|| ())
        .map(|thread| thread.join());
}

impl Roster for Lab {
    fn subject<S: Subject + Send + 'static>(
        &mut self,
        name: &'static str,
        open: fn() -> Result<S, Unavailable>,
    ) -> &mut Self {
        self.subject(name, open)
    }
}
