//! The CUDA device. Without one, each thing that is missing is a reason and no panic; with
//! one, the cache works on it.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use device_lab::{Cache, Cuda, DeviceBackend, DeviceError, Stream};

/// Set in the process that has a driver without functions.
const CHILD: &str = "DEVICE_LAB_EMPTY_DRIVER";

#[test]
fn the_device_works_or_there_is_a_reason() -> Result<(), DeviceError> {
    let device = match Cuda::open() {
        Ok(device) => device,
        Err(DeviceError::Failed { call, reason }) => {
            assert!(call == "open" || call.starts_with("cu"), "{call}");
            assert!(!reason.is_empty());
            return Ok(());
        }
        Err(refused) => return Err(refused),
    };
    let mut cache = Cache::new(device);
    for round in 0..2_000_u32 {
        let block = cache.take(1_024, Stream::DEFAULT)?;
        let sent = round.to_le_bytes();
        let device = cache.backend();
        device.fill(block.memory(), 7, Stream::DEFAULT)?;
        device.upload(&sent, block.memory(), Stream::DEFAULT)?;
        let mut received = [0; 5];
        device.download(block.memory(), &mut received, Stream::DEFAULT)?;
        assert_eq!((&received[..4], received[4]), (&sent[..], 7));
        cache.give(block);
    }
    let counters = cache.counters();
    assert_eq!((counters.hits, counters.requests()), (1_999, 2_000));
    assert_eq!(cache.release(u64::MAX), Ok(1_024));
    Ok(())
}

/// Another shared library takes the driver's name, in a process of its own.
#[test]
#[cfg(target_os = "linux")]
fn a_driver_without_a_function_is_a_reason() {
    if env::var_os(CHILD).is_some() {
        let missing = Cuda::open().expect_err("no driver");
        let expected =
            "`open` failed on the device: the CUDA driver has no function `cuCtxSetCurrent`";
        assert_eq!(missing.to_string(), expected);
        return;
    }
    let maps = fs::read_to_string("/proc/self/maps").expect("the libraries of this process");
    let library = maps
        .lines()
        .filter_map(|line| line.split_whitespace().nth(5));
    let library = library
        .into_iter()
        .find(|path| path.contains("libgcc_s.so"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty-driver");
    fs::create_dir_all(&folder).expect("a folder");
    fs::copy(library.expect("libgcc_s"), folder.join("libcuda.so")).expect("a copy");
    let output = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", "a_driver_without_a_function_is_a_reason"])
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
