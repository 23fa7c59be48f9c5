//! What each allocator costs whoever compiles a program with it: seconds to minutes of
//! cargo for each that is built in. Without the network, from the sources that cargo
//! has for this crate.

use std::process::ExitCode;

use alloc_scenario::{CountingAlloc, Suite, Unit};
use allocator_lab::Unavailable;
use allocator_lab::compilation::PROGRAMS;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut suite = Suite::from_args();
    for program in PROGRAMS {
        suite.scenario_with("compilation", |b| {
            let b = b
                .axis("subject", [program.subject])
                .warmup(0)
                .iterations(1)
                .untimed();
            if let Err(Unavailable(reason)) = program.available() {
                return b.unavailable(reason);
            }
            b.run(move |_| match program.build() {
                Ok(built) => built,
                Err(error) => panic!("{error}"),
            })
            .metric("build-time", Unit::Nanoseconds, |built| {
                built.nanoseconds as i64
            })
            .metric("program-bytes", Unit::Bytes, |built| {
                built.program_bytes as i64
            })
            .metric("shared-libraries", Unit::Count, |built| {
                built.shared_libraries.len() as i64
            })
            .into()
        });
    }
    suite.finish()
}
