//! Reads the SVG documents of the tests, so far as they use XML.

/// An element: its name, its attributes and its text.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Element {
    /// The number in an attribute.
    pub(crate) fn number(&self, name: &str) -> f64 {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(key, _)| key == name);
        let value = found.map(|(_, value)| value.parse());
        value.expect("the element has it").expect("it is a number")
    }
}

/// The elements of a document, in the order of their ends. Panics if it is not well-formed.
pub(crate) fn elements(document: &str) -> Vec<Element> {
    let is_character = |c: char| c == '\n' || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'));
    assert!(document.chars().all(is_character), "{document:?}");
    let mut open: Vec<Element> = Vec::new();
    let mut closed = Vec::new();
    let mut rest = document;
    while let Some(begin) = rest.find('<') {
        let text = unescaped(&rest[..begin]);
        match open.last_mut() {
            Some(element) => element.text.push_str(&text),
            None => assert_eq!(text.trim(), "", "text outside of the root"),
        }
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[begin + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let element = open.pop().expect("an element is open");
            assert_eq!(element.name, name);
            closed.push(element);
            continue;
        }
        let (tag, is_empty) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let element = start(tag);
        match is_empty {
            true => closed.push(element),
            false => open.push(element),
        }
        let is_root = open.len() + usize::from(is_empty) == 1;
        assert!(!is_root || closed.is_empty(), "two roots");
    }
    assert!(open.is_empty(), "{open:?} is open");
    assert_eq!(rest.trim(), "");
    closed
}

fn start(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let is_name = |c: char| c.is_ascii_alphanumeric();
    assert!(!name.is_empty() && name.chars().all(is_name), "{tag}");
    let mut attributes = Vec::new();
    while !rest.trim().is_empty() {
        let (key, value) = rest.trim().split_once("=\"").expect("an attribute");
        let (value, more) = value.split_once('"').expect("its end");
        assert!(key.chars().all(is_name), "{tag}");
        attributes.push((key.to_owned(), unescaped(value)));
        rest = more;
    }
    Element {
        name: name.to_owned(),
        attributes,
        text: String::new(),
    }
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split('&');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, after) = part.split_once(';').expect("a reference ends");
        whole.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            _ => panic!("&{name};"),
        });
        whole.push_str(after);
    }
    whole
}
