//! The rounds of the bench on the fake device: the counts of each, by hand, and what goes wrong.

use std::rc::Rc;

use device_lab::DeviceError;
use device_lab::rounds::{Allocations, Counts, Direction, LOADS, Transfer, Way};

use crate::fake::{Fake, failed};

const WAYS: [Way; 4] = [Way::Floor, Way::Direct, Way::Pool, Way::Cached];

/// Twenty requests.
const FEW: Allocations = Allocations::new(1 << 10, 1, 20);

fn fake() -> Fake {
    Fake::new(1 << 30)
}

/// Each kind of copy, with the way of its allocation.
fn copies() -> Vec<(Way, Transfer)> {
    let mut copies = Vec::new();
    for way in [Way::Direct, Way::Pool, Way::Cached] {
        for direction in [Direction::Upload, Direction::Download] {
            for kind in 0..4 {
                let copy = Transfer {
                    direction,
                    bytes: 64 << 10,
                    is_pinned: kind & 1 != 0,
                    is_inside: kind & 2 != 0,
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
            let (windows, counts) = load.round(way, fake())?;
            assert_eq!(counts, expected, "{way:?}, {load:?}");
            // Of ten requests.
            assert_eq!(windows.len(), requests as usize / 10);
        }
    }
    Ok(())
}

#[test]
fn counts_that_differ_from_those_expected_are_a_failure() {
    for (way, reason) in [
        (
            Way::Direct,
            "(40, 60) allocations and calls, instead of (20, 40)",
        ),
        (
            Way::Cached,
            "(2, 2) allocations and calls, instead of (1, 1)",
        ),
    ] {
        let mut device = fake();
        device.is_asking_twice = true;
        let round = FEW.round(way, device).map(drop);
        assert_eq!(round, Err(failed("allocate", reason)));
    }
}

#[test]
fn a_lost_device_and_damaged_copies_are_failures() {
    let lost = || Fake {
        is_lost: true,
        ..fake()
    };
    for way in WAYS {
        let round = FEW.round(way, lost()).map(drop);
        assert_eq!(round, Err(failed("usage", "the device was lost")));
    }
    for (way, copy) in copies() {
        let round = copy.round(way, lost()).map(drop);
        assert!(matches!(round, Err(DeviceError::Failed { .. })));
        let damaging = Fake {
            is_damaging: true,
            ..fake()
        };
        let round = copy.round(way, damaging).map(drop);
        let reason = "copy 0 arrived with other bytes";
        assert_eq!(round, Err(failed("download", reason)));
    }
}

/// The calls of a device during a round.
fn calls(round: impl FnOnce(Fake) -> Result<(), DeviceError>) -> Vec<&'static str> {
    let device = fake();
    let calls = Rc::clone(&device.calls);
    round(device).expect("a round without errors");
    calls.take()
}

/// How often `part` is in the calls.
fn count(calls: &[&str], part: &[&str]) -> usize {
    let parts = calls.windows(part.len());
    parts.filter(|calls| *calls == part).count()
}

#[test]
fn every_round_gives_all_memory_back() {
    let load = Allocations { live: 10, ..FEW };
    let loads = WAYS.map(|way| calls(|device| load.round(way, device).map(drop)));
    let copies = copies().into_iter();
    let copies = copies.map(|(way, copy)| calls(|device| copy.round(way, device).map(drop)));
    for calls in copies.chain(loads) {
        assert_eq!(count(&calls, &["allocate"]), count(&calls, &["free"]));
    }
}

/// A pool allocates and frees in the queue. The time of a copy has both only if the round waits,
/// as an upload does by itself.
#[test]
fn an_allocation_inside_a_copy_is_waited_for() {
    let to_device = "allocate upload download free synchronise";
    let to_host = "allocate synchronise upload download free synchronise";
    for (way, copy) in copies().into_iter().filter(|(_, copy)| copy.is_inside) {
        let calls = calls(|device| copy.round(way, device).map(drop));
        let part = match copy.direction {
            Direction::Upload => to_device,
            Direction::Download => to_host,
        };
        let part: Vec<_> = part.split(' ').collect();
        // The cache has one block for all 50 copies.
        let expected = if way == Way::Cached { 0 } else { 50 };
        assert_eq!(count(&calls, &part), expected, "{way:?}, {copy:?}");
    }
}
