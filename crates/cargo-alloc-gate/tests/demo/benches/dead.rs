//! A bench without the counter.

use std::process::ExitCode;

use alloc_scenario::Suite;

fn main() -> ExitCode {
    let mut suite = Suite::from_args();
    suite.scenario("one box", || Box::new(7_u64));
    suite.finish()
}
