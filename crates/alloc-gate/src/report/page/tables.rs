//! [`TablesPage`]: a person's own page, in which tables of the rules stand between
//! markers. It knows where a table stands and nothing of what its cells say.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use crate::evaluation::PivotTable;
use crate::report::markdown::{code, escape, table_body};
use crate::report::page::{
    DocumentError, LineBreak, begin_marker, end_marker, error, find_block, lines,
};
use crate::results::{Environment, Measurements, Selection};
use crate::rules::{Config, Table};

/// What stands before the name of a marker, and behind it.
const BEGIN: &str = "<!-- alloc-gate: begin ";
const END: &str = "<!-- alloc-gate: end ";
const CLOSE: &str = " -->";

const TABLE: &str = "table ";
const ENVIRONMENT: &str = "environment";

/// The blocks of a baseline's page, which may stand in the same file.
const OTHERS: [&str; 3] = ["baseline", "reproducing", "history"];

/// A page whose markers are in order.
#[derive(Clone, Debug)]
pub struct TablesPage<'p> {
    text: &'p str,
    config: &'p Config,
    /// In the order of the page, none within another.
    blocks: Vec<Block<'p>>,
}

/// What is written into a page.
#[derive(Clone, Copy, Debug)]
pub struct TablesUpdate<'u> {
    /// The tables, as they were worked out by the rules of the page.
    pub tables: &'u [PivotTable],
    /// What was measured.
    pub measurements: &'u Measurements,
    /// How much of the workspace that is.
    pub selection: Selection,
    /// The command line that measured it.
    pub command: &'u str,
}

/// A page with its tables renewed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatedTables {
    /// The whole page.
    pub text: String,
    /// The names of the tables of which nothing was selected: they are as they were.
    pub kept: Vec<String>,
}

#[derive(Clone, Debug)]
struct Block<'p> {
    /// From the begin marker to the end marker.
    place: Range<usize>,
    name: &'p str,
    content: BlockContent<'p>,
}

#[derive(Clone, Copy, Debug)]
enum BlockContent<'p> {
    Table(&'p Table),
    Environment,
    /// Not of this page's business.
    Other,
}

impl<'p> TablesPage<'p> {
    /// Finds the markers in `text`, by the tables of `config`.
    ///
    /// # Errors
    ///
    /// When a marker has no partner, occurs twice, stands within another's block or
    /// names what there is not, and when there is none.
    pub fn parse(text: &'p str, config: &'p Config) -> Result<Self, DocumentError> {
        let mut names = Vec::new();
        for (offset, line) in lines(text) {
            let Some(name) = marked(line) else { continue };
            if !names.iter().any(|(_, known)| *known == name) {
                names.push((offset, name));
            }
        }
        let mut blocks = Vec::new();
        for (offset, name) in names {
            let content = content(name, config).map_err(|problem| error(text, offset, problem))?;
            if let Some(place) = find_block(text, name)? {
                blocks.push(Block {
                    place,
                    name,
                    content,
                });
            }
        }
        blocks.sort_unstable_by_key(|block| block.place.start);
        for (outer, inner) in blocks.iter().zip(blocks.iter().skip(1)) {
            if inner.place.start < outer.place.end {
                let problem = format!(
                    "`{}` stands before `{}`; a block ends before the next begins",
                    begin_marker(inner.name),
                    end_marker(outer.name)
                );
                return Err(error(text, inner.place.start, problem));
            }
        }
        let is_own = |block: &Block<'_>| !matches!(block.content, BlockContent::Other);
        if !blocks.iter().any(is_own) {
            let problem = format!(
                "no line of the page is `{BEGIN}{TABLE}NAME{CLOSE}` or `{}`; {}",
                begin_marker(ENVIRONMENT),
                known(config)
            );
            return Err(error(text, 0, problem));
        }
        Ok(Self {
            text,
            config,
            blocks,
        })
    }

    /// The tables of the rules that have no place in the page, in the order of the
    /// file.
    pub fn absent(&self) -> impl Iterator<Item = &Table> {
        self.config.tables.iter().filter(|table| {
            let is_it = |block: &Block<'_>| {
                matches!(block.content, BlockContent::Table(other) if other.name == table.name)
            };
            !self.blocks.iter().any(is_it)
        })
    }

    /// The tables that the page has, in its order.
    pub fn shown(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block.content {
            BlockContent::Table(table) => Some(table),
            BlockContent::Environment | BlockContent::Other => None,
        })
    }

    /// The page with what was measured. A table of which a person selected nothing
    /// stays as it is.
    #[must_use]
    pub fn update(&self, update: &TablesUpdate<'_>) -> UpdatedTables {
        let kept: Vec<&str> = self
            .shown()
            .filter(|table| update.keeps(table))
            .map(|table| table.name.as_str())
            .collect();
        let line_break = LineBreak::of(self.text);
        let mut text = String::with_capacity(self.text.len());
        let mut end = 0;
        for block in &self.blocks {
            let content = match block.content {
                BlockContent::Table(table) if kept.contains(&table.name.as_str()) => continue,
                BlockContent::Table(table) => update.table(table),
                BlockContent::Environment => update.environment(&kept),
                BlockContent::Other => continue,
            };
            text.push_str(&self.text[end..block.place.start]);
            let block_text = format!(
                "{}\n{content}\n{}",
                begin_marker(block.name),
                end_marker(block.name)
            );
            text.push_str(&line_break.apply(&block_text));
            end = block.place.end;
        }
        text.push_str(&self.text[end..]);
        UpdatedTables {
            text,
            kept: kept.into_iter().map(str::to_owned).collect(),
        }
    }
}

impl TablesUpdate<'_> {
    /// The tables that one of the rules became: one for each figure, where its
    /// columns are values of an axis.
    fn of<'u>(&'u self, table: &'u Table) -> impl Iterator<Item = &'u PivotTable> {
        let place = table.place;
        self.tables.iter().filter(move |made| made.place == place)
    }

    fn keeps(&self, table: &Table) -> bool {
        self.selection != Selection::Whole && self.of(table).all(|made| made.rows.is_empty())
    }

    /// The table in markdown. The page has headings of its own, and so a name stands
    /// only where several tables have to be told apart.
    fn table(&self, table: &Table) -> String {
        let is_named = self.of(table).count() > 1;
        let mut text = String::new();
        for made in self.of(table) {
            if is_named {
                // Writing to a string can't fail.
                let _ = writeln!(text, "\n**{}**", escape(&made.name));
            }
            text.push_str(&table_body(made));
        }
        text
    }

    /// With what it was measured, as a list.
    fn environment(&self, kept: &[&str]) -> String {
        let environments = self.measurements.environments();
        let each = |value: &dyn Fn(&Environment) -> String| {
            let values: BTreeSet<String> = environments.iter().map(value).collect();
            let values: Vec<String> = values.into_iter().collect();
            values.join(", ")
        };
        let cores: Vec<String> = match self.measurements.cores() {
            [] => vec![String::from("not known")],
            cores => cores.iter().map(u64::to_string).collect(),
        };
        let mut items = vec![
            ("Compiler", each(&|it| escape(&it.rustc))),
            ("Target", each(&|it| code(&it.target))),
            ("Profile", each(&|it| code(&it.profile))),
            (
                "Features",
                each(&|it| match it.features.as_slice() {
                    [] => String::from("default"),
                    features => escape(&features.join(" ")),
                }),
            ),
            ("Harness", each(&|it| escape(&it.harness))),
            ("Cores", cores.join(", ")),
            ("Command", code(self.command)),
        ];
        if !kept.is_empty() {
            let kept: Vec<String> = kept.iter().map(|name| code(name)).collect();
            items.push(("Left as they were", kept.join(", ")));
        }
        items
            .iter()
            .fold(String::from("\n"), |mut text, (label, value)| {
                // Writing to a string can't fail.
                let _ = writeln!(text, "- {label}: {value}");
                text
            })
    }
}

/// The name in a marker's line.
fn marked(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = line
        .strip_prefix(BEGIN)
        .or_else(|| line.strip_prefix(END))?;
    rest.strip_suffix(CLOSE)
}

/// What belongs between the markers of this name.
fn content<'p>(name: &str, config: &'p Config) -> Result<BlockContent<'p>, String> {
    if name == ENVIRONMENT {
        return Ok(BlockContent::Environment);
    }
    if OTHERS.contains(&name) {
        return Ok(BlockContent::Other);
    }
    let Some(table) = name.strip_prefix(TABLE) else {
        return Err(format!(
            "there are no markers of `{name}`; there are those of `{TABLE}NAME` and of \
             `{ENVIRONMENT}`"
        ));
    };
    let found = config.tables.iter().find(|known| known.name == table);
    found.map(BlockContent::Table).ok_or_else(|| {
        format!(
            "{} has no table `{table}`; {}",
            config.file(),
            known(config)
        )
    })
}

/// `its tables are ...`
fn known(config: &Config) -> String {
    if config.tables.is_empty() {
        return format!("{} has no tables", config.file());
    }
    let names = config
        .tables
        .iter()
        .map(|table| format!("`{}`", table.name));
    let names: Vec<String> = names.collect();
    format!("the tables of {} are {}", config.file(), names.join(", "))
}

#[cfg(test)]
mod tests;
