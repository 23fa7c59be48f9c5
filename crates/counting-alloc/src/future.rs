//! A window that follows a future: it is open while the future is polled, on any
//! thread, and closed while the future waits.

use core::future::{self, Future};
use core::pin::pin;
use core::task::Poll;

use crate::measured::{MeasureError, Measured};
use crate::native;
use crate::window::{Open, Window};

impl Window {
    /// Runs `future` to its end and returns the allocations of its polls. Work of
    /// the executor and of other tasks is not counted, even on the same thread or on
    /// behalf of the future. The future may move between threads.
    ///
    /// An async block drops its variables in its last poll. `foreign` has the
    /// operations of other threads while the future was polled. The peak is that of
    /// the operations of all polls together.
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
        let mut sum = self.nothing();
        // Bytes that earlier polls left live.
        let mut level = 0_i64;
        let value = future::poll_fn(|context| {
            let trace = self.trace();
            let open = match Open::new(self, trace.as_ref()) {
                Ok(open) => open,
                Err(error) => return Poll::Ready(Err(error)),
            };
            let polled = future.as_mut().poll(context);
            match open.close() {
                Ok(one) => add(&mut sum, &mut level, &one),
                Err(error) => return Poll::Ready(Err(error)),
            }
            polled.map(Ok)
        })
        .await?;
        Ok(sum.map(|()| value))
    }
}

/// Adds one poll to the polls before it, which left `level` bytes live.
fn add(sum: &mut Measured<()>, level: &mut i64, one: &Measured<()>) {
    sum.tally += one.tally;
    sum.foreign += one.foreign;
    sum.uncounted += one.uncounted;
    sum.native = native::sum(sum.native, one.native);
    if let (Some(sum), Some(one)) = (&mut sum.peak_bytes, one.peak_bytes) {
        let peak = level.saturating_add_unsigned(one).max(0).cast_unsigned();
        *sum = peak.max(*sum);
    }
    *level += one.tally.net_bytes();
    if let (Some(sum), Some(one)) = (&mut sum.first, &one.first) {
        sum.append(one);
    }
}
