//! Imports inside a crate: downwards from floor to floor, from the module that
//! defines a thing, and without large rings.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Code, Finding};
use super::page::{self, Floors};
use super::source::{Import, Source};

/// The most files that may import each other in a ring.
const LARGEST_RING: usize = 2;

/// The module path of a file, from the root of its crate. Empty for the root.
type Module = Vec<String>;

/// The source files of one crate, library or program, by their modules.
struct Crate<'s> {
    /// The folder of lib.rs or main.rs.
    folder: &'s str,
    files: BTreeMap<Module, &'s Source>,
}

/// Checks all crates among the sources.
pub(crate) fn check(sources: &[Source], floors: &[Floors]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for part in crates(sources) {
        findings.extend(part.facade_imports());
        findings.extend(part.rings());
        let floors = floors.iter().find(|floors| floors.folder == part.folder);
        if let Some(floors) = floors {
            findings.extend(part.rooms_without_floor(floors));
            findings.extend(part.imports_across_floors(floors));
        }
    }
    findings
}

fn crates(sources: &[Source]) -> Vec<Crate<'_>> {
    let roots = sources.iter().filter_map(|source| {
        let folder = source.path.strip_suffix("/lib.rs");
        folder.or_else(|| source.path.strip_suffix("/main.rs"))
    });
    let roots: BTreeSet<&str> = roots.collect();
    let mut crates: BTreeMap<&str, Crate<'_>> = BTreeMap::new();
    for source in sources {
        let inside = |root: &&&str| {
            let rest = source.path.strip_prefix(**root);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let Some(folder) = roots.iter().filter(inside).max_by_key(|root| root.len()) else {
            continue;
        };
        let inside = source.path[folder.len() + 1..].trim_end_matches(".rs");
        let module: Module = match inside {
            "lib" | "main" => Module::new(),
            inside => inside.split('/').map(String::from).collect(),
        };
        // A file below src/bin is a program by itself; unit tests may import all.
        let apart = |name: &String| name == "bin" || name == "tests";
        if !module.iter().any(apart) {
            let part = crates.entry(folder).or_insert_with(|| Crate {
                folder,
                files: BTreeMap::new(),
            });
            // Beside lib.rs, main.rs is the smaller part of the root.
            part.files.entry(module).or_insert(source);
        }
    }
    crates.into_values().collect()
}

impl<'s> Crate<'s> {
    /// All imports of one file, as module paths from the root of the crate.
    fn imports(&self, module: &Module) -> Vec<(Import, Vec<String>)> {
        let imports = self.files[module].imports().into_iter();
        imports
            .map(|import| {
                let mut path = Vec::new();
                let mut above = module.len();
                for word in &import.segments {
                    match word.as_str() {
                        "crate" => above = 0,
                        "super" => above = above.saturating_sub(1),
                        _ => path.push(word.clone()),
                    }
                }
                let path = [&module[..above], &path].concat();
                (import, path)
            })
            .collect()
    }

    /// The file that holds what `path` leads to: that of its longest module.
    fn file_of<'p>(&self, path: &'p [String]) -> &'p [String] {
        let lengths = (0..=path.len()).rev();
        let mut modules = lengths.map(|length| &path[..length]);
        let known = modules.find(|module| self.files.contains_key(*module));
        known.unwrap_or(&[])
    }

    /// Imports of names that lib.rs re-exports.
    fn facade_imports(&self) -> Vec<Finding> {
        let facade = self.facade();
        let mut findings = Vec::new();
        for (module, source) in &self.files {
            let mut names: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
            for (import, path) in self.imports(module) {
                let name = path.into_iter().next();
                if let Some(name) = name.filter(|name| facade.contains(name.as_str())) {
                    names.entry(import.line).or_default().insert(name);
                }
            }
            findings.extend(names.into_iter().map(|(line, names)| {
                let names: Vec<String> = names.into_iter().collect();
                Finding::new(
                    Code::ImportFromFacade,
                    (&source.path, line),
                    format!(
                        "imports from the re-exports in lib.rs: {}",
                        names.join(", ")
                    ),
                    "import each name from the module that defines it",
                )
            }));
        }
        findings
    }

    /// The names that lib.rs re-exports and that are no modules.
    fn facade(&self) -> BTreeSet<&'s str> {
        let root = self.files.get(&Module::new());
        let Some(root) = root.filter(|root| root.path.ends_with("/lib.rs")) else {
            return BTreeSet::new();
        };
        let mut names = BTreeSet::new();
        let mut is_inside = false;
        for (_, line) in &root.code {
            is_inside |= line.starts_with("pub use ");
            if is_inside {
                let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                names.extend(words.filter(|word| !word.is_empty()));
            }
            is_inside &= !line.ends_with(';');
        }
        names.retain(|name| !self.files.contains_key([name.to_string()].as_slice()));
        names
    }

    fn rooms_without_floor(&self, floors: &Floors) -> Vec<Finding> {
        let rooms: BTreeSet<&String> = self
            .files
            .keys()
            .filter_map(|module| module.first())
            .collect();
        let missing = rooms
            .iter()
            .filter(|room| !floors.rooms.contains_key(**room));
        let missing = missing.map(|room| {
            Finding::new(
                Code::RoomWithoutFloor,
                (page::PATH, 1),
                format!("`{}/{room}` is on no floor", self.folder),
                "add the room to the figure of the crate's floors",
            )
        });
        let gone = floors
            .rooms
            .iter()
            .filter(|(name, _)| !rooms.contains(name));
        let gone = gone.map(|(name, room)| {
            Finding::new(
                Code::RoomWithoutFloor,
                (page::PATH, room.line),
                format!("`{}/{name}` does not exist", self.folder),
                "remove the room from the figure of the crate's floors",
            )
        });
        missing.chain(gone).collect()
    }

    fn imports_across_floors(&self, floors: &Floors) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (module, source) in &self.files {
            let Some((name, room)) = module
                .first()
                .and_then(|name| floors.rooms.get_key_value(name))
            else {
                continue;
            };
            for (import, path) in self.imports(module) {
                let other = path.first().filter(|other| *other != name);
                let Some(other) = other.and_then(|other| floors.rooms.get_key_value(other)) else {
                    continue;
                };
                let (other, above) = (other.0, other.1.floor);
                let place = (source.path.as_str(), import.line);
                if room.floor < above || room.floor == above && !room.beside.contains(other) {
                    findings.push(Finding::new(
                        Code::ImportUpward,
                        place,
                        format!(
                            "`{name}` on floor {} imports `{other}` on floor {above}",
                            room.floor
                        ),
                        "move what both need to a lower floor, or hand it in from above",
                    ));
                } else if room.never.contains(other) {
                    findings.push(Finding::new(
                        Code::ImportForbidden,
                        place,
                        format!("`{name}` must not import `{other}`"),
                        "hand in what it needs from above",
                    ));
                }
            }
        }
        findings
    }

    /// Groups of files that import each other, directly or through others. An
    /// import between a module and one inside it does not count.
    fn rings(&self) -> Vec<Finding> {
        let mut imported: BTreeMap<&[String], BTreeSet<&[String]>> = BTreeMap::new();
        for module in self.files.keys() {
            for (_, path) in self.imports(module) {
                let Some((file, _)) = self.files.get_key_value(self.file_of(&path)) else {
                    continue;
                };
                if !file.starts_with(module) && !module.starts_with(file) {
                    imported.entry(module).or_default().insert(file);
                }
            }
        }
        let reached: BTreeMap<&[String], BTreeSet<&[String]>> = imported
            .keys()
            .map(|&module| (module, reached_from(module, &imported)))
            .collect();
        let rings: BTreeSet<Vec<&[String]>> = reached
            .iter()
            .map(|(module, others)| {
                let back = |other: &&&[String]| {
                    reached
                        .get(**other)
                        .is_some_and(|theirs| theirs.contains(module))
                };
                others.iter().filter(back).copied().collect()
            })
            .collect();
        let too_large = rings.into_iter().filter(|ring| ring.len() > LARGEST_RING);
        too_large
            .map(|ring| {
                let paths: Vec<&str> = ring
                    .iter()
                    .map(|module| self.files[*module].path[self.folder.len() + 1..].as_ref())
                    .collect();
                Finding::new(
                    Code::RingOfFiles,
                    (&self.files[ring[0]].path, 1),
                    format!(
                        "{} files import each other in a ring: {}",
                        ring.len(),
                        paths.join(", ")
                    ),
                    "move what they share to a file that imports none of them",
                )
            })
            .collect()
    }
}

/// All that `module` imports, directly or through others.
fn reached_from<'m>(
    module: &'m [String],
    imported: &BTreeMap<&'m [String], BTreeSet<&'m [String]>>,
) -> BTreeSet<&'m [String]> {
    let mut reached = BTreeSet::new();
    let mut ahead = vec![module];
    while let Some(next) = ahead.pop() {
        for &file in imported.get(next).into_iter().flatten() {
            if reached.insert(file) {
                ahead.push(file);
            }
        }
    }
    reached
}
