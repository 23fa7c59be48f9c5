//! Text from outside, such as names, rules, paths and messages of other programs, made
//! printable: it can't change a terminal, hide a part of itself, or give commands to a CI
//! system.

use std::borrow::Cow;

use alloc_results::integer;

/// Text in one line. Line breaks and tabs become spaces; other control characters, and
/// characters that are invisible or change the direction of text, are escaped.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' | '\n' | '\x0b' | '\x0c' | '\r' => line.push(' '),
            _ => push(&mut line, character),
        }
    }
    line
}

/// A name, a pattern, a rule or a command between backticks, as in markdown: one with backticks of
/// its own stands between more of them. `code_parts` reads it back.
#[must_use]
pub fn quoted(name: &str) -> String {
    let name = one_line(name);
    let runs = name.split(|character| character != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or_default() + 1);
    if fence.len() > 1 || name.trim().is_empty() {
        format!("{fence} {name} {fence}")
    } else {
        format!("{fence}{name}{fence}")
    }
}

/// The parts of a text in turns: words, and what stood between backticks.
pub(crate) fn code_parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut rest, mut from) = (text, 0);
    while let Some(open) = rest[from..].find('`').map(|at| from + at) {
        let begin = open
            + rest[open..]
                .bytes()
                .take_while(|byte| *byte == b'`')
                .count();
        let fence = &rest[open..begin];
        let mut runs = rest[begin..].match_indices(fence).map(|(at, _)| begin + at);
        let is_whole =
            |at: &usize| !rest[..*at].ends_with('`') && !rest[at + fence.len()..].starts_with('`');
        let Some(close) = runs.find(is_whole) else {
            // Nothing ends what begins here.
            from = begin;
            continue;
        };
        let code = &rest[begin..close];
        let inner = code
            .strip_prefix(' ')
            .and_then(|code| code.strip_suffix(' '));
        parts.extend([
            &rest[..open],
            inner.filter(|_| fence.len() > 1).unwrap_or(code),
        ]);
        rest = &rest[close + fence.len()..];
        from = 0;
    }
    parts.push(rest);
    parts
}

/// A line of text from outside as the content of an element or of an attribute in
/// quotation marks: without hidden characters, and without those that XML does not have.
#[must_use]
pub(crate) fn markup(text: &str) -> String {
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

/// The text in lines of at most `width` columns, if its words allow that. The lines behind the first
/// begin two columns further right than the text. Text between backticks stays in one line
/// if it fits into one, so that it can be copied.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> String {
    let (breaks, indent) = breaks(text, width);
    let mut lines = String::new();
    let mut begin = 0;
    for at in breaks {
        lines += &text[begin..at];
        lines += &format!("\n{:indent$}", "");
        begin = at + 1;
    }
    lines + &text[begin..]
}

/// The places of the spaces that end the lines of [`wrapped`], and the columns in front of the next
/// line.
pub(crate) fn breaks(text: &str, width: usize) -> (Vec<usize>, usize) {
    let columns = |word: &str| word.chars().count();
    let indent = text.len() - text.trim_start_matches(' ').len() + 2;
    let mut is_code = false;
    let words = text.split(|character| {
        is_code ^= character == '`';
        character == ' ' && !is_code
    });
    let words = words.flat_map(|word| {
        let fits = indent + columns(word) <= width;
        word.splitn(if fits { 1 } else { usize::MAX }, ' ')
    });
    let (mut breaks, mut at, mut column) = (Vec::new(), 0, 0);
    for word in words {
        if column > indent && column + columns(word) > width {
            breaks.push(at - 1);
            column = indent;
        }
        at += word.len() + 1;
        column += columns(word) + 1;
    }
    (breaks, indent)
}

/// The most bytes of a message that may quote text from outside.
const MOST: usize = 1_000;

/// A message of at most 1 kB: of a longer one the beginning and the end. A text from outside
/// that it quotes can have any length.
#[must_use]
pub fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= MOST {
        return text.into();
    }
    let mut begin = MOST * 2 / 3;
    while !text.is_char_boundary(begin) {
        begin -= 1;
    }
    let mut end = text.len() - MOST / 4;
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let between = integer(i128::try_from(end - begin).unwrap_or(i128::MAX));
    let (begin, end) = (&text[..begin], &text[end..]);
    format!("{begin} [{between} bytes not shown] {end}").into()
}

/// Text whose lines stay lines, and are no commands.
#[must_use]
pub fn plain_lines(text: &str) -> String {
    lines(text, false)
}

/// The same for a text of ours, whose colours and other styles stay. Text from outside has
/// to be made printable before it becomes a part of it.
#[must_use]
pub fn styled_lines(text: &str) -> String {
    lines(text, true)
}

/// Whether a character is invisible, or could change how others are shown.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // Soft hyphen, joiners, fillers, variations of Mongolian, and tags.
            '\u{ad}' | '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
            // Line and paragraph separators.
            | '\u{2028}'..='\u{2029}'
            // Directions.
            | '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{206f}')
}

fn push(text: &mut String, character: char) {
    if is_hidden(character) {
        text.extend(character.escape_unicode());
    } else {
        text.push(character);
    }
}

fn lines(text: &str, keeps_styles: bool) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .map(|line| no_command(&printable(line, keeps_styles)))
        .collect();
    lines.join("\n")
}

/// A line without hidden characters, except for tabs and styles.
fn printable(line: &str, keeps_styles: bool) -> String {
    let mut printable = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let mut length = character.len_utf8();
        match (character, keeps_styles.then(|| style(rest)).flatten()) {
            (_, Some(style)) => {
                length = style;
                printable.push_str(&rest[..style]);
            }
            ('\t', _) => printable.push('\t'),
            _ => push(&mut printable, character),
        }
        rest = &rest[length..];
    }
    printable
}

/// The length of the escape sequence for a style that the text begins with.
fn style(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[end..].starts_with('m').then_some(end + 3)
}

/// Marks what CI systems would read as a command: `::` at the beginning of a line, even
/// after spaces and styles, and `##[` anywhere. A backslash shows nothing in markdown.
fn no_command(line: &str) -> String {
    let mut begin = 0;
    while let Some(character) = line[begin..].chars().next() {
        match style(&line[begin..]) {
            Some(length) => begin += length,
            None if character.is_whitespace() => begin += character.len_utf8(),
            None => break,
        }
    }
    let (space, rest) = line.split_at(begin);
    let mark = if rest.starts_with(':') { "\\" } else { "" };
    let rest = rest.replace("##[", "#\\#[").replace("##vso[", "#\\#vso[");
    format!("{space}{mark}{rest}")
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
            assert_eq!(markup(text), shown);
        }
    }

    #[test]
    fn a_long_message_has_its_beginning_and_its_end() {
        assert_eq!(shortened("short"), "short");
        let long = format!("`{}` is unknown", "ä".repeat(5_000));
        let short = shortened(&long);
        assert!(short.len() <= 1_000, "{}", short.len());
        assert!(short.starts_with("`ää"), "{short}");
        assert!(short.contains("ä [9,098 bytes not shown] ä"), "{short}");
        assert!(short.ends_with("ä` is unknown"), "{short}");
    }

    #[test]
    fn names_between_backticks_are_read_back() {
        for name in [
            "a b",
            "`",
            "a`b``",
            " `a ",
            "```",
            "a::<b>",
            "cargo `x` y",
            "\\",
        ] {
            let text = format!("{} and {}: it's ` here", quoted(name), quoted("b"));
            assert_eq!(code_parts(&text), ["", name, " and ", "b", ": it's ` here"]);
        }
        for (text, parts) in [
            ("", &[""][..]),
            ("a ` b", &["a ` b"]),
            ("a `` b ` c", &["a `` b ` c"]),
            ("`a` b", &["", "a", " b"]),
        ] {
            assert_eq!(code_parts(text), parts);
        }
        assert_eq!(quoted("a\n\u{1b}"), "`a \\u{1b}`");
    }

    #[test]
    fn one_line_has_no_hidden_characters() {
        assert_eq!(one_line("größe 日本 🦀"), "größe 日本 🦀");
        assert_eq!(one_line("a\nb\r\nc\td"), "a b  c d");
        let hidden = "\u{1b}\u{9b}\u{7f}\u{202e}\u{2066}\u{200f}\u{200b}\u{200d}\u{feff}\u{ad}\
                      \u{2028}\u{2029}\u{85}\u{e0041}";
        for one in hidden.chars() {
            let shown = format!("a\\u{{{:x}}}::b", u32::from(one));
            assert_eq!(one_line(&format!("a{one}::b")), shown);
        }
    }

    #[test]
    fn no_line_is_a_command() {
        for (text, shown) in [
            ("a\n::error::b\r\n  ::c", "a\n\\::error::b\n  \\::c"),
            ("a\r::b", "a\\u{d}::b"),
            ("\u{a0}\t::a", "\u{a0}\t\\::a"),
            ("a ##[error]b ##vso[task]", "a #\\#[error]b #\\#vso[task]"),
            ("## heading\n#[test]", "## heading\n#[test]"),
        ] {
            assert_eq!(plain_lines(text), shown);
            assert_eq!(styled_lines(text), shown);
        }
    }

    #[test]
    fn only_our_styles_stay() {
        let text = "\u{1b}[1m\u{1b}[31m::a\u{1b}[0m \u{1b}[2J\u{1b}]0;b\u{7}\u{1b}";
        assert_eq!(
            styled_lines(text),
            "\u{1b}[1m\u{1b}[31m\\::a\u{1b}[0m \\u{1b}[2J\\u{1b}]0;b\\u{7}\\u{1b}"
        );
        assert!(!plain_lines(text).contains('\u{1b}'));
        // A colon that a style divides from the next is a command without the style.
        assert_eq!(styled_lines(":\u{1b}[0m:a"), "\\:\u{1b}[0m:a");
    }
}
