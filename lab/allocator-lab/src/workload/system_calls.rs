//! System calls: how often a subject asks the operating system, after a warm-up. The count
//! is exact.

use alloc_scenario::Unit;

use crate::entry::{Need, available};
use crate::heap::{Heap, Memory};
use crate::plan::Plan;
use crate::registration::{Calls, SubjectSuite, Workload};
use crate::report::Report;
use crate::subject::{Subject, Unavailable};
use crate::tracing;
use crate::workload::pair::{self, pairs};

/// The sizes in bytes.
pub const SIZES: [usize; 3] = [64, 65_536, 1 << 20];

/// Calls of [`pairs`] before those that are counted.
const WARM_UP: usize = 3;

/// The system calls of 1,000 pairs.
#[derive(Clone, Copy, Debug)]
pub struct SystemCalls {
    /// The requests of the warm-up. Those that are counted are made in another process.
    pub report: Report,
    /// The count.
    pub calls: u64,
}

/// Counts the system calls of 1,000 pairs of this size, untouched, in a copy of this
/// process. The process has made 3,000 such pairs before.
///
/// # Errors
///
/// When the copy can't be made or watched.
pub fn system_calls<S: Subject>(
    heap: &mut Heap<S>,
    size: usize,
) -> Result<SystemCalls, Unavailable> {
    let warm_up = (0..WARM_UP).map(|_| pairs(heap, size, Memory::Untouched));
    let report = warm_up.sum();
    let calls = tracing::system_calls(&mut || {
        let _ = pairs(heap, size, Memory::Untouched);
    })?;
    Ok(SystemCalls { report, calls })
}

/// How the workload is measured.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "system-calls",
            &[Need::SystemCalls],
            Plan::ONCE,
            |b| b.axis("size", SIZES).untimed().elements(|_| pair::PAIRS),
            |b, subject| {
                let open = subject.opener(pair::blocks(SIZES[0]));
                // A process measures it once, in the set-up; the iteration reports it.
                b.calls(
                    move |&(_, size)| available(system_calls(&mut open(), size)),
                    |found| *found,
                )
                .outcome(|found| found.report.outcome())
                .metric("system-calls", Unit::Count, |found| found.calls as i64)
                .into()
            },
        );
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::alloc::Layout;
    use std::ptr;

    use alloc_assert::in_fresh_process;

    use super::*;

    /// Each block is a mapping of its own.
    struct Mappings;

    // SAFETY: a mapping belongs to its owner alone until it is unmapped. It begins with a
    // page, and all layouts here are aligned to less.
    unsafe impl Subject for Mappings {
        fn take(&self, layout: Layout) -> *mut u8 {
            // SAFETY: a new mapping, anywhere.
            let block = unsafe {
                libc::mmap(
                    ptr::null_mut(),
                    layout.size(),
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                    -1,
                    0,
                )
            };
            match block {
                libc::MAP_FAILED => ptr::null_mut(),
                block => block.cast(),
            }
        }

        unsafe fn give(&self, block: *mut u8, layout: Layout) {
            // SAFETY: the block is a mapping of this size, of which nothing is used any more.
            unsafe { libc::munmap(block.cast(), layout.size()) };
        }
    }

    /// In a process of its own, since a copy has only the thread that made it.
    #[test]
    fn a_block_that_is_mapped_and_unmapped_is_two_calls() {
        in_fresh_process(|| {
            if tracing::missing().is_some() {
                return;
            }
            for size in SIZES {
                let mut heap = Heap::new(Mappings, pair::blocks(size));
                let found = system_calls(&mut heap, size).unwrap();
                assert_eq!(found.calls, 2_000, "{size}");
                // 1,000 pairs in each of three calls before.
                assert_eq!(found.report.successful(), 3_000, "{size}");
            }
        });
    }
}
