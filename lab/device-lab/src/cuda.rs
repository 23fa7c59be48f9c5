//! [`Cuda`]: the first CUDA device of this machine, by functions of its driver that are
//! looked up when the program runs.

#![expect(unsafe_code, reason = "calls the driver's functions in C")]

use std::fs;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::rc::Rc;
use std::slice;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use crate::backend::{DeviceBackend, DeviceError, DeviceInfo, DriverUsage, Stream};

/// The first CUDA device. Memory comes from `cuMemAlloc`, or from a pool of the driver.
///
/// Its streams don't wait for the driver's default stream, and [`Stream::DEFAULT`] is one of
/// them. It stays on the thread that opened it, whose current context is its own.
#[derive(Debug)]
pub struct Cuda {
    streams: Vec<sys::CUstream>,
    pool: Option<sys::CUmemoryPool>,
    allocations: u64,
    calls: u64,
    info: DeviceInfo,
    context: Rc<Context>,
}

/// Memory of [`Cuda`].
#[derive(Debug)]
pub struct CudaMemory {
    pointer: sys::CUdeviceptr,
    bytes: usize,
}

/// Pinned memory of the host.
#[derive(Debug)]
pub struct CudaPinned {
    start: NonNull<u8>,
    bytes: usize,
    /// It is freed before its context is released.
    _context: Rc<Context>,
}

/// The primary context of the device, which is retained once.
#[derive(Debug)]
struct Context(sys::CUdevice);

/// The functions that are called. cudarc panics at the first call of a missing one.
const FUNCTIONS: &[&str] = &[
    "cuCtxSetCurrent",
    "cuDeviceGet",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDriverGetVersion",
    "cuGetErrorString",
    "cuInit",
    "cuMemAlloc_v2",
    "cuMemFreeHost",
    "cuMemFree_v2",
    "cuMemGetAllocationGranularity",
    "cuMemGetInfo_v2",
    "cuMemHostAlloc",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD8Async",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamSynchronize",
];

/// The functions that a pool needs besides.
const POOL_FUNCTIONS: &[&str] = &[
    "cuMemAllocFromPoolAsync",
    "cuMemFreeAsync",
    "cuMemPoolCreate",
    "cuMemPoolDestroy",
    "cuMemPoolGetAttribute",
    "cuMemPoolSetAttribute",
];

impl Cuda {
    /// Opens the device. The driver allocates memory for each request.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Unavailable`] if the driver, one of its functions or a device is missing;
    /// other errors as the driver reports them.
    pub fn open() -> Result<Self, DeviceError> {
        // SAFETY: loads the driver's library, whose initializers have no requirements.
        if !unsafe { sys::is_culib_present() } {
            return Err(DeviceError::unavailable(
                "the library of the CUDA driver is missing; install NVIDIA's driver",
            ));
        }
        look_up(FUNCTIONS)?;
        present("cuInit", result::init())?;
        let device = present("cuDeviceGet", result::device::get(0))?;
        let info = info(device)?;
        // SAFETY: the device is the driver's.
        let context = unsafe { result::primary_ctx::retain(device) };
        let context = checked("cuDevicePrimaryCtxRetain", context)?;
        // From here, dropping it releases the context.
        let mut cuda = Self {
            streams: Vec::new(),
            pool: None,
            allocations: 0,
            calls: 0,
            info,
            context: Rc::new(Context(device)),
        };
        // SAFETY: the context is live until `cuda` is dropped.
        checked("cuCtxSetCurrent", unsafe {
            result::ctx::set_current(context)
        })?;
        cuda.create_stream()?;
        Ok(cuda)
    }

    /// Opens the device with a pool of the driver, whose requests and deallocations are work
    /// of [`Stream::DEFAULT`]. The pool keeps its memory. It serves this stream alone.
    ///
    /// # Errors
    ///
    /// As of [`open`](Self::open), and [`DeviceError::Unavailable`] if the device has no pools.
    pub fn open_with_pool() -> Result<Self, DeviceError> {
        let mut cuda = Self::open()?;
        look_up(POOL_FUNCTIONS)?;
        // SAFETY: zeros are a value of each field; those of the enums are set below.
        let mut properties: sys::CUmemPoolProps = unsafe { mem::zeroed() };
        properties.allocType = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
        properties.location.__bindgen_anon_1.id = cuda.context.0;
        // SAFETY: the properties are complete, and outlive the call.
        let pool = unsafe { result::mem_pool::create(&raw const properties) };
        let pool = present("cuMemPoolCreate", pool)?;
        // From here, dropping `cuda` destroys the pool.
        cuda.pool = Some(pool);
        let mut kept = u64::MAX;
        let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        // SAFETY: the pool is live, and the value of this attribute is a `u64`.
        let set =
            unsafe { result::mem_pool::set_attribute(pool, attribute, (&raw mut kept).cast()) };
        checked("cuMemPoolSetAttribute", set)?;
        Ok(cuda)
    }

    /// The device and its driver.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn stream(&self, call: &'static str, stream: Stream) -> Result<sys::CUstream, DeviceError> {
        let stream = self.streams.get(stream.index()).copied();
        stream.ok_or_else(|| DeviceError::failed(call, "there is no such stream"))
    }
}

impl DeviceBackend for Cuda {
    type Memory = CudaMemory;
    type Pinned = CudaPinned;

    fn allocate(&mut self, bytes: u64) -> Result<CudaMemory, DeviceError> {
        let refused = DeviceError::OutOfMemory { bytes };
        let bytes = usize::try_from(bytes).map_err(|_| refused.clone())?;
        self.allocations += 1;
        self.calls += 1;
        let (call, allocated) = match self.pool {
            // SAFETY: nothing reads the memory as a type.
            None => ("cuMemAlloc", unsafe { result::malloc_sync(bytes) }),
            // SAFETY: the pool and the stream are live; as above.
            Some(pool) => ("cuMemAllocFromPoolAsync", unsafe {
                result::mem_pool::alloc_async(pool, bytes, self.streams[0])
            }),
        };
        match allocated {
            Ok(pointer) => Ok(CudaMemory { pointer, bytes }),
            Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => Err(refused),
            Err(error) => checked(call, Err(error)),
        }
    }

    fn free(&mut self, memory: CudaMemory) -> Result<(), DeviceError> {
        self.calls += 1;
        let pointer = memory.pointer;
        match self.pool {
            // SAFETY: `memory` is moved here, so this is the only call.
            None => checked("cuMemFree", unsafe { result::free_sync(pointer) }),
            Some(_) => {
                // SAFETY: as above, behind all its work, which is of this stream.
                let freed = unsafe { result::free_async(pointer, self.streams[0]) };
                checked("cuMemFreeAsync", freed)
            }
        }
    }

    fn create_stream(&mut self) -> Result<Stream, DeviceError> {
        if self.pool.is_some() {
            let reason = "memory of the pool is for the default stream alone";
            return Err(DeviceError::failed("cuStreamCreate", reason));
        }
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking);
        self.streams.push(checked("cuStreamCreate", stream)?);
        Ok(Stream::from_number(self.streams.len() - 1))
    }

    fn fill(&mut self, memory: &CudaMemory, byte: u8, stream: Stream) -> Result<(), DeviceError> {
        let call = "cuMemsetD8Async";
        let stream = self.stream(call, stream)?;
        // SAFETY: the size is that of the memory, and any byte is a value of it.
        let filled = unsafe { result::memset_d8_async(memory.pointer, byte, memory.bytes, stream) };
        checked(call, filled)
    }

    fn pin(&mut self, bytes: usize) -> Result<CudaPinned, DeviceError> {
        let call = "cuMemHostAlloc";
        // SAFETY: zero bytes are an error of the driver; nothing reads the memory yet.
        let start = checked(call, unsafe { result::malloc_host(bytes.max(1), 0) })?;
        let start = NonNull::new(start.cast::<u8>());
        let start = start.ok_or_else(|| DeviceError::failed(call, "the address is null"))?;
        // SAFETY: the memory has this size, and nobody else has its address.
        unsafe { start.write_bytes(0, bytes) };
        Ok(CudaPinned {
            start,
            bytes,
            _context: Rc::clone(&self.context),
        })
    }

    fn upload(&mut self, from: &[u8], to: &CudaMemory, stream: Stream) -> Result<(), DeviceError> {
        let call = "cuMemcpyHtoDAsync";
        let queue = self.stream(call, stream)?;
        check_size(call, from.len(), to.bytes)?;
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
        check_size(call, to.len(), from.bytes)?;
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

    fn usage(&mut self) -> Result<DriverUsage, DeviceError> {
        let reserved = match self.pool {
            None => {
                // Of all processes; only differences say something.
                let (free, total) = checked("cuMemGetInfo", result::mem_get_info())?;
                (total - free) as u64
            }
            Some(pool) => {
                let mut reserved = 0_u64;
                let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
                let value = (&raw mut reserved).cast();
                // SAFETY: the pool is live, and the value of this attribute is a `u64`.
                let got = unsafe { result::mem_pool::get_attribute(pool, attribute, value) };
                checked("cuMemPoolGetAttribute", got)?;
                reserved
            }
        };
        Ok(DriverUsage {
            allocations: self.allocations,
            calls: self.calls,
            reserved,
        })
    }
}

impl Drop for Cuda {
    /// Errors have nowhere to go: the device is given up in any case.
    fn drop(&mut self) {
        for stream in self.streams.drain(..) {
            // SAFETY: it is live, and is not used again. The driver lets its work finish.
            let _ = unsafe { result::stream::destroy(stream) };
        }
        if let Some(pool) = self.pool {
            // SAFETY: it is live, and is not used again. The driver waits for its memory.
            let _ = unsafe { result::mem_pool::destroy(pool) };
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the device's context was retained once, by `open`.
        let _ = unsafe { result::primary_ctx::release(self.0) };
    }
}

impl Deref for CudaPinned {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: allocated and written until `self` is dropped. The device works on it only
        // during calls that borrow it.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }
}

impl DerefMut for CudaPinned {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as of `deref`, and `self` is borrowed alone.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}

impl Drop for CudaPinned {
    fn drop(&mut self) {
        // SAFETY: allocated by `pin`, and each call that works on it waits for its work.
        let _ = unsafe { result::free_host(self.start.as_ptr().cast()) };
    }
}

/// Looks for functions of the driver, whose library is present.
fn look_up(functions: &[&str]) -> Result<(), DeviceError> {
    // SAFETY: loads the driver's library, whose initializers have no requirements.
    let library = unsafe { sys::culib() };
    for name in functions {
        // SAFETY: the symbol is not called.
        let symbol = unsafe { library.get::<*const ()>(name.as_bytes()) };
        if symbol.is_err() {
            let reason = format!("the CUDA driver has no function `{name}`");
            return Err(DeviceError::unavailable(reason));
        }
    }
    Ok(())
}

/// The name of the device, and the versions.
fn info(device: sys::CUdevice) -> Result<DeviceInfo, DeviceError> {
    let name = checked("cuDeviceGetName", result::device::get_name(device))?;
    let mut version = 0;
    // SAFETY: writes one number.
    let got = unsafe { sys::cuDriverGetVersion(&raw mut version) };
    checked("cuDriverGetVersion", got.result())?;
    // Linux alone has this file, and a line such as "NVRM version: NVIDIA UNIX x86_64 ...".
    let module = fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default();
    let module = module.lines().next();
    let module = module.and_then(|line| line.split_once(':'));
    Ok(DeviceInfo {
        device: name,
        driver: module.map_or("unknown", |(_, text)| text.trim()).to_owned(),
        api: format!("CUDA {}.{}", version / 1_000, version % 1_000 / 10),
        granularity: granularity(device),
    })
}

/// In multiples of how many bytes the driver takes memory from the device.
fn granularity(device: sys::CUdevice) -> Option<u64> {
    let mut bytes = 0;
    // SAFETY: zeros are a value of each field; those of the enums are set below.
    let mut properties: sys::CUmemAllocationProp = unsafe { mem::zeroed() };
    properties.type_ = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.__bindgen_anon_1.id = device;
    let least = sys::CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
    // SAFETY: writes one number, and the properties are complete and outlive the call.
    let got =
        unsafe { sys::cuMemGetAllocationGranularity(&raw mut bytes, &raw const properties, least) };
    got.result().ok()?;
    u64::try_from(bytes).ok()
}

/// Whether the memory is large enough.
fn check_size(call: &'static str, bytes: usize, memory: usize) -> Result<(), DeviceError> {
    let fits = (bytes <= memory).then_some(());
    fits.ok_or_else(|| DeviceError::failed(call, "the memory is too small"))
}

/// As [`checked`], where an error can mean that the device, its support of pools, or what the
/// driver needs besides its library is missing.
fn present<T>(call: &'static str, result: Result<T, DriverError>) -> Result<T, DeviceError> {
    use sys::CUresult as Code;

    match result {
        Err(DriverError(
            code @ (Code::CUDA_ERROR_NO_DEVICE
            | Code::CUDA_ERROR_INVALID_DEVICE
            | Code::CUDA_ERROR_STUB_LIBRARY
            | Code::CUDA_ERROR_NOT_SUPPORTED
            | Code::CUDA_ERROR_SYSTEM_NOT_READY
            | Code::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
            | Code::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE
            | Code::CUDA_ERROR_UNKNOWN),
        )) => Err(DeviceError::unavailable(format!(
            "`{call}`: {}",
            DriverError(code)
        ))),
        other => checked(call, other),
    }
}

fn checked<T>(call: &'static str, result: Result<T, DriverError>) -> Result<T, DeviceError> {
    result.map_err(|error| DeviceError::failed(call, error.to_string()))
}
