//! The page: the section of an interface is between two markers, and the rest is written by
//! hand.

use std::ops::Range;

/// The start of the environment of a section that was not measured.
const NOT_MEASURED: &str = "| device | not measured: ";

/// The start of the environment of a section that was measured on a software device.
const SOFTWARE: &str = "| device | software device ";

/// Looks for the markers of the interfaces.
pub(crate) fn check(page: &str, apis: &[&str]) -> Result<(), String> {
    apis.iter().try_for_each(|api| range(page, api).map(|_| ()))
}

/// Replaces the section on the page. A section that was not measured replaces no figures, and one
/// of a software device no figures of hardware; then the page stays as it is, and the result is
/// `false`.
pub(crate) fn update(page: &mut String, api: &str, text: &str) -> Result<bool, String> {
    let range = range(page, api)?;
    if rank(text) < rank(&page[range.clone()]) {
        return Ok(false);
    }
    page.replace_range(range, &format!("\n{text}\n"));
    Ok(true)
}

/// The text between the markers of an interface.
fn range(page: &str, api: &str) -> Result<Range<usize>, String> {
    let name = api.to_lowercase();
    let begin = format!("<!-- {name}: begin -->\n");
    let end = format!("<!-- {name}: end -->\n");
    let range = page.find(&begin).and_then(|start| {
        let start = start + begin.len();
        let length = page[start..].find(&end)?;
        Some(start..start + length)
    });
    range.ok_or_else(|| format!("the page has no section `{name}` between markers"))
}

/// What figures a section has: of hardware (2), of a software device (1), or none (0).
fn rank(section: &str) -> u8 {
    match section {
        text if text.trim().is_empty() || text.contains(NOT_MEASURED) => 0,
        text if text.contains(SOFTWARE) => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "before\n<!-- cuda: begin -->\n<!-- cuda: end -->\nafter\n";

    /// A section with a device, and a word to tell it from others.
    fn section(device: &str, word: &str) -> String {
        format!("### CUDA\n\n| device | {device} |\n| date | {word} |\n")
    }

    #[test]
    fn the_text_goes_between_the_markers() {
        let mut page = EMPTY.to_owned();
        assert_eq!(update(&mut page, "CUDA", "one\n"), Ok(true));
        assert_eq!(update(&mut page, "CUDA", "two\n"), Ok(true));
        let expected = "before\n<!-- cuda: begin -->\n\ntwo\n\n<!-- cuda: end -->\nafter\n";
        assert_eq!(page, expected);
    }

    #[test]
    fn figures_are_replaced_by_those_of_the_same_kind_of_device_or_a_better_one() {
        let devices = ["not measured: no driver", "software device (fake)", "GPU"];
        for (kept, before) in devices.iter().enumerate() {
            for (new, after) in devices.iter().enumerate() {
                let mut page = EMPTY.to_owned();
                let is_first = update(&mut page, "CUDA", &section(before, "first"));
                assert_eq!(is_first, Ok(true), "{before}");
                let is_second = update(&mut page, "CUDA", &section(after, "second"));
                assert_eq!(is_second, Ok(new >= kept), "{after} after {before}");
                assert_eq!(page.contains("second"), new >= kept);
                assert_eq!(page.contains("first"), new < kept);
            }
        }
    }

    /// All of design/devices.md: figures, or the reason.
    #[test]
    fn the_page_has_six_tables_for_each_interface() {
        let path = crate::environment::root().join("design/devices.md");
        let page = std::fs::read_to_string(path).expect("the page");
        for api in ["vulkan", "cuda"] {
            let (_, section) = page
                .split_once(&format!("<!-- {api}: begin -->"))
                .expect("a section");
            let (section, _) = section
                .split_once(&format!("<!-- {api}: end -->"))
                .expect("its end");
            if section.contains(NOT_MEASURED) {
                assert!(!section.contains("#### Table"), "{api} has no figures");
                continue;
            }
            let (environment, tables) = section.split_once("#### Table 19: ").expect("tables");
            assert!(environment.contains("| device | ") && environment.contains("| date | 20"));
            for number in 20..=24 {
                assert!(
                    tables.contains(&format!("#### Table {number}: ")),
                    "{number}"
                );
            }
            let reasons = tables
                .lines()
                .filter(|line| line.contains("| not measured: "));
            let reasons: Vec<_> = reasons.collect();
            // A device can be without pools.
            let is_pool = |row: &&str| row.starts_with("| pool") || row.contains(", pool |");
            assert!(reasons.iter().all(is_pool), "{reasons:#?}");
            assert!(!tables.contains("FAIL"));
        }
    }

    #[test]
    fn a_page_without_markers_is_an_error() {
        let missing = "the page has no section `vulkan` between markers";
        assert_eq!(check(EMPTY, &["CUDA"]), Ok(()));
        assert_eq!(check(EMPTY, &["CUDA", "Vulkan"]), Err(missing.to_owned()));
        let mut page = EMPTY.to_owned();
        let updated = update(&mut page, "Vulkan", "figures\n");
        assert_eq!(updated, Err(missing.to_owned()));
    }
}
