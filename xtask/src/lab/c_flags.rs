//! The compiler flags of the allocators that are built from C and C++, as the build scripts
//! ran the compilers, for the page of the lab.

use std::fmt::Write;
use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};

use cargo_metadata::Message;

use crate::error::Error;

/// A subject, the crate that compiles it, and the last of its sources.
const SUBJECTS: [(&str, &str, &str); 4] = [
    ("mimalloc", "libmimalloc-sys", "static.c"),
    ("rpmalloc", "rpmalloc-sys", "rpmalloc.c"),
    ("snmalloc", "snmalloc-sys", "rust.cc"),
    ("jemalloc", "tikv-jemalloc-sys", "src/jemalloc.c"),
];

/// The markers of the block in the page.
const BEGIN: &str = "<!-- allocator-lab: begin c-flags -->\n";
const END: &str = "<!-- allocator-lab: end c-flags -->";

/// How a subject was compiled.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Compiled {
    subject: &'static str,
    /// The crate with its version.
    package: String,
    /// The compiler and its flags; none if the output of the build script has no such
    /// command, as where a library of the system is linked instead.
    command: Option<String>,
}

/// Has the build scripts of the subjects run as for the bench, and reads their commands.
/// `None` if one fails; cargo has said why.
pub(super) fn of_bench(root: &Path, features: &[String]) -> Result<Option<Vec<Compiled>>, Error> {
    let mut arguments = vec![
        "check --profile bench --locked --quiet --package allocator-lab --lib".to_owned(),
        "--message-format json-render-diagnostics".to_owned(),
    ];
    for features in features {
        arguments.push(format!("--features {features}"));
    }
    let arguments = arguments.join(" ");
    let output = Command::new("cargo")
        .args(arguments.split(' '))
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    let output = output.map_err(|source| Error::Start {
        command: format!("cargo {arguments}"),
        source,
    })?;
    if !output.status.success() {
        return Ok(None);
    }
    let mut compiled = Vec::new();
    for message in Message::parse_stream(BufReader::new(&*output.stdout)) {
        let Ok(Message::BuildScriptExecuted(script)) = message else {
            continue;
        };
        // `registry+https://...#libmimalloc-sys@0.1.49`
        let id = &script.package_id.repr;
        let package = id.rsplit('#').next().unwrap_or(id);
        let name = package.split('@').next();
        let Some((subject, _, source)) = SUBJECTS.iter().find(|(_, own, _)| name == Some(own))
        else {
            continue;
        };
        // Cargo keeps what a build script prints beside the folder of its results.
        let log = script.out_dir.with_file_name("output");
        let text = fs::read(&log).map_err(Error::reading(log.as_std_path()))?;
        compiled.push(Compiled {
            subject,
            package: package.replace('@', " "),
            command: command(&String::from_utf8_lossy(&text), source),
        });
    }
    compiled.sort_by_key(|one| one.subject);
    Ok(Some(compiled))
}

/// The compiler and the flags of the command in `log` that compiled `source`, without the
/// paths, which differ from machine to machine.
fn command(log: &str, source: &str) -> Option<String> {
    let line = log.lines().rev().find(|line| {
        let words = words(line);
        words.iter().any(|word| *word == "-c") && words.iter().any(|word| word.ends_with(source))
    })?;
    let line = line.strip_prefix("running: ").unwrap_or(line);
    let mut kept = Vec::new();
    let mut is_path = false;
    for word in words(line) {
        let is_after_option = is_path;
        is_path = matches!(word, "-I" | "-o" | "-MF" | "-MT");
        let is_flag = kept.is_empty() || word.starts_with('-');
        if is_flag && !is_after_option && !is_path && word != "-c" && !word.starts_with("-I") {
            kept.push(word);
        }
    }
    Some(kept.join(" "))
}

/// The words of a command line, without their quotes. Flags with spaces are not expected.
fn words(line: &str) -> Vec<&str> {
    line.split_ascii_whitespace()
        .map(|word| word.trim_matches('"'))
        .collect()
}

impl Compiled {
    /// `snmalloc, of snmalloc-sys 0.7.6: c++ -O3 ...`.
    pub(super) fn line(&self) -> String {
        let Self {
            subject,
            package,
            command,
        } = self;
        let command = command.as_deref().unwrap_or("no compiler was run");
        format!("{subject}, of {package}: {command}")
    }
}

/// The page with the table of `compiled` in its block; unchanged if it has no block.
pub(super) fn in_page(page: &str, compiled: &[Compiled]) -> String {
    let Some((before, rest)) = page.split_once(BEGIN) else {
        return page.to_owned();
    };
    let Some((_, after)) = rest.split_once(END) else {
        return page.to_owned();
    };
    let mut table = String::from("\n| subject | crate | compiler and flags |\n|---|---|---|\n");
    for one in compiled {
        let command = one.command.as_deref();
        let command = command.map_or("no compiler was run".into(), |it| format!("`{it}`"));
        // Writing to a `String` can't fail.
        let _ = writeln!(table, "| {} | {} | {command} |", one.subject, one.package);
    }
    if compiled.is_empty() {
        table = String::from("\nNo subject of this run is built from C or C++.\n");
    }
    format!("{before}{BEGIN}{table}\n{END}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "cargo:rerun-if-env-changed=CXX\n\
        running: \"c++\" \"-O3\" \"-o\" \"/a/flag_check\" \"-c\" \"/a/flag_check.cpp\"\n\
        running: \"c++\" \"-O3\" \"-I\" \"/b/src\" \"-std=c++20\" \"-DNDEBUG\" \"-o\" \"/a/rust.o\" \
        \"-c\" \"/b/override/rust.cc\"\n\
        running: \"ar\" \"cqD\" \"/a/lib.a\" \"/a/rust.o\"\n";

    #[test]
    fn the_command_that_compiled_the_source_is_shown_without_paths() {
        let found = command(LOG, "rust.cc");
        assert_eq!(found.as_deref(), Some("c++ -O3 -std=c++20 -DNDEBUG"));
        let make =
            "cc -std=gnu11 -DNDEBUG -c -D_GNU_SOURCE -Iinclude -o src/jemalloc.o src/jemalloc.c";
        assert_eq!(
            command(make, "src/jemalloc.c").as_deref(),
            Some("cc -std=gnu11 -DNDEBUG -D_GNU_SOURCE")
        );
        assert_eq!(command(LOG, "static.c"), None);
    }

    #[test]
    fn the_block_of_the_page_is_replaced_and_a_page_without_one_stays() {
        let compiled = |command: Option<&str>| Compiled {
            subject: "snmalloc",
            package: "snmalloc-sys 0.7.6".to_owned(),
            command: command.map(str::to_owned),
        };
        let page = format!("above\n{BEGIN}old\n{END}\nbelow\n");
        let expected = format!(
            "above\n{BEGIN}\n| subject | crate | compiler and flags |\n|---|---|---|\n\
             | snmalloc | snmalloc-sys 0.7.6 | `c++ -O3` |\n\n{END}\nbelow\n"
        );
        assert_eq!(in_page(&page, &[compiled(Some("c++ -O3"))]), expected);
        assert_eq!(in_page("no block\n", &[]), "no block\n");
        assert_eq!(
            compiled(None).line(),
            "snmalloc, of snmalloc-sys 0.7.6: no compiler was run"
        );
        assert!(in_page(&page, &[]).contains("\nNo subject of this run"));
    }

    #[test]
    fn the_page_of_the_lab_has_the_block() {
        let page = include_str!("../../../design/allocators.md");
        assert!(page.contains(BEGIN) && page.contains(END));
    }
}
