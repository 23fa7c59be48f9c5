//! The number of the process.

/// The number of the process, which a fork changes; zero on systems without forks or numbers.
pub(crate) fn process() -> u64 {
    cfg!(unix).then(std::process::id).map_or(0, u64::from)
}
