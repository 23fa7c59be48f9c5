//! [`Kept`]: the judgements of a gate that reports show. Of very many, it keeps the worst that do
//! not hold, the first that hold, and those with the smallest and the largest figures.

use std::cmp::Ordering;

use alloc_results::{BenchId, Ratio};

use crate::evaluation::{Excess, excess_of, more};
use crate::evaluation::{Judgement, Ruling, Verdict};
use crate::figure::Statistic;
use crate::results::MeasuredScenario;
use crate::rules::Rule;

/// So many judgements of all gates are kept, and of each gate at least so many. Ordinary runs have
/// fewer.
const MOST: usize = 100_000;
const LEAST: usize = 100;

/// The judgements of a gate.
pub(super) struct Kept<'g> {
    most: usize,
    holding: Vec<One<'g>>,
    /// With how far each is beyond its limit.
    unmet: Vec<(Excess, One<'g>)>,
    /// The first judgement of each bench and rule.
    firsts: Vec<One<'g>>,
    /// Of each rule, the judgements with the smallest and the largest figure and first call.
    extremes: Vec<[Option<(Ratio, One<'g>)>; 4]>,
    /// The number of judgements.
    pub(super) count: usize,
    /// The worst verdict.
    pub(super) verdict: Option<Verdict>,
}

/// A judgement.
#[derive(Clone)]
struct One<'g> {
    number: usize,
    rule: (usize, &'g Rule),
    measured: &'g MeasuredScenario,
    /// The name of a series.
    series: Option<String>,
    ruling: Ruling,
}

impl<'g> Kept<'g> {
    pub(super) fn new(gates: usize, rules: usize) -> Self {
        Self {
            most: (MOST / gates.max(1)).max(LEAST),
            holding: Vec::new(),
            unmet: Vec::new(),
            firsts: Vec::new(),
            extremes: vec![[const { None }; 4]; rules],
            count: 0,
            verdict: None,
        }
    }

    /// Adds a judgement of a scenario, or of a series with its first scenario.
    pub(super) fn add(
        &mut self,
        rule: (usize, &'g Rule),
        measured: &'g MeasuredScenario,
        series: Option<String>,
        ruling: Ruling,
    ) {
        let number = self.count;
        self.count += 1;
        self.verdict = self.verdict.max(Some(ruling.verdict));
        let one = One {
            number,
            rule,
            measured,
            series,
            ruling,
        };
        let is_in = |first: &One<'_>, bench: &BenchId| {
            first.rule.0 == rule.0 && first.measured.bench == *bench
        };
        if !self
            .firsts
            .iter()
            .any(|first| is_in(first, &measured.bench))
        {
            self.firsts.push(one.clone());
        }
        self.compare_extremes(&one);
        if one.ruling.verdict == Verdict::Pass {
            if self.holding.len() < self.most {
                self.holding.push(one);
            }
            return;
        }
        self.unmet
            .push((excess_of(&rule.1.requirement, &one.ruling), one));
        if self.unmet.len() >= 2 * self.most {
            self.leave_worst();
        }
    }

    fn compare_extremes(&mut self, one: &One<'g>) {
        let details = one.ruling.details.as_deref();
        let growth = details.and_then(|details| details.growth.as_ref());
        let class = growth.map(|growth| Ratio::whole(growth.class as i128));
        let figures = [
            class.or(one.ruling.measured),
            details.and_then(|it| it.first_call),
        ];
        for (at, known) in self.extremes[one.rule.0].iter_mut().enumerate() {
            let better = [Ordering::Less, Ordering::Greater][at % 2];
            let Some(figure) = figures[at / 2] else {
                continue;
            };
            if known
                .as_ref()
                .is_none_or(|(known, _)| figure.cmp(known) == better)
            {
                *known = Some((figure, one.clone()));
            }
        }
    }

    fn leave_worst(&mut self) {
        self.unmet.sort_by(|(one, first), (other, second)| {
            let by_verdict = second.ruling.verdict.cmp(&first.ruling.verdict);
            by_verdict.then_with(|| more(other, one))
        });
        self.unmet.truncate(self.most);
    }

    /// The judgements to show, in their order.
    pub(super) fn judgements(mut self) -> Vec<Judgement> {
        if self.unmet.len() > self.most {
            self.leave_worst();
        }
        let unmet = self.unmet.into_iter().map(|(_, one)| one);
        let mut all: Vec<One<'_>> = self.holding.into_iter().chain(unmet).collect();
        if all.len() < self.count {
            let extremes = self.extremes.into_iter().flatten().flatten();
            all.extend(self.firsts);
            all.extend(extremes.map(|(_, one)| one));
        }
        all.sort_unstable_by_key(|one| one.number);
        all.dedup_by_key(|one| one.number);
        all.into_iter().map(|one| one.judgement()).collect()
    }
}

impl One<'_> {
    fn judgement(self) -> Judgement {
        let (_, rule) = self.rule;
        let MeasuredScenario { record, .. } = self.measured;
        let mut ruling = self.ruling;
        // A counted iteration made them, so they don't explain the first call.
        let is_about_them =
            rule.metric.of_operations().is_some() && rule.statistic != Statistic::First;
        let first = record.first_operations.as_ref();
        let is_one = self.series.is_none() && ruling.verdict == Verdict::Fail;
        if let Some(first) = first.filter(|_| is_about_them && is_one) {
            ruling.details.get_or_insert_default().first_operations = Some(first.as_str().into());
        }
        let scenario = self.series.unwrap_or_else(|| record.name.clone());
        Judgement {
            scenario,
            bench: self.measured.bench.clone(),
            qualifier: self.measured.qualifier.clone(),
            location: record.location.clone(),
            metric: rule.metric.clone(),
            statistic: rule.statistic,
            requirement: rule.requirement.clone(),
            place: rule.place,
            ruling,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{measured, rules};

    #[test]
    fn of_very_many_judgements_the_worst_and_the_first_are_kept() {
        let config = "version = 1\n[[gate]]\nname = \"few\"\nscenarios = [\"*\"]\n\
                      allocs = \"<= 250\"\n";
        let config = rules(config);
        let lines = (0..600).map(|number| format!("s{number}: 1 x\n"));
        let results = measured(&lines.collect::<String>());
        let mut kept = Kept::new(1_000, 1);
        // Figures from 600 down to 1.
        for (measured, figure) in results.scenarios().iter().zip((1..=600).rev()) {
            let ruling = Ruling {
                decisive: (figure > 250).then_some(0),
                verdict: if figure > 250 {
                    Verdict::Fail
                } else {
                    Verdict::Pass
                },
                ..Ruling::new(Some(Ratio::whole(figure)))
            };
            kept.add((0, &config.gates[0].rules[0]), measured, None, ruling);
        }
        assert_eq!((kept.count, kept.verdict), (600, Some(Verdict::Fail)));
        let figures = kept.judgements().into_iter();
        let figures = figures.map(|judgement| judgement.measured.unwrap().numerator());
        // The smallest figure is an end of the range that reports show.
        let expected = (501..=600).rev().chain((151..=250).rev()).chain([1]);
        assert!(figures.eq(expected));
    }
}
