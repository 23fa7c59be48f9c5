//! Checks that each device has to pass.

use device_lab::{Cache, DeviceBackend, DeviceError, Stream};

pub(crate) fn the_cache_asks_the_driver_once<B: DeviceBackend>(
    device: B,
    stream: Stream,
) -> Result<(), DeviceError> {
    let mut cache = Cache::new(device);
    for round in 0..2_000_u32 {
        let block = cache.take(1_024, stream)?;
        let sent = round.to_le_bytes();
        let device = cache.backend();
        device.fill(block.memory(), 7, stream)?;
        device.upload(&sent, block.memory(), stream)?;
        let mut received = [0; 5];
        device.download(block.memory(), &mut received, stream)?;
        assert_eq!((&received[..4], received[4]), (&sent[..], 7));
        cache.give(block);
    }
    let counters = cache.counters();
    assert_eq!((counters.hits, counters.requests()), (1_999, 2_000));
    assert_eq!(cache.backend().usage()?.allocations, 1);
    assert_eq!(cache.release(u64::MAX), Ok(1_024));
    Ok(())
}

pub(crate) fn pinned_memory_goes_to_the_device_and_back<B: DeviceBackend>(
    mut device: B,
) -> Result<(), DeviceError> {
    let memory = device.allocate(1 << 20)?;
    let mut sent = device.pin(1 << 20)?;
    let mut received = device.pin((1 << 20) + 3)?;
    assert!(sent.iter().all(|byte| *byte == 0));
    for (index, byte) in sent.iter_mut().enumerate() {
        *byte = (index % 251) as u8;
    }
    device.upload(&sent, &memory, Stream::DEFAULT)?;
    // In the middle of it.
    device.download(&memory, &mut received[3..], Stream::DEFAULT)?;
    assert_eq!(received[..3], [0; 3]);
    assert!(received[3..] == sent[..]);
    device.free(memory)?;
    // It outlives the device.
    drop(device);
    assert_eq!(sent[250], 250);
    Ok(())
}

pub(crate) fn bytes_go_to_the_device_and_back<B: DeviceBackend>(
    mut device: B,
) -> Result<(), DeviceError> {
    let memory = device.allocate(9)?;
    device.fill(&memory, 7, Stream::DEFAULT)?;
    device.upload(&[1, 2, 3], &memory, Stream::DEFAULT)?;
    let mut contents = [0; 9];
    device.download(&memory, &mut contents, Stream::DEFAULT)?;
    assert_eq!(contents, [1, 2, 3, 7, 7, 7, 7, 7, 7]);
    device.free(memory)
}

pub(crate) fn wrong_sizes_and_streams_are_errors<B: DeviceBackend>(
    mut device: B,
) -> Result<(), DeviceError> {
    let memory = device.allocate(2)?;
    let errors = [
        device.upload(&[0; 3], &memory, Stream::DEFAULT),
        device.download(&memory, &mut [0; 3], Stream::DEFAULT),
    ];
    assert_eq!(errors.map(reason), ["the memory is too small"; 2]);
    let missing = Stream::from_number(1);
    let errors = [
        device.synchronise(missing),
        device.fill(&memory, 0, missing),
    ];
    assert_eq!(errors.map(reason), ["there is no such stream"; 2]);
    device.free(memory)
}

pub(crate) fn memory_of_another_device_is_an_error<B: DeviceBackend>(
    mut device: B,
    mut other: B,
) -> Result<(), DeviceError> {
    let own = device.allocate(8)?;
    let foreign = other.allocate(8)?;
    let errors = [
        device.fill(&foreign, 0, Stream::DEFAULT),
        device.upload(&[0; 8], &foreign, Stream::DEFAULT),
        device.free(foreign),
    ];
    assert_eq!(errors.map(reason), ["the memory is of another device"; 3]);
    device.free(own)
}

fn reason(result: Result<(), DeviceError>) -> String {
    match result {
        Err(DeviceError::Failed { reason, .. }) => reason,
        other => panic!("no failure: {other:?}"),
    }
}
