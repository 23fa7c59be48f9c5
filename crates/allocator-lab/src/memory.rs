//! [`Footprint`]: the memory of this process, as the kernel sees it.

use std::fs::File;
use std::io::Read;
use std::ops::AddAssign;
use std::str;

use crate::subject::Unavailable;

/// The mapped and the resident memory of the process, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Address space, whether it was used or not.
    pub mapped: i64,
    /// Pages in memory, shared ones included.
    pub resident: i64,
}

impl Footprint {
    /// The present footprint. Reading it allocates nothing.
    ///
    /// The resident memory comes from `/proc/self/smaps_rollup`, which walks the pages:
    /// the kernel's counters of `statm` and `status` lag behind by up to 64 pages a
    /// thread, which is more than many allocators take.
    ///
    /// # Errors
    ///
    /// On systems other than Linux, and when `/proc` can't be read.
    pub fn now() -> Result<Self, Unavailable> {
        Ok(Self {
            mapped: kilobytes("/proc/self/status", "VmSize:")? * 1_024,
            resident: kilobytes("/proc/self/smaps_rollup", "Rss:")? * 1_024,
        })
    }

    /// The growth since an earlier footprint.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            mapped: self.mapped - earlier.mapped,
            resident: self.resident - earlier.resident,
        }
    }
}

impl AddAssign for Footprint {
    fn add_assign(&mut self, growth: Self) {
        self.mapped += growth.mapped;
        self.resident += growth.resident;
    }
}

/// The number of kB in the file `path`, on the line that begins with `label`.
fn kilobytes(path: &str, label: &str) -> Result<i64, Unavailable> {
    let mut buffer = [0; 4_096];
    let length = File::open(path)
        .and_then(|mut file| file.read(&mut buffer))
        .map_err(|error| {
            Unavailable(format!(
                "the memory of a process is read from {path} of Linux: {error}"
            ))
        })?;
    let text = str::from_utf8(&buffer[..length]).unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix(label))
        .and_then(|rest| rest.trim().strip_suffix(" kB")?.parse().ok())
        .ok_or_else(|| Unavailable(format!("{path} has no line `{label} NUMBER kB`")))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use alloc_scenario::in_fresh_process;

    use super::*;

    /// In a process of its own: a thread of another test that ends unmaps up to 64 MiB.
    #[test]
    fn memory_that_is_written_is_mapped_and_resident() {
        const BYTES: i64 = 64 << 20;
        in_fresh_process(|| {
            let before = Footprint::now().unwrap();
            let written = vec![1_u8; BYTES as usize];
            let grown = Footprint::now().unwrap().since(before);
            assert!(written.iter().all(|&byte| byte == 1));
            assert!(grown.mapped >= BYTES, "{grown:?}");
            assert!(grown.resident >= BYTES, "{grown:?}");
        });
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let missing = kilobytes("/proc/self/no-such-file", "Rss:").unwrap_err();
        assert!(missing.0.contains("/proc/self/no-such-file"), "{missing}");
        let unlabelled = kilobytes("/proc/self/status", "NoSuchLabel:").unwrap_err();
        assert!(unlabelled.0.contains("NoSuchLabel:"), "{unlabelled}");
    }
}
