//! Call sites: the call stack of each operation in a window that asks for it, see
//! [`Window::with_sites`](crate::Window::with_sites).
//!
//! Operations of such a window take the path for rare cases. `capture` finds the stack of
//! an operation by the memos of the thread, or unwinds it, and adds the operation to the
//! stack's counts in a table. When the window has closed, the counts go to [`Sites`].

mod array;
pub(crate) mod capture;
mod counts;
mod live;
mod memo;
pub(crate) mod span;
pub(crate) mod table;
mod window;

// Where the unwinder gives the places of return addresses, and stacks were tried. An
// interpreter has no stack.
#[cfg_attr(
    all(
        any(
            all(
                any(target_os = "linux", target_os = "macos"),
                any(target_arch = "x86_64", target_arch = "aarch64")
            ),
            all(windows, target_arch = "x86_64"),
        ),
        target_pointer_width = "64",
        not(miri)
    ),
    path = "sites/unwind.rs"
)]
#[cfg_attr(
    not(all(
        any(
            all(
                any(target_os = "linux", target_os = "macos"),
                any(target_arch = "x86_64", target_arch = "aarch64")
            ),
            all(windows, target_arch = "x86_64"),
        ),
        target_pointer_width = "64",
        not(miri)
    )),
    path = "sites/absent.rs"
)]
mod platform;

pub use counts::{KeptBlocks, SiteCounts, SiteRow, Sites};
pub use window::SitesWindow;
