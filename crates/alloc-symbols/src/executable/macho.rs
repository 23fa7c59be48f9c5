//! Where the line tables of an executable of macOS are, which has none itself: in the bundle beside
//! it, or in the object files that were linked, at other addresses.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{File, Object};

use crate::blame::Frame;
use crate::executable::Problem;
use crate::executable::tables::{LineTables, Lines, damaged, symbols};

/// The content of the object files that were linked, in the order of the debug map, or why it is
/// not known.
pub(crate) type Objects = Vec<Result<Vec<u8>, Problem>>;

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

/// Reads the object files that were linked. One that is newer than the executable was written
/// again.
pub(crate) fn objects(path: &Path, file: &File<'_>) -> Objects {
    let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    let linked = modified(path).ok();
    let mut files: HashMap<_, Option<Vec<u8>>> = HashMap::new();
    let map = file.object_map();
    let objects = map.objects().iter().map(|object| {
        let path = String::from_utf8_lossy(object.path());
        let file = files.entry(object.path()).or_insert_with(|| {
            let is_linked = modified(path.as_ref().as_ref()).is_ok_and(|at| Some(at) <= linked);
            is_linked.then(|| fs::read(&*path).ok())?
        });
        let bytes = file.as_ref().and_then(|file| match object.member() {
            Some(name) => member(file, name),
            None => Some(file.clone()),
        });
        bytes.ok_or_else(|| match path.contains("/rustlib/") {
            // The standard library's are not there where its toolchain is not.
            true => Problem::NoLineTables,
            false => Problem::MissingObjectFiles(path.into_owned()),
        })
    });
    objects.collect()
}

/// A member of an archive.
fn member(archive: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let members = ArchiveFile::parse(archive).ok()?.members();
    let mut members = members.filter_map(Result::ok);
    let member = members.find(|member| member.name() == name)?;
    member.data(archive).ok().map(<[u8]>::to_vec)
}

/// The line tables in object files.
pub(crate) struct OfObjects<'e> {
    /// By their addresses.
    functions: Vec<Moved>,
    objects: Vec<Result<Option<Lines<'e>>, Problem>>,
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
    /// Reads the line tables of object files.
    pub(crate) fn read(file: &File<'_>, objects: &'e Objects) -> Self {
        let parsed = objects.iter().map(|object| match object {
            Ok(bytes) => File::parse(&**bytes).map_err(damaged),
            Err(problem) => Err(problem.clone()),
        });
        let parsed: Vec<_> = parsed.collect();
        let originals = parsed.iter().map(|file| {
            let functions = file.iter().flat_map(symbols);
            functions.map(|one| (one.symbol, one.start)).collect()
        });
        let originals: Vec<HashMap<_, _>> = originals.collect();
        let map = file.object_map();
        let functions = map.symbols().iter().filter_map(|one| {
            let name = one.name();
            let name = String::from_utf8_lossy(name.strip_prefix(b"_").unwrap_or(name));
            let object = one.object_index();
            let original = match objects[object] {
                Ok(_) => *originals[object].get(&name)?,
                // Those of a missing file are there at no address.
                Err(_) => 0,
            };
            Some(Moved {
                start: one.address(),
                end: one.address().saturating_add(one.size()),
                object,
                original,
            })
        });
        let mut functions: Vec<Moved> = functions.collect();
        functions.sort_by_key(|function| function.start);
        let lines = parsed.into_iter().map(|file| Lines::read(&file?));
        let objects = lines.collect();
        Self { functions, objects }
    }
}

impl LineTables for OfObjects<'_> {
    fn frames(&self, address: u64) -> Result<Vec<Frame>, Problem> {
        let after = self.functions.partition_point(|one| one.start <= address);
        let before = after.checked_sub(1).map(|at| &self.functions[at]);
        let Some(function) = before.filter(|one| address < one.end) else {
            return Ok(Vec::new());
        };
        match &self.objects[function.object] {
            Ok(Some(lines)) => {
                lines.frames(function.original.wrapping_add(address - function.start))
            }
            Ok(None) | Err(Problem::NoLineTables) => Ok(Vec::new()),
            Err(problem) => Err(problem.clone()),
        }
    }
}
