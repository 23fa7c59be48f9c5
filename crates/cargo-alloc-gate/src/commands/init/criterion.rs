//! `init` in a package with benches over criterion: names them in gates.toml, and prints the line
//! of Cargo.toml that counts them.

use cargo_metadata::Package;

use super::{InitArguments, RULES_HEAD};
use crate::failure::Failure;

/// The crate that counts, under the name of criterion.
const CRATE: &str = "alloc-criterion";

/// How benches run, in the begin of a gates.toml.
const USUAL_RUN: &str = "A scenario can set its own numbers.
# [run]
# warmup = 1_000
# iterations = 10_000
";

/// The same for benches of criterion, which often have many scenarios.
const RUN: &str = "Scenarios of criterion have their sample_size, at most 100.
[run]
timeout = \"10m\" # of each bench
";

/// Whether `init` applies to these benches: the package has none of alloc-scenario.
pub(super) fn is_for(package: &Package, benches: &[String]) -> bool {
    let mut dependencies = package.dependencies.iter();
    !benches.is_empty() && dependencies.all(|one| one.name != super::CRATE)
}

/// The begin of a gates.toml.
pub(super) fn rules_head() -> String {
    RULES_HEAD.replace(USUAL_RUN, RUN)
}

/// The dependency that counts, with what the present one has besides; `None` if it is there.
pub(super) fn line(
    package: &Package,
    arguments: &InitArguments,
) -> Result<Option<String>, Failure> {
    if package.dependencies.iter().any(|one| one.name == CRATE) {
        return Ok(None);
    }
    let own = arguments.keys(CRATE, package)?;
    let mut line = format!("criterion = {{ package = \"{CRATE}\", {own}");
    let mut dependencies = package.dependencies.iter();
    if let Some(present) = dependencies.find(|one| one.name == "criterion") {
        if !present.uses_default_features {
            line.push_str(", default-features = false");
        }
        if !present.features.is_empty() {
            line.push_str(&format!(", features = {:?}", present.features));
        }
        if present.optional {
            line.push_str(", optional = true");
        }
    }
    Ok(Some(line + " }"))
}
