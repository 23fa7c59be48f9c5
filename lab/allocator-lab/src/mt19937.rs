//! [`Mt19937`]: the Mersenne Twister, whose sequence C++'s standard fixes. Published
//! workloads that use it have to be repeated number by number.

use std::ops::RangeInclusive;

/// The seed of the workloads.
pub(crate) const SEED: u32 = 42;

const WORDS: usize = 624;
/// How far apart the words are that are mixed.
const SHIFT: usize = 397;

/// mt19937, as `std::mt19937` is in C++.
#[derive(Clone, Debug)]
pub struct Mt19937 {
    state: [u32; WORDS],
    next: usize,
}

impl Mt19937 {
    /// Begins the sequence of this seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        let mut state = [seed; WORDS];
        for index in 1..WORDS {
            let last = state[index - 1];
            state[index] = (last ^ (last >> 30))
                .wrapping_mul(1_812_433_253)
                .wrapping_add(index as u32);
        }
        Self { state, next: WORDS }
    }

    /// The next number.
    pub fn draw(&mut self) -> u32 {
        if self.next == WORDS {
            self.twist();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// The next number scaled to less than `end`, by a multiplication and a shift.
    pub fn draw_below(&mut self, end: u32) -> u32 {
        ((u64::from(self.draw()) * u64::from(end)) >> 32) as u32
    }

    /// The next number scaled to one of these, each equally likely, as by
    /// [`draw_below`](Self::draw_below).
    #[inline]
    pub fn draw_in(&mut self, numbers: RangeInclusive<u32>) -> u32 {
        let (first, last) = numbers.into_inner();
        first + self.draw_below(last - first + 1)
    }

    fn twist(&mut self) {
        for index in 0..WORDS {
            let high = self.state[index] & 0x8000_0000;
            let low = self.state[(index + 1) % WORDS] & 0x7fff_ffff;
            let word = high | low;
            let odd = if word & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[index] = self.state[(index + SHIFT) % WORDS] ^ (word >> 1) ^ odd;
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // C++'s standard gives the last of these; the first are mt19937ar's.
        let mut random = Mt19937::new(5_489);
        let first: Vec<u32> = (0..5).map(|_| random.draw()).collect();
        assert_eq!(
            first,
            [
                3_499_211_612,
                581_869_302,
                3_890_346_734,
                3_586_334_585,
                545_404_204
            ]
        );
        assert_eq!(
            (5..10_000).map(|_| random.draw()).last(),
            Some(4_123_659_995)
        );
    }
}
