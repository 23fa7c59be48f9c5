//! [`Cost`]: the time, the peak memory and the page faults of a program.

use std::env;
use std::fmt;
use std::fs;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{JSON, MARKDOWN, Program, TEMPLATE, WORDS};

/// How often each thread works after the first time, in a window.
const TURNS: u32 = 8;

/// What a process of a program has cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Wall-clock time of one turn of work: on one thread that of the fastest, on several the
    /// mean of all.
    pub time: Duration,
    /// The most memory that the process has had, with that of its code: the kernel's `VmHWM`,
    /// which can be off by 64 pages for each core.
    pub peak_bytes: u64,
    /// The pages that the kernel had to provide until each thread had worked once.
    pub page_faults: u64,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The cost of a program in this process.
///
/// # Errors
///
/// When the program fails, or the kernel does not tell its memory.
pub fn of(program: Program, threads: usize) -> Result<Cost, Failure> {
    let input = (program.input)();
    let turn = || -> Result<Duration, Failure> {
        let begin = Instant::now();
        drop(black_box((program.run)(black_box(&input))?));
        Ok(begin.elapsed())
    };
    let (time, page_faults) = match threads {
        1 => {
            let _ = turn()?;
            let page_faults = page_faults()?;
            let turns = (0..TURNS).map(|_| turn());
            let times: Vec<Duration> = turns.collect::<Result<_, _>>()?;
            (times.into_iter().min().unwrap_or_default(), page_faults)
        }
        _ => together(threads, &turn)?,
    };
    Ok(Cost {
        time,
        peak_bytes: kilobytes("VmHWM:")? * 1_024,
        page_faults,
    })
}

/// The mean of the turns of all threads, which begin together, and the page faults until then.
fn together(
    threads: usize,
    turn: &(impl Fn() -> Result<Duration, Failure> + Sync),
) -> Result<(Duration, u64), Failure> {
    let (worked_once, start) = (Barrier::new(threads + 1), Barrier::new(threads + 1));
    thread::scope(|scope| {
        let work = || {
            let first = turn();
            worked_once.wait();
            start.wait();
            first?;
            (0..TURNS).try_for_each(|_| turn().map(drop))
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        worked_once.wait();
        let page_faults = page_faults();
        start.wait();
        let begin = Instant::now();
        for worker in workers {
            worker.join().map_err(|_| "a thread has panicked")??;
        }
        Ok((begin.elapsed() / TURNS, page_faults?))
    })
}

/// The minor page faults of the process so far: the tenth field of proc_pid_stat(5), the eighth
/// behind the name of the program, which is in brackets.
fn page_faults() -> Result<u64, Failure> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let fields = text.rsplit_once(") ").map(|(_, fields)| fields);
    let field = fields.and_then(|fields| fields.split(' ').nth(7));
    Ok(field.ok_or("/proc/self/stat has no page faults")?.parse()?)
}

/// The number of kB on a line of /proc/self/status.
fn kilobytes(label: &str) -> Result<u64, Failure> {
    let text = fs::read_to_string("/proc/self/status")?;
    let value = text.lines().find_map(|line| line.strip_prefix(label));
    let number = value.and_then(|value| value.trim().strip_suffix(" kB"));
    Ok(number
        .ok_or_else(|| format!("/proc/self/status has no {label}"))?
        .parse()?)
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanoseconds = self.time.as_nanos();
        write!(f, "{nanoseconds} {} {}", self.peak_bytes, self.page_faults)
    }
}

/// The [`Cost`] that a process has printed; `None` if it is none.
#[must_use]
pub fn read(text: &str) -> Option<Cost> {
    let numbers: Result<Vec<u64>, _> = text.split_whitespace().map(str::parse).collect();
    let [nanoseconds, peak_bytes, page_faults] = numbers.ok()?[..] else {
        return None;
    };
    Some(Cost {
        time: Duration::from_nanos(nanoseconds),
        peak_bytes,
        page_faults,
    })
}

/// What `with-ALLOCATOR PROGRAM THREADS` does.
#[must_use = "`main` has to return it, or a failure looks like a success"]
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the whole of a program of its own, which prints its figures"
)]
pub fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let all = [MARKDOWN, JSON, TEMPLATE, WORDS];
    let is_named = |program: &Program| arguments.first().is_some_and(|name| name == program.name);
    let program = all.into_iter().find(is_named);
    let threads = arguments.get(1).and_then(|count| count.parse().ok());
    let cost = match (program, threads) {
        (Some(program), Some(threads @ 1..)) => of(program, threads),
        _ => Err("the arguments are PROGRAM (markdown, json, template or words) THREADS".into()),
    };
    match cost {
        Ok(cost) => {
            println!("{cost}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_costs_time_and_pages() {
        for threads in [1, 2] {
            let cost = of(TEMPLATE, threads).unwrap();
            assert!(cost.time > Duration::ZERO);
            // The text alone.
            assert!(cost.peak_bytes > 200_000, "{cost:?}");
            assert!(cost.page_faults > 50, "{cost:?}");
            assert_eq!(read(&format!("{cost}\n")), Some(cost));
        }
        assert_eq!(read("1 2"), None);
        assert_eq!(read("1 2 x"), None);
    }
}
