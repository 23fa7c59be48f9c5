//! [`TablesPage`]: a user's page with tables of the rules between markers.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use alloc_results::BenchId;

use crate::evaluation::PivotTable;
use crate::report::markdown::{code, escape, table_body};
use crate::report::page::{
    DocumentError, LineBreak, begin_marker, end_marker, error, find_block, lines,
};
use crate::results::{Environment, Measurements, ScenarioId, Selection};
use crate::rules::{Config, Table};

/// The parts of a marker around its name.
const BEGIN: &str = "<!-- alloc-gate: begin ";
const END: &str = "<!-- alloc-gate: end ";
const CLOSE: &str = " -->";

const TABLE: &str = "table ";
const ENVIRONMENT: &str = "environment";

/// The blocks of a baseline's page. They may be in the same file.
const OTHERS: [&str; 3] = ["baseline", "reproducing", "history"];

/// A page with valid markers.
#[derive(Clone, Debug)]
pub struct TablesPage<'p> {
    text: &'p str,
    config: &'p Config,
    /// The blocks in the order of the page; they don't overlap.
    blocks: Vec<Block<'p>>,
}

/// The content for an update of a page.
#[derive(Clone, Copy, Debug)]
pub struct TablesUpdate<'u> {
    /// The tables, made from the page's rules.
    pub tables: &'u [PivotTable],
    /// The measured figures.
    pub measurements: &'u Measurements,
    /// How much of the workspace was measured.
    pub selection: Selection,
    /// The scenarios of measured benches that were not selected.
    pub left_out: &'u [ScenarioId],
    /// The benches that were not selected, whose scenarios are not known.
    pub unselected: &'u [BenchId],
    /// The command line that measured.
    pub command: &'u str,
}

/// An updated page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatedTables {
    /// The whole page.
    pub text: String,
    /// The names of the unchanged tables, whose scenarios were not all selected.
    pub kept: Vec<String>,
}

#[derive(Clone, Debug)]
struct Block<'p> {
    /// The bytes from the begin marker to the end marker.
    place: Range<usize>,
    name: &'p str,
    content: BlockContent<'p>,
}

#[derive(Clone, Copy, Debug)]
enum BlockContent<'p> {
    Table(&'p Table),
    Environment,
    /// A block of a baseline's page, which stays unchanged.
    Other,
}

impl<'p> TablesPage<'p> {
    /// Finds the markers of tables of `config` in `text`.
    ///
    /// # Errors
    ///
    /// If a marker has no partner, occurs twice, stands within another block or names an
    /// unknown table, or if there are no markers.
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

    /// The tables of the rules without a block in the page, in the order of the rules.
    pub fn absent(&self) -> impl Iterator<Item = &Table> {
        self.config.tables.iter().filter(|table| {
            let is_it = |block: &Block<'_>| {
                matches!(block.content, BlockContent::Table(other) if other.name == table.name)
            };
            !self.blocks.iter().any(is_it)
        })
    }

    /// The tables of the page, in its order.
    pub fn shown(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block.content {
            BlockContent::Table(table) => Some(table),
            BlockContent::Environment | BlockContent::Other => None,
        })
    }

    /// The page with new tables. A table whose scenarios were not all selected stays as it
    /// is: a part of it would not be comparable with the rest. If one stays, so does the
    /// environment, and each new table says how it was measured.
    #[must_use]
    pub fn update(&self, update: &TablesUpdate<'_>) -> UpdatedTables {
        let kept: Vec<&str> = self
            .shown()
            .filter(|table| update.keeps(table))
            .map(|table| table.name.as_str())
            .collect();
        let line_break = LineBreak::in_text(self.text);
        let mut text = String::with_capacity(self.text.len());
        let mut end = 0;
        for block in &self.blocks {
            let content = match block.content {
                BlockContent::Table(table) if kept.contains(&table.name.as_str()) => continue,
                BlockContent::Table(table) if kept.is_empty() => update.table(table),
                BlockContent::Table(table) => update.table(table) + &update.stamp(),
                BlockContent::Environment if kept.is_empty() => update.environment(),
                BlockContent::Environment | BlockContent::Other => continue,
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
    /// The tables made from `table`: one for each figure if its columns are values of an
    /// axis.
    fn made_from<'u>(&'u self, table: &'u Table) -> impl Iterator<Item = &'u PivotTable> {
        let place = table.place;
        self.tables.iter().filter(move |made| made.place == place)
    }

    fn keeps(&self, table: &Table) -> bool {
        let lacks_scenarios = || {
            let mut left_out = self.left_out.iter();
            left_out.any(|id| table.shows(&id.bench, &id.name))
        };
        let lacks_benches = || {
            let mut unselected = self.unselected.iter();
            unselected.any(|bench| table.benches.includes(bench))
        };
        lacks_scenarios()
            || lacks_benches()
            || self.selection != Selection::Whole
                && self.made_from(table).all(|made| made.rows.is_empty())
    }

    /// The table in markdown. The page has its own headings, so the name is added only if
    /// there are several tables.
    fn table(&self, table: &Table) -> String {
        let is_named = self.made_from(table).count() > 1;
        let mut text = String::new();
        for made in self.made_from(table) {
            if is_named {
                // Writing to a `String` can't fail.
                let _ = writeln!(text, "\n**{}**", escape(&made.name));
            }
            text.push_str(&table_body(made));
        }
        text
    }

    /// The environment of the measurement, as a list.
    fn environment(&self) -> String {
        self.environment_items()
            .iter()
            .fold(String::from("\n"), |mut text, (label, value)| {
                // Writing to a `String` can't fail.
                let _ = writeln!(text, "- {label}: {value}");
                text
            })
    }

    /// The environment of a table that is newer than the page's, as a paragraph.
    fn stamp(&self) -> String {
        let items = self.environment_items();
        let items: Vec<String> = items
            .iter()
            .map(|(label, value)| format!("{label}: {value}"))
            .collect();
        format!("\nMeasured apart from the page. {}\n", items.join("; "))
    }

    fn environment_items(&self) -> [(&'static str, String); 7] {
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
        [
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
        ]
    }
}

/// The name in a line with a marker.
fn marked(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = line
        .strip_prefix(BEGIN)
        .or_else(|| line.strip_prefix(END))?;
    rest.strip_suffix(CLOSE)
}

/// The content of the block of this name.
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

/// Lists the tables of the rules: `the tables of gates.toml are ...`.
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
