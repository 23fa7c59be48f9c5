//! What the counter says, in the form in which programs compare it. What it
//! should say is not known here.

use counting_alloc::{Measured, Tally};

/// What the calling thread counted; without std, which can't tell threads apart,
/// there is no such tally, and that of the process alone is compared.
pub(crate) fn own_tally() -> Option<Tally> {
    #[cfg(feature = "std")]
    return Some(counting_alloc::thread_tally());
    #[cfg(not(feature = "std"))]
    None
}

/// What the window's closure returned, and the rest.
pub(crate) fn split<T>(measured: Measured<T>) -> (T, Measured<()>) {
    let mut value = None;
    let rest = measured.map(|inner| value = Some(inner));
    (value.expect("`map` was just called"), rest)
}
