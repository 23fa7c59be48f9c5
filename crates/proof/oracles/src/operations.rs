//! The corpus: operations by what they exercise.

pub(crate) mod blocks;
pub(crate) mod collections;
pub(crate) mod files;
pub(crate) mod libraries;
pub(crate) mod sharing;
pub(crate) mod text;
pub(crate) mod threads;
