//! The counter over `dhat::Alloc` while its profiler runs: both count the same
//! program. The profiler's own allocations also go through the global allocator, so
//! our counts include them and dhat's don't.

use std::hint::black_box;
use std::process::ExitCode;

use counting_alloc::{CountingAlloc, Tally, measure};
use libtest_mimic::{Arguments, Trial};

#[global_allocator]
static ALLOC: CountingAlloc<dhat::Alloc> = CountingAlloc::new(dhat::Alloc);

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // The profiler counts the whole process.
    arguments.test_threads = Some(1);
    let trial = Trial::test("a_running_profiler_and_the_counter_agree", || {
        a_running_profiler_and_the_counter_agree();
        Ok(())
    });
    libtest_mimic::run(&arguments, vec![trial]).exit_code()
}

const BLOCKS: u64 = 100;
const SIZE: u64 = 1_009;

fn work() {
    for _ in 0..BLOCKS {
        drop(black_box(vec![1_u8; SIZE as usize]));
    }
}

const WORK: Tally = Tally::ZERO
    .with_blocks(BLOCKS, BLOCKS * SIZE)
    .with_deallocs(BLOCKS, BLOCKS * SIZE);

fn a_running_profiler_and_the_counter_agree() {
    assert_eq!(measure(work).tally, WORK);

    let profiler = dhat::Profiler::builder().testing().build();
    // The first blocks of this call stack make the profiler store it.
    work();
    let before = dhat::HeapStats::get();
    let counted = measure(work).tally;
    let after = dhat::HeapStats::get();
    drop(profiler);

    assert_eq!(after.total_blocks - before.total_blocks, BLOCKS);
    assert_eq!(after.total_bytes - before.total_bytes, BLOCKS * SIZE);
    // The profiler allocates call stacks and table entries for our blocks.
    assert!(counted.allocs > WORK.allocs, "{counted}");
    assert!(counted.bytes > WORK.bytes, "{counted}");
    assert_eq!(counted.failed, 0, "{counted}");

    assert_eq!(measure(work).tally, WORK);
}
