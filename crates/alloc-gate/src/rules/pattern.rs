//! [`Pattern`]: which scenarios a gate is about.

use globset::{GlobBuilder, GlobMatcher};

use crate::diagnostic::Place;

/// A glob over full scenario names: `*` stands for any text, `?` for a
/// character, `[ab]` for one of several, `{a,b}` for one of several texts, and
/// `\` takes the next character literally.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    matcher: GlobMatcher,
    place: Place,
}

impl Pattern {
    /// Reads a glob; the error says what is wrong with it.
    ///
    /// # Errors
    ///
    /// When `text` is not a glob.
    pub fn new(text: &str, place: Place) -> Result<Self, String> {
        // Names are not paths: `/` is a character like any other, and `\`
        // escapes on every platform.
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

    /// As it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it stands in the file.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Whether it means the scenario of this full name.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        self.matcher.is_match(name)
    }
}
