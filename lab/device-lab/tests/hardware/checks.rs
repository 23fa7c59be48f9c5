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
