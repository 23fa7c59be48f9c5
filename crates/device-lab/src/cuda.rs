//! [`Cuda`]: the first CUDA device of this machine, by functions of its driver that are
//! looked up when the program runs.

#![expect(unsafe_code, reason = "calls the driver's functions in C")]

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use crate::backend::{DeviceBackend, DeviceError, Stream};

/// The first CUDA device. Memory comes from `cuMemAlloc`, without a pool of the driver.
///
/// Its streams don't wait for the driver's default stream, and [`Stream::DEFAULT`] is one of
/// them. It stays on the thread that opened it, whose current context is its own.
#[derive(Debug)]
pub struct Cuda {
    device: sys::CUdevice,
    streams: Vec<sys::CUstream>,
}

/// Memory of [`Cuda`].
#[derive(Debug)]
pub struct CudaMemory {
    pointer: sys::CUdeviceptr,
    bytes: usize,
}

/// The functions that are called. cudarc panics at the first call of a missing one.
const FUNCTIONS: &[&str] = &[
    "cuCtxSetCurrent",
    "cuDeviceGet",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuGetErrorString",
    "cuInit",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD8Async",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamSynchronize",
];

impl Cuda {
    /// Opens the device.
    ///
    /// # Errors
    ///
    /// If the driver or one of its functions is missing, or it has no device. The reason
    /// says which.
    pub fn open() -> Result<Self, DeviceError> {
        // SAFETY: loads the driver's library, whose initializers have no requirements.
        if !unsafe { sys::is_culib_present() } {
            return Err(failed(
                "open",
                "the library of the CUDA driver is missing; install NVIDIA's driver",
            ));
        }
        // SAFETY: as above, and it is present.
        let library = unsafe { sys::culib() };
        for name in FUNCTIONS {
            // SAFETY: the symbol is not called.
            let symbol = unsafe { library.get::<*const ()>(name.as_bytes()) };
            if symbol.is_err() {
                let reason = format!("the CUDA driver has no function `{name}`");
                return Err(failed("open", reason));
            }
        }
        checked("cuInit", result::init())?;
        let device = checked("cuDeviceGet", result::device::get(0))?;
        // SAFETY: the device is the driver's.
        let context = unsafe { result::primary_ctx::retain(device) };
        let context = checked("cuDevicePrimaryCtxRetain", context)?;
        // From here, dropping it releases the context.
        let mut cuda = Self {
            device,
            streams: Vec::new(),
        };
        // SAFETY: the context is live until `cuda` is dropped.
        checked("cuCtxSetCurrent", unsafe {
            result::ctx::set_current(context)
        })?;
        cuda.create_stream()?;
        Ok(cuda)
    }

    fn stream(&self, call: &'static str, stream: Stream) -> Result<sys::CUstream, DeviceError> {
        let stream = self.streams.get(stream.index()).copied();
        stream.ok_or_else(|| failed(call, "there is no such stream"))
    }
}

impl DeviceBackend for Cuda {
    type Memory = CudaMemory;

    fn allocate(&mut self, bytes: u64) -> Result<CudaMemory, DeviceError> {
        let refused = DeviceError::OutOfMemory { bytes };
        let bytes = usize::try_from(bytes).map_err(|_| refused.clone())?;
        // SAFETY: nothing reads the memory as a type.
        match unsafe { result::malloc_sync(bytes) } {
            Ok(pointer) => Ok(CudaMemory { pointer, bytes }),
            Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => Err(refused),
            Err(error) => checked("cuMemAlloc", Err(error)),
        }
    }

    fn free(&mut self, memory: CudaMemory) -> Result<(), DeviceError> {
        // SAFETY: `memory` is moved here, so this is the only call.
        checked("cuMemFree", unsafe { result::free_sync(memory.pointer) })
    }

    fn create_stream(&mut self) -> Result<Stream, DeviceError> {
        let number = u32::try_from(self.streams.len());
        let number = number.map_err(|_| failed("cuStreamCreate", "there are too many streams"))?;
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking);
        self.streams.push(checked("cuStreamCreate", stream)?);
        Ok(Stream::from_number(number))
    }

    fn fill(&mut self, memory: &CudaMemory, byte: u8, stream: Stream) -> Result<(), DeviceError> {
        let call = "cuMemsetD8Async";
        let stream = self.stream(call, stream)?;
        // SAFETY: the size is that of the memory, and any byte is a value of it.
        let filled = unsafe { result::memset_d8_async(memory.pointer, byte, memory.bytes, stream) };
        checked(call, filled)
    }

    fn copy(
        &mut self,
        from: &CudaMemory,
        to: &CudaMemory,
        bytes: u64,
        stream: Stream,
    ) -> Result<(), DeviceError> {
        let call = "cuMemcpyDtoDAsync";
        let stream = self.stream(call, stream)?;
        let bytes = fitting(call, bytes, from.bytes.min(to.bytes))?;
        // SAFETY: both are of at least this size.
        let copied = unsafe { result::memcpy_dtod_async(to.pointer, from.pointer, bytes, stream) };
        checked(call, copied)
    }

    fn upload(&mut self, from: &[u8], to: &CudaMemory, stream: Stream) -> Result<(), DeviceError> {
        let call = "cuMemcpyHtoDAsync";
        let queue = self.stream(call, stream)?;
        fitting(call, from.len() as u64, to.bytes)?;
        // SAFETY: the memory is large enough, and `from` is borrowed until the stream is
        // synchronised below.
        checked(call, unsafe {
            result::memcpy_htod_async(to.pointer, from, queue)
        })?;
        self.synchronise(stream)
    }

    fn download(
        &mut self,
        from: &CudaMemory,
        to: &mut [u8],
        stream: Stream,
    ) -> Result<(), DeviceError> {
        let call = "cuMemcpyDtoHAsync";
        let queue = self.stream(call, stream)?;
        fitting(call, to.len() as u64, from.bytes)?;
        // SAFETY: as of `upload`, and any byte is a value of `to`.
        checked(call, unsafe {
            result::memcpy_dtoh_async(to, from.pointer, queue)
        })?;
        self.synchronise(stream)
    }

    fn synchronise(&mut self, stream: Stream) -> Result<(), DeviceError> {
        let call = "cuStreamSynchronize";
        let stream = self.stream(call, stream)?;
        // SAFETY: a stream of this device, which is destroyed in `drop` alone.
        checked(call, unsafe { result::stream::synchronize(stream) })
    }
}

impl Drop for Cuda {
    /// Errors have nowhere to go: the device is given up in any case.
    fn drop(&mut self) {
        for stream in self.streams.drain(..) {
            // SAFETY: it is live, and is not used again. The driver lets its work finish.
            let _ = unsafe { result::stream::destroy(stream) };
        }
        // SAFETY: the device's context was retained once, by `open`.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

/// The size, if the memory is large enough.
fn fitting(call: &'static str, bytes: u64, memory: usize) -> Result<usize, DeviceError> {
    let bytes = usize::try_from(bytes).ok().filter(|bytes| *bytes <= memory);
    bytes.ok_or_else(|| failed(call, "the memory is too small"))
}

fn checked<T>(call: &'static str, result: Result<T, DriverError>) -> Result<T, DeviceError> {
    result.map_err(|error| failed(call, error.to_string()))
}

fn failed(call: &'static str, reason: impl Into<String>) -> DeviceError {
    DeviceError::Failed {
        call,
        reason: reason.into(),
    }
}
