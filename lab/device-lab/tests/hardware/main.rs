//! The devices behind features. Without a device the tests check the reason, and the log
//! says it.

#![cfg(any(feature = "cuda", feature = "vulkan"))]

mod checks;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(target_os = "linux")]
mod empty_library;
mod opened;
#[cfg(feature = "vulkan")]
mod vulkan;
