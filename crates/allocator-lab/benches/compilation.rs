//! The cost of compiling a program with each allocator that is built in: seconds to
//! minutes each, without the network, from the sources that cargo has for this crate.

use std::process::ExitCode;

use alloc_scenario::{CountingAlloc, Suite, Unit};
use allocator_lab::Unavailable;
use allocator_lab::subjects::PROGRAMS;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut suite = Suite::from_args();
    let [baseline, ..] = PROGRAMS;
    // The floor: cargo with nothing to build. It makes no program.
    suite.scenario_with("compilation", |b| {
        b.axis("subject", ["floor"])
            .warm_up(0)
            .iterations(1)
            .untimed()
            .run(move |_| match baseline.build_of_nothing() {
                Ok(nanoseconds) => nanoseconds,
                Err(error) => panic!("{error}"),
            })
            .metric("build-time", Unit::Nanoseconds, |&nanoseconds| {
                nanoseconds as i64
            })
    });
    let programs = PROGRAMS.map(|program| (program.subject.to_owned(), program));
    // The other control: the baseline, built once more after all others.
    let again = (format!("{}-again", baseline.subject), baseline);
    for (subject, program) in programs.into_iter().chain([again]) {
        suite.scenario_with("compilation", |b| {
            let b = b
                .axis("subject", [subject])
                .warm_up(0)
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
