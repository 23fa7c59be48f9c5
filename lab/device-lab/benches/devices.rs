//! Ways of obtaining device memory, by Vulkan and by CUDA: times and counts of allocations, and
//! times of copies with an allocation inside. A process measures one round of one row.

use std::env;
use std::process::ExitCode;
use std::time::Duration;

use alloc_scenario::{
    Axes, CountingAlloc, Definition, Operation, Scenario, Suite, Unit, pause, protocol,
};
use device_lab::rounds::{
    Allocations, COPIES, Counts, Direction, Round, Transfer, Variant, WINDOW, Way, Window,
};
use device_lab::{Cuda, DeviceBackend, DeviceError, DeviceInfo, Vulkan};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// A row's name and what it measures: the floor, the baseline, and others.
type Ways<B> = [(&'static str, Variant<'static, B>); 4];

const fn variant<B>(
    way: Way,
    calls: [u64; 2],
    open: &'static dyn Fn() -> Result<B, DeviceError>,
) -> Variant<'static, B> {
    Variant { way, calls, open }
}

/// A driver call each.
const CUDA: &Ways<Cuda> = &[
    ("floor", variant(Way::Floor, [1, 1], &Cuda::open)),
    ("direct", variant(Way::Direct, [1, 1], &Cuda::open)),
    ("pool", variant(Way::Pool, [1, 1], &Cuda::open_with_pool)),
    ("cache", variant(Way::Cached, [1, 1], &Cuda::open)),
];

/// Create a buffer, ask what it needs, allocate, bind; destroy it, free. gpu-allocator allocates
/// and frees blocks alone.
const VULKAN: &Ways<Vulkan> = &[
    ("floor", variant(Way::Floor, [4, 2], &Vulkan::open)),
    ("direct", variant(Way::Direct, [4, 2], &Vulkan::open)),
    (
        "gpu-allocator",
        variant(Way::Blocks, [3, 1], &Vulkan::open_with_gpu_allocator),
    ),
    ("cache", variant(Way::Cached, [4, 2], &Vulkan::open)),
];

const fn load(bytes: u64, live: u32, requests: u32) -> Allocations {
    Allocations {
        bytes,
        live,
        requests,
    }
}

const LOADS: [Allocations; 4] = [
    load(1 << 10, 1, 2_000),
    load(64 << 10, 1, 500),
    load(4 << 20, 1, 100),
    load(1 << 10, 10, 2_000),
];

/// The sizes of copies.
const COPIED: [u64; 4] = [1 << 10, 64 << 10, 1 << 20, 16 << 20];

fn main() -> ExitCode {
    let mut bench = Bench {
        suite: Suite::from_args(),
        only: env::var(protocol::FRESH).ok(),
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

impl Bench {
    /// Adds all rows of an interface. They take turns: rows to be compared are measured near in
    /// time.
    fn add<B: DeviceBackend + 'static>(
        &mut self,
        api: &str,
        ways: &'static Ways<B>,
        info: fn(&B) -> &DeviceInfo,
    ) {
        let rows = || {
            let again = ways[1..].iter();
            let again = again.map(|(name, variant)| (format!("{name}-again"), variant));
            let once = ways
                .iter()
                .map(|(name, variant)| ((*name).to_owned(), variant));
            once.chain(again)
        };
        let missing = self.missing(&ways[1].1);
        // A device may have no pools. One that is lost after the others were opened is a failure.
        let pool = ways.iter().find(|(_, variant)| variant.way == Way::Pool);
        let no_pool = pool.and_then(|(_, variant)| self.missing(variant));
        let missing = |way| match way {
            Way::Pool => missing.as_ref().or(no_pool.as_ref()).cloned(),
            Way::Floor | Way::Direct | Way::Blocks | Way::Cached => missing.clone(),
        };
        for load in LOADS {
            for (row, variant) in rows() {
                let axes = format!("{}x{}", load.live, load.bytes);
                let workload = format!("{api}-allocate");
                if !self.needs(&format!("{workload}/way={row},load={axes}")) {
                    continue;
                }
                let describes = self.only.is_some() && variant.way == Way::Floor;
                let device = describes.then(|| (variant.open)().ok()).flatten();
                self.suite.scenario_with(&workload, |b| {
                    let b = b.axis("way", [row]).axis("load", [axes]);
                    let b = b.elements(|_| WINDOW);
                    let b = match &device {
                        Some(device) => b.note(&info(device).to_string()),
                        None => b,
                    };
                    let windows = load.requests / WINDOW;
                    let round = move || load.round(variant);
                    measured(b, missing(variant.way), windows, round, |calls| {
                        with_counts(calls, variant.way)
                    })
                });
            }
        }
        for (direction, workload) in [
            (Direction::Upload, format!("{api}-upload")),
            (Direction::Download, format!("{api}-download")),
        ] {
            for bytes in COPIED {
                for (host, is_pinned) in [("pageable", false), ("pinned", true)] {
                    let direct = &ways[1].1;
                    let inside = ways[1..].iter();
                    let inside = inside.map(|(name, variant)| (*name, variant, true));
                    // Without an allocation inside, all ways are the same.
                    let rows = [("none", direct, false)].into_iter().chain(inside);
                    for (row, variant, is_inside) in rows.chain([("none-again", direct, false)]) {
                        let name = format!("{workload}/inside={row},host={host},size={bytes}");
                        if !self.needs(&name) {
                            continue;
                        }
                        let copy = Transfer {
                            direction,
                            bytes,
                            is_pinned,
                            is_inside,
                        };
                        self.suite.scenario_with(&workload, |b| {
                            let b = b.axis("inside", [row]).axis("host", [host]);
                            let b = b.axis("size", [bytes]);
                            let round = move || copy.round(variant);
                            measured(b, missing(variant.way), COPIES, round, |calls| calls)
                        });
                    }
                }
            }
        }
    }

    /// Whether this process registers the scenario of this name.
    fn needs(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == name)
    }

    /// Why there is no such device. A process of a scenario was started because there is one: it
    /// fails without it.
    fn missing<B>(&self, variant: &Variant<'_, B>) -> Option<String> {
        match self.only.is_none().then(variant.open)? {
            Err(DeviceError::Unavailable { reason }) => Some(reason),
            Ok(_) | Err(DeviceError::OutOfMemory { .. } | DeviceError::Failed { .. }) => None,
        }
    }
}

/// A call: the next window of the round, and the counts of all of it.
type Call = (Window, Counts);

/// A scenario whose calls are the windows of a round, which its process runs before the first.
fn measured<A: Axes>(
    scenario: Scenario<'static, A>,
    missing: Option<String>,
    windows: u32,
    round: impl Fn() -> Result<Round, DeviceError> + 'static,
    figures: impl FnOnce(Operation<'static, A::Point, Call>) -> Operation<'static, A::Point, Call>,
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
    figures(calls).into()
}

/// Adds the figures of allocations.
fn with_counts<P: 'static>(
    calls: Operation<'static, P, Call>,
    way: Way,
) -> Operation<'static, P, Call> {
    let calls = calls.metric("enqueued-time", Unit::Nanoseconds, |(window, _)| {
        nanoseconds(window.enqueued)
    });
    let calls = match way {
        Way::Floor => return calls,
        Way::Pool => calls,
        Way::Direct | Way::Blocks | Way::Cached => {
            calls.metric("hits", Unit::Count, |(_, counts)| {
                counts.hits.unwrap_or_default() as i64
            })
        }
    };
    calls
        .metric("requests", Unit::Count, |(_, counts)| {
            counts.requests as i64
        })
        .metric("driver-calls", Unit::Count, |(_, counts)| {
            counts.driver_calls as i64
        })
        .metric("requested-bytes", Unit::Bytes, |(_, counts)| {
            counts.requested as i64
        })
        .metric("reserved-bytes", Unit::Bytes, |(_, counts)| {
            counts.reserved as i64
        })
}

fn nanoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}
