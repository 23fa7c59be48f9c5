//! What bzip2 takes from `malloc` is what it asks for when it is given functions
//! to ask.

use std::process::{Command, ExitCode};
use std::sync::Barrier;
use std::thread;

use alloc_scenario::counting_alloc::{
    CountingAlloc, NativeTally, Scope, Tally, measure, try_measure,
};
use libtest_mimic::{Arguments, Trial};
use proof_native::{Asked, there_and_back, there_and_back_asking};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // One after the other, on this thread: another one would allocate beside it.
    arguments.test_threads = Some(1);
    let tests: [(&str, fn()); 4] = [
        (
            "native_calls_are_those_that_bzip2_makes",
            native_calls_are_those_that_bzip2_makes,
        ),
        (
            "rusts_counts_have_nothing_of_it",
            rusts_counts_have_nothing_of_it,
        ),
        (
            "several_threads_at_once_are_counted_each_by_itself_and_all_together",
            several_threads_at_once_are_counted_each_by_itself_and_all_together,
        ),
        (
            "where_calls_do_not_come_here_nothing_is_measured",
            where_calls_do_not_come_here_nothing_is_measured,
        ),
    ];
    let trials = tests.map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, trials.into()).exit_code()
}

const TEXT: [u8; 10_000] = [7; 10_000];

fn room() -> (Vec<u8>, Vec<u8>) {
    (vec![0; 20_000], vec![0; 20_000])
}

fn asked() -> NativeTally {
    let (mut space, mut out) = room();
    let Asked {
        allocs,
        bytes,
        frees,
    } = there_and_back_asking(&TEXT, &mut space, &mut out);
    // Its own state, and three tables of at least 4 bytes for each of the
    // 100,000 bytes of a block (two) or for each pair of bytes (one); then
    // another state, and a table of 4 bytes for each byte of a block.
    assert_eq!((allocs, frees), (4 + 2, 4 + 2));
    assert!(bytes > 3 * 400_000 + 4 * 65_536, "{bytes}");
    NativeTally {
        allocs,
        bytes,
        frees,
        ..NativeTally::ZERO
    }
}

fn native_calls_are_those_that_bzip2_makes() {
    let (mut space, mut out) = room();
    let asked = asked();
    let measured = measure(|| there_and_back(&TEXT, &mut space, &mut out) == TEXT);
    assert!(measured.value);
    assert_eq!(measured.native, Some(asked));
    assert_eq!(measured.tally, Tally::ZERO);
}

fn rusts_counts_have_nothing_of_it() {
    let (mut space, mut out) = room();
    let asked = asked();
    let measured = measure(|| there_and_back_asking(&TEXT, &mut space, &mut out));
    // The same calls, 16 bytes larger each, in the other column.
    assert_eq!(measured.native, Some(NativeTally::ZERO));
    assert_eq!(measured.tally.allocs, asked.allocs);
    assert_eq!(measured.tally.alloc_bytes, asked.bytes + 16 * asked.allocs);
    assert_eq!(measured.tally.deallocs, asked.frees);
}

fn several_threads_at_once_are_counted_each_by_itself_and_all_together() {
    const THREADS: usize = 8;
    let asked = asked();
    let all_started = Barrier::new(THREADS);
    let all_there = Barrier::new(THREADS);
    let all_done = Barrier::new(THREADS);
    let work = || {
        let (mut space, mut out) = room();
        all_there.wait();
        let own = measure(|| there_and_back(&TEXT, &mut space, &mut out) == TEXT);
        all_done.wait();
        (own.value, own.native)
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    // Glibc notes down the thread's own destructors.
                    drop(room());
                    all_started.wait();
                    work()
                })
            })
            .collect();
        all_started.wait();
        let measured = try_measure(Scope::Process, work).expect("the counter is installed");
        assert_eq!(measured.value, (true, Some(asked)));
        let all = measured.native.expect("native calls are measured here");
        assert_eq!(all.allocs, THREADS as u64 * asked.allocs, "{all}");
        assert_eq!(all.bytes, THREADS as u64 * asked.bytes, "{all}");
        for other in others {
            assert_eq!(other.join().expect("no panic"), (true, Some(asked)));
        }
    });
}

fn where_calls_do_not_come_here_nothing_is_measured() {
    let code = |program| Command::new(program).status().map(|status| status.code());
    let watched = code(env!("CARGO_BIN_EXE_watched"));
    assert_eq!(watched.expect("the program starts"), Some(0));
    let unwatched = code(env!("CARGO_BIN_EXE_unwatched"));
    assert_eq!(unwatched.expect("the program starts"), Some(3));
}
