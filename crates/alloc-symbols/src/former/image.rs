//! The parts of an executable: sections by name, functions, machine code, and pointers to functions.

mod elf;
mod macho;
mod pe;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::former::error::Error;
use crate::former::machine_code::Machine;
use elf::Elf;
use macho::MachO;
use pe::Pe;

pub(crate) use macho::Object;

/// A parsed executable.
#[derive(Debug)]
pub(crate) struct Image<'d> {
    pub(crate) name: &'d str,
    /// The processor, if its code is known.
    pub(crate) machine: Option<Machine>,
    sections: Vec<Section<'d>>,
    format: Format<'d>,
}

/// What is read in another way in each format.
#[derive(Debug)]
enum Format<'d> {
    Elf(Elf<'d>),
    MachO(MachO<'d>),
    Pe(Pe<'d>),
}

/// What a file has: the processor, if its code is known, the sections, and the rest.
type Parts<'d> = (Option<Machine>, Vec<Section<'d>>, Format<'d>);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Section<'d> {
    name: &'d [u8],
    /// Where the program has it; `None` if it is not loaded.
    address: Option<u64>,
    pub(crate) is_compressed: bool,
    /// Empty if it is not in the file.
    pub(crate) data: &'d [u8],
}

/// A function that the file has, by its symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol<'d> {
    /// Begins with the name, as in [`first_text`].
    text: &'d [u8],
    pub(crate) address: u64,
    /// 0 if the file does not say it.
    pub(crate) size: u64,
}

impl<'d> Symbol<'d> {
    /// A symbol whose name is at the beginning of `text`, and ends there at a zero.
    pub(crate) const fn new(text: &'d [u8], address: u64, size: u64) -> Self {
        Self {
            text,
            address,
            size,
        }
    }

    pub(crate) fn name(&self) -> &'d [u8] {
        first_text(self.text)
    }
}

impl<'d> Image<'d> {
    pub(crate) fn parse(name: &'d str, bytes: &'d [u8]) -> Result<Self, Error> {
        let parts = if bytes.starts_with(b"\x7fELF") {
            elf::parse(bytes)
        } else if bytes.starts_with(b"MZ") {
            pe::parse(bytes)
        } else if macho::is_macho(bytes) {
            macho::parse(bytes)
        } else {
            Err("it is not in the format ELF, PE or Mach-O")
        };
        let (machine, sections, format) = parts.map_err(|reason| Error::NotAnExecutable {
            name: name.to_owned(),
            reason: reason.to_owned(),
        })?;
        Ok(Self {
            name,
            machine,
            sections,
            format,
        })
    }

    pub(crate) fn section(&self, name: &str) -> Option<Section<'d>> {
        let mut sections = self.sections.iter();
        let found = sections.find(|section| match &self.format {
            Format::Elf(_) | Format::Pe(_) => section.name == name.as_bytes(),
            Format::MachO(_) => macho::is_named(section.name, name),
        });
        found.copied()
    }

    /// The build id, if the file has one.
    pub(crate) fn build_id(&self) -> Option<&'d [u8]> {
        match &self.format {
            Format::Elf(_) => elf::build_id(self.section(".note.gnu.build-id")?.data),
            Format::MachO(macho) => macho.uuid(),
            Format::Pe(pe) => pe.build_id(),
        }
    }

    /// Whether the file has symbols that are not for the dynamic linker.
    pub(crate) fn has_symbols(&self) -> bool {
        match &self.format {
            Format::Elf(elf) => elf.has_symbols(),
            Format::MachO(macho) => macho.has_symbols(),
            Format::Pe(pe) => pe.has_symbols(),
        }
    }

    /// The functions in the symbol table.
    pub(crate) fn functions(&self) -> Vec<Symbol<'d>> {
        match &self.format {
            Format::Elf(elf) => elf.functions(),
            Format::MachO(macho) => macho.functions(),
            Format::Pe(pe) => pe.functions(),
        }
    }

    /// Adds what only the table of unwinding says to the functions of a PDB file.
    pub(crate) fn complete(&self, functions: &mut Vec<Symbol<'d>>) {
        match &self.format {
            Format::Elf(_) | Format::MachO(_) => {}
            Format::Pe(pe) => pe.complete(functions),
        }
    }

    /// Where the section with this number begins, as PDB files count them.
    pub(crate) fn segment(&self, number: u16) -> Option<u64> {
        match &self.format {
            Format::Elf(_) | Format::MachO(_) => None,
            Format::Pe(pe) => pe.section(number),
        }
    }

    /// The path of the PDB file that was written with this executable, which has its symbols.
    pub(crate) fn pdb_path(&self) -> Option<Cow<'d, str>> {
        match &self.format {
            Format::Elf(_) | Format::MachO(_) => None,
            Format::Pe(pe) => pe.pdb_path(),
        }
    }

    /// Says that there are no symbols.
    pub(crate) fn no_symbols(&self) -> Error {
        let name = self.name.to_owned();
        match self.pdb_path() {
            Some(file) => Error::MissingPdb {
                name,
                file: file.into_owned(),
            },
            None => Error::Stripped { name },
        }
    }

    /// The object files that keep the line tables of this executable; none but on macOS.
    pub(crate) fn objects(&self) -> Vec<Object<'d>> {
        match &self.format {
            Format::Elf(_) | Format::Pe(_) => Vec::new(),
            Format::MachO(macho) => macho.objects(),
        }
    }

    /// Whether line tables may be in a folder beside the executable, as on macOS.
    pub(crate) fn may_have_bundle(&self) -> bool {
        matches!(self.format, Format::MachO(_))
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

    /// The last section that begins at the address or before it, and where it begins.
    fn section_at(&self, address: u64) -> Option<(u64, &'d [u8])> {
        let sections = self.sections.iter();
        let loaded = sections.filter_map(|section| Some((section.address?, section.data)));
        let before = loaded.filter(|(start, _)| *start <= address);
        before.max_by_key(|(start, _)| *start)
    }

    /// The pointers that the dynamic linker writes, with the addresses that it writes them to,
    /// unless they are in the file as well.
    pub(crate) fn relocated_pointers(&self) -> HashMap<u64, u64> {
        match &self.format {
            Format::Elf(elf) => elf.relocated_pointers(),
            Format::Pe(_) | Format::MachO(_) => HashMap::new(),
        }
    }
}

/// The part of a table of texts that begins with one of them.
pub(crate) fn texts_from(texts: &[u8], at: u32) -> &[u8] {
    let texts = usize::try_from(at).ok().and_then(|at| texts.get(at..));
    texts.unwrap_or_default()
}

/// The first text, which ends at a zero, or with the table.
pub(crate) fn first_text(texts: &[u8]) -> &[u8] {
    let end = texts.iter().position(|&byte| byte == 0);
    &texts[..end.unwrap_or(texts.len())]
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    array_at(bytes, at).map(u16::from_le_bytes)
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    array_at(bytes, at).map(u64::from_le_bytes)
}
