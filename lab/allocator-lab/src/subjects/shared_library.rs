//! Shared libraries of the system, which are searched for when the program runs.

use std::alloc::Layout;
use std::error::Error;

use libloading::Library;

use crate::subject::Unavailable;

/// A library. It stays loaded: threads and blocks need it until the process ends.
#[derive(Debug)]
pub(super) struct SharedLibrary {
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
    pub(super) unsafe fn open(names: &[&'static str], package: &str) -> Result<Self, Unavailable> {
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
        let reason = match (failures.iter().find(other), names) {
            // A library is installed and can't be loaded.
            (Some(failure), _) => format!("can't be loaded: {failure}"),
            (None, [one]) => format!("{one} is not installed ({package})"),
            (None, several) => {
                format!("none of {} is installed ({package})", several.join(", "))
            }
        };
        Err(Unavailable(reason))
    }

    /// A function of the library.
    ///
    /// # Safety
    ///
    /// `F` is the type of a pointer to the function of this name.
    pub(super) unsafe fn function<F: Copy>(&self, name: &str) -> Result<F, Unavailable> {
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
pub(super) fn malloc_aligns(layout: Layout) -> bool {
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
    fn a_library_that_is_not_installed_is_named_with_what_to_install() {
        assert_eq!(
            why_not(&["libof-this-name.so.9"]),
            "libof-this-name.so.9 is not installed (Debian: nothing)"
        );
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
