//! Suggests a metric for a misspelled name.

use super::metric::AssertedMetric;

/// A hint with the metric that is nearest to `name`. If none is near enough, it refers
/// to the list of metrics below.
pub(super) fn suggest(name: &str) -> String {
    let name = name.to_lowercase().replace(['_', ' '], "-");
    let nearest = AssertedMetric::all()
        .map(|metric| (distance(&name, metric.name()), metric))
        .min_by_key(|&(distance, _)| distance);
    match nearest {
        Some((0..=2, metric)) => format!("did you mean `{metric}`?"),
        Some(_) | None => related_to(&name),
    }
}

/// A hint with a metric whose name starts like `name` or contains it, for names such
/// as `peak` and `allocations`.
fn related_to(name: &str) -> String {
    let related = |metric: &AssertedMetric| {
        let stem = metric.name().trim_end_matches('s');
        name.starts_with(stem) || (name.len() > 2 && metric.name().contains(name))
    };
    match AssertedMetric::all().find(related) {
        Some(metric) => format!("did you mean `{metric}`?"),
        None => String::from("the metrics are listed below"),
    }
}

/// The edit distance: how many letters have to be inserted, deleted or replaced to
/// turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, of_a) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, of_b) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(of_a != of_b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[row.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted_in_letters() {
        for (a, b, letters) in [
            ("", "", 0),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("alocs", "allocs", 1),
            ("allocs", "allocs", 0),
        ] {
            assert_eq!(distance(a, b), letters);
            assert_eq!(distance(b, a), letters);
        }
    }

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        for (name, metric) in [
            ("alocs", "allocs"),
            ("alloc", "allocs"),
            ("Allocs", "allocs"),
            ("allocations", "allocs"),
            ("net_bytes", "net-bytes"),
            ("netbytes", "net-bytes"),
            ("peak", "peak-bytes"),
        ] {
            assert_eq!(suggest(name), format!("did you mean `{metric}`?"), "{name}");
        }
        assert_eq!(suggest("seconds"), "the metrics are listed below");
    }
}
