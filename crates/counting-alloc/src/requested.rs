//! The numbers of windows, and the call stacks of the one window that the environment requests.
//! Other windows cost no more than their number.
//!
//! A test that failed runs again in another process, which captures the stacks of the window that
//! failed. Its number counts the windows of its thread, so it is the same there.

use std::cell::Cell;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::{env, thread};

use crate::measured::{MeasureError, Scope};
use crate::sites::Sites;
use crate::sites::span::Span;
use crate::sites::table::Settings;
use crate::uncounted::uncounted;

/// The variable with the request, as [`WindowPart::request`] writes it.
pub const REQUEST: &str = "COUNTING_ALLOC_REQUEST";

thread_local! {
    /// The number of the latest window: in its upper half that of the thread, from 1.
    static LATEST: Cell<u64> = const { Cell::new(0) };
}

/// The stacks of the window that was requested, once it has closed.
static STACKS: Mutex<Option<Sites>> = Mutex::new(None);

/// A part of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowPart {
    /// The whole window.
    Whole,
    /// The phase of this name.
    Phase(&'static str),
    /// Outside all phases.
    Rest,
}

impl WindowPart {
    /// A request for the stacks of this part of a window of the calling thread. `None` for a
    /// window of another thread, and on a thread without a name.
    #[must_use]
    pub fn request(self, window: NonZeroU64) -> Option<String> {
        let (thread, number) = halves(window.get());
        let thread = (thread == halves(LATEST.get()).0).then(thread::current)?;
        let name = thread.name()?;
        Some(match self {
            Self::Whole => format!("{number}\n{name}"),
            Self::Rest => format!("{number}\n{name}\nrest"),
            Self::Phase(phase) => format!("{number}\n{name}\nphase {phase}"),
        })
    }
}

/// Numbers the further windows of the calling thread from 1.
pub fn restart_window_numbers() {
    LATEST.set(0);
}

/// The stacks of the window that was requested, if it has closed.
#[must_use]
pub fn take_requested() -> Option<Sites> {
    STACKS.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The numbers of a thread, and of a window on it.
fn halves(number: u64) -> (u64, u64) {
    (number >> 32, number & u64::from(u32::MAX))
}

/// The number of a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) number: Option<NonZeroU64>,
    is_requested: bool,
}

impl Number {
    pub(crate) const NONE: Self = Self {
        number: None,
        is_requested: false,
    };

    /// The next number of the calling thread.
    pub(crate) fn next() -> Self {
        static THREADS: AtomicU32 = AtomicU32::new(1);
        let number = match LATEST.get() {
            0 => u64::from(THREADS.fetch_add(1, Relaxed)) << 32,
            latest => latest,
        };
        LATEST.set(number + 1);
        let is_requested = || {
            let mut lines = request()?.splitn(3, '\n');
            let is_number = lines.next()?.parse() == Ok(halves(number + 1).1);
            Some(is_number && thread::current().name() == lines.next())
        };
        Self {
            number: NonZeroU64::new(number + 1),
            is_requested: is_requested() == Some(true),
        }
    }

    /// Begins to capture stacks, if they are requested. `opener` is an address in a frame that
    /// stays until they are dropped.
    pub(crate) fn capture(
        self,
        scope: Scope,
        opener: usize,
    ) -> Result<Option<Requested>, MeasureError> {
        if !self.is_requested {
            return Ok(None);
        }
        let settings = Settings {
            live: true,
            ..Settings::default()
        };
        let requested = Requested(Span::open(scope, settings, opener)?);
        requested.enter(None);
        Ok(Some(requested))
    }
}

/// The text of the request, if there is one.
pub(crate) fn request() -> Option<&'static str> {
    static REQUESTED: OnceLock<Option<String>> = OnceLock::new();
    let requested = REQUESTED.get_or_init(|| uncounted(|| env::var(REQUEST).ok()));
    requested.as_deref()
}

/// The stacks of the window that was requested, while it is open.
#[derive(Debug)]
pub(crate) struct Requested(Span);

impl Requested {
    /// Captures in this phase, or outside all phases, if that is requested.
    pub(crate) fn enter(&self, phase: Option<&str>) {
        let part = request().and_then(|request| request.splitn(3, '\n').nth(2));
        let captures = match (part, phase) {
            (None, _) => true,
            (Some("rest"), phase) => phase.is_none(),
            (Some(part), phase) => phase.is_some() && part.strip_prefix("phase ") == phase,
        };
        if captures {
            self.0.resume();
        } else {
            self.0.stop();
        }
    }

    /// Captures no more.
    pub(crate) fn stop(&self) {
        self.0.stop();
    }

    /// Adds the stacks to those of the window that were captured before.
    pub(crate) fn keep(self) {
        self.0.stop();
        uncounted(|| {
            let mut stacks = STACKS.lock().unwrap_or_else(PoisonError::into_inner);
            self.0.read(stacks.get_or_insert_with(Sites::new));
        });
    }
}
