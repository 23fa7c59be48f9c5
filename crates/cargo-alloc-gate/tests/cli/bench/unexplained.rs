//! Whatever keeps the lines of a failure from being shown, or makes them other ones than a
//! reader expects, is a sentence in the report. The verdict stays.

use std::fs;
use std::path::PathBuf;

use crate::bench::explained::{GATE, LIBRARY};
use crate::program::{EXPLAINS, Ran};
use crate::project::Project;

/// A function that calls another one without unwind tables.
const ASSEMBLY: &str = r#"
/// Calls `boxed`, and has no unwind tables.
pub fn without_tables() -> Box<u64> {
    unsafe extern "C" {
        fn jump_in() -> *mut u64;
    }
    // SAFETY: it returns the pointer of `boxed`.
    unsafe { Box::from_raw(jump_in()) }
}

std::arch::global_asm!(
    ".globl jump_in",
    ".type jump_in, @function",
    "jump_in:",
    "sub rsp, 8",
    "call {boxed}",
    "add rsp, 8",
    "ret",
    ".size jump_in, . - jump_in",
    boxed = sym outside::boxed,
);
"#;

/// A package that is no member of the workspace.
const OUTSIDE: &str = r#"
pub extern "C" fn boxed() -> *mut u64 {
    Box::into_raw(Box::new(7))
}
"#;

/// In its second run, which records call stacks, the bench does what `PLANTED` says: it ends,
/// or it replaces a text in its results by another one.
const BENCH: &str = r#"
use alloc_scenario::{CountingAlloc, Suite};
use std::{env, fs, process};
use PACKAGE::{encode, without_tables};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> process::ExitCode {
    let is_second = env::var_os("ALLOC_GATE_SITES").is_some();
    let planted = match is_second {
        true => env::var("PLANTED").unwrap_or_default(),
        false => String::new(),
    };
    if planted == "abort" {
        process::abort();
    }
    let mut suite = Suite::from_args();
    suite.scenario("encode", || encode("hello"));
    suite.scenario("assembly", || (without_tables(), without_tables()));
    let code = suite.finish();
    if let Some((from, to)) = planted.split_once(" -> ") {
        let folder = env::var_os("ALLOC_GATE_BENCH_RESULTS").expect("there are results");
        let mut files = fs::read_dir(folder).expect("it is a folder");
        let path = files.next().expect("it has a file").expect("it has a name").path();
        let text = fs::read_to_string(&path).expect("it is text");
        // `*` stands for what is up to the next text.
        let (begin, end) = from.split_once('*').unwrap_or((from, ""));
        let start = text.find(begin).expect("the text is there");
        let rest = &text[start + begin.len()..];
        let rest = &rest[rest.find(end).expect("the text ends")..];
        let text = format!("{}{to}{}", &text[..start], &rest[end.len()..]);
        fs::write(path, text).expect("it can be written");
    }
    let executable = env::current_exe().expect("it is known");
    if let Some(text) = planted.strip_prefix("replace ") {
        let time = fs::metadata(&executable).and_then(|file| file.modified());
        fs::rename(&executable, "measured").expect("it can be moved");
        let whole = fs::read("measured").expect("it can be read");
        fs::write(&executable, &whole).expect("it can be written");
        if text == "half" {
            let file = fs::File::options().write(true).open(&executable).expect("it is there");
            file.set_len(whole.len() as u64 / 2).expect("it can be cut");
            file.set_modified(time.expect("it has a time")).expect("it can be set");
        }
        fs::write("executable", executable.to_str().expect("it is UTF-8")).expect("it is written");
    }
    code
}
"#;

const RULES: &str = "\
version = 1
run = { warmup = 0, iterations = 3 }
[[bench]]
package = \"PACKAGE\"
target = \"counts\"
";

/// A package whose crate has the same name.
fn project(name: &str) -> Project {
    let [bench, rules] = [BENCH, RULES].map(|text| text.replace("PACKAGE", name));
    let project = Project::own(name, &[("counts", &bench)]);
    let manifest = project.read("Cargo.toml");
    let manifest = manifest.replace("[workspace]\n", "[workspace]\nexclude = [\"outside\"]\n");
    project.write("Cargo.toml", &manifest);
    project.add_to_manifest("\n[dependencies]\noutside = { path = \"outside\" }\n");
    project.write("src/lib.rs", &format!("{LIBRARY}{ASSEMBLY}"));
    let package = "[package]\nname = \"outside\"\nversion = \"1.0.0\"\nedition = \"2024\"\n";
    project.write("outside/Cargo.toml", package);
    project.write("outside/src/lib.rs", OUTSIDE);
    project.write("gates.toml", &format!("{rules}{GATE}"));
    project
}

/// Checks a scenario, which fails. `planted` is what the second run does.
fn check(project: &Project, scenario: &str, planted: &str) -> Ran {
    let variables = [(EXPLAINS, "1"), ("PLANTED", planted)];
    let ran = project.run_with(&variables, &format!("--scenarios {scenario}"), 1);
    ran.verdict("FAILED: 1 of 1 scenario, 1 of 1 gate (1 scenario left out)");
    ran
}

#[test]
fn each_second_run_that_has_no_lines_is_named() {
    let project = project("unexplained_runs");
    for (planted, sentence) in [
        (
            "abort",
            "note: not explained: unexplained_runs/counts crashed (signal: 6 (SIGABRT))\n",
        ),
        // A row without its allocations.
        ("\"allocs\":3, -> ", INEXACT),
        // A harness from before call stacks.
        (
            ",\"anchor\":\"*\" -> ",
            "note: not explained: its version of alloc-scenario records no call stacks\n",
        ),
        (
            "\"anchor\":\"*\" -> \"anchor\":\"moved\"",
            "` has no function `moved`\n",
        ),
    ] {
        check(&project, "encode", planted).stdout_has(sentence);
    }
    // Stacks that the counter did not keep.
    let rows = "\"samples\":[{\"rows\":[{\"stack\":";
    let planted = format!("{rows}*,\"allocs\" -> {rows}null,\"allocs\"");
    check(&project, "encode", &planted)
        .stdout_has("        1     10  further stacks   more than the counter keeps\n");
    // A stack that ends early.
    check(&project, "assembly", "").stdout_has(
        "   allocs  bytes  line                        call
        2     16  code without unwind tables  at jump_in
        2     16  sum\n",
    );
    // Addresses in no function.
    let stacks = "[0,-9223372036854775808],[0],[0,9223372036854775807],[0,0,-1]";
    let planted = format!("\"stacks\":[*]] -> \"stacks\":[{stacks},{stacks},{stacks}]");
    check(&project, "encode", &planted).stdout_has("  code without unwind tables  at 0x");
    for (text, sentence) in [
        ("half", "` is not a readable executable: "),
        (
            "whole",
            "note: not explained: the executable was rebuilt; run again\n",
        ),
    ] {
        let ran = check(&project, "encode", &format!("replace {text}"));
        let executable = PathBuf::from(project.read("executable"));
        fs::rename(project.path("measured"), executable).expect("it can be moved back");
        ran.stdout_has(sentence);
    }
}

const INEXACT: &str = "\nwarning[sites-inexact]: no lines are shown, because they don't add up";

#[test]
fn line_tables_that_can_not_be_read_are_named() {
    let project = project("unexplained_tables");
    let option = "cargo:rustc-link-arg-benches=-Wl,--compress-debug-sections=zlib";
    project.write(
        "build.rs",
        &format!("fn main() {{ println!(\"{option}\") }}\n"),
    );
    project.run_explained("--scenarios encode", 1).stdout_has(
        " |
 = note: functions without lines: the line tables of the executable are compressed; \
link it without `--compress-debug-sections`

   allocs  bytes  line     call
        1     11  no line  Vec::with_capacity in encode
        1     10  no line  Vec::with_capacity in little_endian
        2     21  sum\n",
    );
}
