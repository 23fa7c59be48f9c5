//! [`Stopwatch`]: the clock of the first call. It runs inside the window and does not
//! allocate.

use std::time::{Duration, Instant};

/// Times a call that has one or two parts, or does nothing.
pub(crate) struct Stopwatch {
    runs: bool,
    /// When the first part began.
    begin: Option<Instant>,
    /// When the present part began.
    part: Option<Instant>,
    sum: Duration,
}

impl Stopwatch {
    /// A stopwatch for the call that is timed.
    pub(crate) fn ready() -> Self {
        // The cost of the first reading of the clock is not part of the call.
        let _ = Instant::now();
        Self {
            runs: true,
            ..Self::idle()
        }
    }

    /// A stopwatch that does nothing, for all other calls.
    pub(crate) const fn idle() -> Self {
        Self {
            runs: false,
            begin: None,
            part: None,
            sum: Duration::ZERO,
        }
    }

    /// Begins a part of the call.
    pub(crate) fn start(&mut self) {
        if self.runs {
            let now = Instant::now();
            self.begin.get_or_insert(now);
            self.part = Some(now);
        }
    }

    /// Ends the part.
    pub(crate) fn stop(&mut self) {
        if let Some(part) = self.part.take() {
            self.sum += part.elapsed();
        }
    }

    /// The time of all parts together.
    pub(crate) fn elapsed(&self) -> Duration {
        self.sum
    }

    /// When the call would have ended without a break between its parts; `None` when
    /// it was not timed.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.begin.map(|begin| begin + self.sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_between_parts_is_not_counted() {
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
    fn an_idle_stopwatch_has_no_time() {
        let mut watch = Stopwatch::idle();
        watch.start();
        watch.stop();
        assert_eq!((watch.elapsed(), watch.end()), (Duration::ZERO, None));
    }
}
