//! The programs with rlsf.

#[cfg(unix)]
whole_programs::with!(rlsf::GlobalTlsf, rlsf::GlobalTlsf::new());

#[cfg(not(unix))]
fn main() {}
