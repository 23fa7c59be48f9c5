//! Imports inside a crate: downwards from layer to layer, from the module that
//! defines a thing, and without large rings.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Code, Finding};
use super::page::{self, Layers};
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
pub(crate) fn check(sources: &[Source], layers: &[Layers]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for part in crates(sources) {
        findings.extend(part.facade_imports());
        findings.extend(part.rings());
        let layers = layers.iter().find(|layers| layers.folder == part.folder);
        if let Some(layers) = layers {
            findings.extend(part.modules_without_layer(layers));
            findings.extend(part.imports_across_layers(layers));
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

    fn modules_without_layer(&self, layers: &Layers) -> Vec<Finding> {
        let modules: BTreeSet<&String> = self
            .files
            .keys()
            .filter_map(|module| module.first())
            .collect();
        let missing = modules
            .iter()
            .filter(|module| !layers.modules.contains_key(**module));
        let missing = missing.map(|module| {
            Finding::new(
                Code::ModuleWithoutLayer,
                (page::PATH, 1),
                format!("`{}/{module}` is in no layer", self.folder),
                "add the module to the figure of the crate's layers",
            )
        });
        let gone = layers
            .modules
            .iter()
            .filter(|(name, _)| !modules.contains(name));
        let gone = gone.map(|(name, module)| {
            Finding::new(
                Code::ModuleWithoutLayer,
                (page::PATH, module.line),
                format!("`{}/{name}` does not exist", self.folder),
                "remove the module from the figure of the crate's layers",
            )
        });
        missing.chain(gone).collect()
    }

    fn imports_across_layers(&self, layers: &Layers) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (file, source) in &self.files {
            let Some((name, module)) = file
                .first()
                .and_then(|name| layers.modules.get_key_value(name))
            else {
                continue;
            };
            for (import, path) in self.imports(file) {
                let other = path.first().filter(|other| *other != name);
                let Some(other) = other.and_then(|other| layers.modules.get_key_value(other))
                else {
                    continue;
                };
                let (other, above) = (other.0, other.1.layer);
                let place = (source.path.as_str(), import.line);
                if module.layer < above || module.layer == above && !module.beside.contains(other) {
                    findings.push(Finding::new(
                        Code::ImportUpward,
                        place,
                        format!(
                            "`{name}` in layer {} imports `{other}` in layer {above}",
                            module.layer
                        ),
                        "move what both need to a lower layer, or hand it in from above",
                    ));
                } else if module.never.contains(other) {
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
