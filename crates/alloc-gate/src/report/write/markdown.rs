//! The writer of markdown, for step summaries, comments and pages. Rows are not padded, so that
//! one long name does not change every line.

use std::io::{self, Write};

use crate::printable::{one_line, plain_lines};
use crate::report::document::{Align, Block, Excerpt, Excerpts, Inline, Line, Style, Table, words};
use crate::report::write::around_call;

/// Writes the blocks for a page, with an empty line between any two.
pub(in crate::report) fn write(blocks: &[Block], out: &mut dyn Write) -> io::Result<()> {
    Page {
        out,
        is_empty: true,
    }
    .blocks(blocks)
}

/// The blocks as a text, for a page that a program updates.
pub(in crate::report) fn page(blocks: &[Block]) -> String {
    let mut text = Vec::new();
    // Writing to a vector can't fail.
    let _ = write(blocks, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// A page that is being written.
struct Page<'o> {
    out: &'o mut dyn Write,
    is_empty: bool,
}

impl Page<'_> {
    fn blocks(&mut self, blocks: &[Block]) -> io::Result<()> {
        blocks.iter().try_for_each(|block| self.block(block))
    }

    fn block(&mut self, block: &Block) -> io::Result<()> {
        match block {
            Block::Log(_) | Block::Space | Block::Columns(_) => Ok(()),
            Block::Page(blocks) => self.blocks(blocks),
            Block::Heading(level, line) => {
                self.paragraph(&format!("{} {}", "#".repeat(*level), text(line)))
            }
            Block::Line(line) => self.paragraph(&begin(&text(line))),
            Block::Lines(lines) => {
                let lines: Vec<String> = lines.iter().map(text).collect();
                self.lines(&lines)
            }
            Block::List(lines) => self.list(lines),
            Block::Problem(problem) => self.blocks(&problem.blocks()),
            Block::Table(table) if table.rows.is_empty() => Ok(()),
            Block::Table(table) => self.table(table),
            Block::Excerpts(excerpts) => self.excerpts(excerpts),
            Block::Preformatted(language, lines) => {
                let lines = lines.iter().map(|line| plain_lines(&one_line(line.text())));
                let lines: Vec<String> = lines.collect();
                self.paragraph(&format!("```{language}\n{}\n```", lines.join("\n")))
            }
            Block::Fold {
                title,
                is_open,
                blocks,
            } => {
                let open = if *is_open { " open" } else { "" };
                let title = text(title);
                self.paragraph(&format!("<details{open}><summary>{title}</summary>"))?;
                self.blocks(blocks)?;
                self.paragraph("</details>")
            }
        }
    }

    /// Writes lines with an empty line above them.
    fn paragraph(&mut self, text: &str) -> io::Result<()> {
        let space = if self.is_empty { "" } else { "\n" };
        self.is_empty = false;
        writeln!(self.out, "{space}{text}")
    }

    fn lines(&mut self, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            Ok(())
        } else {
            self.paragraph(&lines.join("\n"))
        }
    }

    fn list(&mut self, lines: &[Line]) -> io::Result<()> {
        let lines = lines.iter().map(|line| format!("- {}", text(line)));
        self.lines(&lines.collect::<Vec<_>>())
    }

    fn table(&mut self, Table { columns, rows }: &Table) -> io::Result<()> {
        let rule = |(_, align): &(Line, Align)| match align {
            Align::Left => "---|",
            Align::Right => "---:|",
        };
        let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let titles = columns.iter().map(|(title, _)| match &title.0[..] {
            // Our own titles have no markup.
            [Inline::Words(words)] => (*words).to_owned(),
            _ => cell(title),
        });
        let mut lines = vec![row(titles.collect())];
        lines.push(format!("|{}", columns.iter().map(rule).collect::<String>()));
        lines.extend(
            rows.iter()
                .map(|cells| row(cells.iter().map(cell).collect())),
        );
        self.lines(&lines)
    }

    fn excerpts(&mut self, excerpts: &Excerpts) -> io::Result<()> {
        let label = excerpts.label.map(|label| words!("{}: ", label));
        self.paragraph(&text(&words!("{}{}", label, excerpts.title.clone())))?;
        let list = excerpts.list.iter();
        self.lines(&list.map(excerpt).collect::<Vec<_>>())
    }
}

fn excerpt(excerpt: &Excerpt) -> String {
    let notes = excerpt.notes();
    let notes = notes.map(|(name, line)| format!(", {name} {}", text(&line)));
    format!(
        "- {}: {} at {}{}",
        text(&excerpt.label),
        code(around_call(excerpt).concat().trim()),
        code(&excerpt.place()),
        notes.collect::<String>()
    )
}

/// The line as markdown.
fn text(line: &Line) -> String {
    written(line, false)
}

/// The line in a cell of a table, where places are code, and `|` must be escaped even in code.
fn cell(line: &Line) -> String {
    written(line, true)
}

fn written(line: &Line, in_cell: bool) -> String {
    let code = |text: &str| {
        if in_cell {
            code(text).replace('|', "\\|")
        } else {
            code(text)
        }
    };
    let mut written = String::new();
    // Escaping looks at neighbours, so parts without markup are escaped as one text.
    let mut plain = String::new();
    for part in &line.0 {
        let markup = match part {
            Inline::Words(words) => {
                plain.push_str(words);
                continue;
            }
            Inline::Place(place) if in_cell => code(place.text()),
            Inline::Text(text) | Inline::Place(text) => {
                plain.push_str(text.text());
                continue;
            }
            Inline::Name(name) => code(name.text()),
            Inline::Styled(Style::Good | Style::Bad | Style::Doubtful, line) => {
                format!("**{}**", self::written(line, in_cell))
            }
            Inline::Styled(Style::Faint | Style::Strong, line) => self::written(line, in_cell),
            Inline::Label(label) => {
                let code = label.code.map(|code| format!(" `{code}`"));
                format!("**{}**{}", label.word(), code.unwrap_or_default())
            }
        };
        written.push_str(&escape(&plain));
        written.push_str(&markup);
        plain.clear();
    }
    written + &escape(&plain)
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

/// Text as code. Nothing is escaped in code; the fence is longer than any backticks in it.
fn code(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::document::name;

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
        for (line, shown) in [
            (
                words!("the gate {} has {}", name("a*b"), "<x>"),
                "the gate `a*b` has \\<x\\>",
            ),
            (words!("`a` and {}", name("b|c")), "`a` and `b|c`"),
            // A name with a backtick.
            (
                words!("{} and @me", name("a`b*")),
                "``a`b*`` and @&#8203;me",
            ),
            (words!("{}: {}", "a", "`b`"), "a: \\`b\\`"),
            (words!("a {}", "_b_"), "a \\_b\\_"),
        ] {
            assert_eq!(text(&line), shown);
        }
        assert_eq!(cell(&words!("`a|b` {}", name("c|d"))), "`a\\|b` `c\\|d`");
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
    }
}
