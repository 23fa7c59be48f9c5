//! A bench whose scenarios call C: what `gates.toml` beside it judges.

use std::process::ExitCode;

use alloc_scenario::{CountingAlloc, Suite};
use proof_native::there_and_back;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut suite = Suite::from_args();
    suite
        .group("bzip2")
        .scenario_with("there and back", |b| {
            b.iterations(100)
                .warmup(10)
                .setup(|()| (vec![0; 20_000], vec![0; 20_000]))
                .run(|(space, out)| there_and_back(&[7; 10_000], space, out).len())
        })
        .scenario_with("threads", |b| {
            b.iterations(20)
                .warmup(2)
                .setup(|()| (vec![0; 20_000], vec![0; 20_000]))
                .run_on_threads(
                    |()| 2,
                    |(space, out)| there_and_back(&[7; 10_000], space, out).len(),
                )
        })
        .scenario("no C at all", || vec![0_u8; 100]);
    suite.finish()
}
