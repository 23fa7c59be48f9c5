//! The fake device: contents, refusals, and the mistakes that it finds.

use device_lab::{DeviceBackend, DeviceError, Fake, Misuse, Stream};

fn failed(call: &'static str, reason: &str) -> Result<(), DeviceError> {
    Err(DeviceError::Failed {
        call,
        reason: reason.to_owned(),
    })
}

#[test]
fn contents_go_to_the_device_and_back() -> Result<(), DeviceError> {
    let mut device = Fake::new(64);
    let first = device.allocate(8)?;
    let second = device.allocate(8)?;
    device.fill(&first, 7, Stream::DEFAULT)?;
    device.upload(&[1, 2, 3], &first, Stream::DEFAULT)?;
    device.copy(&first, &second, 5, Stream::DEFAULT)?;
    let mut contents = [0; 8];
    device.download(&second, &mut contents, Stream::DEFAULT)?;
    assert_eq!(contents, [1, 2, 3, 7, 7, 0xCD, 0xCD, 0xCD]);
    assert_eq!(device.misuse(), Misuse::default());
    Ok(())
}

#[test]
fn work_beyond_the_end_of_memory_is_an_error() -> Result<(), DeviceError> {
    let mut device = Fake::new(64);
    let small = device.allocate(2)?;
    let large = device.allocate(3)?;
    let stream = Stream::DEFAULT;
    let errors = [
        device.copy(&large, &small, 3, stream),
        device.copy(&small, &large, 3, stream),
        device.upload(&[0; 3], &small, stream),
        device.download(&small, &mut [0; 3], stream),
    ];
    let calls = ["copy", "copy", "upload", "download"];
    assert_eq!(
        errors,
        calls.map(|call| failed(call, "the memory is too small"))
    );
    Ok(())
}

#[test]
fn streams_and_memory_of_another_device_are_errors() -> Result<(), DeviceError> {
    let mut device = Fake::new(64);
    let mut other = Fake::new(64);
    let stream = other.create_stream()?;
    // Both have the same address, and are not equal.
    let own = device.allocate(8)?;
    let memory = other.allocate(8)?;
    assert_eq!(own.address(), memory.address());
    let missing = failed("synchronise", "there is no such stream");
    assert_eq!(device.synchronise(stream), missing);
    let errors = [
        device.fill(&memory, 0, Stream::DEFAULT),
        device.copy(&own, &memory, 8, Stream::DEFAULT),
        device.free(memory),
    ];
    let calls = ["fill", "copy", "free"];
    assert_eq!(
        errors,
        calls.map(|call| failed(call, "the memory is of another device"))
    );
    assert_eq!((device.used(), other.used()), (8, 8));
    Ok(())
}

#[test]
fn capacity_and_injected_refusals_are_refusals() -> Result<(), DeviceError> {
    let mut device = Fake::new(10);
    device.refuse(1..2);
    let refused = |bytes| Err(DeviceError::OutOfMemory { bytes });
    let memory = device.allocate(10)?;
    assert_eq!(device.allocate(0), refused(0), "injected");
    assert_eq!(device.allocate(1), refused(1), "full");
    assert_eq!(device.used(), 10);
    device.free(memory)?;
    assert!(device.allocate(10).is_ok());
    assert_eq!((device.calls().allocate, device.calls().free), (4, 1));
    Ok(())
}

#[test]
fn work_of_two_streams_without_order_is_found() -> Result<(), DeviceError> {
    let mut device = Fake::new(64);
    let other = device.create_stream()?;
    let memory = device.allocate(8)?;
    device.fill(&memory, 1, Stream::DEFAULT)?;
    device.fill(&memory, 2, Stream::DEFAULT)?;
    assert_eq!(device.misuse().unordered, 0, "one stream has an order");
    device.fill(&memory, 3, other)?;
    assert_eq!(device.misuse().unordered, 1);
    device.synchronise(other)?;
    device.synchronise(Stream::DEFAULT)?;
    device.fill(&memory, 4, other)?;
    assert_eq!(device.misuse().unordered, 1, "the host waited");
    Ok(())
}

#[test]
fn memory_freed_below_unfinished_work_is_found() -> Result<(), DeviceError> {
    let mut device = Fake::new(64);
    let memory = device.allocate(8)?;
    device.fill(&memory, 1, Stream::DEFAULT)?;
    device.synchronise(Stream::DEFAULT)?;
    device.free(memory)?;
    assert_eq!(device.misuse().freed_early, 0);
    let memory = device.allocate(8)?;
    device.fill(&memory, 1, Stream::DEFAULT)?;
    device.free(memory)?;
    assert_eq!(device.misuse().freed_early, 1);
    Ok(())
}

#[test]
fn errors_name_the_call_and_the_reason() {
    let mut device = Fake::new(4);
    let refused = device.allocate(5).map_err(|error| error.to_string());
    assert_eq!(
        refused,
        Err("out of device memory: 5 bytes were refused".to_owned())
    );
    device.lose();
    let lost = device.create_stream().map_err(|error| error.to_string());
    let expected = "`create_stream` failed on the device: the device was lost";
    assert_eq!(lost, Err(expected.to_owned()));
}
