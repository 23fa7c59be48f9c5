//! Allocators of the system's shared libraries, if these are installed. Each has functions of its
//! own for `malloc` and its kin, is one for the process, and tells the size of a block.
//!
//! `tbb` is the scalable allocator of oneTBB. Each thread has bins of blocks of one size, and a
//! cache of large blocks. Other free large blocks go to a backend that all threads share, which
//! joins neighbours and returns a piece to the system when all of it is free.
//!
//! `tcmalloc` is that of gperftools. Each thread has caches of blocks of one size. They are filled
//! from lists that all threads share, and those from spans of pages, which are joined when they
//! are free and returned to the system little by little.

use std::alloc::Layout;
use std::error::Error;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use libloading::Library;

use crate::request;
use crate::subject::{Subject, Unavailable, resize_by_copy};

/// The functions of a library.
#[derive(Clone, Copy, Debug)]
pub(super) struct Installed {
    malloc: unsafe extern "C" fn(size: usize) -> *mut c_void,
    posix_memalign: unsafe extern "C" fn(*mut *mut c_void, align: usize, size: usize) -> c_int,
    /// Of blocks of both.
    free: unsafe extern "C" fn(block: *mut c_void),
    /// Of blocks of both, too.
    realloc: unsafe extern "C" fn(block: *mut c_void, size: usize) -> *mut c_void,
    usable_size: unsafe extern "C" fn(block: *mut c_void) -> usize,
}

type Found = OnceLock<Result<Installed, Unavailable>>;

pub(super) fn open_tbb() -> Result<Installed, Unavailable> {
    static FOUND: Found = OnceLock::new();
    let find = || {
        let names = ["libtbbmalloc.so.2", "libtbbmalloc.so"];
        // SAFETY: this library has functions of its own; only another one, the proxy, replaces
        // `malloc`.
        let library = unsafe { SharedLibrary::open(&names, "Debian: libtbbmalloc2") }?;
        // SAFETY: the types are those of scalable_allocator.h.
        unsafe { functions(&library, "scalable_", "msize") }
    };
    FOUND.get_or_init(find).clone()
}

pub(super) fn open_tcmalloc() -> Result<Installed, Unavailable> {
    static FOUND: Found = OnceLock::new();
    let find = || {
        // The first has the allocator alone, the second also profilers.
        let names = ["libtcmalloc_minimal.so.4", "libtcmalloc.so.4"];
        // SAFETY: it has a `malloc` too, but a library that is loaded late and locally, as
        // here, does not replace the one of the process.
        let library = unsafe { SharedLibrary::open(&names, "Debian: libtcmalloc-minimal4") }?;
        // SAFETY: the types are those of gperftools/tcmalloc.h.
        unsafe { functions(&library, "tc_", "malloc_size") }
    };
    FOUND.get_or_init(find).clone()
}

/// The functions with this prefix, and that which tells the size of a block.
///
/// # Safety
///
/// They have the types of the fields of [`Installed`].
unsafe fn functions(
    library: &SharedLibrary,
    prefix: &str,
    usable_size: &str,
) -> Result<Installed, Unavailable> {
    let named = |name: &str| format!("{prefix}{name}");
    Ok(Installed {
        // SAFETY: the caller promises its type.
        malloc: unsafe { library.function(&named("malloc")) }?,
        // SAFETY: as above.
        posix_memalign: unsafe { library.function(&named("posix_memalign")) }?,
        // SAFETY: as above.
        free: unsafe { library.function(&named("free")) }?,
        // SAFETY: as above.
        realloc: unsafe { library.function(&named("realloc")) }?,
        // SAFETY: as above.
        usable_size: unsafe { library.function(&named(usable_size)) }?,
    })
}

// SAFETY: these functions promise a block of the size, or null, on all threads.
unsafe impl Subject for Installed {
    const TELLS_SIZES: bool = true;

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        if malloc_aligns(layout) {
            // SAFETY: any size may be requested.
            return unsafe { (self.malloc)(layout.size()) }.cast();
        }
        let mut block = ptr::null_mut();
        // The function takes no smaller alignment.
        let align = layout.align().max(size_of::<usize>());
        // SAFETY: the alignment is a power of two, and the pointer is to `block`.
        match unsafe { (self.posix_memalign)(&raw mut block, align, layout.size()) } {
            0 => block.cast(),
            _ => ptr::null_mut(),
        }
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, _layout: Layout) {
        // SAFETY: the caller has the block from `take`.
        unsafe { (self.free)(block.cast()) }
    }

    #[inline]
    unsafe fn resize(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // A block that `realloc` moves is aligned as one of `malloc`.
        if malloc_aligns(request::layout(size, layout.align())) {
            // SAFETY: the caller has the block from `take`.
            unsafe { (self.realloc)(block.cast(), size) }.cast()
        } else {
            // SAFETY: the caller's contract, passed on.
            unsafe { resize_by_copy(self, block, layout, size) }
        }
    }

    unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { (self.usable_size)(block.cast()) })
    }
}

/// A library. It stays loaded: threads and blocks need it until the process ends.
#[derive(Debug)]
struct SharedLibrary {
    name: &'static str,
    library: &'static Library,
}

impl SharedLibrary {
    /// Loads the first of `names` that is installed. `package` says what to install.
    ///
    /// # Safety
    ///
    /// Libraries of these names can be loaded beside the system's allocator: their
    /// constructors don't change it.
    unsafe fn open(names: &[&'static str], package: &str) -> Result<Self, Unavailable> {
        let mut failures = Vec::new();
        for &name in names {
            // SAFETY: the caller promises that it can be loaded.
            match unsafe { Library::new(name) } {
                Ok(library) => {
                    return Ok(Self {
                        name,
                        library: Box::leak(Box::new(library)),
                    });
                }
                Err(error) => failures.push(reason(&error)),
            }
        }
        let other = |failure: &&String| !failure.contains("No such file");
        Err(Unavailable(match failures.iter().find(other) {
            // A library is installed and can't be loaded.
            Some(failure) => format!("can't be loaded: {failure}"),
            None => format!("none of {} is installed ({package})", names.join(", ")),
        }))
    }

    /// A function of the library.
    ///
    /// # Safety
    ///
    /// `F` is the type of a pointer to the function of this name.
    unsafe fn function<F: Copy>(&self, name: &str) -> Result<F, Unavailable> {
        // SAFETY: the caller promises its type, and the library stays loaded.
        let symbol = unsafe { self.library.get::<F>(name) };
        match symbol {
            Ok(symbol) => Ok(*symbol),
            Err(error) => {
                let (library, reason) = (self.name, reason(&error));
                Err(Unavailable(format!("{library} has no {name}: {reason}")))
            }
        }
    }
}

/// Whether plain `malloc` aligns a block as `layout` requires: an alignment of at most 16
/// bytes and at most the size. std has this rule for the system's allocator.
#[inline]
fn malloc_aligns(layout: Layout) -> bool {
    layout.align() <= 16 && layout.align() <= layout.size()
}

/// The message of the system's loader, if there is one.
fn reason(error: &libloading::Error) -> String {
    match error.source() {
        Some(said) => said.to_string(),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why_not(names: &[&'static str]) -> String {
        // SAFETY: none of these can be loaded.
        let opened = unsafe { SharedLibrary::open(names, "Debian: nothing") };
        opened.unwrap_err().0
    }

    #[test]
    fn libraries_that_are_not_installed_are_named_with_what_to_install() {
        assert_eq!(
            why_not(&["libof-this-name.so.9", "libnor-of-this.so"]),
            "none of libof-this-name.so.9, libnor-of-this.so is installed (Debian: nothing)"
        );
    }

    #[test]
    #[cfg(target_env = "gnu")]
    fn a_broken_library_is_not_missing_and_a_function_that_one_lacks_is_named() {
        // The second is a file, and not a library.
        let why = why_not(&["libof-this-name.so.9", "/proc/self/status"]);
        let expected = "can't be loaded: /proc/self/status";
        assert!(why.starts_with(expected), "{why}");
        // SAFETY: this library is loaded already.
        let library = unsafe { SharedLibrary::open(&["libc.so.6"], "") }.unwrap();
        // SAFETY: the library has no function of this name.
        let why = unsafe { library.function::<extern "C" fn()>("scalable_malloc") };
        let why = why.unwrap_err().0;
        let expected = "libc.so.6 has no scalable_malloc: ";
        assert!(why.starts_with(expected), "{why}");
    }

    #[test]
    fn malloc_aligns_what_is_a_multiple_of_a_small_alignment() {
        let aligns = |size, align| malloc_aligns(Layout::from_size_align(size, align).unwrap());
        assert!(aligns(1, 1) && aligns(16, 16) && aligns(24, 16));
        assert!(!aligns(8, 16) && !aligns(64, 32));
    }
}
