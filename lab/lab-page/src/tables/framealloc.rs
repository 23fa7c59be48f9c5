//! The tables of framealloc's report.

use std::borrow::Cow;

use crate::figure::{Better, Figure, Per, Statistic, Unit};
use crate::tables::{Columns, Figures, Table, WASTE, efficiency_percent};

/// In the order of the report.
pub(super) const TABLES: [Table; 15] = [
    Table {
        name: "pair-by-size",
        title: Cow::Borrowed("Single allocations, untouched"),
        caption: "Time of a pair by size in bytes, one block live, nothing written. An arena gives \
              nothing back by itself; it is reset whenever it has handed out 65,536 bytes.",
        workload: "pair",
        only: &[("memory", &["untouched"])],
        rows: "subject",
        columns: Columns::Axis("size"),
        figures: Figures::Listed(&[Figure::time("a pair", Per::Element)]),
    },
    Table {
        name: "pair-by-size-touched",
        title: Cow::Borrowed("Single allocations, touched"),
        caption: "Time of a pair by size in bytes, one block live, the first byte of each 4,096 bytes \
              written.",
        workload: "pair",
        only: &[("memory", &["touched"])],
        rows: "subject",
        columns: Columns::Axis("size"),
        figures: Figures::Listed(&[Figure::time("a pair", Per::Element)]),
    },
    Table {
        name: "batch-1000",
        title: Cow::Borrowed("Batches"),
        caption: "Time to take 64,000 bytes and to give them back, untouched: as 1,000 blocks, as 125 \
              of 512 bytes, as one.",
        workload: "batch",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("pattern"),
        figures: Figures::Listed(&[Figure::time("a batch", Per::Element)]),
    },
    Table {
        name: "frame-physics",
        title: Cow::Borrowed("Physics frame"),
        caption: "Time of a frame: 500 blocks of 96 bytes, 100 of 256 and 200 of 64, all taken, then \
              all given back; an arena is reset.",
        workload: "frame",
        only: &[("scene", &["physics"])],
        rows: "subject",
        columns: Columns::Axis("memory"),
        figures: Figures::Listed(&[Figure::time("a frame", Per::Element)]),
    },
    Table {
        name: "frame-particles",
        title: Cow::Borrowed("Particle system"),
        caption: "Time of a frame of 10,000 blocks of 64 bytes.",
        workload: "frame",
        only: &[("scene", &["particles"])],
        rows: "subject",
        columns: Columns::Axis("memory"),
        figures: Figures::Listed(&[Figure::time("a frame", Per::Element)]),
    },
    Table {
        name: "frame-ui",
        title: Cow::Borrowed("UI rendering"),
        caption: "Time of a frame of 200 blocks of 164 bytes.",
        workload: "frame",
        only: &[("scene", &["ui"])],
        rows: "subject",
        columns: Columns::Axis("memory"),
        figures: Figures::Listed(&[Figure::time("a frame", Per::Element)]),
    },
    Table {
        name: "concurrent-64",
        title: Cow::Borrowed("Threads, 64 bytes"),
        caption: "Time of a pair of 64 bytes on all threads at once: the wall clock, divided by the \
              pairs of one thread; and the CPU time of all threads, divided by all pairs. \
              Nothing is written.",
        workload: "concurrent",
        only: &[("sizes", &["64"])],
        rows: "subject",
        columns: Columns::Axis("threads"),
        figures: Figures::Listed(&[
            Figure::time("a pair of a thread", Per::Element),
            Figure::time_metric("CPU time of a pair", "cpu-time", Per::ThreadElement),
        ]),
    },
    Table {
        name: "counting-cost",
        title: Cow::Borrowed("Cost of counting"),
        caption: "Time of 1,000 pairs of 64 bytes through a wrapper around the system's allocator, on \
              each of the threads. The wrappers take turns of 40,000 pairs, about 0.3 ms, in one \
              process; every second round runs in reverse order.",
        workload: "wrapper",
        only: &[],
        rows: "wrapper",
        columns: Columns::Axis("threads"),
        figures: Figures::Listed(&[Figure::time_metric("1,000 pairs", "pairs-time", Per::Call)]),
    },
    Table {
        name: "prefetch",
        title: Cow::Borrowed("Prefetching"),
        caption: "Time to bump 1,000 blocks of 256 bytes off an arena, with and without a prefetch \
              hint for the next one. The floor is the same loop without an arena: one block each \
              time, and no cursor is moved.",
        workload: "prefetch",
        only: &[],
        rows: "prefetch",
        columns: Columns::Axis("work"),
        figures: Figures::Listed(&[Figure::time("1,000 blocks", Per::Call)]),
    },
    Table {
        name: "waste",
        title: Cow::Borrowed("Waste, alignment 1"),
        caption: "Memory that blocks with alignment 1 take in addition to the requested size: by the \
              usable size that the allocator tells, or by the distance of neighbouring blocks if \
              that is larger. The mix is blocks of all three sizes in turns.",
        workload: "waste",
        only: &[("size", &["7", "31", "63", "mix"]), ("align", &["1"])],
        rows: "subject",
        columns: Columns::Axis("size"),
        figures: Figures::Listed(&[WASTE]),
    },
    Table {
        name: "waste-aligned",
        title: Cow::Borrowed("Waste, alignment 8"),
        caption: "The same with alignment 8.",
        workload: "waste",
        only: &[("size", &["7", "31", "63", "mix"]), ("align", &["8"])],
        rows: "subject",
        columns: Columns::Axis("size"),
        figures: Figures::Listed(&[WASTE]),
    },
    Table {
        name: "waste-time",
        title: Cow::Borrowed("Time of odd sizes"),
        caption: "Time to take 1,000 blocks of one size with alignment 1 again, after as many were \
              given back; of the mix, 1,000 of each size.",
        workload: "waste",
        only: &[("size", &["7", "31", "63", "mix"]), ("align", &["1"])],
        rows: "subject",
        columns: Columns::Axis("size"),
        figures: Figures::Listed(&[Figure::time_metric("1,000 blocks", "again-time", Per::Call)]),
    },
    Table {
        name: "waste-recorded",
        title: Cow::Borrowed("Waste of a real program"),
        caption: "The same for the sizes that a real program requests: this project, when it reads a \
              file of rules.",
        workload: "waste",
        only: &[("size", &["recorded"]), ("align", &["8"])],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::metric(
                "requested, bytes",
                "requested-bytes",
                Statistic::Min,
                Unit::Bytes,
            ),
            Figure::metric(
                "consumed, bytes",
                "consumed-bytes",
                Statistic::Min,
                Unit::Bytes,
            ),
            WASTE,
            Figure::derived("efficiency", efficiency_percent, Unit::Percent).better(Better::More),
        ]),
    },
    Table {
        name: "overhead-thread",
        title: Cow::Borrowed("Memory of a thread"),
        caption: "Growth of the process's memory for a thread that takes and writes a block of each of \
              eight sizes, 16 to 2,048 bytes: an eighth of the growth of eight threads. The row of \
              the floor shows the memory of the thread itself; it is not subtracted.",
        workload: "overhead",
        only: &[("of", &["thread"])],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::metric("resident", "resident-growth", Statistic::Min, Unit::Memory)
                .better(Better::Less),
            Figure::metric("mapped", "mapped-growth", Statistic::Min, Unit::Memory),
            Figure::metric("in huge pages", "huge-growth", Statistic::Min, Unit::Memory),
        ]),
    },
    Table {
        name: "overhead-global",
        title: Cow::Borrowed("Memory of a process"),
        caption: "Growth of a new process's memory from before the allocator is opened until a block \
              of each of eight sizes was taken and written.",
        workload: "overhead",
        only: &[("of", &["process"])],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::metric("resident", "resident-growth", Statistic::Min, Unit::Memory)
                .better(Better::Less),
            Figure::metric("mapped", "mapped-growth", Statistic::Min, Unit::Memory),
            Figure::metric("in huge pages", "huge-growth", Statistic::Min, Unit::Memory),
        ]),
    },
];
