//! Gates for random results. `suggested` checks that they are valid and hold.

use sample_results::Generator;

use crate::suggest::Which;
use crate::suggest::tests::suggested;

/// Reproducible random results.
struct Numbers(Generator);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0.below(end as usize) as u64
    }

    /// A count: often small, sometimes huge.
    fn count(&mut self) -> u64 {
        match self.below(4) {
            0 => 0,
            1 => self.below(4),
            2 => self.below(10_000),
            _ => self.below(1 << 53),
        }
    }

    fn sample(&mut self, n: u64) -> String {
        let times = 1 + self.below(1_000);
        let allocs = match self.below(4) {
            0 => n,
            1 => n.saturating_mul(n),
            _ => self.count(),
        };
        let (bytes, freed, grows, peak) = (self.count(), self.count(), self.count(), self.count());
        format!(
            "{times} x allocs={allocs} alloc-bytes={bytes} dealloc-bytes={freed} grows={grows} \
             peak={peak}"
        )
    }

    fn scenario(&mut self, name: &str, n: u64) -> String {
        let mut line = format!("{name}: {}", self.sample(n));
        if self.below(4) == 0 {
            line.push_str(&format!("; {}", self.sample(n)));
        }
        for rest in [
            format!(" | elements={}", 1 + self.below(n + 3)),
            String::from(" | scope=process"),
            String::from(" | foreign allocs=3"),
        ] {
            if self.below(3) == 0 {
                line.push_str(&rest);
            }
        }
        line + "\n"
    }
}

#[test]
fn suggested_gates_hold_for_random_results() {
    let mut numbers = Numbers(Generator::new(1));
    let mut growths = 0;
    for _ in 0..150 {
        let mut results = String::new();
        for base in ["a", "a b", "a*{b}[c]"] {
            if numbers.below(3) == 0 {
                results.push_str(&numbers.scenario(base, 7));
            }
            let step = 2 + numbers.below(9);
            let mut n = numbers.below(3);
            for _ in 0..numbers.below(7) {
                let cols = 1 + numbers.below(2);
                for name in [format!("{base}/n={n}"), format!("{base}/cols={cols},n={n}")] {
                    if numbers.below(4) > 0 {
                        results.push_str(&numbers.scenario(&name, n));
                    }
                }
                n = n * step + 1;
            }
        }
        if results.is_empty() {
            continue;
        }
        // `suggested` checks the gates.
        let suggestions = suggested("", &results, Which::Ungated);
        growths += suggestions.text.matches("growth = ").count();
    }
    assert!(growths > 40, "{growths} growths are no trial");
}
