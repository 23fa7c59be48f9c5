//! [`Handover`]: what a process of a scenario's own tells the bench that started it. It is a file
//! of texts, each behind its length in bytes: `5:hello`.

use std::fs;
use std::io;
use std::path::Path;

use crate::failure::NotMeasured;
use crate::table::Row;

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
        let mut texts = Texts(String::new());
        match self {
            Self::Begun => texts.add("begun"),
            Self::Failed(NotMeasured { message, timed_out }) => {
                texts.add(if *timed_out { "timed out" } else { "failed" });
                texts.add(message);
            }
            Self::Measured { line, row } => {
                texts.add("measured");
                texts.add(line);
                texts.add_rows(&row.cells);
                texts.add_rows(&row.custom);
                texts.add_rows(&row.footnotes);
            }
        }
        fs::write(path, texts.0)
    }

    /// Reads the file; `None` if there is none, or not a whole one.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let file = fs::read_to_string(path).ok()?;
        let mut texts = Texts(file.as_str());
        let kind = texts.next()?;
        Some(match &*kind {
            "begun" => Self::Begun,
            "failed" | "timed out" => Self::Failed(NotMeasured {
                message: texts.next()?,
                timed_out: kind == "timed out",
            }),
            "measured" => Self::Measured {
                line: texts.next()?,
                row: Row {
                    cells: texts.rows()?,
                    custom: texts.rows()?,
                    footnotes: texts.rows()?,
                },
            },
            _ => return None,
        })
    }
}

/// The texts that are written so far, or still to be read.
struct Texts<T>(T);

impl Texts<String> {
    fn add(&mut self, text: &str) {
        self.0 += &format!("{}:{text}", text.len());
    }

    fn add_rows<const N: usize>(&mut self, rows: &[[String; N]]) {
        self.add(&rows.len().to_string());
        rows.iter().flatten().for_each(|text| self.add(text));
    }
}

impl Texts<&str> {
    fn next(&mut self) -> Option<String> {
        let (length, rest) = self.0.split_once(':')?;
        let (text, rest) = rest.split_at_checked(length.parse().ok()?)?;
        self.0 = rest;
        Some(text.to_owned())
    }

    fn rows<const N: usize>(&mut self) -> Option<Vec<[String; N]>> {
        let count: usize = self.next()?.parse().ok()?;
        let row = |_| {
            let texts: Option<Vec<String>> = (0..N).map(|_| self.next()).collect();
            texts?.try_into().ok()
        };
        (0..count).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_cut_is_not() {
        let folder = std::env::temp_dir().join(format!("handover-{}", std::process::id()));
        let measured = Handover::Measured {
            line: String::from("{\"größe\":1}\n"),
            row: Row {
                cells: vec![["a: b", "1,000: 3\n"].map(str::to_owned); 2],
                custom: vec![["a", "", "2:", "3", "4", "5"].map(str::to_owned)],
                footnotes: vec![["", "  - a"].map(str::to_owned)],
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
