//! Text from outside as a part of XML.

use crate::printable::one_line;

/// A line of text as the content of an element or an attribute: without hidden characters, and
/// without those that XML does not have.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.extend(character.escape_unicode()),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_is_no_markup() {
        for (text, shown) in [
            ("<a as b>::c", "&lt;a as b&gt;::c"),
            ("a & \"b\"", "a &amp; &quot;b&quot;"),
            ("]]></title><script>", "]]&gt;&lt;/title&gt;&lt;script&gt;"),
            ("a\u{0}\u{1b}\u{202e}b\nc", "a\\u{0}\\u{1b}\\u{202e}b c"),
            ("\u{fffe}\u{ffff}\u{fffd}", "\\u{fffe}\\u{ffff}\u{fffd}"),
            ("größe 包", "größe 包"),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }
}
