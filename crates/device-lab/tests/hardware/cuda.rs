//! The CUDA device. Without one, each thing that is missing is a reason and no panic; with
//! one, both ways to allocate and the cache work on it.

use device_lab::{Cache, Cuda, DeviceBackend, DeviceError, Stream};

use crate::opened::{opened, run_without_library};

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
fn the_cache_asks_the_driver_once() {
    for device in both() {
        let mut cache = Cache::new(device);
        for round in 0..2_000_u32 {
            let block = cache.take(1_024, Stream::DEFAULT).expect("room");
            let sent = round.to_le_bytes();
            let device = cache.backend();
            device
                .fill(block.memory(), 7, Stream::DEFAULT)
                .expect("a device");
            device
                .upload(&sent, block.memory(), Stream::DEFAULT)
                .expect("a device");
            let mut received = [0; 5];
            device
                .download(block.memory(), &mut received, Stream::DEFAULT)
                .expect("a device");
            assert_eq!((&received[..4], received[4]), (&sent[..], 7));
            cache.give(block);
        }
        let counters = cache.counters();
        assert_eq!((counters.hits, counters.requests()), (1_999, 2_000));
        let usage = cache.backend().usage().expect("a device");
        assert_eq!((usage.allocations, usage.calls), (1, 1));
        assert_eq!(cache.release(u64::MAX), Ok(1_024));
    }
}

#[test]
fn pinned_memory_goes_to_the_device_and_back() {
    for mut device in both() {
        let memory = device.allocate(1 << 20).expect("room");
        let mut sent = device.pin(1 << 20).expect("room");
        let mut received = device.pin(1 << 20).expect("room");
        for (index, byte) in sent.iter_mut().enumerate() {
            *byte = (index % 251) as u8;
        }
        device
            .upload(&sent, &memory, Stream::DEFAULT)
            .expect("a device");
        device
            .download(&memory, &mut received, Stream::DEFAULT)
            .expect("a device");
        assert!(received[..] == sent[..]);
        device.free(memory).expect("a device");
    }
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
    run_without_library(
        "cuda::a_driver_without_a_function_is_a_reason",
        "libcuda.so",
        || {
            let missing = Cuda::open().expect_err("no driver");
            let expected =
                "`open` failed on the device: the CUDA driver has no function `cuCtxSetCurrent`";
            assert_eq!(missing.to_string(), expected);
        },
    );
}
