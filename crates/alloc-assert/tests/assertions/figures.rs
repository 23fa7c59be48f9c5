//! [`figures`]: the line of a failure with the values of all metrics.

use alloc_results::Metric;

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
    let shown = Metric::ALL.map(|metric| {
        let mut given = known.iter().filter(|(name, _)| *name == metric.name());
        let value = given.next().map_or("0", |(_, value)| value);
        format!("{metric} {value}")
    });
    shown.join(", ")
}
