//! [`Cache`]: keeps the device memory that is given back, because a call of the driver takes far
//! longer than a look-up.

use std::collections::BTreeMap;
use std::mem;

use crate::device::{Device, DeviceError};

/// A caching allocator of the memory of a device, for one thread and one queue of work.
///
/// A request is rounded up to its [size class](size_class). It gets the block of this class that was
/// given back last, or else a new one from the driver. Blocks are not split and not joined. A block
/// that is given back with unfinished work can be used again at once: new work is behind it in the
/// queue.
#[derive(Debug)]
pub struct Cache<D: Device> {
    device: D,
    /// By class, in the order in which they were given back.
    cached: BTreeMap<u64, Vec<D::Memory>>,
    hits: u64,
    misses: u64,
}

/// Device memory that a [`Cache`] handed out. It goes back with [`Cache::give`]. A block that is
/// dropped is not used again.
#[derive(Debug)]
#[must_use = "a block that is dropped is not used again"]
pub struct Block<M> {
    pub(crate) memory: M,
    pub(crate) class: u64,
}

impl<M> Block<M> {
    /// The memory, for calls of the device.
    pub fn memory(&self) -> &M {
        &self.memory
    }
}

impl<D: Device> Cache<D> {
    /// An empty cache of the memory of this device.
    pub fn new(device: D) -> Self {
        Self {
            device,
            cached: BTreeMap::new(),
            hits: 0,
            misses: 0,
        }
    }

    /// The requests that got a cached block.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// The requests that got a block from the driver.
    pub fn misses(&self) -> u64 {
        self.misses
    }

    /// The device, for work on blocks.
    pub fn device(&mut self) -> &mut D {
        &mut self.device
    }

    /// A block of at least this many bytes. If the driver refuses it, all cached blocks are
    /// [released](Self::release), and the driver is asked once more.
    ///
    /// # Errors
    ///
    /// [`DeviceError::OutOfMemory`] if the driver refuses it again, or there is no class so large.
    pub fn take(&mut self, bytes: u64) -> Result<Block<D::Memory>, DeviceError> {
        let class = size_class(bytes).ok_or(DeviceError::OutOfMemory)?;
        if let Some(memory) = self.cached.get_mut(&class).and_then(Vec::pop) {
            self.hits += 1;
            return Ok(Block { memory, class });
        }
        let mut memory = self.device.allocate(class);
        if matches!(memory, Err(DeviceError::OutOfMemory)) {
            self.release()?;
            memory = self.device.allocate(class);
        }
        let memory = memory?;
        self.misses += 1;
        Ok(Block { memory, class })
    }

    /// Takes back a block of this cache.
    pub fn give(&mut self, block: Block<D::Memory>) {
        self.cached
            .entry(block.class)
            .or_default()
            .push(block.memory);
    }

    /// Frees all cached blocks with the driver, after the work on them is finished. After an error
    /// they are lost.
    pub fn release(&mut self) -> Result<(), DeviceError> {
        self.device.synchronise()?;
        let mut blocks = mem::take(&mut self.cached).into_values().flatten();
        blocks.try_for_each(|memory| self.device.free(memory))
    }
}

/// The smallest class, in bytes. Drivers align each allocation to 256 bytes or more.
const SMALLEST_CLASS: u64 = 512;

/// The class of a request: 512 bytes, or the next of four equal steps between two powers of two, such
/// as 1,024, 1,280, 1,536, 1,792, 2,048. A request above 512 bytes wastes less than a quarter of its
/// size. None if there is no class so large.
#[must_use]
pub fn size_class(bytes: u64) -> Option<u64> {
    if bytes <= SMALLEST_CLASS {
        return Some(SMALLEST_CLASS);
    }
    let power_below = 1 << (bytes - 1).ilog2();
    bytes.checked_next_multiple_of(power_below / 4)
}
