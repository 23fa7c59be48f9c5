//! The pages: replaces the text between markers, and leaves the prose around them as it is.

use std::fs;
use std::path::PathBuf;

use crate::error::Error;
use crate::results::Results;
use crate::sections::{Section, sections};
use crate::store;
use crate::summary::Summary;

/// Pages.
pub struct Pages {
    /// Each file with its new text.
    pub files: Vec<(PathBuf, String)>,
    /// The measured sections that no page has markers for.
    pub without: Vec<String>,
}

impl Pages {
    /// The pages at `paths`.
    pub fn new(results: &Results, paths: &[PathBuf]) -> Result<Self, Error> {
        let sections = sections(results, &Summary::new(results));
        let mut files = Vec::new();
        for path in paths {
            let text = match fs::exists(path) {
                Ok(false) => whole(&sections),
                _ => update(&store::read_text(path)?, &sections).map_err(|error| {
                    let path = path.display();
                    Error::Wrong(format!("{path}: {error}"))
                })?,
            };
            files.push((path.clone(), text));
        }
        let measured = sections.iter().filter(|section| section.is_measured);
        let has_no_page = |name: &&String| {
            let mut pages = files.iter();
            !pages.any(|(_, text)| text.contains(&begin(name)))
        };
        let without = measured.map(|section| &section.name).filter(has_no_page);
        let without = without.cloned().collect();
        Ok(Self { files, without })
    }
}

/// The start of each marker; a name and [`CLOSE`] follow.
const BEGIN: &str = "<!-- lab-page: begin ";
const END: &str = "<!-- lab-page: end ";
const CLOSE: &str = " -->";

fn begin(name: &str) -> String {
    format!("{BEGIN}{name}{CLOSE}")
}

/// The page with the text of each section between its markers. It is an error at the first marker
/// that is unknown, or has no partner.
pub fn update(page: &str, sections: &[Section]) -> Result<String, Error> {
    let (mut text, mut rest) = (String::new(), page);
    let wrong = |rest: &str, what: &str| {
        let line = 1 + page[..page.len() - rest.len()].matches('\n').count();
        Err(Error::Wrong(format!("line {line}: {what}")))
    };
    while let Some(at) = rest.find("<!-- lab-page:") {
        text += &rest[..at];
        rest = &rest[at..];
        let name = |start| Some(rest.strip_prefix(start)?.split_once(CLOSE)?.0);
        let Some(name) = name(BEGIN) else {
            return match name(END) {
                Some(name) => {
                    let advice = format!("add `{}` above it", begin(name));
                    wrong(rest, &format!("`{name}` has no beginning; {advice}"))
                }
                None => {
                    let forms = format!("`{BEGIN}NAME{CLOSE}` or `{END}NAME{CLOSE}`");
                    wrong(rest, &format!("not a marker; write {forms}"))
                }
            };
        };
        let Some(section) = sections.iter().find(|section| section.name == name) else {
            let known = sections.iter().map(|section| section.name.as_str());
            let known = known.collect::<Vec<_>>().join(", ");
            let what = format!("there is no section `{name}`; known are: {known}");
            return wrong(rest, &what);
        };
        let end = format!("{END}{name}{CLOSE}");
        let after = rest[1..].split_once("<!-- lab-page:");
        let after = after.and_then(|(old, _)| rest[1 + old.len()..].strip_prefix(&end));
        let Some(after) = after else {
            let advice = format!("add `{}` below it", end);
            return wrong(rest, &format!("`{name}` has no end; {advice}"));
        };
        text += marked(section).trim_end();
        rest = after;
    }
    Ok(text + rest)
}

/// A page with all sections that the results have something for.
pub fn whole(sections: &[Section]) -> String {
    let measured = sections.iter().filter(|section| section.is_measured);
    let sections = measured.map(|section| format!("\n{}", marked(section)));
    format!("# Allocators, compared\n{}", sections.collect::<String>())
}

fn marked(section: &Section) -> String {
    let Section { name, text, .. } = section;
    let (begin, text) = (begin(name), text.trim_end());
    format!("{begin}\n\n{text}\n\n{END}{name}{CLOSE}\n")
}
