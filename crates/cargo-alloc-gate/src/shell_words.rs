//! Commands as a person types them in a POSIX shell, and the commands in hints.

use std::ffi::OsStr;

use alloc_gate::markup;

/// The words of a command, quoted where needed.
pub(crate) fn quoted(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    let words = words.into_iter().map(|word| {
        let word = word.as_ref().to_string_lossy();
        if !word.is_empty() && word.chars().all(is_plain) {
            word.into_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

/// How the commands in hints are called here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints {
    /// Whether the program is an xtask, which may be all that is installed.
    pub(crate) is_xtask: bool,
    /// The options that say where the workspace and its rules are, names and values.
    pub(crate) location: Vec<(&'static str, String)>,
}

impl Hints {
    /// The text in which each `cargo alloc-gate ...` between backticks can be pasted.
    pub(crate) fn pasteable(&self, text: &str) -> String {
        self.pasteable_between(["`", "`"], text, str::to_owned)
    }

    /// The same for a page in HTML.
    pub(crate) fn pasteable_page(&self, page: &str) -> String {
        self.pasteable_between(["<code>", "</code>"], page, markup)
    }

    fn pasteable_between(
        &self,
        [open, close]: [&str; 2],
        text: &str,
        escape: impl Fn(&str) -> String,
    ) -> String {
        let begin = format!("{open}cargo alloc-gate");
        let mut parts = text.split(&begin);
        let mut result = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (command, rest) = part.split_at(part.find(close).unwrap_or_default());
            let is_command =
                rest.starts_with(close) && (command.is_empty() || command.starts_with(' '));
            if self.is_xtask && is_command {
                result.push_str(&format!("{open}cargo xtask alloc-gate"));
            } else {
                result.push_str(&begin);
            }
            result.push_str(command);
            for (name, value) in &self.location {
                if is_command && !command.contains(name) {
                    result.push_str(&format!(" {}", escape(&quoted([*name, value]))));
                }
            }
            result.push_str(rest);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_needed() {
        let words = ["cargo", "x", "a*", "", "it's", "--report=json=x/y.json"];
        assert_eq!(
            quoted(words),
            r"cargo x 'a*' '' 'it'\''s' --report=json=x/y.json"
        );
    }

    #[test]
    fn the_commands_of_a_hint_can_be_pasted() {
        let mut hints = Hints {
            is_xtask: false,
            location: vec![("--config-file", String::from("my rules.toml"))],
        };
        for (text, expected) in [
            (
                "run `cargo alloc-gate accept`, or `cargo alloc-gate`",
                "run `cargo alloc-gate accept --config-file 'my rules.toml'`, or \
                 `cargo alloc-gate --config-file 'my rules.toml'`",
            ),
            (
                "`cargo alloc-gate list --config-file x`",
                "`cargo alloc-gate list --config-file x`",
            ),
            ("`cargo alloc-gate", "`cargo alloc-gate"),
            (
                "`cargo alloc-gates x` `cargo bench`",
                "`cargo alloc-gates x` `cargo bench`",
            ),
        ] {
            assert_eq!(hints.pasteable(text), expected);
        }
        hints.location[0].1 = String::from("<a>&b");
        assert_eq!(
            hints.pasteable_page("<code>cargo alloc-gate list</code> <code>cargo</code>"),
            "<code>cargo alloc-gate list --config-file '&lt;a&gt;&amp;b'</code> <code>cargo</code>"
        );
        hints.is_xtask = true;
        hints.location.clear();
        assert_eq!(
            hints.pasteable("run `cargo alloc-gate list`"),
            "run `cargo xtask alloc-gate list`"
        );
    }
}
