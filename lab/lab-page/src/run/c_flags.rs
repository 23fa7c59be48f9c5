//! How the subjects from C and C++ were compiled: the commands that their build scripts ran.

use std::fs;

use cargo_metadata::{Message, Metadata};

use lab_page::error::Error;
use lab_page::results::Compiled;

/// A subject, the crate that compiles it, and the last of its sources.
const SUBJECTS: [(&str, &str, &str); 4] = [
    ("jemalloc", "tikv-jemalloc-sys", "src/jemalloc.c"),
    ("mimalloc", "libmimalloc-sys", "static.c"),
    ("rpmalloc", "rpmalloc-sys", "rpmalloc.c"),
    ("snmalloc", "snmalloc-sys", "rust.cc"),
];

/// Reads what a build printed as JSON: where each build script left its output.
pub(super) fn of_build(messages: &[u8], metadata: &Metadata) -> Result<Vec<Compiled>, Error> {
    let mut all = Vec::new();
    for message in Message::parse_stream(messages) {
        let Ok(Message::BuildScriptExecuted(script)) = message else {
            continue;
        };
        let mut packages = metadata.packages.iter();
        let package = packages.find(|one| one.id == script.package_id);
        for (subject, name, source) in SUBJECTS {
            let Some(package) = package.filter(|package| *package.name == name) else {
                continue;
            };
            // Cargo keeps what a build script prints beside the folder of its results.
            let log = script.out_dir.with_file_name("output");
            let text = fs::read(&log).map_err(Error::file("use", log.as_std_path()))?;
            let command = command(&String::from_utf8_lossy(&text), source);
            all.push(Compiled {
                subject: subject.to_owned(),
                package: name.to_owned(),
                version: package.version.to_string(),
                // A library of the system may be linked instead.
                command: command.unwrap_or_else(|| "no compiler was run".to_owned()),
            });
        }
    }
    all.sort_by(|one, other| one.subject.cmp(&other.subject));
    Ok(all)
}

/// The compiler and the flags of the command in `log` that compiled `source`, without the
/// paths, which differ from machine to machine.
fn command(log: &str, source: &str) -> Option<String> {
    let mut lines = log.lines().rev().map(words);
    let is_meant = |words: &Vec<&str>| {
        words.contains(&"-c") && words.iter().any(|word| word.ends_with(source))
    };
    let mut words = lines.find(is_meant)?.into_iter();
    let mut compiler = words.next()?;
    if compiler == "running:" {
        compiler = words.next()?;
    }
    let flags = words.filter(|word| {
        let names_path = ["-c", "-o", "-MF", "-MT"].contains(word) || word.starts_with("-I");
        word.starts_with('-') && !names_path
    });
    Some(flags.fold(compiler.to_owned(), |all, flag| all + " " + flag))
}

/// The words of a command line, without their quotes. Flags with spaces are not expected.
fn words(line: &str) -> Vec<&str> {
    line.split_ascii_whitespace()
        .map(|word| word.trim_matches('"'))
        .collect()
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
        let make = "cc -std=gnu11 -c -D_GNU_SOURCE -Iinclude -o src/jemalloc.o src/jemalloc.c";
        let found = command(make, "src/jemalloc.c");
        assert_eq!(found.as_deref(), Some("cc -std=gnu11 -D_GNU_SOURCE"));
        assert_eq!(command(LOG, "static.c"), None);
    }
}
