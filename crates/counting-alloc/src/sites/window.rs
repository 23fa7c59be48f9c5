//! [`Window::measure_sites`]: a window that captures the call stack of each operation.

use std::hint::black_box;
use std::mem::MaybeUninit;

use crate::block::Block;
use crate::counters::Flags;
use crate::first::Trace;
use crate::measured::{MeasureError, Measured, Scope};
use crate::sites::Sites;
use crate::sites::capture::SHARED;
use crate::threads::{own_block, uncounted};
use crate::window::{Open, Window};

impl Window {
    /// Runs `f` and returns the allocations meanwhile, as [`measure`](Self::measure) does, and
    /// what each call stack did of them.
    ///
    /// The stack of each operation is unwound, which takes about 200 ns a frame. The sites
    /// allocate uncounted, so that an outer window has it in [`Measured::uncounted`]. One such
    /// window can be open on a thread, and one of the process. Operations of a signal handler
    /// that interrupts a capture are counted without a stack.
    ///
    /// ```
    /// use counting_alloc::{CountingAlloc, Sites, Window};
    ///
    /// #[global_allocator]
    /// static ALLOC: CountingAlloc = CountingAlloc::system();
    ///
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// # if !Sites::AVAILABLE { return Ok(()); }
    /// let (measured, sites) = Window::thread().with_peak().measure_sites(|| {
    ///     drop(std::hint::black_box(vec![0_u8; 8]));
    ///     (0..3).map(|_| vec![0_u8; 100]).collect::<Vec<_>>()
    /// })?;
    /// assert_eq!(sites.tally(), measured.tally);
    /// let row = sites.rows.iter().find(|row| row.tally.allocs == 3).unwrap();
    /// assert_eq!((row.tally.bytes, row.kept.blocks), (300, 3));
    /// assert!(row.stack.as_ref().unwrap().len() > 3);
    /// assert_eq!(Some(sites.peak_bytes() as u64), measured.peak_bytes);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`measure`](Self::measure); [`MeasureError::NoSites`] where stacks can't be captured,
    /// and [`MeasureError::SitesOpen`] when such a window is open already.
    pub fn measure_sites<T>(
        self,
        f: impl FnOnce() -> T,
    ) -> Result<(Measured<T>, Sites), MeasureError> {
        if !Sites::AVAILABLE {
            return Err(MeasureError::NoSites);
        }
        let here = MaybeUninit::<usize>::uninit();
        let opener = black_box(here.as_ptr()).addr();
        let window = self.capturing();
        let trace = window.trace();
        let capture = match window.scope() {
            Scope::Process => Some(Capture::of_process(opener)?),
            Scope::Thread => None,
        };
        let open = Open::new(window, trace.as_ref())?;
        let capture = match capture {
            Some(capture) => capture,
            // Later than for the process: now the thread has a block.
            None => Capture::of_thread(opener)?,
        };
        let value = f();
        if window.scope() == Scope::Thread {
            capture.stop();
        }
        let closed = open.close()?;
        capture.stop();
        let measured = closed.measured(value, trace.as_ref().map(Trace::operations));
        let mut sites = capture.sites().ok_or(MeasureError::NoSites)?;
        if measured.peak_bytes.is_none() {
            // The peak of the stacks is not that of a window.
            sites.before_peak_bytes = None;
        }
        Ok((measured, sites))
    }
}

/// Captures the stacks of the calling thread or of the process, until it is dropped.
#[derive(Debug)]
enum Capture {
    Thread(&'static Block),
    Process,
}

impl Capture {
    /// `opener` is an address in a frame that stays until the capture is dropped.
    fn of_thread(opener: usize) -> Result<Self, MeasureError> {
        let block = own_block().ok_or(MeasureError::ThreadEnded)?;
        // SAFETY: it is the block of this thread.
        if !unsafe { block.sites.open(opener) } {
            return Err(MeasureError::SitesOpen);
        }
        block.main.raise(Flags::SITES);
        Ok(Self::Thread(block))
    }

    /// The operations of the process are captured while a window keeps its peak as well.
    fn of_process(opener: usize) -> Result<Self, MeasureError> {
        let is_open = SHARED.open(opener);
        is_open
            .then_some(Self::Process)
            .ok_or(MeasureError::SitesOpen)
    }

    /// Captures no more operations.
    fn stop(&self) {
        match self {
            Self::Thread(block) => block.main.lower(Flags::SITES),
            Self::Process => SHARED.stop(),
        }
    }

    /// What was captured, allocated uncounted, after it has stopped. `None` in a child that was
    /// forked inside of the window, while another thread captured.
    fn sites(&self) -> Option<Sites> {
        uncounted(|| match self {
            // SAFETY: it is the block of this thread, in an excluded region.
            Self::Thread(block) => unsafe { block.sites.read(Sites::new) },
            Self::Process => SHARED.with(|table| Sites::new(table, SHARED.missed())),
        })
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.stop();
        match self {
            // SAFETY: it is the block of this thread.
            Self::Thread(block) => unsafe { block.sites.close() },
            Self::Process => SHARED.close(),
        }
    }
}
