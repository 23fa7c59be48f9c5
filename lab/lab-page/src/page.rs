//! The page: replaces the text between markers, and leaves the prose around them as it is.

use crate::error::Error;
use crate::sections::Section;

/// The page with the text of each section between its markers. It is an error at the first marker
/// that is unknown, or has no partner.
pub fn update(page: &str, sections: &[Section]) -> Result<String, Error> {
    let mut text = String::new();
    let mut seen: Vec<&str> = Vec::new();
    let mut open: Option<(usize, &Section)> = None;
    let wrong = |line: usize, what: &str| Err(Error::Wrong(format!("line {line}: {what}")));
    let no_end = |line, Section { name, .. }: &Section| {
        let advice = format!("add `<!-- lab-page: end {name} -->` below it");
        wrong(line, &format!("`{name}` has no end; {advice}"))
    };
    for (number, line) in (1..).zip(page.lines()) {
        match (marker(line), open) {
            (None, None) => text += &format!("{line}\n"),
            (None, Some(_)) => {}
            (Some(("", _)), _) => {
                let end = "`<!-- lab-page: end NAME -->` on a line of its own";
                let what = "not a marker; write `<!-- lab-page: begin NAME -->` or";
                return wrong(number, &format!("{what} {end}"));
            }
            (Some(("begin", name)), None) => {
                let Some(section) = sections.iter().find(|section| section.name == name) else {
                    let known = sections.iter().map(|section| section.name.as_str());
                    let known = known.collect::<Vec<_>>().join(", ");
                    let what = format!("there is no section `{name}`; known are: {known}");
                    return wrong(number, &what);
                };
                if seen.contains(&name) {
                    return wrong(
                        number,
                        &format!("`{name}` is on the page twice; remove one"),
                    );
                }
                seen.push(name);
                open = Some((number, section));
            }
            (Some(("end", name)), Some((_, section))) if name == section.name => {
                text += &marked(section);
                open = None;
            }
            (Some(_), Some((line, section))) => return no_end(line, section),
            (Some((_, name)), None) => {
                let advice = format!("add `<!-- lab-page: begin {name} -->` above it");
                return wrong(number, &format!("`{name}` has no beginning; {advice}"));
            }
        }
    }
    match open {
        Some((line, section)) => no_end(line, section),
        None => Ok(text),
    }
}

/// The line that a section begins with.
pub fn begin(name: &str) -> String {
    format!("<!-- lab-page: begin {name} -->")
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
    format!("{begin}\n\n{text}\n\n<!-- lab-page: end {name} -->\n")
}

/// `begin` or `end` and the name of a marker; neither if the line looks like one alone.
fn marker(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    if !line.starts_with("<!--") || !line.contains("lab-page:") {
        return None;
    }
    let body = line.strip_prefix("<!-- lab-page: ");
    let body = body.and_then(|line| line.strip_suffix(" -->"));
    let words = body.and_then(|body| body.split_once(' '));
    Some(
        words
            .filter(|(kind, _)| ["begin", "end"].contains(kind))
            .unwrap_or(("", "")),
    )
}
