//! Foreign text in markdown, escaped or as code.

use crate::printable::one_line;

/// Escapes characters that would start markup, end a table's cell or mention a person.
pub(crate) fn escape(text: &str) -> String {
    let text = one_line(text);
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(character) = rest.chars().next() {
        let mut length = character.len_utf8();
        match character {
            '|' | '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '&' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(character);
            }
            // GitHub mentions people even behind a backslash. This is a space without width.
            '@' => escaped.push_str("@&#8203;"),
            // Underscores within a word are no emphasis, so `write_message` stays.
            '_' => {
                length = rest.len() - rest.trim_start_matches('_').len();
                let before = text[..text.len() - rest.len()].chars().next_back();
                let after = rest[length..].chars().next();
                let inside = [before, after]
                    .into_iter()
                    .all(|c| c.is_some_and(char::is_alphanumeric));
                escaped.push_str(&if inside { "_" } else { "\\_" }.repeat(length));
            }
            _ => escaped.push(character),
        }
        rest = &rest[length..];
    }
    escaped
}

/// Text as code. Nothing is escaped in code; the fence is longer than any backticks in it.
pub(crate) fn code(text: &str) -> String {
    let text = one_line(text);
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    // A backtick must not touch the fence. If both ends are spaces, markdown removes one at
    // each end.
    let padded = text.starts_with('`')
        || text.ends_with('`')
        || (text.starts_with(' ') && text.ends_with(' '));
    let pad = if padded { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text as code in a table's cell, where `|` must be escaped even in code.
pub(crate) fn code_in_cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// A sentence for a terminal, in which names are between backticks. Whatever text is between
/// two of them, all of it is escaped or code.
pub(super) fn sentence(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(number, part)| match number % 2 {
        1 if !part.is_empty() => code(part),
        _ => escape(part),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_stays_in_its_cell() {
        for (text, escaped) in [
            ("a|b\nc*", "a\\|b c\\*"),
            ("a\\|b", "a\\\\\\|b"),
            ("<b> & [x](y) ~z~", "\\<b\\> \\& \\[x\\](y) \\~z\\~"),
            (
                "write_message::encode (Int32)",
                "write_message::encode (Int32)",
            ),
            ("__init__", "\\_\\_init\\_\\_"),
            ("a__b _c", "a__b \\_c"),
            ("größe_ü", "größe_ü"),
            ("@someone a@b", "@&#8203;someone a@&#8203;b"),
            ("a\u{202e}b", "a\\\\u{202e}b"),
            ("", ""),
        ] {
            assert_eq!(escape(text), escaped, "{text}");
        }
    }

    #[test]
    fn names_in_a_sentence_are_code_and_the_rest_is_escaped() {
        for (text, shown) in [
            ("the gate `a*b` has <x>", "the gate `a*b` has \\<x\\>"),
            ("`a` and `b|c`", "`a` and `b|c`"),
            // A name with a backtick.
            ("`a`b*` and @me", "`a`b\\*` and @me`"),
            ("``", ""),
        ] {
            assert_eq!(sentence(text), shown, "{text}");
        }
    }

    #[test]
    fn code_gets_a_fence_longer_than_its_backticks() {
        for (text, shown) in [
            ("a|b", "`a|b`"),
            ("a\nb", "`a b`"),
            ("a`b", "``a`b``"),
            ("``", "``` `` ```"),
            ("`a", "`` `a ``"),
            (" a ", "`  a  `"),
            ("a_b*", "`a_b*`"),
        ] {
            assert_eq!(code(text), shown, "{text}");
        }
        assert_eq!(code_in_cell("a|b"), "`a\\|b`");
    }
}
