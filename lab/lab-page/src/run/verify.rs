//! `lab-page run --verify`: compares the order of the allocators of each answer with the order in
//! a loop that shares nothing with the lab.

use lab_page::answers::{Order, answers};
use lab_page::error::Error;
use lab_page::results::Results;
use lab_page::summary::{MOST_OF_AN_ARENA, Summary, arena_factor};

use super::lab::Lab;
use crate::console;

/// How often a loop is run, each time in a process of its own. The median counts.
const RUNS: usize = 9;

/// How many allocators a loop has, of the ones that are built in: the first of the answer.
const FIRST: usize = 3;

/// Whether all loops agree with the answers, and threads had cores of their own.
pub(super) fn verify(lab: &Lab, results: &Results) -> Result<bool, Error> {
    let mut agrees = true;
    let answers = answers(results, &Summary::new(results));
    for order in answers.into_iter().flat_map(|answer| answer.orders) {
        let medians = medians(lab, &order)?;
        let find = |subject: &str| Some(medians.iter().find(|(name, ..)| *name == subject)?.2);
        let shown = medians.iter();
        let shown = shown.map(|(subject, value, own)| format!("{subject} {value:.2} ({own:.3e})"));
        let shown = format!("{}: {}", order.of, shown.collect::<Vec<_>>().join(", "));
        match order.contradiction(find) {
            None if medians.len() < 2 => console::line(format!("{shown}: not compared")),
            None => console::line(format!("{shown}: agrees")),
            Some((better, worse)) => {
                agrees = false;
                console::error(format!("{shown}: {worse} is better than {better}"));
            }
        }
    }
    if let Some(factor) = arena_factor(results).filter(|factor| *factor > MOST_OF_AN_ARENA) {
        agrees = false;
        console::error(format!(
            "an arena of each thread takes {factor:.2} times as long on several threads as on one: \
             measure on a machine without other work"
        ));
    }
    Ok(agrees)
}

/// The first allocators of the order that are built in, each with its value in the answer and its
/// median in the loop. They take turns.
fn medians<'o>(lab: &Lab, order: &'o Order) -> Result<Vec<(&'o str, f64, f64)>, Error> {
    let mut all = Vec::new();
    for (subject, value) in &order.subjects {
        if all.len() < FIRST
            && let Some(own) = lab.verify(order.of, subject)?
        {
            all.push((subject, *value, vec![own]));
        }
    }
    for _ in 1..RUNS {
        for (subject, _, values) in &mut all {
            values.extend(lab.verify(order.of, subject)?);
        }
    }
    let medians = all.into_iter().map(|(subject, value, mut values)| {
        values.sort_by(f64::total_cmp);
        (subject.as_str(), value, values[values.len() / 2])
    });
    Ok(medians.collect())
}
