//! The files beside an executable of macOS or Windows that have its line tables, in memory.

use std::fs::{self, File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::former::image::{Image, Object};
use crate::former::pdb::Pdb;

/// More bytes are not read into memory.
const MAX_SIZE: u64 = 4 << 30;

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
    /// That of Windows, with the symbols as well.
    Pdb(Pdb),
}

impl DebugFiles {
    /// Finds the files of the executable at `path`; without a path, they are all missing.
    pub(crate) fn find(path: Option<&Path>, image: &Image<'_>) -> Self {
        if let Some(name) = image.pdb_path().filter(|_| !image.has_symbols()) {
            let found = path.and_then(|path| pdb(path, &name, image));
            return found.map_or(Self::None, Self::Pdb);
        }
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
        let objects = image.objects().into_iter();
        let objects = objects.map(|object| read(&object, linked));
        Self::Objects(objects.collect())
    }
}

/// The file of the bundle beside the executable, if it was made of this executable.
fn bundle(path: &Path, image: &Image<'_>) -> Option<Vec<u8>> {
    let id = image.build_id()?;
    let mut folder = path.as_os_str().to_owned();
    folder.push(".dSYM/Contents/Resources/DWARF");
    let files = fs::read_dir(folder).ok()?.flatten();
    let mut files = files.filter_map(|file| {
        let path = file.path();
        let size = fs::metadata(&path).ok()?;
        let is_read = size.is_file() && size.len() <= MAX_SIZE;
        is_read.then(|| fs::read(path).ok())?
    });
    files.find(|bytes| {
        let bundled = Image::parse("", bytes);
        bundled.is_ok_and(|bundled| bundled.build_id() == Some(id))
    })
}

/// The file beside the executable, or at the path where the linker wrote it, if it belongs to this
/// executable.
fn pdb(executable: &Path, written: &str, image: &Image<'_>) -> Option<Pdb> {
    let name = written.rsplit(['/', '\\']).next()?;
    let mut paths = [executable.with_file_name(name), PathBuf::from(written)].into_iter();
    paths.find_map(|path| {
        let metadata = fs::metadata(&path).ok().filter(Metadata::is_file)?;
        let bytes = (metadata.len() <= MAX_SIZE).then(|| fs::read(path).ok())??;
        Pdb::read(&bytes, image.build_id()?)
    })
}

/// Reads an object file, if it is the one that was linked: its time is that of the debug map, or
/// where the linker kept none, it is no newer than the executable.
fn read(object: &Object<'_>, linked: u64) -> Option<Vec<u8>> {
    let path = str::from_utf8(object.path()).ok()?;
    let inside = path
        .strip_suffix(')')
        .and_then(|path| path.rsplit_once('('));
    let path = inside.map_or(path, |(archive, _)| archive);
    let metadata = fs::metadata(path).ok().filter(Metadata::is_file)?;
    let written = seconds(metadata.modified().ok()?);
    let is_linked = |modified| match object.modified {
        0 => written <= linked,
        expected => expected == modified,
    };
    let mut file = File::open(path).ok()?;
    let Some((_, name)) = inside else {
        return is_linked(written).then(|| content(&mut file, metadata.len()))?;
    };
    if content(&mut file, 8)? != b"!<arch>\n" {
        return None;
    }
    loop {
        let member = Member::read(&mut file)?;
        let is_it = member.name == name.as_bytes();
        if is_it && (is_linked(member.modified) || is_linked(written)) {
            return content(&mut file, member.size);
        }
        let rest = i64::try_from(member.size.checked_add(member.padding)?).ok()?;
        file.seek(SeekFrom::Current(rest)).ok()?;
    }
}

fn content(file: &mut File, size: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes).ok()?;
    Some(bytes)
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
    fn read(file: &mut File) -> Option<Self> {
        let header = content(file, 60)?;
        let number = |digits: &[u8]| str::from_utf8(digits.trim_ascii()).ok()?.parse().ok();
        let size: u64 = number(header.get(48..58)?)?;
        let mut member = Self {
            name: header.get(..16)?.trim_ascii_end().to_vec(),
            modified: number(header.get(16..28)?)?,
            size,
            padding: size % 2,
        };
        // A long name is at the beginning of the content, with zeros at its end.
        if let Some(length) = member.name.strip_prefix(b"#1/") {
            let length = number(length)?;
            member.size = size.checked_sub(length)?;
            member.name = content(file, length)?;
            let end = member.name.iter().position(|&byte| byte == 0);
            member.name.truncate(end.unwrap_or(member.name.len()));
        }
        Some(member)
    }
}

#[cfg(test)]
mod tests {
    use std::{env, process};

    use super::*;

    /// A member, whose content begins with its name if that is long.
    fn member(name: &str, modified: u32, size: &str, content: &[u8]) -> Vec<u8> {
        let header = format!("{name:<16}{modified:<12}0     0     100644  {size:<10}`\n");
        assert_eq!(header.len(), 60);
        [header.as_bytes(), content].concat()
    }

    #[test]
    fn an_object_file_in_an_archive_is_found_by_its_name_and_time() {
        let path = env::temp_dir().join(format!("alloc-symbols-{}.rlib", process::id()));
        let archive = [
            b"!<arch>\n".to_vec(),
            // An odd size has a byte behind it.
            member("lib.rmeta", 0, "3", b"abc\n"),
            member("#1/20", 7, "25", b"a-long-name.rcgu.o\0\0older\n"),
            member("#1/20", 9, "25", b"a-long-name.rcgu.o\0\0newer\n"),
            member("short.o", 9, "2", b"so"),
            member("#1/20", 9, "19", b"size-below-the-name\n"),
            member("behind.o", 9, "1", b"-"),
        ];
        let archive = archive.concat();
        let found = |bytes: &[u8], name: &str, modified, linked| {
            fs::write(&path, bytes).expect("a temporary file");
            let text = format!("{}({name})\0", path.display());
            let object = Object::at(text.as_bytes(), modified);
            let bytes = read(&object, linked)?;
            Some(String::from_utf8(bytes).expect("it is text"))
        };
        const LATER: u64 = u64::MAX;
        let found_in = |name, modified, linked| found(&archive, name, modified, linked);
        let long = "a-long-name.rcgu.o";
        for (name, modified, linked, content) in [
            (long, 7, 0, Some("older")),
            (long, 9, 0, Some("newer")),
            (long, 8, LATER, None),
            // Without a time in the debug map, that of the executable counts.
            (long, 0, LATER, Some("older")),
            (long, 0, 0, None),
            ("short.o", 9, 0, Some("so")),
            ("lib", 0, LATER, None),
            ("behind.o", 9, 0, None),
        ] {
            let found = found_in(name, modified, linked);
            assert_eq!(found.as_deref(), content, "{name} {modified}");
        }
        for end in 0..archive.len() {
            let found = found(&archive[..end], "missing.o", 0, LATER);
            assert_eq!(found, None, "{end}");
        }
        fs::remove_file(&path).expect("it was made above");
    }
}
