//! The page: the section of an interface is between two markers, and the rest is written by
//! hand.

use device_lab::tables::Section;

/// What a section begins its environment with that was not measured.
const NOT_MEASURED: &str = "| device | not measured: ";

/// Replaces the section on the page. A section that was not measured replaces no figures;
/// then the page stays as it is, and the result is `false`.
pub(crate) fn update(page: &mut String, section: &Section, text: &str) -> Result<bool, String> {
    let name = section.api.to_lowercase();
    let begin = format!("<!-- {name}: begin -->\n");
    let end = format!("<!-- {name}: end -->\n");
    let range = page.find(&begin).and_then(|start| {
        let start = start + begin.len();
        let length = page[start..].find(&end)?;
        Some(start..start + length)
    });
    let range = range.ok_or_else(|| format!("the page has no section `{name}` between markers"))?;
    let present = page[range.clone()].trim();
    if !section.is_measured() && !present.is_empty() && !present.contains(NOT_MEASURED) {
        return Ok(false);
    }
    page.replace_range(range, &format!("\n{text}\n"));
    Ok(true)
}

#[cfg(test)]
mod tests {
    use device_lab::tables::{Missing, Row, Table};

    use super::*;

    fn section(is_measured: bool) -> Section {
        let missing = Missing::NotMeasured("no driver".to_owned());
        let figures = device_lab::tables::Figures {
            windows: 1,
            fastest: 1.0,
            average: 1.0,
            p99: 1.0,
            enqueued: 1.0,
            counts: None,
        };
        let row = Row {
            name: "direct".to_owned(),
            baseline: 0,
            bytes: 1_024,
            figures: if is_measured {
                Ok(figures)
            } else {
                Err(missing.clone())
            },
        };
        Section {
            api: "CUDA".to_owned(),
            device: Err(missing),
            rounds: 1,
            tables: vec![Table {
                number: 19,
                title: String::new(),
                floor: None,
                rows: vec![row],
            }],
        }
    }

    const EMPTY: &str = "before\n<!-- cuda: begin -->\n<!-- cuda: end -->\nafter\n";

    #[test]
    fn the_text_goes_between_the_markers() {
        let mut page = EMPTY.to_owned();
        assert_eq!(update(&mut page, &section(true), "one\n"), Ok(true));
        assert_eq!(update(&mut page, &section(true), "two\n"), Ok(true));
        let expected = "before\n<!-- cuda: begin -->\n\ntwo\n\n<!-- cuda: end -->\nafter\n";
        assert_eq!(page, expected);
    }

    #[test]
    fn a_reason_replaces_a_reason_and_no_figures() {
        let mut page = EMPTY.to_owned();
        let reason = section(false).to_markdown(&[]);
        assert_eq!(update(&mut page, &section(false), &reason), Ok(true));
        assert!(page.contains("not measured: no driver"));
        assert_eq!(update(&mut page, &section(false), &reason), Ok(true));
        assert_eq!(update(&mut page, &section(true), "figures\n"), Ok(true));
        assert_eq!(update(&mut page, &section(false), &reason), Ok(false));
        assert!(page.contains("figures"));
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
            let (environment, tables) = section.split_once("#### Table 19: ").expect("tables");
            assert!(environment.contains("| device | ") && environment.contains("| date | 20"));
            for number in 20..=24 {
                assert!(
                    tables.contains(&format!("#### Table {number}: ")),
                    "{number}"
                );
            }
            let is_measured = !environment.contains(NOT_MEASURED);
            let reasons = tables.matches("| not measured: ").count();
            // 6 rows in each of 4 tables, and 40 in each of 2.
            assert_eq!(reasons, if is_measured { 0 } else { 104 });
            assert!(!tables.contains("FAIL"));
        }
    }

    #[test]
    fn a_page_without_markers_is_an_error() {
        let missing = "the page has no section `cuda` between markers";
        let mut page = "text\n".to_owned();
        let updated = update(&mut page, &section(true), "figures\n");
        assert_eq!(updated, Err(missing.to_owned()));
    }
}
