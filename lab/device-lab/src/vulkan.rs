//! [`Vulkan`]: a Vulkan device of this machine, by a loader that is looked up when the program runs.

#![expect(unsafe_code, reason = "calls the driver's functions in C")]

use std::rc::Rc;
use std::slice;
use std::sync::OnceLock;

use ash::vk;

use crate::device::{Device, DeviceError, Usage, check_size};

/// The first hardware device, or the first software device if there is no hardware.
///
/// Its memory is a buffer that is ready for use. Copies go through a second buffer, which the host
/// sees and which grows to the largest copy. It stays on the thread that opened it.
pub struct Vulkan {
    staging: Option<VulkanMemory>,
    usage: Usage,
    opened: Rc<Opened>,
}

/// A buffer in memory of its own, of [`Vulkan`].
pub struct VulkanMemory {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    bytes: u64,
    /// The size of the memory.
    reserved: u64,
    opened: Rc<Opened>,
}

/// The opened device, which lives as long as its memory. It has one queue, and the commands of one
/// copy at a time.
struct Opened {
    logical: ash::Device,
    queue: vk::Queue,
    /// Null until it is created, as the commands are. Null may be destroyed, too.
    pool: vk::CommandPool,
    commands: vk::CommandBuffer,
    types: vk::PhysicalDeviceMemoryProperties,
    name: String,
}

/// Vulkan's loader and the connection with it, one for the process, to whose end it stays: NVIDIA's
/// driver is loaded with an instance and unloaded with the last one, and it can't be loaded for the
/// fifteenth time.
static INSTANCE: OnceLock<Result<(ash::Entry, ash::Instance), DeviceError>> = OnceLock::new();

impl Vulkan {
    /// Opens the device.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Unavailable`] if Vulkan's loader, its driver or a device is missing.
    pub fn open() -> Result<Self, DeviceError> {
        Ok(Self {
            staging: None,
            usage: Usage::default(),
            opened: Rc::new(Opened::new()?),
        })
    }

    fn check_owner(&self, call: &'static str, memory: &VulkanMemory) -> Result<(), DeviceError> {
        match Rc::ptr_eq(&self.opened, &memory.opened) {
            true => Ok(()),
            false => Err(DeviceError::failed(call, "the memory is of another device")),
        }
    }

    /// The buffer that a copy of so many bytes from or to this memory goes through.
    fn staging(
        &mut self,
        call: &'static str,
        memory: &VulkanMemory,
        bytes: usize,
    ) -> Result<&VulkanMemory, DeviceError> {
        self.check_owner(call, memory)?;
        check_size(call, bytes, memory.bytes)?;
        let bytes = bytes as u64;
        // A smaller one goes first, so that both need not fit.
        let kept = self.staging.take().filter(|staging| bytes <= staging.bytes);
        let visible =
            vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let new = || VulkanMemory::new(&self.opened, bytes, visible);
        Ok(self.staging.insert(kept.map_or_else(new, Ok)?))
    }
}

impl Device for Vulkan {
    type Memory = VulkanMemory;

    /// Create a buffer, ask what it needs, allocate, bind; destroy it, free.
    const CALLS: [u64; 2] = [4, 2];

    fn name(&self) -> &str {
        &self.opened.name
    }

    fn allocate(&mut self, bytes: u64) -> Result<VulkanMemory, DeviceError> {
        let in_device = vk::MemoryPropertyFlags::DEVICE_LOCAL;
        let memory = VulkanMemory::new(&self.opened, bytes, in_device)?;
        self.usage.allocations += 1;
        self.usage.calls += Self::CALLS[0];
        self.usage.reserved += memory.reserved;
        Ok(memory)
    }

    /// Memory frees itself when it is dropped.
    fn free(&mut self, memory: VulkanMemory) -> Result<(), DeviceError> {
        self.check_owner("free", &memory)?;
        self.usage.calls += Self::CALLS[1];
        self.usage.reserved -= memory.reserved;
        Ok(())
    }

    fn upload(&mut self, from: &[u8], to: &VulkanMemory) -> Result<(), DeviceError> {
        let staging = self.staging("upload", to, from.len())?;
        staging.map(|bytes| bytes[..from.len()].copy_from_slice(from))?;
        staging.opened.copy(staging, to, from.len() as u64)
    }

    fn download(&mut self, from: &VulkanMemory, to: &mut [u8]) -> Result<(), DeviceError> {
        let staging = self.staging("download", from, to.len())?;
        staging.opened.copy(from, staging, to.len() as u64)?;
        staging.map(|bytes| to.copy_from_slice(&bytes[..to.len()]))
    }

    /// Copies wait by themselves.
    fn synchronise(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }

    fn usage(&mut self) -> Result<Usage, DeviceError> {
        Ok(self.usage)
    }
}

impl VulkanMemory {
    /// A buffer in memory with these properties.
    fn new(
        opened: &Rc<Opened>,
        bytes: u64,
        wanted: vk::MemoryPropertyFlags,
    ) -> Result<Self, DeviceError> {
        // A driver may calculate with the size: it gets none that no heap has.
        let heaps = opened.types.memory_heaps_as_slice();
        if heaps.iter().all(|heap| bytes > heap.size) {
            return Err(DeviceError::OutOfMemory);
        }
        let logical = &opened.logical;
        let request = vk::BufferCreateInfo::default()
            // Vulkan has no empty buffers.
            .size(bytes.max(1))
            .usage(vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST)
            .sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: the device is live.
        let buffer = unsafe { logical.create_buffer(&request, None) };
        let buffer = checked("vkCreateBuffer", buffer)?;
        // SAFETY: the buffer was made above.
        let requirements = unsafe { logical.get_buffer_memory_requirements(buffer) };
        // From here, dropping it destroys the buffer.
        let mut new = Self {
            buffer,
            memory: vk::DeviceMemory::null(),
            bytes,
            reserved: requirements.size,
            opened: Rc::clone(opened),
        };
        let (index, heap) = opened.memory_type(requirements.memory_type_bits, wanted)?;
        if requirements.size > heap {
            return Err(DeviceError::OutOfMemory);
        }
        let request = vk::MemoryAllocateInfo::default()
            .allocation_size(requirements.size)
            .memory_type_index(index);
        // SAFETY: the type is the device's, and its heap is large enough.
        let memory = unsafe { logical.allocate_memory(&request, None) };
        new.memory = checked("vkAllocateMemory", memory)?;
        // SAFETY: the memory was allocated for this buffer, and neither is bound.
        let bound = unsafe { logical.bind_buffer_memory(buffer, new.memory, 0) };
        checked("vkBindBufferMemory", bound)?;
        Ok(new)
    }

    /// Calls `copy` with the memory, which the host sees.
    fn map(&self, copy: impl FnOnce(&mut [u8])) -> Result<(), DeviceError> {
        let logical = &self.opened.logical;
        let flags = vk::MemoryMapFlags::empty();
        // SAFETY: the memory is visible to the host and not mapped, and no work is left on it.
        let start = unsafe { logical.map_memory(self.memory, 0, vk::WHOLE_SIZE, flags) };
        let start = checked("vkMapMemory", start)?.cast::<u8>();
        // SAFETY: the mapping is at least as large as the buffer, and nobody else has its address
        // until it is unmapped below.
        copy(unsafe { slice::from_raw_parts_mut(start, self.bytes as usize) });
        // SAFETY: mapped above.
        unsafe { logical.unmap_memory(self.memory) };
        Ok(())
    }
}

impl Drop for VulkanMemory {
    /// Each copy waits, so that no work is left on it.
    fn drop(&mut self) {
        let logical = &self.opened.logical;
        // SAFETY: `self` alone has the buffer.
        unsafe { logical.destroy_buffer(self.buffer, None) };
        // SAFETY: its only buffer is destroyed.
        unsafe { logical.free_memory(self.memory, None) };
    }
}

impl Opened {
    fn new() -> Result<Self, DeviceError> {
        let instance = INSTANCE.get_or_init(create_instance).as_ref();
        let (_, instance) = instance.map_err(DeviceError::clone)?;
        // SAFETY: the instance is live.
        let devices = unsafe { instance.enumerate_physical_devices() };
        let devices = checked("vkEnumeratePhysicalDevices", devices)?;
        let usable = devices.into_iter().filter_map(|physical| {
            // SAFETY: the instance is live, and the device is its own.
            let properties = unsafe { instance.get_physical_device_properties(physical) };
            Some((physical, copying_queue(instance, physical)?, properties))
        });
        let chosen = usable.min_by_key(|(_, _, properties)| is_software(properties));
        let (physical, family, properties) = chosen.ok_or_else(|| {
            DeviceError::unavailable("there is no Vulkan device; install mesa-vulkan-drivers")
        })?;
        // SAFETY: as above.
        let types = unsafe { instance.get_physical_device_memory_properties(physical) };
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(family)
            .queue_priorities(&[1.0])];
        let request = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
        // SAFETY: as above, and the family is the device's.
        let logical = unsafe { instance.create_device(physical, &request, None) };
        let logical = checked("vkCreateDevice", logical)?;
        // SAFETY: the device was created with one queue of this family.
        let queue = unsafe { logical.get_device_queue(family, 0) };
        // From here, dropping it destroys what was created.
        let mut opened = Self {
            logical,
            queue,
            pool: vk::CommandPool::null(),
            commands: vk::CommandBuffer::null(),
            types,
            name: name(&properties),
        };
        let logical = &opened.logical;
        let request = vk::CommandPoolCreateInfo::default()
            .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER)
            .queue_family_index(family);
        // SAFETY: the family is that of the device's queue.
        let pool = unsafe { logical.create_command_pool(&request, None) };
        opened.pool = checked("vkCreateCommandPool", pool)?;
        let request = vk::CommandBufferAllocateInfo::default()
            .command_pool(opened.pool)
            .command_buffer_count(1);
        // SAFETY: the pool is the device's, and no other thread has it.
        let commands = unsafe { logical.allocate_command_buffers(&request) };
        opened.commands = checked("vkAllocateCommandBuffers", commands)?[0];
        Ok(opened)
    }

    /// The first of the allowed types that has all of the properties, and the size of its heap.
    fn memory_type(
        &self,
        allowed: u32,
        wanted: vk::MemoryPropertyFlags,
    ) -> Result<(u32, u64), DeviceError> {
        let mut types = (0..).zip(self.types.memory_types_as_slice());
        let found = types.find(|(index, memory)| {
            allowed & (1 << index) != 0 && memory.property_flags.contains(wanted)
        });
        let reason = "no memory of the device fits the buffer";
        let (index, found) = found.ok_or(DeviceError::failed("vkAllocateMemory", reason))?;
        let heap = self.types.memory_heaps[found.heap_index as usize];
        Ok((index, heap.size))
    }

    /// Copies the first bytes of a buffer, and waits. Both are of this device and large enough.
    fn copy(&self, from: &VulkanMemory, to: &VulkanMemory, bytes: u64) -> Result<(), DeviceError> {
        if bytes == 0 {
            // Vulkan has no empty copies.
            return Ok(());
        }
        let Self {
            logical, commands, ..
        } = self;
        let begin = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the commands are not pending, because the last copy waited for them.
        let begun = unsafe { logical.begin_command_buffer(*commands, &begin) };
        checked("vkBeginCommandBuffer", begun)?;
        let region = vk::BufferCopy::default().size(bytes);
        // SAFETY: the commands are being recorded; the buffers are two of this device, and are
        // borrowed until the copy is finished.
        unsafe {
            logical.cmd_copy_buffer(*commands, from.buffer, to.buffer, slice::from_ref(&region));
        };
        self.make_visible();
        // SAFETY: begun above.
        let ended = unsafe { logical.end_command_buffer(*commands) };
        checked("vkEndCommandBuffer", ended)?;
        let work = vk::SubmitInfo::default().command_buffers(slice::from_ref(commands));
        let no_fence = vk::Fence::null();
        // SAFETY: recorded above, and no other thread has the queue.
        let submitted = unsafe { logical.queue_submit(self.queue, &[work], no_fence) };
        checked("vkQueueSubmit", submitted)?;
        // SAFETY: as above.
        let finished = unsafe { logical.queue_wait_idle(self.queue) };
        checked("vkQueueWaitIdle", finished)
    }

    /// Makes what a copy writes visible to later copies and to the host.
    fn make_visible(&self) {
        let barrier = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::TRANSFER_WRITE)
            .dst_access_mask(
                vk::AccessFlags::TRANSFER_READ
                    | vk::AccessFlags::TRANSFER_WRITE
                    | vk::AccessFlags::HOST_READ
                    | vk::AccessFlags::HOST_WRITE,
            );
        // SAFETY: the commands are being recorded, outside of a render pass.
        unsafe {
            self.logical.cmd_pipeline_barrier(
                self.commands,
                vk::PipelineStageFlags::TRANSFER,
                vk::PipelineStageFlags::TRANSFER | vk::PipelineStageFlags::HOST,
                vk::DependencyFlags::empty(),
                slice::from_ref(&barrier),
                &[],
                &[],
            );
        }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: each copy waited for its commands.
        unsafe { self.logical.destroy_command_pool(self.pool, None) };
        // SAFETY: nothing of the device is left: its memory keeps `self`.
        unsafe { self.logical.destroy_device(None) };
    }
}

fn create_instance() -> Result<(ash::Entry, ash::Instance), DeviceError> {
    // SAFETY: loads the loader's library, whose initializers have no requirements.
    let entry = unsafe { ash::Entry::load() };
    let entry = entry.map_err(|error| {
        let reason = format!("Vulkan's loader is missing; install libvulkan1 ({error})");
        DeviceError::unavailable(reason)
    })?;
    // SAFETY: the loader's library is loaded, and `INSTANCE` keeps it.
    let instance = unsafe { entry.create_instance(&vk::InstanceCreateInfo::default(), None) };
    match instance {
        Err(vk::Result::ERROR_INCOMPATIBLE_DRIVER) => {
            let reason = "there is no Vulkan driver; install mesa-vulkan-drivers";
            Err(DeviceError::unavailable(reason))
        }
        other => Ok((entry, checked("vkCreateInstance", other)?)),
    }
}

/// A family of queues that computes. Vulkan says that these copy, too.
fn copying_queue(instance: &ash::Instance, device: vk::PhysicalDevice) -> Option<u32> {
    // SAFETY: the instance is live, and the device is its own.
    let families = unsafe { instance.get_physical_device_queue_family_properties(device) };
    let computes =
        |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::COMPUTE);
    u32::try_from(families.iter().position(computes)?).ok()
}

fn is_software(properties: &vk::PhysicalDeviceProperties) -> bool {
    properties.device_type == vk::PhysicalDeviceType::CPU
}

fn name(properties: &vk::PhysicalDeviceProperties) -> String {
    let name = properties.device_name_as_c_str().unwrap_or(c"unknown");
    let name = name.to_string_lossy();
    match is_software(properties) {
        true => format!("software device ({name})"),
        false => name.into_owned(),
    }
}

fn checked<T>(call: &'static str, result: Result<T, vk::Result>) -> Result<T, DeviceError> {
    result.map_err(|error| match error {
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
        | vk::Result::ERROR_OUT_OF_HOST_MEMORY
        | vk::Result::ERROR_TOO_MANY_OBJECTS => DeviceError::OutOfMemory,
        other => DeviceError::failed(call, other.to_string()),
    })
}
