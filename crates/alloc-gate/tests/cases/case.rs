//! [`Case`]: a file of sections.
//!
//! The text above the first section says what the case is about.
//!
//! | given | content |
//! |---|---|
//! | `gates` | the rules in short lines, which [`rules`] makes TOML of |
//! | `gates.toml` | the rules as they are, instead of `gates` |
//! | `results` | the measurements, written as the crate sample-results describes |
//! | `accepted` | earlier results, accepted as the baseline |
//! | `baseline` | the data of the baseline, instead of `accepted` |
//! | `document` | `current`, `stale` or `absent` |
//! | `selection` | `whole` (the default), `selected`, or `scenarios but 3` |
//! | `cfgs` | a line `target TRIPLE`, then the cfgs that the compiler prints for it |
//! | `unknown benches` | `package/target: hint` lines: benches that the workspace lacks |
//!
//! | expected | content |
//! |---|---|
//! | `mistakes` | the mistakes in the rules or in the baseline: what is underlined, the code, the
//!   place, the message, and the help |
//! | `diagnostics` | the same as a terminal shows it |
//! | `refused` | why the results were not accepted |
//! | `verdict` | the outcome and the result line |
//! | `judgements` | a line each, with exact figures that can be worked out by hand |
//! | `terminal` | the whole report for a terminal |
//! | `report` | the same with `-v`, below the figures and the line of the environment |
//! | `problems` | the part of `report` below the gates: what fails, and the findings |
//! | `markdown` | the markdown report |
//! | `annotations` | the workflow commands for GitHub, in a workspace below `rust` |
//! | `json` | the JSON report in the layout of `compact_json.rs` |
//! | `page` | the page of the baseline |
//! | `data` | the data of the baseline |
//!
//! A place is in the TOML text, also of rules in short lines.
//!
//! A case has the sections that it is about. JSON reports are long, so one case has it, and markdown
//! stands where it differs from the terminal.

use std::collections::BTreeMap;
use std::slice;

use alloc_gate::baseline::Coverage;
use alloc_gate::report::github::annotations;
use alloc_gate::report::{Detail, Format, TableRows, View, verdict_line};
use alloc_gate::{
    Baseline, BaselineDocument, Config, Diagnostic, Diagnostics, DocumentState, Evaluation, Inputs,
    Measurements, Selection, UncheckedBench, Verdict, evaluate,
};
use alloc_results::Ratio;

use super::given::{benches, cfgs, rules, unknown_benches};
use super::{compact_json, rendered};

const GIVEN: [&str; 11] = [
    "gates",
    "gates.toml",
    "results",
    "accepted",
    "baseline",
    "document",
    "selection",
    "cfgs",
    "unknown benches",
    "unlisted benches",
    "unrecorded benches",
];

const EXPECTED: [&str; 13] = [
    "mistakes",
    "diagnostics",
    "refused",
    "verdict",
    "judgements",
    "terminal",
    "report",
    "problems",
    "markdown",
    "annotations",
    "json",
    "page",
    "data",
];

/// The results of a case, by section.
pub(crate) type Actual = BTreeMap<&'static str, String>;

pub(crate) struct Case<'c> {
    about: &'c str,
    /// In the order of the file.
    sections: Vec<(&'c str, String)>,
}

impl<'c> Case<'c> {
    pub(crate) fn parse(text: &'c str) -> Result<Self, String> {
        let (about, rest) = match text.split_once("=== ") {
            Some((about, rest)) if about.is_empty() || about.ends_with('\n') => (about, rest),
            Some(_) | None => return Err(String::from("there is no section")),
        };
        if about.trim().is_empty() {
            return Err(String::from(
                "the first line has to say what the case is about",
            ));
        }
        let mut sections: Vec<(&str, String)> = Vec::new();
        for section in rest.split("\n=== ") {
            let (name, content) = section.split_once('\n').unwrap_or((section, ""));
            if !GIVEN.contains(&name) && !EXPECTED.contains(&name) {
                return Err(format!("unknown section `{name}`"));
            }
            if sections.iter().any(|(other, _)| *other == name) {
                return Err(format!("the section `{name}` occurs twice"));
            }
            sections.push((name, normal(content)));
        }
        let case = Self { about, sections };
        if case.expectations().next().is_none() {
            return Err(String::from("nothing is expected"));
        }
        Ok(case)
    }

    /// The sections that are compared with the results.
    pub(crate) fn expectations(&self) -> impl Iterator<Item = (&'c str, &str)> {
        self.sections
            .iter()
            .filter(|(name, _)| EXPECTED.contains(name))
            .map(|(name, content)| (*name, content.as_str()))
    }

    /// Compares the results with the expectations; the error is their difference.
    pub(crate) fn compare(&self, actual: &Actual) -> Result<(), String> {
        let mut differences = Vec::new();
        for (section, expected) in self.expectations() {
            let actual = actual.get(section).map_or("", String::as_str);
            if expected != actual {
                differences.push(format!(
                    "=== {section}, expected\n{expected}\n=== {section}, found\n{actual}"
                ));
            }
        }
        match differences.is_empty() {
            true => Ok(()),
            false => Err(differences.join("\n")),
        }
    }

    /// The text of the file with the results in place of the expectations.
    pub(crate) fn with_expectations(&self, actual: &Actual) -> String {
        let mut blocks = vec![self.about.trim_end().to_owned()];
        for (name, content) in &self.sections {
            let content = match EXPECTED.contains(name) {
                true => actual.get(name).map_or("", String::as_str),
                false => content,
            };
            blocks.push(format!("=== {name}\n{content}").trim_end().to_owned());
        }
        blocks.join("\n") + "\n"
    }

    /// Runs the engine on the given sections; an error is a mistake of the case.
    pub(crate) fn run(&self) -> Result<Actual, String> {
        let mut actual = Actual::new();
        let gates = match (self.get("gates"), self.get("gates.toml")) {
            (Some(_), Some(_)) => return Err(String::from("there are two files of rules")),
            (Some(short), None) => rules(short),
            (None, text) => text.unwrap_or_default().to_owned(),
        };
        let config = match Config::parse("gates.toml", &gates) {
            Ok(config) => config,
            Err(diagnostics) => return self.complete(mistakes(&diagnostics, &gates)),
        };
        if let Some(list) = self.get("unknown benches") {
            let diagnostics = config.unknown_benches(&unknown_benches(list, &config)?);
            actual = mistakes(&diagnostics, &gates);
        }
        let baseline = match self.baseline()? {
            Ok(baseline) => baseline,
            Err(diagnostics) => {
                return self.complete(mistakes(&diagnostics, self.given("baseline")));
            }
        };
        let measurements = match Measurements::new(sample_results::streams(self.given("results"))?)
        {
            Ok(measurements) => measurements,
            Err(error) => {
                actual.insert("refused", normal(&error.to_string()));
                return self.complete(actual);
            }
        };
        let selection = match self.get("selection").map(str::trim) {
            None | Some("whole") => Selection::Whole,
            Some("selected") => Selection::Selected,
            Some(part) if part.starts_with("scenarios but ") => Selection::Scenarios {
                left_out: part["scenarios but ".len()..]
                    .parse()
                    .map_err(|_| format!("`{part}` ends in no number"))?,
            },
            Some(other) => return Err(format!("unknown selection `{other}`")),
        };
        let inputs = Inputs {
            config: &config,
            measurements: &measurements,
            baseline: baseline.as_ref(),
            document: self.document()?,
            unchecked: &self.unchecked()?,
            selection,
            cfgs: &cfgs(self.given("cfgs"))?,
        };
        let evaluation = evaluate(&inputs);
        let verdict = format!(
            "{:?}\n{}\n",
            evaluation.outcome(),
            verdict_line(&evaluation)
        );
        actual.insert("verdict", verdict);
        actual.insert("judgements", judgements(&evaluation));
        let report = |view, format| {
            let text = rendered(&evaluation, view, format);
            text.map(|text| normal(&text))
        };
        actual.insert("markdown", report(View::default(), Format::Markdown)?);
        let json = report(View::default(), Format::Json)?;
        actual.insert("json", compact_json::reprint(&json));
        let base = Some("main");
        let default = View {
            base,
            ..View::default()
        };
        let verbose = View {
            rows: Some(TableRows::None),
            detail: Detail::Verbose,
            ..default
        };
        actual.insert("terminal", report(default, Format::Terminal)?);
        let commands = annotations(slice::from_ref(&evaluation), |file| format!("rust/{file}"));
        actual.insert("annotations", normal(&commands.join("\n")));
        let verbose = report(verbose, Format::Terminal)?;
        let (_, report) = verbose.split_once("\n\n").unwrap_or_default();
        actual.insert("report", report.to_owned());
        let (_, problems) = report.rsplit_once("\n\n").unwrap_or(("", report));
        actual.insert("problems", problems.to_owned());
        let accepted = baseline
            .unwrap_or_default()
            .accept(&measurements, Coverage::AllBenches);
        actual.insert("data", normal(&accepted.to_toml()));
        if let Some(files) = &config.baseline {
            let document = BaselineDocument {
                baseline: &accepted,
                config: &config,
                files,
            };
            let text = document.update(None).map_err(|error| error.to_string())?;
            actual.insert("page", normal(&text));
        }
        self.complete(actual)
    }

    /// Refuses a result that lacks a section which the case expects.
    fn complete(&self, actual: Actual) -> Result<Actual, String> {
        for (name, _) in self.expectations() {
            if !actual.contains_key(name) {
                let made: Vec<&str> = actual.keys().copied().collect();
                let other = ["mistakes", "refused"]
                    .iter()
                    .filter_map(|name| actual.get(name))
                    .fold(String::new(), |all, text| all + "\n" + text);
                return Err(format!(
                    "there is no {name}, but {}{other}",
                    made.join(", ")
                ));
            }
        }
        Ok(actual)
    }

    fn get(&self, name: &str) -> Option<&str> {
        let section = self.sections.iter().find(|(other, _)| *other == name);
        section.map(|(_, content)| content.as_str())
    }

    fn given(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The baseline, if the case has one, or the diagnostics of its data.
    fn baseline(&self) -> Result<Result<Option<Baseline>, Diagnostics>, String> {
        match (self.get("baseline"), self.get("accepted")) {
            (Some(_), Some(_)) => Err(String::from("there are two baselines")),
            (Some(data), None) => Ok(Baseline::parse("baseline.toml", data).map(Some)),
            (None, Some(accepted)) => {
                let accepted = Measurements::new(sample_results::streams(accepted)?)
                    .map_err(|error| error.to_string())?;
                let baseline = Baseline::default().accept(&accepted, Coverage::AllBenches);
                Ok(Ok(Some(baseline)))
            }
            (None, None) => Ok(Ok(None)),
        }
    }

    /// The benches that were not measured.
    fn unchecked(&self) -> Result<Vec<UncheckedBench>, String> {
        let unlisted = benches(self.given("unlisted benches"))?.into_iter();
        let unrecorded = benches(self.given("unrecorded benches"))?.into_iter();
        let unlisted = unlisted.map(UncheckedBench::Unlisted);
        let unrecorded = unrecorded.map(UncheckedBench::Unrecorded);
        Ok(unlisted.chain(unrecorded).collect())
    }

    /// The state of the page that the rules name.
    fn document(&self) -> Result<Option<DocumentState>, String> {
        Ok(Some(match self.get("document").map(str::trim) {
            None => return Ok(None),
            Some("current") => DocumentState::Current,
            Some("stale") => DocumentState::Stale,
            Some("absent") => DocumentState::Absent,
            Some(other) => return Err(format!("unknown state of a document `{other}`")),
        }))
    }
}

/// The mistakes in a text: a line for each, and as a terminal shows them.
fn mistakes(diagnostics: &Diagnostics, text: &str) -> Actual {
    let row = |one: &Diagnostic| {
        let help = one.help.as_ref().map(|help| format!(" | {help}"));
        format!(
            "{} | {} | {} | {}{}",
            text[one.span()].replace('\n', "\\n"),
            one.code.name(),
            diagnostics.place(one),
            one.message,
            help.unwrap_or_default()
        )
    };
    let rows: Vec<String> = diagnostics.list().iter().map(row).collect();
    Actual::from([
        ("mistakes", normal(&rows.join("\n"))),
        ("diagnostics", normal(&diagnostics.to_string())),
    ])
}

/// A line per judgement, `fail R12: encode: allocs mean < 5: 6`, and per finding.
fn judgements(evaluation: &Evaluation) -> String {
    let exact = |value: Ratio| match value.as_whole() {
        Some(whole) => whole.to_string(),
        None => format!("{}/{}", value.numerator(), value.denominator()),
    };
    let mut lines = Vec::new();
    for gate in &evaluation.gates {
        for judgement in &gate.judgements {
            let verdict = if let Verdict::Missing(absence) = judgement.verdict {
                format!("missing {absence}")
            } else {
                judgement.verdict.to_string()
            };
            let figure = match judgement.growth() {
                Some(growth) => format!("{} to {}/1000", growth.class, growth.deviation_permille),
                None => judgement.measured.map_or("not measured".into(), exact),
            };
            let details = judgement.details.as_ref();
            let limit = details.and_then(|details| details.computed.value.as_ref());
            let limit = limit.map(|&limit| format!(" (limit {})", exact(limit)));
            let accepted = judgement
                .baseline
                .map(|value| format!(" (was {})", exact(value)));
            lines.push(format!(
                "{verdict} {}: {}: {} {} {}: {figure}{}{}\n",
                gate.name,
                judgement.label(),
                judgement.metric,
                judgement.statistic,
                judgement.requirement,
                accepted.unwrap_or_default(),
                limit.unwrap_or_default(),
            ));
        }
        for Diagnostic { code, message, .. } in &gate.unmatched {
            lines.push(format!("missing {code} {}: {message}\n", gate.name));
        }
        if gate.verdict == Verdict::Skipped {
            let why = gate.skip.as_ref().map(|skip| skip.code.name());
            let why = why.unwrap_or("for no reason");
            lines.push(format!("skipped {}: {why}\n", gate.name));
        }
    }
    for finding in &evaluation.findings {
        lines.push(format!("{:?} {}\n", finding.level, finding.code));
    }
    lines.concat()
}

/// The text without spaces at the ends of lines and without empty lines at its end.
fn normal(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    let text = text.trim_end();
    if text.is_empty() {
        String::new()
    } else {
        format!("{text}\n")
    }
}
