//! The fake device: refusals, and the mistakes that it finds.

use device_lab::{DeviceBackend, DeviceError, Fake, Stream};

use crate::checks;

#[test]
fn it_passes_the_checks_of_all_devices() -> Result<(), DeviceError> {
    let fake = || Fake::new(4 << 20);
    checks::bytes_go_to_the_device_and_back(fake())?;
    checks::wrong_sizes_and_streams_are_errors(fake())?;
    checks::memory_of_another_device_is_an_error(fake(), fake())?;
    checks::pinned_memory_goes_to_the_device_and_back(fake())?;
    checks::the_cache_asks_the_driver_once(fake(), Stream::DEFAULT)
}

#[test]
fn capacity_and_injected_refusals_are_refusals() -> Result<(), DeviceError> {
    let mut device = Fake::new(10);
    device.refuse([1]);
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
