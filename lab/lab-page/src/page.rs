//! The page: replaces the text between markers, and leaves the prose around them as it is.

use crate::error::Error;
use crate::sections::Section;

/// A line with a marker.
enum Marker<'t> {
    Begin(&'t str),
    End(&'t str),
}

/// The page with the text of each section between its markers.
pub fn update(page: &str, sections: &[Section]) -> Result<String, Error> {
    let mut text = String::new();
    let mut seen: Vec<&str> = Vec::new();
    let mut open: Option<(usize, &Section)> = None;
    for (index, line) in page.lines().enumerate() {
        let number = index + 1;
        match (marker(line, number)?, open) {
            (None, None) => text += &format!("{line}\n"),
            (None, Some(_)) => {}
            (Some(Marker::Begin(_)), Some((line, section))) => {
                return Err(no_end(line, section));
            }
            (Some(Marker::Begin(name)), None) => {
                let section = find(sections, name, number)?;
                if seen.contains(&name) {
                    let what = format!("`{name}` is on the page twice; remove one");
                    return Err(wrong(number, &what));
                }
                seen.push(name);
                open = Some((number, section));
            }
            (Some(Marker::End(name)), Some((line, section))) => {
                if name != section.name {
                    return Err(no_end(line, section));
                }
                text += &marked(section);
                open = None;
            }
            (Some(Marker::End(name)), None) => {
                let advice = format!("add `<!-- lab-page: begin {name} -->` above it");
                return Err(wrong(
                    number,
                    &format!("`{name}` has no beginning; {advice}"),
                ));
            }
        }
    }
    if let Some((line, section)) = open {
        return Err(no_end(line, section));
    }
    Ok(text)
}

/// The line that a section begins with.
pub fn begin(name: &str) -> String {
    format!("<!-- lab-page: begin {name} -->")
}

/// A page with all sections that the results have something for.
pub fn whole(sections: &[Section]) -> String {
    let mut text = "# Allocators, compared\n".to_owned();
    for section in sections.iter().filter(|section| section.is_measured) {
        text += &format!("\n{}", marked(section));
    }
    text
}

fn marked(section: &Section) -> String {
    let Section { name, text, .. } = section;
    let text = text.trim_end();
    let begin = begin(name);
    format!("{begin}\n\n{text}\n\n<!-- lab-page: end {name} -->\n")
}

fn marker(line: &str, number: usize) -> Result<Option<Marker<'_>>, Error> {
    let line = line.trim();
    if !line.starts_with("<!--") || !line.contains("lab-page:") {
        return Ok(None);
    }
    let body = line
        .strip_prefix("<!-- lab-page: ")
        .and_then(|line| line.strip_suffix(" -->"));
    match body.and_then(|body| body.split_once(' ')) {
        Some(("begin", name)) => Ok(Some(Marker::Begin(name))),
        Some(("end", name)) => Ok(Some(Marker::End(name))),
        _ => Err(wrong(
            number,
            "not a marker; write `<!-- lab-page: begin NAME -->` or `<!-- lab-page: end NAME -->` \
             on a line of its own",
        )),
    }
}

fn find<'s>(sections: &'s [Section], name: &str, line: usize) -> Result<&'s Section, Error> {
    let mut found = sections.iter().filter(|section| section.name == name);
    found.next().ok_or_else(|| {
        let known = sections.iter().map(|section| section.name.as_str());
        let known = known.collect::<Vec<_>>().join(", ");
        wrong(
            line,
            &format!("there is no section `{name}`; known are: {known}"),
        )
    })
}

fn no_end(line: usize, Section { name, .. }: &Section) -> Error {
    let advice = format!("add `<!-- lab-page: end {name} -->` below it");
    wrong(line, &format!("`{name}` has no end; {advice}"))
}

fn wrong(line: usize, what: &str) -> Error {
    Error::Wrong(format!("line {line}: {what}"))
}
