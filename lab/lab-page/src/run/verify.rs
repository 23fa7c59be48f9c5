//! `lab-page run --verify`: compares the order of the allocators of each answer with the order in
//! a loop that shares nothing with the lab.

use lab_page::answers::{Order, answers};
use lab_page::error::Error;
use lab_page::results::Results;
use lab_page::summary::{MOST_OF_AN_ARENA, Summary, arena_factor};

use super::lab::Lab;
use crate::console;

/// How often a loop is run, each time in a process of its own. The least value counts.
const RUNS: usize = 9;

/// Whether all loops agree with the answers, and threads had cores of their own.
pub(super) fn verify(lab: &Lab, results: &Results) -> Result<bool, Error> {
    let mut agrees = true;
    let answers = answers(results, &Summary::new(results));
    for order in answers.into_iter().flat_map(|answer| answer.orders) {
        let least = least(lab, &order)?;
        let find = |subject: &str| least.iter().find(|(name, _)| *name == subject)?.1;
        let shown = order.subjects.iter().map(|(subject, value)| {
            let own = find(subject).map_or("not built in".to_owned(), |own| format!("{own:.3e}"));
            format!("{subject} {value:.2} ({own})")
        });
        let shown = format!("{}: {}", order.of, shown.collect::<Vec<_>>().join(", "));
        let count = least.iter().filter(|(_, value)| value.is_some()).count();
        match order.contradiction(find) {
            None if count < 2 => console::line(format!("{shown}: not compared")),
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

/// The least value of each allocator in the loop; `None` if it is not built in. They take turns.
fn least<'o>(lab: &Lab, order: &'o Order) -> Result<Vec<(&'o str, Option<f64>)>, Error> {
    let names = order.subjects.iter().map(|(subject, _)| subject.as_str());
    let mut all: Vec<(&str, Option<f64>)> = names.map(|name| (name, None)).collect();
    for _ in 0..RUNS {
        for (subject, least) in &mut all {
            let value = lab.verify(order.of, subject)?;
            *least = least.map_or(value, |least| value.map(|value| least.min(value)));
        }
    }
    Ok(all)
}
