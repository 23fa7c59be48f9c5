//! Which process this is.

/// The number of the process, which a fork changes; zero on systems without forks. Other
/// systems may have no such number, and panic when they are asked for it.
pub(crate) fn process() -> u64 {
    if cfg!(unix) {
        std::process::id().into()
    } else {
        0
    }
}
