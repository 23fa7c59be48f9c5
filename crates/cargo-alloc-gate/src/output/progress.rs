//! [`Progress`]: at which scenario a bench is, for the person who waits. A terminal shows a line
//! that changes; elsewhere a line is printed every ten seconds.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use crate::output::shell::Shell;

/// How often a line is printed where it can't be drawn again.
const INTERVAL: Duration = Duration::from_secs(10);

/// The progress of a step of the work, whose line is removed when the step ends.
pub(crate) struct Progress<'s> {
    shell: &'s Shell,
    /// `measuring wordy/alloc_count`.
    what: &'s str,
    limit: Duration,
    begin: Instant,
    /// The line that a terminal shows.
    drawn: RefCell<String>,
    /// How many intervals have passed that were told of.
    told: Cell<u32>,
}

impl<'s> Progress<'s> {
    /// Nothing is shown yet.
    pub(crate) fn new(shell: &'s Shell, what: &'s str, limit: Duration) -> Self {
        Self {
            shell,
            what,
            limit,
            begin: Instant::now(),
            drawn: RefCell::default(),
            told: Cell::new(0),
        }
    }

    /// Shows the progress, if it is time to. `step` is called only then.
    pub(crate) fn tick(&self, step: impl FnOnce() -> Option<String>) {
        let elapsed = self.begin.elapsed();
        if self.shell.redraws() {
            let line = line(self.what, step(), elapsed, self.limit);
            if *self.drawn.borrow() != line {
                self.shell.draw(&line);
                self.drawn.replace(line);
            }
        } else if is_due(elapsed, &self.told) {
            self.shell
                .step(&line(self.what, step(), elapsed, self.limit));
        }
    }
}

/// Removes the line, even after an error.
impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if !self.drawn.borrow().is_empty() {
            self.shell.draw("");
        }
    }
}

/// Whether another interval has passed since it was `told`.
fn is_due(elapsed: Duration, told: &Cell<u32>) -> bool {
    let is_due = elapsed >= INTERVAL * (told.get() + 1);
    told.set(told.get() + u32::from(is_due));
    is_due
}

/// `measuring wordy/alloc_count: slow, 3 of 8 [43s of 60s]`.
fn line(what: &str, step: Option<String>, elapsed: Duration, limit: Duration) -> String {
    let step = step.map_or_else(String::new, |step| format!(": {step}"));
    let (elapsed, limit) = (elapsed.as_secs(), limit.as_secs());
    format!("{what}{step} [{elapsed}s of {limit}s]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_there_is_a_line_every_ten_seconds() {
        let told = Cell::new(0);
        let due: Vec<u64> = (0..350)
            .map(|tenth| Duration::from_millis(tenth * 100))
            .filter(|elapsed| is_due(*elapsed, &told))
            .map(|elapsed| elapsed.as_secs())
            .collect();
        assert_eq!(due, [10, 20, 30]);
    }
}
