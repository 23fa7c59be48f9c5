//! Executables: no bytes make reading their symbols panic, or take more memory than a small
//! file may. Each address has a frame.

use alloc_symbols::Executable;
use counting_alloc::Window;

/// Reading follows references from a few bytes to others, but not without end.
const MOST_MEMORY: u64 = 64 << 20;

/// Checks one file.
pub fn check(bytes: &[u8]) {
    let measured = Window::thread()
        .with_peak()
        .measure(|| read(bytes.to_vec()));
    let peak = measured.expect("the counter is installed").peak_bytes;
    let peak = peak.expect("the window keeps the peak");
    assert!(
        peak <= MOST_MEMORY,
        "{peak} bytes for a file of {}",
        bytes.len()
    );
}

fn read(bytes: Vec<u8>) {
    let executable = match Executable::from_bytes("seed", bytes) {
        Ok(executable) => executable,
        Err(error) => {
            assert!(
                error
                    .to_string()
                    .starts_with("`seed` is not a readable executable: ")
            );
            return;
        }
    };
    let own = executable.build_id().unwrap_or("none").to_owned();
    assert_eq!(
        executable.require_build_id(&own).is_ok(),
        executable.build_id().is_some()
    );
    let mut symbols = match executable.symbols("anchor") {
        Ok(symbols) => symbols,
        Err(error) => {
            assert!(error.to_string().contains("`seed`"));
            return;
        }
    };
    let near: Vec<i64> = (-80..160).collect();
    let apart = near.iter().rev().step_by(7).copied().collect();
    let ends = vec![
        i64::MIN,
        symbols.anchor().cast_signed().wrapping_neg(),
        0,
        i64::MAX,
    ];
    for stack in [near, apart, ends] {
        let frames = symbols.frames(&stack);
        assert!(frames.len() >= stack.len());
        assert_eq!(symbols.frames(&stack), frames);
    }
    if let Some(problem) = symbols.problem() {
        assert!(problem.to_string().contains("line tables"));
    }
}
