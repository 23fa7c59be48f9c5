//! Reads `[run]` and `[[bench]]`: what cargo builds, and how it runs.

use std::ops::Range;
use std::time::Duration;

use crate::diagnostic::Code;
use crate::rules::read::{Fields, Reader, Text, bad_value};
use crate::rules::{Bench, RunSettings};

/// The seconds of the longest time limit.
const YEAR: u64 = 365 * 24 * 60 * 60;

/// Whether the text can be one feature of the package itself.
fn is_feature(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || matches!(c, ',' | '/' | '\0'))
}

impl<'t> Reader<'t> {
    /// Reads `[run]`.
    pub(super) fn run(&self, fields: Fields<'t>) -> RunSettings {
        let default = RunSettings::default();
        let limit = |key| self.duration(&fields.text(key)?);
        let run = RunSettings {
            warmup: fields.number("warmup", 0),
            iterations: fields.number("iterations", 1),
            timeout: limit("timeout").unwrap_or(default.timeout),
            scenario_timeout: limit("scenario-timeout"),
            line_tables: fields.flag("line-tables").unwrap_or(default.line_tables),
        };
        fields.finish();
        run
    }

    fn duration(&self, text: &Text<'t>) -> Option<Duration> {
        let limit = text.text.trim();
        let (digits, unit) = match limit.strip_suffix('m') {
            Some(digits) => (digits, 60),
            None => (limit.strip_suffix('s').unwrap_or_default(), 1),
        };
        let number = digits.trim().parse::<u64>().ok();
        let duration = match number.and_then(|number| number.checked_mul(unit)) {
            Some(seconds @ 1..=YEAR) => Ok(Duration::from_secs(seconds)),
            Some(1..) => Err(bad_value(
                format!("the time limit `{}` is longer than a year", text.text),
                "write at most `525600m`",
            )),
            Some(0) | None => Err(bad_value(
                format!("`{}` is not a time limit", text.text),
                "write seconds as `90s` or minutes as `5m`",
            )),
        };
        self.valid(text, duration)
    }

    /// Reads all `[[bench]]` tables.
    pub(super) fn benches(&self, tables: Vec<Fields<'t>>) -> Vec<Bench> {
        let mut listed: Vec<(Bench, Range<usize>)> = Vec::new();
        for fields in tables {
            let package = fields.required_text("package");
            let target = fields.required_text("target");
            let run = fields.flag("run").unwrap_or(true);
            let features = fields.texts("features");
            let default_features = fields.flag("default-features").unwrap_or(true);
            let profile = fields.text_unless_empty("profile");
            let env = fields.table("env", "`env`").map(|env| self.variables(env));
            let when = self.when(&fields);
            let span = fields.span();
            fields.finish();
            for feature in features.iter().filter(|feature| !is_feature(feature.text)) {
                self.problems.helped(
                    Code::BadValue,
                    feature.span.clone(),
                    format!("`{}` is not a feature", feature.text),
                    "write one feature of the bench's package in each string",
                );
            }
            let (Some(package), Some(target)) = (package, target) else {
                continue;
            };
            let bench = Bench {
                package: package.text.to_owned(),
                target: target.text.to_owned(),
                name: target.text.to_owned(),
                run,
                features: features.iter().map(|one| one.text.to_owned()).collect(),
                default_features,
                profile: profile.map(|profile| profile.text.to_owned()),
                env: env.unwrap_or_default(),
                when,
                span: target.span,
            };
            listed.push((bench, span));
        }
        let target = |bench: &Bench| (bench.package.clone(), bench.target.clone());
        let targets: Vec<_> = listed.iter().map(|(bench, _)| target(bench)).collect();
        let mut benches: Vec<Bench> = Vec::new();
        for (mut bench, span) in listed {
            let same = targets.iter().filter(|other| **other == target(&bench));
            if same.count() > 1 {
                let mut features = bench.features.clone();
                features.sort_unstable();
                features.dedup();
                let none = (!bench.default_features).then(|| String::from("no-default"));
                for feature in none.into_iter().chain(features) {
                    bench.name.push_str(&format!("+{feature}"));
                }
            }
            let is_it =
                |other: &Bench| (&other.package, &other.name) == (&bench.package, &bench.name);
            if benches.iter().any(is_it) {
                let message = format!(
                    "the bench `{}` of `{}` is listed twice",
                    bench.name, bench.package
                );
                let hint = String::from("a target that is listed again needs other features");
                self.problems
                    .helped(Code::DuplicateBench, span, message, hint);
            } else {
                benches.push(bench);
            }
        }
        benches
    }

    /// The variables of `env`.
    fn variables(&self, fields: Fields<'t>) -> Vec<(String, String)> {
        let mut variables = Vec::new();
        for (name, node) in fields.rest() {
            let Some(value) = fields.as_text(name.text, node) else {
                continue;
            };
            let problem = if name.text.is_empty() || name.text.contains(['=', '\0']) {
                "is not the name of an environment variable"
            } else if name.text.starts_with("ALLOC_GATE_") {
                "is set by `cargo alloc-gate` itself"
            } else if value.text.contains('\0') {
                "has a value with a NUL character"
            } else {
                variables.push((name.text.to_owned(), value.text.to_owned()));
                continue;
            };
            let message = format!("`{}` {problem}", name.text);
            self.problems.mistake(Code::BadValue, name.span, message);
        }
        variables
    }
}
