//! Where the line tables of an executable of macOS are, which has none itself: in the bundle beside
//! it, or in the object files that were linked, at other addresses.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{File, Object, ObjectMapFile};

use crate::executable::error::Problem;
use crate::executable::functions::symbols;
use crate::executable::lines::Lines;
use crate::frame::Frame;

/// An object file of the debug map.
pub(crate) struct ObjectFile {
    /// Its path, or that of an archive with its member: `lib.rlib(member.o)`.
    path: String,
    /// `None` if it is missing, or not the one that was linked.
    bytes: Option<Vec<u8>>,
}

/// The file of the bundle beside the executable, if it was made of this executable.
pub(crate) fn bundle(path: &Path, file: &File<'_>) -> Option<Vec<u8>> {
    let id = file.mach_uuid().ok()??;
    let mut folder = path.as_os_str().to_owned();
    folder.push(".dSYM/Contents/Resources/DWARF");
    let files = fs::read_dir(folder).ok()?.flatten();
    let mut files = files.filter_map(|file| fs::read(file.path()).ok());
    files.find(|bytes| {
        let bundled = File::parse(&**bytes);
        bundled.is_ok_and(|bundled| bundled.mach_uuid() == Ok(Some(id)))
    })
}

/// The object files that were linked, in the order of the debug map. One that is newer than the
/// executable was written again.
pub(crate) fn objects(path: &Path, file: &File<'_>) -> Vec<ObjectFile> {
    let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    let linked = modified(path).ok();
    let read = |path: &str| {
        let is_linked = modified(path.as_ref()).is_ok_and(|written| Some(written) <= linked);
        is_linked.then(|| fs::read(path).ok())?
    };
    let mut archives = HashMap::new();
    let map = file.object_map();
    let objects = map.objects().iter().map(|object| {
        let path = path_of(object);
        let inside = path
            .strip_suffix(')')
            .and_then(|path| path.rsplit_once('('));
        let bytes = match inside {
            None => read(&path),
            Some((archive, name)) => {
                let bytes = archives.entry(archive.to_owned());
                let bytes: &Option<Vec<u8>> = bytes.or_insert_with(|| read(archive));
                bytes.as_ref().and_then(|bytes| member(bytes, name))
            }
        };
        ObjectFile { path, bytes }
    });
    objects.collect()
}

fn path_of(object: &ObjectMapFile<'_>) -> String {
    let path = String::from_utf8_lossy(object.path()).into_owned();
    match object.member() {
        Some(member) => format!("{path}({})", String::from_utf8_lossy(member)),
        None => path,
    }
}

/// A member of an archive.
fn member(archive: &[u8], name: &str) -> Option<Vec<u8>> {
    let members = ArchiveFile::parse(archive).ok()?.members();
    let mut members = members.filter_map(Result::ok);
    let member = members.find(|member| member.name() == name.as_bytes())?;
    member.data(archive).ok().map(<[u8]>::to_vec)
}

/// The line tables in object files.
pub(crate) struct OfObjects<'e> {
    /// By their addresses.
    functions: Vec<Moved>,
    objects: Vec<Result<Lines<'e>, Problem>>,
}

/// A function that the linker took from an object file.
struct Moved {
    start: u64,
    end: u64,
    /// The number of the file.
    object: usize,
    /// The address in the file.
    original: u64,
}

impl<'e> OfObjects<'e> {
    /// Reads the line tables, and says what is wrong where no file has some besides those of the
    /// standard library.
    pub(crate) fn read(file: &File<'_>, objects: &'e [ObjectFile]) -> (Self, Option<Problem>) {
        let mut read = Self {
            functions: Vec::new(),
            objects: Vec::new(),
        };
        let mut problems = Vec::new();
        let mut originals = Vec::new();
        for object in objects {
            let parsed = object.parsed();
            let functions = parsed.iter().flat_map(symbols);
            let functions = functions.map(|one| (one.symbol, one.start));
            originals.push(functions.collect::<HashMap<_, _>>());
            let (lines, problem) = match &parsed {
                Ok(file) => Lines::read(file),
                Err(problem) => (None, Some(problem.clone())),
            };
            let missing = || problem.clone().unwrap_or(Problem::NoLineTables);
            read.objects.push(lines.ok_or_else(missing));
            problems.push(problem);
        }
        let map = file.object_map();
        let functions = map.symbols().iter().filter_map(|one| {
            let name = one.name();
            let name = String::from_utf8_lossy(name.strip_prefix(b"_").unwrap_or(name));
            let object = one.object_index();
            let original = match objects[object].bytes {
                Some(_) => *originals[object].get(&name)?,
                // Those of a missing file are there at no address.
                None => 0,
            };
            Some(Moved {
                start: one.address(),
                end: one.address().saturating_add(one.size()),
                object,
                original,
            })
        });
        read.functions = functions.collect();
        read.functions.sort_by_key(|function| function.start);
        let has_lines = problems.iter().any(Option::is_none);
        let mut problems = problems.into_iter().flatten();
        let first = problems.find(|problem| *problem != Problem::NoLineTables);
        let problem = first.unwrap_or(Problem::NoLineTables);
        (read, (!has_lines).then_some(problem))
    }

    pub(crate) fn frames(&self, address: u64) -> Result<Vec<Frame>, Problem> {
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

    pub(crate) fn folder_of(&self, file: &str) -> Option<&str> {
        let mut objects = self.objects.iter().flatten();
        objects.find_map(|lines| lines.folder_of(file))
    }
}

impl ObjectFile {
    fn parsed(&self) -> Result<File<'_>, Problem> {
        match &self.bytes {
            Some(bytes) => {
                File::parse(&**bytes).map_err(|error| Problem::DamagedLineTables(error.to_string()))
            }
            // The standard library's are not there where its toolchain is not.
            None if self.path.contains("/rustlib/") => Err(Problem::NoLineTables),
            None => Err(Problem::MissingObjectFiles(self.path.clone())),
        }
    }
}
