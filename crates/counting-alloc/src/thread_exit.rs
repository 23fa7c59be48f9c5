//! Waiting for threads that are at their end: the implicit join of
//! `thread::scope` returns before a thread's last frees.

use std::mem;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use crate::threads::{REGISTRY, own_block};

/// How long a window waits for threads to end. A thread past its join is at its
/// end within microseconds unless it waits for a core; a pool's workers, which
/// stay, are waited for in vain once.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// How long nothing may come for threads to be taken as ended.
const QUIET_FOR: Duration = Duration::from_millis(1);

/// The hand-over up to which threads were waited for, so that an opening window
/// doesn't wait again for those that stayed.
static SETTLED: AtomicU64 = AtomicU64::new(0);

/// Waits until the threads that took up a block since the last such wait have
/// handed it on.
#[inline]
pub(crate) fn wait_before_opening() {
    wait_for_exits(SETTLED.load(Relaxed));
}

/// Waits until the threads that took up a block after `mark` have handed it on.
#[inline]
pub(crate) fn wait_for_exits(mark: u64) {
    let taken = REGISTRY.taken_so_far();
    if taken == mark {
        return;
    }
    let begin = Instant::now();
    while REGISTRY.held_since(mark, own_block()) && begin.elapsed() < MAX_WAIT {
        thread::yield_now();
    }
    // Where ending threads are known to free something even after that, until
    // nothing more comes.
    let mut late = REGISTRY.late_so_far();
    while late > 0 && begin.elapsed() < MAX_WAIT {
        thread::sleep(QUIET_FOR);
        let before = mem::replace(&mut late, REGISTRY.late_so_far());
        if late == before {
            break;
        }
    }
    SETTLED.fetch_max(taken, Relaxed);
}
