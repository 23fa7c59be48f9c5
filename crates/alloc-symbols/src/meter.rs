//! Bounds the work of reading: DWARF of a few bytes can refer to the same megabytes many
//! times over.

use std::borrow::Cow;
use std::cell::Cell;

use addr2line::gimli::{EndianSlice, Error, LittleEndian, Reader, ReaderOffsetId, Result};

/// For each byte of the file. Of a program of 50 MB, a quarter of its bytes was read.
const READS_PER_BYTE: u64 = 8;

/// For a small file that refers to the same texts often.
const MORE_READS: u64 = 1 << 20;

/// For the names of the functions at an address, which are often ten.
const READS_PER_ADDRESS: u64 = 8 << 10;

/// The work that is left.
#[derive(Debug)]
pub(crate) struct Meter(Cell<u64>);

impl Meter {
    /// For reading the tables of a file of `size` bytes.
    pub(crate) fn for_file(size: usize) -> Self {
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        Self::new(
            size.saturating_mul(READS_PER_BYTE)
                .saturating_add(MORE_READS),
        )
    }

    pub(crate) fn new(work: u64) -> Self {
        Self(Cell::new(work))
    }

    /// Adds the work of another address.
    pub(crate) fn add_address(&self) {
        self.0.set(self.0.get().saturating_add(READS_PER_ADDRESS));
    }

    /// Takes some of the work that is left. Without enough of it nothing is left afterwards,
    /// and the result is false.
    pub(crate) fn spend(&self, work: usize) -> bool {
        let left = u64::try_from(work)
            .ok()
            .and_then(|work| self.0.get().checked_sub(work));
        self.0.set(left.unwrap_or_default());
        left.is_some()
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}

/// Bytes of a section; each that is read takes some work.
#[derive(Clone, Debug)]
pub(crate) struct Metered<'d> {
    bytes: EndianSlice<'d, LittleEndian>,
    meter: &'d Meter,
}

impl<'d> Metered<'d> {
    pub(crate) fn new(bytes: &'d [u8], meter: &'d Meter) -> Self {
        let bytes = EndianSlice::new(bytes, LittleEndian);
        Self { bytes, meter }
    }

    fn spend(&self, work: usize) -> Result<()> {
        if self.meter.spend(work) {
            Ok(())
        } else {
            Err(Error::UnexpectedEof(self.offset_id()))
        }
    }
}

impl Reader for Metered<'_> {
    type Endian = LittleEndian;
    type Offset = usize;

    fn endian(&self) -> LittleEndian {
        self.bytes.endian()
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }

    fn empty(&mut self) {
        self.bytes.empty();
    }

    fn truncate(&mut self, len: usize) -> Result<()> {
        self.bytes.truncate(len)
    }

    fn offset_from(&self, base: &Self) -> usize {
        self.bytes.offset_from(base.bytes)
    }

    fn offset_id(&self) -> ReaderOffsetId {
        self.bytes.offset_id()
    }

    fn lookup_offset_id(&self, id: ReaderOffsetId) -> Option<usize> {
        self.bytes.lookup_offset_id(id)
    }

    fn find(&self, byte: u8) -> Result<usize> {
        let found = Reader::find(&self.bytes, byte);
        self.spend(*found.as_ref().unwrap_or(&self.bytes.len()))?;
        found
    }

    fn skip(&mut self, len: usize) -> Result<()> {
        self.spend(1)?;
        self.bytes.skip(len)
    }

    fn split(&mut self, len: usize) -> Result<Self> {
        self.spend(1)?;
        let bytes = self.bytes.split(len)?;
        let meter = self.meter;
        Ok(Self { bytes, meter })
    }

    fn to_slice(&self) -> Result<Cow<'_, [u8]>> {
        self.spend(self.bytes.len())?;
        self.bytes.to_slice()
    }

    fn to_string(&self) -> Result<Cow<'_, str>> {
        self.spend(self.bytes.len())?;
        Reader::to_string(&self.bytes)
    }

    fn to_string_lossy(&self) -> Result<Cow<'_, str>> {
        self.spend(self.bytes.len())?;
        Reader::to_string_lossy(&self.bytes)
    }

    fn read_slice(&mut self, buffer: &mut [u8]) -> Result<()> {
        self.spend(buffer.len())?;
        Reader::read_slice(&mut self.bytes, buffer)
    }
}
