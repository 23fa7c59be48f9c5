//! [`Cuda`]: the first CUDA device of this machine, by functions of its driver that are looked up
//! when the program runs.

#![expect(unsafe_code, reason = "calls the driver's functions in C")]

use std::fs;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::slice;

use cudarc::driver::result::{self, DriverError, stream};
use cudarc::driver::sys;

use crate::device::{Device, DeviceError, Usage, check_size};

/// The first CUDA device. Memory comes from `cuMemAlloc`, or from a pool of the driver. Its work is
/// in the driver's default stream.
///
/// It stays on the thread that opened it, whose current context is the primary context of the device,
/// to the end of the process.
#[derive(Debug)]
pub struct Cuda {
    device: sys::CUdevice,
    pool: Option<sys::CUmemoryPool>,
    allocations: u64,
    calls: u64,
    name: String,
}

/// Memory of [`Cuda`].
#[derive(Debug)]
pub struct CudaMemory {
    pointer: sys::CUdeviceptr,
    bytes: usize,
}

/// Pinned memory of the host.
struct Pinned {
    start: NonNull<u8>,
    bytes: usize,
}

/// A driver that has this function is of CUDA 11.2 or newer, and has all others that are called here.
/// cudarc panics at the first call of a missing one.
const NEWEST_FUNCTION: &str = "cuMemAllocFromPoolAsync";

impl Cuda {
    /// Opens the device. The driver allocates memory for each request.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Unavailable`] if the driver, its newest function or a device is missing.
    pub fn open() -> Result<Self, DeviceError> {
        // SAFETY: loads the driver's library, whose initializers have no requirements.
        if !unsafe { sys::is_culib_present() } {
            let reason = "the library of the CUDA driver is missing; install NVIDIA's driver";
            return Err(DeviceError::unavailable(reason));
        }
        // SAFETY: as above.
        let library = unsafe { sys::culib() };
        // SAFETY: the symbol is not called.
        let newest = unsafe { library.get::<*const ()>(NEWEST_FUNCTION.as_bytes()) };
        if newest.is_err() {
            let reason = format!("the CUDA driver has no function `{NEWEST_FUNCTION}`");
            return Err(DeviceError::unavailable(reason));
        }
        present("cuInit", result::init())?;
        let device = present("cuDeviceGet", result::device::get(0))?;
        // SAFETY: the device is the driver's.
        let context = unsafe { result::primary_ctx::retain(device) };
        let context = checked("cuDevicePrimaryCtxRetain", context)?;
        // SAFETY: the context is live, because nobody releases it.
        let current = unsafe { result::ctx::set_current(context) };
        checked("cuCtxSetCurrent", current)?;
        Ok(Self {
            device,
            pool: None,
            allocations: 0,
            calls: 0,
            name: name(device)?,
        })
    }

    /// Opens the device with a pool of the driver, which keeps its memory.
    ///
    /// # Errors
    ///
    /// As of [`open`](Self::open), and [`DeviceError::Unavailable`] if the device has no pools.
    pub fn open_with_pool() -> Result<Self, DeviceError> {
        let mut cuda = Self::open()?;
        // SAFETY: zeros are a value of each field; those of the enums are set below.
        let mut properties: sys::CUmemPoolProps = unsafe { mem::zeroed() };
        properties.allocType = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
        properties.location.__bindgen_anon_1.id = cuda.device;
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
}

impl Device for Cuda {
    type Memory = CudaMemory;

    const CALLS: [u64; 2] = [1, 1];

    fn name(&self) -> &str {
        &self.name
    }

    fn allocate(&mut self, bytes: u64) -> Result<CudaMemory, DeviceError> {
        let bytes = usize::try_from(bytes).map_err(|_| DeviceError::OutOfMemory)?;
        self.allocations += 1;
        self.calls += 1;
        let (call, allocated) = match self.pool {
            // SAFETY: nothing reads the memory as a type.
            None => ("cuMemAlloc", unsafe { result::malloc_sync(bytes) }),
            // SAFETY: the pool is live; as above.
            Some(pool) => ("cuMemAllocFromPoolAsync", unsafe {
                result::mem_pool::alloc_async(pool, bytes, stream::null())
            }),
        };
        let pointer = checked(call, allocated)?;
        Ok(CudaMemory { pointer, bytes })
    }

    fn free(&mut self, memory: CudaMemory) -> Result<(), DeviceError> {
        self.calls += 1;
        let pointer = memory.pointer;
        match self.pool {
            // SAFETY: `memory` is moved here, so this is the only call.
            None => checked("cuMemFree", unsafe { result::free_sync(pointer) }),
            Some(_) => {
                // SAFETY: as above, behind all its work, which is of this stream.
                let freed = unsafe { result::free_async(pointer, stream::null()) };
                checked("cuMemFreeAsync", freed)
            }
        }
    }

    fn pin(&mut self, bytes: usize) -> Result<Box<dyn DerefMut<Target = [u8]>>, DeviceError> {
        let call = "cuMemHostAlloc";
        // SAFETY: zero bytes are an error of the driver; nothing reads the memory yet.
        let start = checked(call, unsafe { result::malloc_host(bytes.max(1), 0) })?;
        let start = NonNull::new(start.cast::<u8>());
        let start = start.ok_or_else(|| DeviceError::failed(call, "the address is null"))?;
        // SAFETY: the memory has this size, and nobody else has its address.
        unsafe { start.write_bytes(0, bytes) };
        Ok(Box::new(Pinned { start, bytes }))
    }

    fn upload(&mut self, from: &[u8], to: &CudaMemory) -> Result<(), DeviceError> {
        let call = "cuMemcpyHtoDAsync";
        check_size(call, from.len(), to.bytes as u64)?;
        // SAFETY: the memory is large enough, and `from` is borrowed until the stream is
        // synchronised below.
        let enqueued = unsafe { result::memcpy_htod_async(to.pointer, from, stream::null()) };
        checked(call, enqueued)?;
        self.synchronise()
    }

    fn download(&mut self, from: &CudaMemory, to: &mut [u8]) -> Result<(), DeviceError> {
        let call = "cuMemcpyDtoHAsync";
        check_size(call, to.len(), from.bytes as u64)?;
        // SAFETY: as of `upload`, and any byte is a value of `to`.
        let enqueued = unsafe { result::memcpy_dtoh_async(to, from.pointer, stream::null()) };
        checked(call, enqueued)?;
        self.synchronise()
    }

    fn synchronise(&mut self) -> Result<(), DeviceError> {
        // SAFETY: the default stream of the current context, which is the device's.
        let finished = unsafe { stream::synchronize(stream::null()) };
        checked("cuStreamSynchronize", finished)
    }

    fn usage(&mut self) -> Result<Usage, DeviceError> {
        let reserved = match self.pool {
            None => {
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
        Ok(Usage {
            allocations: self.allocations,
            calls: self.calls,
            reserved,
        })
    }
}

impl Drop for Cuda {
    /// An error has nowhere to go: the device is given up in any case.
    fn drop(&mut self) {
        if let Some(pool) = self.pool {
            // SAFETY: it is live, and is not used again. The driver waits for its memory.
            let _ = unsafe { result::mem_pool::destroy(pool) };
        }
    }
}

impl Deref for Pinned {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: allocated and written until `self` is dropped. The device works on it only
        // during calls that borrow it.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }
}

impl DerefMut for Pinned {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as of `deref`, and `self` is borrowed alone.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: allocated by `pin`, and each call that works on it waits for its work.
        let _ = unsafe { result::free_host(self.start.as_ptr().cast()) };
    }
}

/// The name of the device, and the versions of the driver and of CUDA.
fn name(device: sys::CUdevice) -> Result<String, DeviceError> {
    let name = checked("cuDeviceGetName", result::device::get_name(device))?;
    let mut version = 0;
    // SAFETY: writes one number.
    let got = unsafe { sys::cuDriverGetVersion(&raw mut version) };
    checked("cuDriverGetVersion", got.result())?;
    // Linux alone has this file, and a line such as "NVRM version: NVIDIA UNIX x86_64 ...".
    let module = fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default();
    let module = module.lines().next();
    let module = module.and_then(|line| line.split_once(':'));
    let driver = module.map_or("unknown driver", |(_, text)| text.trim());
    let (major, minor) = (version / 1_000, version % 1_000 / 10);
    Ok(format!("{name}, {driver}, CUDA {major}.{minor}"))
}

/// As [`checked`], where an error means that there is no device that works, or no pool.
fn present<T>(call: &'static str, result: Result<T, DriverError>) -> Result<T, DeviceError> {
    result.map_err(|error| DeviceError::unavailable(format!("`{call}`: {error}")))
}

fn checked<T>(call: &'static str, result: Result<T, DriverError>) -> Result<T, DeviceError> {
    result.map_err(|error| match error {
        DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY) => DeviceError::OutOfMemory,
        other => DeviceError::failed(call, other.to_string()),
    })
}
