//! Opens devices for tests, and says in the log which one it was or why there is none.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs};

use device_lab::{DeviceError, DeviceInfo};

/// The lines that are in the log.
static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Set in the process whose library has no functions.
const CHILD: &str = "DEVICE_LAB_EMPTY_LIBRARY";

/// The device. None if there is a reason, which is checked and written to the log.
pub(crate) fn opened<D>(
    api: &str,
    device: Result<D, DeviceError>,
    info: impl Fn(&D) -> DeviceInfo,
) -> Option<D> {
    match device {
        Ok(device) => {
            let info = info(&device);
            log(format!(
                "{api}: ran on {}, {}, {}",
                info.device, info.driver, info.api
            ));
            Some(device)
        }
        Err(DeviceError::Failed { call, reason }) => {
            assert!(!call.is_empty() && !reason.is_empty());
            log(format!("{api}: not run, no device: {reason}"));
            None
        }
        Err(DeviceError::OutOfMemory { bytes }) => panic!("{bytes} bytes refused"),
    }
}

/// Runs `check` in a process of its own that runs this test again, where another shared
/// library takes the name of the driver's.
#[cfg(target_os = "linux")]
pub(crate) fn run_without_library(test: &str, name: &str, check: fn()) {
    if env::var_os(CHILD).is_some() {
        check();
        return;
    }
    let maps = fs::read_to_string("/proc/self/maps").expect("the libraries of this process");
    let libraries = maps
        .lines()
        .filter_map(|line| line.split_whitespace().nth(5));
    let library = libraries
        .into_iter()
        .find(|path| path.contains("libgcc_s.so"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("empty-{name}"));
    fs::create_dir_all(&folder).expect("a folder");
    fs::copy(library.expect("libgcc_s"), folder.join(name)).expect("a copy");
    let output = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", test])
        .env(CHILD, "1")
        .env("LD_LIBRARY_PATH", &folder)
        .output()
        .expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

/// Writes a line once, past the capture of tests, which hides the output of those that pass.
#[expect(
    clippy::disallowed_methods,
    reason = "the log of CI says which devices there were"
)]
fn log(line: String) {
    let mut logged = LOGGED.lock().expect("no test panics here");
    if !logged.contains(&line) {
        let _ = writeln!(io::stderr(), "{line}");
        logged.push(line);
    }
}
