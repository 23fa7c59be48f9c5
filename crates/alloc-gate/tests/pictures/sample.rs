//! Stacks to draw: those of the page, and random ones.

use alloc_gate::Statistic;
use alloc_gate::report::StackReport;
use alloc_gate::sites::{
    BeforeRow, Changes, Code, Explained, Found, Frame, FrameKind, Members, SampleSites,
    ScenarioSites, SiteDiff, SiteRow, Sites,
};
use alloc_results::{BenchId, Counts, Metric};

use sample_results::Generator;

/// Stacks that own their frames.
#[derive(Clone, Default)]
pub(crate) struct Sample {
    pub(crate) stacks: Vec<Vec<Frame>>,
    pub(crate) rows: Vec<SiteRow>,
    pub(crate) before: Option<BeforeRow>,
    pub(crate) iterations: u64,
}

impl Sample {
    fn sites(&self, metric: Metric) -> Sites {
        let sample = SampleSites {
            rows: self.rows.clone(),
            before: self.before,
        };
        let measured = ScenarioSites {
            stacks: self.stacks.clone(),
            samples: vec![(sample, self.iterations)],
            ..ScenarioSites::default()
        };
        let members = Members::new("/workspace", &[], &[], &[], &[]);
        let code = Code::new(&members, &|_| None);
        Sites::new(measured, metric, Statistic::Mean, code)
    }

    pub(crate) fn report(&self, metric: Metric) -> Explained {
        let report = self.since(None, metric);
        report.expect("the metric has values by stack")
    }

    pub(crate) fn since(&self, before: Option<&Self>, metric: Metric) -> Option<Explained> {
        let sites = self.sites(metric);
        let found = match before {
            None => Found::Sites {
                sites: Box::new(sites),
                since: None,
                no_base: None,
            },
            Some(before) => {
                let diff = SiteDiff::new(before.sites(metric), sites, &Changes::default());
                Found::Compared {
                    base: String::from("base"),
                    diff: Box::new(diff),
                }
            }
        };
        let bench = BenchId {
            package: String::from("nmx-codec"),
            target: String::from("alloc_count"),
        };
        let name = "write_message::encode (String, 5 chars)";
        let explained = Explained {
            found: Ok(found),
            ..Explained::new(&bench, name, metric, Statistic::Mean)
        };
        let has_values = StackReport::from_explained(&explained).is_some();
        has_values.then_some(explained)
    }

    /// Adds a stack, its outermost frame first, with allocations in each iteration.
    pub(crate) fn add(&mut self, frames: &[Frame], allocs: u64, bytes: u64) {
        self.stacks.push(frames.iter().rev().cloned().collect());
        let counts = Counts {
            allocs: allocs * self.iterations,
            alloc_bytes: bytes * self.iterations,
            deallocs: allocs * self.iterations,
            dealloc_bytes: bytes * self.iterations,
            ..Counts::default()
        };
        self.rows.push(SiteRow {
            stack: Some(self.stacks.len() - 1),
            counts,
            peak_bytes: bytes * self.iterations,
            ..SiteRow::default()
        });
    }
}

pub(crate) fn frame(function: &str, place: &str) -> Frame {
    let mut parts = place.rsplitn(3, ':');
    let mut number = || parts.next().and_then(|part| part.parse().ok());
    let (column, line) = (number(), number());
    Frame {
        function: function.into(),
        file: parts.next().map(Into::into),
        line,
        column,
        kind: FrameKind::Called,
    }
}

/// The example of the page: a message is encoded; `is_changed` has one vector more.
pub(crate) fn encode(is_changed: bool) -> Sample {
    let mut sample = Sample {
        before: Some(BeforeRow {
            peak_bytes: Some(0),
            ..BeforeRow::default()
        }),
        iterations: 10_000,
        ..Sample::default()
    };
    let message = "crates/nmx-codec/src/write_message.rs";
    let text = "crates/nmx-codec/src/text.rs";
    let place = |file: &str, place: &str| format!("{file}:{place}");
    let inlined = |mut frame: Frame| {
        frame.kind = FrameKind::Inlined;
        frame
    };
    let scenario = frame(
        "alloc_count::write_message::encode::{closure#0}",
        "crates/nmx-codec/benches/alloc_count.rs:44:20",
    );
    let into = |at: &str| frame("nmx_codec::write_message::encode_into", &place(message, at));
    let with_capacity = || {
        inlined(frame(
            "<alloc::vec::Vec<u8>>::with_capacity",
            "/rustc/library/alloc/src/vec/mod.rs:531:9",
        ))
    };
    let encode = |at: &str| frame("nmx_codec::write_message::encode", &place(message, at));
    let reserve = "/rustc/library/alloc/src/vec/mod.rs:1344:18";
    sample.add(
        &[
            scenario.clone(),
            encode("90:5"),
            into("103:13"),
            frame("<alloc::vec::Vec<u8>>::reserve_exact", reserve),
        ],
        1,
        52,
    );
    let prefixed = |at: &str| frame("nmx_codec::text::length_prefixed", &place(text, at));
    sample.add(
        &[
            scenario.clone(),
            encode("90:5"),
            into("98:16"),
            prefixed("62:24"),
            with_capacity(),
        ],
        1,
        16,
    );
    let units = frame("nmx_codec::text::terminated_units", &place(text, "46:21"));
    let collect = inlined(frame(
        "<alloc::vec::Vec<u16> as core::iter::FromIterator<u16>>::from_iter",
        "/rustc/library/alloc/src/vec/mod.rs:3700:9",
    ));
    let to_units = [
        scenario.clone(),
        encode("90:5"),
        into("98:16"),
        prefixed("60:17"),
    ];
    sample.add(&[&to_units[..], &[units, collect]].concat(), 1, 12);
    if is_changed {
        let vector = frame("nmx_codec::text::little_endian", &place(text, "53:21"));
        let stack = [&to_units[..], &[vector, with_capacity()]].concat();
        sample.add(&stack, 1, 12);
    }
    sample
}

/// Stacks of a large program: many functions, in part narrow, and deep.
pub(crate) fn large(seed: u64, stacks: usize) -> Sample {
    let mut generator = Generator::new(seed);
    let mut sample = Sample {
        before: Some(BeforeRow {
            peak_bytes: Some(0),
            ..BeforeRow::default()
        }),
        iterations: 100,
        ..Sample::default()
    };
    let crates = [
        "server",
        "parser",
        "serde_json",
        "regex",
        "alloc",
        "core",
        "tokio",
        "hyper",
        "http",
        "bytes",
    ];
    for _ in 0..stacks {
        let depth = 3 + generator.below(40);
        let frames: Vec<Frame> = (0..depth)
            .map(|depth| {
                // Few functions at the beginning, so that stacks share their outer frames.
                let function = generator.below(2 + depth / 3);
                let krate = crates[(depth / 5 + function) % crates.len()];
                let name = match function % 3 {
                    0 => format!("{krate}::stage{depth}::run{function}"),
                    1 => format!("<{krate}::Stage{depth}<[u8; 4]> as core::ops::Fn<()>>::call"),
                    _ => format!("{krate}::stage{depth}::{{closure#{function}}}"),
                };
                frame(&name, &format!("src/stage{depth}.rs:{}:9", 10 + function))
            })
            .collect();
        let size = 1 << generator.below(12);
        sample.add(&frames, 1, size);
    }
    sample
}

/// Random stacks: odd names, equal ones, empty ones, values of zero, below it, and large ones.
pub(crate) fn random(generator: &mut Generator) -> Sample {
    let names: Vec<String> = (0..6).map(|_| generator.text(30)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut sample = Sample {
        iterations: [1, 7, 10, u64::MAX][generator.below(4)],
        ..Sample::default()
    };
    for _ in 0..generator.below(12) {
        let depth = generator.below(6);
        let place = |generator: &mut Generator| {
            let file = generator.text(10);
            [String::new(), format!("{file}:{}:1", generator.below(9))][generator.below(2)].clone()
        };
        let frames = (0..depth).map(|_| {
            let place = place(generator);
            frame(generator.one(&names), &place)
        });
        sample.stacks.push(frames.collect());
    }
    let kept = |generator: &mut Generator| [0, 5, -3, i64::MAX, i64::MIN][generator.below(5)];
    if generator.below(4) > 0 {
        let blocks = kept(generator);
        let before = BeforeRow {
            kept_blocks: blocks,
            kept_bytes: kept(generator),
            peak_bytes: Some(kept(generator)),
        };
        sample.before = Some(before);
    }
    for _ in 0..generator.below(20) {
        let value = [0, 1, 3, 1_000, u64::MAX][generator.below(5)];
        let kept = kept(generator);
        let index = generator.below(sample.stacks.len() + 2);
        sample.rows.push(SiteRow {
            stack: (index > 0).then(|| index - 1),
            counts: Counts {
                allocs: value,
                grow_bytes: value,
                ..Counts::default()
            },
            kept_blocks: kept,
            kept_bytes: kept,
            peak_bytes: value,
            ..SiteRow::default()
        });
    }
    sample
}
