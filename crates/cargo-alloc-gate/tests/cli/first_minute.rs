//! `design/guide.md` as a program: its files are written and its commands run, one after the
//! other, and each prints what the page shows. README.md repeats parts of the guide, and the
//! benches of `design/recipes.md` hold the gates beside them. `SNAPSHOTS=overwrite` writes the
//! outputs of the guide and of README.md anew.
//!
//! The info string of a block says what it is: `rust src/lib.rs` is a file to write, and
//! `console exit=1` a command with its output.

use std::fs;
use std::io::{pipe, read_to_string};
use std::ops::Range;
use std::path::{Path, PathBuf};

use snapbox::{Assert, Data};

use crate::program::{RUSTC, without_time};
use crate::project::{Project, SOURCE};

/// The most lines of a command and its output.
const MOST_LINES: usize = 25;

/// The most lines of README.md.
const README_LINES: usize = 150;

/// Where the pages have the repository.
const CLONE: &str = "../alloc-gate";

/// A fenced block of a page.
struct Block<'p> {
    info: &'p str,
    content: &'p str,
    /// Where the content is in the page.
    place: Range<usize>,
}

enum Kind<'p> {
    /// A file to write.
    File(&'p str),
    /// A command that ends with this code, and its output.
    Command(i32),
    /// Nothing to test.
    Other,
}

impl<'p> Block<'p> {
    fn kind(&self) -> Kind<'p> {
        let words: Vec<&str> = self.info.split(' ').collect();
        match words[..] {
            ["console", exit] => {
                let code = exit.strip_prefix("exit=").map(str::parse);
                Kind::Command(code.and_then(Result::ok).expect("`exit=` and a code"))
            }
            [_, path] => Kind::File(path),
            _ => Kind::Other,
        }
    }
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        let before = at;
        at += line.len();
        let Some(info) = line.trim_end().strip_prefix("```") else {
            continue;
        };
        open = match open {
            None => Some((info, at)),
            Some((info, start)) => {
                blocks.push(Block {
                    info,
                    content: &page[start..before],
                    place: start..before,
                });
                None
            }
        };
    }
    blocks
}

fn path_of(page: &str) -> PathBuf {
    Path::new(SOURCE).join(page)
}

fn read(page: &str) -> String {
    let read = fs::read_to_string(path_of(page));
    read.unwrap_or_else(|error| panic!("failed to read {page}: {error}"))
}

/// Asserts that the page has this text, or writes it.
#[track_caller]
fn assert_page(page: &str, text: String) {
    let assert = Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV);
    assert.eq(text, Data::read_from(&path_of(page), None).raw());
}

/// The package `wordy` in the folder `name`, as `cargo new --lib` makes it, as a workspace of
/// its own. Its dependencies are built as in the other projects.
fn wordy(name: &str) -> Project {
    let project = Project::own(name, &[]);
    project.write(
        "Cargo.toml",
        "[package]\nname = \"wordy\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n\n[workspace]\n\n[profile.bench.package.\"*\"]\nopt-level = 0\n",
    );
    project
}

/// The arguments on the first line of a block, with the repository in its place. Those with
/// spaces are in quotes.
fn arguments(content: &str) -> Vec<String> {
    let line = content.lines().next();
    let line = line.and_then(|line| line.strip_prefix("$ cargo alloc-gate"));
    let mut rest = line.expect("the block begins with a command of this program");
    let mut words = Vec::new();
    loop {
        rest = rest.trim_start();
        let quote = rest
            .chars()
            .next()
            .filter(|first| matches!(first, '"' | '\''));
        let (word, after) = match quote {
            Some(quote) => rest[1..].split_once(quote).expect("a quote has an end"),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        if word.is_empty() {
            return words;
        }
        words.push(word.replace(CLONE, SOURCE));
        rest = after;
    }
}

/// Runs the command of a block; returns it with what a terminal shows, as on the machine
/// of the page.
fn transcript(project: &Project, content: &str, code: i32) -> String {
    let (reader, writer) = pipe().expect("a pipe can be made");
    let mut command = project.command();
    command.args(arguments(content));
    command.stdout(writer.try_clone().expect("a pipe has two writers"));
    command.stderr(writer);
    let mut child = command.spawn().expect("the program starts");
    // The pipe ends when nobody has its writers.
    drop(command);
    let output = read_to_string(reader).expect("the output is UTF-8");
    let status = child.wait().expect("the program ends");
    assert_eq!(status.code(), Some(code), "{content}\n{output}");
    let output = without_time(&output)
        .replace(&RUSTC.version, "rustc 1.95.0 (59807616e 2026-04-14)")
        .replace(&RUSTC.host, "x86_64-unknown-linux-gnu")
        .replace("[TIME]", "2026-11-22 18:00 UTC")
        .replace(&*project.target().to_string_lossy(), "target")
        .replace('\\', "/");
    // Comments break elsewhere with another compiler.
    let is_left_out = |line: &str| {
        let left_out = ["Building ", "Measuring ", "# "];
        left_out
            .iter()
            .any(|begin| line.trim_start().starts_with(begin))
    };
    let mut lines: Vec<&str> = content.lines().take(1).collect();
    lines.extend(output.lines().filter(|line| !is_left_out(line)));
    assert!(
        lines.len() <= MOST_LINES,
        "{} lines:\n{}",
        lines.len(),
        lines.join("\n")
    );
    lines.join("\n") + "\n"
}

/// Runs the tests in a file of the project, with the build of its benches.
fn run_tests(project: &Project, path: &str) {
    let name = Path::new(path).file_stem().and_then(|stem| stem.to_str());
    let mut command = project.command_in(env!("CARGO"), "");
    command.args([
        "test",
        "--profile",
        "bench",
        "--config",
        "profile.bench.opt-level=0",
    ]);
    command.args(["--test", name.expect("a test has a name")]);
    project.finish(command).code(0);
}

#[test]
fn a_new_user_follows_the_guide() {
    let page = read("design/guide.md");
    let project = wordy("wordy");
    let mut shown = String::new();
    let mut end = 0;
    for block in blocks(&page) {
        match block.kind() {
            Kind::File(path) => project.write(path, block.content),
            Kind::Command(code) => {
                shown.push_str(&page[end..block.place.start]);
                shown.push_str(&transcript(&project, block.content, code));
                end = block.place.end;
            }
            Kind::Other => {}
        }
        if let Kind::File(path) = block.kind()
            && path.starts_with("tests/")
        {
            run_tests(&project, path);
        }
    }
    shown.push_str(&page[end..]);
    assert_page("design/guide.md", shown.clone());
    let readme = with_blocks_of(&read("README.md"), &blocks(&shown));
    let lines = readme.lines().count();
    assert_page("README.md", readme);
    assert!(lines <= README_LINES, "README.md has {lines} lines");
}

/// README.md with the blocks of the guide: one that the guide does not have is replaced by
/// the last of its kind.
fn with_blocks_of(readme: &str, guide: &[Block<'_>]) -> String {
    let mut text = String::new();
    let mut end = 0;
    for block in blocks(readme) {
        if matches!(block.kind(), Kind::Other) {
            continue;
        }
        let same_kind = guide.iter().filter(|other| other.info == block.info);
        let same_kind: Vec<&str> = same_kind.map(|other| other.content).collect();
        let last = same_kind.last();
        let last = last.unwrap_or_else(|| panic!("the guide has no `{}`", block.info));
        if !same_kind.contains(&block.content) {
            text.push_str(&readme[end..block.place.start]);
            text.push_str(last);
            end = block.place.end;
        }
    }
    text.push_str(&readme[end..]);
    text
}

#[test]
fn the_benches_of_the_recipes_hold_their_gates() {
    let page = read("design/recipes.md");
    let project = wordy("recipes");
    project.add_to_manifest(&format!(
        "\n[dev-dependencies]\nalloc-scenario = {{ path = '{SOURCE}/crates/alloc-scenario' }}\n"
    ));
    let manifest = project.read("Cargo.toml");
    let mut has_bench = false;
    let mut checked = 0;
    for block in blocks(&page) {
        let Kind::File(path) = block.kind() else {
            continue;
        };
        if let Some(name) = path.strip_prefix("benches/") {
            // The package has the bench of this recipe alone.
            let _ = fs::remove_dir_all(project.path("benches"));
            let name = name.trim_end_matches(".rs");
            let bench = format!("\n[[bench]]\nname = \"{name}\"\nharness = false\n");
            project.write("Cargo.toml", &format!("{manifest}{bench}"));
            project.write(path, block.content);
            has_bench = true;
        } else if path.starts_with("tests/") {
            project.write(path, block.content);
            run_tests(&project, path);
        } else if path == "gates.toml" && has_bench {
            project.write(path, block.content);
            project.run("", 0);
            checked += 1;
            // Other rules are about a bench that the reader has.
            has_bench = false;
        }
    }
    assert_eq!(checked, 3, "recipes with a bench");
}
