//! The stand-in without the feature `sites`.

use std::panic::Location;

use alloc_results::Metric;
use counting_alloc::{MeasureError, Measured, Window};

/// The value of `counting_alloc::Sites::AVAILABLE`, which is not compiled without the feature.
const CAN_CAPTURE: bool = cfg!(all(
    any(
        all(
            any(target_os = "linux", target_os = "macos"),
            any(target_arch = "x86_64", target_arch = "aarch64")
        ),
        all(windows, target_arch = "x86_64"),
    ),
    target_pointer_width = "64",
    not(miri)
));

/// Measures without call stacks.
pub(crate) fn measure<T>(
    _: &'static Location<'static>,
    window: Window,
    f: impl FnOnce() -> T,
) -> Result<(Measured<T>, Captured), MeasureError> {
    Ok((window.measure(f)?, Captured))
}

/// No call stacks.
#[derive(Clone, Debug)]
pub(crate) struct Captured;

impl Captured {
    pub(crate) const NONE: Self = Self;

    pub(crate) fn add(&mut self, _: &Self) {}

    /// Says how to get the lines, where there would be some.
    pub(crate) fn lines(&self, _: &[Metric]) -> Result<Vec<String>, String> {
        if CAN_CAPTURE {
            let advice = "the feature `sites` of alloc-assert shows the lines that allocate";
            return Err(advice.to_owned());
        }
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::CAN_CAPTURE;

    #[test]
    fn the_advice_is_given_where_the_feature_helps() {
        assert_eq!(CAN_CAPTURE, counting_alloc::Sites::AVAILABLE);
    }
}
