//! Pages as programs: their files are written and their commands run, and each prints what the
//! page shows. `BLESS=1` writes the outputs anew.
//!
//! The info string of a block says what it is: `rust src/lib.rs` is a file to write,
//! `diff src/lib.rs` a change of one, and `console exit=1` a command with its output.

use std::fs;
use std::io::{pipe, read_to_string};
use std::ops::Range;
use std::path::{Path, PathBuf};

use snapbox::Data;
use snapbox::data::DataFormat;

use crate::program::{EXPLAINS, RUSTC, comparing, without_time};
use crate::project::{Project, SOURCE};

/// The most lines of a command and its output.
const MOST_LINES: usize = 30;

/// Whether this platform has call stacks. Elsewhere a failure names no lines that allocate.
pub(crate) const HAS_STACKS: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// What a page leaves out of a failure.
const PART: &str = "call stacks were recorded in ";

/// Where the pages have the repository.
pub(crate) const CLONE: &str = "../alloc-gate";

/// A fenced block of a page.
pub(crate) struct Block<'p> {
    pub(crate) info: &'p str,
    pub(crate) content: &'p str,
    /// Where the content is in the page.
    pub(crate) place: Range<usize>,
}

pub(crate) enum Kind<'p> {
    File(&'p str),
    Change,
    /// A command that ends with this code, and its output.
    Command(i32),
    /// Nothing to test.
    Other,
}

impl<'p> Block<'p> {
    pub(crate) fn kind(&self) -> Kind<'p> {
        let words: Vec<&str> = self.info.split(' ').collect();
        match words[..] {
            ["console", exit] => {
                let code = exit.strip_prefix("exit=").map(str::parse);
                Kind::Command(code.and_then(Result::ok).expect("`exit=` and a code"))
            }
            ["diff", _] => Kind::Change,
            [_, path] => Kind::File(path),
            _ => Kind::Other,
        }
    }
}

pub(crate) fn blocks(page: &str) -> Vec<Block<'_>> {
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

pub(crate) fn read(page: &str) -> String {
    let read = fs::read_to_string(path_of(page));
    read.unwrap_or_else(|error| panic!("failed to read {page}: {error}"))
}

#[track_caller]
pub(crate) fn assert_page(page: &str, text: String) {
    comparing().eq(text, Data::read_from(&path_of(page), None).raw());
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
pub(crate) fn transcript(project: &Project, content: &str, code: i32) -> String {
    let (reader, writer) = pipe().expect("a pipe can be made");
    let mut command = project.command();
    command.args(arguments(content)).env(EXPLAINS, "1");
    command.stdout(writer.try_clone().expect("a pipe has two writers"));
    command.stderr(writer);
    let mut child = command.spawn().expect("the program starts");
    // The pipe ends when nobody has its writers.
    drop(command);
    let output = read_to_string(reader).expect("the output is UTF-8");
    let status = child.wait().expect("the program ends");
    assert_eq!(status.code(), Some(code), "{content}\n{output}");
    if code == 1 && !HAS_STACKS {
        return content.to_owned();
    }
    let output = without_time(&output)
        .replace(&RUSTC.version, "rustc 1.95.0 (59807616e 2026-04-14)")
        .replace(&RUSTC.host, "x86_64-unknown-linux-gnu")
        .replace("[TIME]", "2026-11-22 18:00 UTC")
        .replace(&*project.target().to_string_lossy(), "target")
        .replace('\\', "/");
    // Comments break elsewhere with another compiler, and a busy machine explains fewer iterations.
    let is_left_out = |line: &str| {
        let left_out = [
            "Building ",
            "Measuring ",
            "Explaining ",
            "Checking out ",
            // Every ten seconds of a slow machine.
            "measuring ",
            "recording the call stacks ",
            "# ",
        ];
        let mut begins = left_out.iter();
        begins.any(|begin| line.trim_start().starts_with(begin)) || line.contains(PART)
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

/// Asserts that the picture shows what a terminal shows of a failed check, or draws it.
pub(crate) fn assert_picture(picture: &str, project: &Project) {
    let colored = project.run_explained("-q --color always", 1);
    let whole = colored.stdout_text();
    // A busy machine explains fewer iterations.
    let lines = whole
        .split_inclusive('\n')
        .filter(|line| !line.contains(PART));
    let svg = Data::text(lines.collect::<String>()).coerce_to(DataFormat::TermSvg);
    comparing().eq(
        svg,
        Data::read_from(&path_of(picture), Some(DataFormat::TermSvg)),
    );
}

/// README.md with the files and commands of another page. A block that the page does not have is
/// replaced by the last one with the same info string and first line.
/// A block that ends with `...` has the first lines of the page's block.
pub(crate) fn readme_with(page: &str) -> String {
    let readme = read("README.md");
    let theirs = blocks(page);
    let mut text = String::new();
    let mut end = 0;
    for block in blocks(&readme) {
        if matches!(block.kind(), Kind::Change | Kind::Other) {
            continue;
        }
        let first = block.content.lines().next();
        let same = theirs.iter().filter(|other| other.info == block.info);
        let same = same.filter(|other| other.content.lines().next() == first);
        let same: Vec<String> = same.map(|other| shortened(other, &block)).collect();
        let last = same.last();
        let last = last.unwrap_or_else(|| panic!("the page has no `{}`", block.info));
        if !same.iter().any(|one| one == block.content) {
            text.push_str(&readme[end..block.place.start]);
            text.push_str(last);
            end = block.place.end;
        }
    }
    text.push_str(&readme[end..]);
    text
}

/// As many lines of a block as the other block has, if that ends with `...`.
fn shortened(block: &Block<'_>, like: &Block<'_>) -> String {
    let Some(begin) = like.content.strip_suffix("...\n") else {
        return block.content.to_owned();
    };
    let lines = block.content.split_inclusive('\n');
    lines.take(begin.lines().count()).chain(["...\n"]).collect()
}
