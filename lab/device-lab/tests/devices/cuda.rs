//! The CUDA device. Without one, each thing that is missing is a reason and no panic; with
//! one, both ways to allocate and the cache work on it.

use device_lab::{Cuda, DeviceBackend, DeviceError, Stream};

use crate::checks;
#[cfg(target_os = "linux")]
use crate::empty_library;
use crate::opened::opened;

/// Both ways to allocate, as far as the device has them.
fn both() -> Vec<Cuda> {
    let devices = [
        ("cuda", Cuda::open()),
        ("cuda pool", Cuda::open_with_pool()),
    ];
    devices
        .into_iter()
        .filter_map(|(api, device)| opened(api, device, |device| device.info().clone()))
        .collect()
}

#[test]
fn they_pass_the_checks_of_all_devices() -> Result<(), DeviceError> {
    let each = |check: fn(Cuda) -> Result<(), DeviceError>| both().into_iter().try_for_each(check);
    each(checks::bytes_go_to_the_device_and_back)?;
    each(checks::wrong_sizes_and_streams_are_errors)?;
    each(checks::pinned_memory_goes_to_the_device_and_back)?;
    each(|device| checks::the_cache_asks_the_driver_once(device, Stream::DEFAULT))
}

#[test]
fn one_request_is_one_call_of_the_driver() -> Result<(), DeviceError> {
    for mut device in both() {
        let memory = device.allocate(1_024)?;
        let usage = device.usage()?;
        assert_eq!((usage.allocations, usage.calls), (1, 1));
        device.free(memory)?;
        let usage = device.usage()?;
        assert_eq!((usage.allocations, usage.calls), (1, 2));
    }
    Ok(())
}

#[test]
fn a_pool_serves_one_stream() {
    if let Some(mut device) = both().into_iter().nth(1) {
        let refused = Err(DeviceError::Failed {
            call: "cuStreamCreate",
            reason: "memory of the pool is for the default stream alone".to_owned(),
        });
        assert_eq!(device.create_stream(), refused);
    }
}

/// Another shared library takes the driver's name, in a process of its own.
#[test]
#[cfg(target_os = "linux")]
fn a_driver_without_a_function_is_a_reason() {
    empty_library::run_with(
        "cuda::a_driver_without_a_function_is_a_reason",
        "libcuda.so",
        || {
            let missing = Cuda::open().expect_err("no driver");
            let reason = "the CUDA driver has no function `cuCtxSetCurrent`".to_owned();
            assert_eq!(missing, DeviceError::Unavailable { reason });
        },
    );
}
