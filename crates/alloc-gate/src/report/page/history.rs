//! [`HistoryEntry`]: the reason for a change of the baseline, in a block of the page. The
//! newest entry stands first. The tool never changes entries, so users can edit them.

use crate::figure::Date;
use crate::report::document::{Block, Line, Style, name, styled, words};
use crate::report::page::{DocumentError, begin_marker, end_marker, find_block, line_break};
use crate::report::write;

const NAME: &str = "history";

/// The largest number of changes in an entry.
const MOST: usize = 10;

/// The reason for accepting figures.
#[derive(Clone, Copy, Debug)]
pub struct HistoryEntry<'h> {
    /// The date, `2026-11-21`.
    pub date: &'h str,
    /// The reason in the words of the user.
    pub reason: &'h str,
    /// The changes, a line each.
    pub changes: &'h [String],
}

impl HistoryEntry<'_> {
    /// The `page` with this entry above the others. A page without the block gets it at its
    /// end.
    ///
    /// # Errors
    ///
    /// If a marker of the block has no partner or occurs twice.
    pub fn add_to(&self, page: &str) -> Result<String, DocumentError> {
        let line_break = line_break(page);
        let mut text = page.to_owned();
        if let Some(place) = find_block(page, NAME)? {
            let block = &page[place.clone()];
            let end = end_of_heading(block);
            let is_apart = block[end..].starts_with(['\n', '\r']);
            let apart = if is_apart { "" } else { "\n" };
            let entry = format!("\n{}{apart}", self.text()).replace('\n', line_break);
            text.insert_str(place.start + end, &entry);
            return Ok(text);
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(line_break);
        }
        let block = format!(
            "\n{}\n\n## History\n\n{}\n{}\n",
            begin_marker(NAME),
            self.text(),
            end_marker(NAME)
        );
        text.push_str(&block.replace('\n', line_break));
        Ok(text)
    }

    /// The newest date of an entry in a page.
    #[must_use]
    pub fn newest_date(page: &str) -> Option<Date> {
        let block = find_block(page, NAME).ok()??;
        let dates = page[block].lines().filter_map(|line| {
            let (date, _) = line.strip_prefix("**")?.split_once("**")?;
            Date::parse(date)
        });
        dates.max()
    }

    fn text(&self) -> String {
        // The paragraph starts with the date, so the reason can't make it a heading or a
        // list.
        let date = styled(Style::Bad, self.date);
        let changes = self.changes.iter().take(MOST);
        let mut list: Vec<Line> = changes.map(|change| name(change).into()).collect();
        let rest = self.changes.len().saturating_sub(MOST);
        list.extend((rest > 0).then(|| words!("and {} more", rest)));
        let entry = words!("{}: {}", date, self.reason);
        write::page(&[entry.into(), Block::List(list)])
    }
}

/// The length of `block` up to the end of its heading, or else of its begin marker's line.
/// A new entry is inserted there.
fn end_of_heading(block: &str) -> usize {
    let mut lines = block.split_inclusive('\n');
    let marker = lines.next().map_or(0, str::len);
    let mut end = marker;
    for line in lines {
        end += line.len();
        let text = line.trim();
        if text.starts_with("# ") || text.starts_with("## ") {
            return end;
        }
        if !text.is_empty() {
            break;
        }
    }
    marker
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "# Ours\n\nText.\n\n\
        <!-- alloc-gate: begin history -->\n\n\
        ## History\n\n\
        **2026-03-01**: one vector\n\n\
        - `encode: allocs 4 -> 3`\n\n\
        <!-- alloc-gate: end history -->\n";

    fn add(page: &str, date: &str, reason: &str, changes: &[&str]) -> Result<String, String> {
        let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
        let entry = HistoryEntry {
            date,
            reason,
            changes: &changes,
        };
        entry.add_to(page).map_err(|error| error.to_string())
    }

    fn first(page: &str) -> String {
        let changes = ["encode: allocs 4 -> 3"];
        add(page, "2026-03-01", "one vector", &changes).expect("the page has no marker")
    }

    #[test]
    fn the_newest_date_is_found_wherever_it_stands() {
        let newest = |page: &str| HistoryEntry::newest_date(page).map(|date| date.to_string());
        assert_eq!(newest(FIRST).as_deref(), Some("2026-03-01"));
        let page = FIRST.replace("**2026", "**2025-12-31**: older\n\n**no**: date\n\n**2026");
        assert_eq!(newest(&page).as_deref(), Some("2026-03-01"));
        assert_eq!(newest("**2026-03-01**: outside of the block\n"), None);
    }

    #[test]
    fn a_page_without_the_block_gets_it_at_its_end() {
        assert_eq!(first("# Ours\n\nText.\n"), FIRST);
        assert_eq!(first("# Ours\n\nText."), FIRST);
        assert_eq!(
            first("# Ours\r\n\r\nText.\r\n"),
            FIRST.replace('\n', "\r\n")
        );
    }

    #[test]
    fn the_newest_entry_stands_first_and_older_ones_stay() {
        let expected = FIRST.replace(
            "## History\n",
            "## History\n\n**2026-04-02**: a retry\n\n- `send: allocs 1 -> 2`\n",
        );
        let changes = ["send: allocs 1 -> 2"];
        assert_eq!(add(FIRST, "2026-04-02", "a retry", &changes), Ok(expected));
        // Edits of the user in the block stay too.
        let own = FIRST
            .replace("one vector", "one vector, after long talks")
            .replace("## History\n", "  ## What happened\n\nAs decided.\n")
            .replace('\n', "\r\n");
        let expected = own.replace(
            "## What happened\r\n",
            "## What happened\r\n\r\n**2026-04-02**: a retry\r\n",
        );
        assert_eq!(add(&own, "2026-04-02", "a retry", &[]), Ok(expected));
    }

    #[test]
    fn a_block_without_a_heading_starts_with_the_entry() {
        let page = "<!-- alloc-gate: begin history -->\nOld.\n\n## Notes\n\
                    <!-- alloc-gate: end history -->";
        let expected = page.replace("-->\nOld", "-->\n\n**d**: r\n\nOld");
        assert_eq!(add(page, "d", "r", &[]), Ok(expected));
    }

    #[test]
    fn a_long_list_of_changes_is_cut() {
        for (count, listed, last) in [(10, 10, "- `c9`\n"), (13, 10, "- and 3 more\n")] {
            let changes: Vec<String> = (0..count).map(|number| format!("c{number}")).collect();
            let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
            let page = add("", "d", "r", &changes).unwrap();
            assert_eq!(page.matches("- `c").count(), listed);
            let end = format!("{last}\n<!-- alloc-gate: end history -->\n");
            assert!(page.ends_with(&end), "{page}");
        }
    }

    #[test]
    fn reasons_and_names_cannot_add_markers() {
        const END: &str = "<!-- alloc-gate: end history -->";
        let page = add(
            "",
            "d",
            &format!("# x\n{END}\n- *y*"),
            &[&format!("# a\n{END}")],
        );
        let page = page.unwrap();
        assert!(
            page.contains("**d**: # x \\<!-- alloc-gate: end history --\\> - \\*y\\*\n"),
            "{page}"
        );
        assert!(page.contains(&format!("- `# a {END}`\n")), "{page}");
        assert_eq!(page.lines().filter(|line| line.trim() == END).count(), 1);
    }

    #[test]
    fn a_page_with_broken_markers_is_an_error() {
        let broken = FIRST.replace("<!-- alloc-gate: end history -->\n", "");
        let error = add(&broken, "d", "r", &[]).unwrap_err();
        assert!(error.starts_with("line 5: `<!-- alloc-gate: begin history -->` has no"));
    }
}
