//! Scripts in the place of cargo and rustc that know some of their answers: each start of
//! these takes as long as the program under test does, and the tests start them 2,000 times.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use tempfile::NamedTempFile;

/// Writes a script to `path` that prints what `asked` prints, with these words as its arguments.
/// With all others it starts the program of `asked`.
pub(crate) fn write(path: &Path, asked: impl Fn() -> Command, known: &[&str]) {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let answer = |words: &&str| {
        let output = asked().args(words.split(' ')).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{words}: {output:?}");
        let text = String::from_utf8(output.stdout).expect("it prints UTF-8");
        let (words, text) = (quoted(words), quoted(text.trim_end()));
        format!("{words}) printf '%s\\n' {text} ;;\n")
    };
    let answers = known.iter().map(answer).collect::<String>();
    let real = asked().get_program().display().to_string();
    let other = format!("*) exec {} \"$@\" ;;\n", quoted(&real));
    let script = format!("#!/bin/sh\ncase \"$*\" in\n{answers}{other}esac\n");
    // Cargo asks its rustc anew after a change of it.
    if fs::read(path).is_ok_and(|old| old == script.as_bytes()) {
        return;
    }
    program(path, &script);
}

/// Writes a program to `path`, which is this script for a shell, or has another first line.
pub(crate) fn program(path: &Path, script: &str) {
    let first = match script.starts_with("#!") {
        true => "",
        false => "#!/bin/sh\n",
    };
    // Tests in other processes may start it at any time.
    let folder = path.parent().expect("a file is in a folder");
    let new = NamedTempFile::new_in(folder).expect("a file can be made");
    fs::write(&new, format!("{first}{script}")).expect("a file can be written");
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).expect("it is ours");
    new.persist(path).expect("a file can be renamed");
}
