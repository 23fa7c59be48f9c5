//! Failed requirements as a report of GitLab's Code Quality, which merge requests show on the
//! lines of their diff: [`code_quality`].

use std::io::{self, Write};

use crate::report::export::alerts::alerts;
use crate::report::export::json::object::{Json, Object};
use crate::report::export::runs::Runs;

/// Writes an entry for each requirement that fails the check, on the line that allocates, or else
/// on the scenario.
pub(in crate::report) fn code_quality(runs: Runs<'_>, out: &mut dyn Write) -> io::Result<()> {
    let entries = alerts(runs).into_iter().map(|alert| {
        let lines = Object::default().with("begin", alert.spot.line);
        let location = Object::default()
            .with("path", alert.spot.file)
            .with("lines", lines);
        Object::default()
            .with("description", alert.text)
            .with("check_name", alert.rule)
            .with("fingerprint", alert.fingerprint)
            .with("severity", "major")
            .with("location", location)
    });
    Json::list(entries).write(out)
}
