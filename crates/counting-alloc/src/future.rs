//! A window that follows a future, on any thread. A window of the thread is open while
//! the future is polled, and closed while the future waits. A window of the process is
//! open from the first poll to the last.

use std::future::{self, Future};
use std::pin::pin;
use std::task::Poll;

use crate::first::Trace;
use crate::measured::{MeasureError, Measured, Scope};
use crate::window::{Open, Readings, Window};

impl Window {
    /// Runs `future` to its end and returns the allocations of its polls. Work of
    /// the executor and of other tasks is not counted, even on the same thread or on
    /// behalf of the future. The future may move between threads.
    ///
    /// A window of the process counts all threads from the beginning of the first poll
    /// to the end of the last: the executor, other tasks, and the work of other threads
    /// while the future waits. It may block the first poll and the last for a tenth of
    /// a second, as [`Window::measure`] does.
    ///
    /// An async block drops its variables in its last poll. `foreign` has the
    /// operations of other threads while the future was polled; in a window of the
    /// process, it has all operations outside the polls. The peak is the
    /// peak of the operations of all polls together, or of the process.
    ///
    /// ```
    /// use counting_alloc::{CountingAlloc, Window};
    ///
    /// #[global_allocator]
    /// static ALLOC: CountingAlloc = CountingAlloc::system();
    ///
    /// # fn main() -> Result<(), counting_alloc::MeasureError> {
    /// # use std::task::{Context, Waker};
    /// # fn block_on<T>(future: impl Future<Output = T>) -> T {
    /// #     let mut future = std::pin::pin!(future);
    /// #     let mut context = Context::from_waker(Waker::noop());
    /// #     loop {
    /// #         if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
    /// #             return value;
    /// #         }
    /// #     }
    /// # }
    /// let measured = block_on(Window::thread().measure_future(async { vec![0_u8; 8] }))?;
    /// assert_eq!(measured.tally.allocs, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Window::measure`]. After an error, the future is not polled again.
    pub async fn measure_future<F: Future>(
        self,
        future: F,
    ) -> Result<Measured<F::Output>, MeasureError> {
        let mut future = pin!(future);
        let polled = self.poll_window();
        let mut sum = polled.nothing();
        let mut process = None;
        let value = future::poll_fn(|context| {
            if self.scope() == Scope::Process && process.is_none() {
                match Readings::take(self) {
                    Ok(readings) => process = Some(readings),
                    Err(error) => return Poll::Ready(Err(error)),
                }
            }
            let trace = polled.trace();
            let open = match Open::new(polled, trace.as_ref()) {
                Ok(open) => open,
                Err(error) => return Poll::Ready(Err(error)),
            };
            let polled = future.as_mut().poll(context);
            match open.close() {
                Ok(one) => add(
                    &mut sum,
                    &one.measured((), trace.as_ref().map(Trace::operations)),
                ),
                Err(error) => return Poll::Ready(Err(error)),
            }
            polled.map(Ok)
        })
        .await?;
        let measured = match process {
            None => sum,
            Some(readings) => {
                let whole = readings.compare(None)?;
                let whole = whole.measured((), sum.first);
                Measured {
                    polls: sum.polls,
                    foreign: whole.tally.since(sum.tally),
                    ..whole
                }
            }
        };
        Ok(measured.map(|()| value))
    }
}

/// Adds one poll to the polls before it.
fn add(sum: &mut Measured<()>, one: &Measured<()>) {
    let before = sum.tally;
    raise(&mut sum.peak_bytes, before.net_bytes(), one.peak_bytes);
    sum.polls += 1;
    sum.tally += one.tally;
    sum.foreign += one.foreign;
    sum.uncounted += one.uncounted;
    if let (Some(sum), Some(one)) = (&mut sum.first, &one.first) {
        sum.append(one);
    }
}

/// Raises the peak of all polls to the peak of `one` poll, if that is higher. The polls before
/// it left `level` live.
fn raise(peak: &mut Option<u64>, level: i64, one: Option<u64>) {
    if let (Some(peak), Some(one)) = (peak, one) {
        let one = level.saturating_add_unsigned(one).max(0) as u64;
        *peak = one.max(*peak);
    }
}
