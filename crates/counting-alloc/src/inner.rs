//! The name of the allocator below the counter, for records and messages.

use std::any;
use std::mem;
use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{Acquire, Release};

/// The function that names the type of the inner allocator, as a pointer.
static NAMER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// The type name of the allocator below the counter, such as
/// `std::alloc::System`, or `None` when nothing was counted yet.
///
/// ```
/// # use counting_alloc::{CountingAlloc, inner_allocator};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let name = inner_allocator().unwrap_or("unknown");
/// assert!(name.ends_with("System"), "{name}");
/// # }
/// ```
#[must_use]
pub fn inner_allocator() -> Option<&'static str> {
    let namer = NAMER.load(Acquire);
    if namer.is_null() {
        return None;
    }
    // SAFETY: `NAMER` holds null or a pointer that `remember_name` made from a
    // function of exactly this type.
    let namer = unsafe { mem::transmute::<*mut (), fn() -> &'static str>(namer) };
    Some(namer())
}

/// Records that `A` is the allocator below the counter.
pub(crate) fn remember_name<A>() {
    let namer: fn() -> &'static str = any::type_name::<A>;
    NAMER.store(namer as *mut (), Release);
}
