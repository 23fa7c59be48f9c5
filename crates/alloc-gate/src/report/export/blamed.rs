//! [`Blamed`]: the lines that explain a figure, for the formats of tests and of alerts.

use std::collections::HashMap;
use std::ptr;
use std::rc::Rc;

use crate::evaluation::{Evaluation, Judgement, Subjects, Verdict};
use crate::figure::Measure;
use crate::judge::failures;
use crate::printable::one_line;
use crate::report::check::failure::explained;
use crate::report::document::{Excerpt, Foreign, Inline};
use crate::report::explain::{SitesText, shown_metrics};
use crate::report::write::plain;
use crate::sites::{Explained, Frame};

/// The lines that explain a figure.
pub(super) struct Blamed<'e> {
    /// The first line: an edited one, if it is known which are.
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: Option<u32>,
    pub(super) code: String,
    /// The function of the line; empty if it does not allocate itself.
    pub(super) function: &'e str,
    /// A call stack of the line, innermost frame first.
    pub(super) stack: &'e [Frame],
    /// All lines with their code, and what each does.
    pub(super) texts: Vec<String>,
}

/// The lines of failed judgements, by the addresses of these.
pub(super) type BlamedLines<'e> = HashMap<*const Judgement, Rc<Blamed<'e>>>;

/// The lines behind the requirements that do not hold, as far as they are known.
pub(super) fn blamed_lines<'e>(
    evaluation: &'e Evaluation,
    subjects: &Subjects<'_>,
) -> BlamedLines<'e> {
    let all = &evaluation.explained;
    let mut lines = BlamedLines::new();
    if all.is_empty() {
        return lines;
    }
    let blamed: Vec<_> = all.iter().map(|one| blamed(one).map(Rc::new)).collect();
    let failures = failures(evaluation, subjects).into_iter();
    for failure in failures.filter(|failure| failure.verdict == Verdict::Fail) {
        let numbers = explained(evaluation, subjects, &failure.judged);
        for (_, judgement) in &failure.judged {
            // Of a sweep, not each point is explained.
            let nearest = numbers.iter().max_by_key(|number| {
                let one = &all[**number];
                let is_scenario = one.scenario == judgement.scenario;
                (is_scenario, Measure::from(one.metric) == judgement.metric)
            });
            if let Some(found) = nearest.and_then(|&number| blamed[number].clone()) {
                lines.insert(ptr::from_ref(*judgement), found);
            }
        }
    }
    lines
}

fn blamed(explained: &Explained) -> Option<Blamed<'_>> {
    let text = |part: &Foreign| plain(&Inline::Text(part.clone()).into());
    let excerpts = SitesText::new(explained).excerpts.list;
    let first = excerpts.first()?;
    let file = text(&first.file);
    let sites = explained.found.as_ref().ok()?.sites();
    let site = sites.list.iter().find(|site| {
        let line = site.place.line();
        line.is_some_and(|line| line.line == first.line && one_line(&line.file) == file)
    });
    let stacks = site.map(|site| sites.stacks_of(site, &shown_metrics(explained.metric)));
    let stack = stacks.and_then(|stacks| Some(stacks.first()?.0));
    let texts = |excerpt: &Excerpt| {
        let (file, code) = (text(&excerpt.file), text(&excerpt.code));
        let mut texts = vec![format!("{file}:{}: {}", excerpt.line, code.trim())];
        let words = [Some(&excerpt.label), excerpt.help.as_ref()];
        texts.extend(
            words
                .into_iter()
                .flatten()
                .map(|line| format!("  {}", plain(line))),
        );
        texts
    };
    Some(Blamed {
        line: first.line,
        column: first.column,
        code: text(&first.code),
        function: site
            .and_then(|site| site.place.function())
            .unwrap_or_default(),
        stack: stack.unwrap_or_default(),
        texts: excerpts.iter().flat_map(texts).collect(),
        file,
    })
}
