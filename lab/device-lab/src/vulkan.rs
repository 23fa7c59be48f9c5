//! [`Vulkan`]: a Vulkan device of this machine, by a loader that is looked up when the
//! program runs.

#![expect(unsafe_code, reason = "calls the driver's functions in C")]

mod device;
mod memory;

use std::rc::Rc;
use std::slice;

use ash::vk;
use gpu_allocator::vulkan::Allocator;

use crate::backend::{DeviceBackend, DeviceError, DeviceInfo, DriverUsage, Stream};
use device::{Device, PinnedRange, checked};
pub use memory::{VulkanMemory, VulkanPinned};

/// The first hardware device, or the first software device if there is no hardware.
///
/// Its streams share one queue, whose works run one after the other. Bytes of the host that
/// are not [pinned](DeviceBackend::pin) are copied through a buffer that grows to the
/// largest copy. It stays on the thread that opened it.
pub struct Vulkan {
    streams: Vec<StreamState>,
    staging: Option<VulkanPinned>,
    usage: DriverUsage,
    /// Dropped before the device.
    allocator: Option<Allocator>,
    device: Rc<Device>,
}

/// The work of a stream.
struct StreamState {
    pool: vk::CommandPool,
    pending: Vec<Submission>,
    finished: Vec<Submission>,
}

/// Recorded work, and what says that it is finished.
#[derive(Clone, Copy)]
struct Submission {
    commands: vk::CommandBuffer,
    fence: vk::Fence,
}

impl Vulkan {
    /// Opens the device. The driver allocates memory for each buffer.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Unavailable`] if Vulkan's loader, its driver or a device is missing; other
    /// errors as the driver reports them.
    pub fn open() -> Result<Self, DeviceError> {
        let mut vulkan = Self {
            streams: Vec::new(),
            staging: None,
            usage: DriverUsage::default(),
            allocator: None,
            device: Rc::new(Device::open()?),
        };
        vulkan.create_stream()?;
        Ok(vulkan)
    }

    /// Opens the device. The crate gpu-allocator divides large blocks among the buffers.
    pub fn open_with_gpu_allocator() -> Result<Self, DeviceError> {
        let mut vulkan = Self::open()?;
        vulkan.allocator = Some(memory::shared_blocks(&vulkan.device)?);
        Ok(vulkan)
    }

    /// The device and its driver.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        &self.device.info
    }

    /// The buffer, if it is of this device and has this many bytes.
    fn buffer(
        &self,
        call: &'static str,
        memory: &VulkanMemory,
        bytes: u64,
    ) -> Result<vk::Buffer, DeviceError> {
        self.check_owner(call, memory)?;
        match bytes <= memory.bytes {
            true => Ok(memory.buffer),
            false => Err(DeviceError::failed(call, "the memory is too small")),
        }
    }

    fn check_owner(&self, call: &'static str, memory: &VulkanMemory) -> Result<(), DeviceError> {
        match Rc::ptr_eq(&self.device, &memory.device) {
            true => Ok(()),
            false => Err(DeviceError::failed(call, "the memory is of another device")),
        }
    }

    fn stream(
        &mut self,
        call: &'static str,
        stream: Stream,
    ) -> Result<&mut StreamState, DeviceError> {
        let state = self.streams.get_mut(stream.index());
        state.ok_or_else(|| DeviceError::failed(call, "there is no such stream"))
    }

    /// Records work behind all earlier work of the queue, and enqueues it.
    fn submit(
        &mut self,
        call: &'static str,
        stream: Stream,
        record: impl FnOnce(&ash::Device, vk::CommandBuffer),
    ) -> Result<(), DeviceError> {
        let device = Rc::clone(&self.device);
        let state = self.stream(call, stream)?;
        let submission = state.submission(&device.logical)?;
        let commands = submission.commands;
        let begin = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the commands are not pending, and those of earlier work are dropped.
        let begun = unsafe { device.logical.begin_command_buffer(commands, &begin) };
        checked("vkBeginCommandBuffer", begun)?;
        order(&device.logical, commands);
        record(&device.logical, commands);
        order(&device.logical, commands);
        // SAFETY: begun above.
        let ended = unsafe { device.logical.end_command_buffer(commands) };
        checked("vkEndCommandBuffer", ended)?;
        let all = [commands];
        let work = [vk::SubmitInfo::default().command_buffers(&all)];
        // SAFETY: recorded above; the fence is reset; no other thread has the queue.
        let submitted = unsafe {
            device
                .logical
                .queue_submit(device.queue, &work, submission.fence)
        };
        checked("vkQueueSubmit", submitted)?;
        state.finished.pop();
        state.pending.push(submission);
        Ok(())
    }

    /// Copies between buffers. The caller looked at their sizes.
    fn copy_buffer(
        &mut self,
        call: &'static str,
        (from, offset): (vk::Buffer, u64),
        (to, to_offset): (vk::Buffer, u64),
        bytes: u64,
        stream: Stream,
    ) -> Result<(), DeviceError> {
        if bytes == 0 {
            return self.stream(call, stream).map(|_| ());
        }
        let region = [vk::BufferCopy {
            src_offset: offset,
            dst_offset: to_offset,
            size: bytes,
        }];
        self.submit(call, stream, |device, commands| {
            // SAFETY: the commands are being recorded; the buffers are two of this device,
            // and are not freed before their work is finished.
            unsafe { device.cmd_copy_buffer(commands, from, to, &region) };
        })
    }

    /// The pinned memory that bytes of the host are in, and where in it.
    fn pinned(&self, address: usize, bytes: usize) -> Option<(vk::Buffer, u64)> {
        let ranges = self.device.pinned.borrow();
        let contains = |range: &&PinnedRange| {
            let offset = address.checked_sub(range.start);
            offset.is_some_and(|offset| offset < range.bytes && bytes <= range.bytes - offset)
        };
        let range = ranges.iter().find(contains)?;
        Some((range.buffer, (address - range.start) as u64))
    }

    /// The buffer that bytes go through which are not pinned.
    fn staging(&mut self, bytes: usize) -> Result<&mut VulkanPinned, DeviceError> {
        // A smaller one goes first, so that both need not fit.
        let kept = self.staging.take().filter(|staging| staging.len() >= bytes);
        let new = || VulkanPinned::new(&self.device, bytes);
        Ok(self.staging.insert(kept.map_or_else(new, Ok)?))
    }
}

impl DeviceBackend for Vulkan {
    type Memory = VulkanMemory;
    type Pinned = VulkanPinned;

    fn allocate(&mut self, bytes: u64) -> Result<VulkanMemory, DeviceError> {
        let usage = &mut self.usage;
        match &mut self.allocator {
            None => VulkanMemory::own(&self.device, bytes, usage),
            Some(allocator) => VulkanMemory::shared(&self.device, bytes, allocator, usage),
        }
    }

    fn free(&mut self, memory: VulkanMemory) -> Result<(), DeviceError> {
        self.check_owner("vkDestroyBuffer", &memory)?;
        // Nothing is left to wait for, unless the caller did not synchronise: the driver
        // damages memory then.
        for index in 0..self.streams.len() {
            self.streams[index].wait(&self.device.logical)?;
        }
        memory.free(self.allocator.as_mut(), &mut self.usage)
    }

    fn create_stream(&mut self) -> Result<Stream, DeviceError> {
        let request = vk::CommandPoolCreateInfo::default()
            .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER)
            .queue_family_index(self.device.queue_family);
        // SAFETY: the family is that of the device's queue.
        let pool = unsafe { self.device.logical.create_command_pool(&request, None) };
        self.streams.push(StreamState {
            pool: checked("vkCreateCommandPool", pool)?,
            pending: Vec::new(),
            finished: Vec::new(),
        });
        Ok(Stream::from_number(self.streams.len() - 1))
    }

    fn fill(&mut self, memory: &VulkanMemory, byte: u8, stream: Stream) -> Result<(), DeviceError> {
        let call = "vkCmdFillBuffer";
        let buffer = self.buffer(call, memory, 0)?;
        let word = u32::from_ne_bytes([byte; 4]);
        self.submit(call, stream, |device, commands| {
            // SAFETY: the commands are being recorded; the buffer is of this device, has a
            // multiple of four bytes, and is not freed before its work is finished.
            unsafe { device.cmd_fill_buffer(commands, buffer, 0, vk::WHOLE_SIZE, word) };
        })
    }

    fn pin(&mut self, bytes: usize) -> Result<VulkanPinned, DeviceError> {
        VulkanPinned::new(&self.device, bytes)
    }

    fn upload(
        &mut self,
        from: &[u8],
        to: &VulkanMemory,
        stream: Stream,
    ) -> Result<(), DeviceError> {
        let call = "upload";
        let target = self.buffer(call, to, from.len() as u64)?;
        let source = match self.pinned(from.as_ptr().expose_provenance(), from.len()) {
            Some(pinned) => pinned,
            None => {
                // No work is left on it: uploads and downloads wait.
                let staging = self.staging(from.len())?;
                staging[..from.len()].copy_from_slice(from);
                (staging.buffer(), 0)
            }
        };
        self.copy_buffer(call, source, (target, 0), from.len() as u64, stream)?;
        self.synchronise(stream)
    }

    fn download(
        &mut self,
        from: &VulkanMemory,
        to: &mut [u8],
        stream: Stream,
    ) -> Result<(), DeviceError> {
        let call = "download";
        let bytes = to.len() as u64;
        let source = self.buffer(call, from, bytes)?;
        // The device writes to memory whose address is known to it.
        let pinned = self.pinned(to.as_mut_ptr().expose_provenance(), to.len());
        if let Some(pinned) = pinned {
            self.copy_buffer(call, (source, 0), pinned, bytes, stream)?;
            return self.synchronise(stream);
        }
        let staging = self.staging(to.len())?.buffer();
        self.copy_buffer(call, (source, 0), (staging, 0), bytes, stream)?;
        self.synchronise(stream)?;
        to.copy_from_slice(&self.staging(to.len())?[..to.len()]);
        Ok(())
    }

    fn synchronise(&mut self, stream: Stream) -> Result<(), DeviceError> {
        let device = Rc::clone(&self.device);
        self.stream("synchronise", stream)?.wait(&device.logical)
    }

    fn usage(&mut self) -> Result<DriverUsage, DeviceError> {
        Ok(self.usage)
    }
}

impl StreamState {
    /// Commands that can be recorded, with a fence that is reset: the last of `finished`,
    /// where they stay until they are enqueued.
    fn submission(&mut self, device: &ash::Device) -> Result<Submission, DeviceError> {
        if let Some(submission) = self.finished.last() {
            return Ok(*submission);
        }
        let request = vk::CommandBufferAllocateInfo::default()
            .command_pool(self.pool)
            .command_buffer_count(1);
        // SAFETY: the pool is the device's, and no other thread has it.
        let commands = unsafe { device.allocate_command_buffers(&request) };
        let commands = checked("vkAllocateCommandBuffers", commands)?[0];
        // SAFETY: the device is live.
        let fence = unsafe { device.create_fence(&vk::FenceCreateInfo::default(), None) };
        let submission = Submission {
            commands,
            fence: checked("vkCreateFence", fence)?,
        };
        self.finished.push(submission);
        Ok(submission)
    }

    fn wait(&mut self, device: &ash::Device) -> Result<(), DeviceError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let fences: Vec<_> = self.pending.iter().map(|work| work.fence).collect();
        // SAFETY: each fence was submitted with its work.
        let waited = unsafe { device.wait_for_fences(&fences, true, u64::MAX) };
        checked("vkWaitForFences", waited)?;
        // SAFETY: their work is finished.
        let reset = unsafe { device.reset_fences(&fences) };
        checked("vkResetFences", reset)?;
        self.finished.append(&mut self.pending);
        Ok(())
    }
}

/// Lets work of the queue before it finish, and makes its writes visible to the device and
/// to the host.
fn order(device: &ash::Device, commands: vk::CommandBuffer) {
    let barrier = vk::MemoryBarrier::default()
        .src_access_mask(vk::AccessFlags::TRANSFER_WRITE)
        .dst_access_mask(
            vk::AccessFlags::TRANSFER_READ
                | vk::AccessFlags::TRANSFER_WRITE
                | vk::AccessFlags::HOST_READ,
        );
    // SAFETY: the commands are being recorded, outside of a render pass.
    unsafe {
        device.cmd_pipeline_barrier(
            commands,
            vk::PipelineStageFlags::TRANSFER,
            vk::PipelineStageFlags::TRANSFER | vk::PipelineStageFlags::HOST,
            vk::DependencyFlags::empty(),
            slice::from_ref(&barrier),
            &[],
            &[],
        );
    }
}

impl Drop for Vulkan {
    /// Errors have nowhere to go: the device is given up in any case.
    fn drop(&mut self) {
        let device = &self.device.logical;
        // SAFETY: the device is live.
        let _ = unsafe { device.device_wait_idle() };
        for stream in self.streams.drain(..) {
            for work in stream.pending.iter().chain(&stream.finished) {
                // SAFETY: its work is finished.
                unsafe { device.destroy_fence(work.fence, None) };
            }
            // SAFETY: as above, of all its commands.
            unsafe { device.destroy_command_pool(stream.pool, None) };
        }
    }
}
