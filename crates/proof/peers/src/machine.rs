//! On what was measured: processor, compiler, C library, valgrind. No date and no
//! name of the machine, so that a repeated run on it says the same.

use std::fs;
use std::num::NonZero;
use std::process::{Command, Stdio};
use std::thread;

use crate::callgrind;
use crate::error::Error;

/// One sentence's worth: `2 cores of AMD EPYC, rustc 1.95.0, ...`. What can't be
/// learned is called unknown.
///
/// # Errors
///
/// When valgrind is missing.
pub fn description() -> Result<String, Error> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    Ok(format!(
        "{cores} cores of {}, {}, {}, {}",
        processor(&info).unwrap_or("an unknown processor"),
        answer("rustc", "--version").unwrap_or_else(|| "an unknown rustc".into()),
        answer("getconf", "GNU_LIBC_VERSION").unwrap_or_else(|| "an unknown C library".into()),
        callgrind::version()?,
    ))
}

/// The first `model name` of Linux's `/proc/cpuinfo`.
fn processor(info: &str) -> Option<&str> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim())
}

fn answer(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_the_model_that_linux_names() {
        let info = "processor\t: 0\nmodel\t\t: 2\nmodel name\t: AMD EPYC 9B45\nstepping\t: 1\n";
        assert_eq!(processor(info), Some("AMD EPYC 9B45"));
        assert_eq!(processor("processor\t: 0\n"), None);
    }
}
