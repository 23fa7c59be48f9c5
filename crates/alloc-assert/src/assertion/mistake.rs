//! [`TextMistake`]: a mistake in the text of an assertion. Its message underlines the
//! place and lists what can be written.

use std::fmt;
use std::ops::Range;

use super::metric::AssertedMetric;

/// A mistake in a text, with a hint what to write instead.
#[derive(Debug)]
pub(super) struct TextMistake {
    text: String,
    span: Range<usize>,
    message: String,
    hint: String,
}

impl TextMistake {
    pub(super) fn new(text: &str, span: Range<usize>, message: String, hint: String) -> Self {
        Self {
            text: text.to_owned(),
            span,
            message,
            hint,
        }
    }

    #[cfg(test)]
    pub(super) fn marked(&self) -> String {
        let (before, rest) = self.text.split_at(self.span.start);
        let (at, after) = rest.split_at(self.span.len());
        format!("{before}«{at}»{after}")
    }

    #[cfg(test)]
    pub(super) fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for TextMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let characters = |bytes: Range<usize>| {
            let part = self.text.get(bytes).unwrap_or_default();
            part.chars().count()
        };
        // The text on one line, in which each character keeps its column.
        let line = self.text.replace(char::is_control, " ");
        let margin = " ".repeat(characters(0..self.span.start));
        // At least one character is underlined.
        let underline = "^".repeat(characters(self.span.clone()).max(1));
        let metrics = AssertedMetric::all().map(AssertedMetric::name);
        let metrics = metrics.collect::<Vec<_>>().join(", ");
        write!(
            f,
            "not a requirement on allocations: {}\n    \
             {line}\n    \
             {margin}{underline}\n  \
             hint:        {}\n  \
             form:        METRIC COMPARATOR NUMBER, several joined by commas: `allocs <= 2, net-bytes == 0`\n  \
             metrics:     {metrics}\n  \
             comparators: <, <=, ==, >=, >",
            self.message, self.hint
        )
    }
}
