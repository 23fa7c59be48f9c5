//! [`Handed`]: how a reference to the inner allocator goes from function to function
//! on the hot path. Most allocators have no size, `System` among them, and then
//! there is nothing to hand over: a pair of calls takes an instruction less.

use core::marker::PhantomData;
use core::ptr::NonNull;

/// A reference to an `A`.
pub(crate) trait InnerRef<A>: Copy {
    /// The reference.
    fn get(&self) -> &A;
}

/// By its address.
impl<A> InnerRef<A> for &A {
    #[inline(always)]
    fn get(&self) -> &A {
        self
    }
}

/// A reference to an `A` that has no size; it has none itself.
#[derive(Debug)]
pub(crate) struct Sizeless<'a, A>(PhantomData<&'a A>);

impl<'a, A> Sizeless<'a, A> {
    /// Stands for the reference, if `A` has no size.
    #[inline(always)]
    pub(crate) const fn from_ref(_: &'a A) -> Option<Self> {
        if size_of::<A>() == 0 {
            Some(Self(PhantomData))
        } else {
            None
        }
    }
}

impl<A> Clone for Sizeless<'_, A> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Sizeless<'_, A> {}

impl<A> InnerRef<A> for Sizeless<'_, A> {
    #[inline(always)]
    fn get(&self) -> &A {
        // SAFETY: the reference that `of` got says that there is an `A` for all of
        // this lifetime. `A` has no size, so every aligned address that is not null
        // refers to it.
        unsafe { NonNull::dangling().as_ref() }
    }
}
