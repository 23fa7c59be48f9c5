//! Real programs as whole processes, each once with every allocator as its global one: a Markdown
//! renderer, a JSON document, a template engine.
//!
//! `with-ALLOCATOR PROGRAM THREADS` works on each of the threads, in turns that begin together, and
//! prints a [`Cost`] as three numbers. Reading order: [`Program`], [`cost`], [`with`].

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
