//! [`Memos`]: recognises the call stacks of a thread, so that each is unwound once.
//!
//! A memo has the places of all return addresses of a stack, and the addresses. If the
//! words at these places are the same again, the stack is the same: the innermost frame
//! begins at the same address, its return address says which function called it, and a
//! frame of fixed size puts the next return address at the same place, and so on. While a
//! window of the thread is open, the frames outside of it stay, and are compared once. A
//! frame of variable size, by `alloca` in C or by an alignment above 16, can have an old
//! word at that place. Then the label is wrong, and no count. The checked mode finds it.

use std::ops::Range;

use crate::sites::array::Array;
use crate::sites::platform;

/// The most memos of a thread. When they are full, all are dropped.
const MOST_MEMOS: usize = 1 << 16;

/// The most return addresses in all memos of a thread.
const MOST_SLOTS: usize = 1 << 20;

/// The most frames of a stack. Those further out are left out.
pub(crate) const MOST_FRAMES: usize = 512;

/// The number of memos with the same innermost address that are compared before the
/// stack is unwound again.
const MOST_COMPARED: usize = 64;

const BUCKETS: usize = 1 << 11;

/// The memo of no stack. It has no frames and the anchor of no stack.
pub(crate) const NONE: u32 = 0;

/// A place on the stack with the return address that lies there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) place: usize,
    pub(crate) address: usize,
}

#[derive(Clone, Copy, Debug)]
struct Memo {
    /// An address in the innermost frame.
    anchor: usize,
    /// The first of its slots, and their number.
    first: u32,
    len: u32,
    /// The window in which all slots were compared, and how many of them are inside of
    /// it: the others stay the same until it closes.
    compared_in: u64,
    inner: u32,
    /// The next memo of the same bucket.
    next: u32,
    /// The memo that came after this one the last time.
    follower: u32,
    ids: Ids,
}

/// The numbers of a stack in the tables that it was entered in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ids {
    /// In the thread's own table.
    pub(crate) own: Option<u32>,
    /// In the table of the process.
    pub(crate) shared: Option<u32>,
}

impl Ids {
    const UNKNOWN: Self = Self {
        own: None,
        shared: None,
    };
}

/// The memos of one thread.
#[derive(Debug)]
pub(crate) struct Memos {
    memos: Array<Memo>,
    slots: Array<Slot>,
    /// The newest memo of each bucket.
    buckets: Array<u32>,
    last: u32,
    /// Whether the last memo of the array is no bucket's.
    has_scratch: bool,
    /// The thread's stack, once it was asked for.
    stack: Option<Range<usize>>,
    /// The number of the present window of the thread, or of the time after it. Memos
    /// begin with zero, which is no window.
    window: u64,
    /// An address in the frame that opened the window; the highest if all frames of a
    /// stack can change.
    opener: usize,
}

impl Memos {
    pub(crate) const fn new() -> Self {
        Self {
            memos: Array::new(),
            slots: Array::new(),
            buckets: Array::new(),
            last: NONE,
            has_scratch: false,
            stack: None,
            window: 1,
            opener: usize::MAX,
        }
    }

    /// Begins a window of the thread, whose opening function has a frame with this address.
    pub(crate) fn open(&mut self, opener: usize) {
        self.window += 1;
        self.opener = if self.stack_of_thread().contains(&opener) {
            opener
        } else {
            usize::MAX
        };
    }

    /// Ends the window.
    pub(crate) fn close(&mut self) {
        self.window += 1;
        self.opener = usize::MAX;
    }

    fn stack_of_thread(&mut self) -> Range<usize> {
        self.stack
            .get_or_insert_with(platform::stack_of_thread)
            .clone()
    }

    /// Drops all memos.
    pub(crate) fn clear(&mut self) {
        self.memos.truncate(0);
        self.slots.truncate(0);
        self.buckets.truncate(0);
        self.last = NONE;
        self.has_scratch = false;
    }

    /// Drops all memos, for another thread.
    pub(crate) fn hand_on(&mut self) {
        self.clear();
        self.close();
        self.stack = None;
    }

    /// The memo of the calling stack, and whether the unwinder disagrees with the one
    /// that was found. `anchor` is an address in the caller's frame, which has to be the
    /// same for all calls with the same stack.
    #[inline(always)]
    pub(crate) fn capture(&mut self, anchor: usize, is_checked: bool) -> (u32, bool) {
        match self.find(anchor) {
            Some(memo) if !is_checked => (memo, false),
            Some(memo) => {
                let unwound = self.unwind(anchor, false);
                let addresses = |memo| self.frames(memo).iter().map(|slot| slot.address);
                if unwound == NONE || addresses(memo).eq(addresses(unwound)) {
                    (memo, false)
                } else {
                    (unwound, true)
                }
            }
            None => (self.unwind_anew(anchor), false),
        }
    }

    /// The frames of a memo, innermost first.
    pub(crate) fn frames(&self, memo: u32) -> &[Slot] {
        let Some(memo) = self.memos.as_slice().get(memo as usize) else {
            return &[];
        };
        &self.slots.as_slice()[memo.first as usize..][..memo.len as usize]
    }

    #[inline(always)]
    pub(crate) fn ids(&self, memo: u32) -> Ids {
        let memo = self.memos.as_slice().get(memo as usize);
        memo.map_or(Ids::UNKNOWN, |memo| memo.ids)
    }

    pub(crate) fn set_ids(&mut self, memo: u32, ids: Ids) {
        if memo == NONE {
            return;
        }
        if let Some(memo) = self.memos.as_mut_slice().get_mut(memo as usize) {
            memo.ids = ids;
        }
    }

    #[inline(always)]
    fn find(&mut self, anchor: usize) -> Option<u32> {
        let guess = self.memos.as_slice().get(self.last as usize)?.follower;
        let found = if self.is_at(guess, anchor) {
            guess
        } else {
            let found = self.find_in_bucket(anchor)?;
            self.memos.as_mut_slice()[self.last as usize].follower = found;
            found
        };
        self.last = found;
        Some(found)
    }

    #[inline(never)]
    fn find_in_bucket(&mut self, anchor: usize) -> Option<u32> {
        let mut memo = *self.buckets.as_slice().get(bucket(anchor))?;
        for _ in 0..MOST_COMPARED {
            if memo == NONE {
                break;
            }
            if self.is_at(memo, anchor) {
                return Some(memo);
            }
            memo = self.memos.as_slice()[memo as usize].next;
        }
        None
    }

    /// Whether the stack of `memo` is the present one.
    #[inline(always)]
    fn is_at(&mut self, memo: u32, anchor: usize) -> bool {
        let memo = &mut self.memos.as_mut_slice()[memo as usize];
        if memo.anchor != anchor {
            return false;
        }
        let is_compared = memo.compared_in == self.window;
        let len = if is_compared { memo.inner } else { memo.len };
        let slots = &self.slots.as_slice()[memo.first as usize..][..len as usize];
        // SAFETY: these are memos of the calling thread. The places were found to be
        // aligned and between this anchor and the end of the thread's stack. The anchor is
        // in a frame of a caller at present.
        let is_same = unsafe { are_there(slots) };
        if is_same && !is_compared {
            memo.compared_in = self.window;
            // The places rise.
            memo.inner = slots.partition_point(|slot| slot.place < self.opener) as u32;
        }
        is_same
    }

    /// Unwinds a stack that is not known.
    #[cold]
    #[inline(never)]
    fn unwind_anew(&mut self, anchor: usize) -> u32 {
        if self.memos.len() >= MOST_MEMOS || self.slots.len() >= MOST_SLOTS {
            self.clear();
        }
        if self.memos.len() == 0 {
            let none = Memo {
                anchor: 0,
                first: 0,
                len: 0,
                compared_in: 0,
                inner: 0,
                next: NONE,
                follower: NONE,
                ids: Ids::UNKNOWN,
            };
            if !self.buckets.fill(BUCKETS, NONE) || !self.memos.push(none) {
                return NONE;
            }
        }
        let memo = self.unwind(anchor, true);
        if memo != NONE && !self.has_scratch {
            self.memos.as_mut_slice()[self.last as usize].follower = memo;
            self.last = memo;
        }
        memo
    }

    /// Unwinds the stack into a memo, which later stacks are compared with if it is to be
    /// kept and can be.
    #[cold]
    #[inline(never)]
    fn unwind(&mut self, anchor: usize, is_kept: bool) -> u32 {
        if self.has_scratch {
            self.has_scratch = false;
            let scratch = self.memos.len() - 1;
            self.slots
                .truncate(self.memos.as_slice()[scratch].first as usize);
            self.memos.truncate(scratch);
        }
        let stack = self.stack_of_thread();
        // On a coroutine's stack, or that of a signal handler, nothing is read.
        let mut is_readable = stack.contains(&anchor);
        let first = self.slots.len();
        let slots = &mut self.slots;
        let mut below = anchor;
        platform::walk(&mut |slot| {
            if slots.len() == first && slot.place <= anchor {
                // A frame of this module.
                return true;
            }
            let places = below..stack.end.saturating_sub(size_of::<usize>() - 1);
            is_readable = is_readable && places.contains(&slot.place) && {
                slot.place % align_of::<usize>() == 0 && {
                    // SAFETY: it is aligned, and between the anchor and the stack's end.
                    let word = unsafe { platform::read_word(slot.place) };
                    word == slot.address
                }
            };
            below = slot.place;
            slots.push(slot) && slots.len() - first < MOST_FRAMES
        });
        let (number, bucket) = (self.memos.len() as u32, bucket(anchor));
        let is_kept = is_kept && is_readable;
        let memo = Memo {
            anchor,
            first: first as u32,
            len: (self.slots.len() - first) as u32,
            compared_in: 0,
            inner: 0,
            next: self.buckets.as_slice()[bucket],
            follower: NONE,
            ids: Ids::UNKNOWN,
        };
        if memo.len == 0 || !self.memos.push(memo) {
            self.slots.truncate(first);
            return NONE;
        }
        self.has_scratch = !is_kept;
        if is_kept {
            self.buckets.as_mut_slice()[bucket] = number;
        }
        number
    }
}

/// Whether all return addresses lie at their places.
///
/// # Safety
///
/// The places can be read by [`platform::read_word`].
#[inline(always)]
unsafe fn are_there(slots: &[Slot]) -> bool {
    let difference = |slot: &Slot| {
        // SAFETY: this function's contract.
        let word = unsafe { platform::read_word(slot.place) };
        word ^ slot.address
    };
    // Four at a time, with one branch: nearly all are equal.
    let mut fours = slots.chunks_exact(4);
    fours.all(|four| four.iter().fold(0, |sum, slot| sum | difference(slot)) == 0)
        && fours.remainder().iter().all(|slot| difference(slot) == 0)
}

/// The bucket of an address in a frame, which is a multiple of 8 apart from others.
#[inline(always)]
fn bucket(anchor: usize) -> usize {
    (anchor >> 4 ^ anchor >> 15) % BUCKETS
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    /// Captures the stack of this call.
    #[inline(never)]
    fn capture(memos: &mut Memos, is_checked: bool) -> (u32, bool) {
        let place = 0_usize;
        let anchor = black_box(&raw const place).addr();
        memos.capture(anchor, is_checked)
    }

    #[test]
    fn the_checked_mode_finds_a_stack_that_was_taken_for_another() {
        if !platform::AVAILABLE {
            return;
        }
        let mut memos = Memos::new();
        let mut results = Vec::new();
        for (is_planted, is_checked) in [(false, false), (false, true), (true, false), (true, true)]
        {
            // As an old word where the stack had a return address before.
            let old_word = black_box(0x1234_usize);
            if is_planted {
                memos.slots.as_mut_slice()[2] = Slot {
                    place: (&raw const old_word).addr(),
                    address: old_word,
                };
            }
            results.push(capture(&mut memos, is_checked));
        }
        let known = results[0].0;
        assert_ne!(known, NONE);
        let (unwound, is_wrong) = results[3];
        assert_eq!(results[..3], [(known, false); 3]);
        assert!(is_wrong && unwound != known);
        let address = |memo| memos.frames(memo)[2].address;
        assert_eq!(address(known), 0x1234);
        assert_ne!(address(unwound), 0x1234);
    }
}
