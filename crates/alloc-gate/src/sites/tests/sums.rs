//! Random sites and diffs: each site is in one pair, and all differences add up.

use alloc_results::{Metric, Ratio, Tally};
use sample_results::Generator;

use crate::measure::Statistic;
use crate::sites::tests::{frame, members};
use crate::sites::{
    Amounts, BeforeRow, Changes, Code, SampleSites, ScenarioSites, Side, SiteDiff, SiteRow, Sites,
};

/// Reproducible random sites.
struct Numbers(Generator);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0.below(end as usize) as u64
    }

    fn line(&mut self) -> u32 {
        u32::try_from(1 + self.below(12)).unwrap()
    }

    fn scenario(&mut self) -> ScenarioSites {
        let stacks = (0..1 + self.below(12)).map(|_| {
            let mut stack = vec![frame("alloc::vec::Vec<T>::push", None, 0, 0)];
            for _ in 0..self.below(4) {
                let file = match self.below(3) {
                    0 => "src/a.rs",
                    1 => "src/b.rs",
                    _ => "/dep/src/lib.rs",
                };
                let function = format!("app::f{}", self.below(3));
                let (line, column) = (self.line(), self.line());
                stack.push(frame(&function, Some(file), line, column));
            }
            if self.below(4) > 0 {
                stack.push(frame("alloc_scenario::run", None, 0, 0));
            }
            stack
        });
        let stacks: Vec<_> = stacks.collect();
        let many = stacks.len() as u64;
        ScenarioSites {
            stacks,
            first: self.sample(many),
            samples: (0..1 + self.below(4))
                .map(|_| (self.sample(many), 1 + self.below(100)))
                .collect(),
            planned: 0,
            bench: String::from("benches/b.rs"),
            problem: None,
        }
    }

    fn sample(&mut self, stacks: u64) -> SampleSites {
        let rows = (0..self.below(10)).map(|_| {
            let [allocs, bytes, deallocs, kept] = [(); 4].map(|()| self.below(100));
            SiteRow {
                stack: usize::try_from(self.below(stacks + 1))
                    .ok()
                    .filter(|&at| at > 0)
                    .map(|at| at - 1),
                counts: Tally {
                    allocs,
                    bytes,
                    deallocs,
                    ..Tally::default()
                },
                kept_blocks: kept as i64,
                kept_bytes: 8 * kept as i64,
                peak_bytes: bytes,
                ..SiteRow::default()
            }
        });
        SampleSites {
            rows: rows.collect(),
            before: Some(BeforeRow {
                kept_blocks: -(self.below(50) as i64),
                kept_bytes: -(self.below(50) as i64),
                peak_bytes: Some(-(self.below(50) as i64)),
            }),
        }
    }

    /// Hunks over the files, in order.
    fn changes(&mut self) -> Changes {
        let mut text = String::new();
        for file in ["src/a.rs", "src/b.rs"] {
            text.push_str(&format!(
                "diff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n"
            ));
            let (mut old, mut new) = (1, 1);
            for _ in 0..self.below(3) {
                let (same, gone, more) = (self.below(4), self.below(3), self.below(3));
                (old, new) = (old + same, new + same);
                text.push_str(&format!("@@ -{old},{gone} +{new},{more} @@\n"));
                text.push_str(&"-x\n".repeat(gone as usize));
                text.push_str(&"+x\n".repeat(more as usize));
                (old, new) = (old + gone + 1, new + more + 1);
            }
        }
        Changes::parse(&text)
    }
}

fn source(file: &str) -> Option<String> {
    // Few texts, so that many lines are alike.
    let line = |number: u32| format!("    let x{} = f();\n", number % 3);
    file.ends_with("a.rs").then(|| (1..=12).map(line).collect())
}

#[test]
fn differences_of_random_sites_add_up() {
    let mut numbers = Numbers(Generator::new(1));
    for round in 0..300 {
        let statistic = [Statistic::Mean, Statistic::Max, Statistic::First][round % 3];
        let changes = numbers.changes();
        let [base, head] = [Side::Old(&changes), Side::New(&changes)].map(|side| {
            let members = members();
            let code = Code {
                side,
                ..Code::new(&members, &source)
            };
            Sites::new(numbers.scenario(), Metric::Bytes, statistic, code)
        });
        let diff = SiteDiff::new(base, head, &changes);
        for metric in Metric::ALL {
            let difference = |(base, head): (Ratio, Ratio)| head.checked_sub(base);
            let mut each = diff
                .deltas
                .iter()
                .map(|&delta| difference(diff.values(delta, metric)));
            let sum = each.try_fold(Ratio::ZERO, |sum, one| sum.checked_add(one?));
            let totals = (diff.base.total(metric), diff.head.total(metric));
            assert_eq!(
                sum.expect("it fits"),
                difference(totals).expect("it fits"),
                "round {round}, {metric}"
            );
        }
        for sites in [&diff.base, &diff.head] {
            for site in sites.list.iter().filter(|site| !site.stacks.is_empty()) {
                let stacks = sites.stacks_of(site, &[]).into_iter();
                let sum: Amounts = stacks.map(|(_, amounts)| amounts).sum();
                assert_eq!(sum, site.amounts, "round {round}");
            }
        }
        for (side, many) in [(0, diff.base.list.len()), (1, diff.head.list.len())] {
            let used = diff
                .deltas
                .iter()
                .filter_map(|delta| [delta.base, delta.head][side]);
            let mut used: Vec<usize> = used.collect();
            used.sort_unstable();
            assert_eq!(used, (0..many).collect::<Vec<_>>(), "round {round}");
        }
    }
}
