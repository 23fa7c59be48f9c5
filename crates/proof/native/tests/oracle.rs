//! Compares the native calls of bzip2 with its calls of functions that count.

use std::process::{Command, ExitCode};
use std::sync::Barrier;
use std::thread;

use alloc_scenario::counting_alloc::{
    CountingAlloc, NativeTally, Scope, Tally, measure, try_measure,
};
use libtest_mimic::{Arguments, Trial};
use proof_native::{Requests, round_trip, round_trip_with_functions};
use proof_shared::named;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Sequentially on this thread: another thread would allocate meanwhile.
    arguments.test_threads = Some(1);
    let trials = named![
        native_calls_are_the_calls_of_bzip2,
        rust_counts_no_native_calls,
        threads_are_counted_separately_and_together,
        nothing_is_measured_where_calls_do_not_reach_the_counter,
    ]
    .map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, trials.into()).exit_code()
}

const TEXT: [u8; 10_000] = [7; 10_000];

fn buffers() -> (Vec<u8>, Vec<u8>) {
    (vec![0; 20_000], vec![0; 20_000])
}

fn requests() -> NativeTally {
    let (mut space, mut out) = buffers();
    let Requests {
        allocs,
        bytes,
        frees,
    } = round_trip_with_functions(&TEXT, &mut space, &mut out);
    // Compression allocates a state and three tables: two of at least 4 bytes for
    // each of the 100,000 bytes of a block, and one for each pair of bytes.
    // Decompression allocates a state, and a table of 4 bytes for each byte of a block.
    assert_eq!((allocs, frees), (4 + 2, 4 + 2));
    assert!(bytes > 3 * 400_000 + 4 * 65_536, "{bytes}");
    NativeTally::ZERO
        .with_blocks(allocs, bytes)
        .with_frees(frees)
}

fn native_calls_are_the_calls_of_bzip2() {
    let (mut space, mut out) = buffers();
    let requests = requests();
    let measured = measure(|| round_trip(&TEXT, &mut space, &mut out) == TEXT);
    assert!(measured.value);
    assert_eq!(measured.native, Some(requests));
    assert_eq!(measured.tally, Tally::ZERO);
}

fn rust_counts_no_native_calls() {
    let (mut space, mut out) = buffers();
    let requests = requests();
    let measured = measure(|| round_trip_with_functions(&TEXT, &mut space, &mut out));
    // The calls are the same, but 16 bytes larger, and Rust's.
    assert_eq!(measured.native, Some(NativeTally::ZERO));
    assert_eq!(measured.tally.allocs, requests.allocs);
    assert_eq!(measured.tally.bytes, requests.bytes + 16 * requests.allocs);
    assert_eq!(measured.tally.deallocs, requests.frees);
}

fn threads_are_counted_separately_and_together() {
    const THREADS: usize = 8;
    let requests = requests();
    let all_started = Barrier::new(THREADS);
    let all_there = Barrier::new(THREADS);
    let all_done = Barrier::new(THREADS);
    let work = || {
        let (mut space, mut out) = buffers();
        all_there.wait();
        let own = measure(|| round_trip(&TEXT, &mut space, &mut out) == TEXT);
        all_done.wait();
        (own.value, own.native)
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    // Glibc allocates for the destructors of the thread.
                    drop(buffers());
                    all_started.wait();
                    work()
                })
            })
            .collect();
        all_started.wait();
        let measured = try_measure(Scope::Process, work).expect("the counter is installed");
        assert_eq!(measured.value, (true, Some(requests)));
        let all = measured.native.expect("native calls are measured");
        assert_eq!(all.allocs, THREADS as u64 * requests.allocs, "{all}");
        assert_eq!(all.bytes, THREADS as u64 * requests.bytes, "{all}");
        for other in others {
            assert_eq!(other.join().expect("no panic"), (true, Some(requests)));
        }
    });
}

fn nothing_is_measured_where_calls_do_not_reach_the_counter() {
    let code = |program| Command::new(program).status().map(|status| status.code());
    let watched = code(env!("CARGO_BIN_EXE_watched"));
    assert_eq!(watched.expect("the program starts"), Some(0));
    let unwatched = code(env!("CARGO_BIN_EXE_unwatched"));
    assert_eq!(unwatched.expect("the program starts"), Some(3));
}
