//! The text of tables: rows, columns, values, marks and sentences.

use lab_page::results::Cell;

use crate::support::{all_measured, cell, measured, results, text, times, unavailable};

/// The rows of a table in a text, without the line below its head.
fn rows(text: &str) -> String {
    let rows = text.lines().filter(|line| line.starts_with("| "));
    rows.map(|row| format!("{row}\n")).collect()
}

/// Fails if the head or a row differs.
#[track_caller]
fn check(title: &str, cells: impl IntoIterator<Item = Cell>, expected: &str) {
    let expected = expected.trim().lines();
    let expected: String = expected.map(|row| format!("{}\n", row.trim())).collect();
    assert_eq!(rows(&text(title, &results(cells))), expected);
}

/// The scenario of pairs, without its subject.
fn pairs(size: u32) -> String {
    format!("pair/subject={{}},size={size},memory=untouched")
}

/// The text of a table of pairs of 64 bytes.
fn text_of_pairs(all: &str) -> String {
    text("One block at a time", &results(times(&pairs(64), all)))
}

#[test]
fn a_table_shows_net_times_net_ratios_noise_and_the_winner() {
    let small = "floor 2, system 10, quick 6, near 11, slow 26, system-again 12";
    let large = "floor 2, system 102, quick 6, near 152, slow 1002, system-again 102";
    check(
        "One block at a time",
        [times(&pairs(64), small), times(&pairs(4096), large)].concat(),
        "| subject | size 64 | size 4096 |
         | floor | 2.0 ns | 2.0 ns |
         | system | 8.0 ns | 100 ns |
         | quick | **4.0 ns** (0.50x) | **4.0 ns** (0.04x) |
         | near | 9.0 ns (≈1.1x) | 150 ns (1.5x) |
         | slow | 24.0 ns (3.0x) | 1.00 µs (10x) |
         | system-again | 10.0 ns (≈1.2x) | 100 ns (≈1.0x) |",
    );
    let text = text_of_pairs(small);
    assert!(text.contains("\n|---|---:|\n"), "{text}");
}

#[test]
fn a_value_is_net_and_noise_is_what_net_values_of_the_baseline_differ_by() {
    for (more, row) in [
        // The repeat differs by 2.
        ("floor-arena 1, bumpalo 3", "**2.0 ns** (0.25x)"),
        // 8.5 and 10 ns are within the noise, and 7.5 and 8 ns without their floors are, too.
        ("floor-arena 1, bumpalo 8.5", "7.5 ns (≈0.94x)"),
        // 8.5 and 10 ns again; without their floors, 4.5 and 8 ns are not.
        ("floor-arena 4, bumpalo 8.5", "**4.5 ns** (0.56x)"),
        // A workload without a floor of arenas.
        ("bumpalo 3", "**1.0 ns** (0.12x)"),
    ] {
        let text = text_of_pairs(&format!("floor 2, system 10, system-again 12, {more}"));
        assert!(text.contains(&format!("\n| bumpalo | {row} |\n")), "{text}");
    }
    // Differences of such values are not exact.
    let text = text_of_pairs("floor 4.537, system 10.471, system-again 16.424");
    assert!(
        text.contains("| system-again | 11.9 ns (≈2.0x) |"),
        "{text}"
    );
    // It is not known what the arena's loop takes if its floor could not be measured.
    let mut cells = times(&pairs(64), "floor 2, system 10, bumpalo 3");
    let absent = pairs(64).replace("{}", "floor-arena");
    cells.push(unavailable(&absent, "no memory"));
    check(
        "One block at a time",
        cells,
        "| subject | size 64 † |
         | floor | 2.0 ns |
         | system | 8.0 ns |
         | bumpalo | **3.0 ns** (0.30x) |",
    );
}

#[test]
fn what_is_shown_wins_together_with_all_within_the_factor_of_the_repeat() {
    for (all, expected) in [
        // The best is 20 ns, and the repeat takes 1.1 times as long.
        (
            "system 100, system-again 110, a 20, b 21.9, c 22.1, d 90",
            "a **20.0 ns** b **21.9 ns**",
        ),
        // 1, 1.05 and 2 ns without the loop, where the system has 10 and 11.
        (
            "floor 100, system 110, system-again 111, a 101, b 101.05, c 102, d 105",
            "a **1.0 ns** b **1.0 ns**",
        ),
        // The system is not above its floor.
        (
            "floor 100, system 99, system-again 104, a 98, b 130, c 140",
            "",
        ),
    ] {
        let text = text_of_pairs(all);
        let bold = text.lines().filter(|row| row.contains("**"));
        let bold = bold.filter_map(|row| row.split_once(" (")?.0.strip_prefix("| "));
        assert_eq!(
            bold.collect::<Vec<_>>().join(" ").replace("| ", ""),
            expected
        );
    }
}

#[test]
fn notes_and_failures_of_cells_are_footnotes() {
    let mut cells = times(&pairs(64), "system 10, bumpalo 5, failed 1");
    cells[1].note = Some("each thread has an arena".to_owned());
    cells[2].failure = Some("3 faults\nthe rest".to_owned());
    let text = text("One block at a time", &results(cells.clone()));
    let notes = "\n\\[1\\] each thread has an arena\n\n\\[2\\] 3 faults\n";
    assert!(text.contains(notes), "{text}");
    check(
        "One block at a time",
        cells,
        r"| subject | size 64 † |
          | system | 10.0 ns |
          | bumpalo | **5.0 ns** (0.50x) \[1\] |
          | failed | FAIL \[2\] |",
    );
}

#[test]
fn times_without_a_floor_are_marked() {
    let frames = |memory: &str| format!("frame/subject={{}},scene=ui,memory={memory}");
    let absent = frames("touched").replace("{}", "floor");
    let mut touched = vec![unavailable(&absent, "the floor has no memory")];
    touched.extend(times(&frames("touched"), "system 10, other 20"));
    let untouched = times(&frames("untouched"), "floor 2, system 6, other 10");
    check(
        "Batches and frames",
        [untouched, touched.clone()].concat(),
        r"| subject | untouched, scene ui | touched, scene ui † |
          | floor | 2.0 ns | - \[1\] |
          | system | **4.0 ns** | **10.0 ns** |
          | other | 8.0 ns (2.0x) | 20.0 ns (2.0x) |",
    );
    let gross = text("Batches and frames", &results(touched));
    let absent = "\nNot measured (the floor has no memory): `floor`.\n";
    assert!(gross.contains(absent), "{gross}");
}

#[test]
fn more_threads_than_cores_are_marked_and_their_floor_is_no_part_of_wall_times() {
    let concurrent = |threads| {
        let name = format!("concurrent/subject=system,threads={threads},sizes=64");
        cell(&name, 10.0)
    };
    check(
        "Several threads",
        [concurrent(16), concurrent(2)],
        r"| subject | 64 bytes, threads 2 † | 64 bytes, threads 16 \* † |
          | system | 10.0 ns | 10.0 ns |",
    );
    let burst = |subject: &str, cpu: u64| {
        let name = format!("burst/subject={subject},threads=4");
        Cell {
            metrics: measured(&name, &format!("cpu-time {cpu}")).metrics,
            ..cell(&name, 10.0)
        }
    };
    check(
        "Several threads",
        [burst("floor", 8), burst("system", 40)],
        r"| subject | burst, threads 4 \* † | burst, CPU time, threads 4 \* |
          | floor | 10.0 ns | 8.0 ns |
          | system | 10.0 ns | 32.0 ns |",
    );
}

/// 20 pairs in 800 ns.
#[test]
fn throughput_is_the_one_of_all_threads() {
    let mut pairs = cell("concurrent/subject=system,threads=2,sizes=mixed", 800.0);
    pairs.elements = Some(10);
    check(
        "Several threads",
        [pairs],
        "| subject | mixed, threads 2 † | mixed, pairs/µs, threads 2 |
         | system | 80.0 ns | 25.0 |",
    );
}

#[test]
fn memory_is_compared_with_the_requested_or_the_live_bytes() {
    let consumed = "system: requested-bytes 750, consumed-bytes 1000; \
                    other: requested-bytes 750, consumed-bytes 1500; \
                    tight: requested-bytes 750, consumed-bytes 750";
    check(
        "Waste of blocks",
        all_measured("waste/subject={},size=7,align=1", consumed),
        "| subject | size 7 |
         | system | 25.0 % |
         | other | 50.0 % |
         | tight | **0.0 %** |",
    );
    // 30,720 / 20,480, 30,720 / 10,240; 40,960 / 20,480, 20,480 / 10,240.
    let growth = "system: full-bytes 20480, half-bytes 10240, full-growth 30720, half-growth 30720; \
                  other: full-bytes 20480, half-bytes 10240, full-growth 40960, half-growth 20480";
    check(
        "Resident memory",
        all_measured("resident/subject={}", growth),
        "| subject | 10,000 live | 5,000 live |
         | system | **150.0 %** | 300.0 % |
         | other | 200.0 % | **200.0 %** |",
    );
}

#[test]
fn page_faults_are_the_least_of_all_first_calls() {
    let all = "floor: page-faults 0, pairs-time 50; system: page-faults 0, pairs-time 1050; \
               other: page-faults 0, pairs-time 550";
    let mut cells = all_measured("phases/subject={},load=10000x4096", all);
    for (cell, first) in cells.iter_mut().zip([[0, 0], [10_002, 10_001], [512, 600]]) {
        let faults = cell.metrics.get_mut("page-faults");
        faults.unwrap().first = first.to_vec();
    }
    // 550 - 50 of `other`. The other values were not measured.
    check(
        "All taken, then all given back",
        cells,
        "| subject | load 10000x4096 | page faults of the first round, load 10000x4096 |
         | floor | 50.0 ns | 0 |
         | system | 1.00 µs | 10,001 |
         | other | **500 ns** (0.50x) | **512** |",
    );
}

#[test]
fn tails_are_compared_with_the_clock_in_them() {
    let all = "floor: call-p999 30; system: call-p999 100; other: call-p999 50";
    let mut cells = all_measured("tails/subject={},call=take", all);
    // The least of a process is shown.
    for metric in cells.iter_mut().flat_map(|cell| cell.metrics.values_mut()) {
        (metric.p50, metric.max) = (700, 1_000);
    }
    check(
        "Single calls",
        cells,
        "| subject | p99.9, call take |
         | floor | 30.0 ns |
         | system | 100 ns |
         | other | **50.0 ns** (0.50x) |",
    );
}

/// CUDA does not tell the hits of a pool.
#[test]
fn allocations_of_device_memory_are_net_and_compared_with_the_driver_s() {
    let all = "floor: finished-time 100, enqueued-time 80; \
               direct: finished-time 2100, enqueued-time 1080, requests 20, hits 0, \
               driver-calls 120, reserved-bytes 1024, requested-bytes 1024; \
               pool: finished-time 2000, enqueued-time 580, requests 20, \
               driver-calls 40, reserved-bytes 1000, requested-bytes 1024; \
               direct-again: finished-time 2300, enqueued-time 1080";
    let mut cells = all_measured("cuda-allocate/way={},load=1x1024", all);
    // Windows of ten.
    for cell in &mut cells {
        cell.elements = Some(10);
    }
    check(
        "Table 19, CUDA: 1 KB, 2,000 times",
        cells,
        "| way | fastest | median | enqueued | requests | hits | driver calls | reserved, bytes | overhead, bytes |
         | floor | 10.0 ns | 10.0 ns | 8.0 ns |  |  |  |  |  |
         | direct | 200 ns | 200 ns | 100 ns | 20 | 0 | 120 | 1,024 | 0 |
         | pool | 190 ns (≈0.95x) | 190 ns (≈0.95x) | 50.0 ns (0.50x) | 20 |  | 40 | 1,000 | -24 |
         | direct-again | 220 ns (≈1.1x) | 220 ns (≈1.1x) | 100 ns (≈1.0x) |  |  |  |  |  |",
    );
}

/// 1,024 bytes in 2 µs. A row is a scenario.
#[test]
fn copies_have_a_rate_and_are_compared_with_the_ones_without_an_allocation() {
    let all = "none: finished-time 2000; direct: finished-time 8000";
    check(
        "Table 23, CUDA: host to device, 50 times each",
        all_measured("cuda-upload/inside={},host=pinned,size=1024", all),
        "| inside | fastest | median | slowest | MB/s |
         | inside=none,host=pinned,size=1024 | 2.00 µs | 2.00 µs | 2.00 µs | 512 |
         | inside=direct,host=pinned,size=1024 | 8.00 µs (4.0x) | 8.00 µs (4.0x) | 8.00 µs (4.0x) | 128 |",
    );
}
