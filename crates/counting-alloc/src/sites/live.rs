//! [`LiveBlocks`]: the blocks that were allocated in a window and are live, each with
//! the stack that allocated it.

use std::mem;

use crate::sites::array::Array;

/// A live block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) address: usize,
    pub(crate) size: usize,
    /// The number of the stack in its table.
    pub(crate) origin: u32,
}

const EMPTY: Live = Live {
    address: 0,
    size: 0,
    origin: 0,
};

/// The places of a table that is empty.
const FEWEST: usize = 1 << 7;

/// A hash table by address, with linear probing. At least a quarter of it is empty.
#[derive(Debug)]
pub(crate) struct LiveBlocks {
    /// A power of two of them, or none.
    places: Array<Live>,
    used: usize,
}

impl LiveBlocks {
    pub(crate) const fn new() -> Self {
        Self {
            places: Array::new(),
            used: 0,
        }
    }

    /// Removes all blocks. A table that is small, or that was empty, stays as it is.
    pub(crate) fn clear(&mut self) {
        if self.used > 0 && self.places.len() > FEWEST {
            self.places.truncate(0);
        } else if self.used > 0 {
            self.places.as_mut_slice().fill(EMPTY);
        }
        self.used = 0;
    }

    /// Adds `block`, in place of one at the same address, which another thread or an
    /// excluded region freed; `false` without memory.
    pub(crate) fn insert(&mut self, block: Live) -> bool {
        if (self.used + 1) * 4 > self.places.len() * 3 && !self.grow() {
            return false;
        }
        let index = self.find(block.address);
        let place = &mut self.places.as_mut_slice()[index];
        self.used += usize::from(*place == EMPTY);
        *place = block;
        true
    }

    /// Removes the block at `address`.
    pub(crate) fn remove(&mut self, address: usize) -> Option<Live> {
        if self.used == 0 {
            return None;
        }
        let mut hole = self.find(address);
        let places = self.places.as_mut_slice();
        let removed = places[hole];
        if removed == EMPTY {
            return None;
        }
        // Blocks behind the hole that belong before it, or into it, move up.
        let mask = places.len() - 1;
        let mut index = hole;
        loop {
            index = (index + 1) & mask;
            let block = places[index];
            if block == EMPTY {
                break;
            }
            let distance = |from: usize| index.wrapping_sub(from) & mask;
            if distance(home(block.address, mask)) >= distance(hole) {
                places[hole] = block;
                hole = index;
            }
        }
        places[hole] = EMPTY;
        self.used -= 1;
        Some(removed)
    }

    /// The place of the block at `address`, or an empty one for it.
    fn find(&self, address: usize) -> usize {
        let places = self.places.as_slice();
        let mask = places.len() - 1;
        let mut index = home(address, mask);
        while places[index] != EMPTY && places[index].address != address {
            index = (index + 1) & mask;
        }
        index
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> bool {
        let mut places = Array::new();
        if !places.fill((self.places.len() * 2).max(FEWEST), EMPTY) {
            return false;
        }
        let before = mem::replace(&mut self.places, places);
        for &block in before.as_slice() {
            if block != EMPTY {
                let index = self.find(block.address);
                self.places.as_mut_slice()[index] = block;
            }
        }
        true
    }
}

/// Where a block belongs in a table of `mask` + 1 places. Addresses are multiples of 16
/// mostly.
#[inline(always)]
fn home(address: usize, mask: usize) -> usize {
    let mixed = (address as u64 >> 4).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as usize & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_until_they_are_removed() {
        let mut table = LiveBlocks::new();
        let block = |number: usize| Live {
            // Some of them have the same home.
            address: number * 24,
            size: number,
            origin: 1,
        };
        assert_eq!(table.remove(24), None);
        for round in 0..3 {
            assert!((1..3_000).all(|number| table.insert(block(number))));
            assert!(table.insert(Live {
                size: 7,
                ..block(5)
            }));
            assert_eq!(table.used, 2_999, "round {round}");
            for number in (1..3_000).rev().step_by(2).chain((2..3_000).step_by(2)) {
                let removed = table.remove(number * 24).expect("it was added");
                let size = if number == 5 { 7 } else { number };
                assert_eq!((removed.size, removed.address), (size, number * 24));
                assert_eq!(table.remove(number * 24), None);
            }
            assert_eq!(table.used, 0);
        }
        assert!(table.insert(block(9)));
        table.clear();
        assert_eq!(table.remove(9 * 24), None);
    }
}
