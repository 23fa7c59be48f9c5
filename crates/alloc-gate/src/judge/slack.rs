//! [`Slack`]: the distance between a rule's limit and the worst figure under it. A
//! limit with much slack lets a regression pass.

use alloc_requirement::{Amount, Operator};
use alloc_results::Ratio;

use crate::evaluation::{Judgement, Verdict};
use crate::figure::{Exact, GrowthClass};
use crate::requirement::{Comparison, Limit, MarginSize, Requirement, tighter};
use crate::rules::Rule;

/// The only limit of a rule, a number, and the worst figure that it allows.
struct Slack {
    operator: Operator,
    limit: Amount,
    /// The index of the judgement with the worst figure.
    worst: usize,
    /// The worst figure.
    figure: Ratio,
}

impl Slack {
    /// The slack of `rule` in the judgements of its gate. `None` if a figure fails or
    /// is missing, or if the requirement is not a single upper or lower limit: one end
    /// of a range is always far away.
    fn in_rule(rule: &Rule, judgements: &[Judgement]) -> Option<Self> {
        let [comparison] = rule.requirement.comparisons() else {
            return None;
        };
        let Limit::Number(limit) = comparison.limit else {
            return None;
        };
        let own = || {
            let all = judgements.iter().enumerate();
            all.filter(|(_, judgement)| judgement.place == rule.place)
        };
        let holds = |verdict| matches!(verdict, Verdict::Pass | Verdict::Stale);
        if !own().all(|(_, judgement)| holds(judgement.verdict)) {
            return None;
        }
        let operator = comparison.operator;
        let (worst, judgement) = worst(operator, own(), |(_, judgement)| judgement.measured)?;
        Some(Self {
            operator,
            limit,
            worst,
            figure: judgement.measured?,
        })
    }

    /// The limit and the worst figure, the smaller one first.
    fn ends(&self) -> (Exact, Exact) {
        let (figure, limit) = (Exact::from(self.figure), self.limit());
        match self.operator {
            Operator::Less | Operator::LessOrEqual => (figure, limit),
            Operator::Greater | Operator::GreaterOrEqual | Operator::Equal => (limit, figure),
        }
    }

    /// The requirement with the tightest limit that the worst figure meets, if it can
    /// be written.
    fn tightened(&self) -> Option<Requirement> {
        let number = tighter(self.operator, self.figure, self.limit.value())?;
        Some(Requirement::from(Comparison {
            operator: self.operator,
            limit: Limit::Number(Amount::from(number)),
        }))
    }

    fn limit(&self) -> Exact {
        Exact::from(self.limit.value())
    }
}

/// The element with the worst figure under a limit with this operator: the largest
/// for an upper limit, the smallest for a lower one, `None` for `==`.
fn worst<T>(
    operator: Operator,
    all: impl Iterator<Item = T>,
    figure: impl Fn(&T) -> Option<Ratio>,
) -> Option<T> {
    match operator {
        Operator::Less | Operator::LessOrEqual => all.max_by_key(figure),
        Operator::Greater | Operator::GreaterOrEqual => all.min_by_key(figure),
        Operator::Equal => None,
    }
}

/// Makes the judgement of the worst figure stale if the slack of `rule` is larger
/// than `tolerance`. The worst figure decides because the limit has to hold for all
/// scenarios.
pub(super) fn find_stale_limit(rule: &Rule, tolerance: MarginSize, judgements: &mut [Judgement]) {
    let Some(slack) = Slack::in_rule(rule, judgements) else {
        return;
    };
    let tolerated = tolerance.for_base(&slack.limit());
    let (near, far) = slack.ends();
    if &near + &tolerated < far {
        make_stale(&mut judgements[slack.worst], slack.tightened());
    }
}

/// Makes the judgement of the fastest series stale if all series grow slower than
/// `rule` allows.
pub(super) fn find_stale_growth(rule: &Rule, judgements: &mut [Judgement]) {
    let pass = |judgement: &Judgement| judgement.verdict == Verdict::Pass;
    let class = |judgement: &Judgement| -> Option<GrowthClass> { Some(judgement.growth()?.class) };
    if !judgements.iter().all(pass) {
        return;
    }
    if let Some(fastest) = judgements.iter_mut().max_by_key(|one| class(one))
        && let Some(class) = class(fastest)
        && let Some(allowed) = rule.requirement.comparisons().first()
        && allowed.limit != Limit::Growth(class)
    {
        let tightened = Requirement::from(Comparison {
            operator: Operator::LessOrEqual,
            limit: Limit::Growth(class),
        });
        make_stale(fastest, Some(tightened));
    }
}

fn make_stale(judgement: &mut Judgement, tightened: Option<Requirement>) {
    judgement.verdict = Verdict::Stale;
    judgement.decisive = Some(0);
    judgement.details.get_or_insert_default().tightened = tightened;
}
