//! The smoke test: runs each scenario once with its checks, without measuring. It
//! also proves the counter, so that a missing counter is found before the gate runs.
//! Scenarios that are unavailable on this machine are ignored.

use std::time::Instant;

use counting_alloc::prove;

use crate::failure::catch;
use crate::selection::{Entry, Selection};
use crate::sweep::{Failure, Swept};
use crate::{console, environment};

/// Runs the selected scenarios once, with the output of Rust's test harness, and
/// returns whether all of them succeeded.
pub(crate) fn run(selection: &Selection, definitions: &mut [Box<dyn Swept + '_>]) -> bool {
    let Some(mut smoke) = SmokeRun::begin(selection, false) else {
        return false;
    };
    for entry in &selection.entries {
        smoke.progress(entry);
        match entry.find(definitions) {
            Ok((swept, point)) => smoke.add(entry, smoked(catch(|| swept.smoke(point)))),
            Err(reason) => smoke.ignore(reason),
        }
    }
    smoke.end(selection)
}

/// Why a smoke test failed: `result` is a panic's message as well.
pub(crate) fn smoked(result: Result<Result<(), Failure>, String>) -> Result<(), String> {
    match result {
        Ok(Ok(())) => Ok(()),
        Ok(Err(failure)) => Err(failure.to_string()),
        Err(message) => Err(format!("panicked: {message}")),
    }
}

/// The results of a smoke test so far.
pub(crate) struct SmokeRun {
    begin: Instant,
    failed: usize,
    ignored: usize,
}

impl SmokeRun {
    /// Proves the counter. `None` if it does not count, which was reported.
    pub(crate) fn begin(selection: &Selection, is_called: bool) -> Option<Self> {
        if let Err(error) = environment::check(&prove(), is_called) {
            console::error(&error);
            return None;
        }
        let plural = if selection.len() == 1 { "" } else { "s" };
        console::print(&format!("\nrunning {} test{plural}\n", selection.len()));
        Some(Self {
            begin: Instant::now(),
            failed: 0,
            ignored: 0,
        })
    }

    /// Shows which scenario runs next.
    pub(crate) fn progress(&self, entry: &Entry) {
        console::print(&format!("test {} ... ", entry.name));
    }

    fn ignore(&mut self, reason: &str) {
        self.ignored += 1;
        console::print(&format!("ignored, {reason}\n"));
    }

    /// Shows whether the scenario succeeded.
    pub(crate) fn add(&mut self, entry: &Entry, smoked: Result<(), String>) {
        let Err(message) = smoked else {
            console::print("ok\n");
            return;
        };
        self.failed += 1;
        console::print("FAILED\n");
        console::error(&format!(
            "scenario `{}` (at {}) {message}",
            entry.name, entry.location
        ));
    }

    /// Prints the summary. Returns whether all scenarios succeeded.
    pub(crate) fn end(self, selection: &Selection) -> bool {
        let Self {
            begin,
            failed,
            ignored,
        } = self;
        console::print(&format!(
            "\ntest result: {}. {} passed; {failed} failed; {ignored} ignored; 0 measured; {} filtered out; \
             finished in {:.2}s\n\n",
            if failed == 0 { "ok" } else { "FAILED" },
            selection.len() - failed - ignored,
            selection.left_out,
            begin.elapsed().as_secs_f64(),
        ));
        failed == 0
    }
}
