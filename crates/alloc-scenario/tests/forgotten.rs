//! A bench without `#[global_allocator]` reports that and measures nothing.

#[path = "protocol/sample.rs"]
mod sample;

use std::env;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

const BENCH: &str = "ALLOC_SCENARIO_TEST_BENCH";

fn main() -> ExitCode {
    if env::var_os(BENCH).is_some() {
        return sample::bench(|_| ());
    }
    let trial = Trial::test("a_bench_without_a_counter_prints_the_lines_to_add", || {
        a_bench_without_a_counter_prints_the_lines_to_add();
        Ok(())
    });
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}

fn a_bench_without_a_counter_prints_the_lines_to_add() {
    for arguments in [&["--bench"][..], &[]] {
        let mut command = own_process::command();
        let output = own_process::output(command.args(arguments).env(BENCH, "1"));
        assert_eq!(output.status.code(), Some(101));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "error: no allocation was counted: `CountingAlloc` is not the global allocator of this \
             bench. Add to its root:\n    #[global_allocator]\n    static ALLOC: \
             alloc_scenario::CountingAlloc = alloc_scenario::CountingAlloc::system();\n\
             If a crate of the program has a `#[global_allocator]`, put the counter around that \
             one instead: `CountingAlloc::new(...)`\n"
        );
    }
}
