//! [`Settings`]: the settings of a scenario.

use std::time::Duration;

use alloc_results::OutputDrop;
use counting_alloc::Scope;

/// The work of one iteration at a point; `None` when the number is negative.
pub(crate) type Work<'a, P> = Box<dyn Fn(&P) -> Option<u64> + 'a>;

/// The settings of a scenario; see the methods of `Scenario` that set them.
pub(crate) struct Settings<'a, P> {
    pub(crate) scope: Scope,
    pub(crate) output_drop: OutputDrop,
    pub(crate) warmup: Option<u64>,
    pub(crate) iterations: Option<u64>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) elements: Option<Work<'a, P>>,
    pub(crate) bytes: Option<Work<'a, P>>,
    pub(crate) note: Option<String>,
    pub(crate) is_timed: bool,
    pub(crate) fresh: bool,
}

impl<P> Default for Settings<'_, P> {
    fn default() -> Self {
        Self {
            scope: Scope::default(),
            output_drop: OutputDrop::Inside,
            warmup: None,
            iterations: None,
            timeout: None,
            elements: None,
            bytes: None,
            note: None,
            is_timed: true,
            fresh: false,
        }
    }
}

impl<'a, P: 'a> Settings<'a, P> {
    /// The same settings for points with one more axis. `project` removes the new
    /// coordinate from a point.
    pub(crate) fn under<Q: 'a>(self, project: impl Fn(&Q) -> P + Copy + 'a) -> Settings<'a, Q> {
        let lift =
            |work: Work<'a, P>| -> Work<'a, Q> { Box::new(move |point| work(&project(point))) };
        Settings {
            scope: self.scope,
            output_drop: self.output_drop,
            warmup: self.warmup,
            iterations: self.iterations,
            timeout: self.timeout,
            elements: self.elements.map(lift),
            bytes: self.bytes.map(lift),
            note: self.note,
            is_timed: self.is_timed,
            fresh: self.fresh,
        }
    }
}
