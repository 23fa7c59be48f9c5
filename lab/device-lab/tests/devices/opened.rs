//! Opens devices for tests, and says in the log which one it was or why there is none.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, Write as _};
use std::sync::Mutex;

use device_lab::{DeviceError, DeviceInfo};

/// The lines that are in the log.
static LOGGED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The interfaces that must have a device, such as `vulkan` or `cuda,vulkan`.
const REQUIRED: &str = "DEVICE_LAB_REQUIRE";

/// The device. None if it is missing and not required; the reason is then in the log.
pub(crate) fn opened<D>(
    api: &str,
    device: Result<D, DeviceError>,
    info: impl Fn(&D) -> DeviceInfo,
) -> Option<D> {
    match device {
        Ok(device) => {
            log(format!("{api}: ran on {}", info(&device)));
            Some(device)
        }
        Err(DeviceError::Unavailable { reason }) => {
            assert!(!reason.is_empty());
            assert!(!is_required(api), "{REQUIRED} names {api}: {reason}");
            log(format!("{api}: not run, no device: {reason}"));
            None
        }
        Err(error @ (DeviceError::OutOfMemory { .. } | DeviceError::Failed { .. })) => {
            panic!("{api}: {error}")
        }
    }
}

fn is_required(api: &str) -> bool {
    let required = env::var(REQUIRED).unwrap_or_default();
    required.split(',').any(|name| name == api)
}

/// Writes a line once, past the capture of tests, which hides the output of those that pass.
#[expect(
    clippy::disallowed_methods,
    reason = "the log of CI says which devices there were"
)]
fn log(line: String) {
    let mut logged = LOGGED.lock().expect("no test panics here");
    if logged.insert(line.clone()) {
        let _ = writeln!(io::stderr(), "{line}");
    }
}
