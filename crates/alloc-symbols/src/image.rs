//! The parts of an executable: sections by name, machine code, and pointers to functions.

use std::collections::HashMap;

use object::{
    Architecture, File, Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget,
    Section, SectionIndex, SectionKind,
};

use crate::error::Error;
use crate::meter::Meter;

/// More relocations are not read. A program of 100 MB has about a million.
const MAX_RELOCATIONS: usize = 1 << 23;

/// A parsed executable.
#[derive(Debug)]
pub(crate) struct Image<'d> {
    pub(crate) name: &'d str,
    pub(crate) file: File<'d>,
    pub(crate) meter: &'d Meter,
    sections: HashMap<String, SectionIndex>,
    /// Addresses and contents of the sections with data in the file.
    contents: Vec<(u64, &'d [u8])>,
}

impl<'d> Image<'d> {
    pub(crate) fn parse(name: &'d str, bytes: &'d [u8], meter: &'d Meter) -> Result<Self, Error> {
        let file = File::parse(bytes).map_err(|error| Error::NotAnExecutable {
            name: name.to_owned(),
            reason: error.to_string(),
        })?;
        let mut sections = HashMap::new();
        let mut contents = Vec::new();
        for section in file.sections() {
            let Ok(name) = section.name() else { continue };
            if !meter.spend(name.len() + 1) {
                break;
            }
            // Mach-O writes `__debug_info` for `.debug_info`.
            let name = match name.strip_prefix("__") {
                Some(rest) => format!(".{rest}"),
                None => name.to_owned(),
            };
            if name.starts_with(".debug_") || name.starts_with(".note.") {
                sections.entry(name).or_insert_with(|| section.index());
            }
            let is_loaded = matches!(
                section.kind(),
                SectionKind::Text | SectionKind::Data | SectionKind::ReadOnlyData
            );
            if let (true, Ok(data)) = (is_loaded, section.data()) {
                contents.push((section.address(), data));
            }
        }
        contents.sort_by_key(|&(address, _)| address);
        Ok(Self {
            name,
            file,
            meter,
            sections,
            contents,
        })
    }

    pub(crate) fn section(&self, name: &str) -> Option<Section<'d, '_>> {
        // Mach-O cuts names off after 16 bytes, of which two are underscores for our dot.
        let index = self.sections.get(name).or_else(|| {
            let cut = name.get(..15)?;
            self.sections.get(cut)
        })?;
        self.file.section_by_index(*index).ok()
    }

    pub(crate) fn is_x86_64(&self) -> bool {
        self.file.architecture() == Architecture::X86_64
    }

    /// At most `len` bytes at an address.
    pub(crate) fn bytes(&self, address: u64, len: usize) -> Option<&'d [u8]> {
        let (start, data) = self.section_at(address)?;
        let data = data.get(usize::try_from(address - start).ok()?..)?;
        Some(&data[..len.min(data.len())])
    }

    /// Where the section with this address ends.
    pub(crate) fn end_of_section(&self, address: u64) -> Option<u64> {
        let (start, data) = self.section_at(address)?;
        let end = start.saturating_add(u64::try_from(data.len()).ok()?);
        (address < end).then_some(end)
    }

    fn section_at(&self, address: u64) -> Option<(u64, &'d [u8])> {
        let after = self
            .contents
            .partition_point(|&(start, _)| start <= address);
        self.contents.get(after.checked_sub(1)?).copied()
    }

    /// The pointers that the dynamic linker writes, with the addresses that it writes them to.
    pub(crate) fn relocated_pointers(&self) -> HashMap<u64, u64> {
        let symbols = self.file.dynamic_symbol_table();
        let relocations = self.file.dynamic_relocations().into_iter().flatten();
        let mut pointers = HashMap::new();
        for (address, relocation) in relocations.take(MAX_RELOCATIONS) {
            let base = match relocation.target() {
                RelocationTarget::Symbol(index) => {
                    let symbol = symbols.as_ref().map(|table| table.symbol_by_index(index));
                    match symbol {
                        Some(Ok(symbol)) if symbol.is_definition() => symbol.address(),
                        Some(_) | None => continue,
                    }
                }
                RelocationTarget::Absolute => 0,
                RelocationTarget::Section(_) | _ => continue,
            };
            pointers.insert(address, base.wrapping_add_signed(relocation.addend()));
        }
        pointers
    }
}
