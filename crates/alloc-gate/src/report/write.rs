//! The writers of documents. Only they make text from outside harmless.

mod excerpt;
pub(super) mod foreign;
mod html;
mod markdown;
mod terminal;

pub(super) use html::write as html;
pub(super) use markdown::{page, write as markdown};
pub(super) use terminal::{plain, write as terminal};
