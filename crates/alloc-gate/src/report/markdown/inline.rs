//! Foreign text inside of markdown: as text that keeps its characters, or as
//! code.

/// Text that is shown as it is: whatever would begin markup, or end a table's
/// cell, is escaped.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let mut length = character.len_utf8();
        match character {
            _ if character.is_control() => escaped.push(' '),
            '|' | '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '&' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(character);
            }
            // Underscores inside of a word are no emphasis: `write_message` may
            // stay as it reads.
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

/// Text as code. In code nothing is escaped; backticks need a longer fence.
pub(crate) fn code(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    // A backtick must not touch the fence, and where both ends are spaces one of
    // each is taken off.
    let padded = text.starts_with('`')
        || text.ends_with('`')
        || (text.starts_with(' ') && text.ends_with(' '));
    let pad = if padded { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text as code in a table's cell, where `|` is escaped even in code.
pub(crate) fn code_in_cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_keeps_its_characters_and_its_cell() {
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
            ("", ""),
        ] {
            assert_eq!(escape(text), escaped, "{text}");
        }
    }

    #[test]
    fn code_has_a_fence_that_its_text_does_not_end() {
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
