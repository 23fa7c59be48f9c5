//! The files beside an executable of macOS that have its line tables, in memory.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::image::{Image, Object};
use crate::meter::Meter;

/// More bytes are not read into memory.
const MAX_SIZE: u64 = 4 << 30;

/// What looking at a file, or at a member of an archive, costs of these bytes.
const LOOK: u64 = 4096;

/// Members of archives have no longer names.
const MAX_NAME: u64 = 4096;

/// More files in the folder of a bundle are not looked at. `dsymutil` makes one.
const MAX_BUNDLED: usize = 16;

/// The files with line tables.
#[derive(Debug)]
pub(crate) enum DebugFiles {
    /// None besides the executable itself.
    None,
    /// That of a `.dSYM`, with the addresses of the executable.
    Bundle(Vec<u8>),
    /// Those that the debug map names, in its order; `None` for one that is missing, or not the
    /// one that was linked.
    Objects(Vec<Option<Vec<u8>>>),
}

impl DebugFiles {
    /// Finds the files of the executable at `path`; without a path, they are all missing.
    pub(crate) fn find(path: Option<&Path>, image: &Image<'_>) -> Self {
        if !image.may_have_bundle() || image.section(".debug_info").is_some() {
            return Self::None;
        }
        let Some(path) = path else {
            return Self::Objects(image.objects().iter().map(|_| None).collect());
        };
        if let Some(bundle) = bundle(path, image) {
            return Self::Bundle(bundle);
        }
        let linked = fs::metadata(path).and_then(|metadata| metadata.modified());
        let linked = linked.map_or(0, seconds);
        let mut left = MAX_SIZE;
        let objects = image.objects().into_iter();
        let objects = objects.map(|object| read(&object, linked, &mut left).ok());
        Self::Objects(objects.collect())
    }

    pub(crate) fn size(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Bundle(bytes) => bytes.len(),
            Self::Objects(objects) => objects.iter().flatten().map(Vec::len).sum(),
        }
    }
}

/// The file of the bundle beside the executable, if it was made of this executable.
fn bundle(path: &Path, image: &Image<'_>) -> Option<Vec<u8>> {
    let id = image.build_id()?;
    let mut folder = path.as_os_str().to_owned();
    folder.push(".dSYM/Contents/Resources/DWARF");
    let files = fs::read_dir(folder).ok()?.take(MAX_BUNDLED).flatten();
    let mut files = files.filter_map(|file| {
        let path = file.path();
        let size = fs::metadata(&path).ok()?;
        let is_read = size.is_file() && size.len() <= MAX_SIZE;
        is_read.then(|| fs::read(path).ok())?
    });
    files.find(|bytes| {
        let meter = Meter::for_file(bytes.len());
        let bundled = Image::parse("", bytes, &meter);
        bundled.is_ok_and(|bundled| bundled.build_id() == Some(id))
    })
}

/// Reads an object file, if it is the one that was linked: its time is that of the debug map, or
/// where the linker kept none, it is no newer than the executable.
fn read(object: &Object<'_>, linked: u64, left: &mut u64) -> io::Result<Vec<u8>> {
    let path = str::from_utf8(object.path()).map_err(|_| not_linked())?;
    let inside = path
        .strip_suffix(')')
        .and_then(|path| path.rsplit_once('('));
    let path = inside.map_or(path, |(archive, _)| archive);
    spend(LOOK, left)?;
    let metadata = fs::metadata(path)?;
    let written = seconds(metadata.modified()?);
    let is_linked = |modified| match object.modified {
        0 => written <= linked,
        expected => expected == modified,
    };
    if !metadata.is_file() {
        return Err(not_linked());
    }
    let mut file = File::open(path)?;
    let Some((_, name)) = inside else {
        let size = metadata.len();
        spend(if is_linked(written) { size } else { u64::MAX }, left)?;
        return content(&mut file, size);
    };
    let mut begin = [0; 8];
    file.read_exact(&mut begin)?;
    if begin != *b"!<arch>\n" {
        return Err(not_linked());
    }
    loop {
        spend(LOOK, left)?;
        let member = Member::read(&mut file)?;
        let is_it = member.name == name.as_bytes();
        if is_it && (is_linked(member.modified) || is_linked(written)) {
            spend(member.size, left)?;
            return content(&mut file, member.size);
        }
        let rest = member.size.saturating_add(member.padding);
        let rest = i64::try_from(rest).map_err(|_| not_linked())?;
        file.seek(SeekFrom::Current(rest))?;
    }
}

fn not_linked() -> io::Error {
    io::Error::from(io::ErrorKind::NotFound)
}

fn spend(size: u64, left: &mut u64) -> io::Result<()> {
    *left = left.checked_sub(size).ok_or_else(not_linked)?;
    Ok(())
}

fn content(file: &mut File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn seconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// A member of an archive, as the tools of macOS write it.
struct Member {
    name: Vec<u8>,
    modified: u64,
    /// Of the content, which is next in the file.
    size: u64,
    padding: u64,
}

impl Member {
    fn read(file: &mut File) -> io::Result<Self> {
        let mut header = [0; 60];
        file.read_exact(&mut header)?;
        let number = |digits: &[u8]| -> io::Result<u64> {
            let digits = str::from_utf8(digits.trim_ascii()).map_err(|_| not_linked())?;
            digits.parse().map_err(|_| not_linked())
        };
        let size = number(&header[48..58])?;
        let mut member = Self {
            name: header[..16].trim_ascii_end().to_vec(),
            modified: number(&header[16..28])?,
            size,
            padding: size % 2,
        };
        // A long name is at the beginning of the content, with zeros at its end.
        if let Some(length) = member.name.strip_prefix(b"#1/") {
            let length = number(length)?;
            member.size = size.checked_sub(length).ok_or_else(not_linked)?;
            member.name = content(file, length.min(MAX_NAME))?;
            let end = member.name.iter().position(|&byte| byte == 0);
            member.name.truncate(end.unwrap_or(member.name.len()));
        }
        Ok(member)
    }
}
