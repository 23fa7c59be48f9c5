//! The fake device, and Vulkan and CUDA on this machine: all pass the same checks. A driver or a
//! device that is missing is a reason, and the log says which devices there were.

use std::env;
use std::io::{self, Write as _};

use device_lab::{Cache, Cuda, Device, DeviceError, Vulkan};

use crate::fake::Fake;

/// The interfaces that must have a device, such as `vulkan` or `cuda,vulkan`.
const REQUIRED: &str = "DEVICE_LAB_REQUIRE";

#[test]
fn the_fake_device_passes_the_checks() -> Result<(), DeviceError> {
    check(Fake::new(4 << 20))?;
    check_pinned(Fake::new(4 << 20))
}

#[test]
fn cuda_passes_the_checks() -> Result<(), DeviceError> {
    let ways: [(_, fn() -> _); 2] = [
        ("cuda", Cuda::open),
        // A device may have no pools.
        ("cuda pool", Cuda::open_with_pool),
    ];
    for (name, open) in ways {
        if let Some(device) = opened(name, open()) {
            check(device)?;
            check_pinned(open()?)?;
        }
    }
    Ok(())
}

/// In one test: NVIDIA's driver can wait forever if one thread destroys a device while others work.
#[test]
fn vulkan_passes_the_checks() -> Result<(), DeviceError> {
    let Some(device) = opened("vulkan", Vulkan::open()) else {
        return Ok(());
    };
    check(device)?;
    let mut device = Vulkan::open()?;
    for bytes in [1 << 60, u64::MAX] {
        let huge = device.allocate(bytes).map(drop);
        assert_eq!(huge, Err(DeviceError::OutOfMemory));
    }
    assert_eq!(device.usage()?.reserved, 0);
    let mut other = Vulkan::open()?;
    let foreign = other.allocate(8)?;
    let errors = [
        device.upload(&[0; 8], &foreign),
        device.download(&foreign, &mut [0; 8]),
        device.free(foreign),
    ];
    assert_eq!(errors.map(reason), ["the memory is of another device"; 3]);
    // Memory that nobody freed keeps the device.
    let memory = device.allocate(1_024)?;
    drop(device);
    drop(memory);
    Ok(())
}

fn check<D: Device>(mut device: D) -> Result<(), DeviceError> {
    let before = device.usage()?;
    let memory = device.allocate(1_001)?;
    let usage = device.usage()?;
    let asked = (usage.allocations - before.allocations, usage.calls);
    assert_eq!(asked, (1, before.calls + D::CALLS[0]));
    // The driver may have had room in memory that it keeps.
    assert!(usage.reserved >= before.reserved);
    let sent: Vec<_> = (0..1_001).map(|index| (index % 251) as u8).collect();
    device.upload(&sent, &memory)?;
    device.upload(&[7; 3], &memory)?;
    device.upload(&[], &memory)?;
    let mut received = vec![0; 1_001];
    device.download(&memory, &mut received)?;
    assert_eq!((&received[..3], &received[3..]), (&[7; 3][..], &sent[3..]));
    let errors = [
        device.upload(&[0; 1_002], &memory),
        device.download(&memory, &mut [0; 1_002]),
    ];
    assert_eq!(errors.map(reason), ["the memory is too small"; 2]);
    let before = device.usage()?;
    device.free(memory)?;
    device.synchronise()?;
    let usage = device.usage()?;
    assert_eq!(usage.allocations, before.allocations);
    assert_eq!(usage.calls, before.calls + D::CALLS[1]);
    the_cache_asks_the_driver_once(device)
}

fn the_cache_asks_the_driver_once<D: Device>(device: D) -> Result<(), DeviceError> {
    let mut cache = Cache::new(device);
    let before = cache.device().usage()?;
    for round in 0..2_000_u32 {
        let block = cache.take(1_024)?;
        let sent = round.to_le_bytes();
        cache.device().upload(&sent, block.memory())?;
        let mut received = [0; 4];
        cache.device().download(block.memory(), &mut received)?;
        assert_eq!(received, sent);
        cache.give(block);
    }
    assert_eq!((cache.hits(), cache.misses()), (1_999, 1));
    let allocations = cache.device().usage()?.allocations;
    assert_eq!(allocations, before.allocations + 1);
    cache.release()
}

fn check_pinned<D: Device>(mut device: D) -> Result<(), DeviceError> {
    let memory = device.allocate(1 << 20)?;
    let mut sent = device.pin(1 << 20)?;
    let mut received = device.pin((1 << 20) + 3)?;
    assert!(sent.iter().all(|byte| *byte == 0));
    for (index, byte) in sent.iter_mut().enumerate() {
        *byte = (index % 251) as u8;
    }
    device.upload(&sent, &memory)?;
    // In the middle of it.
    device.download(&memory, &mut received[3..])?;
    assert_eq!(received[..3], [0; 3]);
    assert!(received[3..] == sent[..]);
    device.free(memory)?;
    // It outlives the device.
    drop(device);
    assert_eq!(sent[250], 250);
    Ok(())
}

fn reason(result: Result<(), DeviceError>) -> String {
    match result {
        Err(DeviceError::Failed { reason, .. }) => reason,
        other => panic!("no failure: {other:?}"),
    }
}

/// The device. None if it is missing and not required; the reason is then in the log.
fn opened<D: Device>(api: &str, device: Result<D, DeviceError>) -> Option<D> {
    match device {
        Ok(device) => {
            log(&format!("{api}: ran on {}", device.name()));
            Some(device)
        }
        Err(DeviceError::Unavailable { reason }) => {
            let required = env::var(REQUIRED).unwrap_or_default();
            let is_required = required.split(',').any(|name| name == api);
            assert!(!is_required, "{REQUIRED} names {api}: {reason}");
            assert!(!reason.is_empty());
            log(&format!("{api}: not run, no device: {reason}"));
            None
        }
        Err(error @ (DeviceError::OutOfMemory | DeviceError::Failed { .. })) => {
            panic!("{api}: {error}")
        }
    }
}

/// Writes a line past the capture of tests, which hides the output of those that pass.
#[expect(
    clippy::disallowed_methods,
    reason = "the log of CI says which devices there were"
)]
fn log(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Another shared library takes the names of the drivers, in a process of its own.
#[test]
#[cfg(target_os = "linux")]
fn libraries_without_the_functions_of_a_driver_are_reasons() {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    /// Set in the process.
    const CHILD: &str = "DEVICE_LAB_EMPTY_LIBRARIES";
    if env::var_os(CHILD).is_some() {
        let missing = [Vulkan::open().map(drop), Cuda::open().map(drop)];
        let [vulkan, cuda] = missing.map(|opened| opened.expect_err("no driver").to_string());
        let expected = "device unavailable: Vulkan's loader is missing; install libvulkan1 (";
        assert!(vulkan.starts_with(expected), "{vulkan}");
        let expected =
            "device unavailable: the CUDA driver has no function `cuMemAllocFromPoolAsync`";
        assert_eq!(cuda, expected);
        return;
    }
    let maps = fs::read_to_string("/proc/self/maps").expect("the libraries of this process");
    let mut libraries = maps
        .lines()
        .filter_map(|line| line.split_whitespace().nth(5));
    let library = libraries.find(|path| path.contains("libgcc_s.so"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty-libraries");
    fs::create_dir_all(&folder).expect("a folder");
    for name in ["libcuda.so", "libvulkan.so.1"] {
        fs::copy(library.expect("libgcc_s"), folder.join(name)).expect("a copy");
    }
    let test = "devices::libraries_without_the_functions_of_a_driver_are_reasons";
    let output = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", test])
        .env(CHILD, "1")
        .env("LD_LIBRARY_PATH", &folder)
        .output()
        .expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    let is_passed = output.status.success() && text.contains("1 passed");
    assert!(is_passed, "{text}");
}
