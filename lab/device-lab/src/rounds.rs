//! The rounds of the bench `devices`: allocations of one size, and copies between the host and a
//! device. Each round opens its device anew, so that a cache starts empty.

use std::hint::black_box;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use crate::backend::{DeviceBackend, DeviceError, Stream};
use crate::cache::{Block, Cache};

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

/// A way of obtaining device memory.
pub struct Variant<'a, B> {
    /// The name of its row.
    pub name: &'a str,
    /// How requests reach the device.
    pub way: Way,
    /// The driver's calls for an allocation of the device, and for a deallocation.
    pub calls: [u64; 2],
    /// Opens the device.
    pub open: &'a dyn Fn() -> Result<B, DeviceError>,
}

/// How requests reach the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Not at all: the times are those of the loop and the clock.
    Floor,
    /// The driver allocates for each request.
    Direct,
    /// A library divides a block of the driver's memory among the requests.
    Blocks,
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

/// What a round gives.
#[derive(Clone, Debug)]
pub struct Round {
    /// The times, in order: of [`WINDOW`] requests each, or of one copy.
    pub windows: Vec<Window>,
    /// The counts of allocations.
    pub counts: Counts,
}

/// What was timed together.
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
    /// The bytes that the driver held for them, as far as it tells.
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

    /// Makes all requests.
    ///
    /// # Errors
    ///
    /// Those of the device, and [`DeviceError::Failed`] if it asked its driver more or less often
    /// than the variant says.
    pub fn round<B: DeviceBackend>(&self, variant: &Variant<'_, B>) -> Result<Round, DeviceError> {
        let mut subject = Subject::open(variant)?;
        let mut blocks = Vec::with_capacity(self.live as usize);
        let before = subject.device().usage()?;
        let windows = (0..self.requests / WINDOW)
            .map(|_| self.window(&mut subject, &mut blocks))
            .collect::<Result<_, _>>()?;
        let after = subject.device().usage()?;
        let allocations = after.allocations - before.allocations;
        let calls = after.calls - before.calls;
        let (expected, expected_calls) = self.expected(variant);
        if allocations != expected || !expected_calls.contains(&calls) {
            let reason = format!(
                "the driver allocated {allocations} times and had {calls} calls, instead of \
                 {expected} and {expected_calls:?}"
            );
            return Err(DeviceError::failed("allocate", reason));
        }
        // Only now: the driver may take longer to tell its memory than an operation takes.
        for _ in 0..self.live {
            blocks.push(subject.take(self.bytes)?);
        }
        let reserved = subject.device().usage()?.reserved;
        blocks.drain(..).try_for_each(|block| subject.give(block))?;
        subject.close()?;
        let requests = u64::from(self.requests);
        Ok(Round {
            windows,
            counts: Counts {
                requests,
                hits: (variant.way != Way::Pool).then_some(requests - allocations),
                driver_calls: calls,
                requested: self.bytes * u64::from(self.live),
                reserved: reserved.saturating_sub(before.reserved),
            },
        })
    }

    /// How often the driver allocates, and how many calls it has in all.
    fn expected<B>(&self, variant: &Variant<'_, B>) -> (u64, RangeInclusive<u64>) {
        let (requests, live) = (u64::from(self.requests), u64::from(self.live));
        let [allocate, free] = variant.calls;
        let each = requests * (allocate + free);
        match variant.way {
            Way::Floor => (0, 0..=0),
            Way::Direct | Way::Pool => (requests, each..=each),
            // The block is mapped if the host sees it.
            Way::Blocks => (1, each + 1..=each + 2),
            Way::Cached => (live, live * allocate..=live * allocate),
        }
    }

    fn window<B: DeviceBackend>(
        &self,
        subject: &mut Subject<B>,
        blocks: &mut Vec<Held<B::Memory>>,
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
        subject.synchronise()?;
        Ok(Window {
            enqueued,
            total: start.elapsed(),
        })
    }
}

impl Transfer {
    /// Makes all copies, each there and back, and compares what arrives.
    ///
    /// # Errors
    ///
    /// Those of the device, and [`DeviceError::Failed`] if other bytes arrive.
    pub fn round<B: DeviceBackend>(&self, variant: &Variant<'_, B>) -> Result<Round, DeviceError> {
        let mut subject = Subject::open(variant)?;
        let bytes = usize::try_from(self.bytes).unwrap_or(usize::MAX);
        let windows = match self.is_pinned {
            true => {
                let mut host = subject.device().pin(bytes)?;
                self.copies(&mut subject, &mut host)?
            }
            false => self.copies(&mut subject, &mut vec![0; bytes])?,
        };
        subject.close()?;
        Ok(Round {
            windows,
            counts: Counts::default(),
        })
    }

    fn copies<B: DeviceBackend>(
        &self,
        subject: &mut Subject<B>,
        host: &mut [u8],
    ) -> Result<Vec<Window>, DeviceError> {
        let outside = (!self.is_inside).then(|| subject.take(self.bytes));
        let mut held = outside.transpose()?;
        let mut expected: Vec<_> = (0..host.len()).map(|index| (index % 251) as u8).collect();
        let mut windows = Vec::new();
        for copy in 0..COPIES {
            // Each copy has other contents, so that none is taken for another.
            expected[..4].copy_from_slice(&copy.to_le_bytes());
            windows.push(self.time(subject, host, &mut held, &expected)?);
            if host != expected {
                let reason = format!("copy {copy} arrived with other bytes");
                return Err(DeviceError::failed("download", reason));
            }
        }
        if let Some(held) = held {
            subject.give(held)?;
        }
        Ok(windows)
    }

    /// Copies the expected bytes from `host` to the device and back. The time is that of one of the
    /// two, and of the allocation and the deallocation if they are inside.
    fn time<B: DeviceBackend>(
        &self,
        subject: &mut Subject<B>,
        host: &mut [u8],
        outside: &mut Option<Held<B::Memory>>,
        expected: &[u8],
    ) -> Result<Window, DeviceError> {
        host.copy_from_slice(expected);
        let start = Instant::now();
        let held = match outside.take() {
            Some(held) => held,
            None => subject.take(self.bytes)?,
        };
        // An upload waits for the allocation, which is earlier work of the stream.
        if self.is_inside && self.direction == Direction::Download {
            subject.synchronise()?;
        }
        let mut total = start.elapsed();
        let device = subject.device();
        let start = Instant::now();
        device.upload(host, held.memory()?, Stream::DEFAULT)?;
        let uploaded = start.elapsed();
        host.fill(0);
        let start = Instant::now();
        device.download(held.memory()?, host, Stream::DEFAULT)?;
        total += match self.direction {
            Direction::Upload => uploaded,
            Direction::Download => start.elapsed(),
        };
        let start = Instant::now();
        if self.is_inside {
            subject.give(held)?;
            // A pool frees it on the stream.
            subject.synchronise()?;
        } else {
            *outside = Some(held);
        }
        total += start.elapsed();
        Ok(Window {
            enqueued: total,
            total,
        })
    }
}

/// A device behind a cache, which the ways but one pass by.
struct Subject<B: DeviceBackend> {
    cache: Cache<B>,
    way: Way,
}

/// Memory that a subject handed out.
enum Held<M> {
    Nothing,
    Own(M),
    Cached(Block<M>),
}

impl<B: DeviceBackend> Subject<B> {
    fn open(variant: &Variant<'_, B>) -> Result<Self, DeviceError> {
        Ok(Self {
            cache: Cache::new((variant.open)()?),
            way: variant.way,
        })
    }

    #[inline]
    fn take(&mut self, bytes: u64) -> Result<Held<B::Memory>, DeviceError> {
        match self.way {
            Way::Floor => Ok(Held::Nothing),
            Way::Direct | Way::Blocks | Way::Pool => self.device().allocate(bytes).map(Held::Own),
            Way::Cached => self.cache.take(bytes, Stream::DEFAULT).map(Held::Cached),
        }
    }

    #[inline]
    fn give(&mut self, held: Held<B::Memory>) -> Result<(), DeviceError> {
        match held {
            Held::Nothing => {}
            Held::Own(memory) => self.device().free(memory)?,
            Held::Cached(block) => self.cache.give(block),
        }
        Ok(())
    }

    fn synchronise(&mut self) -> Result<(), DeviceError> {
        self.cache.synchronise(Stream::DEFAULT)
    }

    fn device(&mut self) -> &mut B {
        self.cache.backend()
    }

    /// Gives all memory back to the device, and closes it.
    fn close(self) -> Result<(), DeviceError> {
        self.cache.into_backend().map(drop)
    }
}

impl<M> Held<M> {
    /// The memory, which the floor does not have.
    fn memory(&self) -> Result<&M, DeviceError> {
        match self {
            Self::Own(memory) => Ok(memory),
            Self::Cached(block) => Ok(block.memory()),
            Self::Nothing => Err(DeviceError::failed("memory", "the floor has none")),
        }
    }
}
