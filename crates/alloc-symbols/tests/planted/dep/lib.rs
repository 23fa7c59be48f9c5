//! A dependency from outside of the workspace, which is compiled without line tables.

#[inline(never)]
pub fn boxed(value: u64) -> Box<u64> {
    Box::new(value)
}

#[inline(never)]
pub fn zeroed(length: usize) -> Box<u64> {
    Box::new(!(length as u64))
}
