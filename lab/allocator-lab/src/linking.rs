//! The shared libraries that a built program needs to start.

use std::collections::BTreeSet;

use object::Object;

/// The names of the libraries, as the program has them. Libraries that these need in turn
/// are not listed. A program that is linked statically has none.
///
/// # Errors
///
/// When the bytes are not a program in ELF, Mach-O or PE format.
pub fn shared_libraries(program: &[u8]) -> Result<BTreeSet<String>, object::Error> {
    let file = object::File::parse(program)?;
    let libraries = file.import_libraries()?;
    libraries
        .map(|library| Ok(String::from_utf8_lossy(library?.name()).into_owned()))
        .collect()
}
