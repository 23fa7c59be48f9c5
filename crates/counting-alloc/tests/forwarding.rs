//! The inner allocator sees exactly the calls of the program. A refused call is counted
//! only as failed.
#![expect(
    unsafe_code,
    reason = "a recording allocator implements GlobalAlloc, and failures are provoked by raw calls"
)]

#[path = "model/watched.rs"]
mod watched;

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use counting_alloc::{
    CountingAlloc, Tally, Window, inner_allocator, measure, process_tally, uncounted,
};

use own_process::inner::{Around, around};
use own_process::trials;
use watched::{Call, Method, Watch, Watched};

#[global_allocator]
static ALLOC: Around<CountingAlloc<Watched<Moody>>> = around(CountingAlloc::new(Watched::new()));

/// Refuses requests of `REFUSED` bytes, and records the last call.
struct Moody;

const REFUSED: usize = 12_345;

static CALLS: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];
static LAST: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

fn last() -> [usize; 3] {
    [0, 1, 2].map(|i| LAST[i].load(Relaxed))
}

fn calls() -> [usize; 4] {
    [0, 1, 2, 3].map(|i| CALLS[i].load(Relaxed))
}

impl Watch for Moody {
    fn refuses(call: Call) -> bool {
        let size = match call.method {
            Method::Realloc => call.new_size,
            Method::Alloc | Method::AllocZeroed | Method::Dealloc => call.layout.size(),
        };
        size == REFUSED
    }

    fn saw(call: Call) {
        CALLS[call.method as usize].fetch_add(1, Relaxed);
        LAST[0].store(call.layout.size(), Relaxed);
        LAST[1].store(call.layout.align(), Relaxed);
        LAST[2].store(call.new_size, Relaxed);
    }
}

/// The tests have their own `main` and run one after the other on this thread, because
/// the recorder is shared by the process.
fn main() -> ExitCode {
    // The one-time allocations of the first measurement are not recorded.
    let _ = measure(|| ());
    own_process::run(trials![
        every_method_is_forwarded_with_its_layout,
        a_refused_call_is_only_failed,
        the_inner_allocator_is_named,
    ])
}

fn the_inner_allocator_is_named() {
    assert_eq!(
        inner_allocator(),
        Some("forwarding::watched::Watched<forwarding::Moody>")
    );
}

fn every_method_is_forwarded_with_its_layout() {
    let layout = Layout::from_size_align(48, 64).expect("a valid layout");
    let before = calls();
    let measured = measure(|| {
        // SAFETY: the size is not zero.
        let first = black_box(unsafe { alloc(layout) });
        assert_eq!(last(), [48, 64, 0]);
        // SAFETY: the size is not zero.
        let second = black_box(unsafe { alloc_zeroed(layout) });
        assert_eq!(last(), [48, 64, 0]);
        // SAFETY: `first` is live with this layout; the new size is valid.
        let first = black_box(unsafe { realloc(first, layout, 96) });
        assert_eq!(last(), [48, 64, 96]);
        let grown = Layout::from_size_align(96, 64).expect("a valid layout");
        // SAFETY: `first` is live with the layout of its growth.
        unsafe { dealloc(first, grown) };
        assert_eq!(last(), [96, 64, 0]);
        // SAFETY: `second` is live with this layout.
        unsafe { dealloc(second, layout) };
    });
    let seen: Vec<usize> = calls().iter().zip(before).map(|(a, b)| a - b).collect();
    assert_eq!(seen, [1, 1, 1, 2]);
    assert_eq!(
        measured.tally,
        Tally::ZERO
            .with_blocks(2, 96)
            .with_deallocs(2, 144)
            .with_grows(1, 48)
    );
}

fn a_refused_call_is_only_failed() {
    for align in [8, 64] {
        let kept_first = measure(|| refused_calls(align));
        assert_eq!(kept_first.tally, Tally::ZERO.with_failed(4));
        assert_eq!(kept_first.peak_bytes, Some(0));
        let window = Window::thread().with_peak();
        let with_peak = window.measure(|| refused_calls(align)).expect("counted");
        assert_eq!(with_peak.tally, Tally::ZERO.with_failed(4));
        assert_eq!(with_peak.peak_bytes, Some(0));
        let before = process_tally();
        refused_calls(align);
        assert_eq!(process_tally() - before, Tally::ZERO.with_failed(4));
    }
}

/// One of each method, a grow and a shrink.
fn refused_calls(align: usize) {
    let layout = |size| Layout::from_size_align(size, align).expect("a valid layout");
    let (refused, small, large) = (layout(REFUSED), layout(8), layout(REFUSED * 2));
    let blocks = uncounted(|| {
        // SAFETY: the sizes are not zero.
        [small, large].map(|layout| (unsafe { alloc(layout) }, layout))
    });
    // SAFETY: the size is not zero.
    assert!(black_box(unsafe { alloc(refused) }).is_null());
    // SAFETY: the size is not zero.
    assert!(black_box(unsafe { alloc_zeroed(refused) }).is_null());
    for (block, layout) in blocks {
        // SAFETY: `block` is live with this layout, and stays so if the call returns
        // null.
        assert!(black_box(unsafe { realloc(block, layout, REFUSED) }).is_null());
    }
    uncounted(|| {
        for (block, layout) in blocks {
            // SAFETY: `block` is live with this layout and not used afterwards.
            unsafe { dealloc(block, layout) };
        }
    });
}
