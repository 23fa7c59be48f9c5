//! [`Crowding`]: more threads than the machine runs at once, so that a time says
//! what the system's scheduler does; and whether a row, a column or a cell alone is
//! marked for it. What the marks look like is not known here.

use crate::evaluation::PivotTable;

/// Marks what is crowded in as few places as say it: rows of which all measured cells
/// are, then such columns, then single cells.
pub(super) fn mark(table: &mut PivotTable) {
    let all = |cells: &mut dyn Iterator<Item = (bool, bool)>| {
        let mut measured = cells.filter(|(is_measured, _)| *is_measured).peekable();
        measured.peek().is_some() && measured.all(|(_, is_crowded)| is_crowded)
    };
    for row in &mut table.rows {
        let mut cells = row
            .cells
            .iter()
            .map(|c| (c.is_measured, c.crowding.is_some()));
        row.is_crowded = all(&mut cells);
    }
    for (number, column) in table.columns.iter_mut().enumerate() {
        let rows = || table.rows.iter();
        let mut cells = rows().map(|row| {
            let cell = &row.cells[number];
            (cell.is_measured, cell.crowding.is_some())
        });
        let says_more = rows().any(|row| !row.is_crowded && row.cells[number].crowding.is_some());
        column.is_crowded = says_more && all(&mut cells);
    }
}
