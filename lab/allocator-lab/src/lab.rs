//! [`Lab`]: the bench of all workloads on the subjects that are added to it, and the
//! controls.

use std::process::ExitCode;
use std::thread;

use alloc_scenario::{Suite, fresh_process_for};

use crate::entry::Entry;
use crate::floor::{ArenaFloor, Floor};
use crate::registration::{FIRST, SubjectSuite};
use crate::subject::{Subject, Unavailable};
use crate::subjects::Visitor;
use crate::workload::{exact, standard};

/// A bench of allocators: every workload on every subject.
///
/// The first subject that is added is the baseline. A lab of times has controls beside the
/// others: the [`Floor`] before the first, as `floor`; that of arenas beside it, as
/// `floor-arena`; and the baseline once more after the last, as `NAME-again`. Workloads are
/// measured one after the other, each on all subjects, so that values to be compared are measured
/// near in time.
#[must_use = "nothing runs before `finish`"]
pub struct Lab {
    suite: Suite<'static>,
    /// The scenario that this process was started for, if any. It registers no other.
    only: Option<String>,
    has_controls: bool,
    /// The number of workloads.
    workloads: usize,
    subjects: Vec<Register>,
    /// The first subject, measured once more.
    again: Option<Register>,
}

/// Adds the scenarios of the workload of this index on a subject.
type Register = Box<dyn Fn(usize, &mut Suite<'static>, Option<&str>)>;

impl Lab {
    /// The times of all workloads, with controls. It obeys the program's arguments, as
    /// [`Suite::from_args`] does.
    pub fn of_times() -> Self {
        Self::new(standard::<Floor>().len(), true)
    }

    /// The workloads with exact values, for gates: without controls.
    pub fn of_counts() -> Self {
        Self::new(exact::<Floor>().len(), false)
    }

    fn new(workloads: usize, has_controls: bool) -> Self {
        Self {
            suite: Suite::from_args(),
            only: fresh_process_for(),
            has_controls,
            workloads,
            subjects: Vec::new(),
            again: None,
        }
    }

    /// Adds a subject, which `open` makes anew for each scenario.
    ///
    /// [`finish`](Self::finish) opens it once to see whether it is available. If it is not, its
    /// rows have the reason instead of figures.
    pub fn subject<S: Subject + 'static>(
        &mut self,
        name: &str,
        open: fn() -> Result<S, Unavailable>,
    ) -> &mut Self {
        if self.subjects.is_empty() {
            self.again = Some(self.registering(format!("{name}-again"), open));
        }
        self.subjects.push(self.registering(name.to_owned(), open));
        self
    }

    fn registering<S: Subject + 'static>(
        &self,
        name: String,
        open: fn() -> Result<S, Unavailable>,
    ) -> Register {
        let entry = Entry::new(name, open);
        let workloads = match self.has_controls {
            true => standard(),
            false => exact(),
        };
        Box::new(move |index, suite, only| {
            workloads[index](&mut SubjectSuite::new(suite, only, &entry));
        })
    }

    /// Does what the command line asked for; `main` returns the exit code.
    #[must_use = "`main` has to return it, or a failure looks like a success"]
    pub fn finish(mut self) -> ExitCode {
        start_a_thread();
        if self.has_controls {
            self.add_controls();
        }
        for index in 0..self.workloads {
            for subject in &self.subjects {
                subject(index, &mut self.suite, self.only.as_deref());
            }
        }
        self.suite.finish()
    }

    fn add_controls(&mut self) {
        let floors = [
            self.registering(FIRST.to_owned(), || Ok(Floor)),
            self.registering("floor-arena".to_owned(), || Ok(ArenaFloor)),
        ];
        self.subjects.splice(..0, floors);
        self.subjects.extend(self.again.take());
    }
}

/// Starts a thread and waits for its end. A C library may leave locks out until a
/// process starts its first thread: with glibc 2.36 a pair of 4,096 bytes took 23 ns
/// before that and 31 ns after. Some subjects and workloads start threads, and figures
/// measured after them must not differ from figures measured before.
fn start_a_thread() {
    // Where no thread can be started, none makes a difference.
    let _ = thread::Builder::new()
        .spawn(|| ())
        .map(|thread| thread.join());
}

impl Visitor for Lab {
    fn subject<S: Subject + Send + 'static>(
        &mut self,
        name: &'static str,
        open: fn() -> Result<S, Unavailable>,
    ) -> &mut Self {
        self.subject(name, open)
    }
}
