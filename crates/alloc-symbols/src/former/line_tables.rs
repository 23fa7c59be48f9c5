//! The line tables of an executable: in itself, in a bundle or a PDB file beside it, or in the object
//! files that were linked.

use std::collections::HashMap;

use crate::former::debug_files::DebugFiles;
use crate::former::error::Problem;
use crate::former::image::{Image, Object};
use crate::former::lines::Lines;
use crate::former::pdb::PdbLines;
use crate::frame::Frame;

/// The line tables, by addresses of the executable.
pub(crate) enum LineTables<'e> {
    Whole(Lines<'e>),
    OfObjects(OfObjects<'e>),
    Pdb(PdbLines<'e>),
}

impl<'e> LineTables<'e> {
    /// Reads the line tables, and says what is wrong with them, as [`Lines::read`].
    pub(crate) fn read(
        image: &Image<'e>,
        files: &'e DebugFiles,
    ) -> (Option<Self>, Option<Problem>) {
        let (lines, problem) = match files {
            DebugFiles::None => Lines::read(image),
            DebugFiles::Bundle(bytes) => match parsed(image, bytes) {
                Ok(bundle) => Lines::read(&bundle),
                Err(problem) => (None, Some(problem)),
            },
            DebugFiles::Objects(files) => {
                let (lines, problem) = OfObjects::read(image, files);
                return (Some(Self::OfObjects(lines)), problem);
            }
            DebugFiles::Pdb(pdb) => {
                let (lines, problem) = PdbLines::read(pdb, &|number| image.segment(number));
                return (Some(Self::Pdb(lines)), problem);
            }
        };
        (lines.map(Self::Whole), problem)
    }

    /// What is wrong with the line tables, without reading more than their headers.
    pub(crate) fn problem(image: &Image<'e>, files: &'e DebugFiles) -> Option<Problem> {
        match files {
            DebugFiles::None => Lines::problem(image),
            DebugFiles::Pdb(pdb) => PdbLines::problem(pdb),
            DebugFiles::Bundle(bytes) => match parsed(image, bytes) {
                Ok(bundle) => Lines::problem(&bundle),
                Err(problem) => Some(problem),
            },
            DebugFiles::Objects(files) => {
                let objects = image.objects();
                let files = objects.iter().zip(files);
                first(
                    files.map(|(object, bytes)| match file(image, object, bytes) {
                        Ok(file) => Lines::problem(&file),
                        Err(problem) => Some(problem),
                    }),
                )
            }
        }
    }

    /// The functions at an address, as [`Lines::frames`].
    pub(crate) fn frames(&self, address: u64) -> Result<Vec<Frame>, Problem> {
        match self {
            Self::Whole(lines) => lines.frames(address),
            Self::OfObjects(lines) => lines.frames(address),
            Self::Pdb(lines) => lines.frames(address),
        }
    }

    /// The folder in which the crate was compiled that begins with a file, as line tables call
    /// both; a PDB file doesn't tell.
    pub(crate) fn folder_of(&self, file: &str) -> Option<&str> {
        match self {
            Self::Whole(lines) => lines.folder_of(file),
            Self::OfObjects(lines) => {
                let mut objects = lines.objects.iter().flatten();
                objects.find_map(|lines| lines.folder_of(file))
            }
            Self::Pdb(_) => None,
        }
    }
}

/// The line tables in the object files of a debug map.
pub(crate) struct OfObjects<'e> {
    /// By their addresses.
    functions: Vec<Function>,
    objects: Vec<Result<Lines<'e>, Problem>>,
}

/// A function that the linker took from an object file.
struct Function {
    start: u64,
    end: u64,
    /// The number of the file.
    object: usize,
    /// The address in the file.
    original: u64,
}

impl<'e> OfObjects<'e> {
    fn read(image: &Image<'e>, files: &'e [Option<Vec<u8>>]) -> (Self, Option<Problem>) {
        let mut read = Self {
            functions: Vec::new(),
            objects: Vec::new(),
        };
        let mut problems = Vec::new();
        for (object, bytes) in image.objects().iter().zip(files) {
            let file = file(image, object, bytes);
            read.map(object, file.as_ref().ok());
            let (lines, problem) = match file {
                Ok(file) => Lines::read(&file),
                Err(problem) => (None, Some(problem)),
            };
            let lines = lines.ok_or_else(|| problem.clone().unwrap_or(Problem::NoLineTables));
            read.objects.push(lines);
            problems.push(problem);
        }
        read.functions.sort_by_key(|function| function.start);
        (read, first(problems.into_iter()))
    }

    /// Adds the functions of an object file, each with its address there; those of a missing file
    /// are there at no address.
    fn map(&mut self, object: &Object<'_>, file: Option<&Image<'_>>) {
        let symbols = file.map(Image::functions).unwrap_or_default();
        let originals = symbols.iter().map(|symbol| (symbol.name(), symbol.address));
        let originals: HashMap<_, _> = originals.collect();
        let number = self.objects.len();
        self.functions
            .extend(object.functions.iter().filter_map(|function| {
                let original = match file {
                    Some(_) => *originals.get(function.name())?,
                    None => 0,
                };
                Some(Function {
                    start: function.address,
                    end: function.address.saturating_add(function.size),
                    object: number,
                    original,
                })
            }));
    }

    fn frames(&self, address: u64) -> Result<Vec<Frame>, Problem> {
        let after = self.functions.partition_point(|one| one.start <= address);
        let before = after.checked_sub(1).map(|at| &self.functions[at]);
        let Some(function) = before.filter(|one| address < one.end) else {
            return Ok(Vec::new());
        };
        match &self.objects[function.object] {
            Ok(lines) => lines.frames(function.original.wrapping_add(address - function.start)),
            Err(Problem::NoLineTables) => Ok(Vec::new()),
            Err(problem) => Err(problem.clone()),
        }
    }
}

fn parsed<'e>(image: &Image<'e>, bytes: &'e [u8]) -> Result<Image<'e>, Problem> {
    let parsed = Image::parse(image.name, bytes);
    parsed.map_err(|error| Problem::DamagedLineTables(error.to_string()))
}

/// An object file of the debug map, or why there is none.
fn file<'e>(
    image: &Image<'e>,
    object: &Object<'_>,
    bytes: &'e Option<Vec<u8>>,
) -> Result<Image<'e>, Problem> {
    match bytes {
        Some(bytes) => parsed(image, bytes),
        // The standard library's are not there where its toolchain is not.
        None => {
            let path = String::from_utf8_lossy(object.path());
            Err(if path.contains("/rustlib/") {
                Problem::NoLineTables
            } else {
                Problem::MissingObjectFiles(path.into_owned())
            })
        }
    }
}

/// What is wrong where no file has line tables besides those of the standard library.
fn first(problems: impl Iterator<Item = Option<Problem>>) -> Option<Problem> {
    let mut first = Problem::NoLineTables;
    for problem in problems {
        let problem = problem?;
        if first == Problem::NoLineTables {
            first = problem;
        }
    }
    Some(first)
}
