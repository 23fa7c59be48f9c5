//! The help: `-h` and `--help`.

use std::path::Path;

use snapbox::str;

use crate::program::{PROGRAM, command};
use crate::usage::run_outside;

/// The commands in the text of `--help`.
pub(crate) fn commands(help: &str) -> Vec<&str> {
    let (_, list) = help.split_once("Commands:\n").expect("there is a list");
    let (list, _) = list.split_once("\n\nBench").expect("options follow");
    let rows = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names = rows.filter_map(|row| row.split(' ').next());
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn short_help_fits_a_screen_and_names_every_command() {
    let whole = run_outside("-h", 0)
        .stdout(str![[r#"
Gate allocation counts: build the benches, run them, check them against gates.toml

Usage: cargo alloc-gate [COMMAND] [OPTIONS]

Commands:
  init         Write a first bench, its lines in Cargo.toml, and gates.toml
               $ cargo alloc-gate init
  check        Build, run, judge and print (this is what happens without a command)
               $ cargo alloc-gate --scenarios 'decode/*'
  suggest      Measure twice, and print gates for the scenarios that have none
               $ cargo alloc-gate suggest --write
  accept       Measure, and make the results the baseline: its data and its page
               $ cargo alloc-gate accept
  compare      Measure at a git ref and here, and show what changed
               $ cargo alloc-gate compare main

More: run, explain, list, schema, completions, help

Options:
  -p, --package <GLOB>        Only benches of these packages
      --bench <GLOB>          Only these bench targets
      --quick                 Measure with fewer iterations; never a baseline
      --scenarios <GLOB>...   Only these scenarios [alias: --scenario]
      --results <PATH>...     Read recorded results, and run no bench
      --format <FORMAT>       What to print to stdout: terminal, markdown, html, json
      --report <FORMAT=FILE>  Write a report to a file as well: markdown=gates.md
      --table <ROWS>          Scenarios in the tables: all, changed, failed or none
      --explain <WHEN>        Show the lines that allocate: auto, all or never

Global options:
      --config-file <PATH>  Path to the rules, instead of the workspace's gates.toml
      --color <WHEN>        Coloring: auto, always or never
  -q, --quiet               Print only errors and the last line
  -v, --verbose             Print every gate, each command, and the output of benches
  -h, --help                Print help: a screen of it with -h, all with --help
  -V, --version             Print the version

Each option has a variable: --config-file [env: ALLOC_GATE_CONFIG_FILE]
All commands and options: cargo alloc-gate --help
Guide: design/guide.md in the repository of alloc-gate

"#]])
        .stdout_text();
    let long = run_outside("--help", 0).stdout_text();
    let names = commands(&long);
    assert_eq!(names.len(), 11, "{names:?}");
    for name in names {
        assert!(whole.contains(name), "{name}");
        let text = match name {
            "help" => whole.clone(),
            name => run_outside(&format!("{name} -h"), 0).stdout_text(),
        };
        assert!(text.lines().count() <= 40, "{text}");
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(90), "{text}");
    }
}

#[test]
fn help_ends_with_0_and_lists_the_exit_codes() {
    run_outside("--help", 0)
        .stdout(str![[r#"
Gate allocation counts: build the benches, run them, check them against gates.toml

Usage: cargo alloc-gate [COMMAND] [OPTIONS]

Commands:
  init         Write a first bench, its lines in Cargo.toml, and gates.toml
               $ cargo alloc-gate init
  check        Build, run, judge and print (this is what happens without a command)
               $ cargo alloc-gate --scenarios 'decode/*'
  suggest      Measure twice, and print gates for the scenarios that have none
               $ cargo alloc-gate suggest --write
  accept       Measure, and make the results the baseline: its data and its page
               $ cargo alloc-gate accept
  compare      Measure at a git ref and here, and show what changed
               $ cargo alloc-gate compare main

More:
  run          Build, run, print and record; judge nothing
  explain      Show the lines that allocate, and judge nothing
  list         List the scenarios, their gates, and what is ungated
  schema       Print the JSON schema of gates.toml, for editors
  completions  Print a script that completes `cargo alloc-gate` in a shell
  help         Print the help of a command

Bench selection:
  -p, --package <GLOB>
          Only benches of these packages
          
          [env: ALLOC_GATE_PACKAGE]

      --workspace
          All benches that gates.toml or a package's metadata names (this is the default)
          
          [env: ALLOC_GATE_WORKSPACE]

      --exclude <GLOB>
          No benches of the packages that the glob matches
          
          [env: ALLOC_GATE_EXCLUDE]

      --bench <GLOB>
          Only these bench targets
          
          [env: ALLOC_GATE_BENCH]

      --no-fail-fast
          Run the other benches after one has crashed
          
          [env: ALLOC_GATE_NO_FAIL_FAST]

      --quick
          Measure with fewer iterations; never a baseline
          
          At most 10 iterations of warm-up and 100 counted ones.
          
          [env: ALLOC_GATE_QUICK]

      --scenarios <GLOB>...
          Only these scenarios
          
          A glob has to match a full name, or else bench/name or package/bench/name.
          
          [env: ALLOC_GATE_SCENARIOS]
          [alias: --scenario]

Feature selection:
  -F, --features <FEATURES>
          Features to activate, separated by commas or spaces
          
          [env: ALLOC_GATE_FEATURES]

      --all-features
          Activate all features
          
          [env: ALLOC_GATE_ALL_FEATURES]

      --no-default-features
          Do not activate the `default` feature
          
          [env: ALLOC_GATE_NO_DEFAULT_FEATURES]

Compilation options:
  -r, --release
          The same as --cargo-profile release
          
          [env: ALLOC_GATE_RELEASE]

      --cargo-profile <NAME>
          Cargo profile to build with, instead of `bench`
          
          [env: ALLOC_GATE_CARGO_PROFILE]

      --target <TRIPLE>
          Build for this target triple
          
          [env: ALLOC_GATE_TARGET]

      --target-dir <DIRECTORY>
          Directory for all build artifacts
          
          [env: ALLOC_GATE_TARGET_DIR]

  -j, --jobs <N>
          Number of parallel build jobs
          
          [env: ALLOC_GATE_JOBS]

      --timings
          Let cargo write a report about the times of the build
          
          [env: ALLOC_GATE_TIMINGS]

Results:
      --results <PATH>...
          Read recorded results, and run no bench
          
          [env: ALLOC_GATE_RESULTS]

      --allow-stale
          Read recorded results of another commit than HEAD as well
          
          [env: ALLOC_GATE_ALLOW_STALE]

Reports:
      --format <FORMAT>
          What to print to stdout: terminal, markdown, html, json

          Possible values:
          - terminal: For people at a terminal and for logs
          - markdown: For step summaries and comments
          - html:     For a browser: one file, which loads nothing
          - json:     For programs
          
          [env: ALLOC_GATE_FORMAT]
          [default: terminal]

      --report <FORMAT=FILE>
          Write a report to a file as well: markdown=gates.md
          
          Can be repeated. The endings .md, .html, .csv, .sarif and .xml (junit) need no format.
          
          [env: ALLOC_GATE_REPORT]

      --table <ROWS>
          Scenarios in the tables: all, changed, failed or none
          
          By default all, and of more than 20 rows those that changed, are new or failed.
          
          [env: ALLOC_GATE_TABLE]
          [possible values: all, changed, failed, none]

      --explain <WHEN>
          Show the lines that allocate: auto, all or never
          
          By default those of the 40 worst scenarios.
          
          [env: ALLOC_GATE_EXPLAIN]

      --base <REF>
          Compare the lines with those of a commit
          
          The benches that fail are built there once more. `baseline` is the commit that last changed the scenario in the baseline's file.
          
          [env: ALLOC_GATE_BASE]

Manifest options:
      --manifest-path <PATH>
          Path to Cargo.toml
          
          [env: ALLOC_GATE_MANIFEST_PATH]

      --config-file <PATH>
          Path to the rules, instead of the workspace's gates.toml
          
          [env: ALLOC_GATE_CONFIG_FILE]

      --locked
          Assert that Cargo.lock will remain unchanged
          
          [env: ALLOC_GATE_LOCKED]

      --offline
          Run without accessing the network
          
          [env: ALLOC_GATE_OFFLINE]

      --frozen
          The same as --locked and --offline
          
          [env: ALLOC_GATE_FROZEN]

      --config <KEY=VALUE|PATH>
          A value for cargo's configuration, or a file with values; can be repeated
          
          [env: ALLOC_GATE_CONFIG]

Global options:
      --color <WHEN>
          Coloring: auto, always or never
          
          [env: ALLOC_GATE_COLOR]
          [possible values: auto, always, never]

  -q, --quiet
          Print only errors and the last line
          
          [env: ALLOC_GATE_QUIET]

  -v, --verbose
          Print every gate, each command, and the output of benches
          
          [env: ALLOC_GATE_VERBOSE]

  -h, --help
          Print help: a screen of it with -h, all with --help

  -V, --version
          Print the version

Options can stand before or after the command.

Exit codes:
    0  everything was measured and every gate held
    1  a gate failed
    2  wrong usage
    4  nothing was selected
   70  alloc-gate itself failed
   96  gates.toml or a baseline is invalid
  101  a bench did not build
  102  cargo metadata failed
  104  a bench crashed, timed out, was incomplete, or its counter was not live
  110  an output could not be written

Guide: design/guide.md in the repository of alloc-gate

"#]])
        .stderr("");
}

/// `head` closes the pipe before all is written.
#[cfg(unix)]
#[test]
fn a_reader_that_wants_the_beginning_alone_is_no_error() {
    use std::process::Stdio;

    for line in ["--help", "schema", "completions bash"] {
        let mut program = command(PROGRAM, Path::new("."));
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        program.args(line.split(' ')).stdout(Stdio::from(writer));
        let output = program.output().expect("the program runs");
        let stderr = String::from_utf8(output.stderr).expect("it is UTF-8");
        assert_eq!(output.status.code(), Some(0), "{line}: {stderr}");
        assert!(!stderr.contains("error"), "{line}: {stderr}");
    }
}
