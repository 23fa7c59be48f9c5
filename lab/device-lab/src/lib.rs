//! A caching allocator of device memory, over a small trait of devices.
//!
//! [`Cache`] keeps the memory that is given back, and hands it out again without a call of
//! the device's driver. [`DeviceBackend`] is the device; [`Fake`] is one that needs no
//! hardware and detects mistakes in the use of streams.

#![cfg_attr(not(any(feature = "cuda", feature = "vulkan")), forbid(unsafe_code))]

mod backend;
mod cache;
mod counters;
#[cfg(feature = "cuda")]
mod cuda;
mod fake;
pub mod rounds;
mod size_class;
#[cfg(feature = "vulkan")]
mod vulkan;

pub use backend::{DeviceBackend, DeviceError, DeviceInfo, DriverUsage, Stream};
pub use cache::{Block, Cache};
pub use counters::Counters;
#[cfg(feature = "cuda")]
pub use cuda::{Cuda, CudaMemory, CudaPinned};
pub use fake::{Calls, Fake, FakeMemory, Journal, Misuse};
pub use size_class::{SMALLEST_CLASS, size_class};
#[cfg(feature = "vulkan")]
pub use vulkan::{Vulkan, VulkanMemory, VulkanPinned};

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
