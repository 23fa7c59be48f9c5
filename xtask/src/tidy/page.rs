//! The architecture page: the tables and figures of it that `tidy` checks.
//! What the page says is not repeated in the code.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Code, Finding};

/// The page, from the workspace's root.
pub(crate) const PATH: &str = "design/architecture.md";

/// What the page says, as far as it is checked.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// What each crate may depend on, from the table "Who may use what".
    pub(crate) grants: BTreeMap<String, Grant>,
    /// What the build of a user's bench compiles, from the figure
    /// "behind alloc-scenario".
    pub(crate) bench_build: BTreeSet<String>,
    /// The files and folders that may allow `unsafe`.
    pub(crate) unsafe_places: Vec<String>,
    pub(crate) layers: Vec<Layers>,
    /// The ways through the crates: the line of each figure, and its files.
    pub(crate) ways: Vec<(usize, Vec<String>)>,
    /// The parts of the page that could not be read.
    pub(crate) findings: Vec<Finding>,
}

/// What one crate may depend on.
#[derive(Debug, Default)]
pub(crate) struct Grant {
    /// Normal and build dependencies.
    pub(crate) shipped: BTreeSet<String>,
    /// Whether it may also have any optional dependency, with a version and a reason of
    /// its own.
    pub(crate) any_optional: bool,
    /// Dependencies of its tests and benches, if they are limited.
    pub(crate) bench: Option<BTreeSet<String>>,
}

#[derive(Debug, Default)]
pub(crate) struct Layers {
    /// The folder of its sources, such as `crates/alloc-gate/src`.
    pub(crate) folder: String,
    pub(crate) modules: BTreeMap<String, LayeredModule>,
}

#[derive(Debug)]
pub(crate) struct LayeredModule {
    /// Counted from the bottom.
    pub(crate) layer: u32,
    /// Modules in lower layers that it must not import.
    pub(crate) never: Vec<String>,
    /// Modules in its own layer that it may import.
    pub(crate) beside: Vec<String>,
    pub(crate) line: usize,
}

impl Page {
    /// Reads the page; without one, everything is missing from it.
    pub(crate) fn read(text: &str) -> Self {
        let mut page = Self::default();
        for (name, uses) in rows(text, "Who may use what") {
            let (shipped, bench) = match uses.split_once("; its ") {
                Some((shipped, bench)) => (shipped, Some(names(bench).collect())),
                None => (uses, None),
            };
            let any_optional = uses.contains("any optional dependency");
            let grant = Grant {
                shipped: names(shipped).collect(),
                any_optional,
                bench,
            };
            page.grants.insert(name, grant);
        }
        page.unsafe_places = rows(text, "Where `unsafe` stands")
            .map(|(place, _)| place)
            .collect();
        for (heading, figure) in figures(text) {
            if heading == "behind alloc-scenario" {
                let words = figure.iter().flat_map(|(_, line)| line.split_whitespace());
                page.bench_build.extend(words.map(String::from));
            } else if let Some(folder) = heading.strip_suffix(" layer") {
                page.read_layers(folder.trim(), &figure);
            } else if heading.starts_with("the way of ") {
                page.read_way(&figure);
            }
        }
        let empty = [
            (page.grants.is_empty(), "the table \"Who may use what\""),
            (
                page.bench_build.is_empty(),
                "the figure \"behind alloc-scenario\"",
            ),
            (
                page.unsafe_places.is_empty(),
                "the table \"Where `unsafe` stands\"",
            ),
            (page.layers.is_empty(), "a figure of layers"),
            (page.ways.is_empty(), "a figure of a way"),
        ];
        for (_, part) in empty.iter().filter(|(is_empty, _)| *is_empty) {
            page.unreadable(1, format!("{part} is missing"));
        }
        page
    }

    /// Reads lines such as `judge/  what it holds  never tables  6`.
    fn read_layers(&mut self, folder: &str, figure: &[(usize, &str)]) {
        let mut layers = Layers {
            folder: folder.to_owned(),
            ..Layers::default()
        };
        for &(line, text) in figure {
            let words: Vec<&str> = text.split_whitespace().collect();
            let [name, about @ .., layer] = words.as_slice() else {
                continue;
            };
            let Ok(layer) = layer.parse() else {
                self.unreadable(line, format!("the module `{name}` ends with no layer"));
                continue;
            };
            let after = |keyword: &str| -> Vec<String> {
                let pairs = about.windows(2).filter(|pair| pair[0] == keyword);
                let lists = pairs.flat_map(|pair| pair[1].split(','));
                lists.map(String::from).collect()
            };
            let name = name.trim_end_matches('/').trim_end_matches(".rs");
            let module = LayeredModule {
                layer,
                never: after("never"),
                beside: after("beside"),
                line,
            };
            layers.modules.insert(name.to_owned(), module);
        }
        self.layers.push(layers);
    }

    /// Reads lines such as `engine  report.rs, page.rs  what they do`.
    fn read_way(&mut self, figure: &[(usize, &str)]) {
        let mut files = Vec::new();
        for (_, text) in figure {
            let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
            let folder = words.next().unwrap_or_default();
            let names = words.filter(|word| word.ends_with(".rs"));
            files.extend(names.map(|name| format!("crates/{folder}/src/{name}")));
        }
        let line = figure.first().map_or(1, |(line, _)| *line);
        self.ways.push((line, files));
    }

    fn unreadable(&mut self, line: usize, message: String) {
        self.findings.push(Finding::new(
            Code::Unreadable,
            (PATH, line),
            message,
            "restore it; the page itself says how its tables and figures are written",
        ));
    }
}

/// The rows of the first table below the heading: the name in the first cell,
/// and the text of the second.
pub(crate) fn rows<'t>(text: &'t str, heading: &str) -> impl Iterator<Item = (String, &'t str)> {
    text.lines()
        .skip_while(move |line| line.trim_start_matches('#').trim() != heading)
        .skip(1)
        .take_while(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| `")?.split('|');
            let name = cells.next()?.split('`').next()?;
            Some((name.to_owned(), cells.next()?))
        })
}

/// The words between backticks.
fn names(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).map(String::from)
}

/// A text figure: the number and text of its lines behind the first.
type Figure<'t> = Vec<(usize, &'t str)>;

/// The figures of the page, each with its first line.
fn figures(text: &str) -> Vec<(&str, Figure<'_>)> {
    let mut figures = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while lines.any(|(_, line)| line == "```text") {
        let heading = lines.next().map_or("", |(_, line)| line);
        let rest = lines.by_ref().take_while(|(_, line)| *line != "```");
        figures.push((heading, rest.collect()));
    }
    figures
}
