//! The line of a Cargo.toml that names criterion, and the one that counts its benches. All other
//! bytes stay.

use std::ops::Range;

use toml_edit::{Document, InlineTable, Item, Table, TableLike};

/// The crate that counts, under the name of criterion.
pub(super) const CRATE: &str = "alloc-criterion";

const CRITERION: &str = "criterion";

/// The keys that say where a package comes from.
const SOURCE_KEYS: [&str; 8] = [
    "version", "path", "git", "branch", "tag", "rev", "registry", "package",
];

/// A manifest that counts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    pub(super) text: String,
    /// The lines that were replaced, before and after.
    pub(super) lines: Vec<(String, String)>,
}

/// The manifest with `source` instead of criterion's, a version in quotes or an inline table; or why
/// the lines have to be written by hand. The text stays if it counts already.
pub(super) fn replaced(text: &str, source: &str) -> Result<Replaced, String> {
    let manifest = Document::parse(text).map_err(|error| error.to_string())?;
    let keys = keys(source);
    let mut found = false;
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    for table in dependency_tables(manifest.as_table()) {
        for (_, item) in table.iter().filter(|(name, item)| is_criterion(name, item)) {
            found = true;
            changes.extend(change(text, item, &keys)?);
        }
    }
    if !found {
        return Err(format!("it has no dependency `{CRITERION}`"));
    }
    changes.sort_by_key(|(at, _)| at.start);
    let mut new = text.to_owned();
    let mut lines = Vec::new();
    for (at, value) in changes.iter().rev() {
        new.replace_range(at.clone(), value);
    }
    let mut moved = 0_isize;
    for (at, value) in &changes {
        let begin = at.start.saturating_add_signed(moved);
        let end = begin + value.len();
        lines.push((lines_at(text, at.clone()), lines_at(&new, begin..end)));
        moved += value.len() as isize - at.len() as isize;
    }
    Document::parse(new.as_str()).map_err(|error| error.to_string())?;
    Ok(Replaced { text: new, lines })
}

/// The line to write by hand.
pub(super) fn line(source: &str) -> String {
    format!("{CRITERION} = {{ {} }}", keys(source))
}

/// The keys of a dependency of this source.
fn keys(source: &str) -> String {
    let table = source
        .strip_prefix('{')
        .and_then(|keys| keys.strip_suffix('}'));
    let own = match table {
        Some(keys) => keys.trim().to_owned(),
        None => format!("version = {source}"),
    };
    format!("package = \"{CRATE}\", {own}")
}

/// The tables of dependencies that a bench may use.
fn dependency_tables(manifest: &Table) -> Vec<&dyn TableLike> {
    let targets = manifest.get("target").and_then(Item::as_table_like);
    let targets = targets.into_iter().flat_map(|targets| targets.iter());
    let targets = targets.filter_map(|(_, target)| target.as_table_like());
    let mut tables = Vec::new();
    for place in std::iter::once(manifest as &dyn TableLike).chain(targets) {
        for kind in ["dependencies", "dev-dependencies"] {
            tables.extend(place.get(kind).and_then(Item::as_table_like));
        }
    }
    tables
}

/// Whether the dependency of this name is criterion, or what counts in its place.
fn is_criterion(name: &str, item: &Item) -> bool {
    let package = item.get("package").and_then(Item::as_str);
    [CRITERION, CRATE].contains(&package.unwrap_or(name))
}

/// The bytes to replace for the dependency, and their new text; `None` if it counts already.
fn change(text: &str, item: &Item, keys: &str) -> Result<Option<(Range<usize>, String)>, String> {
    const BY_HAND: &str = "its dependency on criterion is written in an unusual form";
    if item.get("package").and_then(Item::as_str) == Some(CRATE) {
        return Ok(None);
    }
    if item.get("workspace").is_some() {
        return Err(String::from(
            "it takes criterion from `[workspace.dependencies]`",
        ));
    }
    let (at, new) = match item {
        Item::Value(value) => {
            let at = value.span().ok_or(BY_HAND)?;
            let others = value.as_inline_table().map(|table| others(text, table));
            let others = others.unwrap_or_default().concat();
            (at, format!("{{ {keys}{others} }}"))
        }
        Item::Table(table) if !table.is_dotted() && !table.contains_key("package") => {
            let version = table.get_key_value("version").ok_or(BY_HAND)?;
            let begin = version.0.span().ok_or(BY_HAND)?.start;
            let end = version.1.span().ok_or(BY_HAND)?.end;
            let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
            (begin..end, lines_of(keys, line_end).ok_or(BY_HAND)?)
        }
        Item::Table(_) | Item::ArrayOfTables(_) | Item::None => return Err(BY_HAND.to_owned()),
    };
    Ok(Some((at, new)))
}

/// The keys of the table besides those that say where the package comes from, each with a comma
/// before it.
fn others(text: &str, table: &InlineTable) -> Vec<String> {
    let others = table.iter().filter(|(key, _)| !SOURCE_KEYS.contains(key));
    let others = others.filter_map(|(key, value)| Some((key, text.get(value.span()?)?)));
    others
        .map(|(key, value)| format!(", {key} = {value}"))
        .collect()
}

/// Keys of an inline table, each on a line.
fn lines_of(keys: &str, line_end: &str) -> Option<String> {
    let text = format!("d = {{ {keys} }}");
    let document = Document::parse(text.as_str()).ok()?;
    let table = document.get("d")?.as_inline_table()?;
    let lines = table.iter().filter_map(|(key, value)| {
        let value = text.get(value.span()?)?;
        Some(format!("{key} = {value}"))
    });
    let lines: Vec<String> = lines.collect();
    Some(lines.join(line_end))
}

/// The whole lines around these bytes.
fn lines_at(text: &str, at: Range<usize>) -> String {
    let begin = text[..at.start].rfind('\n').map_or(0, |before| before + 1);
    let end = text[at.end..]
        .find('\n')
        .map_or(text.len(), |end| at.end + end);
    text[begin..end].trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "{ path = \"../a\" }";

    #[test]
    fn the_line_of_criterion_counts_and_others_stay() {
        for (source, before, after) in [
            (
                "\"0.1.0\"",
                "[dev-dependencies]\ncriterion = \"0.5\" # times\nb = \"1\"\n",
                "[dev-dependencies]\ncriterion = { package = \"alloc-criterion\", version = \"0.1.0\" } \
                 # times\nb = \"1\"\n",
            ),
            (
                PATH,
                "[dev-dependencies]\r\ncriterion = { version = \"0.8\", features = [\"async_tokio\"], \
                 default-features = false }",
                "[dev-dependencies]\r\ncriterion = { package = \"alloc-criterion\", path = \"../a\", \
                 features = [\"async_tokio\"], default-features = false }",
            ),
            (
                PATH,
                "[target.'cfg(not(miri))'.dev-dependencies.criterion]\nversion = \"0.8\" # a\n\
                 default-features = false\n",
                "[target.'cfg(not(miri))'.dev-dependencies.criterion]\npackage = \
                 \"alloc-criterion\"\npath = \"../a\" # a\ndefault-features = false\n",
            ),
            (
                PATH,
                "[dev-dependencies]\ntimes = { package = \"criterion\", version = \"0.8\" }\n",
                "[dev-dependencies]\ntimes = { package = \"alloc-criterion\", path = \"../a\" }\n",
            ),
            (
                PATH,
                "dependencies = { criterion = { git = \"x\", rev = \"y\" } }\n",
                "dependencies = { criterion = { package = \"alloc-criterion\", path = \"../a\" } }\n",
            ),
        ] {
            let new = replaced(before, source).unwrap();
            assert_eq!(new.text, after);
            assert_eq!(new.lines.len(), 1);
            // A second time, nothing is left to do.
            let again = replaced(&new.text, source).unwrap();
            assert_eq!((again.text, again.lines.len()), (new.text, 0));
        }
    }

    #[test]
    fn the_shown_lines_are_those_that_change() {
        let text = "[dependencies]\ncriterion = \"0.5\"\n[target.x.dev-dependencies]\n\
                    criterion = \"0.8\" # b\n";
        let line = |end: &str| {
            format!("criterion = {{ package = \"alloc-criterion\", path = \"../a\" }}{end}")
        };
        assert_eq!(
            replaced(text, PATH).unwrap().lines,
            [
                ("criterion = \"0.5\"".to_owned(), line("")),
                ("criterion = \"0.8\" # b".to_owned(), line(" # b")),
            ]
        );
    }

    #[test]
    fn what_has_to_be_written_by_hand_is_an_error() {
        for (text, problem) in [
            (
                "[dependencies]\nb = \"1\"\n",
                "it has no dependency `criterion`",
            ),
            (
                "[dev-dependencies]\ncriterion.workspace = true\n",
                "it takes criterion from `[workspace.dependencies]`",
            ),
            (
                "[dev-dependencies]\ncriterion.version = \"0.8\"\n",
                "its dependency on criterion is written in an unusual form",
            ),
        ] {
            assert_eq!(replaced(text, PATH), Err(problem.to_owned()));
        }
        assert!(replaced("[package\n", PATH).is_err());
    }
}
