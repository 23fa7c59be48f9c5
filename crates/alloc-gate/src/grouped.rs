//! [`grouped`]: items that belong together.

/// Puts each item into the first group that it belongs to, or else into a new one. The groups are
/// in the order of their first items.
pub fn grouped<T>(
    items: impl IntoIterator<Item = T>,
    belongs: impl Fn(&[T], &T) -> bool,
) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for item in items {
        match groups.iter_mut().find(|group| belongs(group, &item)) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups
}
