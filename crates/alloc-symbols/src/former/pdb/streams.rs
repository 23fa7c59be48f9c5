//! The streams in a file of the format PDB: parts with numbers, each of which is in blocks anywhere
//! in the file.

use std::ops::Range;

use crate::former::image::u32_at;

const MAGIC: &[u8] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";

/// The directory of a file.
pub(super) struct Streams<'f> {
    blocks: Blocks<'f>,
    /// The numbers of the blocks of all streams.
    numbers: Vec<u8>,
    /// The size of each stream, and where the numbers of its blocks are.
    streams: Vec<(usize, Range<usize>)>,
}

impl<'f> Streams<'f> {
    pub(super) fn read(file: &'f [u8]) -> Option<Self> {
        /// The size of a stream that was deleted.
        const NONE: usize = u32::MAX as usize;
        if !file.starts_with(MAGIC) {
            return None;
        }
        let size = usize_at(file, 32)?;
        if !size.is_power_of_two() || !(512..=1 << 16).contains(&size) {
            return None;
        }
        let mut blocks = Blocks {
            file,
            size,
            left: file.len(),
        };
        let numbers = file.get(usize_at(file, 52)?.checked_mul(size)?..)?;
        let directory = blocks.gather(numbers, usize_at(file, 44)?)?;
        let count = usize_at(&directory, 0)?;
        let sizes = directory.get(4..)?.get(..count.checked_mul(4)?)?;
        let mut end = 4 + sizes.len();
        let mut streams = Vec::with_capacity(count);
        for at in 0..count {
            let stream = usize_at(sizes, 4 * at).filter(|size| *size != NONE);
            let stream = stream.unwrap_or_default();
            let start = end;
            end = start.checked_add(stream.div_ceil(size).checked_mul(4)?)?;
            streams.push((stream, start..end));
        }
        Some(Self {
            blocks,
            numbers: directory,
            streams,
        })
    }

    /// The content of a stream. Empty if the file has none with this number.
    pub(super) fn stream(&mut self, number: usize) -> Option<Vec<u8>> {
        let Some((size, numbers)) = self.streams.get(number).cloned() else {
            return Some(Vec::new());
        };
        self.blocks.gather(self.numbers.get(numbers)?, size)
    }
}

struct Blocks<'f> {
    file: &'f [u8],
    size: usize,
    /// The bytes that can be copied yet: no more than there are, as no streams share a block.
    left: usize,
}

impl Blocks<'_> {
    /// The content of the blocks with these numbers.
    fn gather(&mut self, numbers: &[u8], size: usize) -> Option<Vec<u8>> {
        self.left = self.left.checked_sub(size)?;
        let mut content = Vec::with_capacity(size);
        for at in 0..size.div_ceil(self.size) {
            let block = usize_at(numbers, 4 * at)?.checked_mul(self.size)?;
            let length = self.size.min(size - content.len());
            content.extend_from_slice(self.file.get(block..block.checked_add(length)?)?);
        }
        Some(content)
    }
}

/// A number of 32 bits as a size.
pub(super) fn usize_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32_at(bytes, at)?).ok()
}
