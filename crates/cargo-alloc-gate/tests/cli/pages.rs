//! README's and the guide's own examples.

mod first_minute;
mod page;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod red_to_fixed;
