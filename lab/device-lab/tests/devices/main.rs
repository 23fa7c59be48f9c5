//! All devices pass the same checks. Without the driver or the device of a feature, the tests check
//! the reason, and the log says it.

mod checks;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(all(target_os = "linux", any(feature = "cuda", feature = "vulkan")))]
mod empty_library;
mod fake;
#[cfg(any(feature = "cuda", feature = "vulkan"))]
mod opened;
#[cfg(feature = "vulkan")]
mod vulkan;
