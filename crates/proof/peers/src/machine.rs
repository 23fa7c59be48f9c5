//! The description of the machine: processor, compiler, C library, valgrind. It has no
//! date and no host name, so that a repeated run yields the same text.

use std::fs;
use std::num::NonZero;
use std::process::Command;
use std::thread;

use proof_shared::child;

use crate::callgrind;
use crate::error::Error;

/// A description such as `2 cores of AMD EPYC, rustc 1.95.0, ...`. Parts that can't be
/// determined are called unknown.
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
        output("rustc", "--version").unwrap_or_else(|| "an unknown rustc".into()),
        output("getconf", "GNU_LIBC_VERSION").unwrap_or_else(|| "an unknown C library".into()),
        callgrind::version()?,
    ))
}

/// The first `model name` in Linux's `/proc/cpuinfo`.
fn processor(info: &str) -> Option<&str> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim())
}

fn output(program: &str, argument: &str) -> Option<String> {
    let output = child::stdout(Command::new(program).arg(argument)).ok()?;
    Some(output.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_the_first_model_name() {
        let info = "processor\t: 0\nmodel\t\t: 2\nmodel name\t: AMD EPYC 9B45\nstepping\t: 1\n";
        assert_eq!(processor(info), Some("AMD EPYC 9B45"));
        assert_eq!(processor("processor\t: 0\n"), None);
    }
}
