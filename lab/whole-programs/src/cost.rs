//! [`Cost`]: the time, the peak memory and the page faults of a program.

use std::env;
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
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Wall-clock time of one turn of work: on one thread the fastest, on several the mean
    /// of all.
    pub time: Duration,
    /// The most memory that the process has had, its code included: the kernel's `VmHWM`,
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
            turn()?;
            let page_faults = page_faults()?;
            let times = (0..TURNS).map(|_| turn());
            let times = times.collect::<Result<Vec<_>, _>>()?;
            (times.into_iter().min().unwrap_or_default(), page_faults)
        }
        _ => together(threads, &turn)?,
    };
    Ok(Cost {
        time,
        peak_bytes: peak_bytes()?,
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
    let field = text
        .rsplit(") ")
        .next()
        .and_then(|all| all.split(' ').nth(7));
    Ok(field.ok_or("/proc/self/stat has no page faults")?.parse()?)
}

/// The line `VmHWM:     1234 kB` of the process.
fn peak_bytes() -> Result<u64, Failure> {
    let text = fs::read_to_string("/proc/self/status")?;
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("VmHWM:"));
    let number = lines.next().and_then(|value| value.strip_suffix(" kB"));
    let number = number.ok_or("/proc/self/status has no VmHWM")?;
    Ok(number.trim().parse::<u64>()? * 1_024)
}

/// What `with-ALLOCATOR PROGRAM THREADS` does: it prints the nanoseconds of one turn of work, the
/// bytes of the peak, and the page faults.
#[must_use = "`main` has to return it, or a failure looks like a success"]
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the whole of a program of its own, which prints its cost"
)]
pub fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let named = |program: &Program| arguments.first().is_some_and(|name| name == program.name);
    let program = [MARKDOWN, JSON, TEMPLATE, WORDS].into_iter().find(named);
    let threads = arguments.get(1).and_then(|count| count.parse().ok());
    let cost = match (program, threads) {
        (Some(program), Some(threads @ 1..)) => of(program, threads),
        _ => Err("the arguments are PROGRAM (markdown, json, template or words) THREADS".into()),
    };
    match cost {
        Ok(Cost {
            time,
            peak_bytes,
            page_faults,
        }) => {
            println!("{} {peak_bytes} {page_faults}", time.as_nanos());
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
        }
    }
}
