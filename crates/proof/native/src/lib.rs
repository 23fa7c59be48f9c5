//! Safe functions over the C library bzip2, which allocates with `malloc` or with
//! functions that count.
#![cfg(feature = "native")]
#![expect(unsafe_code, reason = "C is called, and C calls back")]

use std::alloc::{self, Layout};
use std::ffi::{c_int, c_uint, c_void};
use std::mem;
use std::process::ExitCode;
use std::ptr;

use alloc_scenario::counting_alloc::measure;
use bzip2_sys::{BZ_FINISH, BZ_STREAM_END, bz_stream};

/// The calls that bzip2 made of its allocation functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// Allocations.
    pub allocs: u64,
    /// The sum of their sizes, in bytes.
    pub bytes: u64,
    /// Deallocations.
    pub frees: u64,
}

/// Compresses and decompresses `text` with `malloc` and `free`, and returns the
/// result. Allocates nothing itself.
pub fn round_trip<'out>(text: &[u8], space: &mut [u8], out: &'out mut [u8]) -> &'out [u8] {
    run(text, space, out, empty_stream)
}

/// Compresses and decompresses `text` with functions that allocate with Rust's
/// allocator, and returns bzip2's calls of them.
pub fn round_trip_with_functions(text: &[u8], space: &mut [u8], out: &mut [u8]) -> Requests {
    let mut requests = Requests::default();
    let opaque = ptr::from_mut(&mut requests).cast();
    run(text, space, out, || bz_stream {
        bzalloc: Some(bz_alloc),
        bzfree: Some(bz_free),
        opaque,
        ..empty_stream()
    });
    requests
}

/// The exit code of this program: 0 if its native calls are measured, 3 if not.
#[must_use]
pub fn exit_code() -> ExitCode {
    // The second call uses the result of the first.
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
    let mut compression = with_buffers(stream(), text, space);
    // SAFETY: the stream has the fields that bzip2 requires, with functions or without.
    let code = unsafe { bzip2_sys::BZ2_bzCompressInit(&mut compression, 1, 0, 0) };
    assert_eq!(code, 0);
    // SAFETY: the stream was initialised, and its texts are as long as it says.
    let code = unsafe { bzip2_sys::BZ2_bzCompress(&mut compression, BZ_FINISH) };
    assert_eq!(code, BZ_STREAM_END, "the space is too small");
    // SAFETY: the stream was initialised and is not used afterwards.
    unsafe { bzip2_sys::BZ2_bzCompressEnd(&mut compression) };
    let compressed = space.len() - compression.avail_out as usize;

    let mut decompression = with_buffers(stream(), &space[..compressed], out);
    // SAFETY: as for compression.
    let code = unsafe { bzip2_sys::BZ2_bzDecompressInit(&mut decompression, 0, 0) };
    assert_eq!(code, 0);
    // SAFETY: as for compression.
    let code = unsafe { bzip2_sys::BZ2_bzDecompress(&mut decompression) };
    assert_eq!(code, BZ_STREAM_END, "the output is too small");
    // SAFETY: as for compression.
    unsafe { bzip2_sys::BZ2_bzDecompressEnd(&mut decompression) };
    let decompressed = out.len() - decompression.avail_out as usize;
    &out[..decompressed]
}

fn empty_stream() -> bz_stream {
    // SAFETY: all fields are numbers, pointers or optional functions, and may be 0.
    unsafe { mem::zeroed() }
}

fn with_buffers(stream: bz_stream, from: &[u8], to: &mut [u8]) -> bz_stream {
    let length =
        |text: &[u8]| c_uint::try_from(text.len()).expect("the text is shorter than 4 GiB");
    bz_stream {
        next_in: from.as_ptr().cast_mut().cast(),
        avail_in: length(from),
        next_out: to.as_mut_ptr().cast(),
        avail_out: length(to),
        ..stream
    }
}

/// The bytes before each block, which store its size for the deallocation.
const HEADER: usize = 16;

fn layout(size: usize) -> Layout {
    Layout::from_size_align(HEADER + size, HEADER).expect("bzip2 requests small sizes")
}

extern "C" fn bz_alloc(opaque: *mut c_void, count: c_int, size: c_int) -> *mut c_void {
    let size = count as usize * size as usize;
    // SAFETY: `opaque` is the `Requests` of the call that is running.
    let requests = unsafe { &mut *opaque.cast::<Requests>() };
    requests.allocs += 1;
    requests.bytes += size as u64;
    // SAFETY: the size is not zero.
    let block = unsafe { alloc::alloc(layout(size)) };
    assert!(!block.is_null());
    // SAFETY: the block begins with space for a number, and is aligned for it.
    unsafe { block.cast::<usize>().write(size) };
    // SAFETY: within the block, or at its end.
    unsafe { block.add(HEADER) }.cast()
}

extern "C" fn bz_free(opaque: *mut c_void, block: *mut c_void) {
    if block.is_null() {
        return;
    }
    // SAFETY: `opaque` is the `Requests` of the call that is running.
    let requests = unsafe { &mut *opaque.cast::<Requests>() };
    requests.frees += 1;
    // SAFETY: `bz_alloc` returned this pointer, `HEADER` bytes into its block.
    let block = unsafe { block.cast::<u8>().sub(HEADER) };
    // SAFETY: `bz_alloc` wrote the size there.
    let size = unsafe { block.cast::<usize>().read() };
    // SAFETY: the block has this layout, and bzip2 doesn't use it any more.
    unsafe { alloc::dealloc(block, layout(size)) };
}
