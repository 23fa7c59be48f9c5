//! The counts of counting-alloc as [`Figures`], through its public interface.

use counting_alloc::{MeasureError, Measured, Scope, Window, measure, try_measure};

use crate::figures::Figures;
use crate::recorder;

/// The tally of the process, the calls that [`recorder::Recorder`] saw above the
/// counter, and the tally of the thread when the same work runs again.
///
/// # Panics
///
/// When the counter is not installed.
#[must_use]
pub fn process(work: &mut dyn FnMut()) -> Figures {
    let mut before = recorder::read();
    let of_process = try_measure(Scope::Process, || {
        before = recorder::read();
        work();
    });
    let recorded = recorder::read().since(&before);
    let of_thread = Window::thread()
        .with_peak()
        .with_peak_blocks()
        .measure(work);
    let (of_process, of_thread) = (installed(of_process), installed(of_thread));
    let peaks = [
        ("peak", of_thread.peak_bytes),
        ("peak_blocks", of_thread.peak_blocks),
    ];
    let peaks = peaks
        .into_iter()
        .filter_map(|(name, peak)| Some((name, i128::from(peak?))));
    Figures::from_tally(&of_process.tally)
        .prefixed("tally.")
        .and(Figures::from_tally(&of_thread.tally).prefixed("thread."))
        .and(Figures::from_tally(&of_thread.foreign).prefixed("foreign."))
        .and(Figures::new(peaks))
        .and(recorded.prefixed("recorded."))
}

/// What a user reads after [`measure`]: the thread's tally, its peak, and the tally
/// of other threads.
///
/// # Panics
///
/// When the counter is not installed.
#[must_use]
pub fn thread(work: &mut dyn FnMut()) -> Figures {
    let measured = measure(work);
    let peak = measured
        .peak_bytes
        .map(|peak| ("peak_bytes", i128::from(peak)));
    Figures::from_tally(&measured.tally)
        .and(Figures::new(peak))
        .and(Figures::from_tally(&measured.foreign).prefixed("foreign."))
}

fn installed(measured: Result<Measured<()>, MeasureError>) -> Measured<()> {
    match measured {
        Ok(measured) => measured,
        Err(error) => panic!("{error}"),
    }
}
