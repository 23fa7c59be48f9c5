//! The writers of reports. Only they make text from outside harmless.

mod html;
mod markdown;
mod terminal;

pub(super) use html::write as html;
pub(super) use markdown::write as markdown;
pub(super) use terminal::write as terminal;
