//! [`Device`]: what the cache and the rounds need of a device.

use std::ops::DerefMut;

use thiserror::Error;

/// A device with memory of its own. Its work is in one queue, in the order of the calls.
pub trait Device {
    /// Memory of the device. [`free`](Self::free) gives it back.
    type Memory;

    /// The calls of the driver for an allocation, and for a deallocation.
    const CALLS: [u64; 2];

    /// The device as its driver calls it, for reports. A device in software says so in front.
    fn name(&self) -> &str;

    /// Allocates memory with the driver. Its contents are undefined.
    ///
    /// # Errors
    ///
    /// [`DeviceError::OutOfMemory`] if the device has no room for it.
    fn allocate(&mut self, bytes: u64) -> Result<Self::Memory, DeviceError>;

    /// Frees memory with the driver. After an error it is lost.
    fn free(&mut self, memory: Self::Memory) -> Result<(), DeviceError>;

    /// Allocates memory of the host that the driver copies without a buffer in between, filled with
    /// zeros. It may outlive the device.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Unavailable`] if all copies go through a buffer.
    fn pin(&mut self, _bytes: usize) -> Result<Box<dyn DerefMut<Target = [u8]>>, DeviceError> {
        let reason = "copies go through a buffer".to_owned();
        Err(DeviceError::Unavailable { reason })
    }

    /// Copies bytes of the host to the start of `to`, and waits until they are there.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Failed`] if `to` is smaller than `from`.
    fn upload(&mut self, from: &[u8], to: &Self::Memory) -> Result<(), DeviceError>;

    /// Copies the start of `from` to the host, and waits until it is there.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Failed`] if `from` is smaller than `to`.
    fn download(&mut self, from: &Self::Memory, to: &mut [u8]) -> Result<(), DeviceError>;

    /// Waits until the device has finished all work. After copies none is left, but a pool of the
    /// driver also allocates and frees in the queue.
    fn synchronise(&mut self) -> Result<(), DeviceError>;

    /// What [`allocate`](Self::allocate) and [`free`](Self::free) have asked of the driver so far.
    fn usage(&mut self) -> Result<Usage, DeviceError>;
}

/// What a device has asked of its driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Allocations of device memory.
    pub allocations: u64,
    /// All calls that allocate or free, with those of the allocations.
    pub calls: u64,
    /// The bytes of device memory that the driver holds. With CUDA they include the memory of other
    /// processes, so only differences say something.
    pub reserved: u64,
}

/// Why a call of a device failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// There is no room for an allocation.
    #[error("out of device memory")]
    OutOfMemory,
    /// The driver, one of its functions or the device is missing.
    #[error("device unavailable: {reason}")]
    Unavailable {
        /// What is missing.
        reason: String,
    },
    /// Any other error.
    #[error("`{call}` failed on the device: {reason}")]
    Failed {
        /// The call, such as `cuMemFree`.
        call: &'static str,
        /// What the driver says.
        reason: String,
    },
}

impl DeviceError {
    pub(crate) fn failed(call: &'static str, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self::Failed { call, reason }
    }

    pub(crate) fn unavailable(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self::Unavailable { reason }
    }
}

/// Whether memory of a size is large enough for a copy.
pub(crate) fn check_size(call: &'static str, bytes: usize, memory: u64) -> Result<(), DeviceError> {
    match bytes as u64 <= memory {
        true => Ok(()),
        false => Err(DeviceError::failed(call, "the memory is too small")),
    }
}
