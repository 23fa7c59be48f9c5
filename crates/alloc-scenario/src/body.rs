//! The iterations of a scenario: the preparation before the window opens, and the call inside it.

use counting_alloc::{Measured, Tally};

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

/// A call in its window, without the operations of the probe. Its value is the uncounted
/// operations of the probe.
pub(crate) type Called = Measured<Tally>;

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
    pub(crate) set_up: F,
    pub(crate) body: B,
}

/// A body with a function that makes its inputs.
pub(crate) struct Prepared<M, B> {
    pub(crate) make: M,
    pub(crate) body: B,
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
