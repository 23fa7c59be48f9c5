//! Marks for scenarios with more threads than the machine has cores: their times measure
//! the system's scheduler too.

use crate::evaluation::PivotTable;

/// Marks as few places as possible: rows in which all measured cells are crowded, then
/// such columns, then single cells.
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
