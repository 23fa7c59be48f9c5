//! The fake device: contents, times, refusals, and the mistakes that it finds.

use std::time::Duration;

use device_lab::{DeviceBackend, DeviceError, Fake, Latency, Misuse, Stream};

fn failed(call: &'static str, reason: &str) -> Result<(), DeviceError> {
    Err(DeviceError::Failed {
        call,
        reason: reason.to_owned(),
    })
}

#[test]
fn contents_go_to_the_device_and_back() {
    let mut device = Fake::new(64);
    let first = device.allocate(8).expect("room");
    let second = device.allocate(8).expect("room");
    device.fill(&first, 7, Stream::DEFAULT).expect("a device");
    device
        .upload(&[1, 2, 3], &first, Stream::DEFAULT)
        .expect("a device");
    device
        .copy(&first, &second, 5, Stream::DEFAULT)
        .expect("a device");
    let mut contents = [0; 8];
    device
        .download(&second, &mut contents, Stream::DEFAULT)
        .expect("a device");
    assert_eq!(contents, [1, 2, 3, 7, 7, 0xCD, 0xCD, 0xCD]);
    assert_eq!(device.misuse(), Misuse::default());
}

#[test]
fn work_beyond_the_end_of_memory_is_an_error() {
    let mut device = Fake::new(64);
    let small = device.allocate(2).expect("room");
    let large = device.allocate(3).expect("room");
    let too_small = "the memory is too small";
    let stream = Stream::DEFAULT;
    assert_eq!(
        device.copy(&large, &small, 3, stream),
        failed("copy", too_small)
    );
    assert_eq!(
        device.copy(&small, &large, 3, stream),
        failed("copy", too_small)
    );
    assert_eq!(
        device.upload(&[0; 3], &small, stream),
        failed("upload", too_small)
    );
    assert_eq!(
        device.download(&small, &mut [0; 3], stream),
        failed("download", too_small)
    );
}

#[test]
fn streams_and_memory_of_another_device_are_errors() {
    let mut device = Fake::new(64);
    let mut other = Fake::new(64);
    let stream = other.create_stream().expect("a stream");
    // Both have the same address, and are not equal.
    let own = device.allocate(8).expect("room");
    let memory = other.allocate(8).expect("room");
    assert_eq!(own.address(), memory.address());
    assert_eq!(
        device.synchronise(stream),
        failed("synchronise", "there is no such stream")
    );
    let foreign = "the memory is of another device";
    assert_eq!(
        device.fill(&memory, 0, Stream::DEFAULT),
        failed("fill", foreign)
    );
    assert_eq!(
        device.copy(&own, &memory, 8, Stream::DEFAULT),
        failed("copy", foreign)
    );
    assert_eq!(device.free(memory), failed("free", foreign));
    assert_eq!((device.used(), other.used()), (8, 8));
}

#[test]
fn capacity_and_injected_refusals_are_refusals() {
    let mut device = Fake::new(10);
    device.refuse(1..2);
    let refused = |bytes| Err(DeviceError::OutOfMemory { bytes });
    let memory = device.allocate(10).expect("room");
    assert_eq!(device.allocate(0), refused(0), "injected");
    assert_eq!(device.allocate(1), refused(1), "full");
    assert_eq!(device.used(), 10);
    device.free(memory).expect("a device");
    assert!(device.allocate(10).is_ok());
    assert_eq!((device.calls().allocate, device.calls().free), (4, 1));
}

#[test]
fn work_of_two_streams_without_order_is_found() {
    let mut device = Fake::new(64);
    let other = device.create_stream().expect("a stream");
    let memory = device.allocate(8).expect("room");
    device.fill(&memory, 1, Stream::DEFAULT).expect("a device");
    device.fill(&memory, 2, Stream::DEFAULT).expect("a device");
    assert_eq!(device.misuse().unordered, 0, "one stream has an order");
    device.fill(&memory, 3, other).expect("a device");
    assert_eq!(device.misuse().unordered, 1);
    device.synchronise(other).expect("a device");
    device.synchronise(Stream::DEFAULT).expect("a device");
    device.fill(&memory, 4, other).expect("a device");
    assert_eq!(device.misuse().unordered, 1, "the host waited");
}

#[test]
fn memory_freed_below_unfinished_work_is_found() {
    let mut device = Fake::new(64);
    let memory = device.allocate(8).expect("room");
    device.fill(&memory, 1, Stream::DEFAULT).expect("a device");
    device.synchronise(Stream::DEFAULT).expect("a device");
    device.free(memory).expect("a device");
    assert_eq!(device.misuse().freed_early, 0);
    let memory = device.allocate(8).expect("room");
    device.fill(&memory, 1, Stream::DEFAULT).expect("a device");
    device.free(memory).expect("a device");
    assert_eq!(device.misuse().freed_early, 1);
}

#[test]
fn work_runs_beside_the_host_until_it_is_synchronised() {
    let micros = Duration::from_micros;
    let mut device = Fake::new(1 << 20).with_latency(Latency {
        allocate: micros(10),
        free: micros(5),
        enqueue: micros(2),
        work_per_kib: micros(3),
    });
    let other = device.create_stream().expect("a stream");
    let memory = device.allocate(4_096).expect("room");
    let small = device.allocate(1_025).expect("room");
    assert_eq!(device.now(), micros(20));
    // 4 KiB end at 22 + 12; 2 begun KiB beside them at 24 + 6.
    device.fill(&memory, 0, Stream::DEFAULT).expect("a device");
    device.fill(&small, 0, other).expect("a device");
    assert_eq!(device.now(), micros(24));
    device.synchronise(other).expect("a device");
    assert_eq!(device.now(), micros(30));
    // Behind the work of its own stream, until 34 + 3.
    device
        .download(&memory, &mut [0; 1_024], Stream::DEFAULT)
        .expect("a device");
    assert_eq!(device.now(), micros(37));
    device.synchronise(Stream::DEFAULT).expect("a device");
    device.free(memory).expect("a device");
    assert_eq!(device.now(), micros(42));
}

#[test]
fn errors_name_the_call_and_the_reason() {
    let mut device = Fake::new(4);
    let refused = device.allocate(5).expect_err("too large");
    assert_eq!(
        refused.to_string(),
        "out of device memory: 5 bytes were refused"
    );
    device.lose();
    let lost = device.create_stream().expect_err("lost");
    assert_eq!(
        lost.to_string(),
        "`create_stream` failed on the device: the device was lost"
    );
}
