//! [`Handover`]: what a process of a scenario's own tells the bench that started it. It is a file
//! of texts, each behind its length in bytes: `5:hello`.

use std::fs;
use std::io;
use std::path::Path;

use crate::failure::NotMeasured;
use crate::table::{Cell, Row};

/// How far the process has come.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Handover {
    /// It is measuring the scenario.
    Begun,
    /// The scenario's line of the results, and its row of the table.
    Measured {
        line: String,
        row: Row,
    },
    Failed(NotMeasured),
}

impl Handover {
    /// Replaces the file.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = String::new();
        let mut add = |field: &str| {
            text.push_str(&field.len().to_string());
            text.push(':');
            text.push_str(field);
        };
        match self {
            Self::Begun => add("begun"),
            Self::Failed(NotMeasured { message, timed_out }) => {
                add(if *timed_out { "timed out" } else { "failed" });
                add(message);
            }
            Self::Measured { line, row } => {
                add("measured");
                add(line);
                add(&row.name);
                add(&row.cells.len().to_string());
                for Cell {
                    header,
                    text,
                    is_wanted,
                } in &row.cells
                {
                    add(header);
                    add(text);
                    add(if *is_wanted { "1" } else { "0" });
                }
                add(&row.custom.len().to_string());
                row.custom.iter().flatten().for_each(|text| add(text));
                add(&row.footnotes.len().to_string());
                for (kind, line) in &row.footnotes {
                    add(&kind.to_string());
                    add(line);
                }
            }
        }
        fs::write(path, text)
    }

    /// Reads the file; `None` if there is none, or not a whole one.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        let fields = &mut Fields(&text);
        Some(match fields.next()? {
            "begun" => Self::Begun,
            kind @ ("failed" | "timed out") => Self::Failed(NotMeasured {
                message: fields.text()?,
                timed_out: kind == "timed out",
            }),
            "measured" => Self::Measured {
                line: fields.text()?,
                row: Row {
                    name: fields.text()?,
                    cells: fields.list(|fields| {
                        Some(Cell {
                            header: fields.text()?,
                            text: fields.text()?,
                            is_wanted: fields.next()? == "1",
                        })
                    })?,
                    custom: fields.list(|fields| {
                        let mut row = <[String; 6]>::default();
                        for text in &mut row {
                            *text = fields.text()?;
                        }
                        Some(row)
                    })?,
                    footnotes: fields
                        .list(|fields| Some((fields.next()?.parse().ok()?, fields.text()?)))?,
                },
            },
            _ => return None,
        })
    }
}

/// The texts that are still to be read.
struct Fields<'t>(&'t str);

impl<'t> Fields<'t> {
    fn next(&mut self) -> Option<&'t str> {
        let (length, rest) = self.0.split_once(':')?;
        let (field, rest) = rest.split_at_checked(length.parse().ok()?)?;
        self.0 = rest;
        Some(field)
    }

    fn text(&mut self) -> Option<String> {
        self.next().map(str::to_owned)
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count: usize = self.next()?.parse().ok()?;
        (0..count).map(|_| item(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_cut_is_not() {
        let folder = std::env::temp_dir().join(format!("handover-{}", std::process::id()));
        let cell = |header: &str, is_wanted| Cell {
            header: header.to_owned(),
            text: String::from("1,000: 3\n"),
            is_wanted,
        };
        let measured = Handover::Measured {
            line: String::from("{\"größe\":1}\n"),
            row: Row {
                name: String::from("a: b"),
                cells: vec![cell("iters", true), cell("byte", false)],
                custom: vec![["a", "", "2:", "3", "4", "5"].map(str::to_owned)],
                footnotes: vec![(3, String::from("  - a"))],
            },
        };
        let failed = Handover::Failed(NotMeasured {
            message: String::from("panicked: 7:x"),
            timed_out: true,
        });
        for handover in [measured, failed, Handover::Begun] {
            handover.write(&folder).unwrap();
            assert_eq!(Handover::read(&folder), Some(handover));
            let text = fs::read_to_string(&folder).unwrap();
            fs::write(&folder, &text[..text.len() - 1]).unwrap();
            assert_eq!(Handover::read(&folder), None);
        }
        fs::remove_file(&folder).unwrap();
        assert_eq!(Handover::read(&folder), None);
    }
}
