//! The tables on the fake device: the counts of all rows, by hand, and what goes wrong.

use std::cell::Cell;
use std::rc::Rc;

use device_lab::tables::{
    Counts, Missing, Plan, RoundResults, Section, Table, Variant, Way, measure, measure_rounds,
    round,
};
use device_lab::{DeviceBackend, DeviceError, DeviceInfo, Fake, Journal};

const QUICK: Plan = Plan {
    rounds: 2,
    largest_copy: 64 << 10,
};

fn fake() -> Result<Fake, DeviceError> {
    Ok(Fake::new(1 << 30))
}

fn measured<B: DeviceBackend>(open: &dyn Fn() -> Result<B, DeviceError>) -> Section {
    measure("Fake", info, &rows(open), QUICK)
}

fn info<B>(_: &B) -> DeviceInfo {
    DeviceInfo {
        device: "fake".to_owned(),
        driver: "fake".to_owned(),
        api: "fake".to_owned(),
        granularity: None,
    }
}

fn rows<B>(open: &dyn Fn() -> Result<B, DeviceError>) -> [Variant<'_, B>; 6] {
    let variant = |name, way| Variant { name, way, open };
    [
        variant("floor", Way::Floor),
        variant("direct", Way::Direct),
        variant("pool", Way::Pool),
        variant("cache", Way::Cached),
        variant("direct-again", Way::Direct),
        variant("cache-again", Way::Cached),
    ]
}

fn counts(table: &Table, name: &str) -> Counts {
    let row = table.rows.iter().find(|row| row.name == name);
    let figures = row.expect("a row").figures.as_ref().expect("figures");
    figures.counts.expect("counts")
}

#[test]
fn hits_and_driver_calls_of_all_tables_are_exact() {
    let section = measured(&fake);
    assert_eq!(section.failures(), [""; 0]);
    // Table, requests, hits of the cache, calls of the driver for the cache, bytes live.
    let expected = [
        (19, 2_000, 1_999, 1, 1_024),
        (20, 500, 499, 1, 65_536),
        (21, 100, 99, 1, 4_194_304),
        (22, 2_000, 1_990, 10, 10_240),
    ];
    for (table, (number, requests, hits, calls, bytes)) in section.tables.iter().zip(expected) {
        assert_eq!(table.number, number);
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
        for (name, expected) in [("direct", direct), ("pool", pool), ("cache", cache)] {
            assert_eq!(counts(table, name), expected, "{name}, table {number}");
        }
        assert_eq!(counts(table, "direct-again"), direct);
        assert_eq!(counts(table, "cache-again"), cache);
    }
    let windows = section.tables.iter().map(|table| {
        let figures = table.rows[1].figures.as_ref().expect("figures");
        figures.windows
    });
    // Two rounds, in windows of ten operations or of one copy.
    assert!(windows.eq([400, 100, 20, 400, 100, 100]));
}

#[test]
fn copies_have_a_row_for_each_size_memory_and_place_of_the_allocation() {
    let section = measured(&fake);
    for (table, number) in section.tables[4..].iter().zip([23, 24]) {
        assert_eq!(table.number, number);
        let names: Vec<_> = table.rows.iter().map(|row| row.name.as_str()).collect();
        let mut expected = Vec::new();
        for size in ["1 KB", "64 KB"] {
            for host in ["pageable", "pinned"] {
                for inside in ["none", "direct", "pool", "cache", "none-again"] {
                    expected.push(format!("{size}, {host}, {inside}"));
                }
            }
        }
        assert_eq!(names, expected);
        assert!(table.rows.iter().all(|row| row.figures.is_ok()));
        // Each is compared with the copy without an allocation.
        assert_eq!(table.rows[8].baseline, 5);
    }
}

#[test]
fn a_device_that_is_missing_is_a_reason_in_each_row() {
    let section = measured(&|| {
        Err::<Fake, _>(DeviceError::Unavailable {
            reason: "no driver".to_owned(),
        })
    });
    assert_eq!(section.failures(), [""; 0]);
    let numbers = section.tables.iter().map(|table| table.number);
    assert!(numbers.eq(19..=24));
    for row in section.tables.iter().flat_map(|table| &table.rows) {
        let missing = Missing::NotMeasured("no driver".to_owned());
        assert_eq!(row.figures, Err(missing), "{}", row.name);
    }
}

#[test]
fn a_device_that_is_lost_between_rows_is_a_failure() {
    let opened = Cell::new(0);
    let section = measured(&|| {
        opened.set(opened.get() + 1);
        match opened.get() == 20 {
            true => Err(DeviceError::Unavailable {
                reason: "no driver".to_owned(),
            }),
            false => fake(),
        }
    });
    let failures = section.failures();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert!(failures[0].ends_with(": no driver"), "{failures:?}");
}

/// The driver and the device are there, and `open` fails, in the second round too.
#[test]
fn a_device_that_fails_to_open_is_a_failure() {
    let errors = [
        DeviceError::OutOfMemory { bytes: 8 },
        DeviceError::Failed {
            call: "open",
            reason: "the driver is broken".to_owned(),
        },
    ];
    for error in errors {
        // The first time, or in the second round.
        for successes in [0, 1 + 2 * 6 * 4 + 20 * 2] {
            let opened = Cell::new(0);
            let section = measured(&|| {
                opened.set(opened.get() + 1);
                match opened.get() > successes {
                    true => Err(error.clone()),
                    false => fake(),
                }
            });
            let failures = section.failures();
            let last = failures.last().expect("a failure");
            assert_eq!(
                *last,
                format!("table 24, 64 KB, pinned, none-again: {error}")
            );
        }
    }
}

#[test]
fn a_device_that_is_lost_is_a_failure() {
    let section = measured(&|| {
        let mut device = Fake::new(1 << 30);
        device.lose();
        Ok(device)
    });
    // 6 rows in each of 4 tables, and 20 in each of 2.
    assert_eq!(section.failures().len(), 64);
    let expected = "table 19, floor: `usage` failed on the device: the device was lost";
    assert_eq!(section.failures()[0], expected);
}

/// A device that writes into this journal.
fn recording(journal: &Journal) -> Result<Fake, DeviceError> {
    let mut device = fake()?;
    device.record(Rc::clone(journal));
    Ok(device)
}

#[test]
fn a_copy_that_arrives_with_other_bytes_is_a_failure() {
    let section = measured(&|| {
        let mut device = fake()?;
        device.damage();
        Ok(device)
    });
    let failures = section.failures();
    // All copies of both directions, and no allocation.
    assert_eq!(failures.len(), 40);
    let expected = "table 23, 1 KB, pageable, none: copy 0 arrived with other bytes";
    assert_eq!(failures[0], expected);
}

/// Work has an order, and all memory goes back.
#[test]
fn every_round_leaves_its_device_as_it_was() {
    let journal = Journal::default();
    let section = measured(&|| recording(&journal));
    assert_eq!(section.failures(), [""; 0]);
    let count = |end| count(&journal.borrow(), &[end]);
    // Once for its name; twice in each of two rounds of 6 rows in each of 4 tables, since
    // the memory is asked for on a device of its own; once in rounds of 20 rows in each of 2.
    let devices = 1 + 2 * 2 * 6 * 4 + 2 * 20 * 2;
    assert_eq!((count("close"), count("lost")), (devices, 0));
}

/// A pool allocates and frees on the stream. The time of a copy has both only if the round
/// waits for the stream, as an upload does by itself.
#[test]
fn an_allocation_inside_a_copy_is_waited_for() {
    let journal = Journal::default();
    let open = || recording(&journal);
    let plan = Plan {
        rounds: 1,
        largest_copy: 1 << 10,
    };
    let pool = Variant {
        name: "pool",
        way: Way::Pool,
        open: &open,
    };
    let section = measure("Fake", info, &[pool], plan);
    assert_eq!(section.failures(), [""; 0]);
    let calls = journal.borrow();
    let to_device = ["allocate", "upload", "download", "free", "synchronise"];
    let to_host = [
        "allocate",
        "synchronise",
        "upload",
        "download",
        "free",
        "synchronise",
    ];
    // 50 copies of pageable and 50 of pinned memory.
    assert_eq!(count(&calls, &to_device), 100);
    assert_eq!(count(&calls, &to_host), 100);
}

/// How often `part` stands in `calls`.
fn count(calls: &[&str], part: &[&str]) -> usize {
    calls
        .windows(part.len())
        .filter(|calls| *calls == part)
        .count()
}

/// As the program `devices` does it, which runs each round in a process of its own.
#[test]
fn rounds_of_other_processes_give_the_same_counts() {
    let rows = rows(&fake);
    let here = measured(&fake);
    let mut count = 0;
    let there = measure_rounds("Fake", info, &rows, QUICK, || {
        count += 1;
        round(&rows, QUICK).to_string().parse()
    });
    assert_eq!(count, 2);
    let counts = |section: &Section| {
        let rows = section.tables.iter().flat_map(|table| &table.rows);
        let counts = rows.map(|row| {
            let figures = row.figures.as_ref().expect("figures");
            (row.name.clone(), figures.windows, figures.counts)
        });
        counts.collect::<Vec<_>>()
    };
    assert_eq!(counts(&there), counts(&here));
}

#[test]
fn a_round_that_is_lost_is_a_failure_of_all_rows() {
    let rounds: [Result<&str, &str>; 2] = [Ok("failed once\n"), Err("the process was killed")];
    let reasons = [
        "the round has results of 1 rows, and not of 64",
        "the process was killed",
    ];
    for (result, reason) in rounds.into_iter().zip(reasons) {
        let section = measure_rounds("Fake", info, &rows(&fake), QUICK, || match result {
            Ok(text) => text.parse::<RoundResults>(),
            Err(reason) => Err(Missing::Failed(reason.to_owned())),
        });
        assert_eq!(section.failures().len(), 64);
        assert_eq!(section.failures()[0], format!("table 19, floor: {reason}"));
    }
}
