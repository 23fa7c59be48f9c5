//! [`Memos`]: recognises the call stacks of a thread, so that each is unwound once.
//!
//! A memo has the places of all return addresses of a stack, and the addresses. If the
//! words at these places are the same again, the stack is the same: the innermost frame
//! begins at the same address, its return address says which function called it, and a
//! frame of fixed size puts the next return address at the same place, and so on. While a
//! window of the thread is open, the frames outside of it stay, and are compared once. A
//! frame of variable size, by `alloca` in C or by an alignment above 16, can have an old
//! word at that place. Then the label is wrong, and no count. The checked mode finds it.
//!
//! The outer frames of a deep stack are in parts of [`TAIL`] frames, which other memos share. A
//! part is found by the place of its innermost return address, and compared as a whole stack is.
//! A new stack is unwound as far as the first part that is there, so that a level of a recursion
//! takes the same time and memory at any depth.

use std::iter::successors;
use std::mem;
use std::ops::Range;

use crate::sites::array::Array;
use crate::sites::platform;

/// The most memos of a thread. When they are full, all are dropped.
const MOST_MEMOS: usize = 1 << 16;

/// The most return addresses in all memos of a thread.
const MOST_SLOTS: usize = 1 << 20;

/// The most frames of a stack. Those further out are left out.
const MOST_FRAMES: usize = 512;

/// The most frames that are unwound for a stack. More than it keeps, since those further out are
/// in other stacks when calls return.
const MOST_UNWOUND: usize = 1 << 16;

/// The frames of a part that memos share.
const TAIL: usize = 16;

/// The innermost frames of a stack are in no such part: the function that allocates, and what
/// it calls.
const LEAST_OWN: usize = 8;

/// A stack with at most this many frames is in one piece, which is compared in less time.
const SHALLOW: usize = 64;

/// The number of memos with the same innermost address that are compared before the
/// stack is unwound again.
const MOST_COMPARED: usize = 64;

const BUCKETS: usize = 1 << 11;

/// The memo of no stack. It has no frames and the anchor of no stack.
pub(crate) const NONE: u32 = 0;

/// A place on the stack with the return address that lies there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) place: usize,
    pub(crate) address: usize,
}

#[derive(Clone, Copy, Debug)]
struct Memo {
    /// An address in the innermost frame; [`anchor_of_tail`] for a shared part.
    anchor: usize,
    /// The first of its own slots, and their number.
    first: u32,
    own: u32,
    /// The part with the slots further out.
    outer: u32,
    /// The number of all slots, at most [`MOST_FRAMES`].
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

const NO_STACK: Memo = Memo {
    anchor: 0,
    first: 0,
    own: 0,
    outer: NONE,
    len: 0,
    compared_in: 0,
    inner: 0,
    next: NONE,
    follower: NONE,
    ids: Ids::UNKNOWN,
};

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
    /// The return addresses of the stack that was asked for last.
    addresses: Array<usize>,
    /// The newest memo of each bucket.
    buckets: Array<u32>,
    last: u32,
    /// Whether the last memo of the array is no bucket's.
    has_scratch: bool,
    /// The thread's stack, once it was asked for.
    stack: Option<Range<usize>>,
    /// The two outermost slots of the stack that was unwound last to its end. To step to the
    /// outermost frame, which is of C, some unwinders look through the tables of all functions.
    end: Option<[Slot; 2]>,
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
            addresses: Array::new(),
            buckets: Array::new(),
            last: NONE,
            has_scratch: false,
            stack: None,
            end: None,
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

    /// Forgets the numbers of all stacks.
    pub(crate) fn forget_ids(&mut self) {
        for memo in self.memos.as_mut_slice() {
            memo.ids = Ids::UNKNOWN;
        }
    }

    /// Drops all memos.
    fn clear(&mut self) {
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
        self.end = None;
    }

    /// The memo of the calling stack, and whether the unwinder disagrees with the one
    /// that was found. `anchor` is an address in the caller's frame, which has to be the
    /// same for all calls with the same stack.
    #[inline(always)]
    pub(crate) fn capture(&mut self, anchor: usize, is_checked: bool) -> (u32, bool) {
        let memo = match self.find(anchor) {
            Some(memo) => memo,
            None => self.unwind_anew(anchor),
        };
        if is_checked {
            self.checked(memo, anchor)
        } else {
            (memo, false)
        }
    }

    /// Compares the stack of `memo` with the unwound one.
    #[cold]
    #[inline(never)]
    fn checked(&mut self, memo: u32, anchor: usize) -> (u32, bool) {
        let is_scratch = self.has_scratch && memo as usize == self.memos.len() - 1;
        if memo == NONE || is_scratch {
            return (memo, false);
        }
        let unwound = self.unwind(anchor, false);
        if unwound == NONE || self.addresses(memo).eq(self.addresses(unwound)) {
            (memo, false)
        } else {
            (unwound, true)
        }
    }

    /// The return addresses of a memo, innermost first.
    fn addresses(&self, memo: u32) -> impl Iterator<Item = usize> {
        let memos = self.memos.as_slice();
        let parts = successors(memos.get(memo as usize), |part| {
            memos.get(part.outer as usize)
        });
        let slots = parts.flat_map(|part| {
            let slots = &self.slots.as_slice()[part.first as usize..];
            &slots[..part.own as usize]
        });
        slots.map(|slot| slot.address).take(self.len(memo))
    }

    /// The return addresses of a memo, innermost first.
    pub(crate) fn stack(&mut self, memo: u32) -> &[usize] {
        let mut stack = mem::replace(&mut self.addresses, Array::new());
        stack.truncate(0);
        // Without memory it has none.
        if !self.addresses(memo).all(|address| stack.push(address)) {
            stack.truncate(0);
        }
        self.addresses = stack;
        self.addresses.as_slice()
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
        let found = &self.memos.as_slice()[memo as usize];
        if found.anchor != anchor {
            return false;
        }
        if found.compared_in != self.window || found.inner > found.own {
            return self.are_parts_there(memo);
        }
        let slots = &self.slots.as_slice()[found.first as usize..];
        // SAFETY: as in `are_parts_there`.
        unsafe { are_there(&slots[..found.inner as usize]) }
    }

    /// Whether the stack of `memo` is the present one, which has a frame at its anchor.
    #[inline(never)]
    fn are_parts_there(&mut self, memo: u32) -> bool {
        let memos = self.memos.as_slice();
        let mut part = &memos[memo as usize];
        let is_compared = part.compared_in == self.window;
        let mut left = if is_compared { part.inner } else { part.len };
        let mut inner = 0;
        loop {
            let slots = &self.slots.as_slice()[part.first as usize..];
            let slots = &slots[..part.own.min(left) as usize];
            // SAFETY: these are memos of the calling thread. The places were found to be
            // aligned and between this anchor and the end of the thread's stack. The anchor
            // is in a frame of a caller at present.
            if !unsafe { are_there(slots) } {
                return false;
            }
            if !is_compared {
                // The places rise.
                inner += slots.partition_point(|slot| slot.place < self.opener) as u32;
            }
            left -= slots.len() as u32;
            if left == 0 {
                break;
            }
            part = &memos[part.outer as usize];
        }
        if !is_compared {
            let memo = &mut self.memos.as_mut_slice()[memo as usize];
            (memo.compared_in, memo.inner) = (self.window, inner);
        }
        true
    }

    /// Unwinds a stack that is not known.
    #[cold]
    #[inline(never)]
    fn unwind_anew(&mut self, anchor: usize) -> u32 {
        if self.memos.len() >= MOST_MEMOS || self.slots.len() >= MOST_SLOTS {
            self.clear();
        }
        let is_ready =
            self.memos.len() > 0 || self.buckets.fill(BUCKETS, NONE) && self.memos.push(NO_STACK);
        if !is_ready {
            return NONE;
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
        let mut below = anchor;
        let mut outer = NONE;
        let mut is_whole = true;
        platform::walk(stack.clone(), &mut |slot| {
            if self.slots.len() == first && slot.place <= anchor {
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
            if is_kept && is_readable {
                outer = self.find_in_bucket(anchor_of_tail(slot)).unwrap_or(NONE);
            }
            if outer != NONE {
                return false;
            }
            let most = if is_kept && is_readable {
                MOST_UNWOUND
            } else {
                MOST_FRAMES
            };
            let mut push = |slot| self.slots.push(slot) && self.slots.len() - first < most;
            is_whole = push(slot);
            let end = self
                .end
                .filter(|[before, _]| is_kept && is_readable && *before == slot);
            let Some([_, last]) = end else {
                return is_whole;
            };
            // SAFETY: it is aligned, and between this slot and the stack's end.
            if unsafe { platform::read_word(last.place) } != last.address {
                return is_whole;
            }
            is_whole = is_whole && push(last);
            false
        });
        let is_kept = is_kept && is_readable;
        if is_kept && is_whole && outer == NONE {
            if let [.., before, last] = self.slots.as_slice()[first..] {
                self.end = Some([before, last]);
            }
        }
        let mut own = first..self.slots.len();
        let is_deep = own.len() + self.len(outer) > SHALLOW;
        while is_kept && is_deep && own.len() >= LEAST_OWN + TAIL {
            let tail = own.end - TAIL..own.end;
            let anchor = anchor_of_tail(self.slots.as_slice()[tail.start]);
            let tail = self.memo(anchor, tail, outer);
            // Where the unwinding was cut, the stack goes on.
            let is_found = is_whole || tail.len as usize == MOST_FRAMES;
            let number = self.enter(tail, is_found);
            if number == NONE {
                break;
            }
            own.end -= TAIL;
            outer = number;
        }
        let memo = self.memo(anchor, own, outer);
        let is_cut = !is_whole && (memo.len as usize) < MOST_FRAMES;
        let number = if memo.len == 0 || is_cut {
            // Without memory.
            NONE
        } else {
            self.enter(memo, is_kept)
        };
        if number == NONE {
            self.slots.truncate(first);
        }
        self.has_scratch = number != NONE && !is_kept;
        number
    }

    fn len(&self, memo: u32) -> usize {
        let memo = self.memos.as_slice().get(memo as usize);
        memo.map_or(0, |memo| memo.len as usize)
    }

    /// A memo of its own slots and those of `outer`.
    fn memo(&self, anchor: usize, own: Range<usize>, outer: u32) -> Memo {
        Memo {
            anchor,
            first: own.start as u32,
            own: own.len() as u32,
            outer,
            len: (own.len() + self.len(outer)).min(MOST_FRAMES) as u32,
            ..NO_STACK
        }
    }

    /// Adds `memo`, which later stacks are compared with if it is to be found.
    fn enter(&mut self, mut memo: Memo, is_found: bool) -> u32 {
        let number = self.memos.len() as u32;
        let newest = &mut self.buckets.as_mut_slice()[bucket(memo.anchor)];
        memo.next = *newest;
        if !self.memos.push(memo) {
            return NONE;
        }
        if is_found {
            *newest = number;
        }
        number
    }
}

/// Where a part that begins with `slot` is found. It is no place of a variable, as other anchors
/// are: at another time a function can have a variable where the return address was.
fn anchor_of_tail(slot: Slot) -> usize {
    slot.place + 1
}

/// Whether all return addresses lie at their places.
///
/// # Safety
///
/// The places can be read by [`platform::read_word`].
#[inline(never)]
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

    /// Captures on the way in and out of a recursion; returns the number of wrong ones.
    #[inline(never)]
    fn recurse(memos: &mut Memos, depth: usize, is_checked: bool) -> usize {
        let (_, is_wrong) = capture(memos, is_checked);
        let mut wrong = usize::from(is_wrong);
        if depth > 1 {
            wrong += recurse(memos, depth - 1, is_checked);
        }
        let (_, is_wrong) = capture(memos, is_checked);
        black_box(wrong) + usize::from(is_wrong)
    }

    #[test]
    fn a_level_of_a_recursion_takes_as_much_at_any_depth() {
        if !platform::AVAILABLE {
            return;
        }
        const DEPTH: usize = 3_000;
        let mut memos = Memos::new();
        let mut known = Vec::new();
        for _ in 0..2 {
            recurse(&mut memos, DEPTH, false);
            known.push(memos.memos.len());
        }
        // The second time, all are known.
        assert_eq!(known[0], known[1]);
        // Each frame that was unwound has a slot, and the others are shared. Two stacks of a
        // level are unwound to the next shared part, and the deepest to the end.
        let most = 2 * DEPTH * (TAIL + LEAST_OWN + 8);
        assert!(memos.slots.len() < most, "{}", memos.slots.len());
        // From the outer stacks to the inner ones and back; then other ones that share them.
        for depth in [10, 100, 1_000, 700] {
            assert_eq!(recurse(&mut memos, depth, true), 0, "{depth}");
        }
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
        assert_eq!(memos.stack(known)[2], 0x1234);
        assert_ne!(memos.stack(unwound)[2], 0x1234);
    }
}
