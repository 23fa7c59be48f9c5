//! Waiting for threads that are ending. The implicit join of `thread::scope` returns
//! before a thread's last deallocations.

use std::mem;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use crate::process::process;
use crate::threads::{REGISTRY, own_block};

/// How long a window waits for threads to end. A thread that was joined ends within
/// microseconds, unless it waits for a core. The workers of a pool stay; a window
/// waits for them in vain once.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// How long it only gives way to them. Then it sleeps between two looks, because whoever is
/// still there probably stays.
const YIELD_FOR: Duration = Duration::from_millis(1);

/// How long no late operation may come before threads are regarded as ended.
const QUIET_FOR: Duration = Duration::from_millis(1);

/// The last acquisition of a block that a window has waited for. The next window
/// does not wait again for threads that stayed.
static SETTLED: AtomicU64 = AtomicU64::new(0);

/// Waits until the threads that acquired a block since the last such wait have
/// released it.
#[inline]
pub(crate) fn wait_before_opening() {
    // Threads that began earlier and stay are part of the process.
    let _ = wait_for_exits(SETTLED.load(Relaxed));
}

/// Waits until the threads that acquired a block after `mark` have released it.
/// Returns how many had not when the wait ran out.
#[inline]
pub(crate) fn wait_for_exits(mark: u64) -> u64 {
    let taken = REGISTRY.taken_so_far();
    if taken == mark {
        return 0;
    }
    let begin = Instant::now();
    let held = || REGISTRY.held_since(mark, process(), own_block());
    let mut running = held();
    while running > 0 && begin.elapsed() < MAX_WAIT {
        match begin.elapsed() < YIELD_FOR {
            true => thread::yield_now(),
            false => thread::sleep(QUIET_FOR),
        }
        running = held();
    }
    // If ending threads free memory even after that, wait until no more comes.
    let mut late = REGISTRY.late_so_far();
    let mut is_quiet = late == 0;
    while !is_quiet && begin.elapsed() < MAX_WAIT {
        thread::sleep(QUIET_FOR);
        let before = mem::replace(&mut late, REGISTRY.late_so_far());
        is_quiet = late == before;
    }
    SETTLED.fetch_max(taken, Relaxed);
    // The threads of late operations are not known. There is at least one.
    running.max(u64::from(!is_quiet))
}
