//! Windows over threads that end: 500 over `thread::scope`, whose implicit join
//! returns before a thread's last deallocations, and 500 over spawn and join. They
//! run alone on the machine, and beside other processes that keep every core busy.
//!
//! Every field of every tally has to be the sum of what the threads do by definition
//! and of what `std` does for as many threads that do nothing. Nothing may be left
//! behind.
//!
//! `COUNTING_ALLOC_WINDOWS=N` sets another number of windows: more at night, fewer for tools
//! under which they run slowly.

use std::hint::black_box;
use std::process::{Child, ExitCode, Stdio};
use std::thread;

use counting_alloc::{Measured, Scope, Tally, try_measure};
use libtest_mimic::{Failed, Trial};

/// Set in the processes that keep a core busy.
pub(crate) const BUSY: &str = "COUNTING_ALLOC_BUSY";

pub(crate) fn all() -> Vec<Trial> {
    let windows = own_process::number("COUNTING_ALLOC_WINDOWS").unwrap_or(500);
    let kinds = [
        ("thread_scope", Ends::InAnyOrder, in_a_scope as Workload),
        (
            "spawn_and_join",
            Ends::BeforeTheJoin,
            spawned_and_joined as Workload,
        ),
    ];
    let mut trials = Vec::new();
    for (load, is_busy) in [
        ("on_a_machine_as_it_is", false),
        ("beside_busy_processes", true),
    ] {
        for (kind, ends, run) in kinds {
            let name = format!("every_window_counts_the_same::{kind}::{load}");
            trials.push(Trial::test(name, move || {
                let _load = is_busy.then(Load::begin);
                all_the_same(run, ends, windows)
            }));
        }
    }
    trials
}

/// The threads of a window. The nth thread works on n + 1 blocks.
const THREADS: usize = 3;

/// A size that neither `std` nor this program requests elsewhere.
const SIZE: usize = 1_009;

/// The operations of the threads, without the operations of `std`, by the definitions: each block
/// is allocated, grown by one size, shrunk back and freed, together with a zeroed
/// block.
const KNOWN: Tally = {
    let blocks = (THREADS * (THREADS + 1) / 2) as u64;
    let size = SIZE as u64;
    Tally::ZERO
        .with_blocks(2 * blocks, 2 * size * blocks)
        .with_deallocs(2 * blocks, 2 * size * blocks)
        .with_grows(blocks, size * blocks)
        .with_shrinks(blocks, size * blocks)
};

/// Starts the threads and waits for them. They do the operations of `KNOWN` this often.
type Workload = fn(usize);

fn work(blocks: usize) {
    for _ in 0..blocks {
        let mut block = black_box(Vec::<u8>::with_capacity(SIZE));
        let zeroed = black_box(vec![0_u8; SIZE]);
        block.resize(SIZE, 1);
        block.reserve_exact(SIZE);
        block.shrink_to_fit();
        drop(black_box(block));
        drop(zeroed);
    }
}

fn in_a_scope(times: usize) {
    thread::scope(|scope| {
        for nth in 0..THREADS {
            scope.spawn(move || work(times * (nth + 1)));
        }
    });
}

fn spawned_and_joined(times: usize) {
    let threads: [_; THREADS] =
        std::array::from_fn(|nth| thread::spawn(move || work(times * (nth + 1))));
    for thread in threads {
        thread.join().expect("the thread works");
    }
}

fn window(run: Workload, times: usize) -> Measured<()> {
    try_measure(Scope::Process, || run(times)).expect("the counter is installed")
}

/// When the started threads release what they share with the starting thread. The last
/// one to release it frees it.
#[derive(Debug, Clone, Copy)]
enum Ends {
    /// Before the starting thread, which always frees it then.
    BeforeTheJoin,
    /// In any order, so that any thread may free it.
    InAnyOrder,
}

fn all_the_same(run: Workload, ends: Ends, windows: u64) -> Result<(), Failed> {
    // The one-time allocations of the first threads of a process are excluded.
    run(1);
    // The operations of std for threads that do nothing.
    let idle = window(run, 0);
    let expected = idle.tally + KNOWN;
    let foreign = idle.foreign + KNOWN;
    if (expected.net_bytes(), expected.net_blocks()) != (0, 0) {
        return Err(Failed::from(format!("something is left of {}", idle.tally)));
    }
    let mut wrong = Vec::new();
    for nth in 0..windows {
        let measured = window(run, 1);
        let mut others = measured.foreign;
        match ends {
            Ends::BeforeTheJoin => {}
            Ends::InAnyOrder => {
                others.deallocs = foreign.deallocs;
                others.freed_bytes = foreign.freed_bytes;
            }
        }
        if (measured.tally, others) != (expected, foreign) {
            wrong.push((nth, measured));
        }
    }
    match wrong.first() {
        None => Ok(()),
        Some((nth, measured)) => Err(Failed::from(format!(
            "{} of {windows} windows are wrong, the earliest number {nth}:\n\
             expected {expected}\n of others {foreign}\n\
             counted  {}\n of others {}",
            wrong.len(),
            measured.tally,
            measured.foreign
        ))),
    }
}

/// Two busy processes per core, which end when this is dropped.
struct Load(Vec<Child>);

impl Load {
    fn begin() -> Self {
        let cores = thread::available_parallelism().map_or(2, usize::from);
        let busy = || {
            own_process::command()
                .env(BUSY, "1")
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .spawn()
                .expect("this program starts once more")
        };
        Self((0..2 * cores).map(|_| busy()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // The process may have ended by itself, and then killing it fails.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Allocates until the program that started this one ends, which closes its end of the
/// pipe.
pub(crate) fn keep_busy() -> ExitCode {
    thread::spawn(|| {
        loop {
            work(1);
        }
    });
    // The pipe never has data.
    let _ = std::io::Read::read(&mut std::io::stdin(), &mut [0]);
    ExitCode::SUCCESS
}
