//! [`gates`]: suggests a gate with `allocs` and `bytes` for each measured scenario that has
//! none, as text for gates.toml.

use std::collections::{HashMap, HashSet};

use alloc_results::{Metric, ScenarioRecord};

use crate::diagnostic::Diagnostics;
use crate::results::{MeasuredScenario, Measurements};
use crate::rules::{CfgSets, Config};

/// Gates that hold for the measured scenarios.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestions {
    /// The names of the gates, in the order of the text.
    pub names: Vec<String>,
    /// The scenarios without a gate whose counts differ between iterations or runs.
    pub unsteady: Vec<String>,
    /// The text of the gates for a gates.toml, with an empty line between them.
    pub text: String,
}

/// Suggests a gate for each scenario of `first` to which no gate applies, and whose counts are
/// the same in each iteration of `first` and of `again`, a second measurement.
#[must_use]
pub fn gates(
    config: &Config,
    cfgs: &CfgSets,
    first: &Measurements,
    again: &Measurements,
) -> Suggestions {
    let names = config.gates.iter().map(|gate| gate.name.clone());
    let mut taken: HashSet<String> = names.collect();
    let again: HashMap<_, _> = again
        .scenarios()
        .iter()
        .map(|m| (m.id(), &m.record))
        .collect();
    let mut benches: HashMap<&str, usize> = HashMap::new();
    for measured in first.scenarios() {
        *benches.entry(&measured.record.name).or_default() += 1;
    }
    let mut suggestions = Suggestions::default();
    for measured in first.scenarios() {
        let is_gated = config.gates.iter().any(|gate| {
            gate.filter.includes(&measured.bench, &measured.record.name)
                && gate.condition.holds(&measured.environment, cfgs)
        });
        if is_gated {
            continue;
        }
        let name = &measured.record.name;
        let again = again.get(&measured.id());
        let Some(limits) = again.and_then(|again| limits(&measured.record, again)) else {
            suggestions.unsteady.push(name.clone());
            continue;
        };
        let gate = unique(&kebab(name), &mut taken);
        if !suggestions.text.is_empty() {
            suggestions.text.push('\n');
        }
        let is_ambiguous = benches.get(name.as_str()) > Some(&1);
        suggestions.text += &head(measured, &gate, is_ambiguous);
        suggestions.text += &limits;
        suggestions.names.push(gate);
    }
    suggestions
}

impl Suggestions {
    /// The text of a gates.toml with the gates added at its end, behind an empty line.
    /// The line ends stay as they are.
    ///
    /// # Errors
    ///
    /// If the new text is invalid: for example, tables can't continue a `gate` that is
    /// an inline array.
    pub fn appended_to(&self, file: &str, text: &str) -> Result<String, Diagnostics> {
        if self.names.is_empty() {
            return Ok(text.to_owned());
        }
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let own = self.text.replace('\n', line_end);
        let text = text.trim_end();
        let whole = if text.is_empty() {
            own
        } else {
            format!("{text}{line_end}{line_end}{own}")
        };
        Config::parse(file, &whole)?;
        Ok(whole)
    }
}

/// The requirements, a line each. `None` if the counts are not always the same.
fn limits(first: &ScenarioRecord, again: &ScenarioRecord) -> Option<String> {
    let limit = |metric: Metric| {
        let count = first.distribution(metric)?.max();
        let is_same = [first, again].into_iter().all(|record| {
            let counts = record.distribution(metric);
            counts.is_some_and(|counts| (counts.min(), counts.max()) == (count, count))
        });
        let operator = if count == 0 { "==" } else { "<=" };
        let count = alloc_results::Ratio::whole(count);
        is_same.then(|| format!("{metric} = \"{operator} {count}\"\n"))
    };
    Some(limit(Metric::Allocs)? + &limit(Metric::Bytes)?)
}

/// The lines of a gate above its requirements.
fn head(measured: &MeasuredScenario, gate: &str, is_ambiguous: bool) -> String {
    let scenario = quoted(&escaped(&measured.record.name));
    let mut text = format!(
        "[[gate]]\nname = {}\nscenarios = [{scenario}]\n",
        quoted(gate)
    );
    if is_ambiguous {
        let package = quoted(&escaped(&measured.bench.package));
        let bench = quoted(&escaped(&measured.bench.target));
        text += &format!("package = {package}\nbench = {bench}\n");
    }
    text
}

/// The name, with a number if another gate has it.
fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2_u64..).map(|number| format!("{name}-{number}"));
    let mut names = [name.to_owned()].into_iter().chain(numbered);
    let found = names.find(|name| !taken.contains(name));
    let found = found.unwrap_or_default();
    taken.insert(found.clone());
    found
}

/// Text as a name for a gate: lower-case words joined by hyphens.
fn kebab(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    match words.join("-").to_ascii_lowercase() {
        name if name.is_empty() => String::from("scenario"),
        name => name,
    }
}

/// A glob that matches only `text`.
fn escaped(text: &str) -> String {
    let mut glob = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::evaluation::Verdict;
    use crate::judge::evaluate;
    use crate::tests::{inputs, measured, rules};

    /// The gates for the results, measured twice; they hold, and leave no scenario ungated.
    fn suggested(gates: &str, first: &str, again: &str) -> Suggestions {
        let text = format!("version = 1\n{gates}");
        let (config, first, again) = (rules(&text), measured(first), measured(again));
        let suggestions = super::gates(&config, &CfgSets::default(), &first, &again);
        let text = suggestions.appended_to("gates.toml", &text);
        let config = rules(&text.expect("the file is valid"));
        for measurements in [&first, &again] {
            let evaluation = evaluate(&inputs(&config, measurements));
            let own = |name: &String| suggestions.names.contains(name);
            let own = evaluation.gates.iter().filter(|gate| own(&gate.name));
            let passed = own.filter(|gate| gate.verdict == Verdict::Pass).count();
            assert_eq!(passed, suggestions.names.len(), "{}", suggestions.text);
        }
        let codes = evaluate(&inputs(&config, &first)).findings;
        let ungated = codes.iter().filter(|f| f.code == Code::Ungated);
        assert_eq!(ungated.count(), suggestions.unsteady.len());
        suggestions
    }

    #[test]
    fn counts_that_are_always_the_same_are_their_own_limits() {
        let results = "encode: 10000 x allocs=2 bytes=1500\nlookup: 500 x";
        let suggestions = suggested("", results, results);
        assert_eq!(
            suggestions.text,
            "[[gate]]\nname = \"encode\"\nscenarios = [\"encode\"]\n\
             allocs = \"<= 2\"\nbytes = \"<= 1_500\"\n\n\
             [[gate]]\nname = \"lookup\"\nscenarios = [\"lookup\"]\n\
             allocs = \"== 0\"\nbytes = \"== 0\"\n"
        );
    }

    #[test]
    fn counts_that_differ_between_iterations_or_runs_have_no_gate() {
        let suggestions = suggested(
            "",
            "trip: 9 x allocs=5\nserve: 1 x allocs=4; 1 x allocs=6\nsame: 1 x allocs=1",
            "trip: 8 x allocs=5; 1 x allocs=5 bytes=8\nserve: 1 x allocs=4; 1 x allocs=6\n\
             same: 1 x allocs=1",
        );
        assert_eq!(suggestions.names, ["same"]);
        assert_eq!(suggestions.unsteady, ["trip", "serve"]);

        let gone = gates(
            &Config::without_file(),
            &CfgSets::default(),
            &measured("gone: 1 x\nstays: 1 x"),
            &measured("stays: 1 x"),
        );
        assert_eq!(
            (gone.names.len(), &gone.unsteady[..]),
            (1, &["gone".to_owned()][..])
        );
    }

    #[test]
    fn names_of_gates_are_valid_and_unique() {
        let gate = "[[gate]]\nname = \"a-b\"\nscenarios = [\"z\"]\nallocs = \"<= 1\"\n";
        let results = "z: 1 x\na b: 1 x\n\"a(b)\": 1 x\nA_b: 1 x\n読む: 1 x\n\"--\": 1 x\n\
                       \"it's \\\"[[gate]]\\\"\": 1 x\n'a*{b}[c]\\d?': 1 x\na1b: 1 x\nab: 1 x\n\
                       Vec<[u8]>/n=1: 1 x";
        let suggestions = suggested(gate, results, results);
        let names = "a-b-2 a-b-3 a-b-4 scenario scenario-2 it-s-gate a-b-c-d a1b ab vec-u8-n-1";
        let names: Vec<&str> = names.split(' ').collect();
        assert_eq!(suggestions.names, names);
        assert_eq!(
            suggested(&format!("{gate}{}", suggestions.text), results, results).names,
            [""; 0]
        );
    }

    #[test]
    fn an_ambiguous_name_has_its_bench() {
        let results = "bench a/x\ns: 1 x\nbench a/y\ns: 1 x allocs=2\nt: 1 x";
        let text = suggested("", results, results).text;
        for (bench, count) in [("package = \"a\"\nbench = \"x\"\n", 1), ("bench = ", 2)] {
            assert_eq!(text.matches(bench).count(), count, "{text}");
        }
    }

    #[test]
    fn a_file_keeps_its_text_and_its_line_ends() {
        let suggestions = suggested("", "a: 1 x", "a: 1 x");
        let text = suggestions.appended_to("g", "version = 1 # ours\r\n\r\n");
        let expected = format!("version = 1 # ours\n\n{}", suggestions.text);
        assert_eq!(text.unwrap(), expected.replace('\n', "\r\n"));
        let none = Suggestions::default();
        assert_eq!(none.appended_to("g", "as it was").unwrap(), "as it was");
        // Tables can't continue an inline array.
        let inline =
            "version = 1\ngate = [{ name = \"g\", scenarios = [\"*\"], allocs = \"<= 1\" }]\n";
        assert!(Config::parse("g", inline).is_ok());
        assert!(suggestions.appended_to("g", inline).is_err());
    }
}
