//! [`InnerRef`]: a reference to the inner allocator, as the functions of the hot path
//! pass it on. Most allocators, such as `System`, have size zero. Their reference
//! needs no register, which saves an instruction per pair of calls.

use std::marker::PhantomData;
use std::ptr::NonNull;

/// A reference to an `A`.
pub(crate) trait InnerRef<A>: Copy {
    /// The reference.
    fn get(&self) -> &A;
}

/// A reference by address.
impl<A> InnerRef<A> for &A {
    #[inline(always)]
    fn get(&self) -> &A {
        self
    }
}

/// A reference to an `A` of size zero, which has size zero itself.
#[derive(Debug)]
pub(crate) struct Sizeless<'a, A>(PhantomData<&'a A>);

impl<'a, A> Sizeless<'a, A> {
    /// The reference without its address, if `A` has size zero.
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
        // SAFETY: `from_ref` got a reference to an `A` that is valid for all of this
        // lifetime. `A` has size zero, so every aligned address that is not null
        // refers to it.
        unsafe { NonNull::dangling().as_ref() }
    }
}
