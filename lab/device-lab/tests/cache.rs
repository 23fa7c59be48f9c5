//! The cache on the fake device: every count, by hand. `model.rs` has the order of streams.

use device_lab::{
    Block, Cache, Counters, DeviceBackend, DeviceError, Fake, FakeMemory, Misuse, Stream,
};

const KIB: u64 = 1 << 10;
const GIB: u64 = 1 << 30;

/// A cache on a device that is large enough.
fn cache() -> Cache<Fake> {
    Cache::new(Fake::new(GIB))
}

fn take(cache: &mut Cache<Fake>, bytes: u64, stream: Stream) -> Block<FakeMemory> {
    cache.take(bytes, stream).expect("a block")
}

/// Takes a block for the stream, enqueues work on it, and gives it back.
fn work(cache: &mut Cache<Fake>, bytes: u64, stream: Stream) {
    let block = take(cache, bytes, stream);
    fill(cache, &block, stream);
    cache.give(block);
}

fn fill(cache: &mut Cache<Fake>, block: &Block<FakeMemory>, stream: Stream) {
    let filled = cache.backend().fill(block.memory(), 1, stream);
    filled.expect("the device is not lost");
}

/// Hits and requests.
fn hit_rate(cache: &Cache<Fake>) -> (u64, u64) {
    (cache.counters().hits, cache.counters().requests())
}

/// All memory goes back to the device, and no synchronisation was missing.
fn close(cache: Cache<Fake>) {
    let device = cache.into_backend().expect("a device that is not lost");
    assert_eq!(device.used(), 0);
    assert_eq!(device.misuse(), Misuse::default());
}

#[test]
fn requests_of_one_class_share_blocks() {
    let mut cache = cache();
    // 1,025 to 1,280 bytes are one class.
    for bytes in [1_025, 1_280, 1_100] {
        work(&mut cache, bytes, Stream::DEFAULT);
    }
    assert_eq!(hit_rate(&cache), (2, 3));
    for bytes in [1_024, 1_281] {
        work(&mut cache, bytes, Stream::DEFAULT);
    }
    assert_eq!(hit_rate(&cache), (2, 5));
    // Classes of 1,280, 1,024 and 1,536.
    assert_eq!(cache.counters().reserved, 3_840);
    close(cache);
}

#[test]
fn bytes_reserved_in_use_and_requested_are_exact() {
    let mut cache = cache();
    let small = take(&mut cache, 100, Stream::DEFAULT);
    let large = take(&mut cache, 1_100, Stream::DEFAULT);
    assert_eq!((small.requested(), small.size()), (100, 512));
    assert_eq!((large.requested(), large.size()), (1_100, 1_280));
    cache.give(large);
    let again = take(&mut cache, 200, Stream::DEFAULT);
    let expected = Counters {
        hits: 0,
        misses: 3,
        refused: 0,
        released: 0,
        reserved: 512 + 1_280 + 512,
        reserved_peak: 512 + 1_280 + 512,
        in_use: 512 + 512,
        in_use_peak: 512 + 1_280,
        requested: 100 + 200,
    };
    assert_eq!(cache.counters(), expected);
    cache.give(small);
    cache.give(again);
    // One block of 512 bytes is enough, and the first given back is released first.
    assert_eq!(cache.release(1), Ok(1_280));
    let expected = Counters {
        released: 1,
        reserved: 512 + 512,
        in_use: 0,
        requested: 0,
        ..expected
    };
    assert_eq!(cache.counters(), expected);
    assert_eq!(cache.backend().used(), 1_024);
    close(cache);
}

#[test]
fn another_stream_reuses_a_block_only_after_its_work_is_synchronised() -> Result<(), DeviceError> {
    let mut cache = cache();
    let other = cache.backend().create_stream()?;
    work(&mut cache, KIB, Stream::DEFAULT);
    work(&mut cache, KIB, other);
    assert_eq!(hit_rate(&cache), (0, 2), "its work may be unfinished");

    // The wrong stream.
    cache.synchronise(other)?;
    let (first, second) = (take(&mut cache, KIB, other), take(&mut cache, KIB, other));
    assert_eq!(hit_rate(&cache), (1, 4));
    cache.give(first);
    cache.give(second);

    cache.synchronise(other)?;
    cache.synchronise(Stream::DEFAULT)?;
    let blocks: Vec<_> = (0..3).map(|_| take(&mut cache, KIB, other)).collect();
    assert_eq!(hit_rate(&cache), (4, 7), "of both streams");
    for block in blocks {
        fill(&mut cache, &block, other);
        cache.give(block);
    }
    close(cache);
    Ok(())
}

#[test]
fn a_refusal_of_the_device_releases_cached_blocks() {
    let mut cache = Cache::new(Fake::new(4 * KIB));
    for bytes in [KIB, 2 * KIB, 512] {
        work(&mut cache, bytes, Stream::DEFAULT);
    }
    // As much as the request is released: 1,024 and 2,048 bytes.
    let block = take(&mut cache, 1_536, Stream::DEFAULT);
    let counters = cache.counters();
    assert_eq!((counters.misses, counters.refused), (4, 0));
    assert_eq!((counters.released, counters.reserved), (2, 512 + 1_536));
    assert_eq!(cache.backend().calls().allocate, 5);
    // Nothing is left to release after the block of 512 bytes.
    let refused = cache.take(4 * KIB, Stream::DEFAULT).map(|_| ());
    assert_eq!(refused, Err(DeviceError::OutOfMemory { bytes: 4 * KIB }));
    let counters = cache.counters();
    assert_eq!((counters.released, counters.refused), (3, 1));
    assert_eq!(counters.requests(), 5);
    cache.give(block);
    close(cache);
}

#[test]
fn a_lost_device_is_an_error_and_no_panic() {
    let mut cache = cache();
    work(&mut cache, KIB, Stream::DEFAULT);
    cache.backend().lose();
    let lost = |call| DeviceError::Failed {
        call,
        reason: "the device was lost".to_owned(),
    };
    let missed = cache.take(2 * KIB, Stream::DEFAULT).map(|_| ());
    assert_eq!(missed, Err(lost("allocate")));
    // The cached block has to be finished first.
    assert_eq!(cache.release(1), Err(lost("synchronise")));
    let counters = cache.counters();
    assert_eq!((counters.refused, counters.released), (1, 0));
    assert_eq!(counters.reserved, KIB);
    let block = take(&mut cache, KIB, Stream::DEFAULT);
    assert_eq!(cache.counters().hits, 1, "a hit needs no call");
    cache.give(block);
    assert_eq!(cache.into_backend().map(|_| ()), Err(lost("synchronise")));
}

#[test]
fn a_block_that_was_not_freed_stays_reserved() {
    let mut cache = cache();
    work(&mut cache, 3 * KIB, Stream::DEFAULT);
    // Another device, which can't free the cached block.
    *cache.backend() = Fake::new(GIB);
    let reason = "the memory is of another device".to_owned();
    let call = "free";
    assert_eq!(cache.release(1), Err(DeviceError::Failed { call, reason }));
    let counters = cache.counters();
    assert_eq!((counters.reserved, counters.released), (3 * KIB, 0));
}
