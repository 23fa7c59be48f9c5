//! Reads the text of gates.toml into a valid [`Config`], in one pass that collects all mistakes.
//! Missing keys, wrong types and unknown keys are mistakes of [`Fields`].

mod benches;

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use alloc_results::{Unit, check_custom_name};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Place, Problems, suggest};
use crate::measure::{Custom, Measure, Statistic};
use crate::requirement::Requirement;
use crate::rules::condition::{CompilerRequirement, Condition, When};
use crate::rules::pattern::Pattern;
use crate::rules::{
    BaselineFiles, BenchFilter, Config, Gate, Policy, Reaction, Rule, RunSettings, ScenarioFilter,
};

const VERSION: u64 = 1;

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
        has_baseline: false,
        custom: Vec::new(),
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
struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    /// The offsets of the lines. Searching for newlines for every value would take quadratic
    /// time.
    lines: Vec<usize>,
    problems: &'t Problems,
    /// Whether the file has a `[baseline]`.
    has_baseline: bool,
    /// The metrics that `[metrics]` declares.
    custom: Vec<Custom>,
}

/// A value that a key doesn't take; without a place.
fn bad_value(message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic::mistake(Code::BadValue, 0..0, message).help(help)
}

impl<'t> Reader<'t> {
    fn config(mut self, root: Fields<'t>) -> Config {
        self.version(&root);
        let baseline = root.table("baseline", "`[baseline]`");
        let metrics = root.table("metrics", "`[metrics]`");
        // If `data` is missing, that alone is reported, and not again for every rule.
        self.has_baseline = root.has("baseline");
        self.custom = metrics.map_or_else(Vec::new, |fields| self.metrics(fields));
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
            None => self.problems.helped(
                Code::MissingKey,
                root.span(),
                "gates.toml needs the key `version`",
                format!("begin the file with `version = {VERSION}`"),
            ),
            Some(node) => {
                let found = node.get_ref().as_integer().map(|integer| integer.as_str());
                if found != Some("1") {
                    self.problems.helped(
                        Code::UnsupportedVersion,
                        node.span(),
                        "unsupported `version` of gates.toml",
                        format!(
                            "this cargo-alloc-gate reads `version = {VERSION}`; update it to read \
                             a newer file"
                        ),
                    );
                }
            }
        }
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
                self.problems
                    .mistake(Code::BadValue, key.span, error.to_string());
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

    /// The value that was read from a text, or its mistake is reported there.
    fn valid<T>(&self, text: &Text<'t>, read: Result<T, Diagnostic>) -> Option<T> {
        let report = |mistake: Diagnostic| self.problems.push(mistake.at(text.span.clone()));
        read.map_err(report).ok()
    }

    fn place(&self, span: &Range<usize>) -> Place {
        let line = self.lines.partition_point(|&begin| begin <= span.start);
        let begin = self.lines[line - 1];
        let before = self.text.get(begin..span.start).unwrap_or_default();
        Place {
            line,
            column: before.chars().count() + 1,
        }
    }

    /// Reads all `[[gate]]` tables.
    fn gates(&self, tables: Vec<Fields<'t>>) -> Vec<Gate> {
        let mut gates = Vec::new();
        let mut names = HashMap::new();
        for fields in tables {
            let span = fields.span();
            let name = fields.required_text("name");
            if let Some(name) = &name
                && let Some(first) = names.insert(name.text, self.place(&name.span))
            {
                self.problems.helped(
                    Code::DuplicateGate,
                    name.span.clone(),
                    format!("two gates are called `{}`", name.text),
                    format!("the other one is at {}:{first}", self.file),
                );
            }
            let filter = self.filter(&fields);
            let condition = Condition {
                when: self.when(&fields),
                rustc: fields
                    .text("rustc")
                    .and_then(|text| self.valid(&text, CompilerRequirement::parse(text.text))),
            };
            let reason = fields.text("reason").map(|reason| reason.text.to_owned());
            let growth_axis = fields.text("growth-axis");
            let nondeterministic = self.reaction(&fields, "nondeterministic");
            let foreign = self.reaction(&fields, "foreign");
            let rules = self.rules(&fields);
            self.unused_growth_axis(&rules, growth_axis.as_ref());
            gates.push(Gate {
                name: name.map_or_else(String::new, |name| name.text.to_owned()),
                filter,
                condition,
                rules,
                growth_axis: growth_axis.map(|axis| axis.text.to_owned()),
                nondeterministic,
                foreign,
                reason,
                place: self.place(&span),
            });
        }
        gates
    }

    /// Reports a `growth-axis` that has no effect on any of the `rules`.
    fn unused_growth_axis(&self, rules: &[Rule], axis: Option<&Text<'t>>) {
        // A gate without valid rules already has a mistake.
        if let Some(axis) = axis
            && !rules.is_empty()
            && rules.iter().all(|rule| rule.statistic != Statistic::Growth)
        {
            self.problems.helped(
                Code::UnusedKey,
                axis.span.clone(),
                "no metric of the gate has a requirement on `growth`",
                "add one, such as `allocs = { growth = \"O(1)\" }`, or delete the key",
            );
        }
    }

    /// Reads the scenarios and the benches that a gate is for.
    fn filter(&self, fields: &Fields<'t>) -> ScenarioFilter {
        if fields.is_missing_or_empty("scenarios") {
            self.problems.helped(
                Code::NoScenarios,
                fields.span(),
                "the gate has no `scenarios`",
                "write `scenarios = [\"*\"]` for all scenarios",
            );
        }
        let glob = |key| self.glob(&fields.text(key)?);
        ScenarioFilter {
            scenarios: self.globs(fields, "scenarios"),
            exclude: self.globs(fields, "exclude"),
            benches: BenchFilter {
                package: glob("package"),
                bench: glob("bench"),
            },
        }
    }

    /// Reads the array of globs `key`.
    fn globs(&self, fields: &Fields<'t>, key: &'static str) -> Vec<Pattern> {
        let texts = fields.texts(key).into_iter();
        texts.filter_map(|text| self.glob(&text)).collect()
    }

    fn glob(&self, text: &Text<'t>) -> Option<Pattern> {
        let bad = |message: String| Diagnostic::mistake(Code::BadPattern, 0..0, message);
        let read = match Pattern::new(text.text, self.place(&text.span)) {
            Ok(_) if text.text.is_empty() => Err(bad("an empty pattern matches nothing".into())),
            read => read.map_err(|reason| {
                bad(format!("`{}` is not a glob: {reason}", text.text)).help(
                    "`*` matches any text; write `\\\\` before a special character to match it \
                     literally",
                )
            }),
        };
        self.valid(text, read)
    }

    /// Reads the remaining keys of a gate as metrics with requirements.
    fn rules(&self, fields: &Fields<'t>) -> Vec<Rule> {
        let rest = fields.rest();
        if rest.is_empty() {
            self.problems.helped(
                Code::EmptyGate,
                fields.span(),
                "the gate requires nothing",
                "add a metric with a requirement, such as `allocs = \"<= 3\"`",
            );
        }
        let mut rules = Vec::new();
        for (key, node) in rest {
            let mut custom = self.custom.iter();
            let custom = custom.find(|custom| custom.name() == key.text);
            let metric = Measure::from_builtin_name(key.text);
            let metric = metric.or(custom.cloned().map(Measure::Custom));
            let metric = metric.ok_or_else(|| {
                let mut known: Vec<&str> = Measure::known().collect();
                known.extend(self.custom.iter().map(Custom::name));
                known.extend(fields.known());
                let hint = suggest(key.text, known);
                let message = format!("unknown metric `{}`", key.text);
                Diagnostic::mistake(Code::UnknownMetric, 0..0, message).help(hint)
            });
            if let Some(metric) = self.valid(&key, metric) {
                self.metric(fields, &metric, node, &mut rules);
            }
        }
        rules
    }

    /// Reads the requirements of one metric: a text for its default statistic, or a table from
    /// statistics to texts.
    fn metric(&self, fields: &Fields<'t>, metric: &Measure, node: Node<'t>, rules: &mut Vec<Rule>) {
        let Some(table) = node.get_ref().as_table() else {
            let Some(text) = Text::new(node) else {
                self.problems.helped(
                    Code::WrongType,
                    node.span(),
                    format!(
                        "`{metric}` must be a requirement, found {}",
                        node.get_ref().type_str()
                    ),
                    "write `\"<= 3\"` for the mean, or `{ max = \"<= 3\" }` for another statistic",
                );
                return;
            };
            rules.extend(self.rule(metric, Statistic::Mean, &text));
            return;
        };
        let statistics = Fields::new(table, "a metric", node.span(), self.problems).rest();
        if statistics.is_empty() {
            self.problems.helped(
                Code::EmptyGate,
                node.span(),
                format!("`{metric}` requires nothing"),
                format!("add a statistic, such as `{metric} = {{ max = \"<= 3\" }}`"),
            );
        }
        for (key, node) in statistics {
            if let Some(statistic) = self.statistic(&key, metric)
                && let Some(text) = fields.as_text(key.text, node)
            {
                rules.extend(self.rule(metric, statistic, &text));
            }
        }
    }

    fn statistic(&self, key: &Text<'t>, metric: &Measure) -> Option<Statistic> {
        let known = Statistic::ALL.into_iter();
        let (message, help) = match key.text.parse::<Statistic>() {
            Ok(statistic) if metric.has(statistic) => return Some(statistic),
            Ok(statistic) => (
                format!("`{metric}` has no statistic `{statistic}`"),
                suggest(
                    "",
                    known.filter(|one| metric.has(*one)).map(Statistic::name),
                ),
            ),
            Err(()) => (
                format!("unknown statistic `{}`", key.text),
                suggest(key.text, known.map(Statistic::name)),
            ),
        };
        self.problems
            .helped(Code::UnknownStatistic, key.span.clone(), message, help);
        None
    }

    /// Reads one requirement.
    fn rule(&self, metric: &Measure, statistic: Statistic, text: &Text<'t>) -> Option<Rule> {
        let requirement = Requirement::parse_for(text.text, metric, statistic);
        let within = |mistake: Diagnostic| {
            let span = self.span_within(text, mistake.span());
            self.problems.push(mistake.at(span));
        };
        let requirement = requirement.map_err(within).ok()?;
        if requirement.needs_baseline() && !self.has_baseline {
            self.problems.helped(
                Code::NoBaselineFile,
                text.span.clone(),
                "the requirement needs a baseline, but gates.toml has none",
                "add `[baseline]` with `data = \"design/alloc-baseline.toml\"`",
            );
        }
        Some(Rule {
            metric: metric.clone(),
            statistic,
            requirement: requirement.into(),
            place: self.place(&text.span),
        })
    }

    /// The bytes of the file for a `span` of a string's content; the whole string if it has
    /// escapes.
    fn span_within(&self, text: &Text<'t>, span: Range<usize>) -> Range<usize> {
        let source = self.text.get(text.span.clone()).unwrap_or_default();
        match source.find(text.text) {
            Some(begin) if !text.text.is_empty() => {
                let offset = text.span.start + begin;
                // At least one byte is underlined.
                offset + span.start..(offset + span.end).max(offset + span.start + 1)
            }
            _ => text.span.clone(),
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
    // The keys of a table that occurs twice are no further mistakes.
    let is_table = |one: &Diagnostic| text[..one.span().start].ends_with('[');
    if list.iter().any(|one| one.help.is_some() && is_table(one)) {
        list.retain(|one| one.help.is_some() || one.message != "duplicate key");
    }
    list
}

/// For the lines, by their offsets, whose header or key occurs above already: where.
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

/// A value with its span in the file.
type Node<'t> = &'t Spanned<DeValue<'t>>;

/// A string with its span in the file, including the quotes.
#[derive(Clone, Debug)]
struct Text<'t> {
    text: &'t str,
    span: Range<usize>,
}

impl<'t> Text<'t> {
    /// The string of a value, if it is one.
    fn new(node: Node<'t>) -> Option<Self> {
        let text = node.get_ref().as_str()?;
        let span = node.span();
        Some(Self { text, span })
    }
}

/// The keys of one TOML table. [`Self::finish`] reports those that were not taken.
struct Fields<'t> {
    table: &'t DeTable<'t>,
    /// The name of the table in messages, such as "`[run]`".
    title: &'static str,
    span: Range<usize>,
    /// The keys that were asked for.
    known: RefCell<Vec<&'static str>>,
    problems: &'t Problems,
}

impl<'t> Fields<'t> {
    fn new(
        table: &'t DeTable<'t>,
        title: &'static str,
        span: Range<usize>,
        problems: &'t Problems,
    ) -> Self {
        Self {
            table,
            title,
            span,
            known: RefCell::default(),
            problems,
        }
    }

    fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The value of `key`, if it exists.
    fn take(&self, key: &'static str) -> Option<Node<'t>> {
        let mut known = self.known.borrow_mut();
        if !known.contains(&key) {
            known.push(key);
        }
        self.table.get(key)
    }

    /// The string of `key`, if it exists.
    fn text(&self, key: &'static str) -> Option<Text<'t>> {
        let node = self.take(key)?;
        self.as_text(key, node)
    }

    /// The string of `key`, which must exist and not be empty.
    fn required_text(&self, key: &'static str) -> Option<Text<'t>> {
        let Some(node) = self.take(key) else {
            self.problems.mistake(
                Code::MissingKey,
                self.span(),
                format!("{} needs the key `{key}`", self.title),
            );
            return None;
        };
        let text = self.as_text(key, node)?;
        if text.text.trim().is_empty() {
            self.problems
                .mistake(Code::BadValue, text.span, format!("`{key}` is empty"));
            return None;
        }
        Some(text)
    }

    /// The string of `key`, if it exists; it must not be empty.
    fn text_unless_empty(&self, key: &'static str) -> Option<Text<'t>> {
        self.take(key)?;
        self.required_text(key)
    }

    /// The whole number of `key`, if it exists; at least `least`.
    fn number(&self, key: &'static str, least: u64) -> Option<u64> {
        let node = self.take(key)?;
        let Some(integer) = node.get_ref().as_integer() else {
            self.wrong_type(key, "a whole number", node);
            return None;
        };
        let digits = integer.as_str().replace('_', "");
        let value = u64::from_str_radix(&digits, integer.radix()).ok();
        if value.is_none_or(|value| value < least) {
            self.problems.mistake(
                Code::BadValue,
                node.span(),
                format!("`{key}` must be a whole number of at least {least}"),
            );
            return None;
        }
        value
    }

    /// The boolean of `key`, if it exists.
    fn flag(&self, key: &'static str) -> Option<bool> {
        let node = self.take(key)?;
        let value = node.get_ref().as_bool();
        if value.is_none() {
            self.wrong_type(key, "a boolean", node);
        }
        value
    }

    /// The table of `key`, if it exists; messages name it by its `title`.
    fn table(&self, key: &'static str, title: &'static str) -> Option<Self> {
        let node = self.take(key)?;
        let Some(table) = node.get_ref().as_table() else {
            self.wrong_type(key, &format!("a table ({title})"), node);
            return None;
        };
        Some(Self::new(table, title, node.span(), self.problems))
    }

    /// The tables of the array `key`; empty if it does not exist.
    fn tables(&self, key: &'static str, title: &'static str) -> Vec<Self> {
        let Some(node) = self.take(key) else {
            return Vec::new();
        };
        let wanted = format!("an array of tables ({title})");
        let hint = node.get_ref().is_table().then(|| format!("write {title}"));
        self.items(key, &wanted, node, hint, |node| {
            let table = node.get_ref().as_table()?;
            Some(Self::new(table, title, node.span(), self.problems))
        })
    }

    /// The items of an array; a mistake of `key` for each of another type.
    fn items<T>(
        &self,
        key: &str,
        wanted: &str,
        node: Node<'t>,
        hint: Option<String>,
        read: impl Fn(Node<'t>) -> Option<T>,
    ) -> Vec<T> {
        let Some(array) = node.get_ref().as_array() else {
            self.add_wrong_type(key, wanted, node, hint);
            return Vec::new();
        };
        let mut items = Vec::new();
        for node in array.iter() {
            match read(node) {
                Some(item) => items.push(item),
                None => self.wrong_type(key, wanted, node),
            }
        }
        items
    }

    /// Whether `key` exists, with any value.
    fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Whether `key` does not exist or is an empty array.
    fn is_missing_or_empty(&self, key: &str) -> bool {
        match self.table.get(key) {
            Some(node) => node.get_ref().as_array().is_some_and(|a| a.is_empty()),
            None => true,
        }
    }

    /// The strings of the array `key`; empty if it does not exist.
    fn texts(&self, key: &'static str) -> Vec<Text<'t>> {
        let Some(node) = self.take(key) else {
            return Vec::new();
        };
        let text = node.get_ref().as_str();
        let hint = text.map(|text| format!("write `{key} = [{text:?}]`"));
        self.items(key, "an array of strings", node, hint, Text::new)
    }

    /// The string of a value; a mistake of `key` if it has another type.
    fn as_text(&self, key: &str, node: Node<'t>) -> Option<Text<'t>> {
        let text = Text::new(node);
        if text.is_none() {
            let seconds = node.get_ref().as_integer();
            let seconds = seconds.filter(|_| key.ends_with("timeout"));
            let hint = seconds.map(|seconds| format!("write `{key} = \"{}s\"`", seconds.as_str()));
            self.add_wrong_type(key, "a string", node, hint);
        }
        text
    }

    fn wrong_type(&self, key: &str, wanted: &str, node: Node<'_>) {
        self.add_wrong_type(key, wanted, node, None);
    }

    /// Reports a value of the wrong type, with what to write instead.
    fn add_wrong_type(&self, key: &str, wanted: &str, node: Node<'_>, help: Option<String>) {
        let found = node.get_ref().type_str();
        let message = format!("`{key}` must be {wanted}, found {found}");
        self.problems.push(Diagnostic {
            help,
            ..Diagnostic::mistake(Code::WrongType, node.span(), message)
        });
    }

    /// The keys that were not taken, with their values, in the order of the file.
    fn rest(&self) -> Vec<(Text<'t>, Node<'t>)> {
        let known = self.known.borrow();
        let mut rest: Vec<_> = self
            .table
            .iter()
            .filter(|(key, _)| !known.contains(&key.get_ref().as_ref()))
            .map(|(key, value)| {
                let text = Text {
                    text: key.get_ref().as_ref(),
                    span: key.span(),
                };
                (text, value)
            })
            .collect();
        rest.sort_by_key(|(key, _)| key.span.start);
        rest
    }

    /// The keys that were asked for so far, whether they exist or not.
    fn known(&self) -> Vec<&'static str> {
        self.known.borrow().clone()
    }

    /// Reports the keys that were not taken as unknown.
    fn finish(self) {
        for (key, _) in self.rest() {
            self.problems.helped(
                Code::UnknownKey,
                key.span,
                format!("unknown key `{}` in {}", key.text, self.title),
                suggest(key.text, self.known()),
            );
        }
    }
}
