//! [`Foreign`]: text from outside.

/// Text from outside: a name, a path, a line of code, a message. Only the writers beside this
/// file can read it, and each makes it harmless in its own way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::report) struct Foreign(String);

impl Foreign {
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

impl<T: Into<String>> From<T> for Foreign {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}
