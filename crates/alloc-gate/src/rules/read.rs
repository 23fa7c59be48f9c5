//! Reads the text of gates.toml into a valid [`Config`], in one pass that collects all mistakes.

mod fields;
mod gates;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::time::Duration;

use alloc_results::{Unit, check_custom_name};
use toml::de::{DeTable, Error};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Place, Problems, suggest};
use crate::figure::Custom;
use crate::rules::condition::When;
use crate::rules::read::fields::{Fields, Text};
use crate::rules::read::gates::Context;
use crate::rules::{BaselineFiles, Bench, Config, Policy, Reaction, RunSettings};

const VERSION: u64 = 1;

/// The seconds of the longest time limit.
const YEAR: u64 = 365 * 24 * 60 * 60;

/// Reads the `text` of `file`.
pub(super) fn read(file: &str, text: &str) -> Result<Config, Diagnostics> {
    let (root, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(Diagnostics::new(file, text, syntax_mistakes(&errors, text)));
    }
    let problems = Problems::default();
    let config = Reader {
        file,
        text,
        lines: std::iter::once(0)
            .chain(text.match_indices('\n').map(|(newline, _)| newline + 1))
            .collect(),
        problems: &problems,
        context: Context::default(),
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

/// The text being read, and its mistakes so far.
pub(super) struct Reader<'t> {
    pub(super) file: &'t str,
    pub(super) text: &'t str,
    /// The offsets of the lines. Searching for newlines for every value would take quadratic
    /// time.
    lines: Vec<usize>,
    pub(super) problems: &'t Problems,
    context: Context,
}

/// A value that a key doesn't take; without a place.
fn bad_value(message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic::mistake(Code::BadValue, 0..0, message).help(help)
}

/// Whether the text can be one feature of the package itself.
fn is_feature(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || matches!(c, ',' | '/' | '\0'))
}

impl<'t> Reader<'t> {
    fn config(mut self, root: Fields<'t>) -> Config {
        self.version(&root);
        let baseline = root.table("baseline", "`[baseline]`");
        let metrics = root.table("metrics", "`[metrics]`");
        // If `data` is missing, that alone is reported, and not again for every rule.
        self.context.has_baseline = root.has("baseline");
        self.context.custom = metrics.map_or_else(Vec::new, |fields| self.metrics(fields));
        let run = root.table("run", "`[run]`");
        let policy = root.table("policy", "`[policy]`");
        let benches = root.tables("bench", "`[[bench]]`");
        let gates = root.tables("gate", "`[[gate]]`");
        let gates = self.gates(gates);
        let config = Config {
            run: run.map_or_else(RunSettings::default, |fields| self.run(fields)),
            policy: policy.map_or_else(Policy::default, |fields| self.policy(fields)),
            benches: self.benches(benches),
            gates,
            baseline: baseline.and_then(|fields| self.baseline(fields)),
            file: self.file.to_owned(),
            text: self.text.to_owned(),
        };
        root.finish();
        config
    }

    fn version(&self, root: &Fields<'t>) {
        match root.take("version") {
            None => self.problems.push(
                Diagnostic::mistake(
                    Code::MissingKey,
                    root.span(),
                    "gates.toml needs the key `version`",
                )
                .help(format!("begin the file with `version = {VERSION}`")),
            ),
            Some(node) => {
                let found = node.get_ref().as_integer().map(|integer| integer.as_str());
                if found != Some("1") {
                    self.problems.push(
                        Diagnostic::mistake(
                            Code::UnsupportedVersion,
                            node.span(),
                            "unsupported `version` of gates.toml",
                        )
                        .help(format!(
                            "this cargo-alloc-gate reads `version = {VERSION}`; update it to read \
                             a newer file"
                        )),
                    );
                }
            }
        }
    }

    fn run(&self, fields: Fields<'t>) -> RunSettings {
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

    fn baseline(&self, fields: Fields<'t>) -> Option<BaselineFiles> {
        let data = fields.required_text("data");
        let page = fields.text("page").map(|page| page.text.to_owned());
        let exclude = self.globs(&fields, "exclude");
        fields.finish();
        Some(BaselineFiles {
            data: data?.text.to_owned(),
            page,
            exclude,
        })
    }

    /// Reads `[metrics]`, the metrics that scenarios define, with their units.
    /// The units that can be limited: two times are never equal.
    const UNITS: [Unit; 2] = [Unit::Count, Unit::Bytes];

    fn metrics(&self, fields: Fields<'t>) -> Vec<Custom> {
        let mut metrics = Vec::new();
        for (key, node) in fields.rest() {
            // Scenarios can't define metrics with invalid names.
            if let Err(error) = check_custom_name(key.text) {
                self.problems.push(Diagnostic::mistake(
                    Code::BadValue,
                    key.span,
                    error.to_string(),
                ));
                continue;
            }
            let Some(unit) = fields.as_text(key.text, node) else {
                continue;
            };
            let found = Self::UNITS.into_iter().find(|one| one.name() == unit.text);
            let found = found.ok_or_else(|| {
                let message = format!("`{}` is not a unit", unit.text);
                bad_value(message, suggest(unit.text, Self::UNITS.map(Unit::name)))
            });
            let found = self.valid(&unit, found);
            metrics.extend(found.map(|unit| Custom::new(key.text, unit)));
        }
        metrics
    }

    fn policy(&self, fields: Fields<'t>) -> Policy {
        let default = Policy::default();
        let reaction = |key, default| self.reaction(&fields, key).unwrap_or(default);
        let policy = Policy {
            stale: reaction("stale", default.stale),
            ungated: reaction("ungated", default.ungated),
            nondeterministic: reaction("nondeterministic", default.nondeterministic),
            foreign: reaction("foreign", default.foreign),
            unlisted: reaction("unlisted", default.unlisted),
            fell_to_zero: reaction("fell-to-zero", default.fell_to_zero),
        };
        fields.finish();
        policy
    }

    /// Reads `when` of a gate or a bench.
    fn when(&self, fields: &Fields<'t>) -> Option<When> {
        let text = fields.text("when")?;
        self.valid(&text, When::parse(text.text))
    }

    /// Reads the reaction to a finding.
    fn reaction(&self, fields: &Fields<'t>, key: &'static str) -> Option<Reaction> {
        let text = fields.text(key)?;
        let found = text.text.parse().map_err(|()| {
            let message = format!("invalid value `{}` for `{key}`", text.text);
            bad_value(
                message,
                suggest(text.text, Reaction::ALL.map(Reaction::name)),
            )
        });
        self.valid(&text, found)
    }

    fn benches(&self, tables: Vec<Fields<'t>>) -> Vec<Bench> {
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
                self.problems.push(
                    Diagnostic::mistake(
                        Code::BadValue,
                        feature.span.clone(),
                        format!("`{}` is not a feature", feature.text),
                    )
                    .help("write one feature of the bench's package in each string"),
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
                    .push(Diagnostic::mistake(Code::DuplicateBench, span, message).help(hint));
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
            self.problems
                .push(Diagnostic::mistake(Code::BadValue, name.span, message));
        }
        variables
    }

    /// The name of a table, which must be unique. `names` has the names so far, with their
    /// places.
    fn unique_name(
        &self,
        fields: &Fields<'t>,
        names: &mut HashMap<&'t str, Place>,
        code: Code,
        plural: &str,
    ) -> String {
        let Some(name) = fields.required_text("name") else {
            return String::new();
        };
        if let Some(first) = names.insert(name.text, self.place(&name.span)) {
            self.problems.push(
                Diagnostic::mistake(
                    code,
                    name.span,
                    format!("two {plural} are called `{}`", name.text),
                )
                .help(format!("the other one is at {}:{first}", self.file)),
            );
        }
        name.text.to_owned()
    }

    /// The value that was read from a text, or its mistake is reported there.
    fn valid<T>(&self, text: &Text<'t>, read: Result<T, Diagnostic>) -> Option<T> {
        let report = |mistake: Diagnostic| self.problems.push(mistake.at(text.span.clone()));
        read.map_err(report).ok()
    }

    /// The place where a span begins.
    pub(super) fn place(&self, span: &Range<usize>) -> Place {
        let line = self.lines.partition_point(|&begin| begin <= span.start);
        let begin = self.lines[line - 1];
        let before = self.text.get(begin..span.start).unwrap_or_default();
        Place {
            line,
            column: before.chars().count() + 1,
        }
    }
}

/// The mistakes that the parser found.
fn syntax_mistakes(errors: &[Error], text: &str) -> Vec<Diagnostic> {
    let again = again(text);
    let list = errors.iter().map(|error| {
        let span = error.span().unwrap_or(0..0);
        let before = text.get(..span.start).unwrap_or(text);
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let message = error.message().trim().to_owned();
        Diagnostic {
            help: again.get(&begin).cloned(),
            ..Diagnostic::mistake(Code::Syntax, span, message)
        }
    });
    let mut list: Vec<Diagnostic> = list.collect();
    // The keys of a table that stands twice are no further mistakes.
    let is_table = |one: &Diagnostic| text[..one.span().start].ends_with('[');
    if list.iter().any(|one| one.help.is_some() && is_table(one)) {
        list.retain(|one| one.help.is_some() || one.message != "duplicate key");
    }
    list
}

/// For the lines, by their offsets, whose header or key stands above already: where.
fn again(text: &str) -> HashMap<usize, String> {
    let (mut firsts, mut again) = (HashMap::new(), HashMap::new());
    let (mut begin, mut section) = (0, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_header = line.starts_with('[');
        if is_header {
            section = number;
        }
        let name = line.split('=').next().unwrap_or_default().trim();
        begin += line.len();
        if name.is_empty() {
            continue;
        }
        match firsts.entry((if is_header { None } else { Some(section) }, name)) {
            Entry::Vacant(first) => {
                first.insert(number + 1);
            }
            Entry::Occupied(first) if is_header && !name.starts_with("[[") => {
                let place = format!("the table begins in line {}", first.get());
                again.insert(begin - line.len(), format!("{place}; put its keys there"));
            }
            Entry::Occupied(first) if !is_header => {
                let place = format!("the key has a value in line {}", first.get());
                again.insert(begin - line.len(), format!("{place}; remove one of them"));
            }
            Entry::Occupied(_) => {}
        }
    }
    again
}
