//! Commands as a person types them in a POSIX shell, and the commands in hints.

use std::ffi::OsStr;

/// The words of a command, quoted where needed.
pub(crate) fn typed(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    let words = words.into_iter().map(|word| {
        let word = word.as_ref().to_string_lossy();
        match !word.is_empty() && word.chars().all(is_plain) {
            true => word.into_owned(),
            false => format!("'{}'", word.replace('\'', r"'\''")),
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

/// The text in which each `cargo alloc-gate ...` between backticks has these options, names
/// and values, so that it can be pasted.
pub(crate) fn with_options(text: &str, options: &[(&str, String)]) -> String {
    const BEGIN: &str = "`cargo alloc-gate";
    let mut parts = text.split(BEGIN);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push_str(BEGIN);
        let (command, rest) = part.split_at(part.find('`').unwrap_or_default());
        result.push_str(command);
        let is_command = rest.starts_with('`') && (command.is_empty() || command.starts_with(' '));
        for (name, value) in options {
            if is_command && !command.contains(name) {
                result.push_str(&format!(" {}", typed([*name, value])));
            }
        }
        result.push_str(rest);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_needed() {
        let words = ["cargo", "x", "a*", "", "it's", "--report=json=x/y.json"];
        assert_eq!(
            typed(words),
            r"cargo x 'a*' '' 'it'\''s' --report=json=x/y.json"
        );
    }

    #[test]
    fn the_commands_of_a_hint_get_options() {
        let options = [("--config-file", String::from("my rules.toml"))];
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
            assert_eq!(with_options(text, &options), expected);
        }
    }
}
