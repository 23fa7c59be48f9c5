//! The tables of device memory.

use crate::support::all_measured;
use crate::tables::check;

/// CUDA does not tell the hits of a pool.
#[test]
fn times_of_allocations_are_net_and_compared_with_the_driver_s() {
    let all = "floor: finished-time 100, enqueued-time 80; \
               direct: finished-time 2100, enqueued-time 1080, requests 20, hits 0, \
               driver-calls 120, reserved-bytes 1024, requested-bytes 1024; \
               cache: finished-time 600, enqueued-time 180, requests 20, hits 19, \
               driver-calls 4, reserved-bytes 2048, requested-bytes 1024; \
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
        &[
            "| way | fastest | median | enqueued | requests | hits | driver calls | \
             reserved, bytes | overhead, bytes |",
            "| floor | 10.0 ns | 10.0 ns | 8.0 ns |  |  |  |  |  |",
            "| direct | 200 ns | 200 ns | 100 ns | 20 | 0 | 120 | 1,024 | 0 |",
            "| cache | 50.0 ns (0.25x) | 50.0 ns (0.25x) | 10.0 ns (0.10x) | 20 | 19 | 4 | \
             2,048 | 1,024 |",
            "| pool | 190 ns (≈0.95x) | 190 ns (≈0.95x) | 50.0 ns (0.50x) | 20 |  | 40 | 1,000 | \
             -24 |",
            "| direct-again | 220 ns (≈1.1x) | 220 ns (≈1.1x) | 100 ns (≈1.0x) |  |  |  |  |  |",
        ],
    );
}

/// 1,024 bytes in 2 µs. A row is a scenario.
#[test]
fn copies_have_a_rate_and_are_compared_with_those_without_an_allocation() {
    let all = "none: finished-time 2000; direct: finished-time 8000; \
               none-again: finished-time 2000";
    let row =
        |inside: &str, rest: &str| format!("| inside={inside},host=pinned,size=1024 | {rest} |");
    let noise = "2.00 µs (≈1.0x) | 2.00 µs (≈1.0x) | 2.00 µs (≈1.0x) | 512";
    check(
        "Table 23, CUDA: host to device, 50 times each",
        all_measured("cuda-upload/inside={},host=pinned,size=1024", all),
        &[
            "| inside | fastest | median | slowest | MB/s |",
            &row("none", "2.00 µs | 2.00 µs | 2.00 µs | 512"),
            &row(
                "direct",
                "8.00 µs (4.0x) | 8.00 µs (4.0x) | 8.00 µs (4.0x) | 128",
            ),
            &row("none-again", noise),
        ],
    );
}
