//! Source files as lines: those that hold code, and the paths that they import.
//!
//! The lines are read as rustfmt writes them. A string that looks like code is
//! taken for code.

/// A `.rs` file of a workspace member.
#[derive(Debug)]
pub(crate) struct Source {
    /// The member's name.
    pub(crate) package: String,
    /// From the workspace's root, with `/` on every platform.
    pub(crate) path: String,
    /// Lines of code with their numbers, without comments and unit tests.
    pub(crate) code: Vec<(usize, String)>,
    /// The lines that allow or expect `unsafe_code`, unit tests included.
    pub(crate) allows_unsafe: Vec<usize>,
    /// The names of functions, unit tests included.
    pub(crate) functions: Vec<String>,
}

/// A path that begins with `crate` or `super`, in a `use` item or inline.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The line on which it begins; for a `use` item, the item's first line.
    pub(crate) line: usize,
    /// At least two.
    pub(crate) segments: Vec<String>,
}

impl Source {
    /// Reads the text of the file at `path`.
    pub(crate) fn new(package: &str, path: &str, text: &str) -> Self {
        Self {
            package: package.to_owned(),
            path: path.to_owned(),
            code: lines_of_code(text),
            allows_unsafe: (1..)
                .zip(text.lines())
                .filter(|(_, line)| allows_unsafe(line.trim()))
                .map(|(number, _)| number)
                .collect(),
            functions: text.lines().filter_map(function).collect(),
        }
    }

    /// What the code outside of unit tests imports from its own crate.
    pub(crate) fn imports(&self) -> Vec<Import> {
        let (mut text, mut starts) = (String::new(), Vec::new());
        for (number, line) in &self.code {
            starts.push((text.len(), *number));
            text.push_str(line.split(" // ").next().unwrap_or(line));
            text.push('\n');
        }
        let line_at = |at| match starts.partition_point(|&(start, _)| start <= at) {
            0 => 1,
            after => starts[after - 1].1,
        };
        let mut imports = Vec::new();
        for root in ["crate::", "super::"] {
            for (at, _) in text.match_indices(root) {
                let before = &text[..at];
                let is_inside = |c: char| c.is_alphanumeric() || "_:$".contains(c);
                if before.ends_with(is_inside) || before.ends_with("(in ") {
                    continue;
                }
                let mut paths = Vec::new();
                read_tree(&text[at..], &[], &mut paths);
                imports.extend(paths.into_iter().map(|path| Import {
                    line: line_at(at),
                    segments: path.into_iter().map(String::from).collect(),
                }));
            }
        }
        imports
    }
}

/// Reads a path, or all that its braces hold, and returns the text behind it.
fn read_tree<'t>(mut text: &'t str, prefix: &[&'t str], paths: &mut Vec<Vec<&'t str>>) -> &'t str {
    let mut path = prefix.to_vec();
    loop {
        text = text.trim_start();
        if let Some(mut group) = text.strip_prefix('{') {
            loop {
                group = read_tree(group, &path, paths);
                let end = group.find([',', '}']).unwrap_or(group.len());
                match group[end..].strip_prefix(',') {
                    Some(next) => group = next,
                    None => return group[end..].trim_start_matches('}'),
                }
            }
        }
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, rest) = text.split_at(end.unwrap_or(text.len()));
        if !word.is_empty() && word != "self" {
            path.push(word);
        }
        match rest.strip_prefix("::") {
            Some(next) => text = next,
            None => {
                if path.len() > 1 && !rest.starts_with('!') {
                    paths.push(path);
                }
                return rest;
            }
        }
    }
}

fn function(line: &str) -> Option<String> {
    let (before, rest) = line.split_once("fn ")?;
    let is_code = before
        .chars()
        .all(|c| c.is_alphanumeric() || " ()".contains(c));
    let name = rest.split(['(', '<']).next()?;
    is_code.then(|| name.to_owned())
}

/// Whether the line names the lint and does not forbid it. The workspace denies
/// the lint, so that code with `unsafe` has to name it.
fn allows_unsafe(line: &str) -> bool {
    line.split_once("unsafe_code").is_some_and(|(before, _)| {
        !before.contains("forbid(") && !before.contains('"') && !before.starts_with("//")
    })
}

/// The lines that are neither blank nor a comment nor part of an item behind
/// `#[cfg(test)]`, with their numbers.
pub(crate) fn lines_of_code(text: &str) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    // The indentation of the item that is skipped, and whether its braces are open.
    let mut skipped: Option<(usize, bool)> = None;
    // The indentation of the outermost module in braces.
    let mut inline: Option<usize> = None;
    for (before, line) in text.lines().enumerate() {
        let code = line.trim();
        let indentation = line.len() - line.trim_start().len();
        if code.is_empty() || code.starts_with("//") {
            continue;
        }
        if let Some((item, is_open)) = skipped {
            let at_its_edge = indentation == item && !code.starts_with('#');
            if at_its_edge && (code.starts_with('}') || !is_open && code.ends_with([';', '}'])) {
                skipped = None;
            } else if at_its_edge && code.starts_with("mod ") && code.ends_with('{') {
                // The module of tests is the last item. Texts in it can look like its end.
                break;
            } else if at_its_edge && code.ends_with('{') {
                skipped = Some((item, true));
            }
        } else if code == "#[cfg(test)]" {
            skipped = Some((indentation, false));
        } else if inline.is_some() {
            // There, `super` is this file.
            lines.push((before + 1, code.replace("super::", "self::")));
            if inline == Some(indentation) && code.starts_with('}') {
                inline = None;
            }
        } else {
            lines.push((before + 1, code.to_owned()));
            let is_module = code.starts_with("mod ") || code.contains(" mod ");
            inline = (is_module && code.ends_with('{')).then_some(indentation);
        }
    }
    lines
}
