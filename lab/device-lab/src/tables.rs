//! The tables of the page `design/devices.md`: what each way of obtaining device memory
//! takes, for one device interface.
//!
//! All rows take turns, round by round. Each round opens the device anew, so that a cache
//! starts empty.

mod figures;
mod markdown;
mod results;
mod subject;
mod workload;

pub use figures::{Counts, Figures, Missing, Row, Table, TableKind};
pub use results::RoundResults;

use crate::backend::{DeviceBackend, DeviceError, DeviceInfo};
use figures::{Round, Samples};
use workload::{ALLOCATIONS, Direction, TRANSFERS, Transfer};

/// The suffix of a row that repeats another row.
const AGAIN: &str = "-again";

/// A way of obtaining device memory: a row of the tables.
pub struct Variant<'a, B> {
    /// The name of the row. One that ends with `-again` repeats another row.
    pub name: &'a str,
    /// How requests reach the device.
    pub way: Way,
    /// Opens the device.
    pub open: &'a dyn Fn() -> Result<B, DeviceError>,
}

/// How requests reach the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Not at all: the times are those of the loop and the clock.
    Floor,
    /// Each request is one of the backend.
    Direct,
    /// As `Direct`, but the driver keeps memory, and does not tell which requests it served
    /// from that.
    Pool,
    /// Through the [`Cache`](crate::Cache).
    Cached,
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How often each row is measured.
    pub rounds: u32,
    /// The largest copy between the host and the device, in bytes. Larger ones are left out.
    pub largest_copy: u64,
}

impl Plan {
    /// What the page shows.
    pub const FULL: Self = Self {
        rounds: 5,
        largest_copy: u64::MAX,
    };
}

/// The tables of one device interface.
#[derive(Clone, Debug)]
pub struct Section {
    /// Such as `Vulkan`.
    pub api: String,
    /// The device, or why there is none.
    pub device: Result<DeviceInfo, Missing>,
    /// How often each row was measured.
    pub rounds: u32,
    /// In the order of their numbers.
    pub tables: Vec<Table>,
}

/// Measures all tables in this process. Ratios are to the first row that is not the floor. The
/// first row is opened once more to describe the device.
pub fn measure<B: DeviceBackend>(
    api: &str,
    info: impl FnOnce(&B) -> DeviceInfo,
    variants: &[Variant<'_, B>],
    plan: Plan,
) -> Section {
    measure_rounds(api, info, variants, plan, || Ok(round(variants, plan)))
}

/// Runs all rows once, for [`measure_rounds`].
pub fn round<B: DeviceBackend>(variants: &[Variant<'_, B>], plan: Plan) -> RoundResults {
    let rounds = planned(variants, plan).rounds;
    RoundResults(rounds.iter().map(|round| round()).collect())
}

/// As [`measure`], with rounds from elsewhere: each call of `next` returns what [`round`] returned
/// for the same rows and the same plan, such as in a child process.
pub fn measure_rounds<B: DeviceBackend>(
    api: &str,
    info: impl FnOnce(&B) -> DeviceInfo,
    variants: &[Variant<'_, B>],
    plan: Plan,
    mut next: impl FnMut() -> Result<RoundResults, Missing>,
) -> Section {
    let none = || Err(Missing::NotMeasured("no rows".to_owned()));
    let device = variants.first().map_or_else(none, |variant| {
        let device = (variant.open)()?;
        Ok(info(&device))
    });
    let Planned { mut tables, rounds } = planned(variants, plan);
    let count = rounds.len();
    let mut all: Vec<_> = (0..count).map(|_| Ok(Samples::default())).collect();
    for _ in 0..plan.rounds {
        let results = next().and_then(|results| results.of_rows(count));
        let results = results.unwrap_or_else(|missing| vec![Err(missing); count]);
        for (samples, result) in all.iter_mut().zip(results) {
            collect(samples, result);
        }
    }
    let rows = tables.iter_mut().flat_map(|table| &mut table.rows);
    for (row, samples) in rows.zip(all) {
        row.figures = samples.and_then(Samples::figures);
    }
    fail_lost(&mut tables);
    Section {
        api: api.to_owned(),
        device,
        rounds: plan.rounds,
        tables,
    }
}

/// A device that was there in one row of a way, and is missing in another of it, was lost.
fn fail_lost(tables: &mut [Table]) {
    // Rows of copies have the kind of the copy before the way.
    let way = |row: &Row| row.name.rsplit(", ").next().map(str::to_owned);
    let rows = tables.iter().flat_map(|table| &table.rows);
    let measured = rows.filter(|row| row.figures.is_ok()).filter_map(way);
    let measured: Vec<String> = measured.collect();
    for row in tables.iter_mut().flat_map(|table| &mut table.rows) {
        if let (Err(Missing::NotMeasured(reason)), Some(way)) = (&row.figures, way(row))
            && measured.contains(&way)
        {
            row.figures = Err(Missing::Failed(reason.clone()));
        }
    }
}

/// Adds the result of a round to those before. The first error of a row stays.
fn collect(samples: &mut Result<Samples, Missing>, result: Result<Round, Missing>) {
    let Ok(collected) = samples else {
        return;
    };
    let added = match result {
        Ok(round) => collected.add(round),
        // The device was there in the rounds before.
        Err(Missing::NotMeasured(reason)) if !collected.is_empty() => Err(Missing::Failed(reason)),
        Err(missing) => Err(missing),
    };
    if let Err(missing) = added {
        *samples = Err(missing);
    }
}

impl Section {
    /// The rows that went wrong on a device that is there, with the reasons.
    #[must_use]
    pub fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        if let Err(Missing::Failed(reason)) = &self.device {
            failures.push(format!("the description of the device: {reason}"));
        }
        for table in &self.tables {
            for row in &table.rows {
                if let Err(Missing::Failed(reason)) = &row.figures {
                    let number = table.number;
                    failures.push(format!("table {number}, {}: {reason}", row.name));
                }
            }
        }
        failures
    }
}

/// Tables without figures, and what measures one round of each of their rows, in order.
#[derive(Default)]
struct Planned<'a> {
    tables: Vec<Table>,
    rounds: Vec<Box<dyn Fn() -> Result<Round, Missing> + 'a>>,
}

impl<'a> Planned<'a> {
    /// Adds a row to the last table.
    fn row(
        &mut self,
        name: String,
        baseline: usize,
        bytes: u64,
        round: impl Fn() -> Result<Round, Missing> + 'a,
    ) {
        let figures = Err(Missing::NotMeasured("no rounds".to_owned()));
        if let Some(table) = self.tables.last_mut() {
            table.rows.push(Row {
                name,
                baseline,
                bytes,
                figures,
            });
            self.rounds.push(Box::new(round));
        }
    }
}

/// All tables, in the order of their numbers.
fn planned<'a, B: DeviceBackend>(variants: &'a [Variant<'_, B>], plan: Plan) -> Planned<'a> {
    let mut planned = Planned::default();
    for workload in &ALLOCATIONS {
        let is_floor = |variant: &Variant<'_, B>| variant.way == Way::Floor;
        let baseline = variants.iter().position(|variant| !is_floor(variant));
        planned.tables.push(Table {
            number: workload.table,
            title: workload.title(),
            kind: TableKind::Allocations,
            floor: variants.iter().position(is_floor),
            rows: Vec::new(),
        });
        for variant in variants {
            let (name, baseline) = (variant.name.to_owned(), baseline.unwrap_or(0));
            planned.row(name, baseline, workload.bytes, || workload.round(variant));
        }
    }
    for (number, direction) in TRANSFERS {
        planned.tables.push(Table {
            number,
            title: direction.title(),
            kind: TableKind::Copies,
            floor: None,
            rows: Vec::new(),
        });
        add_copies(&mut planned, direction, variants, plan);
    }
    planned
}

fn add_copies<'a, B: DeviceBackend>(
    planned: &mut Planned<'a>,
    direction: Direction,
    variants: &'a [Variant<'_, B>],
    plan: Plan,
) {
    let once =
        |variant: &&Variant<'_, B>| variant.way != Way::Floor && !variant.name.ends_with(AGAIN);
    let mut baseline = 0;
    for (bytes, is_pinned) in Transfer::planned(plan.largest_copy) {
        let mut count = 0;
        let mut add = |name: &str, variant: &'a Variant<'_, B>, is_inside| {
            let transfer = Transfer {
                direction,
                bytes,
                is_pinned,
                is_inside,
            };
            let name = format!("{}, {name}", transfer.title());
            planned.row(name, baseline, bytes, move || transfer.round(variant));
            count += 1;
        };
        // Without an allocation inside, all ways are the same.
        if let Some(first) = variants.iter().find(once) {
            add("none", first, false);
            for variant in variants.iter().filter(once) {
                add(variant.name, variant, true);
            }
            add("none-again", first, false);
        }
        baseline += count;
    }
}
