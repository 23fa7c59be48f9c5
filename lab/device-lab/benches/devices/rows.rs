//! Ways of obtaining device memory: times and counts of allocations, and times of copies with an
//! allocation inside. A process measures one round of one row.

use std::process::ExitCode;
use std::time::Duration;

use alloc_scenario::builder::{Axes, Definition};
use alloc_scenario::counting_alloc::pause;
use alloc_scenario::{CountingAlloc, Scenario, Suite, Unit, fresh_process_for};
use device_lab::rounds::{
    Allocations, COPIED, COPIES, Counts, Direction, LOADS, Transfer, WINDOW, Way, Window,
};
use device_lab::{Device, DeviceError};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

pub(crate) type Open<D> = fn() -> Result<D, DeviceError>;

/// A row of the tables.
struct Row<D> {
    name: &'static str,
    way: Way,
    open: Open<D>,
    /// Why there is no such device.
    missing: Option<String>,
}

/// Measures all rows of an interface. They take turns: rows to be compared are measured near in time.
pub(crate) fn measure<D: Device + 'static>(
    api: &str,
    ways: &[(&'static str, Way, Open<D>)],
    hosts: &[(&'static str, bool)],
) -> ExitCode {
    let mut suite = Suite::from_args();
    let only = fresh_process_for();
    let rows: Vec<_> = ways
        .iter()
        .map(|&(name, way, open)| Row {
            name,
            way,
            open,
            // A process of a scenario was started because there is a device: it fails without.
            missing: only.is_none().then(|| missing(open)).flatten(),
        })
        .collect();
    // The rows `floor` say which device it was.
    let floor = format!("{api}-allocate/way=floor");
    let is_floor = only.is_some_and(|name| name.starts_with(&floor));
    let device = is_floor.then(|| (ways[0].2)().ok()).flatten();
    let device = device.map(|device| device.name().to_owned());
    for load in LOADS {
        allocations(&mut suite, &format!("{api}-allocate"), load, &rows, &device);
    }
    for (direction, workload) in [
        (Direction::Upload, format!("{api}-upload")),
        (Direction::Download, format!("{api}-download")),
    ] {
        for bytes in COPIED {
            for &(host, is_pinned) in hosts {
                let copy = Transfer {
                    direction,
                    bytes,
                    is_pinned,
                    is_inside: true,
                };
                copies(&mut suite, &workload, host, copy, &rows);
            }
        }
    }
    suite.finish()
}

fn missing<D>(open: Open<D>) -> Option<String> {
    match open() {
        Err(DeviceError::Unavailable { reason }) => Some(reason),
        Ok(_) | Err(DeviceError::OutOfMemory | DeviceError::Failed { .. }) => None,
    }
}

fn allocations<D: Device + 'static>(
    suite: &mut Suite<'static>,
    workload: &str,
    load: Allocations,
    rows: &[Row<D>],
    device: &Option<String>,
) {
    let blocks = format!("{}x{}", load.live, load.bytes);
    let again = rows[1..].iter().map(|row| (row, "-again"));
    for (row, again) in rows.iter().map(|row| (row, "")).chain(again) {
        suite.scenario_with(workload, |b| {
            let b = b.axis("way", [format!("{}{again}", row.name)]);
            let b = b.axis("load", [blocks.clone()]);
            let mut b = b.elements(|_| WINDOW);
            if let (Way::Floor, Some(device)) = (row.way, device) {
                b = b.note(device);
            }
            let (way, open) = (row.way, row.open);
            let round = move || load.round(way, open()?);
            measured(b, row, load.requests / WINDOW, round, true)
        });
    }
}

fn copies<D: Device + 'static>(
    suite: &mut Suite<'static>,
    workload: &str,
    host: &'static str,
    inside: Transfer,
    rows: &[Row<D>],
) {
    // Without an allocation inside, all ways are the same.
    let outside = Transfer {
        is_inside: false,
        ..inside
    };
    let none = |name| (name, &rows[1], outside);
    let rows = rows[1..].iter().map(|row| (row.name, row, inside));
    let rows = [none("none")].into_iter().chain(rows);
    for (name, row, copy) in rows.chain([none("none-again")]) {
        suite.scenario_with(workload, |b| {
            let b = b.axis("inside", [name]).axis("host", [host]);
            let b = b.axis("size", [copy.bytes]);
            let (way, open) = (row.way, row.open);
            let round = move || Ok((copy.round(way, open()?)?, Counts::default()));
            measured(b, row, COPIES, round, false)
        });
    }
}

/// A scenario whose calls are the windows of a round, which its process runs before the first; with
/// the counts of allocations if it is of them.
fn measured<A: Axes, D>(
    scenario: Scenario<'static, A>,
    row: &Row<D>,
    windows: u32,
    round: impl Fn() -> Result<(Vec<Window>, Counts), DeviceError> + 'static,
    is_counted: bool,
) -> Definition<'static>
where
    A::Point: 'static,
{
    if let Some(reason) = &row.missing {
        return scenario.unavailable(reason);
    }
    let mut calls = scenario
        .fresh_process()
        .warm_up(0)
        // And the first call.
        .iterations(u64::from(windows) - 1)
        .untimed()
        .setup(move |_| {
            // Without the time of counting.
            let _paused = pause();
            let (windows, counts) = round().unwrap_or_else(|error| panic!("{error}"));
            (windows.into_iter().cycle(), counts)
        })
        .run(|(windows, counts)| (windows.next().unwrap_or_default(), *counts))
        .metric("finished-time", Unit::Nanoseconds, |(window, _)| {
            nanoseconds(window.total)
        });
    if is_counted {
        calls = calls.metric("enqueued-time", Unit::Nanoseconds, |(window, _)| {
            nanoseconds(window.enqueued)
        });
    }
    if !is_counted || row.way == Way::Floor {
        return calls.into();
    }
    if row.way != Way::Pool {
        calls = calls.metric("hits", Unit::Count, |(_, counts)| {
            counts.hits.unwrap_or_default() as i64
        });
    }
    type Count = fn(&Counts) -> u64;
    let counts: [(&str, Unit, Count); 4] = [
        ("requests", Unit::Count, |counts| counts.requests),
        ("driver-calls", Unit::Count, |counts| counts.driver_calls),
        ("requested-bytes", Unit::Bytes, |counts| counts.requested),
        ("reserved-bytes", Unit::Bytes, |counts| counts.reserved),
    ];
    for (name, unit, count) in counts {
        calls = calls.metric(name, unit, move |(_, counts)| count(counts) as i64);
    }
    calls.into()
}

fn nanoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}
