//! Replaces `captured.rs` without the feature `sites`.

use std::panic::Location;
use std::thread;

use alloc_results::Metric;
use counting_alloc::{MeasureError, Measured, Window};

use crate::sites::NOT_CAPTURED;

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
    let captured = Captured { with_feature: true };
    Ok((window.measure(f)?, captured))
}

/// No call stacks.
#[derive(Clone, Debug)]
pub(crate) struct Captured {
    /// Whether the feature would capture some.
    with_feature: bool,
}

impl Captured {
    pub(crate) const NONE: Self = Self {
        with_feature: false,
    };

    pub(crate) fn add(&mut self, other: &Self) {
        self.clone_from(other);
    }

    /// The command that shows the lines, where there would be some.
    pub(crate) fn lines(&self, _: &[Metric]) -> Result<Vec<String>, String> {
        if !CAN_CAPTURE {
            return Ok(Vec::new());
        }
        if !self.with_feature {
            return Err(NOT_CAPTURED.to_owned());
        }
        let is_path = |name: &&str| {
            name.chars()
                .all(|one| one.is_alphanumeric() || "_:".contains(one))
        };
        let thread = thread::current();
        // Libtest names the thread of a test after it.
        let test = thread.name().filter(|name| *name != "main").filter(is_path);
        let command = format!(
            "cargo test --features alloc-assert/sites {}",
            test.unwrap_or_default()
        );
        Err(command.trim_end().to_owned())
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
