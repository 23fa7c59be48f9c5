//! Questions to [`Results`]: finds cells, and compares them with the floor, with the baseline
//! and with the repeated baseline of the same cell.

use crate::results::{Cell, Results};

pub const BASELINE: &str = "system";

/// The axes whose values are compared with one of them, the baseline. That one is measured again
/// under the name `BASELINE-again` (A/A). A cell has at most one of these axes.
const BASELINES: [(&str, &str); 5] = [
    ("subject", BASELINE),
    ("wrapper", "none"),
    ("prefetch", "off"),
    ("way", "direct"),
    ("inside", "none"),
];

/// What a cell is compared with.
#[derive(Clone, Copy)]
pub struct Comparison<'c> {
    pub axis: &'static str,
    pub baseline: &'static str,
    /// The cell's own value of the axis.
    pub value: &'c str,
}

/// The loop without an allocator, and the same for arenas, which take all blocks back at once.
const FLOOR: &str = "floor";
const ARENA_FLOOR: &str = "floor-arena";

pub fn is_arena(subject: &str) -> bool {
    subject == "bumpalo" || subject == ARENA_FLOOR
}

/// Whether it is no allocator of its own: a floor, or a row that was measured again.
pub fn is_control(value: &str) -> bool {
    value == FLOOR || value == ARENA_FLOOR || value.ends_with("-again")
}

impl Comparison<'_> {
    pub fn is_floor(&self) -> bool {
        self.value == FLOOR || self.value == ARENA_FLOOR
    }
}

/// A value over the baseline's value of the same cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    pub value: f64,
    /// Whether the two differ by no more than the baseline and its repeat.
    pub is_noise: bool,
}

impl Cell {
    /// The name of the scenario without its axes.
    pub fn workload(&self) -> &str {
        self.scenario.split('/').next().unwrap_or_default()
    }

    /// The axes and their values: of `pair/subject=system,size=64`.
    fn axes(&self) -> impl Iterator<Item = (&str, &str)> {
        let axes = self.scenario.split_once('/').map_or("", |(_, axes)| axes);
        axes.split(',').filter_map(|axis| axis.split_once('='))
    }

    pub fn axis(&self, name: &str) -> Option<&str> {
        self.axes()
            .find_map(|(axis, value)| (axis == name).then_some(value))
    }

    pub fn subject(&self) -> Option<&str> {
        self.axis("subject")
    }

    /// Whether it is one of these cells: `WORKLOAD`, or `WORKLOAD/AXIS=VALUE,...`, where `*` is any
    /// value.
    pub fn is_of(&self, cells: &str) -> bool {
        let (workload, axes) = cells.split_once('/').unwrap_or((cells, ""));
        let mut axes = axes.split(',').filter_map(|axis| axis.split_once('='));
        let is_wanted = |(axis, value)| value == "*" || self.axis(axis) == Some(value);
        self.workload() == workload && axes.all(is_wanted)
    }

    pub fn comparison(&self) -> Option<Comparison<'_>> {
        BASELINES.into_iter().find_map(|(axis, baseline)| {
            Some(Comparison {
                axis,
                baseline,
                value: self.axis(axis)?,
            })
        })
    }

    /// Whether the cell has values that count: it was measured, and nothing failed.
    pub fn is_sound(&self) -> bool {
        self.unavailable.is_none() && self.failure.is_none()
    }

    /// The number of threads at work. Some workloads start threads of their own, which the
    /// harness does not count.
    pub fn threads_at_work(&self) -> u64 {
        let axis = self.axis("threads").and_then(|value| value.parse().ok());
        let own = match self.workload() {
            "handover" => 2,
            _ => self.threads,
        };
        axis.unwrap_or(own).max(1)
    }

    /// The headline, in nanoseconds of one call: the fastest window; on several threads, whose
    /// fastest window is the one in which they hindered each other least, the median.
    pub fn headline(&self) -> Option<f64> {
        let time = self.time.filter(|_| self.is_sound())?;
        Some(match self.threads_at_work() {
            1 => time.fastest,
            _ => time.p50,
        })
    }

    /// The same of a metric in nanoseconds.
    pub fn fastest(&self, metric: &str) -> Option<f64> {
        let metric = self.metrics.get(metric).filter(|_| self.is_sound())?;
        Some(match self.threads_at_work() {
            1 => metric.min as f64,
            _ => metric.p50 as f64,
        })
    }
}

impl Results {
    /// The cell that differs from this one in the compared value alone.
    pub fn peer(&self, cell: &Cell, value: &str) -> Option<&Cell> {
        let Comparison {
            axis, value: own, ..
        } = cell.comparison()?;
        let (own, wanted) = (format!("{axis}={own}"), format!("{axis}={value}"));
        let wanted = cell.scenario.replacen(&own, &wanted, 1);
        self.cells.iter().find(|other| other.scenario == wanted)
    }

    /// The floor of a cell. An arena has the common one in a workload without a floor of arenas.
    fn floor(&self, cell: &Cell) -> Option<&Cell> {
        let own = is_arena(cell.comparison()?.value).then(|| self.peer(cell, ARENA_FLOOR));
        own.flatten().or_else(|| self.peer(cell, FLOOR))
    }

    /// Whether a cell has more threads than the machine has cores. They take turns, so that the
    /// wall time of a floor is no part of theirs.
    pub fn is_crowd(&self, cell: &Cell) -> bool {
        self.run.cores > 0 && cell.threads_at_work() > self.run.cores
    }

    /// The value `of` a cell minus the one of its floor. `None` where one of the two was not
    /// measured; a floor has no net value.
    pub fn net_of(&self, cell: &Cell, of: impl Fn(&Cell) -> Option<f64>) -> Option<f64> {
        cell.comparison()
            .filter(|comparison| !comparison.is_floor())?;
        Some(of(cell)? - of(self.floor(cell)?)?)
    }

    /// The value `of` a cell over the one of the baseline: both net, if the value `has_floor` and
    /// both floors were measured. `None` for floors, and where the baseline has no value above
    /// zero.
    pub fn ratio_of(
        &self,
        cell: &Cell,
        has_floor: bool,
        of: impl Fn(&Cell) -> Option<f64>,
    ) -> Option<Ratio> {
        let comparison = cell.comparison()?;
        let baseline = self.peer(cell, comparison.baseline)?;
        let net = |cell: &Cell| self.net_of(cell, &of);
        let is_net = has_floor && net(cell).and(net(baseline)).is_some();
        let value_of = |cell: &Cell| if is_net { net(cell) } else { of(cell) };
        let (own, base) = (value_of(cell)?, value_of(baseline)?);
        let repeats = self.repeats_of(cell, value_of);
        let is_noise = |(one, other): (f64, f64)| (own - base).abs() <= (one - other).abs();
        (base > 0.0 && !comparison.is_floor()).then(|| Ratio {
            value: own.max(0.0) / base,
            is_noise: repeats.is_some_and(is_noise),
        })
    }

    /// The values `of` the baseline and of its repeat beside this cell.
    pub fn repeats_of(&self, cell: &Cell, of: impl Fn(&Cell) -> Option<f64>) -> Option<(f64, f64)> {
        let baseline = cell.comparison()?.baseline;
        let again = format!("{baseline}-again");
        Some((
            of(self.peer(cell, baseline)?)?,
            of(self.peer(cell, &again)?)?,
        ))
    }

    /// The larger of [`Self::repeats_of`] over the smaller one: a factor that two measurements of
    /// the same thing differ by.
    pub fn noise_factor_of(&self, cell: &Cell, of: impl Fn(&Cell) -> Option<f64>) -> Option<f64> {
        let (one, other) = self.repeats_of(cell, of)?;
        (one.min(other) > 0.0).then(|| one.max(other) / one.min(other))
    }
}

/// Why none of the cells could be measured: the first reason. `None` if one could.
pub fn unavailable<'c>(cells: impl Iterator<Item = &'c Cell>) -> Option<&'c str> {
    let reasons: Option<Vec<_>> = cells.map(|cell| cell.unavailable.as_deref()).collect();
    reasons?.first().copied()
}

/// The values of an axis without repetition, in the order of the tables: floors, the baseline, the
/// others, the repeated baseline; numbers by size.
pub fn sorted<'c>(axis: &str, values: impl Iterator<Item = &'c str>) -> Vec<&'c str> {
    let mut values = distinct(values);
    let number = |value: &&str| value.parse::<u64>().ok();
    if let Some((_, baseline)) = BASELINES.iter().find(|(one, _)| *one == axis) {
        let again = format!("{baseline}-again");
        let controls = [FLOOR, ARENA_FLOOR, baseline, "", &again];
        values.sort_by_key(|value| controls.iter().position(|one| one == value).unwrap_or(3));
    } else if values.iter().all(|value| number(value).is_some()) {
        values.sort_by_key(number);
    }
    values
}

/// The values without repetition, as they occur first.
pub fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}
