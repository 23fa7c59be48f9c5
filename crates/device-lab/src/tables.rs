//! The tables of the page `design/devices.md`: what each way of obtaining device memory
//! takes, for one device interface.
//!
//! All rows take turns, round by round. Each round opens the device anew, so that a cache
//! starts empty.

mod figures;
mod markdown;
mod subject;
mod workload;

pub use figures::{Counts, Figures, Missing, Row, Table};

use crate::backend::{DeviceBackend, DeviceError, DeviceInfo};
use figures::{Round, Samples};
use workload::{ALLOCATIONS, Allocations, TRANSFERS, Transfer, Transfers};

/// What the name of a row ends with that repeats another one.
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

/// Measures all tables. Ratios are to the first row after the floor, which is opened once more
/// to ask for the device.
pub fn measure<B: DeviceBackend>(
    api: &str,
    info: impl FnOnce(&B) -> DeviceInfo,
    variants: &[Variant<'_, B>],
    plan: Plan,
) -> Section {
    let none = || Err(Missing::NotMeasured("no rows".to_owned()));
    let device = variants.first().map_or_else(none, |variant| {
        let device = (variant.open)()?;
        Ok(info(&device))
    });
    let mut tables = Vec::new();
    for workload in &ALLOCATIONS {
        tables.push(allocation_table(workload, variants, plan));
    }
    for workload in &TRANSFERS {
        tables.push(transfer_table(workload, variants, plan));
    }
    Section {
        api: api.to_owned(),
        device,
        rounds: plan.rounds,
        tables,
    }
}

impl Section {
    /// Whether any row has figures.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        let mut rows = self.tables.iter().flat_map(|table| &table.rows);
        rows.any(|row| row.figures.is_ok())
    }

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

fn allocation_table<B: DeviceBackend>(
    workload: &Allocations,
    variants: &[Variant<'_, B>],
    plan: Plan,
) -> Table {
    let runs = variants.iter().map(|variant| || workload.round(variant));
    let figures = in_turns(runs.collect(), plan.rounds);
    let is_floor = |variant: &Variant<'_, B>| variant.way == Way::Floor;
    let baseline = variants.iter().position(|variant| !is_floor(variant));
    let rows = variants.iter().zip(figures).map(|(variant, figures)| Row {
        name: variant.name.to_owned(),
        baseline: baseline.unwrap_or(0),
        bytes: workload.bytes,
        figures,
    });
    Table {
        number: workload.table,
        title: workload.title(),
        floor: variants.iter().position(is_floor),
        rows: rows.collect(),
    }
}

fn transfer_table<B: DeviceBackend>(
    workload: &Transfers,
    variants: &[Variant<'_, B>],
    plan: Plan,
) -> Table {
    let once =
        |variant: &&Variant<'_, B>| variant.way != Way::Floor && !variant.name.ends_with(AGAIN);
    let mut rows = Vec::new();
    let mut runs = Vec::new();
    for (bytes, is_pinned) in Transfers::copies(plan.largest_copy) {
        let baseline = runs.len();
        let mut add = |name: &str, variant, is_inside| {
            let transfer = Transfer {
                direction: workload.direction,
                bytes,
                is_pinned,
                is_inside,
            };
            rows.push((format!("{}, {name}", transfer.title()), baseline, bytes));
            runs.push(move || transfer.round(variant));
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
    let figures = in_turns(runs, plan.rounds);
    let rows = rows.into_iter().zip(figures);
    Table {
        number: workload.table,
        title: workload.title(),
        floor: None,
        rows: rows
            .map(|((name, baseline, bytes), figures)| Row {
                name,
                baseline,
                bytes,
                figures,
            })
            .collect(),
    }
}

/// Runs all, in turns, and returns the figures of each. A run that fails once is not
/// repeated.
fn in_turns(
    mut runs: Vec<impl FnMut() -> Result<Round, Missing>>,
    rounds: u32,
) -> Vec<Result<Figures, Missing>> {
    let mut all: Vec<_> = runs.iter().map(|_| Ok(Samples::default())).collect();
    for _ in 0..rounds {
        for (samples, run) in all.iter_mut().zip(&mut runs) {
            if let Ok(collected) = samples {
                let added = run().and_then(|round| collected.add(round));
                if let Err(missing) = added {
                    *samples = Err(missing);
                }
            }
        }
    }
    let figures = all.into_iter().map(|samples| samples?.figures());
    figures.collect()
}
