//! Links in pages: to files and headings that don't exist, and to web addresses of the
//! project, which only the root manifest may name.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Code, Finding};
use super::workspace::Member;

/// The one place for the project's address: a file, and the beginning of a line.
const ADDRESS: (&str, &str) = ("Cargo.toml", "repository = ");

/// Checks all texts. `files` are the files of the workspace; text files have their text.
pub(crate) fn check(members: &[Member], files: &BTreeMap<String, String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in files {
        findings.extend(addresses(path, text, members));
        if path.ends_with(".md") {
            for (line, target) in links(text) {
                findings.extend(broken(files, (path, line), target));
            }
        } else if path.ends_with(".rs") {
            findings.extend(pages_in_rustdoc(path, text));
        }
    }
    findings
}

fn addresses(path: &str, text: &str, members: &[Member]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if path == ADDRESS.0 && line.starts_with(ADDRESS.1) {
            continue;
        }
        let after = line.split("://").skip(1);
        for address in after.filter_map(|rest| rest.split([' ', ')', '"', '`', '<', '>']).next()) {
            if members.iter().any(|member| address.contains(&member.name)) {
                findings.push(Finding::new(
                    Code::ProjectAddress,
                    (path, number),
                    format!("`{address}` is an address of this project, and may not exist"),
                    "link to the file, or name the crate; only `repository` in the root \
                     Cargo.toml has the address",
                ));
            }
        }
    }
    findings
}

/// Links in doc comments to files, which docs.rs does not have.
fn pages_in_rustdoc<'t>(path: &'t str, text: &'t str) -> impl Iterator<Item = Finding> + 't {
    let is_doc = |line: &str| line.starts_with("//!") || line.starts_with("///");
    let docs = (1..).zip(text.lines().map(str::trim));
    let docs = docs.filter(move |(_, line)| is_doc(line));
    docs.flat_map(|(number, line)| targets(line).map(move |target| (number, target)))
        .filter(|(_, target)| !target.contains("://") && target.contains(".md"))
        .map(move |(number, target)| {
            Finding::new(
                Code::BrokenLink,
                (path, number),
                format!("docs.rs has no file `{target}`"),
                "name the page without a link, or link to an item",
            )
        })
}

/// What is wrong with a link in the page at `place`.
fn broken(files: &BTreeMap<String, String>, place: (&str, usize), target: &str) -> Option<Finding> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() {
        Some(place.0.to_owned())
    } else {
        resolve(place.0, file)
    };
    let finding =
        |message: String, help: &str| Some(Finding::new(Code::BrokenLink, place, message, help));
    let is_folder = |path: &str| {
        files
            .keys()
            .any(|file| file.starts_with(&format!("{path}/")))
    };
    let Some(path) = path.filter(|path| files.contains_key(path) || is_folder(path)) else {
        return finding(
            format!("the link `{target}` leads to no file of this repository"),
            "correct the path, which is relative to this page",
        );
    };
    let has_heading = |text: &String| heading.is_empty() || anchors(text).contains(heading);
    if files.get(&path).is_some_and(|text| !has_heading(text)) {
        return finding(
            format!("`{path}` has no heading `#{heading}`"),
            "correct the part after `#`: the heading in lower case, with `-` for spaces",
        );
    }
    None
}

/// The path of `target` in the page at `page`; `None` outside of the repository.
fn resolve(page: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The links of a page outside of code, with their lines.
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines_outside_code(text)
        .flat_map(|(number, line)| targets(line).map(move |target| (number, target)))
}

/// The targets of the links in a line, outside of code.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    // Between backticks there are no links; the end of a link may follow one: [`x`](y).
    line.split('`').step_by(2).flat_map(|part| {
        let after = part.split("](").skip(1);
        after.filter_map(|rest| rest.split([')', ' ']).next())
    })
}

fn lines_outside_code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The anchors that GitHub gives the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = lines_outside_code(text).filter(|(_, line)| line.starts_with('#'));
    headings
        .map(|(_, line)| {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                '-' | '_' => Some(c),
                c => c.is_alphanumeric().then_some(c),
            });
            kept.collect()
        })
        .collect()
}
