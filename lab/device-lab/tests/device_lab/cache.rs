//! The cache: every hit, miss and call of the device, by hand.

use device_lab::{Cache, DeviceError, size_class};

use crate::fake::{Fake, failed};

const KIB: u64 = 1 << 10;

/// Takes blocks, and then gives all of them back.
fn work(cache: &mut Cache<Fake>, sizes: &[u64]) -> Result<(), DeviceError> {
    let blocks: Result<Vec<_>, _> = sizes.iter().map(|bytes| cache.take(*bytes)).collect();
    blocks?.into_iter().for_each(|block| cache.give(block));
    Ok(())
}

fn hits_and_misses(cache: &Cache<Fake>) -> (u64, u64) {
    (cache.hits(), cache.misses())
}

#[test]
fn requests_of_one_class_share_blocks() -> Result<(), DeviceError> {
    let mut cache = Cache::new(Fake::new(1 << 30));
    // 1,025 to 1,280 bytes are one class.
    for bytes in [1_025, 1_280, 1_100] {
        work(&mut cache, &[bytes])?;
    }
    assert_eq!(hits_and_misses(&cache), (2, 1));
    // Classes of 1,024 and 1,536, and a second block of 1,280.
    work(&mut cache, &[1_024, 1_281, 1_100, 1_100])?;
    assert_eq!(hits_and_misses(&cache), (3, 4));
    assert_eq!(cache.device().used, 1_024 + 1_280 + 1_280 + 1_536);
    Ok(())
}

#[test]
fn the_block_that_was_given_back_last_is_handed_out() -> Result<(), DeviceError> {
    let mut cache = Cache::new(Fake::new(1 << 30));
    let (first, second) = (cache.take(KIB)?, cache.take(KIB)?);
    second.memory().borrow_mut()[0] = 2;
    cache.give(first);
    cache.give(second);
    assert_eq!(cache.take(KIB)?.memory().borrow()[0], 2);
    assert_eq!(cache.take(KIB)?.memory().borrow()[0], 0);
    Ok(())
}

#[test]
fn a_refusal_of_the_device_releases_the_cached_blocks() -> Result<(), DeviceError> {
    let mut cache = Cache::new(Fake::new(4 * KIB));
    work(&mut cache, &[KIB, 2 * KIB, 512])?;
    let in_use = cache.take(2 * KIB)?;
    assert_eq!(hits_and_misses(&cache), (1, 3));
    // Only 512 bytes are left, and 1,536 are cached.
    work(&mut cache, &[1_536])?;
    assert_eq!(hits_and_misses(&cache), (1, 4));
    assert_eq!(cache.device().used, 2 * KIB + 1_536);
    assert_eq!(cache.device().count("allocate"), 5);
    assert_eq!(cache.device().count("free"), 2);
    // It does not fit beside the block in use either.
    let refused = cache.take(4 * KIB).map(drop);
    assert_eq!(refused, Err(DeviceError::OutOfMemory));
    assert_eq!(hits_and_misses(&cache), (1, 4));
    cache.give(in_use);
    cache.release()?;
    assert_eq!(cache.device().used, 0);
    Ok(())
}

#[test]
fn a_lost_device_is_an_error_and_no_panic() -> Result<(), DeviceError> {
    let mut cache = Cache::new(Fake::new(1 << 30));
    work(&mut cache, &[KIB])?;
    cache.device().is_lost = true;
    let lost = |call| Err(failed(call, "the device was lost"));
    assert_eq!(cache.take(2 * KIB).map(drop), lost("allocate"));
    // A hit needs no call.
    work(&mut cache, &[KIB])?;
    assert_eq!(hits_and_misses(&cache), (1, 1));
    assert_eq!(cache.release(), lost("synchronise"));
    Ok(())
}

#[test]
fn classes_are_four_steps_between_powers_of_two() {
    let expected = [512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048, 2560];
    let mut smaller = 0;
    for class in expected {
        assert_eq!(size_class(smaller + 1), Some(class), "just above {smaller}");
        assert_eq!(size_class(class), Some(class));
        smaller = class;
    }
    assert_eq!(size_class(0), Some(512));
    let largest = 7 << 61;
    assert_eq!(size_class(largest), Some(largest));
    assert_eq!(size_class(largest + 1), None);
    assert_eq!(size_class(u64::MAX), None);
}

#[test]
fn a_class_holds_its_request_and_wastes_less_than_a_quarter() {
    for power in 10..63 {
        let power = 1_u64 << power;
        for bytes in [power - 1, power, power + 1, power + power / 3] {
            let class = size_class(bytes).expect("a class");
            assert!(
                class >= bytes && class - bytes < bytes / 4,
                "{bytes}: {class}"
            );
        }
    }
}
