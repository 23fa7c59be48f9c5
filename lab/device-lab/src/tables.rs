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
use workload::{ALLOCATIONS, Allocations, Direction, TRANSFERS, Transfer};

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
    let tables = planned(variants, plan);
    let rows = tables.iter().flat_map(|table| &table.rows);
    RoundResults(rows.map(|row| (row.run)()).collect())
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
    let tables = planned(variants, plan);
    let count = tables.iter().map(|table| table.rows.len()).sum();
    let mut all: Vec<_> = (0..count).map(|_| Ok(Samples::default())).collect();
    for _ in 0..plan.rounds {
        let results = next().and_then(|results| results.of_rows(count));
        let results = results.unwrap_or_else(|missing| vec![Err(missing); count]);
        for (samples, result) in all.iter_mut().zip(results) {
            collect(samples, result);
        }
    }
    let mut figures = all.into_iter().map(|samples| samples?.figures());
    Section {
        api: api.to_owned(),
        device,
        rounds: plan.rounds,
        tables: tables
            .into_iter()
            .map(|table| table.with_figures(&mut figures))
            .collect(),
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

/// A table without figures, and what measures its rows.
struct PlannedTable<'a> {
    number: u32,
    title: String,
    kind: TableKind,
    floor: Option<usize>,
    rows: Vec<PlannedRow<'a>>,
}

struct PlannedRow<'a> {
    name: String,
    baseline: usize,
    bytes: u64,
    /// One round of the row.
    run: Box<dyn Fn() -> Result<Round, Missing> + 'a>,
}

impl PlannedTable<'_> {
    /// The table with the next of these figures in each row.
    fn with_figures(self, figures: impl Iterator<Item = Result<Figures, Missing>>) -> Table {
        let rows = self.rows.into_iter().zip(figures);
        Table {
            number: self.number,
            title: self.title,
            kind: self.kind,
            floor: self.floor,
            rows: rows
                .map(|(row, figures)| Row {
                    name: row.name,
                    baseline: row.baseline,
                    bytes: row.bytes,
                    figures,
                })
                .collect(),
        }
    }
}

/// All tables, in the order of their numbers.
fn planned<'a, B: DeviceBackend>(
    variants: &'a [Variant<'_, B>],
    plan: Plan,
) -> Vec<PlannedTable<'a>> {
    let allocations = ALLOCATIONS.iter();
    let allocations = allocations.map(|workload| allocation_table(workload, variants));
    let transfers = TRANSFERS.iter();
    let transfers = transfers.map(|of| transfer_table(*of, variants, plan));
    allocations.chain(transfers).collect()
}

fn allocation_table<'a, B: DeviceBackend>(
    workload: &'a Allocations,
    variants: &'a [Variant<'_, B>],
) -> PlannedTable<'a> {
    let is_floor = |variant: &Variant<'_, B>| variant.way == Way::Floor;
    let baseline = variants.iter().position(|variant| !is_floor(variant));
    let rows = variants.iter().map(|variant| PlannedRow {
        name: variant.name.to_owned(),
        baseline: baseline.unwrap_or(0),
        bytes: workload.bytes,
        run: Box::new(|| workload.round(variant)),
    });
    PlannedTable {
        number: workload.table,
        title: workload.title(),
        kind: TableKind::Allocations,
        floor: variants.iter().position(is_floor),
        rows: rows.collect(),
    }
}

fn transfer_table<'a, B: DeviceBackend>(
    (number, direction): (u32, Direction),
    variants: &'a [Variant<'_, B>],
    plan: Plan,
) -> PlannedTable<'a> {
    let once =
        |variant: &&Variant<'_, B>| variant.way != Way::Floor && !variant.name.ends_with(AGAIN);
    let mut rows = Vec::new();
    for (bytes, is_pinned) in Transfer::planned(plan.largest_copy) {
        let baseline = rows.len();
        let mut add = |name: &str, variant: &'a Variant<'_, B>, is_inside| {
            let transfer = Transfer {
                direction,
                bytes,
                is_pinned,
                is_inside,
            };
            rows.push(PlannedRow {
                name: format!("{}, {name}", transfer.title()),
                baseline,
                bytes,
                run: Box::new(move || transfer.round(variant)),
            });
        };
        // Without an allocation inside, all ways are the same.
        if let Some(first) = variants.iter().find(once) {
            add("none", first, false);
            for variant in variants.iter().filter(once) {
                add(variant.name, variant, true);
            }
            add("none-again", first, false);
        }
    }
    PlannedTable {
        number,
        title: direction.title(),
        kind: TableKind::Copies,
        floor: None,
        rows,
    }
}
