//! Reads `[[table]]` into [`Table`]s.

use std::collections::HashMap;

use crate::diagnostic::Code;
use crate::rules::read::Reader;
use crate::rules::read::fields::{Fields, Text};
use crate::rules::table::{Key, SCENARIO, Table};

impl<'t> Reader<'t> {
    /// Reads all `[[table]]` tables.
    pub(super) fn tables(&self, tables: Vec<Fields<'t>>) -> Vec<Table> {
        let mut names = HashMap::new();
        let mut read = Vec::new();
        for fields in tables {
            let name = self.unique_name(&fields, &mut names, Code::DuplicateTable, "tables");
            let filter = self.filter(&fields, "table");
            let rows = fields.required_text("rows");
            let columns = fields.text_unless_empty("columns");
            self.check_axes_differ(rows.as_ref(), columns.as_ref());
            let (rows, columns) = (self.key(rows), self.key(columns));
            let figures = self.figures(&fields);
            let caption = fields.text("caption").map(|text| text.text.to_owned());
            let place = self.place(&fields.span());
            fields.finish();
            read.push(Table {
                name,
                filter,
                rows: rows.filter(|rows| rows.text != SCENARIO),
                columns,
                figures,
                caption,
                place,
            });
        }
        read
    }

    fn key(&self, axis: Option<Text<'t>>) -> Option<Key> {
        axis.map(|text| Key {
            text: text.text.to_owned(),
            place: self.place(&text.span),
        })
    }

    /// Checks that rows and columns differ: otherwise only the diagonal would have cells.
    fn check_axes_differ(&self, rows: Option<&Text<'t>>, columns: Option<&Text<'t>>) {
        if let (Some(rows), Some(columns)) = (rows, columns)
            && rows.text == columns.text
        {
            self.problems.add_with_hint(
                Code::BadValue,
                columns.span.clone(),
                format!("`{}` can't be both the rows and the columns", columns.text),
                "name another axis, or remove `columns`",
            );
        }
    }
}
