//! Requirements: no text makes reading one panic, and a requirement that is shown
//! reads back as the same. An input is `METRIC STATISTIC REQUIREMENT`.

use alloc_gate::{Config, Requirement};
use alloc_requirement::{Number, comparisons};

/// Checks one text, and says whether it is an input at all.
pub fn check(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else {
        return false;
    };
    let mut words = text.splitn(3, ' ');
    let (Some(metric), Some(statistic), Some(text)) = (words.next(), words.next(), words.next())
    else {
        return false;
    };
    take_apart(text);
    let rule = Rule { metric, statistic };
    if let Some(once) = rule.requirement(text) {
        let shown = once.to_string();
        let twice = rule.requirement(&shown);
        assert_eq!(twice.as_ref(), Some(&once), "it is shown as {shown}");
        assert_eq!(twice.map(|twice| twice.to_string()), Some(shown));
    }
    true
}

/// The grammar that gates and tests share, by itself.
fn take_apart(text: &str) {
    for written in comparisons(text) {
        for piece in [written.whole, written.name, written.symbol, written.limit] {
            assert_eq!(text.get(piece.span()), Some(piece.text));
        }
        let errors = [written.operator().err(), written.amount().err()];
        for error in errors.into_iter().flatten() {
            assert!(text.get(error.span.clone()).is_some());
            assert!(!error.to_string().is_empty());
        }
        if let Ok(amount) = written.amount() {
            let number = amount.number();
            let again: Result<Number, _> = number.to_string().parse();
            assert_eq!(again, Ok(number));
            let again = format!("< {amount}");
            let again = comparisons(&again).next().map(|written| written.amount());
            assert_eq!(again, Some(Ok(amount)));
        }
    }
}

/// The figure that a requirement is about.
struct Rule<'t> {
    metric: &'t str,
    statistic: &'t str,
}

impl Rule<'_> {
    fn requirement(&self, text: &str) -> Option<Requirement> {
        let [metric, statistic, text] = [self.metric, self.statistic, text].map(quoted);
        let rules = format!(
            "version = 1\n[baseline]\ndata = 'b'\n[[gate]]\nname = 'g'\nscenarios = ['*']\n\
             {metric} = {{ {statistic} = {text} }}\n"
        );
        let config = Config::parse("gates.toml", &rules).ok()?;
        // A key of a gate that is no metric, such as `reason`, makes no rule.
        let rule = config.gates.first()?.rules.first()?;
        Some(Requirement::clone(&rule.requirement))
    }
}

/// As a string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\') || character.is_control() {
            quoted += &format!("\\U{:08x}", u32::from(character));
        } else {
            quoted.push(character);
        }
    }
    quoted + "\""
}
