//! The sizes that a real program requests: `alloc_gate::Config::parse`, when it read the
//! gates.toml of this repository at 89 lines.
//!
//! They were recorded once, by a global allocator that counted the size of each `alloc`
//! and `alloc_zeroed` and the new size of each `realloc` during that call, in an optimized
//! build by Rust 1.95 for x86_64 Linux. They stay as they are when the program changes.

/// Each size in bytes, with the number of requests of it: 2,551 requests of 411,189
/// bytes.
#[rustfmt::skip]
pub const RULES_READ: [(usize, u64); 108] = [
    (1, 263), (2, 11), (3, 2), (4, 40), (5, 3), (6, 11), (7, 6), (8, 88), (9, 42), (10, 6),
    (11, 1), (13, 3), (14, 6), (15, 5), (16, 160), (17, 2), (18, 2), (19, 4), (20, 13), (21, 6),
    (22, 11), (23, 13), (24, 39), (25, 5), (26, 3), (27, 4), (28, 11), (29, 6), (30, 5),
    (31, 2), (32, 108), (33, 2), (36, 1), (40, 33), (44, 1), (48, 74), (50, 1), (56, 276),
    (64, 63), (72, 18), (76, 2), (80, 210), (84, 3), (88, 4), (91, 1), (92, 2), (96, 215),
    (100, 5), (104, 13), (108, 9), (112, 13), (116, 22), (120, 17), (124, 3), (128, 101),
    (132, 1), (148, 1), (160, 40), (168, 1), (192, 126), (208, 1), (216, 3), (224, 34),
    (256, 58), (272, 1), (280, 1), (288, 1), (304, 1), (320, 1), (336, 1), (368, 2), (384, 41),
    (400, 30), (416, 2), (432, 2), (448, 19), (456, 1), (480, 3), (504, 1), (512, 54), (528, 1),
    (544, 12), (576, 2), (600, 2), (624, 5), (640, 2), (648, 3), (672, 4), (696, 2), (704, 2),
    (736, 2), (744, 1), (768, 25), (800, 1), (896, 1), (1_024, 35), (1_072, 18), (1_088, 1),
    (1_416, 14), (1_472, 1), (1_632, 14), (2_048, 1), (2_176, 1), (2_435, 1), (2_944, 1),
    (5_888, 1), (11_976, 1), (16_656, 1),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_ascend_and_come_to_what_was_recorded() {
        assert!(RULES_READ.is_sorted_by(|(one, _), (next, _)| one < next));
        let requests: u64 = RULES_READ.iter().map(|&(_, times)| times).sum();
        let bytes: u64 = RULES_READ
            .iter()
            .map(|&(size, times)| size as u64 * times)
            .sum();
        assert_eq!((requests, bytes), (2_551, 411_189));
    }
}
