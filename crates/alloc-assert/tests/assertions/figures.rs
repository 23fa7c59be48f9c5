//! [`figures`]: the line of a failure with the values of all metrics.

use alloc_requirement::{Metric, ReadingPart};

/// The values of all metrics as a failure shows them. `known` lists them without the
/// metrics that are 0: `allocs 2, bytes 44`.
pub(crate) fn figures(known: &str) -> String {
    let known: Vec<(&str, &str)> = known
        .split(", ")
        .filter_map(|figure| figure.split_once(' '))
        .collect();
    for (name, _) in &known {
        assert!(name.parse::<Metric>().is_ok(), "{name}");
    }
    let is_native_counted = cfg!(all(
        feature = "native",
        target_os = "linux",
        target_env = "gnu"
    ));
    let shown = Metric::ALL
        .into_iter()
        .filter(|metric| is_native_counted || metric.part() != ReadingPart::Native)
        .map(|metric| {
            let mut given = known.iter().filter(|(name, _)| *name == metric.name());
            let value = given.next().map_or("0", |(_, value)| value);
            format!("{metric} {value}")
        });
    shown.collect::<Vec<_>>().join(", ")
}
