//! The writers of documents. Only they make text from outside harmless.

pub(super) mod foreign;
mod markdown;
mod terminal;

pub(super) use markdown::{page, write as markdown};
pub(super) use terminal::{plain, write as terminal};
