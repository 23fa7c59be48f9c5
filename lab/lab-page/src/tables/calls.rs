//! Tables of calls, beyond those of the reports: zeroed and resized blocks, real programs, tails.

use std::borrow::Cow;

use crate::figure::{Better, Figure, Per, Statistic, Unit};
use crate::tables::{Columns, Figures, TAILS, Table};

/// All of them.
pub(super) const TABLES: [Table; 12] = [
    Table {
        name: "zeroed",
        title: Cow::Borrowed("Zeroed blocks"),
        caption: "Time of a pair of a block that the program fills with zeros, as `Box::new([0; N])` \
              does.",
        workload: "zeroed",
        only: &[("by", &["fill"])],
        rows: "subject",
        columns: Columns::Axis("size"),
        figures: Figures::Listed(&[Figure::time("a pair", Per::Element)]),
    },
    Table {
        name: "zeroed-by-allocator",
        title: Cow::Borrowed("Zeroed blocks of the allocator"),
        caption: "Time of a pair of a block that the allocator hands out zeroed (`alloc_zeroed`); \
              the first byte of each 4,096 bytes is written after that.",
        workload: "zeroed",
        only: &[("by", &["alloc-zeroed"])],
        rows: "subject",
        columns: Columns::Axis("size"),
        figures: Figures::Listed(&[Figure::time("a pair", Per::Element)]),
    },
    Table {
        name: "realloc",
        title: Cow::Borrowed("Growing by doubling, untouched"),
        caption: "Time of a resize: one block doubles from 16 bytes to 1 MiB, two blocks do so in \
              turns, or one block halves from 1 MiB to 16 bytes. Nothing is written. One more \
              block lies above them. Moves are \
              resizes after which the block had another address, of 16, or of 32 for two blocks.",
        workload: "realloc",
        only: &[("memory", &["untouched"])],
        rows: "subject",
        columns: Columns::Axis("change"),
        figures: Figures::Listed(&[
            Figure::time("a resize", Per::Element),
            Figure::metric("moves", "moves", Statistic::Max, Unit::Count),
        ]),
    },
    Table {
        name: "realloc-touched",
        title: Cow::Borrowed("Growing by doubling, touched"),
        caption: "Time of a resize of the same blocks, the first byte of each 4,096 bytes written.",
        workload: "realloc",
        only: &[("memory", &["touched"])],
        rows: "subject",
        columns: Columns::Axis("change"),
        figures: Figures::Listed(&[Figure::time("a resize", Per::Element)]),
    },
    Table {
        name: "vectors",
        title: Cow::Borrowed("Vectors that grow in turns, written"),
        caption: "Time of a resize: 64 vectors double in turns from 64 bytes to 64 KiB, and every \
              byte is written. One more block lies above them, as other live blocks do in a \
              program: without one, glibc returns the end of its heap to the system each time.",
        workload: "vectors",
        only: &[],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[Figure::time("a resize", Per::Element)]),
    },
    Table {
        name: "replay",
        title: Cow::Borrowed("Replay of real programs"),
        caption: "Time of an event of a trace of allocations, resizes and deallocations: this project \
              reading a file of rules, and serde_json reading a document to a tree of values.",
        workload: "replay",
        only: &[],
        rows: "subject",
        columns: Columns::OtherAxes,
        figures: Figures::Listed(&[Figure::time("an event", Per::Element)]),
    },
    Table {
        name: "once",
        title: Cow::Borrowed("A short program"),
        caption: "The traces once in a process, the first byte of each 4,096 bytes written: the pages \
              that the system provides, and the memory that the process keeps.",
        workload: "once",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("trace"),
        figures: Figures::Listed(&[
            Figure::metric("page faults", "page-faults", Statistic::Min, Unit::Count)
                .better(Better::Less),
            Figure::metric("kept", "resident-growth", Statistic::Min, Unit::Memory)
                .better(Better::Less),
            Figure::metric("in huge pages", "huge-growth", Statistic::Min, Unit::Memory),
        ]),
    },
    Table {
        name: "call",
        title: Cow::Borrowed("Behind a function"),
        caption: "Time of a pair of 64 bytes with the allocator inlined into the loop, and with the \
              allocator behind a function, as the global allocator of a program is.",
        workload: "call",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("through"),
        figures: Figures::Listed(&[Figure::time("a pair", Per::Element)]),
    },
    Table {
        name: "instructions",
        title: Cow::Borrowed("Instructions of a pair"),
        caption: "Instructions of 1,000 pairs of 64 bytes, counted by valgrind, in the loops of the \
              tables of single allocations and of threads. A count has no noise. The loop is \
              included; the floor's row shows it.",
        workload: "instructions",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("loop"),
        figures: Figures::Listed(&[Figure::metric(
            "instructions of 1,000 pairs",
            "instructions",
            Statistic::Min,
            Unit::Count,
        )
        .better(Better::Less)]),
    },
    Table {
        name: "tails-take",
        title: Cow::Borrowed("Single allocations: tails"),
        caption: "Time of one of 100,000 calls that take a block of mixed sizes. Each call is timed by \
              itself: the times include the reading of the clock, which the floor's row shows. A \
              figure is the median of the processes.",
        workload: "tails",
        only: &[("call", &["take"])],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&TAILS),
    },
    Table {
        name: "tails-give",
        title: Cow::Borrowed("Single deallocations: tails"),
        caption: "The same of the calls that give a block back.",
        workload: "tails",
        only: &[("call", &["give"])],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&TAILS),
    },
    Table {
        name: "depth",
        title: Cow::Borrowed("Beside many blocks"),
        caption: "Time of a pair of 128 bytes beside free holes of 64 bytes, with a live block after \
              each. It shows whether the cost of a call is constant.",
        workload: "depth",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("holes"),
        figures: Figures::Listed(&[Figure::time("a pair", Per::Element)]),
    },
];
