//! What counting-alloc counts, as [`Figures`]. It knows its public interface
//! alone.

use counting_alloc::{MeasureError, Measured, Scope, Tally, measure, try_measure};

use crate::Figures;
use crate::recorder;

/// The tally of the process, the calls that [`recorder::Recorder`] saw above the
/// counter, and what a window in thread scope says about the same work run
/// again.
///
/// # Panics
///
/// When the counter is not installed.
#[must_use]
pub fn of_the_process(work: &mut dyn FnMut()) -> Figures {
    let mut before = recorder::read();
    let of_process = try_measure(Scope::Process, || {
        before = recorder::read();
        work();
    });
    let recorded = recorder::read().since(&before);
    let of_thread = try_measure(Scope::Thread, work);
    let (of_process, of_thread) = (there(of_process), there(of_thread));
    let peak = of_thread.peak_bytes.map(|peak| ("peak", i128::from(peak)));
    figures(of_process.tally)
        .prefixed("tally.")
        .and(figures(of_thread.tally).prefixed("thread."))
        .and(figures(of_thread.foreign).prefixed("foreign."))
        .and(Figures::new(peak))
        .and(recorded.prefixed("recorded."))
}

/// What a user reads after [`measure`]: the thread's tally, its peak, and what
/// other threads did.
///
/// # Panics
///
/// When the counter is not installed.
#[must_use]
pub fn of_the_thread(work: &mut dyn FnMut()) -> Figures {
    let measured = measure(work);
    let peak = measured
        .peak_bytes
        .map(|peak| ("peak_bytes", i128::from(peak)));
    figures(measured.tally)
        .and(Figures::new(peak))
        .and(figures(measured.foreign).prefixed("foreign."))
}

fn there(measured: Result<Measured<()>, MeasureError>) -> Measured<()> {
    match measured {
        Ok(measured) => measured,
        Err(error) => panic!("{error}"),
    }
}

fn figures(tally: Tally) -> Figures {
    Figures::new(
        [
            ("allocs", tally.allocs),
            ("alloc_bytes", tally.alloc_bytes),
            ("deallocs", tally.deallocs),
            ("dealloc_bytes", tally.dealloc_bytes),
            ("grows", tally.grows),
            ("grow_bytes", tally.grow_bytes),
            ("shrinks", tally.shrinks),
            ("shrink_bytes", tally.shrink_bytes),
            ("failed", tally.failed),
        ]
        .map(|(name, number)| (name, i128::from(number))),
    )
}
