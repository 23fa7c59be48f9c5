//! Waiting for threads that are ending. The implicit join of `thread::scope` returns
//! before a thread's last deallocations.

use std::mem;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use crate::threads::{REGISTRY, own_block};

/// How long a window waits for threads to end. A thread that was joined ends within
/// microseconds, unless it waits for a core. The workers of a pool stay; a window
/// waits for them in vain once.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// How long no late operation may come before threads are regarded as ended.
const QUIET_FOR: Duration = Duration::from_millis(1);

/// The last acquisition of a block that a window has waited for. The next window
/// does not wait again for threads that stayed.
static SETTLED: AtomicU64 = AtomicU64::new(0);

/// Waits until the threads that acquired a block since the last such wait have
/// released it.
#[inline]
pub(crate) fn wait_before_opening() {
    wait_for_exits(SETTLED.load(Relaxed));
}

/// Waits until the threads that acquired a block after `mark` have released it.
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
    // If ending threads free memory even after that, wait until no more comes.
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
