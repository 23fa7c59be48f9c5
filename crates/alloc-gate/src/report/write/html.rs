//! The writer of a page for a browser: one file, which loads nothing and is complete without its
//! script. The script sorts and filters tables. The policy of the page forbids any other one.

use std::io::{self, Write};

use crate::printable::{markup, one_line, plain_lines};
use crate::report::document::{Align, Block, Excerpt, Excerpts, Inline, Line, Style, Table, words};
use crate::report::write::around_call;
use crate::report::write::plain;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The hash of the script, by which the policy knows it.
const SCRIPT_HASH: &str = "sha256-iHpA3acBRqeM6+ju8mQq2YwYXOllYYMdJHTP/WnYPbs=";

/// Writes the page. `source` is the address of a line of the sources, with `{path}` and `{line}`.
pub(in crate::report) fn write(
    blocks: &[Block],
    source: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut page = Vec::new();
    write!(
        page,
        "<!doctype html>\n<!-- alloc-gate -->\n<html lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src '{SCRIPT_HASH}'; base-uri 'none'; \
         form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n",
        markup(&title(blocks).unwrap_or_default())
    )?;
    let mut body = Page {
        out: &mut page,
        source,
    };
    body.blocks(blocks)?;
    writeln!(page, "<script>{SCRIPT}</script>\n</body>\n</html>")?;
    // A CI system that prints the page finds no command in it.
    out.write_all(plain_lines(&String::from_utf8_lossy(&page)).as_bytes())
}

/// The first heading.
fn title(blocks: &[Block]) -> Option<String> {
    blocks.iter().find_map(|block| {
        if let Block::Page(blocks) = block {
            title(blocks)
        } else if let Block::Heading(_, line) = block {
            Some(plain(line))
        } else {
            None
        }
    })
}

/// A page that is being written.
struct Page<'o> {
    out: &'o mut dyn Write,
    source: Option<&'o str>,
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
                let text = self.text(line);
                writeln!(self.out, "<h{level}>{text}</h{level}>")
            }
            Block::Line(line) => self.paragraph("p", line),
            Block::Lines(lines) => lines.iter().try_for_each(|line| self.paragraph("p", line)),
            Block::List(lines) => self.list(lines),
            Block::Problem(problem) => self.blocks(&problem.blocks()),
            Block::Table(table) if table.rows.is_empty() => Ok(()),
            Block::Table(table) => self.table(table),
            Block::Excerpts(excerpts) => self.excerpts(excerpts),
            Block::Preformatted(_, lines) => {
                let lines = lines.iter().map(|line| markup(&one_line(line.text())));
                let lines: Vec<String> = lines.collect();
                writeln!(self.out, "<pre>{}</pre>", lines.join("\n"))
            }
            Block::Fold {
                title,
                is_open,
                blocks,
            } => {
                writeln!(self.out, "<details{}>", if *is_open { " open" } else { "" })?;
                self.paragraph("summary", title)?;
                self.blocks(blocks)?;
                writeln!(self.out, "</details>")
            }
        }
    }

    fn paragraph(&mut self, element: &str, line: &Line) -> io::Result<()> {
        let text = self.text(line);
        writeln!(self.out, "<{element}>{text}</{element}>")
    }

    fn list(&mut self, lines: &[Line]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "<ul>")?;
        lines
            .iter()
            .try_for_each(|line| self.paragraph("li", line))?;
        writeln!(self.out, "</ul>")
    }

    fn table(&mut self, Table { columns, rows }: &Table) -> io::Result<()> {
        let class = |align: Align| match align {
            Align::Left => "",
            Align::Right => " class=r",
        };
        write!(self.out, "<div class=\"wide\"><table>\n<thead><tr>")?;
        for (title, align) in columns {
            write!(self.out, "<th{}>{}", class(*align), self.text(title))?;
        }
        writeln!(self.out, "</thead>\n<tbody>")?;
        for cells in rows {
            write!(self.out, "<tr>")?;
            for (line, (_, align)) in cells.iter().zip(columns) {
                write!(self.out, "<td{}>{}", class(*align), self.text(line))?;
            }
            writeln!(self.out)?;
        }
        writeln!(self.out, "</tbody>\n</table></div>")
    }

    fn excerpts(&mut self, excerpts: &Excerpts) -> io::Result<()> {
        let label = excerpts.label.map(|label| words!("{}: ", label));
        self.paragraph("p", &words!("{}{}", label, excerpts.title.clone()))?;
        excerpts.list.iter().try_for_each(|one| self.excerpt(one))
    }

    fn excerpt(&mut self, excerpt: &Excerpt) -> io::Result<()> {
        let [before, call, behind] = around_call(excerpt).map(|code| markup(&code));
        writeln!(
            self.out,
            "<figure><figcaption>{} {}</figcaption>\n<pre>{}<mark>{call}</mark>{behind}</pre>",
            self.place(&excerpt.place()),
            self.text(&excerpt.label),
            before.trim_start()
        )?;
        let notes = excerpt.notes();
        let notes = notes.map(|(name, line)| words!("{} {}", name, line));
        self.list(&notes.collect::<Vec<_>>())?;
        writeln!(self.out, "</figure>")
    }

    /// The line as HTML.
    fn text(&self, line: &Line) -> String {
        let part = |part: &Inline| match part {
            Inline::Words(words) => markup(words),
            Inline::Text(text) => markup(text.text()),
            Inline::Place(place) => self.place(place.text()),
            Inline::Name(name) => format!("<code>{}</code>", markup(name.text())),
            Inline::Styled(style, line) => {
                let class = match style {
                    Style::Good => "good",
                    Style::Bad => "bad",
                    Style::Doubtful => "doubtful",
                    Style::Faint => "faint",
                    Style::Strong => "strong",
                };
                format!("<span class={class}>{}</span>", self.text(line))
            }
            Inline::Label(label) => self.text(&label.styled()),
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
    use crate::report::document::{Label, Problem, name, place, styled};

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
        let line = || words!("{} {} {}", HOSTILE, name(HOSTILE), place(HOSTILE));
        let excerpt = Excerpt {
            file: HOSTILE.into(),
            line: 1,
            column: None,
            code: HOSTILE.into(),
            label: line(),
            is_old: false,
            before: Some(HOSTILE.into()),
            allocates_in: Some(line()),
            called_by: Some(line()),
            made_by: Some(line()),
        };
        let label = Label::error("allocates");
        let blocks = [
            Block::Heading(1, line()),
            Block::Line(styled(Style::Bad, line()).into()),
            Block::Lines(vec![line()]),
            Block::List(vec![line()]),
            Block::Problem(Problem {
                label,
                sentences: vec![line(); 9],
                help: Some(line()),
                is_whole: true,
            }),
            Block::table([(line(), Align::Left)], [vec![line()]]),
            Block::Excerpts(Excerpts {
                label: Some(label),
                title: line(),
                list: vec![excerpt],
                notes: Vec::new(),
            }),
            Block::Preformatted("text", vec![HOSTILE.into(), "::error::a".into()]),
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

    #[test]
    fn the_policy_knows_the_script_by_its_hash() {
        let hash = |text: &str| format!("sha256-{}", base64(&sha256(text.as_bytes())));
        let empty = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        assert_eq!(hash(""), empty);
        assert_eq!(hash(SCRIPT), SCRIPT_HASH);
    }

    /// SHA-256 of FIPS 180-4. Its constants are bits of roots of the first primes.
    fn sha256(text: &[u8]) -> Vec<u8> {
        let root = |prime: u128, power: u32| {
            let of_power = prime << (32 * power);
            let (mut low, mut high) = (0_u128, 1 << 37);
            while high - low > 1 {
                let middle = (low + high) / 2;
                if middle.pow(power) <= of_power {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            low as u32
        };
        let primes = (2_u128..).filter(|n| (2..*n).all(|other| n % other != 0));
        let primes: Vec<u128> = primes.take(64).collect();
        let mut state: Vec<u32> = primes[..8].iter().map(|&one| root(one, 2)).collect();
        let mut padded = [text, &[0x80]].concat();
        while padded.len() % 64 != 56 {
            padded.push(0);
        }
        padded.extend((8 * text.len() as u64).to_be_bytes());
        for block in padded.chunks(64) {
            let words = block.chunks(4);
            let mut w: Vec<u32> = words
                .map(|word| u32::from_be_bytes(word.try_into().unwrap()))
                .collect();
            let mut v = state.clone();
            for t in 0..64 {
                if t >= 16 {
                    let (a, b) = (w[t - 15], w[t - 2]);
                    let a = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
                    let b = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
                    w.push(
                        [a, w[t - 7], b, w[t - 16]]
                            .into_iter()
                            .fold(0, u32::wrapping_add),
                    );
                }
                let (a, e) = (v[0], v[4]);
                let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
                let choice = (e & v[5]) ^ (!e & v[6]);
                let one = [v[7], sum, choice, root(primes[t], 3), w[t]];
                let one = one.into_iter().fold(0, u32::wrapping_add);
                let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
                let majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
                v.rotate_right(1);
                v[4] = v[4].wrapping_add(one);
                v[0] = one.wrapping_add(sum).wrapping_add(majority);
            }
            for (sum, one) in state.iter_mut().zip(v) {
                *sum = sum.wrapping_add(one);
            }
        }
        state.into_iter().flat_map(u32::to_be_bytes).collect()
    }

    fn base64(bytes: &[u8]) -> String {
        let digits = ('A'..='Z')
            .chain('a'..='z')
            .chain('0'..='9')
            .chain(['+', '/']);
        let digits: Vec<char> = digits.collect();
        let groups = bytes.chunks(3).flat_map(|group| {
            let byte = |at: usize| group.get(at).copied().map_or(0, u32::from);
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            let shown = [18, 12, 6, 0].map(|shift| digits[(bits >> shift & 63) as usize]);
            let count = group.len() + 1;
            (0..4).map(move |at| if at < count { shown[at] } else { '=' })
        });
        groups.collect()
    }

    #[test]
    fn a_place_in_the_repository_is_a_link() {
        let source = "https://example.org/blob/0123/{path}#L{line}";
        for (place, address) in [
            ("src/text.rs:53:21", Some("src/text.rs#L53")),
            ("src\\text.rs:53", Some("src/text.rs#L53")),
            ("a b/{line}\"?.rs:7", Some("a%20b/%7Bline%7D%22%3F.rs#L7")),
            ("gates.toml:12:10", Some("gates.toml#L12")),
            ("serde-1.0.0/src/lib.rs:3:1", None),
            ("library/alloc/src/vec/mod.rs:3:1", None),
            ("/home/a/src/lib.rs:3:1", None),
            ("C:\\src\\lib.rs:3:1", None),
            ("../other/src/lib.rs:3:1", None),
            ("no line", None),
        ] {
            let address = address.map(|rest| format!("https://example.org/blob/0123/{rest}"));
            assert_eq!(super::address(source, place), address, "{place}");
        }
        let page = written(
            &[Block::Line(words!("at {}", place("a&b.rs:2")))],
            Some(source),
        );
        let link = "<p>at <a href=\"https://example.org/blob/0123/a%26b.rs#L2\"><code>a&amp;b.rs:2";
        assert!(page.contains(link), "{page}");
    }
}
