//! Where a macro of the workspace is used. Line tables have the line in its definition.

use crate::sites::nearby::function_around;

/// The name of the macro whose definition is around a line, as rustfmt indents it.
pub(super) fn macro_around<'s>(lines: &[&'s str], at: u32) -> Option<&'s str> {
    let at = usize::try_from(at).ok()?.checked_sub(1)?;
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut inside = indentation(lines.get(at)?);
    for line in lines.get(..at)?.iter().rev() {
        let text = line.trim_start();
        if text.is_empty() || indentation(line) >= inside {
            continue;
        }
        if let Some(name) = text.strip_prefix("macro_rules! ") {
            return name.split([' ', '{', '(']).next();
        }
        inside = indentation(line);
    }
    None
}

/// The lines and columns of a file where a function of this name uses the macro. The names of closures
/// and of async bodies have braces, and can be in any function.
pub(super) fn uses(source: &str, name: &str, function: &str) -> Vec<(u32, u32)> {
    let lines: Vec<&str> = source.lines().collect();
    let call = format!("{name}!");
    let mut uses = Vec::new();
    for (number, line) in (1_u32..).zip(&lines) {
        let begins = |&(at, _): &(usize, &str)| {
            let before = line[..at].chars().next_back();
            !before.is_some_and(|one| one.is_alphanumeric() || one == '_')
        };
        let found = line.match_indices(&call).filter(begins);
        for (at, _) in found.filter(|_| !line.trim_start().starts_with("//")) {
            let around = function_around(&lines, number);
            let is_it = |name: &str| function.contains(name) || function.contains('{');
            if around.is_some_and(|(name, _)| is_it(name)) {
                uses.push((number, u32::try_from(at + 1).unwrap_or(1)));
            }
        }
    }
    uses
}

/// The files that modules of a file can be in.
pub(super) fn modules(file: &str, source: &str) -> Vec<String> {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let folder = match name {
        "lib.rs" | "main.rs" | "mod.rs" => folder,
        _ => file.trim_end_matches(".rs"),
    };
    let names = source.lines().filter_map(|line| {
        let (before, name) = line.trim().strip_suffix(';')?.rsplit_once("mod ")?;
        let is_item = before.is_empty() || before.starts_with("pub");
        is_item.then_some(name)
    });
    let files = names.flat_map(|name| {
        [
            format!("{folder}/{name}.rs"),
            format!("{folder}/{name}/mod.rs"),
        ]
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
macro_rules! boxed {
    ($value:expr) => {
        Box::new($value)
    };
}

fn once(x: u8) -> Box<u8> {
    // Not boxed!(x).
    crate::boxed!(x)
}

fn twice(x: u8) -> [Box<u8>; 2] {
    [boxed!(x), unboxed!(boxed!(x))]
}
";

    #[test]
    fn macros_are_found_where_functions_use_them() {
        let lines: Vec<&str> = SOURCE.lines().collect();
        let names = [1, 3, 9, 99].map(|line| macro_around(&lines, line));
        assert_eq!(names, [None, Some("boxed"), None, None]);
        for (function, expected) in [
            ("app::once", &[(9, 12)][..]),
            ("twice", &[(13, 6), (13, 26)]),
            ("app::twice::{closure#0}", &[(9, 12), (13, 6), (13, 26)]),
            ("app::other", &[]),
        ] {
            assert_eq!(uses(SOURCE, "boxed", function), expected, "{function}");
        }
        for (file, found) in [
            ("src/lib.rs", ["src/a.rs", "src/a/mod.rs"]),
            ("src/b.rs", ["src/b/a.rs", "src/b/a/mod.rs"]),
        ] {
            assert_eq!(modules(file, "pub(crate) mod a;\nmod c {}\n"), found);
        }
    }
}
