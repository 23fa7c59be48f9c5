//! The cost of compiling a program with each allocator that is built in, seconds to minutes each,
//! and the size of the code of those for microcontrollers; without the network, from the sources
//! that cargo has for this crate.

use std::process::ExitCode;

use alloc_scenario::{CountingAlloc, Suite, Unit};
use allocator_lab::Unavailable;
use allocator_lab::embedded::EMBEDDED;
use allocator_lab::subjects::PROGRAMS;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    // Programs are built in the set-up, once each: a body also has a call before those that are
    // counted.
    let mut suite = Suite::from_args();
    let [baseline, ..] = PROGRAMS;
    // The floor: cargo with nothing to build. It makes no program.
    suite.scenario_with("compilation", |b| {
        b.axis("subject", ["floor"])
            .warm_up(0)
            .iterations(1)
            .untimed()
            .setup(move |_| match baseline.build_of_nothing() {
                Ok(nanoseconds) => nanoseconds,
                Err(error) => panic!("{error}"),
            })
            .run(|nanoseconds| *nanoseconds)
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
            b.setup(move |_| match program.build() {
                Ok(built) => built,
                Err(error) => panic!("{error}"),
            })
            .run(|built| {
                let libraries = built.shared_libraries.len();
                (built.nanoseconds, built.program_bytes, libraries)
            })
            .metric("build-time", Unit::Nanoseconds, |&(time, ..)| time as i64)
            .metric("program-bytes", Unit::Bytes, |&(_, bytes, _)| bytes as i64)
            .metric("shared-libraries", Unit::Count, |&(.., libraries)| {
                libraries as i64
            })
            .into()
        });
    }
    let [floor, others @ ..] = EMBEDDED;
    for program in others {
        suite.scenario_with("code-size", |b| {
            let b = b.axis("subject", [program.subject.to_owned()]);
            let b = b.warm_up(0).iterations(1).untimed();
            if let Err(Unavailable(reason)) = program.available() {
                return b.unavailable(reason);
            }
            b.setup(move |_| match (floor.build(), program.build()) {
                (Ok(floor), Ok(built)) => built.code_bytes - floor.code_bytes,
                (Err(error), _) | (_, Err(error)) => panic!("{error}"),
            })
            .run(|bytes| *bytes)
            .metric("code-bytes", Unit::Bytes, |&bytes| bytes as i64)
            .into()
        });
    }
    suite.finish()
}
