//! The counts of the crate, in the form that programs compare with the model.

use counting_alloc::{MeasureError, Measured, Scope, Window};

/// The value of the window's closure, and the measurement.
pub(crate) fn split<T>(measured: Measured<T>) -> (T, Measured<()>) {
    let mut value = None;
    let rest = measured.map(|inner| value = Some(inner));
    (value.expect("`map` was just called"), rest)
}

/// What a window keeps besides counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keeps {
    pub(crate) peak: bool,
    pub(crate) first: bool,
}

/// A window with these settings.
pub(crate) fn window(scope: Scope, keeps: Keeps) -> Window {
    let mut window = if scope == Scope::Process {
        Window::process()
    } else {
        Window::thread()
    };
    if keeps.peak {
        window = window.with_peak();
    }
    if keeps.first {
        window = window.with_first_operations();
    }
    window
}

/// How a window treats the call stacks of its operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stacks {
    /// It does not capture them.
    Ignored,
    Captured,
}

impl Stacks {
    /// Whether this build can capture them.
    pub(crate) fn are_available() -> bool {
        #[cfg(feature = "sites")]
        return counting_alloc::Sites::AVAILABLE;
        #[cfg(not(feature = "sites"))]
        false
    }
}

/// Runs `f` in the window. If it captures stacks, their rows have to add up to its tally.
pub(crate) fn measure<T>(
    window: Window,
    stacks: Stacks,
    f: impl FnOnce() -> T,
) -> Result<Measured<T>, MeasureError> {
    match stacks {
        Stacks::Ignored => window.measure(f),
        #[cfg(not(feature = "sites"))]
        Stacks::Captured => window.measure(f),
        #[cfg(feature = "sites")]
        Stacks::Captured => {
            let (measured, sites) = window.measure_sites(f)?;
            // Dropping them is not part of the program.
            counting_alloc::uncounted(move || {
                assert_eq!(sites.tally(), measured.tally, "the sum of all stacks");
            });
            Ok(measured)
        }
    }
}
