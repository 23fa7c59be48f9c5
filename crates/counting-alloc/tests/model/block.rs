//! A block of the program's memory, filled with a pattern that has to survive. It makes
//! the raw calls, and compares each with the call that the inner allocator saw.

use std::alloc::{self, Layout};
use std::hint::black_box;
use std::ptr::{self, NonNull};
use std::slice;

use crate::recorder;
use crate::watched::{Call, Method};

/// Live memory with its layout. Its owner may read and write all of it.
#[derive(Debug)]
pub(crate) struct Block {
    start: NonNull<u8>,
    layout: Layout,
    /// The first byte of the pattern.
    key: u8,
}

// SAFETY: a block is plain memory with one owner, on any thread.
unsafe impl Send for Block {}

/// How a request is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Luck {
    /// The inner allocator decides.
    Granted,
    /// The inner allocator is told to refuse.
    Refused,
}

/// The inner allocator saw another call, or the memory had another content, than
/// expected.
pub(crate) type Wrong = String;

impl Block {
    /// Allocates by `alloc` or `alloc_zeroed`; `Ok(None)` when the request was refused.
    pub(crate) fn new(
        method: Method,
        layout: Layout,
        luck: Luck,
        key: u8,
    ) -> Result<Option<Self>, Wrong> {
        begin(luck);
        let result = black_box(match method {
            // SAFETY: the driver never asks for a size of 0.
            Method::AllocZeroed => unsafe { alloc::alloc_zeroed(layout) },
            // SAFETY: as above.
            Method::Alloc | Method::Realloc | Method::Dealloc => unsafe { alloc::alloc(layout) },
        });
        forwarded(Call::new(method, (ptr::null_mut(), layout, 0), result))?;
        let Some(start) = NonNull::new(result) else {
            return Ok(None);
        };
        if start.as_ptr().align_offset(layout.align()) != 0 {
            return Err(format!("{start:p} is not aligned for {layout:?}"));
        }
        let mut block = Self { start, layout, key };
        if method == Method::AllocZeroed && !block.is_zero() {
            return Err(format!("the memory is not zero for {layout:?}"));
        }
        block.fill();
        Ok(Some(block))
    }

    /// Resizes the block, and returns whether that was granted. A refused block is
    /// unchanged.
    pub(crate) fn resize(&mut self, new_size: usize, luck: Luck) -> Result<bool, Wrong> {
        begin(luck);
        let (block, layout) = (self.start.as_ptr(), self.layout);
        // SAFETY: the block is live with this layout; the driver chooses sizes
        // that are not 0 and make a valid layout with the same alignment.
        let result = black_box(unsafe { alloc::realloc(block, layout, new_size) });
        forwarded(Call::new(
            Method::Realloc,
            (block, layout, new_size),
            result,
        ))?;
        if let Some(start) = NonNull::new(result) {
            self.start = start;
            self.layout = Layout::from_size_align(new_size, layout.align())
                .map_err(|error| format!("{new_size} and {}: {error}", layout.align()))?;
        }
        self.verify(layout.size().min(self.layout.size()), layout.size())?;
        self.fill();
        Ok(!result.is_null())
    }

    pub(crate) fn free(self) -> Result<(), Wrong> {
        self.verify(self.layout.size(), self.layout.size())?;
        begin(Luck::Granted);
        // SAFETY: the block is live with this layout, and this consumes it.
        unsafe { alloc::dealloc(self.start.as_ptr(), self.layout) };
        forwarded(Call::new(
            Method::Dealloc,
            (self.start.as_ptr(), self.layout, 0),
            ptr::null_mut(),
        ))
    }

    pub(crate) fn size(&self) -> usize {
        self.layout.size()
    }

    pub(crate) fn align(&self) -> usize {
        self.layout.align()
    }

    fn is_zero(&self) -> bool {
        const PAGE: [u8; 4096] = [0; 4096];
        // SAFETY: the block is live, this long, and initialised with zeros.
        let bytes = unsafe { slice::from_raw_parts(self.start.as_ptr(), self.layout.size()) };
        bytes
            .chunks(PAGE.len())
            .all(|chunk| chunk == &PAGE[..chunk.len()])
    }

    fn fill(&mut self) {
        for at in marks(self.layout.size()) {
            // SAFETY: `at` is inside of the block.
            let place = unsafe { self.start.as_ptr().add(at) };
            // SAFETY: the block is live, and nothing else refers to it.
            unsafe { place.write(self.mark(at)) };
        }
    }

    /// Whether the first `kept` bytes still have the pattern of a block of `filled`
    /// bytes.
    fn verify(&self, kept: usize, filled: usize) -> Result<(), Wrong> {
        for at in marks(filled).filter(|&at| at < kept) {
            // SAFETY: `at` is inside of the block.
            let place = unsafe { self.start.as_ptr().add(at) };
            // SAFETY: the block is live, and `fill` wrote this byte.
            let found = unsafe { place.read() };
            if found != self.mark(at) {
                return Err(format!(
                    "byte {at} of {:?} holds {found}, not {}",
                    self.layout,
                    self.mark(at)
                ));
            }
        }
        Ok(())
    }

    fn mark(&self, at: usize) -> u8 {
        self.key.wrapping_add((at % 251) as u8)
    }
}

/// The bytes of a block of `size` bytes that carry the pattern: the first 64, the last
/// 64, and some in between.
fn marks(size: usize) -> impl Iterator<Item = usize> {
    let head = size.min(64);
    let tail = size.saturating_sub(64).max(head);
    (0..head).chain((head..tail).step_by(509)).chain(tail..size)
}

fn begin(luck: Luck) {
    recorder::watch();
    if luck == Luck::Refused {
        recorder::refuse_next();
    }
}

/// Checks that the inner allocator saw exactly this call.
fn forwarded(call: Call) -> Result<(), Wrong> {
    let seen = recorder::seen();
    if seen.is_only(call) {
        return Ok(());
    }
    Err(format!(
        "the program did {call:?}; below the counter there was {seen:?}"
    ))
}
