//! Which modules may hold a standard stream. It looks at what ships; tests,
//! benches and examples may print, and so may a build script, whose output
//! cargo reads.

use std::collections::BTreeSet;

use super::finding::{Code, Finding, Place};
use super::lexer::Token;
use super::paths;
use super::source::Source;

/// The files that print, one a program.
const CONSOLES: &[&str] = &[
    "crates/alloc-scenario/src/console.rs",
    "crates/cargo-alloc-gate/src/shell.rs",
    "crates/proof/shared/src/console.rs",
    "xtask/src/console.rs",
];

/// The functions that hand out a standard stream.
const STREAMS: &[&str] = &[
    "std::io::stdout",
    "std::io::stderr",
    "anstream::stdout",
    "anstream::stderr",
];

/// The macros that print.
const MACROS: &[&str] = &["println", "print", "eprintln", "eprint", "dbg"];

/// Findings for one file.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    if CONSOLES.contains(&source.path.as_str()) || source.is_build_script() {
        return Vec::new();
    }
    let tokens = source.shipped();
    let mut uses: BTreeSet<(usize, String)> = BTreeSet::new();
    for at in 0..tokens.len() {
        if let Some(used) = macro_at(tokens, at).or_else(|| stream_at(tokens, at)) {
            uses.insert((tokens[at].first_line, used));
        }
    }
    for path in paths::used_paths(tokens) {
        if let Some(stream) = STREAMS.iter().find(|stream| path.reaches(stream)) {
            let name = stream.rsplit("::").next().unwrap_or(stream);
            uses.insert((path.line, format!("{name}()")));
        }
    }
    uses.into_iter()
        .map(|(line, used)| Finding {
            code: Code::PrintOutsideConsole,
            place: Place::new(&source.path, line),
            what: format!("`{used}` outside of the modules that print"),
            next: format!(
                "write to a `Write` that the caller hands in; only {} hold a standard stream",
                CONSOLES.join(", ")
            ),
        })
        .collect()
}

/// `println!(`, and not `println != 1`.
fn macro_at(tokens: &[Token], at: usize) -> Option<String> {
    let [name, bang, open, ..] = &tokens[at..] else {
        return None;
    };
    let name = name.word().filter(|name| MACROS.contains(name))?;
    let opens = ['(', '[', '{'].iter().any(|&mark| open.is_mark(mark));
    (bang.is_mark('!') && opens).then(|| format!("{name}!"))
}

/// `stdout()`, and not `command.stdout(...)`, which sets up a child's.
fn stream_at(tokens: &[Token], at: usize) -> Option<String> {
    let [name, open, close, ..] = &tokens[at..] else {
        return None;
    };
    let name = name
        .word()
        .filter(|name| matches!(*name, "stdout" | "stderr"))?;
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let of_a_value = before.is_some_and(|token| token.is_mark('.'));
    let called = open.is_mark('(') && close.is_mark(')');
    (called && !of_a_value).then(|| format!("{name}()"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        check(&Source::new("p", path, path, text))
            .into_iter()
            .map(|finding| {
                assert_eq!(finding.code, Code::PrintOutsideConsole);
                let used = finding.what.split('`').nth(1).unwrap();
                format!("{}: {used}", finding.place.line)
            })
            .collect()
    }

    #[test]
    fn every_printing_macro_is_found() {
        for name in MACROS {
            assert_eq!(
                found("src/a.rs", &format!("\nfn a() {{ {name}!(\"x\") }}")),
                [format!("2: {name}!")]
            );
        }
        assert_eq!(found("src/a.rs", "std::println!(\"x\")"), ["1: println!"]);
    }

    #[test]
    fn a_standard_stream_is_found_however_it_is_reached() {
        assert_eq!(
            found("src/a.rs", "use std::io::stdout;\nfn a() { stdout() }"),
            ["1: stdout()", "2: stdout()"]
        );
        assert_eq!(
            found("src/a.rs", "fn a() { std::io::stderr().lock() }"),
            ["1: stderr()"]
        );
        assert_eq!(
            found(
                "src/a.rs",
                "use std::io;\nfn a() { b.map_or_else(io::stdout) }"
            ),
            ["2: stdout()"]
        );
        assert_eq!(found("src/a.rs", "anstream::stderr()"), ["1: stderr()"]);
    }

    #[test]
    fn what_only_looks_like_printing_is_not_found() {
        let text = "// println!(\"x\")\nconst A: &str = \"stdout()\";\n\
                    fn a() { command.stdout(Stdio::piped()); child.stderr(); print != x }\n\
                    struct B { stdout: C }";
        assert_eq!(found("src/a.rs", text), [""; 0]);
    }

    #[test]
    fn consoles_tests_benches_examples_and_build_scripts_may_print() {
        let text = "fn a() { println!(\"{}\", stdout()) }";
        for path in CONSOLES {
            assert_eq!(found(path, text), [""; 0], "{path}");
        }
        for path in ["tests/a.rs", "benches/a.rs", "examples/a.rs", "build.rs"] {
            assert_eq!(found(path, text), [""; 0], "{path}");
        }
    }
}
