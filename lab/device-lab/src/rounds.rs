//! The rounds of the bench `devices`: allocations of one size, and copies between the host and a
//! device. Each round has a device that was opened for it, so that a cache starts empty.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::cache::{Block, Cache};
use crate::device::{Device, DeviceError};

/// The requests that are timed together, so that the clock takes no part of a fast one.
pub const WINDOW: u32 = 10;

/// The loads of the tables.
pub const LOADS: [Allocations; 4] = [
    Allocations::new(1 << 10, 1, 2_000),
    Allocations::new(64 << 10, 1, 500),
    Allocations::new(4 << 20, 1, 100),
    Allocations::new(1 << 10, 10, 2_000),
];

/// The sizes of the copies of the tables.
pub const COPIED: [u64; 4] = [1 << 10, 64 << 10, 1 << 20, 16 << 20];

/// How often a round makes its copy.
pub const COPIES: u32 = 50;

/// How requests reach the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Not at all: the times are those of the loop and the clock.
    Floor,
    /// The driver allocates for each request.
    Direct,
    /// As `Direct`, but the driver keeps memory, and does not tell which requests it served
    /// from that.
    Pool,
    /// Through the [`Cache`].
    Cached,
}

/// Requests of one size, each followed by its deallocation.
#[derive(Clone, Copy, Debug)]
pub struct Allocations {
    /// The size of each.
    pub bytes: u64,
    /// Blocks that are allocated before the first is given back. [`WINDOW`] is a multiple.
    pub live: u32,
    /// How many there are: a multiple of [`WINDOW`].
    pub requests: u32,
}

/// Copies of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The direction that is timed.
    pub direction: Direction,
    /// The size of each.
    pub bytes: u64,
    /// Whether the memory of the host is pinned.
    pub is_pinned: bool,
    /// Whether the device memory is allocated and freed with each copy, in its time.
    pub is_inside: bool,
}

/// The direction of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the host to the device.
    Upload,
    /// From the device to the host.
    Download,
}

/// What was timed together: [`WINDOW`] requests, or one copy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Window {
    /// Until the host was finished.
    pub enqueued: Duration,
    /// Until the device was finished.
    pub total: Duration,
}

/// Counts of a round of allocations, which are the same in each round, and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Requests for memory.
    pub requests: u64,
    /// Requests that needed no memory of the driver. `None` if the driver does not tell.
    pub hits: Option<u64>,
    /// Calls of the driver that the requests and the deallocations made.
    pub driver_calls: u64,
    /// The most bytes that were requested at once.
    pub requested: u64,
    /// The bytes that the driver held for them.
    pub reserved: u64,
}

impl Allocations {
    /// So many requests of this size, in groups of `live`.
    pub const fn new(bytes: u64, live: u32, requests: u32) -> Self {
        Self {
            bytes,
            live,
            requests,
        }
    }

    /// Makes all requests. The windows are in order.
    ///
    /// # Errors
    ///
    /// Those of the device, and [`DeviceError::Failed`] if it asked its driver more or less often
    /// than the way says.
    pub fn round<D: Device>(
        &self,
        way: Way,
        device: D,
    ) -> Result<(Vec<Window>, Counts), DeviceError> {
        let mut subject = Subject::new(way, device);
        let mut blocks = Vec::with_capacity(self.live as usize);
        let before = subject.device().usage()?;
        let windows = (0..self.requests / WINDOW)
            .map(|_| self.window(&mut subject, &mut blocks))
            .collect::<Result<_, _>>()?;
        let after = subject.device().usage()?;
        let asked = (
            after.allocations - before.allocations,
            after.calls - before.calls,
        );
        let expected = self.expected(way, D::CALLS);
        if asked != expected {
            let reason = format!("{asked:?} allocations and calls, instead of {expected:?}");
            return Err(DeviceError::failed("allocate", reason));
        }
        let requests = u64::from(self.requests);
        let hits = match way {
            Way::Floor | Way::Direct => Some(requests - asked.0),
            Way::Cached => Some(subject.cache.hits()),
            Way::Pool => None,
        };
        // Only now: the driver may take longer to tell its memory than an operation takes.
        for _ in 0..self.live {
            blocks.push(subject.take(self.bytes)?);
        }
        let reserved = subject.device().usage()?.reserved;
        blocks.drain(..).try_for_each(|block| subject.give(block))?;
        subject.cache.release()?;
        let counts = Counts {
            requests,
            hits,
            driver_calls: asked.1,
            requested: self.bytes * u64::from(self.live),
            reserved: reserved.saturating_sub(before.reserved),
        };
        Ok((windows, counts))
    }

    /// How often the driver allocates, and how many calls it has in all.
    fn expected(&self, way: Way, [allocate, free]: [u64; 2]) -> (u64, u64) {
        let (requests, live) = (u64::from(self.requests), u64::from(self.live));
        match way {
            Way::Floor => (0, 0),
            Way::Direct | Way::Pool => (requests, requests * (allocate + free)),
            Way::Cached => (live, live * allocate),
        }
    }

    fn window<D: Device>(
        &self,
        subject: &mut Subject<D>,
        blocks: &mut Vec<Held<D>>,
    ) -> Result<Window, DeviceError> {
        let start = Instant::now();
        for _ in 0..WINDOW / self.live {
            for _ in 0..self.live {
                blocks.push(black_box(subject.take(black_box(self.bytes))?));
            }
            for block in blocks.drain(..) {
                subject.give(block)?;
            }
        }
        let enqueued = start.elapsed();
        subject.device().synchronise()?;
        Ok(Window {
            enqueued,
            total: start.elapsed(),
        })
    }
}

impl Transfer {
    /// Makes all copies, each there and back, and compares what arrives. The times are in order.
    ///
    /// # Errors
    ///
    /// Those of the device, and [`DeviceError::Failed`] if other bytes arrive.
    pub fn round<D: Device>(&self, way: Way, device: D) -> Result<Vec<Window>, DeviceError> {
        let mut subject = Subject::new(way, device);
        let bytes = usize::try_from(self.bytes).unwrap_or(usize::MAX);
        let windows = match self.is_pinned {
            true => {
                let mut host = subject.device().pin(bytes)?;
                self.copies(&mut subject, &mut host)?
            }
            false => self.copies(&mut subject, &mut vec![0; bytes])?,
        };
        subject.cache.release()?;
        Ok(windows)
    }

    fn copies<D: Device>(
        &self,
        subject: &mut Subject<D>,
        host: &mut [u8],
    ) -> Result<Vec<Window>, DeviceError> {
        let mut outside = match self.is_inside {
            true => None,
            false => subject.take(self.bytes)?,
        };
        let mut expected: Vec<_> = (0..host.len()).map(|index| (index % 251) as u8).collect();
        let mut windows = Vec::new();
        for copy in 0..COPIES {
            // Each copy has other contents, so that none is taken for another.
            expected[..4].copy_from_slice(&copy.to_le_bytes());
            windows.push(self.time(subject, host, &mut outside, &expected)?);
            if host != expected {
                let reason = format!("copy {copy} arrived with other bytes");
                return Err(DeviceError::failed("download", reason));
            }
        }
        subject.give(outside)?;
        Ok(windows)
    }

    /// Copies the expected bytes from `host` to the device and back. The time is that of one of the
    /// two, and of the allocation and the deallocation if they are inside.
    fn time<D: Device>(
        &self,
        subject: &mut Subject<D>,
        host: &mut [u8],
        outside: &mut Held<D>,
        expected: &[u8],
    ) -> Result<Window, DeviceError> {
        host.copy_from_slice(expected);
        let start = Instant::now();
        let block = match outside.take() {
            None => subject.take(self.bytes)?,
            block => block,
        };
        let block = block.ok_or_else(|| DeviceError::failed("copy", "the floor has no memory"))?;
        // An upload waits for the allocation, which is earlier work of the queue.
        if self.is_inside && self.direction == Direction::Download {
            subject.device().synchronise()?;
        }
        let mut total = start.elapsed();
        let device = subject.device();
        let start = Instant::now();
        device.upload(host, block.memory())?;
        let uploaded = start.elapsed();
        host.fill(0);
        let start = Instant::now();
        device.download(block.memory(), host)?;
        total += match self.direction {
            Direction::Upload => uploaded,
            Direction::Download => start.elapsed(),
        };
        let start = Instant::now();
        if self.is_inside {
            subject.give(Some(block))?;
            // A pool frees it in the queue.
            subject.device().synchronise()?;
        } else {
            *outside = Some(block);
        }
        total += start.elapsed();
        Ok(Window {
            enqueued: total,
            total,
        })
    }
}

/// Memory that a subject handed out. The floor has none.
type Held<D> = Option<Block<<D as Device>::Memory>>;

/// A device behind a cache, which the ways but one pass by.
struct Subject<D: Device> {
    cache: Cache<D>,
    way: Way,
}

impl<D: Device> Subject<D> {
    fn new(way: Way, device: D) -> Self {
        Self {
            cache: Cache::new(device),
            way,
        }
    }

    #[inline]
    fn take(&mut self, bytes: u64) -> Result<Held<D>, DeviceError> {
        let block = match self.way {
            Way::Floor => return Ok(None),
            Way::Direct | Way::Pool => Block {
                memory: self.device().allocate(bytes)?,
                class: bytes,
            },
            Way::Cached => self.cache.take(bytes)?,
        };
        Ok(Some(block))
    }

    #[inline]
    fn give(&mut self, held: Held<D>) -> Result<(), DeviceError> {
        match (self.way, held) {
            (Way::Cached, Some(block)) => self.cache.give(block),
            (Way::Floor | Way::Direct | Way::Pool, Some(block)) => {
                self.device().free(block.memory)?;
            }
            (_, None) => {}
        }
        Ok(())
    }

    fn device(&mut self) -> &mut D {
        self.cache.device()
    }
}
