//! A signal handler that allocates while its thread captures a stack.

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_int, c_uint};
use std::hint;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use counting_alloc::{CountingAlloc, Tally, Window};

use crate::fork::in_a_child;

unsafe extern "C" {
    fn alarm(seconds: c_uint) -> c_uint;
    fn signal(number: c_int, handler: extern "C" fn(c_int)) -> usize;
    fn pthread_self() -> usize;
    fn pthread_kill(thread: usize, number: c_int) -> c_int;
}

/// On Linux.
const SIGUSR1: c_int = 10;

/// An allocator that a signal handler may call.
struct Reentrant([AtomicU64; 4]);

/// Each block is this one. Nobody reads or writes blocks.
static BLOCK: Reentrant = Reentrant([const { AtomicU64::new(0) }; 4]);

// SAFETY: the block is large enough, and aligned to a word. It is handed out more than once, which
// this test does not mind.
unsafe impl GlobalAlloc for Reentrant {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        assert!(layout.size() <= size_of::<Self>() && layout.align() <= align_of::<Self>());
        BLOCK.0.as_ptr().cast_mut().cast()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

static COUNTED: CountingAlloc<Reentrant> =
    CountingAlloc::new(Reentrant([const { AtomicU64::new(0) }; 4]));

fn one_pair() {
    let layout = Layout::new::<[u64; 2]>();
    // SAFETY: the layout has a size.
    let block = unsafe { COUNTED.alloc(layout) };
    // SAFETY: the block was allocated with this layout.
    unsafe { COUNTED.dealloc(block, layout) };
}

static IS_MEASURED: AtomicBool = AtomicBool::new(false);

/// The pairs of the handler.
static HANDLED: AtomicU64 = AtomicU64::new(0);

extern "C" fn handle(_: c_int) {
    if IS_MEASURED.load(Relaxed) {
        one_pair();
        HANDLED.fetch_add(1, Relaxed);
    }
}

/// The operations of the handler that interrupt a capture have no stack, and are counted.
pub(crate) fn a_signal_handler_that_interrupts_a_capture_is_counted() {
    fn captures() {
        const PAIRS: u64 = 3_000;
        // SAFETY: it has no precondition. A child that hangs is ended.
        unsafe { alarm(60) };
        // SAFETY: the handler calls nothing that a signal must not interrupt.
        unsafe { signal(SIGUSR1, handle) };
        // SAFETY: it has no precondition.
        let target = unsafe { pthread_self() };
        let is_over = AtomicBool::new(false);
        // Captures take most of the time.
        let counts = thread::scope(|scope| {
            scope.spawn(|| {
                let mut pause = 0;
                while !is_over.load(Relaxed) {
                    let before = HANDLED.load(Relaxed);
                    // SAFETY: the thread runs until this one has ended.
                    unsafe { pthread_kill(target, SIGUSR1) };
                    // A signal that is sent while the handler runs is handled right after it: sent
                    // without a pause, they would be all that the thread does.
                    let is_handled = |_: &u32| HANDLED.load(Relaxed) != before;
                    let waits = (0..100_000).inspect(|_| hint::spin_loop());
                    let _ = waits
                        .take_while(|_| IS_MEASURED.load(Relaxed))
                        .find(is_handled);
                    pause = (pause + 37) % 500;
                    (0..pause).for_each(|_| hint::spin_loop());
                }
            });
            let window = Window::thread().with_peak();
            let measured = window.measure_sites(|| {
                IS_MEASURED.store(true, Relaxed);
                (0..PAIRS).for_each(|_| one_pair());
                IS_MEASURED.store(false, Relaxed);
            });
            is_over.store(true, Relaxed);
            measured.expect("it is measured").1
        });
        let handled = HANDLED.load(Relaxed);
        let all = counts.tally();
        assert_eq!(
            (all.allocs, all.deallocs),
            (PAIRS + handled, PAIRS + handled)
        );
        assert_eq!(all.bytes, 16 * all.allocs);
        let missed = counts.rows.iter().find(|row| row.stack.is_none());
        let missed = missed.map_or(Tally::ZERO, |row| row.tally);
        assert!(missed.allocs > 0 && missed.allocs <= handled, "{missed}");
        // The peak is not known without them.
        assert_eq!(counts.before_peak_bytes, None);
    }
    assert_eq!(in_a_child(captures), 0);
}
