//! [`SitesWindow`]: a window that captures the call stack of each operation.

use std::hint::black_box;
use std::mem::MaybeUninit;

use crate::first::Trace;
use crate::measured::{MeasureError, Measured, Scope};
use crate::sites::counts::Sites;
use crate::sites::span::Span;
use crate::sites::table::Settings;
use crate::window::{Open, Window};

/// A [`Window`] that captures the call stack of each operation; see
/// [`Window::with_sites`].
#[derive(Debug)]
#[must_use = "a window opens with `measure`"]
pub struct SitesWindow<'sites> {
    window: Window,
    sites: &'sites mut Sites,
    settings: Settings,
}

impl Window {
    /// Also captures the call stack of each operation in the window's scope, and adds the
    /// counts of each stack to `sites` when the window has closed.
    ///
    /// A stack is unwound once, and then recognised by its return addresses, which takes
    /// about 20 ns with ten frames, and half a microsecond with 512, the most that are kept. The `sites`
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
    /// let mut sites = Sites::new();
    /// let measured = Window::thread().with_sites(&mut sites).measure(|| {
    ///     (0..3).map(|_| vec![0_u8; 100]).collect::<Vec<_>>()
    /// })?;
    /// let counts = sites.take_counts();
    /// assert_eq!(counts.tally(), measured.tally);
    /// let row = counts.rows.iter().find(|row| row.tally.allocs == 3).unwrap();
    /// assert_eq!(row.tally.bytes, 300);
    /// let stack = row.stack.map(|index| &sites.stacks()[index]).unwrap();
    /// assert!(stack.len() > 3);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn with_sites(self, sites: &mut Sites) -> SitesWindow<'_> {
        SitesWindow {
            window: self,
            sites,
            settings: Settings {
                live: false,
                checked: false,
            },
        }
    }
}

impl SitesWindow<'_> {
    /// Also keeps the live blocks of each stack: those that the window leaves behind,
    /// [`SiteRow::kept`](crate::SiteRow::kept), and those at its peak,
    /// [`SiteRow::peak_bytes`](crate::SiteRow::peak_bytes). It takes about as long again.
    ///
    /// ```
    /// # use counting_alloc::{CountingAlloc, Sites, Window};
    /// # #[global_allocator]
    /// # static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// # if !Sites::AVAILABLE { return Ok(()); }
    /// let mut sites = Sites::new();
    /// let window = Window::thread().with_peak().with_sites(&mut sites);
    /// let measured = window.with_live_blocks().measure(|| {
    ///     drop(std::hint::black_box(vec![0_u8; 8]));
    ///     let kept = vec![0_u8; 100];
    ///     drop(std::hint::black_box(vec![0_u8; 50]));
    ///     kept
    /// })?;
    /// let counts = sites.take_counts();
    /// assert_eq!((counts.kept().blocks, counts.kept().bytes), (1, 100));
    /// assert_eq!((counts.peak_bytes(), measured.peak_bytes), (150, Some(150)));
    /// # Ok(())
    /// # }
    /// ```
    pub const fn with_live_blocks(mut self) -> Self {
        self.settings.live = true;
        self
    }

    /// Runs `f` and returns the allocations meanwhile, as [`Window::measure`] does.
    ///
    /// # Errors
    ///
    /// As [`Window::measure`]; [`MeasureError::NoSites`] where stacks can't be captured, and
    /// [`MeasureError::SitesOpen`] when such a window is open already. The sites are
    /// unchanged then.
    pub fn measure<T>(mut self, f: impl FnOnce() -> T) -> Result<Measured<T>, MeasureError> {
        if !Sites::AVAILABLE {
            return Err(MeasureError::NoSites);
        }
        self.settings.checked = self.sites.is_checked();
        let here = MaybeUninit::<usize>::uninit();
        let opener = black_box(here.as_ptr()).addr();
        let window = self.window.capturing();
        let trace = window.trace();
        let span = match window.scope() {
            Scope::Process => Some(Span::open(Scope::Process, self.settings, opener)?),
            Scope::Thread => None,
        };
        let open = Open::new(window, trace.as_ref())?;
        let span = match span {
            Some(span) => span,
            // Later than for the process: now the thread has a block.
            None => Span::open(Scope::Thread, self.settings, opener)?,
        };
        let value = f();
        if window.scope() == Scope::Thread {
            span.stop();
        }
        let closed = open.close()?;
        span.stop();
        span.read(self.sites);
        Ok(closed.measured(value, trace.as_ref().map(Trace::operations)))
    }
}
