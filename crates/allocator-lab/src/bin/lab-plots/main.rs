//! `lab-plots REPORT [--x AXIS] [--where-measured] TABLE=FILE...` draws tables of a JSON report as SVG:
//! a line for each subject over an axis of numbers. What the figures mean is not
//! known here, and nothing is measured.

mod console;
mod plot;
mod report;

use std::env;
use std::fs;
use std::process::ExitCode;

use plot::plot_of;
use report::Report;

const USAGE: &str = "usage: lab-plots REPORT.json [--x AXIS] [--where-measured] TABLE=FILE.svg...";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let Some(task) = Task::of(&words) else {
        console::say(USAGE);
        return ExitCode::from(2);
    };
    match task.done() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            console::say(&format!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
struct Task<'w> {
    report: &'w str,
    /// The axis from left to right, where both of a table have numbers.
    axis: Option<&'w str>,
    /// Whether the plots of tables without a figure stay as they are.
    where_measured: bool,
    /// The names of tables, and the files for them.
    plots: Vec<(&'w str, &'w str)>,
}

impl<'w> Task<'w> {
    /// `None` if it can't be made out.
    fn of(words: &'w [String]) -> Option<Self> {
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
        let is_whole = !report.starts_with('-') && !plots.is_empty();
        is_whole.then_some(Self {
            report,
            axis,
            where_measured,
            plots,
        })
    }

    /// Draws all tables before the first is written.
    fn done(&self) -> Result<(), String> {
        let path = self.report;
        let text =
            fs::read_to_string(path).map_err(|error| format!("failed to read {path}: {error}"))?;
        let report = Report::parse(&text).map_err(|problem| format!("{path}: {problem}"))?;
        let mut drawn = Vec::new();
        for (name, file) in &self.plots {
            let within = |problem| format!("{path}: {problem}");
            let table = report.table(name).map_err(within)?;
            if self.where_measured && !table.has_figures() {
                console::say(&format!(
                    "left {file} as it is: the table `{name}` has no figure"
                ));
                continue;
            }
            let svg = plot_of(table, self.axis)
                .and_then(|plot| plot.svg().map_err(|error| error.to_string()))
                .map_err(within)?;
            drawn.push((file, svg));
        }
        for (file, svg) in drawn {
            fs::write(file, svg).map_err(|error| format!("failed to write {file}: {error}"))?;
            console::say(&format!("Wrote {file}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_files_are_told_apart() {
        let words = |line: &str| -> Vec<String> { line.split(' ').map(String::from).collect() };
        let line = words("lab.json --where-measured --x size pairs=a.svg b=c=d.svg");
        let task = Task {
            report: "lab.json",
            axis: Some("size"),
            where_measured: true,
            plots: vec![("pairs", "a.svg"), ("b=c", "d.svg")],
        };
        assert_eq!(Task::of(&line), Some(task));
        for line in [
            "",
            "lab.json",
            "--x size a=b",
            "lab.json pairs",
            "r --x size",
        ] {
            assert_eq!(Task::of(&words(line)), None, "{line}");
        }
    }

    #[test]
    fn nothing_is_written_when_one_table_is_not_there() {
        let folder = env::temp_dir().join(format!("lab-plots-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name).display().to_string();
        fs::write(path("r.json"), report::SAMPLE).unwrap();
        let draw = |where_measured, plots| {
            let report = path("r.json");
            let task = Task {
                report: &report,
                axis: None,
                where_measured,
                plots,
            };
            task.done()
        };
        let (first, second) = (path("a.svg"), path("b.svg"));
        let error = draw(false, vec![("pairs", &first), ("nosuch", &second)]).unwrap_err();
        assert!(
            error.ends_with("there is no table `nosuch`; there are `pairs: time p50`, `codecs`")
        );
        assert!(!folder.join("a.svg").exists());
        let error = draw(false, vec![("pairs", &first), ("codecs", &second)]).unwrap_err();
        assert!(error.contains("`codecs` has no axis of columns"), "{error}");
        assert!(!folder.join("a.svg").exists());
        draw(true, vec![("pairs", &first), ("codecs", &second)]).unwrap();
        assert!(!folder.join("b.svg").exists());
        assert!(fs::read_to_string(&first).unwrap().starts_with("<svg "));
        fs::remove_dir_all(&folder).unwrap();
    }
}
