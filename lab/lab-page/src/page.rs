//! The pages: replaces the blocks between markers, and leaves the prose around them as it is.

use std::fs;
use std::path::{Path, PathBuf};

use crate::answers;
use crate::error::Error;
use crate::facts;
use crate::heat;
use crate::markdown::{self, escaped};
use crate::results::{Results, Run};
use crate::summary::{Summary, agreement};

/// A file of results and the pages that are written from it, below the folder `lab`.
pub struct Files {
    results: &'static str,
    pages: &'static [&'static str],
}

pub const ALLOCATORS: Files = Files {
    results: "design/allocators.jsonl",
    pages: &[
        "README.md",
        "design/allocators.md",
        "design/allocators-tables.md",
    ],
};

pub const DEVICES: Files = Files {
    results: "design/devices.jsonl",
    pages: &["design/devices.md"],
};

impl Files {
    pub fn results(&self) -> PathBuf {
        path(self.results)
    }

    /// The pages with their new texts.
    pub fn pages(&self, results: &Results) -> Result<Vec<(PathBuf, String)>, Error> {
        let pages = self.pages.iter().map(|page| {
            let path = path(page);
            let text = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
            let text = update(&text, results).map_err(|what| {
                let path = path.display();
                Error::Wrong(format!("{path}: {what}"))
            })?;
            Ok((path, text))
        });
        pages.collect()
    }
}

fn path(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.with_file_name(name)
}

const BEGIN: &str = "<!-- lab-page: ";
const CLOSE: &str = " -->";
const END: &str = "<!-- lab-page: end -->";

/// The page with a new text in each block `<!-- lab-page: NAME -->` to `<!-- lab-page: end -->`.
pub fn update(page: &str, results: &Results) -> Result<String, String> {
    let (mut text, mut rest) = (String::new(), page);
    while let Some((before, block)) = rest.split_once(BEGIN) {
        let (name, block) = block.split_once(CLOSE).unwrap_or((block, ""));
        let new = text_of(name, results).ok_or_else(|| format!("no block is named `{name}`"))?;
        let end = block
            .split_once(END)
            .filter(|(old, _)| !old.contains(BEGIN));
        let (_, after) = end.ok_or_else(|| format!("`{name}` has no end; add `{END}` below it"))?;
        text += &format!(
            "{before}{BEGIN}{name}{CLOSE}\n\n{}\n\n{END}",
            new.trim_end()
        );
        rest = after;
    }
    Ok(text + rest)
}

fn text_of(name: &str, results: &Results) -> Option<String> {
    let summary = || Summary::new(results);
    Some(match name {
        "answers" => answers::markdown(&answers::answers(results, &summary())),
        "heat" => heat::markdown(&summary()),
        "allocators" => facts::markdown(results),
        "agreement" => agreement(results),
        "tables" => markdown::tables(results),
        "environment" => environment(&results.run),
        _ => return None,
    })
}

/// A list of everything that is known of a run.
fn environment(run: &Run) -> String {
    let fields = [
        ("Date", run.date.clone()),
        ("CPU", run.cpu.clone()),
        ("Cores", run.cores.to_string()),
        ("Memory", run.memory.clone()),
        ("Kernel", run.kernel.clone()),
        ("C library", run.libc.clone()),
        ("Huge pages", run.huge_pages.clone()),
        ("Compiler", run.rustc.clone()),
        ("Variables", run.variables.clone()),
        ("Target", run.target.clone()),
        ("Profile", run.profile.clone()),
        ("Features", run.features.join(" ")),
        ("Commit", run.commit.clone()),
        ("Command", run.command.clone()),
    ];
    let known = fields.iter().filter(|(_, value)| !value.is_empty());
    let lines = known.map(|(name, value)| format!("- {name}: `{}`\n", escaped(value)));
    lines.collect()
}
