//! The function to whose address those in stacks are relative, wherever the program was loaded.

use std::any::type_name_of_val;

/// Its own address. It has to be one function, with a symbol.
#[inline(never)]
pub(crate) fn anchor() -> usize {
    let anchor: fn() -> usize = anchor;
    anchor as usize
}

/// Its path in Rust.
pub(crate) fn path() -> String {
    type_name_of_val(&anchor).to_owned()
}
