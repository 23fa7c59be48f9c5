//! The shared libraries that a built program needs to start, and the size of its code.

use std::collections::BTreeSet;

use object::{Object, ObjectSection, SectionFlags, elf};

/// The names of the libraries, as the program has them. Libraries that these need in turn
/// are not listed. A program that is linked statically has none.
pub fn shared_libraries(program: &[u8]) -> Result<BTreeSet<String>, object::Error> {
    let file = object::File::parse(program)?;
    let libraries = file.import_libraries()?;
    libraries
        .map(|library| Ok(String::from_utf8_lossy(library?.name()).into_owned()))
        .collect()
}

/// The bytes that a program for a device without an operating system takes of its flash memory:
/// its code, its constants, and the first values of its variables. Sections that are not loaded
/// don't count, nor do variables that are zero at first. 0 of a program that is none in ELF format.
///
/// # Errors
///
/// When the bytes are not a program.
pub fn code_bytes(program: &[u8]) -> Result<u64, object::Error> {
    let file = object::File::parse(program)?;
    let loaded = file.sections().filter(|section| {
        let SectionFlags::Elf { sh_flags, sh_type } = section.flags() else {
            return false;
        };
        sh_flags.contains(elf::SHF_ALLOC) && sh_type != elf::SHT_NOBITS
    });
    Ok(loaded.map(|section| section.size()).sum())
}
