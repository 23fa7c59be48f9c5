//! The rounds of the bench on the fake device: the counts of each, by hand, and what goes wrong.

use std::rc::Rc;

use device_lab::rounds::{Allocations, Counts, Direction, LOADS, Transfer, Variant, Way};
use device_lab::{DeviceError, Fake, Journal};

/// A call of the driver each.
const CALLS: [u64; 2] = [1, 1];

const WAYS: [Way; 4] = [Way::Floor, Way::Direct, Way::Pool, Way::Cached];

type Open<'a> = &'a dyn Fn() -> Result<Fake, DeviceError>;

fn variant(way: Way, open: Open<'_>) -> Variant<'_, Fake> {
    Variant {
        name: "fake",
        way,
        calls: CALLS,
        open,
    }
}

fn fake() -> Result<Fake, DeviceError> {
    Ok(Fake::new(1 << 30))
}

/// Twenty requests.
const FEW: Allocations = Allocations::new(1 << 10, 1, 20);

/// Each kind of copy, with the way of its allocation.
fn copies() -> Vec<(Way, Transfer)> {
    let mut copies = Vec::new();
    for way in [Way::Direct, Way::Pool, Way::Cached] {
        for direction in [Direction::Upload, Direction::Download] {
            for (is_pinned, is_inside) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                let copy = Transfer {
                    direction,
                    bytes: 64 << 10,
                    is_pinned,
                    is_inside,
                };
                copies.push((way, copy));
            }
        }
    }
    copies
}

#[test]
fn hits_and_driver_calls_are_exact() -> Result<(), DeviceError> {
    // Requests, hits of the cache, calls of the driver for the cache, bytes live.
    let expected = [
        (2_000, 1_999, 1, 1_024),
        (500, 499, 1, 65_536),
        (100, 99, 1, 4_194_304),
        (2_000, 1_990, 10, 10_240),
    ];
    for (load, (requests, hits, calls, bytes)) in LOADS.into_iter().zip(expected) {
        for (way, hits, driver_calls) in [
            // Each request allocates and frees.
            (Way::Direct, Some(0), 2 * requests),
            (Way::Pool, None, 2 * requests),
            (Way::Cached, Some(hits), calls),
        ] {
            let expected = Counts {
                requests,
                hits,
                driver_calls,
                requested: bytes,
                reserved: bytes,
            };
            let round = load.round(&variant(way, &fake))?;
            assert_eq!(round.counts, expected, "{way:?}, {load:?}");
            // Of ten requests.
            assert_eq!(round.windows.len(), requests as usize / 10);
        }
    }
    Ok(())
}

#[test]
fn counts_that_differ_from_those_expected_are_a_failure() {
    let differing = [
        // A block of 64 MB would serve all requests.
        (Way::Blocks, CALLS, "1 and 41..=42"),
        (Way::Direct, [2, 1], "20 and 60..=60"),
    ];
    for (way, calls, expected) in differing {
        let variant = Variant {
            calls,
            ..variant(way, &fake)
        };
        let failed = FEW.round(&variant).expect_err("a failure");
        let expected = format!("allocated 20 times and had 40 calls, instead of {expected}");
        assert!(failed.to_string().ends_with(&expected), "{failed}");
    }
}

#[test]
fn a_device_that_is_missing_or_lost_is_an_error() {
    let lost = || {
        let mut device = fake()?;
        device.lose();
        Ok(device)
    };
    let reason = || "no driver".to_owned();
    let missing = || Err(DeviceError::Unavailable { reason: reason() });
    let lost_at = |call| DeviceError::Failed {
        call,
        reason: "the device was lost".to_owned(),
    };
    for way in WAYS {
        let round = |open: Open<'_>| FEW.round(&variant(way, open)).map(drop);
        assert_eq!(
            round(&missing),
            Err(DeviceError::Unavailable { reason: reason() })
        );
        assert_eq!(round(&lost), Err(lost_at("usage")));
    }
    for (way, copy) in copies() {
        let round = |open: Open<'_>| copy.round(&variant(way, open)).map(drop);
        assert!(matches!(
            round(&missing),
            Err(DeviceError::Unavailable { .. })
        ));
        assert!(matches!(round(&lost), Err(DeviceError::Failed { .. })));
    }
}

#[test]
fn a_copy_that_arrives_with_other_bytes_is_a_failure() {
    let damaging = || {
        let mut device = fake()?;
        device.damage();
        Ok(device)
    };
    for (way, copy) in copies() {
        let failed = copy.round(&variant(way, &damaging)).expect_err("a failure");
        let reason = "copy 0 arrived with other bytes".to_owned();
        let call = "download";
        assert_eq!(failed, DeviceError::Failed { call, reason });
    }
}

/// A device that writes into this journal.
fn recording(journal: &Journal) -> Result<Fake, DeviceError> {
    let mut device = fake()?;
    device.record(Rc::clone(journal));
    Ok(device)
}

/// Work has an order, and all memory goes back.
#[test]
fn every_round_leaves_its_device_as_it_was() -> Result<(), DeviceError> {
    let journal = Journal::default();
    let open = || recording(&journal);
    for way in WAYS {
        Allocations { live: 10, ..FEW }.round(&variant(way, &open))?;
    }
    for (way, copy) in copies() {
        let round = copy.round(&variant(way, &open))?;
        assert_eq!(round.windows.len(), 50);
    }
    let count = |end| count(&journal.borrow(), &[end]);
    assert_eq!((count("close"), count("lost")), (4 + 24, 0));
    Ok(())
}

/// A pool allocates and frees on the stream. The time of a copy has both only if the round
/// waits for the stream, as an upload does by itself.
#[test]
fn an_allocation_inside_a_copy_is_waited_for() -> Result<(), DeviceError> {
    let to_device = ["allocate", "upload", "download", "free", "synchronise"];
    let to_host = [
        "allocate",
        "synchronise",
        "upload",
        "download",
        "free",
        "synchronise",
    ];
    for (way, copy) in copies().into_iter().filter(|(_, copy)| copy.is_inside) {
        let journal = Journal::default();
        copy.round(&variant(way, &|| recording(&journal)))?;
        let calls: &[_] = match copy.direction {
            Direction::Upload => &to_device,
            Direction::Download => &to_host,
        };
        // The cache has one block for all.
        let expected = if way == Way::Cached { 0 } else { 50 };
        assert_eq!(
            count(&journal.borrow(), calls),
            expected,
            "{way:?}, {copy:?}"
        );
    }
    Ok(())
}

/// How often `part` stands in `calls`.
fn count(calls: &[&str], part: &[&str]) -> usize {
    calls
        .windows(part.len())
        .filter(|calls| *calls == part)
        .count()
}
