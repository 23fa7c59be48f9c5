//! `lab-plots REPORT [--x AXIS] [--where-measured] TABLE=FILE...`: draws tables of a
//! JSON report as SVG, a line for each subject over an axis of numbers.

mod plot;
mod report;

use std::env;
use std::fs;
use std::process::ExitCode;

use plot::plot_from;
use proof_shared::console::note;
use report::Report;

const USAGE: &str = "usage: lab-plots REPORT.json [--x AXIS] [--where-measured] TABLE=FILE.svg...";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let Some(arguments) = Arguments::parse(&words) else {
        note(&USAGE);
        return ExitCode::from(2);
    };
    match arguments.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            note(&format!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

/// The command line.
#[derive(Debug, PartialEq, Eq)]
struct Arguments<'w> {
    report: &'w str,
    /// The horizontal axis, where both axes of a table have numbers.
    axis: Option<&'w str>,
    /// Leave the plot of a table without figures as it is.
    where_measured: bool,
    /// The names of tables, each with the file for its plot.
    plots: Vec<(&'w str, &'w str)>,
}

impl<'w> Arguments<'w> {
    /// `None` if the words are not as [`USAGE`] says.
    fn parse(words: &'w [String]) -> Option<Self> {
        let (report, mut rest) = words.split_first()?;
        let mut axis = None;
        let mut where_measured = false;
        loop {
            match rest {
                [option, name, others @ ..] if option == "--x" => {
                    axis = Some(name.as_str());
                    rest = others;
                }
                [option, others @ ..] if option == "--where-measured" => {
                    where_measured = true;
                    rest = others;
                }
                _ => break,
            }
        }
        let plots = rest.iter().map(|word| word.rsplit_once('='));
        let plots: Vec<_> = plots.collect::<Option<_>>()?;
        let is_complete = !report.starts_with('-') && !plots.is_empty();
        is_complete.then_some(Self {
            report,
            axis,
            where_measured,
            plots,
        })
    }

    /// Draws all tables before it writes the first file.
    fn run(&self) -> Result<(), String> {
        let path = self.report;
        let text =
            fs::read_to_string(path).map_err(|error| format!("failed to read {path}: {error}"))?;
        let report = Report::parse(&text).map_err(|problem| format!("{path}: {problem}"))?;
        let mut drawn = Vec::new();
        for (name, file) in &self.plots {
            let in_report = |problem| format!("{path}: {problem}");
            let table = report.table(name).map_err(in_report)?;
            if self.where_measured && !table.has_figures() {
                note(&format!("Kept {file}: the table `{name}` has no figures"));
                continue;
            }
            let svg = plot_from(table, self.axis)
                .and_then(|plot| plot.svg().map_err(|error| error.to_string()))
                .map_err(in_report)?;
            drawn.push((file, svg));
        }
        for (file, svg) in drawn {
            fs::write(file, svg).map_err(|error| format!("failed to write {file}: {error}"))?;
            note(&format!("Wrote {file}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_tables_and_files_are_parsed() {
        let words = |line: &str| -> Vec<String> { line.split(' ').map(String::from).collect() };
        let line = words("lab.json --where-measured --x size pairs=a.svg b=c=d.svg");
        let arguments = Arguments {
            report: "lab.json",
            axis: Some("size"),
            where_measured: true,
            plots: vec![("pairs", "a.svg"), ("b=c", "d.svg")],
        };
        assert_eq!(Arguments::parse(&line), Some(arguments));
        for line in [
            "",
            "lab.json",
            "--x size a=b",
            "lab.json pairs",
            "r --x size",
        ] {
            assert_eq!(Arguments::parse(&words(line)), None, "{line}");
        }
    }

    #[test]
    fn nothing_is_written_when_one_table_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::write(path("r.json"), report::SAMPLE).unwrap();
        let draw = |where_measured, plots| {
            let arguments = Arguments {
                report: &path("r.json"),
                axis: None,
                where_measured,
                plots,
            };
            arguments.run()
        };
        let (first, second) = (path("a.svg"), path("b.svg"));
        let exists = |path: &str| fs::exists(path).unwrap();
        let error = draw(false, vec![("pairs", &first), ("nosuch", &second)]).unwrap_err();
        assert!(
            error.ends_with("no table `nosuch`; the report has `pairs: time p50`, `codecs`"),
            "{error}"
        );
        assert!(!exists(&first));
        let error = draw(false, vec![("pairs", &first), ("codecs", &second)]).unwrap_err();
        assert!(error.contains("`codecs` has no axis of columns"), "{error}");
        assert!(!exists(&first));
        draw(true, vec![("pairs", &first), ("codecs", &second)]).unwrap();
        assert!(!exists(&second));
        assert!(fs::read_to_string(&first).unwrap().starts_with("<svg "));
    }
}
