//! What an allocation of device memory costs, and a cache that saves it.
//!
//! A driver takes microseconds to allocate memory of a graphics card. A program that allocates in a
//! loop keeps the memory instead, with [`Cache`], over any [`Device`]:
//!
//! ```no_run
//! use device_lab::{Cache, Cuda, Device, DeviceError};
//!
//! # fn main() -> Result<(), DeviceError> {
//! let mut cache = Cache::new(Cuda::open()?);
//! for _ in 0..2_000 {
//!     let block = cache.take(1_024)?;
//!     cache.device().upload(&[1; 1_024], block.memory())?;
//!     cache.give(block);
//! }
//! assert_eq!((cache.hits(), cache.misses()), (1_999, 1));
//! # Ok(())
//! # }
//! ```
//!
//! [`Cuda`] and [`Vulkan`] are devices. Building them needs no toolkit: functions of the driver are
//! looked up when the program runs, and a driver or a device that is missing is
//! [`DeviceError::Unavailable`] with the reason.
//!
//! [`rounds`] has what the benches measure: `devices` with CUDA and `vulkan` with Vulkan. On a machine
//! with a card, `cargo xtask lab --devices` writes the tables of `lab/design/devices.md`. In the folder
//! `lab`, `cargo bench -p device-lab --bench vulkan` prints values of Vulkan.
//!
//! Without a GPU, Mesa has a Vulkan device in software (on Debian, `apt-get install libvulkan1
//! mesa-vulkan-drivers`). The tests say in their log which devices they ran on. With
//! `DEVICE_LAB_REQUIRE=vulkan`, `cuda` or `cuda,vulkan`, a missing device fails them; CI requires
//! Vulkan. To look for wrong calls of Vulkan, install `vulkan-validationlayers` and run them with
//! `VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation` and `-- --nocapture`.

mod cache;
mod cuda;
mod device;
pub mod rounds;
mod vulkan;

pub use cache::{Block, Cache, size_class};
pub use cuda::{Cuda, CudaMemory};
pub use device::{Device, DeviceError, Usage};
pub use vulkan::{Vulkan, VulkanMemory};
