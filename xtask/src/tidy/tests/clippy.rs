//! The settings of clippy: planted uses of what a crate must not know.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::ROOT;

/// A function for each way to the outside, behind the lints of clippy.toml.
const OUTSIDE: &str = "//! Planted.
/// Files.
pub fn files() { let _ = std::fs::read(\"x\"); let _ = std::fs::File::open(\"x\"); }
/// Paths.
pub fn paths() -> bool { std::path::Path::new(\"x\").exists() }
/// The environment.
pub fn environment() { let _ = std::env::var(\"x\"); let read = std::env::args; drop(read()); }
/// Processes.
pub fn processes() { let _ = std::process::Command::new(\"x\"); std::process::exit(1) }
/// Clocks.
pub fn clocks() { let _ = std::time::Instant::now(); let _ = std::time::SystemTime::now(); }
/// The network.
pub fn network() { let _ = std::net::TcpStream::connect(\"x\"); }
/// Standard streams.
pub fn streams() { let _ = std::io::stdin(); let _ = std::io::stdout(); let _ = std::io::stderr(); }
";

/// What clippy says of the planted text with the settings in `folder`.
fn clippy_on_outside(folder: &str) -> String {
    let mut clippy = Command::new("clippy-driver")
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "-"])
        .arg("--out-dir")
        .arg(std::env::temp_dir())
        .env("CLIPPY_CONF_DIR", Path::new(ROOT).join(folder))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("clippy is installed: `rustup component add clippy`");
    let mut input = clippy.stdin.take().unwrap();
    input.write_all(OUTSIDE.as_bytes()).unwrap();
    drop(input);
    let output = clippy.wait_with_output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn clippy_finds_planted_ways_to_the_outside() {
    for (folder, expected) in [
        ("", 2),
        ("crates/alloc-gate", 13),
        ("crates/alloc-results", 13),
    ] {
        let said = clippy_on_outside(folder);
        assert_eq!(
            said.matches("use of a disallowed ").count(),
            expected,
            "{said}"
        );
        // Nothing in the settings is unknown to clippy.
        assert!(!said.contains("clippy.toml"), "{said}");
    }
}
