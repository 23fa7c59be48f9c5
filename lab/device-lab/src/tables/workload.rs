//! The operations that are timed: allocations of one size, and copies between the host and
//! the device.

use std::hint::black_box;
use std::time::Instant;

use super::Variant;
use super::Way;
use super::figures::{Counts, Missing, Round, Window};
use super::markdown;
use super::subject::{Held, Subject};
use crate::backend::{DeviceBackend, DeviceError, Stream};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Operations that are timed together, so that the clock takes no part of a fast one.
const WINDOW: u32 = 10;

/// Requests of one size, each followed by its deallocation.
#[derive(Debug)]
pub(super) struct Allocations {
    pub(super) table: u32,
    pub(super) bytes: u64,
    /// Blocks that are allocated before the first is given back. [`WINDOW`] is a multiple.
    live: u32,
    operations: u32,
}

/// The tables of allocations.
pub(super) const ALLOCATIONS: [Allocations; 4] = [
    Allocations::of(19, KIB, 1, 2_000),
    Allocations::of(20, 64 * KIB, 1, 500),
    Allocations::of(21, 4 * MIB, 1, 100),
    Allocations::of(22, KIB, 10, 2_000),
];

/// The tables of copies, by their numbers.
pub(super) const TRANSFERS: [(u32, Direction); 2] =
    [(23, Direction::ToDevice), (24, Direction::ToHost)];

const COPIED: [u64; 4] = [KIB, 64 * KIB, MIB, 16 * MIB];

const COPIES: u32 = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    ToDevice,
    ToHost,
}

/// One kind of copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    pub(super) direction: Direction,
    pub(super) bytes: u64,
    pub(super) is_pinned: bool,
    /// Whether the device memory is allocated and freed with each copy, in its time.
    pub(super) is_inside: bool,
}

impl Allocations {
    const fn of(table: u32, bytes: u64, live: u32, operations: u32) -> Self {
        Self {
            table,
            bytes,
            live,
            operations,
        }
    }

    pub(super) fn title(&self) -> String {
        let size = markdown::size(self.bytes);
        match self.live {
            1 => format!(
                "{size}, {} times",
                markdown::thousands(u64::from(self.operations))
            ),
            live => format!("{live} x {size}, {} times", self.operations / live),
        }
    }

    /// Opens the device, and runs all operations.
    pub(super) fn round<B: DeviceBackend>(
        &self,
        variant: &Variant<'_, B>,
    ) -> Result<Round, Missing> {
        let mut subject = Subject::open(variant)?;
        let mut blocks = Vec::with_capacity(self.live as usize);
        let before = subject.device().usage()?;
        let windows = (0..self.operations / WINDOW)
            .map(|_| self.window(&mut subject, &mut blocks))
            .collect::<Result<_, _>>()?;
        let after = subject.device().usage()?;
        subject.close()?;
        let requests = u64::from(self.operations);
        let counts = Counts {
            requests,
            hits: match variant.way {
                Way::Pool => None,
                Way::Floor | Way::Direct | Way::Cached => {
                    Some(requests - (after.allocations - before.allocations))
                }
            },
            driver_calls: after.calls - before.calls,
            requested: self.bytes * u64::from(self.live),
            reserved: self.reserved(Subject::open(variant)?)?,
        };
        Ok(Round {
            windows,
            counts: (variant.way != Way::Floor).then_some(counts),
        })
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
            operations: WINDOW,
            enqueued,
            total: start.elapsed(),
        })
    }

    /// The bytes that the driver holds while all blocks are live. It is asked here and not
    /// in the round, because the question may take longer than an operation.
    fn reserved<B: DeviceBackend>(&self, mut subject: Subject<B>) -> Result<u64, DeviceError> {
        let before = subject.device().usage()?.reserved;
        let blocks = (0..self.live)
            .map(|_| subject.take(self.bytes))
            .collect::<Result<Vec<_>, _>>()?;
        let after = subject.device().usage()?.reserved;
        for block in blocks {
            subject.give(block)?;
        }
        subject.close()?;
        Ok(after.saturating_sub(before))
    }
}

impl Direction {
    pub(super) fn title(self) -> String {
        let direction = match self {
            Self::ToDevice => "host to device",
            Self::ToHost => "device to host",
        };
        format!("{direction}, {COPIES} times each")
    }
}

impl Transfer {
    /// The sizes, each with pageable and with pinned memory of the host.
    pub(super) fn planned(largest: u64) -> impl Iterator<Item = (u64, bool)> {
        COPIED
            .into_iter()
            .filter(move |bytes| *bytes <= largest)
            .flat_map(|bytes| [(bytes, false), (bytes, true)])
    }

    pub(super) fn title(&self) -> String {
        let host = if self.is_pinned { "pinned" } else { "pageable" };
        format!("{}, {host}", markdown::size(self.bytes))
    }

    /// Opens the device, runs all copies, and looks at what arrived.
    pub(super) fn round<B: DeviceBackend>(
        &self,
        variant: &Variant<'_, B>,
    ) -> Result<Round, Missing> {
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
            counts: None,
        })
    }

    fn copies<B: DeviceBackend>(
        &self,
        subject: &mut Subject<B>,
        host: &mut [u8],
    ) -> Result<Vec<Window>, Missing> {
        let mut held = match self.is_inside {
            true => None,
            false => Some(subject.take(self.bytes)?),
        };
        let mut expected: Vec<_> = (0..host.len()).map(|index| (index % 251) as u8).collect();
        let mut windows = Vec::new();
        for copy in 0..COPIES {
            // Each copy has other contents, so that none is taken for another.
            expected[..4].copy_from_slice(&copy.to_le_bytes());
            windows.push(self.time(subject, host, &mut held, &expected)?);
            if host != expected {
                let reason = format!("copy {copy} arrived with other bytes");
                return Err(Missing::Failed(reason));
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
        if self.is_inside && self.direction == Direction::ToHost {
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
            Direction::ToDevice => uploaded,
            Direction::ToHost => start.elapsed(),
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
            operations: 1,
            enqueued: total,
            total,
        })
    }
}
