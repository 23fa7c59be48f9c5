//! The words of suggested gates: names, globs, strings and comments.

/// The most characters of a line. A single word may be longer.
const WIDTH: usize = 88;

/// Text as a name for a gate: lower-case words joined by hyphens.
pub(super) fn kebab(text: &str) -> String {
    let mut name = String::new();
    let mut after_lower_case = false;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            if after_lower_case && c.is_ascii_uppercase() && !name.ends_with('-') {
                name.push('-');
            }
            after_lower_case = c.is_ascii_lowercase();
            name.push(c.to_ascii_lowercase());
        } else {
            after_lower_case = false;
            if !name.is_empty() && !name.ends_with('-') {
                name.push('-');
            }
        }
    }
    let name = name.trim_end_matches('-');
    if name.is_empty() {
        return String::from("scenario");
    }
    name.to_owned()
}

/// A glob that matches only `text`.
pub(super) fn escaped(text: &str) -> String {
    let mut glob = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}

/// A TOML string.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// The lines of a comment. Control characters become spaces, so that no name can end
/// the comment.
pub(super) fn paragraph(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    let mut lines = String::new();
    let mut line = String::from("#");
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if line.len() > 1 && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push_str(&line);
            lines.push('\n');
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    lines.push_str(&line);
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_gates_are_words_joined_by_hyphens() {
        for (text, name) in [
            ("encode (Int32)", "encode-int32"),
            (
                "MxReferenceHandle::from_names",
                "mx-reference-handle-from-names",
            ),
            ("HTTP 2/rows=1_000", "http-2-rows-1-000"),
            ("décodé", "d-cod"),
            ("読む", "scenario"),
            ("a--b ", "a-b"),
        ] {
            assert_eq!(kebab(text), name);
        }
    }

    #[test]
    fn special_characters_of_globs_are_escaped() {
        assert_eq!(escaped(r"a[0]*?{b,c}\d!"), r"a\[0\]\*\?\{b,c\}\\d!");
        assert_eq!(escaped("encode (Int32)/n=1"), "encode (Int32)/n=1");
    }

    #[test]
    fn nothing_in_a_name_ends_a_comment() {
        assert_eq!(paragraph("a\n[[gate]]\r\u{7f}b"), "# a [[gate]] b\n");
    }
}
