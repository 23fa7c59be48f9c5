//! The clock of the first call. It runs inside of the window, and allocates
//! nothing.

use std::time::{Duration, Instant};

/// Times a call in one or two parts, or does nothing.
pub(crate) struct Stopwatch {
    runs: bool,
    /// When the first part began.
    begin: Option<Instant>,
    /// When the present part began.
    part: Option<Instant>,
    sum: Duration,
}

impl Stopwatch {
    /// For a call that is to be timed.
    pub(crate) fn ready() -> Self {
        // Whatever reading the clock needs at its first time is not the call's.
        let _ = Instant::now();
        Self {
            runs: true,
            ..Self::idle()
        }
    }

    /// For all other calls.
    pub(crate) const fn idle() -> Self {
        Self {
            runs: false,
            begin: None,
            part: None,
            sum: Duration::ZERO,
        }
    }

    /// A part of the call begins.
    pub(crate) fn start(&mut self) {
        if self.runs {
            let now = Instant::now();
            self.begin.get_or_insert(now);
            self.part = Some(now);
        }
    }

    /// The part is over.
    pub(crate) fn stop(&mut self) {
        if let Some(part) = self.part.take() {
            self.sum += part.elapsed();
        }
    }

    /// How long the parts took together.
    pub(crate) fn elapsed(&self) -> Duration {
        self.sum
    }

    /// When the call was over, or would have been without what came between its
    /// parts; `None` when it was not timed.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.begin.map(|begin| begin + self.sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_between_parts_is_not_in_the_time() {
        let mut watch = Stopwatch::ready();
        watch.start();
        watch.stop();
        let between = Instant::now();
        while between.elapsed() < Duration::from_millis(1) {}
        watch.start();
        watch.stop();
        let end = watch.end().expect("it was timed");
        assert_eq!(end - watch.elapsed(), watch.begin.expect("it began"));
        let all = watch.begin.map(|begin| begin.elapsed());
        assert!(Some(watch.elapsed() + Duration::from_millis(1)) <= all);
    }

    #[test]
    fn one_that_is_idle_has_no_time() {
        let mut watch = Stopwatch::idle();
        watch.start();
        watch.stop();
        assert_eq!((watch.elapsed(), watch.end()), (Duration::ZERO, None));
    }
}
