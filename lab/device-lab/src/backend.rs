//! [`DeviceBackend`]: a device with memory of its own, as the cache and the workloads see
//! it.

use std::error::Error;
use std::fmt;
use std::ops::DerefMut;

/// A device: memory, and streams of work on it. A call fails where the driver reports an error.
///
/// Work of one stream runs in the order in which it was enqueued. The works of two streams
/// have no order, unless the host synchronises the first stream before it enqueues work on
/// the second.
pub trait DeviceBackend {
    /// Memory of the device. It is freed by [`free`](Self::free) alone.
    type Memory;

    /// Memory of the host that the driver allocated, so that the device reaches it without
    /// a copy in between. It frees itself.
    type Pinned: DerefMut<Target = [u8]>;

    /// Allocates memory with the driver; its contents are undefined.
    ///
    /// # Errors
    ///
    /// [`DeviceError::OutOfMemory`] if the device refuses the request. The cache then
    /// releases memory and asks again.
    fn allocate(&mut self, bytes: u64) -> Result<Self::Memory, DeviceError>;

    /// Frees memory with the driver. All streams that worked on it must have been
    /// synchronised since.
    ///
    /// # Errors
    ///
    /// If the driver reports one. The memory is then lost.
    fn free(&mut self, memory: Self::Memory) -> Result<(), DeviceError>;

    /// Creates a stream, in addition to [`Stream::DEFAULT`].
    fn create_stream(&mut self) -> Result<Stream, DeviceError>;

    /// Enqueues work that writes a byte to all of the memory, and returns at once.
    fn fill(&mut self, memory: &Self::Memory, byte: u8, stream: Stream) -> Result<(), DeviceError>;

    /// Allocates memory of the host for copies, filled with zeros.
    fn pin(&mut self, bytes: usize) -> Result<Self::Pinned, DeviceError>;

    /// Copies bytes of the host to the start of `to`, and waits for it: on return `to` is
    /// complete. The driver recognises [pinned](Self::Pinned) memory by its address.
    ///
    /// # Errors
    ///
    /// If `to` is smaller than `from`, or the driver reports an error.
    fn upload(&mut self, from: &[u8], to: &Self::Memory, stream: Stream)
    -> Result<(), DeviceError>;

    /// Copies the start of `from` to the host, and waits for it: on return `to` is
    /// complete. The driver recognises [pinned](Self::Pinned) memory by its address.
    ///
    /// # Errors
    ///
    /// If `from` is smaller than `to`, or the driver reports an error.
    fn download(
        &mut self,
        from: &Self::Memory,
        to: &mut [u8],
        stream: Stream,
    ) -> Result<(), DeviceError>;

    /// Waits until all work of the stream is finished.
    fn synchronise(&mut self, stream: Stream) -> Result<(), DeviceError>;

    /// What [`allocate`](Self::allocate) and [`free`](Self::free) have asked of the driver so
    /// far, and the memory that it holds for them.
    fn usage(&mut self) -> Result<DriverUsage, DeviceError>;
}

/// What a backend has asked of its driver. Sizes are in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DriverUsage {
    /// Calls that allocate device memory.
    pub allocations: u64,
    /// All calls for the allocation and the deallocation of memory, those above included.
    pub calls: u64,
    /// The device memory that the driver holds, as far as it tells.
    pub reserved: u64,
}

/// A device as a report names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The name that the driver gives. A device in software says so in front.
    pub device: String,
    /// The driver and its version.
    pub driver: String,
    /// The interface and its version.
    pub api: String,
    /// The driver takes memory from the device in multiples of so many bytes, if it tells that.
    pub granularity: Option<u64>,
}

impl fmt::Display for DeviceInfo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, {}, {}", self.device, self.driver, self.api)?;
        match self.granularity {
            Some(bytes) => write!(formatter, ", memory in multiples of {bytes} bytes"),
            None => Ok(()),
        }
    }
}

/// A stream of a device, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stream(usize);

impl Stream {
    /// The stream that every device has.
    pub const DEFAULT: Self = Self(0);

    /// The stream of this number, for backends. The default one has number 0.
    #[must_use]
    pub const fn from_number(number: usize) -> Self {
        Self(number)
    }

    /// The number, as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// Why a call of a device failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceError {
    /// There is no room for an allocation of this many bytes.
    OutOfMemory {
        /// The size that was requested from the device.
        bytes: u64,
    },
    /// There is no such device here: its driver, a function of the driver or the device itself
    /// is missing.
    Unavailable {
        /// What is missing.
        reason: String,
    },
    /// The driver reported another error.
    Failed {
        /// The call, such as `synchronise`.
        call: &'static str,
        /// The driver's own words.
        reason: String,
    },
}

impl DeviceError {
    pub(crate) fn failed(call: &'static str, reason: impl Into<String>) -> Self {
        Self::Failed {
            call,
            reason: reason.into(),
        }
    }

    #[cfg(any(feature = "cuda", feature = "vulkan"))]
    pub(crate) fn unavailable(reason: impl Into<String>) -> Self {
        Self::Unavailable {
            reason: reason.into(),
        }
    }
}

impl fmt::Display for DeviceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfMemory { bytes } => {
                write!(
                    formatter,
                    "out of device memory: {bytes} bytes were refused"
                )
            }
            Self::Unavailable { reason } => write!(formatter, "device unavailable: {reason}"),
            Self::Failed { call, reason } => {
                write!(formatter, "`{call}` failed on the device: {reason}")
            }
        }
    }
}

impl Error for DeviceError {}
