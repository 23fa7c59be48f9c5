//! [`Progress`]: a line on a terminal that shows the current step. Without a terminal it
//! draws nothing.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line that is removed when the step ends.
pub(crate) struct Progress {
    bar: ProgressBar,
    what: String,
}

impl Progress {
    /// Starts to draw on `target`.
    pub(crate) fn new(target: ProgressDrawTarget, what: String) -> Self {
        let is_drawn = !target.is_hidden();
        let bar = ProgressBar::with_draw_target(None, target).with_message(what.clone());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
            bar.set_style(style);
        }
        if is_drawn {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Self { bar, what }
    }

    /// Shows how many scenarios were measured so far. `count` is called only if the line is
    /// drawn.
    pub(crate) fn measured(&self, count: impl FnOnce() -> usize) {
        if !self.bar.is_hidden() {
            let what = &self.what;
            self.bar
                .set_message(format!("{what}, {} scenarios done", count()));
        }
    }
}

/// Removes the line, even after an error.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
