//! Which shared libraries a built program asks its system for before it starts. How the
//! program came about, and what is in the libraries, is not known here.

use std::collections::BTreeSet;

use object::Object;

/// The names of the libraries, as the program has them: those that it needs itself, and
/// not what these need in turn. None of a program that is linked statically.
///
/// # Errors
///
/// When the bytes are no program of a format that is known: ELF, Mach-O or PE.
pub fn shared_libraries(program: &[u8]) -> Result<BTreeSet<String>, object::Error> {
    let file = object::File::parse(program)?;
    let libraries = file.import_libraries()?;
    libraries
        .map(|library| Ok(String::from_utf8_lossy(library?.name()).into_owned()))
        .collect()
}
