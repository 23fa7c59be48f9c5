//! `lab-page run --verify`: compares the order of the allocators of each answer with the order in
//! a loop that shares nothing with the lab.

use std::collections::{BTreeMap, BTreeSet};

use lab_page::answers::{Order, answers};
use lab_page::error::Error;
use lab_page::results::Results;
use lab_page::summary::{MOST_OF_AN_ARENA, Summary, arena_factor};

use super::lab::Lab;
use crate::console;

/// How often each loop is run, in rounds: other work lasts for seconds. The least value counts.
const ROUNDS: usize = 9;

/// Whether all loops agree with the answers, and threads had cores of their own.
pub(super) fn verify(lab: &Lab, results: &Results) -> Result<bool, Error> {
    let answers = answers(results, &Summary::new(results));
    let orders: Vec<Order> = answers.into_iter().flat_map(|one| one.orders).collect();
    let all = orders.iter().flat_map(|order| {
        let subjects = order.subjects.iter();
        subjects.map(|(subject, _)| (order.of, subject.as_str()))
    });
    let all: BTreeSet<(&str, &str)> = all.collect();
    let mut least = BTreeMap::new();
    for number in 1..=ROUNDS {
        console::line(format!("lab: round {number} of the loops"));
        for &(of, subject) in &all {
            if let Some(value) = lab.verify(of, subject)? {
                let least = least.entry((of, subject)).or_insert(value);
                *least = least.min(value);
            }
        }
    }
    let mut agrees = true;
    for order in &orders {
        let find = |subject: &str| least.get(&(order.of, subject)).copied();
        let shown = order.subjects.iter().map(|(subject, value)| {
            let own = find(subject).map_or("not built in".to_owned(), |own| format!("{own:.3e}"));
            format!("{subject} {value:.2} ({own})")
        });
        let shown = format!("{}: {}", order.of, shown.collect::<Vec<_>>().join(", "));
        let values = order.subjects.iter().filter_map(|(name, _)| find(name));
        match order.contradiction(find) {
            None if values.count() < 2 => console::line(format!("{shown}: not compared")),
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
