//! The smoke test: runs each scenario once with its checks, without measuring. It
//! also proves the counter, so that a missing counter is found before the gate runs.
//! Scenarios that are unavailable on this machine are ignored.

use std::time::Instant;

use counting_alloc::prove;

use crate::failure::catch;
use crate::selection::Selection;
use crate::sweep::Swept;
use crate::{console, environment};

/// Runs the selected scenarios once, with the output of Rust's test harness, and
/// returns whether all of them succeeded.
pub(crate) fn run(selection: &Selection<'_>, definitions: &mut [Box<dyn Swept + '_>]) -> bool {
    if let Err(error) = environment::check(&prove()) {
        console::error(&error);
        return false;
    }
    let plural = if selection.len() == 1 { "" } else { "s" };
    console::print(&format!("\nrunning {} test{plural}\n", selection.len()));
    let begin = Instant::now();
    let (mut failed, mut ignored) = (0, 0);
    for entry in &selection.entries {
        console::print(&format!("test {} ... ", entry.name));
        let (swept, point) = match entry.find(definitions) {
            Ok(found) => found,
            Err(reason) => {
                ignored += 1;
                console::print(&format!("ignored, {reason}\n"));
                continue;
            }
        };
        let message = match catch(|| swept.smoke(point)) {
            Ok(Ok(())) => {
                console::print("ok\n");
                continue;
            }
            Ok(Err(failure)) => failure.to_string(),
            Err(message) => format!("panicked: {message}"),
        };
        failed += 1;
        console::print("FAILED\n");
        console::error(&format!(
            "scenario `{}` (at {}) {message}",
            entry.name, entry.location
        ));
    }
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
