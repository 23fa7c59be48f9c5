//! The rounds of the bench on the fake device: the counts of each, by hand, and what goes wrong.

use std::rc::Rc;

use device_lab::rounds::{Allocations, Counts, Direction, Transfer, Variant, Way};
use device_lab::{DeviceError, Fake, Journal};

/// A call of the driver each.
const CALLS: [u64; 2] = [1, 1];

const WAYS: [Way; 4] = [Way::Floor, Way::Direct, Way::Pool, Way::Cached];

type Open<'a> = &'a dyn Fn() -> Result<Fake, DeviceError>;

fn variant(way: Way, open: Open<'_>) -> Variant<'_, Fake> {
    let calls = CALLS;
    Variant { way, calls, open }
}

fn fake() -> Result<Fake, DeviceError> {
    Ok(Fake::new(1 << 30))
}

fn load(bytes: u64, live: u32, requests: u32) -> Allocations {
    Allocations {
        bytes,
        live,
        requests,
    }
}

/// Each kind of copy, with the way of its allocation.
fn copies() -> impl Iterator<Item = (Way, Transfer)> {
    let each = |way, is_pinned, is_inside, direction| {
        let bytes = 64 << 10;
        let copy = Transfer {
            direction,
            bytes,
            is_pinned,
            is_inside,
        };
        (way, copy)
    };
    let flags = [(false, false), (false, true), (true, false), (true, true)];
    let kinds = WAYS[1..].iter().flat_map(move |way| {
        flags.map(|(is_pinned, is_inside)| {
            [Direction::Upload, Direction::Download]
                .map(|direction| each(*way, is_pinned, is_inside, direction))
        })
    });
    kinds.flatten()
}

#[test]
fn hits_and_driver_calls_are_exact() -> Result<(), DeviceError> {
    // Hits of the cache, calls of the driver for the cache, bytes live.
    for (load, hits, calls, bytes) in [
        (load(1 << 10, 1, 2_000), 1_999, 1, 1_024),
        (load(64 << 10, 1, 500), 499, 1, 65_536),
        (load(4 << 20, 1, 100), 99, 1, 4_194_304),
        (load(1 << 10, 10, 2_000), 1_990, 10, 10_240),
    ] {
        let requests = u64::from(load.requests);
        let direct = Counts {
            requests,
            hits: Some(0),
            // Each request allocates and frees.
            driver_calls: 2 * requests,
            requested: bytes,
            reserved: bytes,
        };
        let pool = Counts {
            hits: None,
            ..direct
        };
        let cache = Counts {
            hits: Some(hits),
            driver_calls: calls,
            ..direct
        };
        for (way, expected) in [
            (Way::Direct, direct),
            (Way::Pool, pool),
            (Way::Cached, cache),
        ] {
            let round = load.round(&variant(way, &fake))?;
            assert_eq!(round.counts, expected, "{way:?}, {load:?}");
            // Of ten requests.
            assert_eq!(round.windows.len(), load.requests as usize / 10);
        }
    }
    Ok(())
}

#[test]
fn counts_that_differ_from_those_expected_are_a_failure() {
    let differing = [
        // A block of 64 MB would serve all requests.
        (
            Way::Blocks,
            CALLS,
            "20 times and had 40 calls, instead of 1 and 41..=42",
        ),
        (
            Way::Direct,
            [2, 1],
            "20 times and had 40 calls, instead of 20 and 60..=60",
        ),
    ];
    for (way, calls, expected) in differing {
        let variant = Variant {
            calls,
            ..variant(way, &fake)
        };
        let failed = load(1 << 10, 1, 20).round(&variant).expect_err("a failure");
        assert!(failed.to_string().ends_with(expected), "{failed}");
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
        let round = |open: Open<'_>| load(1 << 10, 1, 20).round(&variant(way, open)).map(drop);
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
        load(1 << 10, 10, 20).round(&variant(way, &open))?;
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
    for (way, copy) in copies().filter(|(_, copy)| copy.is_inside) {
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
