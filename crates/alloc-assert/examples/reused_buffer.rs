//! Asserts that a writer that reuses its buffer allocates at its first call alone, and shows what
//! a failure says.
//!
//! ```console
//! $ cargo run --example reused_buffer
//! $ cargo run --example reused_buffer -- forgetful
//! ```

use std::fmt::Write;

use alloc_assert::{CountingAlloc, Steady, assert_allocs};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// Writes records as lines.
#[derive(Default)]
struct Lines {
    buffer: String,
    forgets_buffer: bool,
}

impl Lines {
    fn write(&mut self, id: u32, name: &str) -> &str {
        if self.forgets_buffer {
            self.buffer = String::new();
        }
        self.buffer.clear();
        // A `String` takes everything.
        let _ = writeln!(self.buffer, "{id}\t{name}");
        &self.buffer
    }
}

fn main() {
    let mut lines = Lines {
        forgets_buffer: std::env::args().any(|arg| arg == "forgetful"),
        ..Lines::default()
    };
    // In a library, each of these is in a `#[test]`.
    assert_allocs!(lines.write(7, "first").len(), "<= 2, bytes <= 64");
    Steady::new()
        .warm_up(10)
        .repeats(1_000)
        .assert("allocs == 0", || lines.write(7, "first").len());
}
