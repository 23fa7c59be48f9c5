//! A C library behind safe functions: bzip2, with `malloc` or with functions
//! that count.
#![cfg(feature = "native")]
#![expect(unsafe_code, reason = "C is called, and C calls back")]

use std::alloc::{self, Layout};
use std::ffi::{c_int, c_uint, c_void};
use std::mem;
use std::process::ExitCode;
use std::ptr;

use alloc_scenario::counting_alloc::measure;
use bzip2_sys::{BZ_FINISH, BZ_STREAM_END, bz_stream};

/// What bzip2 asked of the functions that it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Calls for memory.
    pub allocs: u64,
    /// The sum of their sizes.
    pub bytes: u64,
    /// Calls that gave memory back.
    pub frees: u64,
}

/// Compresses and decompresses `text` with `malloc` and `free`, and gives what
/// came out. Allocates nothing itself.
pub fn there_and_back<'out>(text: &[u8], space: &mut [u8], out: &'out mut [u8]) -> &'out [u8] {
    run(text, space, out, empty_stream)
}

/// The same with functions of ours, which take memory from Rust's allocator.
pub fn there_and_back_asking(text: &[u8], space: &mut [u8], out: &mut [u8]) -> Asked {
    let mut asked = Asked::default();
    let opaque = ptr::from_mut(&mut asked).cast();
    run(text, space, out, || bz_stream {
        bzalloc: Some(take),
        bzfree: Some(give_back),
        opaque,
        ..empty_stream()
    });
    asked
}

/// The exit code 0 if native calls are measured in this program, 3 if not.
#[must_use]
pub fn whether_measured() -> ExitCode {
    // The second time, it is known from the first.
    assert_eq!(
        measure(|| ()).native.is_some(),
        measure(|| ()).native.is_some()
    );
    let measured = measure(|| vec![0_u8; 100]);
    assert_eq!(measured.tally.allocs, 1);
    match measured.native {
        Some(_) => ExitCode::SUCCESS,
        None => ExitCode::from(3),
    }
}

fn run<'out>(
    text: &[u8],
    space: &mut [u8],
    out: &'out mut [u8],
    stream: impl Fn() -> bz_stream,
) -> &'out [u8] {
    let mut packing = over(stream(), text, space);
    // SAFETY: the stream is set up as bzip2 asks: its functions, or none.
    let code = unsafe { bzip2_sys::BZ2_bzCompressInit(&mut packing, 1, 0, 0) };
    assert_eq!(code, 0);
    // SAFETY: the stream was initialised, and its texts are as long as it says.
    let code = unsafe { bzip2_sys::BZ2_bzCompress(&mut packing, BZ_FINISH) };
    assert_eq!(code, BZ_STREAM_END, "the space is too small");
    // SAFETY: the stream was initialised and is not used afterwards.
    unsafe { bzip2_sys::BZ2_bzCompressEnd(&mut packing) };
    let packed = space.len() - packing.avail_out as usize;

    let mut unpacking = over(stream(), &space[..packed], out);
    // SAFETY: as for packing.
    let code = unsafe { bzip2_sys::BZ2_bzDecompressInit(&mut unpacking, 0, 0) };
    assert_eq!(code, 0);
    // SAFETY: as for packing.
    let code = unsafe { bzip2_sys::BZ2_bzDecompress(&mut unpacking) };
    assert_eq!(code, BZ_STREAM_END, "the output is too small");
    // SAFETY: as for packing.
    unsafe { bzip2_sys::BZ2_bzDecompressEnd(&mut unpacking) };
    let unpacked = out.len() - unpacking.avail_out as usize;
    &out[..unpacked]
}

fn empty_stream() -> bz_stream {
    // SAFETY: numbers, pointers and optional functions, all of which may be 0.
    unsafe { mem::zeroed() }
}

fn over(stream: bz_stream, from: &[u8], to: &mut [u8]) -> bz_stream {
    let length = |text: &[u8]| c_uint::try_from(text.len()).expect("a text of less than 4 GiB");
    bz_stream {
        next_in: from.as_ptr().cast_mut().cast(),
        avail_in: length(from),
        next_out: to.as_mut_ptr().cast(),
        avail_out: length(to),
        ..stream
    }
}

/// In front of each block stands its size, for the layout at the end.
const HEADER: usize = 16;

fn layout(size: usize) -> Layout {
    Layout::from_size_align(HEADER + size, HEADER).expect("a size that bzip2 asks for")
}

extern "C" fn take(opaque: *mut c_void, count: c_int, size: c_int) -> *mut c_void {
    let size = count as usize * size as usize;
    // SAFETY: `opaque` is the `Asked` of the call that is running.
    let asked = unsafe { &mut *opaque.cast::<Asked>() };
    asked.allocs += 1;
    asked.bytes += size as u64;
    // SAFETY: the size is not zero.
    let block = unsafe { alloc::alloc(layout(size)) };
    assert!(!block.is_null());
    // SAFETY: the block begins with room for a number, and is aligned for it.
    unsafe { block.cast::<usize>().write(size) };
    // SAFETY: within the block, or at its end.
    unsafe { block.add(HEADER) }.cast()
}

extern "C" fn give_back(opaque: *mut c_void, block: *mut c_void) {
    if block.is_null() {
        return;
    }
    // SAFETY: `opaque` is the `Asked` of the call that is running.
    let asked = unsafe { &mut *opaque.cast::<Asked>() };
    asked.frees += 1;
    // SAFETY: `take` gave this pointer, which is that far into its block.
    let block = unsafe { block.cast::<u8>().sub(HEADER) };
    // SAFETY: `take` wrote the size there.
    let size = unsafe { block.cast::<usize>().read() };
    // SAFETY: a block of this layout, which bzip2 uses no more.
    unsafe { alloc::dealloc(block, layout(size)) };
}
