//! Buffers of a Vulkan device with their memory: of the driver, of the crate
//! gpu-allocator, or of the host.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::rc::Rc;
use std::slice;

use ash::vk;
use gpu_allocator::vulkan::{
    Allocation, AllocationCreateDesc, AllocationScheme, Allocator, AllocatorCreateDesc,
};
use gpu_allocator::{AllocationError, MemoryLocation};

use super::device::{Device, PinnedRange, checked};
use crate::backend::{DeviceError, DriverUsage};

/// Memory of [`Vulkan`](super::Vulkan): a buffer that is ready for use.
pub struct VulkanMemory {
    pub(super) device: Rc<Device>,
    pub(super) buffer: vk::Buffer,
    pub(super) bytes: u64,
    place: Place,
}

/// Where the memory of a buffer is.
enum Place {
    /// In memory of its own, of this many bytes.
    Own(vk::DeviceMemory, u64),
    /// In a block that gpu-allocator shares between buffers.
    Shared(Allocation),
}

/// Pinned memory of the host: a buffer that the host sees, too.
pub struct VulkanPinned {
    device: Rc<Device>,
    bound: Bound,
    start: NonNull<u8>,
    bytes: usize,
}

/// A buffer in memory of its own.
#[derive(Clone, Copy)]
struct Bound {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    /// The size of the memory.
    reserved: u64,
}

/// gpu-allocator on this device, with its usual sizes of blocks.
pub(super) fn shared_blocks(device: &Device) -> Result<Allocator, DeviceError> {
    let request = AllocatorCreateDesc {
        instance: device.instance.clone(),
        device: device.logical.clone(),
        physical_device: device.physical,
        debug_settings: Default::default(),
        buffer_device_address: false,
        allocation_sizes: Default::default(),
    };
    Allocator::new(&request).map_err(failed)
}

impl VulkanMemory {
    /// A buffer in memory that the driver allocates for it.
    pub(super) fn own(
        device: &Rc<Device>,
        bytes: u64,
        usage: &mut DriverUsage,
    ) -> Result<Self, DeviceError> {
        let in_device = [vk::MemoryPropertyFlags::DEVICE_LOCAL];
        let bound = Bound::new(device, bytes, &in_device, usage)?;
        usage.reserved += bound.reserved;
        let place = Place::Own(bound.memory, bound.reserved);
        Ok(Self::new(device, bound.buffer, bytes, place))
    }

    /// A buffer in a block of the allocator.
    pub(super) fn shared(
        device: &Rc<Device>,
        bytes: u64,
        allocator: &mut Allocator,
        usage: &mut DriverUsage,
    ) -> Result<Self, DeviceError> {
        let (buffer, requirements) = create_buffer(device, bytes, usage)?;
        // The capacity as of the last call: `capacity` looks at all blocks.
        let before = usage.reserved;
        let allocated = allocator.allocate(&AllocationCreateDesc {
            name: "",
            requirements,
            location: MemoryLocation::GpuOnly,
            linear: true,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        });
        let allocation = match allocated {
            Ok(allocation) => allocation,
            Err(error) => {
                // SAFETY: made above, and not used.
                unsafe { device.logical.destroy_buffer(buffer, None) };
                return match matches!(error, AllocationError::OutOfMemory) {
                    true => Err(DeviceError::OutOfMemory { bytes }),
                    false => Err(failed(error)),
                };
            }
        };
        let capacity = allocator.capacity();
        if capacity > before {
            usage.allocations += 1;
            usage.calls += block_calls(&allocation);
        }
        usage.reserved = capacity;
        usage.calls += 1;
        // SAFETY: names the block's memory, which lives as long as the allocation.
        let memory = unsafe { allocation.memory() };
        // SAFETY: the allocation has the size and alignment that the buffer needs.
        let bound = unsafe {
            device
                .logical
                .bind_buffer_memory(buffer, memory, allocation.offset())
        };
        let memory = Self::new(device, buffer, bytes, Place::Shared(allocation));
        if let Err(error) = bound {
            memory.free(Some(allocator), usage)?;
            return checked("vkBindBufferMemory", Err(error));
        }
        Ok(memory)
    }

    fn new(device: &Rc<Device>, buffer: vk::Buffer, bytes: u64, place: Place) -> Self {
        device.live.set(device.live.get() + 1);
        Self {
            device: Rc::clone(device),
            buffer,
            bytes,
            place,
        }
    }

    /// Frees it. The device has no work on it, and the allocator is that of the device.
    pub(super) fn free(
        self,
        allocator: Option<&mut Allocator>,
        usage: &mut DriverUsage,
    ) -> Result<(), DeviceError> {
        let device = &self.device;
        // SAFETY: `self` is moved here, so nobody has the buffer any more.
        unsafe { device.logical.destroy_buffer(self.buffer, None) };
        device.live.set(device.live.get() - 1);
        usage.calls += 1;
        match (self.place, allocator) {
            (Place::Own(memory, reserved), _) => {
                // SAFETY: its only buffer is destroyed.
                unsafe { device.logical.free_memory(memory, None) };
                usage.calls += 1;
                usage.reserved -= reserved;
                Ok(())
            }
            (Place::Shared(allocation), Some(allocator)) => {
                let before = usage.reserved;
                let calls = block_calls(&allocation);
                let freed = allocator.free(allocation);
                usage.reserved = allocator.capacity();
                if usage.reserved < before {
                    usage.calls += calls;
                }
                freed.map_err(failed)
            }
            // The block stays until the allocator is dropped.
            (Place::Shared(_), None) => Ok(()),
        }
    }
}

/// The calls with which gpu-allocator makes a block, or frees one: it maps those that the
/// host can see.
fn block_calls(allocation: &Allocation) -> u64 {
    1 + u64::from(allocation.mapped_ptr().is_some())
}

fn failed(error: AllocationError) -> DeviceError {
    DeviceError::failed("gpu-allocator", error.to_string())
}

impl VulkanPinned {
    pub(super) fn new(device: &Rc<Device>, bytes: usize) -> Result<Self, DeviceError> {
        let visible =
            vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        // Reading memory that the host does not cache takes many times as long.
        let wanted = [visible | vk::MemoryPropertyFlags::HOST_CACHED, visible];
        let bound = Bound::new(device, bytes as u64, &wanted, &mut DriverUsage::default())?;
        // SAFETY: the memory is visible to the host, and is not mapped yet.
        let mapped = unsafe {
            device
                .logical
                .map_memory(bound.memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())
        };
        let mapped = checked("vkMapMemory", mapped).and_then(|start| {
            NonNull::new(start.cast::<u8>())
                .ok_or_else(|| DeviceError::failed("vkMapMemory", "the address is null"))
        });
        let start = mapped.inspect_err(|_| bound.destroy(device))?;
        // SAFETY: the mapping has at least this size, and nobody else has its address.
        unsafe { start.write_bytes(0, bytes) };
        device.live.set(device.live.get() + 1);
        device.pinned.borrow_mut().push(PinnedRange {
            start: start.as_ptr().expose_provenance(),
            bytes,
            buffer: bound.buffer,
        });
        Ok(Self {
            device: Rc::clone(device),
            bound,
            start,
            bytes,
        })
    }

    pub(super) fn buffer(&self) -> vk::Buffer {
        self.bound.buffer
    }
}

impl Deref for VulkanPinned {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: mapped and written until `self` is dropped. The device works on it only
        // during calls that borrow it.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }
}

impl DerefMut for VulkanPinned {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as of `deref`, and `self` is borrowed alone.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}

impl Drop for VulkanPinned {
    fn drop(&mut self) {
        let mut pinned = self.device.pinned.borrow_mut();
        pinned.retain(|range| range.buffer != self.bound.buffer);
        self.device.live.set(self.device.live.get() - 1);
        // Each call that works on it waits for its work.
        self.bound.destroy(&self.device);
    }
}

impl Bound {
    /// A buffer in memory with the first of these properties that the device has.
    fn new(
        device: &Device,
        bytes: u64,
        wanted: &[vk::MemoryPropertyFlags],
        usage: &mut DriverUsage,
    ) -> Result<Self, DeviceError> {
        let (buffer, requirements) = create_buffer(device, bytes, usage)?;
        let allocated = Self::allocate(device, requirements, wanted, usage);
        let memory = allocated.inspect_err(|_| {
            // SAFETY: made above, and not used.
            unsafe { device.logical.destroy_buffer(buffer, None) };
        })?;
        let bound = Self {
            buffer,
            memory,
            reserved: requirements.size,
        };
        usage.calls += 1;
        // SAFETY: the memory was allocated for this buffer, and neither is bound.
        let result = unsafe { device.logical.bind_buffer_memory(buffer, memory, 0) };
        if result.is_err() {
            bound.destroy(device);
            checked("vkBindBufferMemory", result)?;
        }
        Ok(bound)
    }

    fn allocate(
        device: &Device,
        requirements: vk::MemoryRequirements,
        wanted: &[vk::MemoryPropertyFlags],
        usage: &mut DriverUsage,
    ) -> Result<vk::DeviceMemory, DeviceError> {
        let call = "vkAllocateMemory";
        let refused = DeviceError::OutOfMemory {
            bytes: requirements.size,
        };
        let types = requirements.memory_type_bits;
        let mut wanted = wanted.iter();
        let memory_type = wanted.find_map(|wanted| device.memory_type(types, *wanted));
        let memory_type = memory_type
            .ok_or_else(|| DeviceError::failed(call, "no memory of the device fits the buffer"))?;
        if requirements.size > device.heap(memory_type) {
            return Err(refused);
        }
        let request = vk::MemoryAllocateInfo::default()
            .allocation_size(requirements.size)
            .memory_type_index(memory_type);
        usage.allocations += 1;
        usage.calls += 1;
        // SAFETY: the type is the device's, and its heap is large enough.
        match unsafe { device.logical.allocate_memory(&request, None) } {
            Err(
                vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
                | vk::Result::ERROR_OUT_OF_HOST_MEMORY
                | vk::Result::ERROR_TOO_MANY_OBJECTS,
            ) => Err(refused),
            other => checked(call, other),
        }
    }

    fn destroy(self, device: &Device) {
        // SAFETY: called once, for a buffer without work that nobody else got.
        unsafe { device.logical.destroy_buffer(self.buffer, None) };
        // SAFETY: its only buffer is destroyed. Freeing it unmaps it.
        unsafe { device.logical.free_memory(self.memory, None) };
    }
}

/// A buffer without memory, and the memory that it needs. Its size is a multiple of four,
/// which is what a fill writes, and not zero.
fn create_buffer(
    device: &Device,
    bytes: u64,
    usage: &mut DriverUsage,
) -> Result<(vk::Buffer, vk::MemoryRequirements), DeviceError> {
    let refused = DeviceError::OutOfMemory { bytes };
    let size = bytes.max(1).checked_next_multiple_of(4);
    let size = size.filter(|size| *size <= device.largest);
    let request = vk::BufferCreateInfo::default()
        .size(size.ok_or(refused.clone())?)
        .usage(
            vk::BufferUsageFlags::STORAGE_BUFFER
                | vk::BufferUsageFlags::TRANSFER_SRC
                | vk::BufferUsageFlags::TRANSFER_DST,
        )
        .sharing_mode(vk::SharingMode::EXCLUSIVE);
    usage.calls += 2;
    // SAFETY: the device is live.
    let buffer = match unsafe { device.logical.create_buffer(&request, None) } {
        Err(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY | vk::Result::ERROR_OUT_OF_HOST_MEMORY) => {
            return Err(refused);
        }
        other => checked("vkCreateBuffer", other)?,
    };
    // SAFETY: the buffer was made above.
    let requirements = unsafe { device.logical.get_buffer_memory_requirements(buffer) };
    Ok((buffer, requirements))
}
