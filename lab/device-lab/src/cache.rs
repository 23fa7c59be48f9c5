//! [`Cache`]: an allocator that keeps the device memory that is given back, because a call
//! of the driver takes far longer than a look-up.

use std::collections::BTreeMap;

use crate::backend::{DeviceBackend, DeviceError, Stream};
use crate::counters::Counters;
use crate::size_class::size_class;

/// A caching allocator of the memory of a device.
///
/// A request is rounded up to its [size class](size_class) and gets a cached block of this
/// class, or else a new one. A block is not split and not joined with others.
///
/// A block that is given back can have unfinished work: the host runs ahead of the device.
/// The stream of that work may get the block at once, because its new work runs after the
/// old. Another stream gets it only after the first was synchronised by
/// [`synchronise`](Self::synchronise).
#[derive(Debug)]
pub struct Cache<B: DeviceBackend> {
    backend: B,
    /// By class, in the order in which the blocks were given back.
    cached: BTreeMap<u64, Vec<Block<B::Memory>>>,
    /// How often each stream was synchronised.
    synchronisations: Vec<u64>,
    /// How many blocks were given back.
    given: u64,
    counters: Counters,
}

/// Device memory that a [`Cache`] handed out. It goes back with [`Cache::give`]; a block
/// that is dropped instead stays reserved and in use.
#[derive(Debug)]
#[must_use = "a block that is dropped stays in use"]
pub struct Block<M> {
    memory: M,
    class: u64,
    requested: u64,
    /// The streams that worked on it.
    uses: Vec<Use>,
    /// Its place in the order of blocks given back, while it is cached.
    given: u64,
}

/// The work of a stream on a block.
#[derive(Clone, Copy, Debug)]
struct Use {
    stream: Stream,
    /// How often the stream had been synchronised when the block was given back.
    synchronisations: u64,
}

impl<M> Block<M> {
    /// The memory, for calls of the backend.
    pub fn memory(&self) -> &M {
        &self.memory
    }

    /// The size that was asked for.
    pub fn requested(&self) -> u64 {
        self.requested
    }

    /// The size of the memory, which is that of the class.
    pub fn size(&self) -> u64 {
        self.class
    }

    /// Says that another stream than that of [`Cache::take`] works on the block, too.
    /// Its work is then awaited as well before a third stream gets the block.
    ///
    /// The first work of this stream must be enqueued after the stream of the request was
    /// synchronised.
    pub fn used_by(&mut self, stream: Stream) {
        if self.uses.iter().all(|other| other.stream != stream) {
            self.uses.push(Use {
                stream,
                synchronisations: 0,
            });
        }
    }
}

impl<B: DeviceBackend> Cache<B> {
    /// A cache of the memory of this device.
    pub fn new(backend: B) -> Self {
        Self {
            backend,
            cached: BTreeMap::new(),
            synchronisations: Vec::new(),
            given: 0,
            counters: Counters::default(),
        }
    }

    /// The counts so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The device, for work on blocks. The cache does not learn of streams that are
    /// synchronised here.
    pub fn backend(&mut self) -> &mut B {
        &mut self.backend
    }

    /// A block of at least this many bytes, for work on this stream.
    ///
    /// If the device refuses it, cached blocks are released until the request fits: the ones
    /// without unfinished work first, and among these the one that was given back first.
    ///
    /// # Errors
    ///
    /// [`DeviceError::OutOfMemory`] if the request does not fit without cached blocks
    /// either; other errors as the device reports them.
    pub fn take(&mut self, bytes: u64, stream: Stream) -> Result<Block<B::Memory>, DeviceError> {
        let block = self.find_or_allocate(bytes, stream);
        match &block {
            Ok(block) => self.counters.hand_out(block.class, bytes),
            Err(_) => self.counters.refused += 1,
        }
        block
    }

    /// Takes a block of this cache back. Work that its streams have already enqueued may be
    /// unfinished; the caller enqueues no more.
    pub fn give(&mut self, mut block: Block<B::Memory>) {
        for work in &mut block.uses {
            work.synchronisations = synchronisations(&self.synchronisations, work.stream);
        }
        block.given = self.given;
        self.given += 1;
        self.counters.take_back(block.class, block.requested);
        self.cached.entry(block.class).or_default().push(block);
    }

    /// Waits until all work of the stream is finished. Other streams may then reuse the
    /// blocks that were given back before.
    pub fn synchronise(&mut self, stream: Stream) -> Result<(), DeviceError> {
        self.backend.synchronise(stream)?;
        if self.synchronisations.len() <= stream.index() {
            self.synchronisations.resize(stream.index() + 1, 0);
        }
        self.synchronisations[stream.index()] += 1;
        Ok(())
    }

    /// Releases cached blocks until the driver has this many bytes back, or no block is
    /// cached; returns the bytes that were released. Waits for unfinished work where
    /// nothing else is left.
    ///
    /// # Errors
    ///
    /// As the device reports them. Blocks that were not reached stay cached.
    pub fn release(&mut self, bytes: u64) -> Result<u64, DeviceError> {
        let mut released = 0;
        while released < bytes {
            let Some((class, index)) = self.next_to_release() else {
                break;
            };
            self.finish(class, index)?;
            let block = self.remove(class, index);
            self.backend.free(block.memory)?;
            self.counters.release(class);
            released += class;
        }
        Ok(released)
    }

    /// Releases all cached blocks and returns the device. Blocks in use are lost.
    pub fn into_backend(mut self) -> Result<B, DeviceError> {
        self.release(u64::MAX)?;
        Ok(self.backend)
    }

    fn find_or_allocate(
        &mut self,
        bytes: u64,
        stream: Stream,
    ) -> Result<Block<B::Memory>, DeviceError> {
        let class = size_class(bytes).ok_or(DeviceError::OutOfMemory { bytes })?;
        let mut block = match self.find(class, stream) {
            Some(index) => {
                self.counters.hits += 1;
                self.remove(class, index)
            }
            None => {
                let memory = self.allocate(class)?;
                self.counters.misses += 1;
                Block {
                    memory,
                    class,
                    requested: 0,
                    uses: Vec::new(),
                    given: 0,
                }
            }
        };
        block.requested = bytes;
        // Nothing else is unfinished.
        block.uses.clear();
        block.used_by(stream);
        Ok(block)
    }

    /// The last block given back that this stream may have: the likeliest one to be in
    /// the device's caches.
    fn find(&self, class: u64, stream: Stream) -> Option<usize> {
        let blocks = self.cached.get(&class)?;
        blocks.iter().rposition(|block| {
            let mut unfinished = unfinished(&self.synchronisations, block);
            unfinished.all(|other| other == stream)
        })
    }

    fn remove(&mut self, class: u64, index: usize) -> Block<B::Memory> {
        let blocks = self.cached.get_mut(&class);
        // The order of the others stays.
        blocks.expect("a class with a block").remove(index)
    }

    /// Memory from the driver, after cached blocks were released as far as needed.
    fn allocate(&mut self, class: u64) -> Result<B::Memory, DeviceError> {
        loop {
            match self.backend.allocate(class) {
                Ok(memory) => {
                    self.counters.reserve(class);
                    return Ok(memory);
                }
                Err(refused @ DeviceError::OutOfMemory { .. }) => {
                    if self.release(class)? == 0 {
                        return Err(refused);
                    }
                }
                Err(error @ (DeviceError::Unavailable { .. } | DeviceError::Failed { .. })) => {
                    return Err(error);
                }
            }
        }
    }

    fn next_to_release(&self) -> Option<(u64, usize)> {
        let cached = self.cached.iter().flat_map(|(class, blocks)| {
            let indexed = blocks.iter().enumerate();
            indexed.map(|(index, block)| (*class, index, block))
        });
        let next = cached.min_by_key(|(_, _, block)| {
            let is_busy = unfinished(&self.synchronisations, block).next().is_some();
            (is_busy, block.given)
        });
        next.map(|(class, index, _)| (class, index))
    }

    /// Waits for the unfinished work on a cached block.
    fn finish(&mut self, class: u64, index: usize) -> Result<(), DeviceError> {
        while let Some(stream) = self
            .cached
            .get(&class)
            .and_then(|blocks| unfinished(&self.synchronisations, &blocks[index]).next())
        {
            self.synchronise(stream)?;
        }
        Ok(())
    }
}

fn synchronisations(all: &[u64], stream: Stream) -> u64 {
    all.get(stream.index()).copied().unwrap_or(0)
}

/// The streams that may have unfinished work on a cached block.
fn unfinished<'a, M>(all: &'a [u64], block: &'a Block<M>) -> impl Iterator<Item = Stream> + 'a {
    let unfinished = block
        .uses
        .iter()
        .filter(|work| synchronisations(all, work.stream) == work.synchronisations);
    unfinished.map(|work| work.stream)
}
