//! The set-up of a scenario: [`WithSetup`] and [`WithInput`], whose body gets a state or an input,
//! and what they make of it: iterations, whose preparation is before the window opens.

use crate::axis::Axes;
use crate::measure::OnThisThread;
use crate::scenario::Scenario;
use crate::sweep::Operation;
use crate::threads::OnThreads;

/// A scenario with a state that is set up before the first call.
#[must_use = "a scenario without a body is not registered"]
pub struct WithSetup<'a, A: Axes, F> {
    pub(crate) scenario: Scenario<'a, A>,
    pub(crate) set_up: F,
}

/// A scenario with an input that is made before each call.
#[must_use = "a scenario without a body is not registered"]
pub struct WithInput<'a, A: Axes, M> {
    pub(crate) scenario: Scenario<'a, A>,
    pub(crate) make: M,
}

impl<'a, A: Axes, F> WithSetup<'a, A, F>
where
    A::Point: 'a,
{
    /// Sets the operation to measure, on the state.
    ///
    /// An output that borrows from the state can't leave the closure. Pass it to
    /// [`black_box`](std::hint::black_box) inside the closure, `|text| {
    /// black_box(parse(text)); }`, or make the state before the suite and capture it.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("join", |b| {
    ///     b.setup(|()| vec!["word"; 100]).run(|words| words.join(" "))
    /// });
    /// ```
    pub fn run<S, O, B>(self, body: B) -> Operation<'a, A::Point, O>
    where
        F: Fn(&A::Point) -> S + 'a,
        B: FnMut(&mut S) -> O + 'a,
    {
        let set_up = self.set_up;
        self.scenario
            .operation(OnThisThread(Stateful { set_up, body }))
    }

    /// Sets the operation to measure, on `threads` threads at once, each with its own
    /// state. An iteration is one call on each thread, and its counts are the sum over
    /// the threads.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("push", |b| {
    ///     b.axis("threads", [1_usize, 4])
    ///         .setup(|_| Vec::new())
    ///         .run_on_threads(|&threads| threads, |numbers| {
    ///             numbers.clear();
    ///             numbers.push(1);
    ///         })
    /// });
    /// ```
    pub fn run_on_threads<S, O, B, C>(self, threads: C, body: B) -> Operation<'a, A::Point, O>
    where
        A::Point: Sync,
        F: Fn(&A::Point) -> S + Sync + 'a,
        B: Fn(&mut S) -> O + Sync + 'a,
        C: Fn(&A::Point) -> usize + 'a,
    {
        let set_up = self.set_up;
        self.scenario.operation(OnThreads {
            source: Stateful { set_up, body },
            count: threads,
        })
    }
}

impl<'a, A: Axes, M> WithInput<'a, A, M>
where
    A::Point: 'a,
{
    /// Sets the operation to measure, on its own input.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("into bytes", |b| {
    ///     b.input(|()| String::from("text")).run(String::into_bytes)
    /// });
    /// ```
    pub fn run<I, O, B>(self, body: B) -> Operation<'a, A::Point, O>
    where
        M: Fn(&A::Point) -> I + 'a,
        B: FnMut(I) -> O + 'a,
    {
        let make = self.make;
        self.scenario
            .operation(OnThisThread(Prepared { make, body }))
    }

    /// Sets the operation to measure, on `threads` threads at once, each with its own
    /// inputs. An iteration is one call on each thread, and its counts are the sum over
    /// the threads.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("sort", |b| {
    ///     b.axis("threads", [1_usize, 4])
    ///         .input(|_| vec![3, 1, 2])
    ///         .run_on_threads(|&threads| threads, |mut numbers| {
    ///             numbers.sort_unstable();
    ///             numbers
    ///         })
    /// });
    /// ```
    pub fn run_on_threads<I, O, B, C>(self, threads: C, body: B) -> Operation<'a, A::Point, O>
    where
        A::Point: Sync,
        M: Fn(&A::Point) -> I + Sync + 'a,
        B: Fn(I) -> O + Sync + 'a,
        C: Fn(&A::Point) -> usize + 'a,
    {
        let make = self.make;
        self.scenario.operation(OnThreads {
            source: Prepared { make, body },
            count: threads,
        })
    }
}

/// The iterations of one scenario on one thread, with their state.
pub(crate) trait Iterate {
    type Output;

    /// Whether [`prepare`](Self::prepare) does anything, so that iterations
    /// can't be timed in batches.
    const PREPARES: bool;

    /// Prepares the next call, before the window opens.
    fn prepare(&mut self);

    /// Calls the operation. Only this is measured.
    fn call(&mut self) -> Self::Output;
}

/// Iterations without a preparation.
struct Direct<B>(B);

impl<O, B: FnMut() -> O> Iterate for Direct<B> {
    type Output = O;
    const PREPARES: bool = false;

    fn prepare(&mut self) {}

    #[inline]
    fn call(&mut self) -> O {
        (self.0)()
    }
}

/// Iterations that consume an input, which is made before each call.
struct OnInput<I, M, B> {
    make: M,
    input: Option<I>,
    body: B,
}

impl<I, O, M: FnMut() -> I, B: FnMut(I) -> O> Iterate for OnInput<I, M, B> {
    type Output = O;
    const PREPARES: bool = true;

    fn prepare(&mut self) {
        self.input = Some((self.make)());
    }

    #[inline]
    fn call(&mut self) -> O {
        let input = self.input.take();
        (self.body)(input.expect("`prepare` makes an input before each call"))
    }
}

/// A body without set-up.
pub(crate) struct Plain<B> {
    pub(crate) body: B,
}

/// A body with a set-up for its state.
pub(crate) struct Stateful<F, B> {
    set_up: F,
    body: B,
}

/// A body with a function that makes its inputs.
pub(crate) struct Prepared<M, B> {
    make: M,
    body: B,
}

/// Defines a trait that makes the iterations of a scenario at a point, and implements it for each
/// kind of body.
macro_rules! sources {
    ($doc:literal, $Source:ident $(: $Sync:ident)?, $Fn:ident, &$($mut:tt)?) => {
        #[doc = $doc]
        pub(crate) trait $Source<P> $(: $Sync)? {
            type Output;

            /// Sets up the iterations of the calling thread.
            fn open(
                &$($mut)? self,
                point: &P,
            ) -> impl Iterate<Output = Self::Output>;
        }

        impl<P, O, B: $Fn(&P) -> O $(+ $Sync)?> $Source<P> for Plain<B> {
            type Output = O;

            fn open(&$($mut)? self, point: &P) -> impl Iterate<Output = O> {
                Direct(|| (self.body)(point))
            }
        }

        impl<P, S, O, F, B> $Source<P> for Stateful<F, B>
        where
            F: $Fn(&P) -> S $(+ $Sync)?,
            B: $Fn(&mut S) -> O $(+ $Sync)?,
        {
            type Output = O;

            fn open(&$($mut)? self, point: &P) -> impl Iterate<Output = O> {
                let mut state = (self.set_up)(point);
                let body = &$($mut)? self.body;
                Direct(move || body(&mut state))
            }
        }

        impl<P, I, O, M, B> $Source<P> for Prepared<M, B>
        where
            M: $Fn(&P) -> I $(+ $Sync)?,
            B: $Fn(I) -> O $(+ $Sync)?,
        {
            type Output = O;

            fn open(&$($mut)? self, point: &P) -> impl Iterate<Output = O> {
                OnInput {
                    make: || (self.make)(point),
                    input: None,
                    body: &$($mut)? self.body,
                }
            }
        }
    };
}

sources!("For one thread at a time.", Source, FnMut, &mut);
sources!("For several threads at once.", SharedSource: Sync, Fn, &);
