//! The cost of compiling a program with each allocator that is built in, seconds to minutes each;
//! without the network, from the sources that cargo has for this crate.

use std::process::ExitCode;

use alloc_scenario::{CountingAlloc, Suite, Unit};
use allocator_lab::compilation::{Built, PROGRAMS, Program};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut suite = Suite::from_args();
    let [baseline, ..] = PROGRAMS;
    // The floor: cargo with nothing to build. It makes no program.
    add(&mut suite, "floor", baseline);
    for program in PROGRAMS {
        add(&mut suite, program.subject, program);
    }
    // The other control: the baseline, built once more after all others.
    add(&mut suite, "system-again", baseline);
    suite.finish()
}

/// Adds the scenario of a program, which is built in the set-up, once: a body also has a call
/// before those that are counted.
fn add(suite: &mut Suite<'_>, subject: &str, program: Program) {
    let is_floor = subject == "floor";
    suite.scenario_with("compilation", |b| {
        let b = b.axis("subject", [subject.to_owned()]);
        let b = b.warm_up(0).iterations(1).untimed();
        if !program.is_built_in {
            return b.unavailable(format!("built without the feature `{subject}`"));
        }
        let b = b
            .setup(move |_| match program.build() {
                Ok(built) => built,
                Err(error) => panic!("failed to build the program: {error}"),
            })
            .run(|built| *built);
        if is_floor {
            let time = |built: &Built| built.time_of_nothing;
            return b.metric("build-time", Unit::Nanoseconds, time).into();
        }
        b.metric("build-time", Unit::Nanoseconds, |built| built.time)
            .metric("program-bytes", Unit::Bytes, |built| built.bytes)
            .metric("shared-libraries", Unit::Count, |built| {
                built.shared_libraries
            })
            .into()
    });
}
