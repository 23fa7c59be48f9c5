//! The sizes that the cache allocates. Requests of one class share blocks.

/// The smallest class, in bytes. Drivers align each allocation to 256 bytes or more.
pub const SMALLEST_CLASS: u64 = 512;

/// The class of a request: 512 bytes, or the next of four equal steps between two powers
/// of two, such as 1,024, 1,280, 1,536, 1,792, 2,048. A request above 512 bytes wastes less
/// than a quarter of its size. None if there is no class so large.
#[must_use]
pub fn size_class(bytes: u64) -> Option<u64> {
    if bytes <= SMALLEST_CLASS {
        return Some(SMALLEST_CLASS);
    }
    let power_below = 1 << (bytes - 1).ilog2();
    bytes.checked_next_multiple_of(power_below / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_four_steps_between_powers_of_two() {
        let expected = [512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048, 2560];
        let mut smaller = 0;
        for class in expected {
            assert_eq!(size_class(smaller + 1), Some(class), "just above {smaller}");
            assert_eq!(size_class(class), Some(class));
            smaller = class;
        }
        assert_eq!(size_class(0), Some(512));
    }

    #[test]
    fn a_class_holds_its_request_and_wastes_less_than_a_quarter() {
        for power in 10..63 {
            let power = 1_u64 << power;
            for bytes in [power - 1, power, power + 1, power + power / 3] {
                let class = size_class(bytes).expect("a class");
                assert!(
                    class >= bytes && class - bytes < bytes / 4,
                    "{bytes}: {class}"
                );
            }
        }
    }

    #[test]
    fn a_request_beyond_the_largest_class_has_none() {
        let largest = 7 << 61;
        assert_eq!(size_class(largest), Some(largest));
        assert_eq!(size_class(largest + 1), None);
        assert_eq!(size_class(u64::MAX), None);
    }
}
