//! Figures as a JSON file of Bencher, the Bencher Metric Format: [`bmf`].

use std::io::{self, Write};

use alloc_results::Ratio;

use crate::report::export::json::object::Object;
use crate::report::export::measured::{measured, number};
use crate::report::export::runs::{Names, Runs};

/// The end of a name that Bencher would send no alerts of.
const IGNORED: &str = "-bencher-ignore";

/// Writes all metrics of all scenarios: the mean between the smallest and the largest value.
/// Bencher takes names of up to 1,024 characters.
pub(in crate::report) fn bmf(runs: Runs<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut names = Names::default();
    let mut benchmarks = Object::default();
    for (mut name, _, scenario) in runs.scenarios() {
        if name.ends_with(IGNORED) {
            name.push('_');
        }
        let mut measures = Object::default();
        for one in measured(&scenario.record) {
            let figures = Object::default()
                .with("value", number(one.values.mean()))
                .with("lower_value", number(Ratio::whole(one.values.min())))
                .with("upper_value", number(Ratio::whole(one.values.max())));
            measures = measures.with(one.metric.to_owned(), figures);
        }
        benchmarks = benchmarks.with(names.unique(&name), measures);
    }
    benchmarks.write(out)
}
