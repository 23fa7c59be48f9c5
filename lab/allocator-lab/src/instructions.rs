//! [`Instructions`]: a bench that counts the instructions of a pair, and those of the worst single
//! call, with valgrind's callgrind. A count has next to none of the noise of a time.

use std::env;
use std::hint::black_box;
use std::io;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

mod worst;

use alloc_scenario::{Suite, Unit};

use crate::axis::axis_values;
use crate::entry::available;
use crate::floor::{ArenaFloor, Floor};
use crate::heap::{Heap, Memory};
use crate::lab::start_a_thread;
use crate::report::Report;
use crate::shared::{Common, Shared};
use crate::subject::{Subject, Unavailable};
use crate::subjects::Visitor;
use crate::workload::concurrent::{self, Sizes};
use crate::workload::pair;

/// The size of all blocks in bytes.
const SIZE: usize = 64;

/// Pairs of one call of either loop.
const PAIRS: u64 = concurrent::STEPS;

/// Subjects that fail under valgrind, and why.
const FAIL_UNDER_VALGRIND: [(&str, &str); 1] = [(
    "snmalloc",
    "it reserves more addresses than a process has under valgrind",
)];

/// The variable with which the bench starts itself under valgrind: `SUBJECT LOOP CALLS`.
const COUNTED: &str = "ALLOCATOR_LAB_COUNTED";

axis_values! {
    /// The loop around the pairs.
    pub enum Loop {
        /// That of the workload `pair`.
        Pair = "pair",
        /// That of `concurrent` on one thread, which is not the first one.
        Concurrent = "concurrent",
        /// The calls of `worst`, each by itself.
        Single = "single",
    }
}

/// A bench of the instructions of a pair of 64 bytes, in two loops. One process calls the
/// loop once and another calls it twice; the difference is the instructions of one call.
///
/// ```no_run
/// use alloc_scenario::CountingAlloc;
/// use allocator_lab::instructions::Instructions;
/// use allocator_lab::subjects;
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// fn main() -> std::process::ExitCode {
///     let mut bench = Instructions::new();
///     subjects::all(&mut bench);
///     bench.finish()
/// }
/// ```
#[derive(Debug)]
#[must_use = "nothing runs before `finish`"]
pub struct Instructions(Process);

/// What this process is.
#[derive(Debug)]
enum Process {
    /// The bench, with the names of the subjects and why some are missing.
    Bench(Vec<(String, Option<String>)>),
    /// The one whose instructions are counted.
    Counted { run: Run, found: bool },
}

/// A number of calls of one loop on one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    subject: String,
    in_loop: Loop,
    calls: u64,
}

impl Instructions {
    /// A bench with the floors alone.
    #[expect(
        clippy::new_without_default,
        reason = "a bench is made from the environment of its process"
    )]
    pub fn new() -> Self {
        let process = match env::var(COUNTED) {
            Ok(words) => Process::Counted {
                run: Run::from_words(&words)
                    .unwrap_or_else(|| panic!("{COUNTED} is not SUBJECT LOOP CALLS: {words}")),
                found: false,
            },
            Err(_) => Process::Bench(Vec::new()),
        };
        let mut bench = Self(process);
        bench
            .subject("floor", || Ok(Floor))
            .subject("floor-arena", || Ok(ArenaFloor));
        bench
    }

    /// Adds a subject. The first one is counted once more after all others, as
    /// `NAME-again`.
    pub fn subject<S: Subject + 'static>(
        &mut self,
        name: &str,
        open: fn() -> Result<S, Unavailable>,
    ) -> &mut Self {
        match &mut self.0 {
            Process::Bench(subjects) => {
                let missing = open().err().map(|Unavailable(reason)| reason);
                let fails = FAIL_UNDER_VALGRIND.iter().find(|(other, _)| *other == name);
                let missing = missing.or_else(|| fails.map(|(_, reason)| (*reason).to_owned()));
                subjects.push((name.to_owned(), missing));
            }
            Process::Counted { run, found } => {
                if run.subject == name || run.subject.strip_suffix("-again") == Some(name) {
                    run.on(open);
                    *found = true;
                }
            }
        }
        self
    }

    /// Does what the command line asked for; `main` returns the exit code.
    #[must_use = "`main` has to return it, or a failure looks like a success"]
    pub fn finish(self) -> ExitCode {
        match self.0 {
            Process::Bench(subjects) => bench(subjects),
            Process::Counted { found: true, .. } => ExitCode::SUCCESS,
            Process::Counted { run, .. } => panic!("there is no subject {}", run.subject),
        }
    }
}

impl Visitor for Instructions {
    fn subject<S: Subject + Send + 'static>(
        &mut self,
        name: &'static str,
        open: fn() -> Result<S, Unavailable>,
    ) -> &mut Self {
        self.subject(name, open)
    }
}

/// The scenarios of all subjects, and of the first one after the floors once more.
fn bench(mut subjects: Vec<(String, Option<String>)>) -> ExitCode {
    let mut suite = Suite::from_args();
    let again = subjects.get(2).cloned();
    subjects.extend(again.map(|(name, missing)| (format!("{name}-again"), missing)));
    let unavailable = counter().err().map(|Unavailable(reason)| reason);
    for (subject, missing) in &subjects {
        let missing = missing.clone().or_else(|| unavailable.clone());
        worst::scenario(&mut suite, subject, missing);
    }
    for (subject, missing) in subjects {
        suite.scenario_with("instructions", |b| {
            let b = b
                .axis("subject", [subject])
                .axis("loop", [Loop::Pair, Loop::Concurrent])
                .warm_up(0)
                .iterations(1)
                .untimed();
            match missing.or_else(|| unavailable.clone()) {
                Some(reason) => b.unavailable(reason),
                None => b
                    .setup(|(subject, in_loop)| {
                        per_thousand(subject, *in_loop).unwrap_or_else(|error| panic!("{error}"))
                    })
                    .run(|instructions| *instructions)
                    .metric("instructions", Unit::Count, |&instructions| {
                        instructions as i64
                    })
                    .into(),
            }
        });
    }
    suite.finish()
}

/// Whether instructions can be counted here.
///
/// # Errors
///
/// Without valgrind, and in a build without optimizations, whose instructions say nothing.
pub fn counter() -> Result<(), Unavailable> {
    let valgrind = || {
        Command::new("valgrind")
            .arg("--version")
            .stdout(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    match () {
        () if cfg!(debug_assertions) => Err(Unavailable(
            "this build has no optimizations: use `cargo bench`".into(),
        )),
        () if !valgrind() => Err(Unavailable(
            "valgrind, which counts instructions, is not installed".into(),
        )),
        () => Ok(()),
    }
}

/// The instructions of 1,000 pairs, rounded to whole ones. This program must make the
/// bench of the subject, and [finish](Instructions::finish) it.
///
/// # Errors
///
/// When valgrind can't be started, or the program fails under it; the last with its own
/// error.
pub fn per_thousand(subject: &str, in_loop: Loop) -> io::Result<u64> {
    let counted = |calls| {
        let subject = subject.to_owned();
        Run {
            subject,
            in_loop,
            calls,
        }
        .instructions()
    };
    let (once, twice) = (counted(1)?, counted(2)?);
    per_thousand_from(once, twice)
        .map_err(|reason| io::Error::other(format!("{subject}, loop {in_loop}: {reason}")))
}

/// The instructions of 1,000 pairs, from those of the processes with one call and with two.
fn per_thousand_from(once: u64, twice: u64) -> Result<u64, String> {
    let call = twice.checked_sub(once).ok_or_else(|| {
        format!("two calls took {twice} instructions, fewer than the {once} of one call")
    })?;
    let thousands = PAIRS / 1_000;
    Ok((call + thousands / 2) / thousands)
}

/// The instructions of a program with its arguments and variables, counted by callgrind, and
/// what the program printed.
///
/// # Errors
///
/// When valgrind can't be started, or the program fails under it; the last with its own
/// error.
pub fn callgrind(program: &Command) -> io::Result<(u64, String)> {
    callgrind_with(&["--callgrind-out-file=/dev/null".to_owned()], program)
}

/// The same with these options of callgrind.
fn callgrind_with(options: &[String], program: &Command) -> io::Result<(u64, String)> {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .arg("--tool=callgrind")
        .args(options)
        .arg(program.get_program())
        .args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => valgrind.env(name, value),
            None => valgrind.env_remove(name),
        };
    }
    let output = valgrind.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said
        .lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    match collected {
        Some(instructions) if output.status.success() => {
            let printed = String::from_utf8_lossy(&output.stdout);
            Ok((instructions, printed.into_owned()))
        }
        _ => {
            // valgrind's own lines begin with `==`.
            let own = said.lines().filter(|line| !line.starts_with("=="));
            let own: Vec<_> = own.collect();
            Err(io::Error::other(format!(
                "{program:?} fails under valgrind: {}",
                own.join(" ").trim()
            )))
        }
    }
}

impl Run {
    /// From the text of the [variable](COUNTED).
    fn from_words(words: &str) -> Option<Self> {
        let mut words = words.split(' ');
        let subject = words.next()?.to_owned();
        let in_loop = words.next()?;
        let in_loop = Loop::ALL
            .into_iter()
            .find(|known| known.to_string() == in_loop)?;
        Some(Self {
            subject,
            in_loop,
            calls: words.next()?.parse().ok()?,
        })
    }

    fn words(&self) -> String {
        format!("{} {} {}", self.subject, self.in_loop, self.calls)
    }

    /// The instructions of a process of this program with this run.
    fn instructions(&self) -> io::Result<u64> {
        let mut program = Command::new(env::current_exe()?);
        let (instructions, _) = callgrind(program.env(COUNTED, self.words()))?;
        Ok(instructions)
    }

    /// Makes the calls in this process.
    fn on<S: Subject + 'static>(&self, open: fn() -> Result<S, Unavailable>) {
        start_a_thread();
        let report: Report = match self.in_loop {
            Loop::Pair => {
                let mut heap = Heap::new(available(open()), pair::blocks(SIZE));
                let calls = self.calls * PAIRS / pair::PAIRS;
                let call = |_| black_box(pair::pairs(&mut heap, SIZE, Memory::Untouched));
                (0..calls).map(call).sum()
            }
            Loop::Concurrent => {
                let calls = self.calls;
                let on_thread = thread::spawn(move || {
                    if Shared::<S>::POSSIBLE {
                        let common = Common::new(open);
                        steps(available(common.handle()), calls)
                    } else {
                        steps(available(open()), calls)
                    }
                });
                match on_thread.join() {
                    Ok(report) => report,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Loop::Single => return worst::calls(available(open())),
        };
        assert_eq!(report.successful(), self.calls * PAIRS, "{}", self.words());
    }
}

fn steps<S: Subject>(subject: S, calls: u64) -> Report {
    let mut heap = Heap::new(subject, concurrent::BLOCKS);
    let call = |_| black_box(concurrent::steps(&mut heap, Sizes::Same, PAIRS));
    (0..calls).map(call).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_call_that_takes_less_than_nothing_is_an_error() {
        // A call is 40,000 pairs; half an instruction is rounded up.
        assert_eq!(per_thousand_from(1_000, 1_000 + 40_000 * 23), Ok(23_000));
        assert_eq!(per_thousand_from(1_000, 1_020), Ok(1));
        assert_eq!(per_thousand_from(1_000, 1_019), Ok(0));
        let error = per_thousand_from(1_000, 999).unwrap_err();
        assert!(error.contains("999") && error.contains("1000"), "{error}");
    }

    #[test]
    fn a_run_is_told_to_another_process_in_words() {
        for in_loop in Loop::ALL {
            let run = Run {
                subject: "linked-list".to_owned(),
                in_loop,
                calls: 2,
            };
            assert_eq!(Run::from_words(&run.words()), Some(run));
        }
        for words in [
            "",
            "system",
            "system pair",
            "system other 1",
            "system pair x",
        ] {
            assert_eq!(Run::from_words(words), None, "{words}");
        }
    }
}
