//! [`Fake`]: a device without hardware. It refuses the calls that a test names, and detects work of
//! two streams on the same memory without synchronisation.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::backend::{DeviceBackend, DeviceError, DriverUsage, Stream};

/// A device in plain memory of the host. Each run of a program on it has the same counts and
/// contents.
#[derive(Debug)]
pub struct Fake {
    /// Its number among the fake devices of the process.
    id: u64,
    capacity: u64,
    used: u64,
    /// By address.
    live: BTreeMap<u64, Allocation>,
    next_address: u64,
    /// How often each stream was synchronised.
    streams: Vec<u64>,
    /// Calls of `allocate`, counted from 0.
    refusals: BTreeSet<u64>,
    is_lost: bool,
    is_damaging: bool,
    journal: Option<Journal>,
    calls: Calls,
    misuse: Misuse,
}

/// Memory of a [`Fake`].
#[derive(Debug, PartialEq, Eq)]
pub struct FakeMemory {
    /// The device that it belongs to.
    device: u64,
    address: u64,
    bytes: u64,
}

/// The calls that reached a [`Fake`], refused ones included; not those after [`Fake::lose`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Of `allocate`.
    pub allocate: u64,
    /// Of `free`.
    pub free: u64,
    /// Of `synchronise`.
    pub synchronise: u64,
}

/// Mistakes of the user of a [`Fake`], which damage data on a real device.
///
/// They depend on the order of calls alone and not on times, so that a mistake is found
/// where a fast device hides it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Misuse {
    /// Works on memory beside unfinished work of another stream on it. Two reads count,
    /// too.
    pub unordered: u64,
    /// Memory that was freed before the work on it was finished.
    pub freed_early: u64,
}

#[derive(Debug)]
struct Allocation {
    bytes: u64,
    /// Made by the first work, so that a large request that nobody touches costs nothing.
    contents: Vec<u8>,
    /// The streams that worked on it, with the number of their synchronisations then.
    uses: BTreeMap<Stream, u64>,
}

/// The names of the calls of devices.
pub type Journal = Rc<RefCell<Vec<&'static str>>>;

/// The contents of memory that nobody wrote.
const UNWRITTEN: u8 = 0xCD;

impl FakeMemory {
    /// The number of the allocation, from 0. Each has another one.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.address
    }
}

impl Fake {
    /// A device with this many bytes, whose calls take no time.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        static FAKES: AtomicU64 = AtomicU64::new(0);
        Self {
            id: FAKES.fetch_add(1, Ordering::Relaxed),
            capacity,
            used: 0,
            live: BTreeMap::new(),
            next_address: 0,
            streams: vec![0],
            refusals: BTreeSet::new(),
            is_lost: false,
            is_damaging: false,
            journal: None,
            calls: Calls::default(),
            misuse: Misuse::default(),
        }
    }

    /// Refuses these calls of `allocate`, counted from 0, as if the device had no room.
    pub fn refuse(&mut self, calls: impl IntoIterator<Item = u64>) {
        self.refusals.extend(calls);
    }

    /// Fails every later call, as a device does that was lost.
    pub fn lose(&mut self) {
        self.is_lost = true;
    }

    /// Changes a byte of every later upload of 1 KB or more.
    pub fn damage(&mut self) {
        self.is_damaging = true;
    }

    /// Writes the names of all later calls into a journal, and at the end `close`, or `lost` if
    /// memory is left or there was a mistake.
    pub fn record(&mut self, journal: Journal) {
        self.journal = Some(journal);
    }

    fn note(&self, call: &'static str) {
        if let Some(journal) = &self.journal {
            journal.borrow_mut().push(call);
        }
    }

    /// The calls so far.
    #[must_use]
    pub fn calls(&self) -> Calls {
        self.calls
    }

    /// The mistakes so far.
    #[must_use]
    pub fn misuse(&self) -> Misuse {
        self.misuse
    }

    /// The bytes that are allocated.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used
    }

    fn check(&self, call: &'static str) -> Result<(), DeviceError> {
        self.note(call);
        match self.is_lost {
            true => Err(DeviceError::failed(call, "the device was lost")),
            false => Ok(()),
        }
    }

    fn check_owner(&self, call: &'static str, memory: &FakeMemory) -> Result<(), DeviceError> {
        match memory.device == self.id {
            true => Ok(()),
            false => Err(DeviceError::failed(call, "the memory is of another device")),
        }
    }

    fn stream(&mut self, call: &'static str, stream: Stream) -> Result<&mut u64, DeviceError> {
        let synchronisations = self.streams.get_mut(stream.index());
        synchronisations.ok_or_else(|| DeviceError::failed(call, "there is no such stream"))
    }

    /// Enqueues work on the first bytes of memory, and returns the contents.
    fn work(
        &mut self,
        call: &'static str,
        memory: &FakeMemory,
        bytes: u64,
        stream: Stream,
    ) -> Result<&mut [u8], DeviceError> {
        self.check_owner(call, memory)?;
        let synchronisations = *self.stream(call, stream)?;
        let allocation = self.live.get_mut(&memory.address);
        let allocation =
            allocation.ok_or_else(|| DeviceError::failed(call, "there is no such memory"))?;
        if bytes > allocation.bytes {
            return Err(DeviceError::failed(call, "the memory is too small"));
        }
        if allocation
            .uses
            .iter()
            .any(|(other, then)| *other != stream && self.streams[other.index()] == *then)
        {
            self.misuse.unordered += 1;
        }
        allocation.uses.insert(stream, synchronisations);
        allocation
            .contents
            .resize(allocation.bytes as usize, UNWRITTEN);
        Ok(&mut allocation.contents[..bytes as usize])
    }

    fn wait(&mut self, call: &'static str, stream: Stream) -> Result<(), DeviceError> {
        *self.stream(call, stream)? += 1;
        Ok(())
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let is_clean = self.used == 0 && self.misuse == Misuse::default();
        self.note(if is_clean { "close" } else { "lost" });
    }
}

impl DeviceBackend for Fake {
    type Memory = FakeMemory;
    type Pinned = Vec<u8>;

    fn allocate(&mut self, bytes: u64) -> Result<FakeMemory, DeviceError> {
        self.check("allocate")?;
        let call = self.calls.allocate;
        self.calls.allocate += 1;
        if self.refusals.contains(&call) || bytes > self.capacity - self.used {
            return Err(DeviceError::OutOfMemory { bytes });
        }
        let address = self.next_address;
        // Addresses are never used twice.
        self.next_address += 1;
        let allocation = Allocation {
            bytes,
            contents: Vec::new(),
            uses: BTreeMap::new(),
        };
        self.live.insert(address, allocation);
        self.used += bytes;
        Ok(FakeMemory {
            device: self.id,
            address,
            bytes,
        })
    }

    fn free(&mut self, memory: FakeMemory) -> Result<(), DeviceError> {
        self.check("free")?;
        self.check_owner("free", &memory)?;
        self.calls.free += 1;
        let allocation = self.live.remove(&memory.address);
        let allocation =
            allocation.ok_or_else(|| DeviceError::failed("free", "there is no such memory"))?;
        self.used -= allocation.bytes;
        let is_busy = |(stream, then): (&Stream, &u64)| self.streams[stream.index()] == *then;
        self.misuse.freed_early += u64::from(allocation.uses.iter().any(is_busy));
        Ok(())
    }

    fn create_stream(&mut self) -> Result<Stream, DeviceError> {
        self.check("create_stream")?;
        self.streams.push(0);
        Ok(Stream::from_number(self.streams.len() - 1))
    }

    fn fill(&mut self, memory: &FakeMemory, byte: u8, stream: Stream) -> Result<(), DeviceError> {
        self.check("fill")?;
        self.work("fill", memory, memory.bytes, stream)?.fill(byte);
        Ok(())
    }

    fn pin(&mut self, bytes: usize) -> Result<Vec<u8>, DeviceError> {
        self.check("pin")?;
        Ok(vec![0; bytes])
    }

    fn upload(&mut self, from: &[u8], to: &FakeMemory, stream: Stream) -> Result<(), DeviceError> {
        self.check("upload")?;
        let is_damaging = self.is_damaging;
        let contents = self.work("upload", to, from.len() as u64, stream)?;
        contents.copy_from_slice(from);
        if let Some(byte) = contents.get_mut(1_000).filter(|_| is_damaging) {
            *byte ^= 1;
        }
        self.wait("upload", stream)
    }

    fn download(
        &mut self,
        from: &FakeMemory,
        to: &mut [u8],
        stream: Stream,
    ) -> Result<(), DeviceError> {
        self.check("download")?;
        to.copy_from_slice(self.work("download", from, to.len() as u64, stream)?);
        self.wait("download", stream)
    }

    fn synchronise(&mut self, stream: Stream) -> Result<(), DeviceError> {
        self.check("synchronise")?;
        self.calls.synchronise += 1;
        self.wait("synchronise", stream)
    }

    fn usage(&mut self) -> Result<DriverUsage, DeviceError> {
        self.check("usage")?;
        Ok(DriverUsage {
            allocations: self.calls.allocate,
            calls: self.calls.allocate + self.calls.free,
            reserved: self.used,
        })
    }
}
