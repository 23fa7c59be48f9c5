//! From the text of gates.toml to a valid [`Config`], in one pass that collects
//! all mistakes.

use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

use alloc_results::Metric;
use toml::de::DeTable;

use super::fields::{Fields, Node, Text};
use super::{BaselineFiles, Bench, Config, Gate, Pattern, Policy, Reaction, Rule, Run};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Place, Problems, suggest};
use crate::requirement::Pointless;
use crate::{Requirement, Statistic};

const VERSION: u64 = 1;

pub(super) fn read(file: &str, text: &str) -> Result<Config, Diagnostics> {
    let (root, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let list = errors.iter().map(|error| Diagnostic {
            code: Code::Syntax,
            span: error.span().unwrap_or(0..0),
            message: error.message().trim().to_owned(),
            hint: None,
        });
        return Err(Diagnostics::new(file, text, list.collect()));
    }
    let problems = Problems::default();
    let config = Reader {
        file,
        text,
        problems: &problems,
    }
    .config(Fields::new(
        root.get_ref(),
        "gates.toml",
        0..text.len().min(1),
        &problems,
    ));
    let list = problems.into_list();
    if list.is_empty() {
        Ok(config)
    } else {
        Err(Diagnostics::new(file, text, list))
    }
}

struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    problems: &'t Problems,
}

impl<'t> Reader<'t> {
    fn config(&self, root: Fields<'t>) -> Config {
        self.version(&root);
        let baseline = root.table("baseline", "`[baseline]`");
        let baseline = baseline.and_then(|fields| self.baseline(fields));
        let run = root.table("run", "`[run]`");
        let policy = root.table("policy", "`[policy]`");
        let benches = root.tables("bench", "`[[bench]]`");
        let gates = root.tables("gate", "`[[gate]]`");
        let config = Config {
            run: run.map_or_else(Run::default, |fields| self.run(fields)),
            policy: policy.map_or_else(Policy::default, |fields| self.policy(fields)),
            benches: self.benches(benches),
            gates: self.gates(gates, baseline.is_some()),
            baseline,
            file: self.file.to_owned(),
            text: self.text.to_owned(),
        };
        root.finish();
        config
    }

    fn version(&self, root: &Fields<'t>) {
        match root.take("version") {
            None => self.problems.add_with_hint(
                Code::MissingKey,
                root.span(),
                String::from("gates.toml needs the key `version`"),
                format!("begin the file with `version = {VERSION}`"),
            ),
            Some(node) => {
                let found = node.get_ref().as_integer().map(|integer| integer.as_str());
                if found != Some("1") {
                    self.problems.add_with_hint(
                        Code::UnsupportedVersion,
                        node.span(),
                        String::from("gates.toml is of a version that this program can't read"),
                        format!(
                            "it reads `version = {VERSION}`; update cargo-alloc-gate for others"
                        ),
                    );
                }
            }
        }
    }

    fn run(&self, fields: Fields<'t>) -> Run {
        let default = Run::default();
        let run = Run {
            warmup: fields.number("warmup", 0),
            iterations: fields.number("iterations", 1),
            timeout: fields
                .text("timeout")
                .and_then(|text| self.duration(&text))
                .unwrap_or(default.timeout),
        };
        fields.finish();
        run
    }

    fn duration(&self, text: &Text<'t>) -> Option<Duration> {
        let seconds =
            |digits: &str, unit: u64| digits.trim().parse::<u64>().ok()?.checked_mul(unit);
        let duration = match text.text.trim() {
            minutes if minutes.ends_with('m') => seconds(minutes.trim_end_matches('m'), 60),
            other => other
                .strip_suffix('s')
                .and_then(|digits| seconds(digits, 1)),
        };
        match duration {
            Some(seconds) if seconds > 0 => Some(Duration::from_secs(seconds)),
            _ => {
                self.problems.add_with_hint(
                    Code::BadValue,
                    text.span.clone(),
                    format!("`{}` is not a time limit", text.text),
                    "write seconds as `90s` or minutes as `5m`",
                );
                None
            }
        }
    }

    fn baseline(&self, fields: Fields<'t>) -> Option<BaselineFiles> {
        let files = fields.required_text("data").map(|data| BaselineFiles {
            data: data.text.to_owned(),
            document: fields.text("document").map(|text| text.text.to_owned()),
        });
        if files.is_none() {
            fields.take("document");
        }
        fields.finish();
        files
    }

    fn policy(&self, fields: Fields<'t>) -> Policy {
        let default = Policy::default();
        let reaction = |key, default| {
            let Some(text) = fields.text(key) else {
                return default;
            };
            let found = Reaction::ALL.into_iter().find(|r| r.name() == text.text);
            if found.is_none() {
                self.problems.add_with_hint(
                    Code::BadValue,
                    text.span,
                    format!("`{key}` can't be `{}`", text.text),
                    suggest(text.text, Reaction::ALL.map(Reaction::name)),
                );
            }
            found.unwrap_or(default)
        };
        let policy = Policy {
            stale: reaction("stale", default.stale),
            ungated: reaction("ungated", default.ungated),
            nondeterministic: reaction("nondeterministic", default.nondeterministic),
        };
        fields.finish();
        policy
    }

    fn benches(&self, tables: Vec<Fields<'t>>) -> Vec<Bench> {
        let mut benches: Vec<Bench> = Vec::new();
        for fields in tables {
            let package = fields.required_text("package");
            let target = fields.required_text("target");
            let span = fields.span();
            fields.finish();
            let (Some(package), Some(target)) = (package, target) else {
                continue;
            };
            let bench = Bench {
                package: package.text.to_owned(),
                target: target.text.to_owned(),
                span: target.span,
            };
            if benches
                .iter()
                .any(|other| (&other.package, &other.target) == (&bench.package, &bench.target))
            {
                self.problems.add(
                    Code::DuplicateBench,
                    span,
                    format!(
                        "the bench `{}` of `{}` is listed twice",
                        bench.target, bench.package
                    ),
                );
                continue;
            }
            benches.push(bench);
        }
        benches
    }

    fn gates(&self, tables: Vec<Fields<'t>>, has_baseline: bool) -> Vec<Gate> {
        let mut gates = Vec::new();
        let mut names: HashMap<&str, Place> = HashMap::new();
        for fields in tables {
            let span = fields.span();
            let name = fields.required_text("name");
            if let Some(name) = &name {
                let place = self.place(&name.span);
                if let Some(first) = names.insert(name.text, place) {
                    self.problems.add_with_hint(
                        Code::DuplicateGate,
                        name.span.clone(),
                        format!("two gates are called `{}`", name.text),
                        format!("the other one is at {}:{first}", self.file),
                    );
                }
            }
            let scenarios = self.patterns(&fields);
            let reason = fields.text("reason").map(|reason| reason.text.to_owned());
            let rules = self.rules(&fields, has_baseline);
            gates.push(Gate {
                name: name.map(|name| name.text.to_owned()).unwrap_or_default(),
                scenarios,
                rules,
                reason,
                place: self.place(&span),
            });
        }
        gates
    }

    fn patterns(&self, fields: &Fields<'t>) -> Vec<Pattern> {
        let texts = fields.texts("scenarios");
        if texts.as_ref().is_none_or(Vec::is_empty) {
            self.problems.add_with_hint(
                Code::NoScenarios,
                fields.span(),
                String::from("the gate says no `scenarios`, and so applies to nothing"),
                "`scenarios = [\"*\"]` means all of them",
            );
        }
        let mut patterns = Vec::new();
        for text in texts.unwrap_or_default() {
            match Pattern::new(text.text, self.place(&text.span)) {
                Ok(pattern) if !text.text.is_empty() => patterns.push(pattern),
                Ok(_) => self.problems.add(
                    Code::BadPattern,
                    text.span,
                    String::from("an empty pattern matches no scenario"),
                ),
                Err(reason) => self.problems.add_with_hint(
                    Code::BadPattern,
                    text.span,
                    format!("`{}` is not a glob: {reason}", text.text),
                    "`*` stands for any text; `\\\\` before a special character takes it literally",
                ),
            }
        }
        patterns
    }

    fn rules(&self, fields: &Fields<'t>, has_baseline: bool) -> Vec<Rule> {
        let rest = fields.rest();
        if rest.is_empty() {
            self.problems.add_with_hint(
                Code::EmptyGate,
                fields.span(),
                String::from("the gate requires nothing"),
                "add a metric with a requirement, such as `allocs = \"<= 3\"`",
            );
        }
        let mut rules = Vec::new();
        for (key, node) in rest {
            let Ok(metric) = key.text.parse::<Metric>() else {
                let metrics = Metric::ALL.map(Metric::name);
                let known = metrics.into_iter().chain(fields.known());
                self.problems.add_with_hint(
                    Code::UnknownMetric,
                    key.span,
                    format!("unknown metric `{}`", key.text),
                    suggest(key.text, known),
                );
                continue;
            };
            self.metric(fields, metric, node, has_baseline, &mut rules);
        }
        rules
    }

    /// The requirements of one metric: a text for the mean, or a table from
    /// statistics to texts.
    fn metric(
        &self,
        fields: &Fields<'t>,
        metric: Metric,
        node: Node<'t>,
        has_baseline: bool,
        rules: &mut Vec<Rule>,
    ) {
        let Some(table) = node.get_ref().as_table() else {
            if node.get_ref().as_str().is_none() {
                self.problems.add_with_hint(
                    Code::WrongType,
                    node.span(),
                    format!(
                        "`{metric}` has to be a requirement, and this is of type {}",
                        node.get_ref().type_str()
                    ),
                    "write `\"<= 3\"` for the mean, or `{ max = \"<= 3\" }` for another statistic",
                );
            } else if let Some(text) = fields.as_text(metric.name(), node) {
                rules.extend(self.rule(metric, Statistic::Mean, &text, has_baseline));
            }
            return;
        };
        let statistics = Fields::new(table, "a metric", node.span(), self.problems).rest();
        if statistics.is_empty() {
            self.problems.add(
                Code::EmptyGate,
                node.span(),
                format!("`{metric}` requires nothing"),
            );
        }
        for (key, node) in statistics {
            match key.text.parse::<Statistic>() {
                Ok(statistic) => {
                    if let Some(text) = fields.as_text(key.text, node) {
                        rules.extend(self.rule(metric, statistic, &text, has_baseline));
                    }
                }
                Err(()) => self.problems.add_with_hint(
                    Code::UnknownStatistic,
                    key.span,
                    format!("unknown statistic `{}`", key.text),
                    suggest(key.text, Statistic::ALL.map(Statistic::name)),
                ),
            }
        }
    }

    fn rule(
        &self,
        metric: Metric,
        statistic: Statistic,
        text: &Text<'t>,
        has_baseline: bool,
    ) -> Option<Rule> {
        let requirement = match Requirement::parse(text.text) {
            Ok(requirement) => requirement,
            Err(error) => {
                let span = self.inside(text, error.span);
                self.problems
                    .push(Code::BadRequirement, span, error.message, error.hint);
                return None;
            }
        };
        match requirement.pointless(metric) {
            Some(Pointless::CannotFail(index)) => self.problems.add_with_hint(
                Code::CannotFail,
                text.span.clone(),
                format!(
                    "`{metric}` is never below 0, so `{}` can't fail",
                    requirement.comparisons()[index]
                ),
                "a gate that can't fail protects nothing; give an upper limit, or leave it out",
            ),
            Some(Pointless::CannotHold) => self.problems.add(
                Code::CannotHold,
                text.span.clone(),
                format!("no value of `{metric}` can meet `{requirement}`"),
            ),
            None => {}
        }
        if requirement.needs_baseline() && !has_baseline {
            self.problems.add_with_hint(
                Code::NoBaselineFile,
                text.span.clone(),
                String::from("the requirement needs a baseline, and the file names none"),
                "add `[baseline]` with `data = \"design/alloc-baseline.toml\"`",
            );
        }
        Some(Rule {
            metric,
            statistic,
            requirement,
            place: self.place(&text.span),
        })
    }

    /// The bytes of the file for a `span` of a string's content. An escaped
    /// string is as long as it is, so then the whole of it is meant.
    fn inside(&self, text: &Text<'t>, span: Range<usize>) -> Range<usize> {
        let source = self.text.get(text.span.clone()).unwrap_or_default();
        match source.find(text.text) {
            Some(begin) if !text.text.is_empty() => {
                let offset = text.span.start + begin;
                // Something is always underlined.
                offset + span.start..(offset + span.end).max(offset + span.start + 1)
            }
            _ => text.span.clone(),
        }
    }

    fn place(&self, span: &Range<usize>) -> Place {
        Place::of(self.text, span.start)
    }
}
