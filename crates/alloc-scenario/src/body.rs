//! The parts of an iteration: the preparation before the window opens, and the call
//! inside it.

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

/// Iterations whose body gets the point of the sweep.
pub(crate) struct OnPoint<'a, P, B> {
    pub(crate) point: &'a P,
    pub(crate) body: B,
}

impl<P, O, B: FnMut(&P) -> O> Iterate for OnPoint<'_, P, B> {
    type Output = O;
    const PREPARES: bool = false;

    fn prepare(&mut self) {}

    #[inline]
    fn call(&mut self) -> O {
        (self.body)(self.point)
    }
}

/// Iterations whose body works on a state that was set up before the first call.
pub(crate) struct OnState<S, B> {
    pub(crate) state: S,
    pub(crate) body: B,
}

impl<S, O, B: FnMut(&mut S) -> O> Iterate for OnState<S, B> {
    type Output = O;
    const PREPARES: bool = false;

    fn prepare(&mut self) {}

    #[inline]
    fn call(&mut self) -> O {
        (self.body)(&mut self.state)
    }
}

/// Iterations whose body consumes an input, which is made before each call.
pub(crate) struct OnInput<'a, P, I, M, B> {
    pub(crate) point: &'a P,
    pub(crate) make: M,
    pub(crate) input: Option<I>,
    pub(crate) body: B,
}

impl<P, I, O, M: FnMut(&P) -> I, B: FnMut(I) -> O> Iterate for OnInput<'_, P, I, M, B> {
    type Output = O;
    const PREPARES: bool = true;

    fn prepare(&mut self) {
        self.input = Some((self.make)(self.point));
    }

    #[inline]
    fn call(&mut self) -> O {
        let input = self
            .input
            .take()
            .expect("the harness prepares an input before each call");
        (self.body)(input)
    }
}

/// Makes the iterations of a scenario at a point, for one thread at a time.
pub(crate) trait Source<P> {
    type Output;
    type Iterations<'s>: Iterate<Output = Self::Output>
    where
        Self: 's,
        P: 's;

    /// Sets up the iterations.
    fn open<'s>(&'s mut self, point: &'s P) -> Self::Iterations<'s>;
}

/// Makes the iterations of a scenario at a point, for several threads at once.
pub(crate) trait SharedSource<P>: Sync {
    type Output;
    type Iterations<'s>: Iterate<Output = Self::Output>
    where
        Self: 's,
        P: 's;

    /// Sets up the iterations of the calling thread.
    fn open<'s>(&'s self, point: &'s P) -> Self::Iterations<'s>;
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
pub(crate) struct WithInput<M, B> {
    pub(crate) make: M,
    pub(crate) body: B,
}

/// Implements one of the two traits for each kind of body, by references of its kind
/// to functions of its kind.
macro_rules! sources {
    ($Source:ident, $Fn:ident $(+ $Sync:ident)?, self: &$($mut:tt)?) => {
        impl<P, O, B: $Fn(&P) -> O $(+ $Sync)?> $Source<P> for Plain<B> {
            type Output = O;
            type Iterations<'s>
                = OnPoint<'s, P, &'s $($mut)? B>
            where
                Self: 's,
                P: 's;

            fn open<'s>(&'s $($mut)? self, point: &'s P) -> Self::Iterations<'s> {
                let body = &$($mut)? self.body;
                OnPoint { point, body }
            }
        }

        impl<P, S, O, F, B> $Source<P> for Stateful<F, B>
        where
            F: $Fn(&P) -> S $(+ $Sync)?,
            B: $Fn(&mut S) -> O $(+ $Sync)?,
        {
            type Output = O;
            type Iterations<'s>
                = OnState<S, &'s $($mut)? B>
            where
                Self: 's,
                P: 's;

            fn open<'s>(&'s $($mut)? self, point: &'s P) -> Self::Iterations<'s> {
                let (state, body) = ((self.set_up)(point), &$($mut)? self.body);
                OnState { state, body }
            }
        }

        impl<P, I, O, M, B> $Source<P> for WithInput<M, B>
        where
            M: $Fn(&P) -> I $(+ $Sync)?,
            B: $Fn(I) -> O $(+ $Sync)?,
        {
            type Output = O;
            type Iterations<'s>
                = OnInput<'s, P, I, &'s $($mut)? M, &'s $($mut)? B>
            where
                Self: 's,
                P: 's;

            fn open<'s>(&'s $($mut)? self, point: &'s P) -> Self::Iterations<'s> {
                OnInput {
                    point,
                    make: &$($mut)? self.make,
                    input: None,
                    body: &$($mut)? self.body,
                }
            }
        }
    };
}

sources!(Source, FnMut, self: &mut);
sources!(SharedSource, Fn + Sync, self: &);
