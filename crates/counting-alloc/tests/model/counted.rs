//! The counts of the crate, in the form that programs compare with the model.

use counting_alloc::{Measured, Scope, SizeLimits, Tally, Window};

/// The tally of the calling thread. Without std, threads can't be told apart, and only
/// the tally of the process is compared.
pub(crate) fn own_tally() -> Option<Tally> {
    #[cfg(feature = "std")]
    return Some(counting_alloc::thread_tally());
    #[cfg(not(feature = "std"))]
    None
}

/// The value of the window's closure, and the measurement.
pub(crate) fn split<T>(measured: Measured<T>) -> (T, Measured<()>) {
    let mut value = None;
    let rest = measured.map(|inner| value = Some(inner));
    (value.expect("`map` was just called"), rest)
}

/// A window with these settings; with the sizes of requests if there is a limit.
pub(crate) fn window(scope: Scope, peak: bool, first: bool, limit: Option<u64>) -> Window {
    let mut window = if scope == Scope::Process {
        Window::process()
    } else {
        Window::thread()
    };
    if peak {
        window = window.with_peak();
    }
    if first {
        window = window.with_first_operations();
    }
    match limit {
        Some(limit) => window.with_sizes(SizeLimits::new(&[limit]).expect("one fits")),
        None => window,
    }
}
