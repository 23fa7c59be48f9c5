//! Allocators that are libraries of the system, found when the program runs, under
//! whichever of their names is there. Which functions they have is not known here.

use std::alloc::Layout;
use std::error::Error;

use libloading::Library;

use crate::subject::Unavailable;

/// A library that stays loaded: threads and blocks know of it until the process ends.
#[derive(Debug)]
pub(super) struct SharedLibrary {
    name: &'static str,
    library: &'static Library,
}

impl SharedLibrary {
    /// The first of `names` that is installed. `package` is what to install, in words.
    ///
    /// # Safety
    ///
    /// Libraries of these names can be loaded beside the system's allocator: their
    /// constructors change nothing of it.
    pub(super) unsafe fn open(names: &[&'static str], package: &str) -> Result<Self, Unavailable> {
        let mut failures = Vec::new();
        for &name in names {
            // SAFETY: the caller knows what loading it does.
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
            // There is one, and it is of no use.
            (Some(failure), _) => format!("can't be loaded: {failure}"),
            (None, [one]) => format!("{one} is not installed ({package})"),
            (None, several) => {
                format!("none of {} is installed ({package})", several.join(", "))
            }
        };
        Err(Unavailable(reason))
    }

    /// One of its functions.
    ///
    /// # Safety
    ///
    /// `F` is a pointer to a function of the type that the library gives this name.
    pub(super) unsafe fn function<F: Copy>(&self, name: &str) -> Result<F, Unavailable> {
        // SAFETY: the caller knows its type. It stays loaded.
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

/// Whether plain `malloc` aligns a block as `layout` asks: to 16 bytes, and a smaller
/// one to what it is a multiple of. It is std's own rule for the system's allocator.
#[inline]
pub(super) fn malloc_aligns(layout: Layout) -> bool {
    layout.align() <= 16 && layout.align() <= layout.size()
}

/// What the system's loader said, where it said something.
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
    #[cfg(target_os = "linux")]
    fn a_library_that_is_there_and_broken_is_not_called_missing() {
        // A file that is there, and no library.
        let why = why_not(&["libof-this-name.so.9", "/proc/self/status"]);
        assert!(
            why.starts_with("can't be loaded: /proc/self/status"),
            "{why}"
        );
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn a_function_that_a_library_lacks_is_named() {
        // SAFETY: this one is loaded already.
        let library = unsafe { SharedLibrary::open(&["libc.so.6"], "") }.unwrap();
        // SAFETY: it has none of this name, of whichever type.
        let why = unsafe { library.function::<extern "C" fn()>("scalable_malloc") };
        let why = why.unwrap_err().0;
        assert!(
            why.starts_with("libc.so.6 has no scalable_malloc: "),
            "{why}"
        );
    }

    #[test]
    fn malloc_aligns_what_is_a_multiple_of_a_small_alignment() {
        let aligns = |size, align| malloc_aligns(Layout::from_size_align(size, align).unwrap());
        assert!(aligns(1, 1) && aligns(16, 16) && aligns(24, 16));
        assert!(!aligns(8, 16) && !aligns(64, 32));
    }
}
