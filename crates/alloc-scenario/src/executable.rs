//! The executable of this process, to which the stacks of sites belong.

use std::any::type_name_of_val;
use std::env;

use alloc_results::ExecutableRecord;

/// Describes the executable. Addresses in stacks are relative to this function, so it has to
/// be one function, with a symbol.
#[inline(never)]
pub(crate) fn record() -> ExecutableRecord {
    let path = env::current_exe().unwrap_or_default();
    let file = own_file();
    ExecutableRecord {
        path: path.to_string_lossy().into_owned(),
        build_id: file.as_ref().and_then(|file| file.build_id.clone()),
        anchor: type_name_of_val(&record).to_owned(),
        anchor_address: file.and_then(|file| file.anchor_address),
    }
}

/// The address of the anchor in this process.
pub(crate) fn anchor() -> usize {
    let anchor: fn() -> ExecutableRecord = record;
    anchor as usize
}

/// What the file of the executable says of itself.
struct OwnFile {
    build_id: Option<String>,
    anchor_address: Option<u64>,
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn own_file() -> Option<OwnFile> {
    use std::fs::{self, File};

    // The file of this process, even if another one has taken its path.
    let file = File::open("/proc/self/exe").ok()?;
    let elf = elf::Elf::read(&file)?;
    let place = || {
        elf::place(
            &fs::read_to_string("/proc/self/maps").ok()?,
            anchor() as u64,
        )
    };
    Some(OwnFile {
        build_id: elf.build_id(&file),
        anchor_address: place().and_then(|place| elf.address(place)),
    })
}

#[cfg(any(target_os = "macos", all(windows, target_pointer_width = "64")))]
fn own_file() -> Option<OwnFile> {
    #[cfg(target_os = "macos")]
    use macho::build_id;
    #[cfg(windows)]
    use pe::build_id;

    let file = std::fs::File::open(env::current_exe().ok()?).ok()?;
    Some(OwnFile {
        build_id: build_id(file),
        anchor_address: None,
    })
}

#[cfg(not(any(
    all(any(target_os = "linux", windows), target_pointer_width = "64"),
    target_os = "macos"
)))]
fn own_file() -> Option<OwnFile> {
    None
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod elf;
#[cfg(any(target_os = "macos", test))]
mod macho;
#[cfg(any(all(windows, target_pointer_width = "64"), test))]
mod pe;
