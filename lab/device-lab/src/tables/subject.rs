//! What a row asks for memory: the device, a cache of it, or nobody.

use super::figures::Missing;
use super::{Variant, Way};
use crate::backend::{DeviceBackend, DeviceError, Stream};
use crate::cache::{Block, Cache};

/// What a row asks for memory.
pub(super) enum Subject<B: DeviceBackend> {
    Floor(B),
    Direct(B),
    Cached(Cache<B>),
}

/// Memory that a subject handed out.
pub(super) enum Held<M> {
    Nothing,
    Own(M),
    Cached(Block<M>),
}

impl<B: DeviceBackend> Subject<B> {
    pub(super) fn open(variant: &Variant<'_, B>) -> Result<Self, Missing> {
        let device = (variant.open)()?;
        Ok(match variant.way {
            Way::Floor => Self::Floor(device),
            Way::Direct | Way::Pool => Self::Direct(device),
            Way::Cached => Self::Cached(Cache::new(device)),
        })
    }

    #[inline]
    pub(super) fn take(&mut self, bytes: u64) -> Result<Held<B::Memory>, DeviceError> {
        match self {
            Self::Floor(_) => Ok(Held::Nothing),
            Self::Direct(device) => device.allocate(bytes).map(Held::Own),
            Self::Cached(cache) => cache.take(bytes, Stream::DEFAULT).map(Held::Cached),
        }
    }

    #[inline]
    pub(super) fn give(&mut self, held: Held<B::Memory>) -> Result<(), DeviceError> {
        match (self, held) {
            (Self::Direct(device), Held::Own(memory)) => device.free(memory),
            (Self::Cached(cache), Held::Cached(block)) => {
                cache.give(block);
                Ok(())
            }
            // Nobody has memory of another subject.
            (_, Held::Nothing | Held::Own(_) | Held::Cached(_)) => Ok(()),
        }
    }

    pub(super) fn synchronise(&mut self) -> Result<(), DeviceError> {
        match self {
            Self::Floor(device) | Self::Direct(device) => device.synchronise(Stream::DEFAULT),
            Self::Cached(cache) => cache.synchronise(Stream::DEFAULT),
        }
    }

    pub(super) fn device(&mut self) -> &mut B {
        match self {
            Self::Floor(device) | Self::Direct(device) => device,
            Self::Cached(cache) => cache.backend(),
        }
    }

    /// Gives all memory back to the device, and closes it.
    pub(super) fn close(self) -> Result<(), DeviceError> {
        match self {
            Self::Floor(_) | Self::Direct(_) => Ok(()),
            Self::Cached(cache) => cache.into_backend().map(|_| ()),
        }
    }
}

impl<M> Held<M> {
    /// The memory, which the floor does not have.
    pub(super) fn memory(&self) -> Result<&M, DeviceError> {
        match self {
            Self::Own(memory) => Ok(memory),
            Self::Cached(block) => Ok(block.memory()),
            Self::Nothing => Err(DeviceError::failed("memory", "the floor has none")),
        }
    }
}
