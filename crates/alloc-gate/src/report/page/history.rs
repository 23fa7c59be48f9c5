//! [`HistoryEntry`]: why a baseline changed, newest first, in a block of its
//! page. Entries are put in and never written again, so whatever a person does
//! to older ones survives.

use std::fmt::Write;

use crate::report::markdown::{code, escape};
use crate::report::page::{DocumentError, LineBreak, begin_marker, end_marker, find_block};

const NAME: &str = "history";

/// The most changes that an entry lists; the diff has all.
const MOST: usize = 10;

/// Why figures were accepted.
#[derive(Clone, Copy, Debug)]
pub struct HistoryEntry<'h> {
    /// The date as it is to stand there, `2026-11-21`.
    pub date: &'h str,
    /// Why, in the words of whoever accepted them.
    pub reason: &'h str,
    /// What changed, a line each.
    pub changes: &'h [String],
}

impl HistoryEntry<'_> {
    /// The `page` with this entry above the others. A page without the block
    /// gets it at its end.
    ///
    /// # Errors
    ///
    /// When a marker of the block has no partner, or occurs twice.
    pub fn add_to(&self, page: &str) -> Result<String, DocumentError> {
        let line_break = LineBreak::of(page);
        let mut text = page.to_owned();
        if let Some(place) = find_block(page, NAME)? {
            let block = &page[place.clone()];
            let end = end_of_heading(block);
            let is_apart = block[end..].starts_with(['\n', '\r']);
            let apart = if is_apart { "" } else { "\n" };
            let entry = line_break.apply(&format!("\n{}{apart}", self.text()));
            text.insert_str(place.start + end, &entry);
            return Ok(text);
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(line_break.text());
        }
        let block = format!(
            "\n{}\n\n## History\n\n{}\n{}\n",
            begin_marker(NAME),
            self.text(),
            end_marker(NAME)
        );
        text.push_str(&line_break.apply(&block));
        Ok(text)
    }

    fn text(&self) -> String {
        // A paragraph that begins with a date is no heading and no list, whatever
        // the reason begins with.
        let mut text = format!("**{}**: {}\n", escape(self.date), escape(self.reason));
        if !self.changes.is_empty() {
            text.push('\n');
        }
        // Writing to a string can't fail.
        for change in self.changes.iter().take(MOST) {
            let _ = writeln!(text, "- {}", code(change));
        }
        let rest = self.changes.len().saturating_sub(MOST);
        if rest > 0 {
            let _ = writeln!(text, "- and {rest} more");
        }
        text
    }
}

/// The bytes of a `block` up to the end of its heading, or else of its begin
/// marker's line: an entry begins behind them.
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
        - `encode: allocs 4.00 -> 3.00`\n\n\
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
        let changes = ["encode: allocs 4.00 -> 3.00"];
        add(page, "2026-03-01", "one vector", &changes).expect("the page has no marker")
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
    fn the_newest_entry_stands_first_and_what_was_there_survives() {
        let expected = FIRST.replace(
            "## History\n",
            "## History\n\n**2026-04-02**: a retry\n\n- `send: allocs 1.00 -> 2.00`\n",
        );
        let changes = ["send: allocs 1.00 -> 2.00"];
        assert_eq!(add(FIRST, "2026-04-02", "a retry", &changes), Ok(expected));
        // What a person made of the block, too.
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
    fn a_block_without_a_heading_begins_with_the_entry() {
        let page = "<!-- alloc-gate: begin history -->\nOld.\n\n## Notes\n\
                    <!-- alloc-gate: end history -->";
        let expected = page.replace("-->\nOld", "-->\n\n**d**: r\n\nOld");
        assert_eq!(add(page, "d", "r", &[]), Ok(expected));
    }

    #[test]
    fn a_long_list_is_cut_and_says_so() {
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
    fn no_reason_and_no_name_can_forge_the_page() {
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
    fn markers_that_are_not_the_tools_own_change_nothing() {
        let broken = FIRST.replace("<!-- alloc-gate: end history -->\n", "");
        let error = add(&broken, "d", "r", &[]).unwrap_err();
        assert!(error.starts_with("line 5: `<!-- alloc-gate: begin history -->` has no"));
    }
}
