//! Imports inside a crate: downwards from layer to layer.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Code, Finding};
use super::page::{self, Layers};
use super::source::{Import, Source};

/// The module path of a file, from the root of its crate. Empty for the root.
type Module = Vec<String>;

/// The source files of one crate, by their modules.
struct Crate<'s> {
    /// The folder of lib.rs.
    folder: &'s str,
    files: BTreeMap<Module, &'s Source>,
}

/// Checks the crates whose layers the page draws.
pub(crate) fn check(sources: &[Source], layers: &[Layers]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for layers in layers {
        let part = Crate::new(&layers.folder, sources);
        findings.extend(part.modules_without_layer(layers));
        findings.extend(part.imports_across_layers(layers));
    }
    findings
}

impl<'s> Crate<'s> {
    fn new(folder: &'s str, sources: &'s [Source]) -> Self {
        let mut files = BTreeMap::new();
        for source in sources {
            let inside = source.path.strip_prefix(folder);
            let Some(inside) = inside.and_then(|inside| inside.strip_prefix('/')) else {
                continue;
            };
            let module: Module = match inside.trim_end_matches(".rs") {
                "lib" => Module::new(),
                inside => inside.split('/').map(String::from).collect(),
            };
            // Unit tests may import all.
            if !module.iter().any(|name| name == "tests") {
                files.insert(module, source);
            }
        }
        Self { folder, files }
    }

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
}
