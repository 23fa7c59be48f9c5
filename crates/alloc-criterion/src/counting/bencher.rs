//! [`Bencher`]: measures the routine of a bench where it is called.

use std::cell::RefCell;
use std::marker::PhantomData;

use alloc_scenario::adapter::Call;
use alloc_scenario::builder::Definition;
use alloc_scenario::{Scenario, Scope};
use criterion::measurement::{Measurement, WallTime};
use criterion::{BatchSize, Throughput};

/// Counts what a routine allocates. The function of a bench calls one of the methods `iter`.
pub struct Bencher<'a, M: Measurement = WallTime> {
    call: &'a mut Call,
    sample_size: Option<u64>,
    elements: Option<u64>,
    bytes: Option<u64>,
    measurement: PhantomData<fn() -> M>,
}

impl<'a, M: Measurement> Bencher<'a, M> {
    pub(super) fn new(
        call: &'a mut Call,
        sample_size: Option<u64>,
        throughput: Option<&Throughput>,
    ) -> Self {
        let (elements, bytes) = match throughput {
            None => (None, None),
            Some(&Throughput::Bits(bits)) => (None, Some(bits.div_ceil(8))),
            Some(&(Throughput::Bytes(bytes) | Throughput::BytesDecimal(bytes))) => {
                (None, Some(bytes))
            }
            Some(&Throughput::Elements(elements)) => (Some(elements), None),
            Some(&Throughput::ElementsAndBytes { elements, bytes }) => {
                (Some(elements), Some(bytes))
            }
        };
        Self {
            call,
            sample_size,
            elements,
            bytes,
            measurement: PhantomData,
        }
    }

    /// Counts the routine and dropping its output.
    pub fn iter<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        self.measure(|b| b.run(move |()| routine()));
    }

    /// Counts the routine, and not dropping its output.
    pub fn iter_with_large_drop<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        self.measure(|b| b.drop_outside().run(move |()| routine()));
    }

    /// Counts the routine, and neither its set-up nor dropping its output.
    #[doc(hidden)]
    pub fn iter_with_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Counts the routine, and neither its set-up, which runs before each iteration, nor dropping
    /// its output. Dropping the input is counted where the routine does it.
    pub fn iter_batched<I, O, S, R>(&mut self, setup: S, routine: R, _: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        let setup = RefCell::new(setup);
        self.measure(|b| {
            b.drop_outside()
                .input(move |()| (setup.borrow_mut())())
                .run(routine)
        });
    }

    /// Counts the routine, and neither its set-up, which runs before each iteration, nor dropping
    /// its output and its input.
    pub fn iter_batched_ref<I, O, S, R>(&mut self, setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> O,
    {
        let routine = move |mut input| {
            let output = routine(&mut input);
            (output, input)
        };
        self.iter_batched(setup, routine, size);
    }

    /// Counts all iterations of the routine in one window, of all threads. The counts are
    /// totals of all iterations; the mean of an iteration is the count per element.
    pub fn iter_custom<R>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> M::Value,
    {
        let iterations = self.call.iterations(self.sample_size).unwrap_or(1);
        let elements = match self.elements {
            Some(_) => "",
            None => ", and an element is an iteration",
        };
        let note = format!("`iter_custom`: counts are totals of {iterations} iterations{elements}");
        self.sample_size = None;
        self.elements = Some(self.elements.unwrap_or(1).saturating_mul(iterations));
        self.bytes = self.bytes.map(|bytes| bytes.saturating_mul(iterations));
        self.measure(|b| {
            b.scope(Scope::Process)
                .warm_up(0)
                .iterations(1)
                .untimed()
                .note(&note)
                .run(move |()| drop(routine(iterations)))
        });
    }

    /// Counts futures, which this executor runs.
    #[cfg(feature = "async")]
    pub fn to_async<'b, A: criterion::async_executor::AsyncExecutor>(
        &'b mut self,
        runner: A,
    ) -> AsyncBencher<'a, 'b, A, M> {
        AsyncBencher { b: self, runner }
    }

    fn measure<'s, D: Into<Definition<'s>>>(&mut self, build: impl FnOnce(Scenario<'s>) -> D) {
        let (samples, elements, bytes) = (self.sample_size, self.elements, self.bytes);
        self.call.measure(|mut b| {
            if let Some(samples) = samples {
                b = b.warm_up(samples / 10).iterations(samples);
            }
            if let Some(elements) = elements {
                b = b.elements(move |()| elements);
            }
            if let Some(bytes) = bytes {
                b = b.bytes(move |()| bytes);
            }
            build(b)
        });
    }
}

/// A [`Bencher`] of futures. Entering the executor is part of each iteration.
#[cfg(feature = "async")]
pub struct AsyncBencher<
    'a,
    'b,
    A: criterion::async_executor::AsyncExecutor,
    M: Measurement = WallTime,
> {
    b: &'b mut Bencher<'a, M>,
    runner: A,
}

#[cfg(feature = "async")]
impl<A: criterion::async_executor::AsyncExecutor, M: Measurement> AsyncBencher<'_, '_, A, M> {
    /// Counts the routine, its future and dropping the output.
    pub fn iter<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        let runner = &self.runner;
        self.b.iter(|| runner.block_on(routine()));
    }

    /// Counts the routine and its future, and not dropping the output.
    pub fn iter_with_large_drop<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        let runner = &self.runner;
        self.b.iter_with_large_drop(|| runner.block_on(routine()));
    }

    /// Counts as [`iter_batched`](Self::iter_batched).
    #[doc(hidden)]
    pub fn iter_with_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Counts as [`iter_batched`](Self::iter_batched).
    #[doc(hidden)]
    pub fn iter_with_large_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    /// Counts the routine and its future, and neither its set-up nor dropping the output.
    pub fn iter_batched<I, O, S, R, F>(&mut self, setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        let runner = &self.runner;
        self.b
            .iter_batched(setup, |input| runner.block_on(routine(input)), size);
    }

    /// Counts the routine and its future, and neither its set-up nor dropping the output and the
    /// input.
    pub fn iter_batched_ref<I, O, S, R, F>(&mut self, setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> F,
        F: Future<Output = O>,
    {
        let runner = &self.runner;
        let routine = |input: &mut I| runner.block_on(routine(input));
        self.b.iter_batched_ref(setup, routine, size);
    }

    /// Counts all iterations of the routine in one window, as [`Bencher::iter_custom`].
    pub fn iter_custom<R, F>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> F,
        F: Future<Output = M::Value>,
    {
        let runner = &self.runner;
        self.b
            .iter_custom(|iterations| runner.block_on(routine(iterations)));
    }
}
