//! ELF files that no linker writes.

/// A function in the symbol table: where its name begins in the names, its address and its size.
#[derive(Clone, Copy)]
pub(crate) struct Symbol {
    pub(crate) name: u32,
    pub(crate) address: u64,
    pub(crate) size: u64,
}

/// The parts of a file.
#[derive(Default)]
pub(crate) struct Elf {
    /// The machine code, and its address.
    pub(crate) code: Vec<u8>,
    pub(crate) address: u64,
    pub(crate) symbols: Vec<Symbol>,
    /// The names of symbols, each with a zero at its end.
    pub(crate) names: Vec<u8>,
    /// Sections that are not loaded.
    pub(crate) sections: Vec<(&'static str, Vec<u8>)>,
}

impl Elf {
    /// Adds a name, and says where it is.
    pub(crate) fn name(&mut self, name: &str) -> u32 {
        let at = self.names.len();
        self.names.extend(name.bytes().chain([0]));
        at.try_into().unwrap()
    }

    /// The file, for x86-64.
    pub(crate) fn file(&self) -> Vec<u8> {
        const PROGBITS: u32 = 1;
        const SYMTAB: u32 = 2;
        const STRTAB: u32 = 3;
        let mut symbols = vec![0; 24];
        for symbol in &self.symbols {
            symbols.extend(symbol.name.to_le_bytes());
            // A global function, in section 1.
            symbols.extend([0x12, 0, 1, 0]);
            symbols.extend([symbol.address, symbol.size].map(u64::to_le_bytes).concat());
        }
        // The executable's code is section 1, the names of symbols are section 2.
        let mut sections = vec![
            (".text", PROGBITS, 6, self.address, 0, &self.code),
            (".strtab", STRTAB, 0, 0, 0, &self.names),
            (".symtab", SYMTAB, 0, 0, 2, &symbols),
        ];
        let others = self.sections.iter();
        sections.extend(others.map(|(name, data)| (*name, PROGBITS, 0, 0, 0, data)));
        let mut section_names = vec![0];
        for (name, ..) in &sections {
            section_names.extend(name.bytes().chain([0]));
        }
        section_names.extend(b".shstrtab\0");
        let all_names = section_names.clone();
        sections.push((".shstrtab", STRTAB, 0, 0, 0, &all_names));

        let mut file = vec![0; 64];
        let mut headers = vec![0; 64];
        let mut name_at = 1;
        for (name, kind, flags, address, link, data) in &sections {
            let entry_size = if *kind == SYMTAB { 24 } else { 0 };
            headers.extend(u32::to_le_bytes(name_at));
            headers.extend(kind.to_le_bytes());
            let numbers = [*flags, *address, file.len() as u64, data.len() as u64];
            headers.extend(numbers.map(u64::to_le_bytes).concat());
            headers.extend([*link, 0_u32].map(u32::to_le_bytes).concat());
            headers.extend([1, entry_size].map(u64::to_le_bytes).concat());
            file.extend_from_slice(data);
            name_at += u32::try_from(name.len()).unwrap() + 1;
        }
        file.resize(file.len().next_multiple_of(8), 0);
        let count = u16::try_from(sections.len()).unwrap() + 1;
        let header = [
            b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec(),
            // An executable, for x86-64, of version 1.
            [3, 0, 62, 0, 1, 0, 0, 0].to_vec(),
            [0, 0, file.len() as u64].map(u64::to_le_bytes).concat(),
            0_u32.to_le_bytes().to_vec(),
            [64, 0, 0, 64, count, count - 1]
                .map(u16::to_le_bytes)
                .concat(),
        ]
        .concat();
        file[..header.len()].copy_from_slice(&header);
        file.extend(headers);
        file
    }
}
