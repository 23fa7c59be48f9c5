//! A bench whose scenarios call C, with the gates in `gates.toml`.

use std::process::ExitCode;

use alloc_scenario::{CountingAlloc, Suite};
use proof_native::round_trip;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut suite = Suite::from_args();
    suite
        .group("bzip2")
        .scenario_with("round trip", |b| {
            b.iterations(100)
                .warm_up(10)
                .setup(|()| (vec![0; 20_000], vec![0; 20_000]))
                .run(|(space, out)| round_trip(&[7; 10_000], space, out).len())
        })
        .scenario_with("threads", |b| {
            b.iterations(20)
                .warm_up(2)
                .setup(|()| (vec![0; 20_000], vec![0; 20_000]))
                .run_on_threads(
                    |()| 2,
                    |(space, out)| round_trip(&[7; 10_000], space, out).len(),
                )
        })
        .scenario("no C at all", || vec![0_u8; 100]);
    suite.finish()
}
