//! Stands in for signals and process groups where there are none.

use std::path::Path;
use std::process::Command;

use super::Stops;

pub(super) fn own_group(_command: &mut Command) {}

pub(super) fn stop(_id: u32, _stops: Stops) {}

pub(super) fn stop_marked(_mark: &Path) -> Vec<u32> {
    Vec::new()
}

pub(super) fn watch(_stopped: fn(i32)) {}

pub(super) fn name(_signal: i32) -> &'static str {
    "a signal"
}

pub(super) fn end_by(_signal: i32) {}

/// Nothing stops a child where a program ends without a word.
pub(super) struct Guard;

impl Guard {
    pub(super) fn start() -> Option<Self> {
        None
    }

    pub(super) fn watch(&mut self, _id: u32, _stops: Stops) {}
}
