//! The layouts that workloads request.

use std::alloc::Layout;

/// The alignment of a request where the workload says nothing else: a pointer has it,
/// and most Rust values have it or less.
pub const ALIGN: usize = 8;

/// The layout of a request, of constants of a workload.
#[inline]
#[must_use]
pub fn layout(size: usize, align: usize) -> Layout {
    match Layout::from_size_align(size, align) {
        Ok(layout) => layout,
        Err(_) => panic!("no layout has {size} bytes aligned to {align}"),
    }
}
