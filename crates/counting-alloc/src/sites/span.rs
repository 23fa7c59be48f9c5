//! [`Span`]: captures the stacks of a scope while a window is open. Dropping it ends
//! that, also in a panic.

use crate::block::Block;
use crate::counters::Flags;
use crate::measured::{MeasureError, Scope};
use crate::sites::capture::SHARED;
use crate::sites::counts::Sites;
use crate::sites::table::Settings;
use crate::threads::own_block;
use crate::threads::uncounted;

/// Captures the stacks of the calling thread or of the process.
#[derive(Debug)]
pub(crate) enum Span {
    Thread(&'static Block),
    Process,
}

impl Span {
    /// Begins to capture. The operations of the process are captured while a window
    /// keeps its peak as well.
    ///
    /// `opener` is an address in a frame that stays until the span is dropped.
    pub(crate) fn open(
        scope: Scope,
        settings: Settings,
        opener: usize,
    ) -> Result<Self, MeasureError> {
        match scope {
            Scope::Thread => {
                let block = own_block().ok_or(MeasureError::ThreadEnded)?;
                // SAFETY: it is the block of this thread.
                if !unsafe { block.sites.open(settings, opener) } {
                    return Err(MeasureError::SitesOpen);
                }
                block.main.raise(Flags::SITES);
                Ok(Self::Thread(block))
            }
            Scope::Process if SHARED.open(settings) => Ok(Self::Process),
            Scope::Process => Err(MeasureError::SitesOpen),
        }
    }

    /// Captures no more operations.
    pub(crate) fn stop(&self) {
        match self {
            Self::Thread(block) => block.main.lower(Flags::SITES),
            Self::Process => SHARED.stop(),
        }
    }

    /// Adds the counts to `sites`, uncounted. The span has stopped.
    pub(crate) fn read(&self, sites: &mut Sites) {
        uncounted(|| match self {
            Self::Thread(block) => {
                // SAFETY: it is the block of this thread, in an excluded region.
                unsafe { block.sites.read(|table, missed| sites.add(table, missed)) };
            }
            Self::Process => {
                SHARED.with(|table| sites.add(table, SHARED.missed()));
            }
        });
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        self.stop();
        match self {
            // SAFETY: it is the block of this thread.
            Self::Thread(block) => unsafe { block.sites.close() },
            Self::Process => SHARED.close(),
        }
    }
}
