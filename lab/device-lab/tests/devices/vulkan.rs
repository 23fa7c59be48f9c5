//! The Vulkan device. Without one, each thing that is missing is a reason and no panic; with
//! one, which may be software, all calls and the cache work on it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use device_lab::{DeviceBackend, DeviceError, DriverUsage, Stream, Vulkan};

use crate::checks;
#[cfg(target_os = "linux")]
use crate::empty_library;
use crate::opened::opened;

/// One test at a time: NVIDIA's driver can wait forever if one thread destroys a device while
/// others work.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Both ways to allocate, or none without a device.
fn both() -> Vec<Vulkan> {
    let devices = [Vulkan::open(), Vulkan::open_with_gpu_allocator()];
    devices
        .into_iter()
        .filter_map(|device| opened("vulkan", device, |device| device.info().clone()))
        .collect()
}

#[test]
fn they_pass_the_checks_of_all_devices() -> Result<(), DeviceError> {
    let _turn = turn();
    let each =
        |check: fn(Vulkan) -> Result<(), DeviceError>| both().into_iter().try_for_each(check);
    each(checks::bytes_go_to_the_device_and_back)?;
    each(checks::wrong_sizes_and_streams_are_errors)?;
    each(checks::pinned_memory_goes_to_the_device_and_back)?;
    each(|mut device| {
        let stream = device.create_stream()?;
        checks::the_cache_asks_the_driver_once(device, stream)
    })?;
    let mut pairs = both().into_iter().zip(both());
    pairs.try_for_each(|(one, other)| checks::memory_of_another_device_is_an_error(one, other))
}

#[test]
fn driver_calls_are_counted_by_hand() -> Result<(), DeviceError> {
    let _turn = turn();
    let Some(mut device) = both().into_iter().next() else {
        return Ok(());
    };
    let memory = device.allocate(1_024)?;
    let usage = device.usage()?;
    // Create a buffer, ask what it needs, allocate, bind.
    assert_eq!((usage.allocations, usage.calls), (1, 4));
    assert!(usage.reserved >= 1_024);
    device.free(memory)?;
    // Destroy the buffer, free.
    let expected = DriverUsage {
        allocations: 1,
        calls: 6,
        reserved: 0,
    };
    assert_eq!(device.usage(), Ok(expected));
    Ok(())
}

#[test]
fn gpu_allocator_divides_one_block() -> Result<(), DeviceError> {
    let _turn = turn();
    let Some(mut device) = both().into_iter().nth(1) else {
        return Ok(());
    };
    let first = device.allocate(1_024)?;
    let one = device.usage()?;
    let second = device.allocate(1_024)?;
    let two = device.usage()?;
    assert_eq!((one.allocations, two.allocations), (1, 1));
    assert_eq!(one.reserved, two.reserved);
    // The buffer, what it needs, and its place in the block.
    assert_eq!(two.calls - one.calls, 3);
    device.free(first)?;
    device.free(second)?;
    // It keeps its last block.
    let usage = device.usage()?;
    assert_eq!((usage.reserved, usage.calls - two.calls), (one.reserved, 2));
    Ok(())
}

#[test]
fn streams_see_work_that_was_synchronised() -> Result<(), DeviceError> {
    let _turn = turn();
    for mut device in both() {
        let other = device.create_stream()?;
        let memory = device.allocate(4_096)?;
        for byte in 1..=3 {
            device.fill(&memory, byte, Stream::DEFAULT)?;
        }
        device.synchronise(Stream::DEFAULT)?;
        let mut contents = [0; 4_096];
        device.download(&memory, &mut contents, other)?;
        assert_eq!(contents, [3; 4_096]);
        // Without a synchronisation, which the cache would have made: the device waits.
        device.fill(&memory, 4, other)?;
        device.free(memory)?;
    }
    Ok(())
}

#[test]
fn what_vulkan_forbids_is_not_asked_of_it() -> Result<(), DeviceError> {
    let _turn = turn();
    for mut device in both() {
        let memory = device.allocate(9)?;
        device.upload(&[], &memory, Stream::DEFAULT)?;
        device.free(memory)?;
        for bytes in [u64::MAX, 1 << 60] {
            let huge = device.allocate(bytes).map(|_| ());
            assert_eq!(huge, Err(DeviceError::OutOfMemory { bytes }));
        }
    }
    Ok(())
}

/// Memory that nobody freed keeps the device.
#[test]
fn forgotten_memory_outlives_the_device() -> Result<(), DeviceError> {
    let _turn = turn();
    for mut device in both() {
        let memory = device.allocate(1_024)?;
        drop(device);
        drop(memory);
    }
    Ok(())
}

#[test]
#[cfg(target_os = "linux")]
fn a_library_without_vulkan_is_a_reason() {
    empty_library::run_with(
        "vulkan::a_library_without_vulkan_is_a_reason",
        "libvulkan.so.1",
        || {
            let missing = Vulkan::open().err().expect("no loader").to_string();
            let expected = "device unavailable: Vulkan's loader is missing; install libvulkan1 (";
            assert!(missing.starts_with(expected), "{missing}");
        },
    );
}
