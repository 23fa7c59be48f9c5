//! Questions to [`Results`]: finds cells, and compares them with the floor, with the baseline
//! and with the repeated baseline of the same cell.

use crate::results::{Cell, Results, Run};

/// What the cells of one axis are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub axis: &'static str,
    pub baseline: &'static str,
    /// The baseline measured once more (A/A).
    pub again: &'static str,
    /// The loop without an allocator.
    pub floor: &'static str,
    /// The same for arenas.
    pub arena_floor: &'static str,
}

pub const SUBJECTS: Comparison = Comparison {
    arena_floor: "floor-arena",
    ..comparison("subject", "system", "system-again")
};

/// All comparisons. A cell has the axis of at most one of them.
pub const COMPARISONS: [Comparison; 5] = [
    SUBJECTS,
    comparison("wrapper", "none", "none-again"),
    comparison("prefetch", "off", "off-again"),
    comparison("way", "direct", "direct-again"),
    comparison("inside", "none", "none-again"),
];

const fn comparison(axis: &'static str, baseline: &'static str, again: &'static str) -> Comparison {
    Comparison {
        axis,
        baseline,
        again,
        floor: "floor",
        arena_floor: "floor",
    }
}

/// Whether a subject takes all blocks back at once, so that its floor is that of arenas: bumpalo,
/// and every subject whose name ends with `-arena`.
pub fn is_arena(subject: &str) -> bool {
    subject == "bumpalo" || subject.ends_with("-arena")
}

impl Comparison {
    pub fn is_floor(&self, value: &str) -> bool {
        value == self.floor || value == self.arena_floor
    }

    pub fn is_control(&self, value: &str) -> bool {
        value == self.again || self.is_floor(value)
    }

    /// The position of a value among all: floors, the baseline, the others, the repeated
    /// baseline.
    pub fn rank(&self, value: &str) -> u8 {
        match value {
            _ if value == self.floor => 0,
            _ if value == self.arena_floor => 1,
            _ if value == self.baseline => 2,
            _ if value == self.again => 4,
            _ => 3,
        }
    }
}

/// A figure over the baseline's figure of the same cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    pub value: f64,
    /// Whether the two figures differ by no more than the baseline and its repeat.
    pub is_noise: bool,
}

/// What runs in one file must not differ in, by the names of [`Run::fields`].
const PLACE: &str = "CPU, Cores, Kernel, C library, Huge pages, Settings of allocators, Compiler, \
                     Compiler flags, Target, Profile";

impl Run {
    /// All that it tells of the machine and the build, each with its name; empty if it is not
    /// known.
    pub fn fields(&self) -> [(&'static str, String); 15] {
        let cores = Some(self.cores).filter(|cores| *cores > 0);
        let memory = self.memory_bytes as f64 / f64::from(1 << 30);
        let memory = (memory > 0.0).then(|| format!("{memory:.1} GiB"));
        [
            ("Date", self.date.clone()),
            ("CPU", self.cpu.clone()),
            (
                "Cores",
                cores.map_or_else(String::new, |cores| cores.to_string()),
            ),
            ("Memory", memory.unwrap_or_default()),
            ("Kernel", self.kernel.clone()),
            ("C library", self.libc.clone()),
            ("Huge pages", self.huge_pages.clone()),
            ("Settings of allocators", self.settings.clone()),
            ("Compiler", self.rustc.clone()),
            ("Compiler flags", self.rustflags.clone()),
            ("Target", self.target.clone()),
            ("Profile", self.profile.clone()),
            ("Features", self.features.join(" ")),
            ("Commit", self.commit.clone()),
            ("Command", self.command.clone()),
        ]
    }

    /// Why figures of both runs may not be compared, and so never stand in one file: what differs,
    /// with the value of each.
    pub fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let both = self.fields().into_iter().zip(other.fields());
        let mut both = both.map(|((name, own), (_, other))| (name, own, other));
        both.find(|(name, own, other)| PLACE.split(", ").any(|one| one == *name) && own != other)
    }
}

impl Cell {
    /// The name of the workload: that of the scenario without its axes.
    pub fn workload(&self) -> &str {
        let name = self.scenario.split('/').next().unwrap_or_default();
        name.split(" (").next().unwrap_or_default()
    }

    /// Whether it is one of these cells: `WORKLOAD`, or `WORKLOAD/AXIS=VALUE,...`, where `*` is any
    /// value.
    pub fn is_of(&self, cells: &str) -> bool {
        let (workload, axes) = cells.split_once('/').unwrap_or((cells, ""));
        let mut axes = axes.split(',').filter_map(|axis| axis.split_once('='));
        let is_wanted = |(axis, value)| value == "*" || self.axis(axis) == Some(value);
        self.workload() == workload && axes.all(is_wanted)
    }

    pub fn axis(&self, name: &str) -> Option<&str> {
        let mut axes = self.axes.iter();
        let (_, value) = axes.find(|(axis, _)| axis == name)?;
        Some(value)
    }

    pub fn subject(&self) -> Option<&str> {
        self.axis("subject")
    }

    /// How the cell is compared, and its own value of that axis.
    pub fn comparison(&self) -> Option<(&'static Comparison, &str)> {
        let with_value = |one: &'static Comparison| Some((one, self.axis(one.axis)?));
        COMPARISONS.iter().find_map(with_value)
    }

    /// Whether the cell has figures that count: it was measured, and nothing failed.
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
    /// fastest window is that in which they hindered each other least, the median.
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
    /// All subjects: floors, the baseline, the others, the repeated baseline.
    pub fn subjects(&self) -> Vec<&str> {
        sorted_values("subject", self.cells.iter())
    }

    /// The cell that differs from this one in the compared value alone.
    pub fn peer(&self, cell: &Cell, value: &str) -> Option<&Cell> {
        let (comparison, _) = cell.comparison()?;
        let is_same = |((axis, own), (other_axis, other)): (&(String, String), &(_, String))| {
            let wanted = if axis == comparison.axis { value } else { own };
            axis == other_axis && other == wanted
        };
        // The axes come first, since most cells differ in them.
        self.cells.iter().find(|other| {
            other.axes.len() == cell.axes.len()
                && cell.axes.iter().zip(&other.axes).all(is_same)
                && other.bench == cell.bench
                && other.workload() == cell.workload()
        })
    }

    /// The floor of a cell. An arena has that of the others in a workload without a floor of
    /// arenas.
    pub fn floor(&self, cell: &Cell) -> Option<&Cell> {
        let (comparison, value) = cell.comparison()?;
        let has_arena_floor = || self.peer(cell, comparison.arena_floor).is_some();
        let floor = match is_arena(value) && has_arena_floor() {
            true => comparison.arena_floor,
            false => comparison.floor,
        };
        self.peer(cell, floor)
    }

    /// The cores of the machine, which is that of all runs; 0 if they are not known.
    pub fn cores(&self) -> u64 {
        self.runs.first().map_or(0, |run| run.cores)
    }

    /// Whether a cell has more threads than the machine has cores. They take turns, so that the
    /// wall time of a floor is no part of theirs.
    pub fn is_crowd(&self, cell: &Cell) -> bool {
        self.cores() > 0 && cell.threads_at_work() > self.cores()
    }

    /// The figure `of` a cell minus that of its floor. `None` where one of the two was not
    /// measured; a floor has no net figure.
    pub fn net_of(&self, cell: &Cell, of: impl Fn(&Cell) -> Option<f64>) -> Option<f64> {
        let (comparison, value) = cell.comparison()?;
        if comparison.is_floor(value) {
            return None;
        }
        Some(of(cell)? - of(self.floor(cell)?)?)
    }

    /// The figure `of` a cell over that of the baseline: both net, if the figure `has_floor` and
    /// both floors were measured. `None` for floors, and where the baseline has no figure above
    /// zero.
    pub fn ratio_of(
        &self,
        cell: &Cell,
        has_floor: bool,
        of: impl Fn(&Cell) -> Option<f64>,
    ) -> Option<Ratio> {
        let (comparison, value) = cell.comparison()?;
        let baseline = self.peer(cell, comparison.baseline)?;
        let net = |cell: &Cell| self.net_of(cell, &of);
        let is_net = has_floor && net(cell).and(net(baseline)).is_some();
        let figure = |cell: &Cell| if is_net { net(cell) } else { of(cell) };
        let (own, base) = (figure(cell)?, figure(baseline)?);
        let repeats = self.repeats_of(cell, figure);
        let is_noise = |(one, other): (f64, f64)| (own - base).abs() <= (one - other).abs();
        (base > 0.0 && !comparison.is_floor(value)).then(|| Ratio {
            value: own.max(0.0) / base,
            is_noise: repeats.is_some_and(is_noise),
        })
    }

    /// The figures `of` the baseline and of its repeat beside this cell.
    pub fn repeats_of(&self, cell: &Cell, of: impl Fn(&Cell) -> Option<f64>) -> Option<(f64, f64)> {
        let (comparison, _) = cell.comparison()?;
        let baseline = of(self.peer(cell, comparison.baseline)?)?;
        Some((baseline, of(self.peer(cell, comparison.again)?)?))
    }

    /// The larger of [`Self::repeats_of`] over the smaller one: a factor that two measurements of
    /// the same thing differ by.
    pub fn noise_factor_of(&self, cell: &Cell, of: impl Fn(&Cell) -> Option<f64>) -> Option<f64> {
        let (one, other) = self.repeats_of(cell, of)?;
        (one.min(other) > 0.0).then(|| one.max(other) / one.min(other))
    }
}

/// Why none of the cells could be measured: the first reason. `None` if one could.
pub(crate) fn unavailable<'c>(cells: impl Iterator<Item = &'c Cell>) -> Option<&'c str> {
    let reasons: Option<Vec<_>> = cells.map(|cell| cell.unavailable.as_deref()).collect();
    reasons?.first().copied()
}

/// The values of an axis in some cells, in the order of the tables: as
/// [`Comparison::rank`], numbers, with or without a unit, by size, others as they occur first.
pub(crate) fn sorted_values<'c>(axis: &str, cells: impl Iterator<Item = &'c Cell>) -> Vec<&'c str> {
    let mut values = distinct(cells.filter_map(|cell| cell.axis(axis)));
    if let Some(comparison) = COMPARISONS.iter().find(|one| one.axis == axis) {
        values.sort_by_key(|value| comparison.rank(value));
    } else if values.iter().all(|value| number(value).is_some()) {
        values.sort_by_key(|value| number(value));
    }
    values
}

/// The number that a value is, with or without a unit: of `64`, or of `12s`.
fn number(value: &str) -> Option<u64> {
    let digits = value.trim_end_matches(|one: char| one.is_ascii_alphabetic());
    digits.parse().ok()
}

/// The values without repetition, as they occur first.
pub(crate) fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}
