//! Which edited lines make a call that no removed line made.

use crate::sites::changes::Changes;
use crate::sites::similar::{SIMILAR, similarity};
use crate::sites::site::Site;

/// Marks the sites on edited lines for which no old line of the file is similar and makes the same
/// call. An old line stands for one site, the most similar one.
pub(super) fn mark_added(list: &mut [Site], changes: &Changes) {
    let mut pairs = Vec::new();
    for (number, site) in list.iter_mut().enumerate().filter(|(_, it)| it.is_edited) {
        site.is_added = true;
        let Some(line) = site.place.line() else {
            continue;
        };
        let (call, text) = (last_segment(&site.how), line.text.as_deref());
        for (old, removed) in changes.removed_in(&line.file).enumerate() {
            let ratio = similarity(text.unwrap_or_default(), removed);
            if removed.contains(call) && ratio >= SIMILAR {
                pairs.push((ratio, number, (line.file.clone(), old)));
            }
        }
    }
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut used = Vec::new();
    for (_, number, old) in pairs {
        if list[number].is_added && !used.contains(&old) {
            list[number].is_added = false;
            used.push(old);
        }
    }
}

/// `with_capacity` of `Vec::with_capacity`.
fn last_segment(how: &str) -> &str {
    how.rsplit("::").next().unwrap_or(how)
}
