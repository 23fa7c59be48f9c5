//! Ways of obtaining device memory, by Vulkan and by CUDA: times and counts of allocations, and
//! times of copies with an allocation inside. A process measures one round of one row.

use std::process::ExitCode;
use std::time::Duration;

use alloc_scenario::builder::{Axes, Definition};
use alloc_scenario::counting_alloc::pause;
use alloc_scenario::{CountingAlloc, Scenario, Suite, Unit, fresh_process_for};
use device_lab::rounds::{
    Allocations, COPIED, COPIES, Counts, Direction, LOADS, Round, Transfer, Variant, WINDOW, Way,
};
use device_lab::{Cuda, DeviceBackend, DeviceError, DeviceInfo, Vulkan};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// The rows of an interface: the floor, the baseline, and others.
type Variants<B> = [Variant<'static, B>; 4];

const fn variant<B>(
    name: &'static str,
    way: Way,
    calls: [u64; 2],
    open: &'static dyn Fn() -> Result<B, DeviceError>,
) -> Variant<'static, B> {
    Variant {
        name,
        way,
        calls,
        open,
    }
}

/// A driver call each.
const CUDA: &Variants<Cuda> = &[
    variant("floor", Way::Floor, [1, 1], &Cuda::open),
    variant("direct", Way::Direct, [1, 1], &Cuda::open),
    variant("pool", Way::Pool, [1, 1], &Cuda::open_with_pool),
    variant("cache", Way::Cached, [1, 1], &Cuda::open),
];

/// Create a buffer, ask what it needs, allocate, bind; destroy it, free. gpu-allocator allocates
/// and frees blocks alone.
const VULKAN: &Variants<Vulkan> = &[
    variant("floor", Way::Floor, [4, 2], &Vulkan::open),
    variant("direct", Way::Direct, [4, 2], &Vulkan::open),
    variant(
        "gpu-allocator",
        Way::Blocks,
        [3, 1],
        &Vulkan::open_with_gpu_allocator,
    ),
    variant("cache", Way::Cached, [4, 2], &Vulkan::open),
];

fn main() -> ExitCode {
    let mut bench = Bench {
        suite: Suite::from_args(),
        only: fresh_process_for(),
    };
    bench.add("vulkan", VULKAN, Vulkan::info);
    bench.add("cuda", CUDA, Cuda::info);
    bench.suite.finish()
}

struct Bench {
    suite: Suite<'static>,
    /// The scenario that this process was started for, if any. It registers no other: opening
    /// devices takes longer than many scenarios.
    only: Option<String>,
}

/// A variant, and why there is no such device.
type Row<B> = (&'static Variant<'static, B>, Option<String>);

impl Bench {
    /// Adds all rows of an interface. They take turns: rows to be compared are measured near in
    /// time.
    fn add<B: DeviceBackend + 'static>(
        &mut self,
        api: &str,
        variants: &'static Variants<B>,
        info: fn(&B) -> &DeviceInfo,
    ) {
        let missing = self.missing(&variants[1]);
        let rows = variants.iter().map(|variant| {
            // A device may have no pools. One that is lost after this is a failure.
            let missing = missing.clone().or_else(|| match variant.way {
                Way::Pool => self.missing(variant),
                Way::Floor | Way::Direct | Way::Blocks | Way::Cached => None,
            });
            (variant, missing)
        });
        let rows: Vec<_> = rows.collect();
        for load in LOADS {
            self.allocations(&format!("{api}-allocate"), load, &rows, info);
        }
        for (direction, workload) in [
            (Direction::Upload, format!("{api}-upload")),
            (Direction::Download, format!("{api}-download")),
        ] {
            for bytes in COPIED {
                self.copies(&workload, direction, bytes, &rows);
            }
        }
    }

    /// Why there is no such device. A process of a scenario was started because there is one: it
    /// fails without it.
    fn missing<B>(&self, variant: &Variant<'_, B>) -> Option<String> {
        match self.only.is_none().then(variant.open)? {
            Err(DeviceError::Unavailable { reason }) => Some(reason),
            Ok(_) | Err(DeviceError::OutOfMemory { .. } | DeviceError::Failed { .. }) => None,
        }
    }

    /// Whether this process registers the scenario of this name.
    fn needs(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == name)
    }

    fn allocations<B: DeviceBackend>(
        &mut self,
        workload: &str,
        load: Allocations,
        rows: &[Row<B>],
        info: fn(&B) -> &DeviceInfo,
    ) {
        let blocks = format!("{}x{}", load.live, load.bytes);
        let again = rows[1..].iter().map(|row| (row, "-again"));
        for (&(variant, ref missing), again) in rows.iter().map(|row| (row, "")).chain(again) {
            let name = format!("{}{again}", variant.name);
            if !self.needs(&format!("{workload}/way={name},load={blocks}")) {
                continue;
            }
            let describes = self.only.is_some() && variant.way == Way::Floor;
            let device = describes.then(|| (variant.open)().ok()).flatten();
            self.suite.scenario_with(workload, |b| {
                let b = b.axis("way", [name]).axis("load", [blocks.clone()]);
                let b = b.elements(|_| WINDOW);
                let b = match &device {
                    Some(device) => b.note(&info(device).to_string()),
                    None => b,
                };
                let windows = load.requests / WINDOW;
                let round = move || load.round(variant);
                measured(b, missing, windows, round, Some(variant.way))
            });
        }
    }

    fn copies<B: DeviceBackend>(
        &mut self,
        workload: &str,
        direction: Direction,
        bytes: u64,
        rows: &[Row<B>],
    ) {
        // Without an allocation inside, all ways are the same.
        let none = |name| (name, &rows[1], false);
        let inside = rows[1..].iter().map(|row| (row.0.name, row, true));
        let rows = [none("none")].into_iter().chain(inside);
        let rows: Vec<_> = rows.chain([none("none-again")]).collect();
        for (host, is_pinned) in [("pageable", false), ("pinned", true)] {
            for &(name, &(variant, ref missing), is_inside) in &rows {
                if !self.needs(&format!(
                    "{workload}/inside={name},host={host},size={bytes}"
                )) {
                    continue;
                }
                let copy = Transfer {
                    direction,
                    bytes,
                    is_pinned,
                    is_inside,
                };
                self.suite.scenario_with(workload, |b| {
                    let b = b.axis("inside", [name]).axis("host", [host]);
                    let b = b.axis("size", [bytes]);
                    let round = move || copy.round(variant);
                    measured(b, missing, COPIES, round, None)
                });
            }
        }
    }
}

/// A scenario whose calls are the windows of a round, which its process runs before the first; with
/// the counts of allocations in this way.
fn measured<A: Axes>(
    scenario: Scenario<'static, A>,
    missing: &Option<String>,
    windows: u32,
    round: impl Fn() -> Result<Round, DeviceError> + 'static,
    counted: Option<Way>,
) -> Definition<'static>
where
    A::Point: 'static,
{
    if let Some(reason) = missing {
        return scenario.unavailable(reason);
    }
    let calls = scenario
        .fresh_process()
        .warm_up(0)
        // And the first call.
        .iterations(u64::from(windows) - 1)
        .untimed()
        .setup(move |_| {
            // Without the time of counting.
            let _paused = pause();
            let Round { windows, counts } = round().unwrap_or_else(|error| panic!("{error}"));
            (windows.into_iter().cycle(), counts)
        })
        .run(|(windows, counts)| (windows.next().unwrap_or_default(), *counts))
        .metric("finished-time", Unit::Nanoseconds, |(window, _)| {
            nanoseconds(window.total)
        });
    let Some(way) = counted else {
        return calls.into();
    };
    let mut calls = calls.metric("enqueued-time", Unit::Nanoseconds, |(window, _)| {
        nanoseconds(window.enqueued)
    });
    if way == Way::Floor {
        return calls.into();
    }
    if way != Way::Pool {
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
