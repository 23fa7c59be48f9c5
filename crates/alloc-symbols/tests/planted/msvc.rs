//! The PDB file of an executable: when it is used. These need a linker
//! for Windows, so the step `msvc` of CI runs them: `ALLOC_SYMBOLS_TARGET` is its target.

use std::fs;
use std::path::Path;

use alloc_symbols::{Executable, Problem};

use crate::program::{self, Program};

/// The executable, which is there alone, and the content of its PDB file.
fn compiled(name: &str) -> (std::path::PathBuf, Vec<u8>) {
    let path = program::compile_empty(name, &[program::LINES]);
    let pdb = fs::read(path.with_extension("pdb")).unwrap();
    fs::remove_file(path.with_extension("pdb")).unwrap();
    (path, pdb)
}

fn error(path: &Path) -> String {
    let executable = Executable::open(path).unwrap();
    let error = executable.line_problem().err().unwrap().to_string();
    assert_eq!(executable.symbols("main").err().unwrap().to_string(), error);
    error
}

#[test]
#[ignore = "it links for Windows"]
fn a_pdb_file_is_read_if_it_is_that_of_the_executable() {
    let (path, pdb) = compiled("pdb");
    let (_, other) = compiled("other-pdb");
    let expected = format!(
        "the symbols of `{}` are in `main.pdb`, which is missing or of another build",
        path.display()
    );
    assert_eq!(error(&path), expected);
    fs::write(path.with_file_name("main.pdb"), other).unwrap();
    assert_eq!(error(&path), expected);
    fs::write(path.with_file_name("main.pdb"), pdb).unwrap();
    let executable = Executable::open(&path).unwrap();
    assert_eq!(executable.line_problem().unwrap(), None);
    let mut symbols = executable.symbols("main").unwrap();
    assert_eq!(&*symbols.frames(&[1])[0].function, "main");
}

#[test]
#[ignore = "it links for Windows"]
fn without_line_tables_a_pdb_has_the_functions_that_object_files_share() {
    let program = Program::build("pdb-without-lines", &[]);
    let executable = Executable::open(&program.executable).unwrap();
    assert_eq!(
        executable.line_problem().unwrap(),
        Some(Problem::NoLineTables)
    );
    let mut symbols = executable.symbols("main").unwrap();
    assert_eq!(symbols.problem(), Some(&Problem::NoLineTables));
    assert_eq!(&*symbols.frames(&[1])[0].function, "main");
    // It is in one object file alone.
    let error = executable
        .symbols("planted::capture::anchor")
        .err()
        .unwrap();
    assert!(error.to_string().contains(" has no function "), "{error}");
}
