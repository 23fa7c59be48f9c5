//! A JSON report in a compact layout: a value that fits into a line stands on one.
//!
//! `serde_json` prints each field on a line of its own, and a report of a few scenarios
//! has hundreds of lines. This module joins them again, up to [`WIDTH`] characters a line.
//! Only line breaks and indentation change: keys, their order, values and escapes are kept
//! as they are.

/// The most characters of a line, without its indentation.
const WIDTH: usize = 140;

/// A line of the pretty-printed text, or the lines between two brackets.
enum Member<'t> {
    Line(&'t str),
    Nested {
        /// Ends with the bracket, and may begin with a key.
        open: &'t str,
        members: Vec<Member<'t>>,
        /// Begins with the bracket, and may end with a comma.
        close: &'t str,
    },
}

/// The text of `pretty`, which `serde_json` printed, in fewer lines.
pub(crate) fn reprint(pretty: &str) -> String {
    let mut lines = pretty.lines().map(str::trim_start);
    let mut text = String::new();
    while let Some(line) = lines.next() {
        write(&Member::read(line, &mut lines), 0, &mut text);
    }
    text
}

impl<'t> Member<'t> {
    /// The member that begins with `line`.
    ///
    /// A line that ends inside a string would end with a quote, so a bracket at the end of
    /// a line opens a value.
    fn read(line: &'t str, rest: &mut impl Iterator<Item = &'t str>) -> Self {
        if !line.ends_with(['{', '[']) {
            return Self::Line(line);
        }
        let mut members = Vec::new();
        loop {
            match rest.next() {
                Some(close) if close.starts_with(['}', ']']) => {
                    return Self::Nested {
                        open: line,
                        members,
                        close,
                    };
                }
                Some(line) => members.push(Self::read(line, rest)),
                None => panic!("`{line}` is not closed"),
            }
        }
    }

    fn on_one_line(&self) -> String {
        match self {
            Self::Line(line) => (*line).to_owned(),
            Self::Nested {
                open,
                members,
                close,
            } => {
                let members: Vec<String> = members.iter().map(Self::on_one_line).collect();
                format!("{open}{}{close}", members.join(" "))
            }
        }
    }
}

/// Appends a member: on one line if it fits, or else its own members below each other, as
/// many a line as fit.
fn write(member: &Member<'_>, indent: usize, text: &mut String) {
    let line = member.on_one_line();
    match member {
        Member::Nested {
            open,
            members,
            close,
        } if line.len() > WIDTH => {
            push_line(text, indent, open);
            let mut packed = String::new();
            for member in members {
                let line = member.on_one_line();
                if !packed.is_empty() && packed.len() + 1 + line.len() > WIDTH {
                    push_line(text, indent + 1, &packed);
                    packed.clear();
                }
                if line.len() > WIDTH {
                    write(member, indent + 1, text);
                    continue;
                }
                if !packed.is_empty() {
                    packed.push(' ');
                }
                packed.push_str(&line);
            }
            if !packed.is_empty() {
                push_line(text, indent + 1, &packed);
            }
            push_line(text, indent, close);
        }
        Member::Line(_) | Member::Nested { .. } => push_line(text, indent, &line),
    }
}

fn push_line(text: &mut String, indent: usize, line: &str) {
    text.push_str(&"  ".repeat(indent));
    text.push_str(line);
    text.push('\n');
}

#[test]
fn short_values_share_a_line_and_long_ones_are_broken() {
    let long = "x".repeat(WIDTH);
    let value = serde_json::json!({
        "a": [],
        "b": [1, {"c": null}],
        "d": {"e": "ends with {", "f": long, "g": {}, "h": ["[", "\n"]},
        "i": true,
    });
    let pretty = serde_json::to_string_pretty(&value).expect("a value can be printed");
    let expected = format!(
        r#"{{
  "a": [], "b": [1, {{"c": null}}],
  "d": {{
    "e": "ends with {{",
    "f": "{long}",
    "g": {{}}, "h": ["[", "\n"]
  }},
  "i": true
}}
"#
    );
    assert_eq!(reprint(&pretty), expected);
    let joined = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(joined(&reprint(&pretty)), joined(&pretty));
}
