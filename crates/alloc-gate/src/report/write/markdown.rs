//! The writer of markdown, for step summaries, comments and pages. Rows are not padded, so that
//! one long name does not change every line.

use std::io::{self, Write};

use crate::printable::{code_parts, one_line, plain_lines, quoted};
use crate::report::text::{Block, Excerpt, Excerpts, Line, Style, Table, level_word, line, styled};

/// Writes the blocks with an empty line between any two. Titles are one level below that of the page
/// or the comment that they become a part of.
pub(in crate::report) fn write(blocks: &[Block], out: &mut dyn Write) -> io::Result<()> {
    let mut paragraphs = Vec::new();
    blocks.iter().for_each(|block| push(block, &mut paragraphs));
    match &paragraphs[..] {
        [] => Ok(()),
        all => writeln!(out, "{}", all.join("\n\n")),
    }
}

fn push(block: &Block, paragraphs: &mut Vec<String>) {
    let lines = |lines: &[String]| (!lines.is_empty()).then(|| lines.join("\n"));
    let paragraph = match block {
        Block::Space => None,
        Block::Title(level, line) => Some(format!("#{} {}", "#".repeat(*level), text(line))),
        Block::Line(line) => Some(begin(&text(line))),
        Block::Lines(all) => lines(&all.iter().map(text).collect::<Vec<_>>()),
        Block::List(all) => lines(&all.iter().map(item).collect::<Vec<_>>()),
        Block::Table(table) if table.rows.is_empty() => None,
        Block::Table(table) => Some(self::table(table)),
        Block::Excerpts(all) => return excerpts(all, paragraphs),
        Block::Code(language, all) => {
            let all = all.iter().map(|line| plain_lines(&one_line(line)));
            let all = all.collect::<Vec<_>>().join("\n");
            Some(format!("```{language}\n{all}\n```"))
        }
        Block::Fold {
            title,
            is_open,
            blocks,
        } => {
            let (open, title) = (if *is_open { " open" } else { "" }, text(title));
            paragraphs.push(format!("<details{open}><summary>{title}</summary>"));
            blocks.iter().for_each(|block| push(block, paragraphs));
            Some(String::from("</details>"))
        }
    };
    paragraphs.extend(paragraph);
}

fn item(line: &Line) -> String {
    format!("- {}", text(line))
}

/// The columns of a table at most: more are hard to read in a summary.
const MOST_COLUMNS: usize = 6;

/// The table. A column without a title joins the one before it; and if there are too many, others
/// follow in a table of their own, which repeats the first.
fn table(Table { columns, rows, .. }: &Table) -> String {
    let has_title = |at: &usize| *at == 0 || !columns[*at].title.is_empty();
    let titled: Vec<usize> = (0..columns.len()).filter(has_title).collect();
    let cell = |cells: &[Line], at: usize| {
        let more = cells.get(at + 1).filter(|_| !has_title(&(at + 1)));
        let more = more.filter(|it| !it.is_empty());
        let more = more.map(|more| line![" ", more.clone()]);
        written(&line![cells[at].clone(), more], true)
    };
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let part = |others: &[usize]| {
        let shown = || titled.iter().take(1).chain(others).copied();
        let rule = shown().map(|at| {
            if columns[at].is_right {
                "---:|"
            } else {
                "---|"
            }
        });
        let titles = row(shown().map(|at| escape(&columns[at].title)).collect());
        let mut lines = vec![titles, format!("|{}", rule.collect::<String>())];
        lines.extend(
            rows.iter()
                .map(|cells| row(shown().map(|at| cell(cells, at)).collect())),
        );
        lines.join("\n")
    };
    match titled.get(1..) {
        None | Some([]) => part(&[]),
        Some(others) => {
            let parts = others.chunks(MOST_COLUMNS - 1).map(part);
            parts.collect::<Vec<_>>().join("\n\n")
        }
    }
}

fn excerpts(excerpts: &Excerpts, paragraphs: &mut Vec<String>) {
    let label = excerpts.label.map(|(level, code)| {
        let word = styled(Style::Bad, level_word(level));
        line![word, " ", quoted(code), ": "]
    });
    paragraphs.push(text(&line![label, &excerpts.title]));
    let list: Vec<String> = excerpts.list.iter().map(excerpt).collect();
    paragraphs.extend((!list.is_empty()).then(|| list.join("\n")));
    let notes = excerpts.notes.iter();
    paragraphs.extend(notes.map(|note| text(&line!["note: ", note])));
}

fn excerpt(excerpt: &Excerpt) -> String {
    let code = excerpt.around_call().concat();
    let mut line = line![
        &excerpt.label,
        ": ",
        quoted(code.trim()),
        " at ",
        quoted(&excerpt.place())
    ];
    for (name, note) in &excerpt.notes {
        line.push(line![", ", *name, " ", note.clone()]);
    }
    item(&line)
}

fn text(line: &Line) -> String {
    written(line, false)
}

/// The line, perhaps in a cell of a table, where places are code, and `|` must be escaped even in
/// code.
fn written(line: &Line, in_cell: bool) -> String {
    let code = |text: &str| {
        if in_cell {
            quoted(text).replace('|', "\\|")
        } else {
            quoted(text)
        }
    };
    let plain = |text: &str| -> String {
        let parts = code_parts(text).into_iter().enumerate();
        let parts = parts.map(|(number, part)| match number % 2 {
            0 => escape(part),
            _ => code(part),
        });
        parts.collect()
    };
    let part = |(style, text): &(Style, String)| match style {
        Style::Code => code(text),
        Style::Place if in_cell => code(text),
        Style::Foreign | Style::Place => escape(text),
        Style::Plain | Style::Dim | Style::Strong => plain(text),
        Style::Good | Style::Bad | Style::Doubtful => format!("**{}**", plain(text)),
    };
    line.0.iter().map(part).collect()
}

/// Escaped text that starts a line but no list or heading.
fn begin(escaped: &str) -> String {
    let text = escaped.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let (number, rest) = text.split_at(text.len() - rest.len());
    let is_item = rest.strip_prefix(['.', ')']);
    let is_item = is_item.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    if !number.is_empty() && is_item {
        format!("{number}\\{rest}")
    } else if text.starts_with(['#', '-', '+', '=']) {
        format!("\\{text}")
    } else {
        text.to_owned()
    }
}

/// Escapes characters that would start markup, end a table's cell or mention a person.
fn escape(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::{Look, left, line, place};

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
    fn a_table_has_at_most_six_columns() {
        let columns = "s a  b c d e f".split(' ').map(left).collect();
        let row = "1 2 (+1) 3 4 5 6 7".split(' ').map(Line::from).collect();
        let mut shown = Vec::new();
        write(&[Block::table(Look::Grid, columns, vec![row])], &mut shown).unwrap();
        let expected = "| s | a | b | c | d | e |\n|---|---|---|---|---|---|\n\
                        | 1 | 2 (+1) | 3 | 4 | 5 | 6 |\n\n| s | f |\n|---|---|\n| 1 | 7 |\n";
        assert_eq!(String::from_utf8(shown).unwrap(), expected);
    }

    #[test]
    fn names_in_a_sentence_are_code_and_the_rest_is_escaped() {
        for (line, shown) in [
            (
                line![format!("the gate {} has <x>", quoted("a*b"))],
                "the gate `a*b` has \\<x\\>",
            ),
            (line!["`a` and ", quoted("b|c")], "`a` and `b|c`"),
            (
                line![quoted("a`b*"), " and @me"],
                "`` a`b* `` and @&#8203;me",
            ),
            (line!["a: `b"], "a: \\`b"),
            (line!["a ", "_b_"], "a \\_b\\_"),
            (line![place("a_b.rs:1")], "a_b.rs:1"),
            (line![styled(Style::Bad, "*`b`*")], "**\\*`b`\\***"),
        ] {
            assert_eq!(text(&line), shown);
        }
        let cell = line!["`a|b` ", quoted("c|d"), "|", place("e|f")];
        assert_eq!(written(&cell, true), "`a\\|b` `c\\|d`\\|`e\\|f`");
    }
}
