//! The devices behind features. Without a device the tests check the reason, and the log
//! says it.

#![cfg(any(feature = "cuda", feature = "vulkan"))]

#[cfg(feature = "cuda")]
mod cuda;
mod opened;
#[cfg(feature = "vulkan")]
mod vulkan;
