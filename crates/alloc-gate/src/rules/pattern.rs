//! [`Pattern`]: a glob over scenario names.

use globset::{GlobBuilder, GlobMatcher};

use crate::diagnostic::Place;

/// A glob over full scenario names: `*` matches any text, `?` any character, `[ab]` one of
/// several characters, `{a,b}` one of several texts, and `\` escapes the next character.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    matcher: GlobMatcher,
    place: Place,
}

impl Pattern {
    /// Parses a glob.
    ///
    /// # Errors
    ///
    /// Returns the reason if `text` is not a glob.
    pub fn new(text: &str, place: Place) -> Result<Self, String> {
        // Names are not paths: `*` matches `/` too, and `\` escapes on every platform.
        let glob = GlobBuilder::new(text)
            .literal_separator(false)
            .backslash_escape(true)
            .build()
            .map_err(|error| error.kind().to_string())?;
        Ok(Self {
            text: text.to_owned(),
            matcher: glob.compile_matcher(),
            place,
        })
    }

    /// The text in the rules.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place in the file.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Whether it matches the full name of a scenario.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        self.matcher.is_match(name)
    }

    /// Whether one of the `patterns` matches the full name of a scenario.
    pub(super) fn any_matches(patterns: &[Self], name: &str) -> bool {
        patterns.iter().any(|pattern| pattern.matches(name))
    }
}
