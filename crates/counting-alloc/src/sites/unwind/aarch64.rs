//! Where return addresses lie on aarch64: a function that calls others keeps its own somewhere in
//! its frame, mostly behind the caller's frame pointer.

use std::ffi::c_int;
use std::ops::Range;

use crate::sites::platform::read_word;
use crate::sites::platform::system::Context;

/// The number of the register x29, which is the frame pointer.
const FRAME_POINTER: c_int = 29;

const WORD: usize = size_of::<usize>();

unsafe extern "C" {
    fn _Unwind_GetGR(context: *mut Context, register: c_int) -> usize;
}

/// The frames that a walk has passed by.
pub(super) struct Frames {
    /// What can be read.
    stack: Range<usize>,
    /// The beginning of the frame before; 0 for none.
    start: usize,
    /// Its frame pointer.
    pointer: usize,
}

impl Frames {
    pub(super) const fn new(stack: Range<usize>) -> Self {
        Self {
            stack,
            start: 0,
            pointer: 0,
        }
    }

    /// The place of the return address into the next frame, which begins at `start`. If the frame
    /// before has the address nowhere, or at several places, one at which no word can be.
    pub(super) fn place(&mut self, context: *mut Context, address: usize, start: usize) -> usize {
        let unknown = start.wrapping_sub(1);
        let frame = self.start..start;
        let record = self.pointer.wrapping_add(WORD);
        self.start = start;
        // SAFETY: the unwinder passes the context of a frame, which has each register.
        self.pointer = unsafe { _Unwind_GetGR(context, FRAME_POINTER) };
        let is_known = frame.start != 0 && frame.start % WORD == 0;
        if !is_known || frame.start < self.stack.start || frame.end > self.stack.end {
            return unknown;
        }
        // SAFETY: the frame is one of the calling thread's stack and did not return.
        let has_address = |place: &usize| unsafe { read_word(*place) } == address;
        let is_record = frame.contains(&record) && record % WORD == 0;
        if is_record && has_address(&record) {
            return record;
        }
        let mut places = frame.step_by(WORD).filter(has_address);
        match (places.next(), places.next()) {
            (Some(place), None) => place,
            _ => unknown,
        }
    }
}
