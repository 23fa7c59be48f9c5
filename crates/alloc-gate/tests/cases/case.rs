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
//! | `judgements` | a line each, with exact values that can be worked out by hand |
//! | `terminal` | the whole report for a terminal |
//! | `report` | the same with `-v`, between the values and the line of the environment |
//! | `markdown` | the markdown report |
//! | `annotations` | the workflow commands for GitHub, in a workspace below `rust` |
//! | `json` | the JSON report in filled lines |
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
use alloc_gate::report::{Detail, Evaluations, Format, Report, TableRows, View, verdict_line};
use alloc_gate::{
    Baseline, BaselineDocument, Config, Diagnostic, Diagnostics, DocumentState, Evaluation, Inputs,
    Measurements, Selection, UncheckedBench, Verdict, evaluate,
};
use alloc_results::Ratio;

use super::given::{benches, cfgs, rules, unknown_benches};

const GIVEN: &str = "gates, gates.toml, results, accepted, baseline, document, selection, cfgs, \
                     unknown benches, unlisted benches, unrecorded benches";

/// The results of a case, by section.
pub(crate) type Actual = BTreeMap<&'static str, String>;

/// The sections of a file in their order, with the text above them.
pub(crate) struct Case<'c> {
    about: &'c str,
    sections: Vec<(&'c str, String)>,
}

impl<'c> Case<'c> {
    pub(crate) fn parse(text: &'c str) -> Self {
        let mut blocks = text.split("\n=== ");
        let about = blocks.next().unwrap_or_default();
        let sections = blocks.map(|block| {
            let (name, content) = block.split_once('\n').unwrap_or((block, ""));
            (name, normal(content))
        });
        let sections = sections.collect();
        Self { about, sections }
    }

    /// The sections that are compared with the results.
    pub(crate) fn expectations(&self) -> impl Iterator<Item = (&'c str, &str)> {
        let all = self.sections.iter();
        let all = all.map(|(name, content)| (*name, content.as_str()));
        all.filter(|(name, _)| GIVEN.split(", ").all(|given| given != *name))
    }

    /// Compares the results with the expectations; the error is their difference.
    pub(crate) fn compare(&self, actual: &Actual) -> Result<(), String> {
        let mut differences = String::new();
        for (section, expected) in self.expectations() {
            let found = actual.get(section);
            let found = found.ok_or_else(|| {
                let made: Vec<_> = actual.keys().collect();
                let why = actual.get("diagnostics").or(actual.get("refused"));
                format!(
                    "there is no {section}, but {made:?}\n{}",
                    why.map_or("", |it| it)
                )
            })?;
            if expected != found {
                differences +=
                    &format!("=== {section}, expected\n{expected}=== {section}, found\n{found}");
            }
        }
        match (self.expectations().next(), &*differences) {
            (None, _) => Err(String::from("nothing is expected")),
            (Some(_), "") => Ok(()),
            (Some(_), _) => Err(differences),
        }
    }

    /// The text of the file with the results in place of the expectations.
    pub(crate) fn with_expectations(&self, actual: &Actual) -> String {
        let mut text = format!("{}\n", self.about);
        for (name, content) in &self.sections {
            text += &format!("=== {name}\n{}", actual.get(name).unwrap_or(content));
        }
        text
    }

    /// Runs the engine on the given sections; an error is a mistake of the case.
    pub(crate) fn run(&self) -> Result<Actual, String> {
        let mut actual = Actual::new();
        let gates = self.get("gates").map(rules);
        let gates = gates.unwrap_or_else(|| self.given("gates.toml").to_owned());
        let config = match Config::parse("gates.toml", &gates) {
            Ok(config) => config,
            Err(diagnostics) => return Ok(mistakes(&diagnostics, &gates)),
        };
        if let Some(list) = self.get("unknown benches") {
            let diagnostics = config.unknown_benches(&unknown_benches(list, &config)?);
            actual = mistakes(&diagnostics, &gates);
        }
        let joined = |results: &str| -> Result<_, String> {
            Ok(Measurements::new(sample_results::streams(results)?))
        };
        let baseline = match (self.get("baseline"), self.get("accepted")) {
            (Some(data), _) => match Baseline::parse("baseline.toml", data) {
                Ok(baseline) => Some(baseline),
                Err(diagnostics) => return Ok(mistakes(&diagnostics, data)),
            },
            (None, Some(results)) => {
                let results = joined(results)?.map_err(|error| error.to_string())?;
                Some(Baseline::default().accept(&results, Coverage::AllBenches))
            }
            (None, None) => None,
        };
        let measurements = match joined(self.given("results"))? {
            Ok(measurements) => measurements,
            Err(error) => return Ok(Actual::from([("refused", normal(&error.to_string()))])),
        };
        let evaluation = evaluate(&Inputs {
            config: &config,
            measurements: &measurements,
            baseline: baseline.as_ref(),
            document: self.document()?,
            unchecked: &self.unchecked()?,
            selection: self.selection()?,
            cfgs: &cfgs(self.given("cfgs"))?,
        });
        let (outcome, line) = (evaluation.outcome(), verdict_line(&evaluation));
        actual.insert("verdict", format!("{outcome:?}\n{line}\n"));
        actual.insert("judgements", judgements(&evaluation));
        let report = |view, format| normal(&rendered(&evaluation, view, format));
        actual.insert("markdown", report(View::default(), Format::Markdown));
        let json = report(View::default(), Format::Json);
        actual.insert("json", filled(&json));
        let default = View {
            base: Some("main"),
            ..View::default()
        };
        let verbose = View {
            rows: Some(TableRows::None),
            detail: Detail::Verbose,
            ..default
        };
        actual.insert("terminal", report(default, Format::Terminal));
        let commands = annotations(slice::from_ref(&evaluation), |file| format!("rust/{file}"));
        actual.insert("annotations", normal(&commands.join("\n")));
        let verbose = report(verbose, Format::Terminal);
        let (_, report) = verbose.split_once("\n\n").unwrap_or_default();
        let report = report.rsplit_once("environment: ");
        let (report, _) = report.unwrap_or_default();
        actual.insert("report", report.to_owned());
        let baseline = baseline.unwrap_or_default();
        let accepted = baseline.accept(&measurements, Coverage::AllBenches);
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
        Ok(actual)
    }

    fn get(&self, name: &str) -> Option<&str> {
        let section = self.sections.iter().find(|(other, _)| *other == name);
        section.map(|(_, content)| content.as_str())
    }

    fn given(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    fn selection(&self) -> Result<Selection, String> {
        let text = self.given("selection").trim();
        Ok(match text.strip_prefix("scenarios but ").map(str::parse) {
            Some(Ok(left_out)) => Selection::Scenarios { left_out },
            None if text.is_empty() => Selection::Whole,
            None if text == "selected" => Selection::Selected,
            Some(Err(_)) | None => return Err(format!("unknown selection `{text}`")),
        })
    }

    /// The benches that were not measured.
    fn unchecked(&self) -> Result<Vec<UncheckedBench>, String> {
        let unlisted = benches(self.given("unlisted benches"))?.into_iter();
        let unrecorded = benches(self.given("unrecorded benches"))?.into_iter();
        let unlisted = unlisted.map(UncheckedBench::Unlisted);
        Ok(unlisted
            .chain(unrecorded.map(UncheckedBench::Unrecorded))
            .collect())
    }

    /// The state of the page that the rules name.
    fn document(&self) -> Result<Option<DocumentState>, String> {
        Ok(Some(match self.given("document").trim() {
            "" => return Ok(None),
            "current" => DocumentState::Current,
            "stale" => DocumentState::Stale,
            "absent" => DocumentState::Absent,
            other => return Err(format!("unknown state of a document `{other}`")),
        }))
    }
}

fn rendered(evaluation: &Evaluation, view: View<'_>, format: Format) -> String {
    let mut text = Vec::new();
    let report = Evaluations {
        runs: slice::from_ref(evaluation),
        view,
        repository: None,
    };
    report
        .write(format, None, &mut text)
        .expect("memory takes it");
    let text = String::from_utf8(text).expect("a report is UTF-8");
    anstream::adapter::strip_str(&text).to_string()
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
            let value = match judgement.growth() {
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
                "{verdict} {}: {}: {} {} {}: {value}{}{}\n",
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

/// A JSON report whose inner values fill lines of 140 characters; `serde_json` gives each field one.
fn filled(pretty: &str) -> String {
    let mut text = String::new();
    let mut width = 0;
    for line in pretty.lines() {
        let short = line.trim_start();
        let depth = line.len() - short.len();
        let is_item = short == "{" && depth <= 8;
        if depth > 4 && !is_item && width + short.len() < 140 {
            text += " ";
        } else {
            width = depth.min(10);
            text += &format!("\n{:width$}", "");
        }
        width += short.len() + 1;
        text += short;
    }
    text.trim_start().to_owned() + "\n"
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
