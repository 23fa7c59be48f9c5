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
    Allocations {
        table: 19,
        bytes: KIB,
        live: 1,
        operations: 2_000,
    },
    Allocations {
        table: 20,
        bytes: 64 * KIB,
        live: 1,
        operations: 500,
    },
    Allocations {
        table: 21,
        bytes: 4 * MIB,
        live: 1,
        operations: 100,
    },
    Allocations {
        table: 22,
        bytes: KIB,
        live: 10,
        operations: 2_000,
    },
];

/// Copies in one direction.
#[derive(Debug)]
pub(super) struct Transfers {
    pub(super) table: u32,
    pub(super) direction: Direction,
}

/// The tables of copies.
pub(super) const TRANSFERS: [Transfers; 2] = [
    Transfers {
        table: 23,
        direction: Direction::ToDevice,
    },
    Transfers {
        table: 24,
        direction: Direction::ToHost,
    },
];

/// The sizes that are copied.
const COPIED: [u64; 4] = [KIB, 64 * KIB, MIB, 16 * MIB];

/// Copies in one round.
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

impl Transfers {
    pub(super) fn title(&self) -> String {
        let direction = match self.direction {
            Direction::ToDevice => "host to device",
            Direction::ToHost => "device to host",
        };
        format!("{direction}, {COPIES} times each")
    }

    /// The sizes, each with pageable and with pinned memory of the host.
    pub(super) fn copies(largest: u64) -> impl Iterator<Item = (u64, bool)> {
        COPIED
            .into_iter()
            .filter(move |bytes| *bytes <= largest)
            .flat_map(|bytes| [(bytes, false), (bytes, true)])
    }
}

impl Transfer {
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
            windows.push(match self.direction {
                Direction::ToDevice => self.time_upload(subject, host, &mut held, &expected)?,
                Direction::ToHost => self.time_download(subject, host, &mut held, &expected)?,
            });
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

    /// Copies to the device, and untimed back to `host`.
    fn time_upload<B: DeviceBackend>(
        &self,
        subject: &mut Subject<B>,
        host: &mut [u8],
        outside: &mut Option<Held<B::Memory>>,
        expected: &[u8],
    ) -> Result<Window, DeviceError> {
        host.copy_from_slice(expected);
        let start = Instant::now();
        let held = self.obtain(subject, outside)?;
        let device = subject.device();
        // Waits for the allocation too, which is earlier work of the stream.
        device.upload(host, held.memory()?, Stream::DEFAULT)?;
        let mut total = start.elapsed();
        host.fill(0);
        device.download(held.memory()?, host, Stream::DEFAULT)?;
        let start = Instant::now();
        self.put_back(subject, outside, held)?;
        total += start.elapsed();
        Ok(Window {
            operations: 1,
            enqueued: total,
            total,
        })
    }

    /// Copies to the host what was copied to the device untimed.
    fn time_download<B: DeviceBackend>(
        &self,
        subject: &mut Subject<B>,
        host: &mut [u8],
        outside: &mut Option<Held<B::Memory>>,
        expected: &[u8],
    ) -> Result<Window, DeviceError> {
        host.fill(0);
        let start = Instant::now();
        let held = self.obtain(subject, outside)?;
        if self.is_inside {
            subject.synchronise()?;
        }
        let mut total = start.elapsed();
        let device = subject.device();
        device.upload(expected, held.memory()?, Stream::DEFAULT)?;
        let start = Instant::now();
        device.download(held.memory()?, host, Stream::DEFAULT)?;
        self.put_back(subject, outside, held)?;
        total += start.elapsed();
        Ok(Window {
            operations: 1,
            enqueued: total,
            total,
        })
    }

    /// The memory for a copy: a new one if the allocation is inside.
    fn obtain<B: DeviceBackend>(
        &self,
        subject: &mut Subject<B>,
        outside: &mut Option<Held<B::Memory>>,
    ) -> Result<Held<B::Memory>, DeviceError> {
        match outside.take() {
            Some(held) => Ok(held),
            None => subject.take(self.bytes),
        }
    }

    /// Frees the memory if the allocation is inside, and waits: a pool frees it on the stream.
    fn put_back<B: DeviceBackend>(
        &self,
        subject: &mut Subject<B>,
        outside: &mut Option<Held<B::Memory>>,
        held: Held<B::Memory>,
    ) -> Result<(), DeviceError> {
        if !self.is_inside {
            *outside = Some(held);
            return Ok(());
        }
        subject.give(held)?;
        subject.synchronise()
    }
}
