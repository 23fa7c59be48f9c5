//! [`Footprint`] and [`page_faults`]: the memory of this process, as the kernel sees it.

use std::fs::File;
use std::io::Read;
use std::mem::MaybeUninit;
use std::str;

/// The mapped and the resident memory of the process, in bytes.
///
/// Resident is anonymous memory alone: heaps and stacks. Pages of files, such as the program's
/// own code, become resident when a function is called for the first
/// time, and are no memory of an allocator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Address space, whether it was used or not.
    pub mapped: i64,
    /// Anonymous pages in memory.
    pub resident: i64,
    /// The part of them in huge pages, where the kernel may provide 2 MiB at the first
    /// write to one byte.
    pub huge: i64,
}

impl Footprint {
    /// The present footprint. Reading it allocates nothing.
    ///
    /// The resident memory comes from `/proc/self/smaps_rollup`, which walks the pages:
    /// the kernel's counters of `statm` and `status` lag behind by up to 64 pages a
    /// thread, which is more than many allocators take.
    ///
    /// # Panics
    ///
    /// When the kernel does not tell it.
    #[must_use]
    pub fn now() -> Self {
        let rollup = "/proc/self/smaps_rollup";
        Self {
            mapped: kilobytes("/proc/self/status", "VmSize:") * 1_024,
            resident: kilobytes(rollup, "Anonymous:") * 1_024,
            huge: kilobytes(rollup, "AnonHugePages:") * 1_024,
        }
    }

    /// The growth since an earlier footprint.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            mapped: self.mapped - earlier.mapped,
            resident: self.resident - earlier.resident,
            huge: self.huge - earlier.huge,
        }
    }
}

/// How often the kernel had to provide a page of this process that was in memory or is new: the
/// minor page faults.
pub fn page_faults() -> u64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to memory for the answer.
    let outcome = unsafe { libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) };
    debug_assert_eq!(outcome, 0, "a process has its usage");
    // SAFETY: the call has filled it in; zeros are a value of it, too.
    unsafe { usage.assume_init() }.ru_minflt as u64
}

/// The number of kB in the file `path`, on the line that begins with `label`.
fn kilobytes(path: &str, label: &str) -> i64 {
    let mut buffer = [0; 4_096];
    let length = File::open(path)
        .and_then(|mut file| file.read(&mut buffer))
        .unwrap_or_else(|error| {
            panic!("can't read the memory of the process from {path}: {error}")
        });
    let text = str::from_utf8(&buffer[..length]).unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix(label))
        .and_then(|rest| rest.trim().strip_suffix(" kB")?.parse().ok())
        .unwrap_or_else(|| panic!("{path} has no line `{label} NUMBER kB`"))
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use alloc_assert::in_fresh_process;

    use super::*;

    /// In a process of its own: a thread of another test that ends unmaps up to 64 MiB.
    #[test]
    fn memory_that_is_written_is_mapped_and_resident() {
        const BYTES: i64 = 64 << 20;
        in_fresh_process(|| {
            let before = Footprint::now();
            let written = vec![1_u8; BYTES as usize];
            let grown = Footprint::now().since(before);
            assert!(written.iter().all(|&byte| byte == 1));
            assert!(grown.mapped >= BYTES, "{grown:?}");
            assert!(grown.resident >= BYTES, "{grown:?}");
            assert!(grown.huge <= grown.resident, "{grown:?}");
        });
    }

    /// The pages of a program's own code are such pages. Counted as resident, they were a
    /// part of every allocator's overhead.
    #[test]
    fn pages_of_a_file_that_are_read_are_not_resident_memory() {
        const BYTES: usize = 1 << 20;
        in_fresh_process(|| {
            let program = File::open(std::env::current_exe().unwrap()).unwrap();
            assert!(program.metadata().unwrap().len() >= BYTES as u64);
            let before = Footprint::now();
            let everything = kilobytes("/proc/self/smaps_rollup", "Rss:");
            // SAFETY: a new mapping, which only this test reads.
            let mapped = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    BYTES,
                    libc::PROT_READ,
                    libc::MAP_PRIVATE,
                    program.as_raw_fd(),
                    0,
                )
            };
            assert_ne!(mapped, libc::MAP_FAILED);
            // SAFETY: the file has this many bytes, and nobody writes to a running program.
            let bytes = unsafe { std::slice::from_raw_parts(mapped.cast::<u8>(), BYTES) };
            let sum: u64 = bytes.iter().map(|&byte| u64::from(byte)).sum();
            assert!(sum > 0, "a program is not all zero");
            let everything = kilobytes("/proc/self/smaps_rollup", "Rss:") - everything;
            let grown = Footprint::now().since(before);
            assert!(everything >= 1_024, "they are resident: {everything} kB");
            assert!(grown.mapped >= BYTES as i64, "{grown:?}");
            assert!(grown.resident <= 64 << 10, "{grown:?}");
        });
    }

    #[test]
    fn each_new_page_is_a_fault() {
        // Less than a huge page, which would be one fault.
        const PAGES: usize = 256;
        in_fresh_process(|| {
            let before = page_faults();
            let written = vec![1_u8; PAGES * 4_096];
            let faults = (page_faults() - before) as usize;
            assert!(written.iter().all(|&byte| byte == 1));
            assert!((PAGES..2 * PAGES).contains(&faults), "{faults}");
        });
    }
}
