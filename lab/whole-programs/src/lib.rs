//! Real programs of the registry as whole processes, each built once with every allocator as its
//! global one: pulldown-cmark renders a book, serde_json reads, sorts and writes a document,
//! minijinja renders a template. `cargo xtask lab` measures them, and the first answers are of them.
//!
//! ```console
//! $ cargo bench -p whole-programs -F c         # in lab/: all that are built in
//! $ target/release/with-mimalloc markdown 2    # one, on two threads
//! 18203341 23658496 5204
//! ```
//!
//! The three numbers are a [`Cost`]. A new allocator is a feature and a `[[bin]]` in Cargo.toml, a
//! file of one line in `src/bin`, and a line in `benches/programs.rs`.

#[cfg(not(target_os = "linux"))]
compile_error!("whole-programs is for Linux, which tells the memory of a process");

pub mod cost;
mod input;
pub mod program;

pub use self::cost::Cost;
pub use self::program::Program;

/// Makes a program of an allocator: its type and a value.
#[macro_export]
macro_rules! with {
    ($type:ty, $value:expr) => {
        #[global_allocator]
        static ALLOCATOR: $type = $value;

        fn main() -> std::process::ExitCode {
            $crate::cost::main()
        }
    };
}
