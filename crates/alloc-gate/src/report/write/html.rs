//! The writer of a page for a browser: one file, which loads nothing and is complete without its
//! script. The script sorts and filters tables. The policy of the page forbids any other one.

use std::io::{self, Write};
use std::ops::Range;

use crate::printable::{code_parts, markup, one_line, plain_lines};
use crate::report::text::{
    Block, Excerpt, Excerpts, Line, Look, Style, Table, label, line, notes, numbered,
};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The hash of the script, by which the policy knows it.
const SCRIPT_HASH: &str = "sha256-KzZiC/E1E1pPre3kprU30ypT5zUlYNGdBj0Pt5/Qv8A=";

/// Writes the page. `source` is the address of a line of the sources, with `{path}` and `{line}`.
pub(in crate::report) fn write(
    blocks: &[Block],
    source: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = blocks.iter().find_map(|block| {
        if let Block::Title(_, line) = block {
            return Some(line.plain());
        }
        None
    });
    let title = markup(&title.unwrap_or_default());
    let body: String = blocks.iter().map(|it| Page { source }.block(it)).collect();
    let page = format!(
        "<!doctype html>\n<!-- alloc-gate -->\n<html lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src '{SCRIPT_HASH}'; base-uri 'none'; \
         form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{body}<script>{SCRIPT}</script>\n\
         </body>\n</html>\n"
    );
    // A CI system that prints the page finds no command in it.
    out.write_all(plain_lines(&page).as_bytes())
}

/// What the parts of a page need.
struct Page<'s> {
    source: Option<&'s str>,
}

impl Page<'_> {
    fn block(&self, block: &Block) -> String {
        match block {
            Block::Space => String::new(),
            Block::Title(level, line) => self.element(&format!("h{level}"), line),
            Block::Line(line) => self.element("p", line),
            Block::Lines(lines) => lines.iter().map(|line| self.element("p", line)).collect(),
            Block::List(lines) => self.list(lines),
            Block::Table(table) if table.rows.is_empty() => String::new(),
            Block::Table(table) => self.table(table),
            Block::Excerpts(excerpts) => self.excerpts(excerpts),
            Block::Code(_, lines) => {
                let lines = lines.iter().map(|line| markup(&one_line(line)));
                format!("<pre>{}</pre>\n", lines.collect::<Vec<_>>().join("\n"))
            }
            Block::Fold {
                title,
                is_open,
                blocks,
            } => {
                let open = if *is_open { " open" } else { "" };
                let title = self.element("summary", title);
                let blocks: String = blocks.iter().map(|block| self.block(block)).collect();
                format!("<details{open}>\n{title}{blocks}</details>\n")
            }
        }
    }

    fn element(&self, name: &str, line: &Line) -> String {
        format!("<{name}>{}</{name}>\n", self.text(line))
    }

    fn list(&self, lines: &[Line]) -> String {
        let items: String = lines.iter().map(|line| self.element("li", line)).collect();
        match lines {
            [] => String::new(),
            _ => format!("<ul>\n{items}</ul>\n"),
        }
    }

    fn table(
        &self,
        Table {
            columns,
            rows,
            look,
        }: &Table,
    ) -> String {
        let class = |is_right: bool| if is_right { " class=r" } else { "" };
        let titles = columns.iter();
        let titles = titles.map(|it| format!("<th{}>{}", class(it.is_right), markup(&it.title)));
        let titles: String = titles.collect();
        let rows = rows.iter().map(|cells| {
            let cells = cells.iter().zip(columns);
            let cells = cells
                .map(|(line, column)| format!("<td{}>{}", class(column.is_right), self.text(line)));
            format!("<tr>{}\n", cells.collect::<String>())
        });
        let rows: String = rows.collect();
        // On a narrow screen, the last cell is on a line of its own.
        let is_plain = matches!(look, Look::Plain(_));
        let plain = if is_plain { " plain" } else { "" };
        format!(
            "<div class=\"wide{plain}\"><table>\n<thead><tr>{titles}</thead>\n<tbody>\n{rows}</tbody>\n\
             </table></div>\n"
        )
    }

    fn excerpts(&self, excerpts: &Excerpts) -> String {
        let label = excerpts
            .label
            .map(|(level, code)| line![label(level, code), ": "]);
        let mut text = self.element("p", &line![label, &excerpts.title]);
        text.extend(excerpts.shared().iter().map(|one| self.excerpt(one)));
        let notes = excerpts.notes.iter();
        text.extend(notes.map(|note| self.element("p", &line!["note: ", note])));
        text
    }

    /// Lines of code with their numbers, and two lines of context.
    fn excerpt(&self, shared: &[&Excerpt]) -> String {
        let captions = shared.iter().map(|one| {
            let (place, label) = (self.place(&one.place()), self.text(&(&one.label).into()));
            format!("{place} {label}")
        });
        let lines = numbered(shared, 2);
        let indents = lines.values().filter(|line| !line.trim().is_empty());
        let indents = indents.map(|line| line.len() - line.trim_start().len());
        let indent = indents.min().unwrap_or_default();
        let width = lines.keys().last().map_or(0, |last| last.to_string().len());
        let code = lines.iter().map(|(number, text)| {
            let here = shared.iter().filter(|one| one.line == *number);
            let mut calls: Vec<_> = here.map(|one| one.call()).collect();
            calls.sort_by_key(|call| call.start);
            let (mut code, mut at) = (String::new(), indent.min(text.len()));
            for Range { start, end } in calls {
                // A call can be in another one.
                if let Some((before, call)) = text.get(at..start).zip(text.get(start..end)) {
                    code += &format!("{}<mark>{}</mark>", markup(before), markup(call));
                    at = end;
                }
            }
            code += &markup(text.get(at..).unwrap_or_default());
            format!("<i>{number:>width$}</i> {code}\n")
        });
        let notes = notes(shared).into_iter();
        let notes = notes.map(|(name, line)| line![name, " ", line]);
        format!(
            "<figure><figcaption>{}</figcaption>\n<pre>{}</pre>\n{}</figure>\n",
            captions.collect::<Vec<_>>().join("<br>\n"),
            code.collect::<String>(),
            self.list(&notes.collect::<Vec<_>>())
        )
    }

    fn text(&self, line: &Line) -> String {
        let plain = |text: &str| -> String {
            let parts = code_parts(text).into_iter().enumerate();
            let parts = parts.map(|(number, part)| match number % 2 {
                0 => markup(&signs(part)),
                _ => format!("<code>{}</code>", markup(part)),
            });
            parts.collect()
        };
        let part = |(style, text): &(Style, String)| {
            let class = match style {
                Style::Plain => return plain(text),
                Style::Foreign => return markup(text),
                Style::Place => return self.place(text),
                Style::Code => return format!("<code>{}</code>", markup(text)),
                Style::Good => "good",
                Style::Bad => "bad",
                Style::Doubtful => "doubtful",
                Style::Dim => "faint",
                Style::Strong => "strong",
            };
            format!("<span class={class}>{}</span>", plain(text))
        };
        line.0.iter().map(part).collect()
    }

    /// A file with its line as code, with a link to it where its address is known.
    fn place(&self, place: &str) -> String {
        let code = format!("<code>{}</code>", markup(place));
        match self.source.and_then(|source| address(source, place)) {
            Some(address) => format!("<a href=\"{}\">{code}</a>", markup(&address)),
            None => code,
        }
    }
}

fn signs(text: &str) -> String {
    let text = text.replace("->", "\u{2192}").replace("<=", "\u{2264}");
    text.replace(">=", "\u{2265}").replace(" x ", " \u{d7} ")
}

/// The address of `src/text.rs:53:21`; `None` for a file that is not of the repository, as far as
/// its name tells: of a registry, of a toolchain, or with an absolute path.
fn address(source: &str, place: &str) -> Option<String> {
    let (rest, last) = place.rsplit_once(':')?;
    let (path, line) = match rest.rsplit_once(':') {
        Some((path, line)) if line.parse::<u32>().is_ok() => (path, line),
        _ => (rest, last),
    };
    line.parse::<u32>().ok()?;
    let first = path.split(['/', '\\']).next()?;
    let mut numbered = first.split('-').skip(1);
    let is_release = numbered.any(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    if is_release || matches!(first, "" | "library" | "..") || path.contains(':') {
        return None;
    }
    let mut encoded = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    Some(source.replace("{line}", line).replace("{path}", &encoded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Level;
    use crate::printable::quoted;
    use crate::report::text::{left, line, place, styled};

    const HOSTILE: &str =
        "</code></pre><script>alert(1)</script>\"onload='alert(2)'<img src=x>&\u{202e}";
    const HARMLESS: &str = "&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;\
                            onload='alert(2)'&lt;img src=x&gt;&amp;\\u{202e}";

    fn written(blocks: &[Block], source: Option<&str>) -> String {
        let mut text = Vec::new();
        write(blocks, source, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn text_from_outside_is_no_markup_wherever_it_stands() {
        let line = || line![HOSTILE, " ", quoted(HOSTILE), place(HOSTILE)];
        let excerpt = Excerpt {
            file: HOSTILE.into(),
            line: 1,
            column: None,
            code: HOSTILE.into(),
            around: vec![(2, HOSTILE.into())],
            label: HOSTILE.into(),
            is_old: false,
            notes: ["a", "b", "c", "d"].map(|name| (name, line())).into(),
        };
        let blocks = [
            Block::Title(1, line()),
            Block::Line(styled(Style::Bad, HOSTILE)),
            Block::Lines(vec![line()]),
            Block::List(vec![line(); 9]),
            Block::table(Look::Grid, vec![left(HOSTILE)], vec![vec![line()]]),
            Block::Excerpts(Excerpts {
                label: Some((Level::Deny, "allocates")),
                title: HOSTILE.into(),
                list: vec![excerpt],
                notes: vec![HOSTILE.into()],
            }),
            Block::Code("text", vec![HOSTILE.into(), "::error::a".into()]),
            Block::Fold {
                title: line(),
                is_open: false,
                blocks: vec![Block::Line(line())],
            },
        ];
        for source in [None, Some("https://example.org/{path}#L{line}")] {
            let page = written(&blocks, source);
            assert!(page.matches(HARMLESS).count() > 60, "{page}");
            for markup in ["<script>alert", "</code></pre>", "\"onload", "<img"] {
                assert!(!page.contains(markup), "{markup}: {page}");
            }
            assert_eq!(page.matches("<script").count(), 1);
            assert!(page.contains("\n\\::error::a"), "{page}");
        }
    }

    #[test]
    fn what_makes_commands_harmless_changes_neither_style_nor_script() {
        assert_eq!(plain_lines(STYLE), STYLE);
        assert_eq!(plain_lines(SCRIPT), SCRIPT);
    }

    #[cfg(target_os = "linux")]
    #[expect(clippy::disallowed_types, reason = "another program judges our hash")]
    #[test]
    fn the_policy_knows_the_script_by_its_hash() {
        const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/report/write/html/page.js");
        let output = std::process::Command::new("sha256sum").arg(file).output();
        let output = String::from_utf8(output.unwrap().stdout).unwrap();
        let bits = |digits: &str, each: usize, digit: fn(char) -> usize| -> String {
            let all = digits.chars().map(|one| format!("{:0each$b}", digit(one)));
            all.collect::<String>()[..256].to_owned()
        };
        let found = bits(&output[..64], 4, |one| one.to_digit(16).unwrap() as usize);
        let (name, hash) = SCRIPT_HASH.split_once('-').unwrap();
        let known = bits(hash.trim_end_matches('='), 6, |one| {
            DIGITS.find(one).unwrap()
        });
        assert_eq!((name, known), ("sha256", found));
    }

    #[test]
    fn a_place_in_the_repository_is_a_link() {
        let source = "https://example.org/blob/0123/{path}#L{line}";
        let table = r#"
            src/text.rs:53:21 | src/text.rs#L53
            src\text.rs:53 | src/text.rs#L53
            a b/{line}"?.rs:7 | a%20b/%7Bline%7D%22%3F.rs#L7
            gates.toml:12:10 | gates.toml#L12
            serde-1.0.0/src/lib.rs:3:1 | no link
            library/alloc/src/vec/mod.rs:3:1 | no link
            /home/a/src/lib.rs:3:1 | no link
            C:\src\lib.rs:3:1 | no link
            ../other/src/lib.rs:3:1 | no link
            no line | no link"#;
        for [place, expected] in crate::tests::rows(table) {
            let address = address(source, place);
            let rest = address
                .as_ref()
                .map(|it| it.strip_prefix("https://example.org/blob/0123/"));
            assert_eq!(rest.unwrap_or(Some("no link")), Some(expected), "{place}");
        }
        let shown = "1 \u{2192} 2, \u{2264} 1 \u{d7} 2, 0x1";
        assert_eq!(signs("1 -> 2, <= 1 x 2, 0x1"), shown);
        let page = written(
            &[Block::Line(line!["at ", place("a&b.rs:2")])],
            Some(source),
        );
        let link = "<p>at <a href=\"https://example.org/blob/0123/a%26b.rs#L2\"><code>a&amp;b.rs:2";
        assert!(page.contains(link), "{page}");
    }
}
