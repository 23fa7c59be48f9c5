//! [`Program`]: sources with marked allocations, their stacks, and what `git diff -U0` says
//! about two of them.

use std::collections::BTreeMap;

use alloc_results::Metric;

use crate::measure::Statistic;
use crate::sites::tests::{Shown, frame, members, row};
use crate::sites::{
    Changes, Code, SampleSites, ScenarioSites, Side, SiteChange, SiteDiff, SitePlace, Sites,
};

/// The marker behind an allocating line: `//@ CALLED ALLOCS BYTES`, several after each other. The
/// stack goes on with the callers, as far as one line alone calls the function.
const MARKER: &str = "//@";

/// Files by name, and for each renamed one its old name.
pub(super) struct Program {
    files: BTreeMap<String, Vec<String>>,
    renamed: BTreeMap<String, String>,
    sites: ScenarioSites,
}

impl Program {
    /// Parses files, each below `=== NAME`, or `=== NAME was OLD NAME`.
    pub(super) fn parse(text: &str) -> Self {
        let mut program = Self {
            files: BTreeMap::new(),
            renamed: BTreeMap::new(),
            sites: ScenarioSites::default(),
        };
        // Each line with its place and its function, and the markers.
        let mut lines = Vec::new();
        let mut marked = Vec::new();
        for file in text.split("=== ").skip(1) {
            let (name, text) = file.split_once('\n').unwrap();
            let (name, old) = name.split_once(" was ").unwrap_or((name, name));
            if name != old {
                program.renamed.insert(old.to_owned(), name.to_owned());
            }
            let mut function = "";
            let texts = program.files.entry(name.to_owned()).or_default();
            for (number, line) in text.lines().enumerate() {
                let (code, markers) = line.split_once(MARKER).unwrap_or((line, ""));
                let code = code.trim_end();
                if let Some((_, rest)) = code.split_once("fn ") {
                    function = &rest[..rest.find(['(', '<']).unwrap()];
                }
                for marker in markers.split(MARKER).filter(|marker| !marker.is_empty()) {
                    let words: Vec<&str> = marker.split_whitespace().collect();
                    let [called, allocs, bytes] = words[..] else {
                        panic!("{marker}");
                    };
                    marked.push((lines.len(), called, allocs, bytes));
                }
                lines.push((name, number + 1, function, code));
                texts.push(code.to_owned());
            }
        }
        let mut sample = SampleSites::default();
        for (at, called, allocs, bytes) in marked {
            let frame_at = |at: usize, column: usize| {
                let (name, number, function, _) = lines[at];
                let [number, column] = [number, column + 1].map(|it| u32::try_from(it).unwrap());
                frame(
                    &format!("app::{function}"),
                    Some(&format!("/ws/{name}")),
                    number,
                    column,
                )
            };
            let column = lines[at].3.find(called).expect(called);
            let mut stack = vec![
                frame(&format!("alloc::vec::Vec<T>::{called}"), None, 0, 0),
                frame_at(at, column),
            ];
            let mut function = lines[at].2;
            let calls = |function: &str| -> Vec<(usize, usize)> {
                let call = format!(" {function}(");
                let calls = lines.iter().enumerate();
                let calls = calls.filter_map(|(at, line)| Some((at, line.3.find(&call)?)));
                calls.filter(|&(at, _)| lines[at].2 != function).collect()
            };
            while let [(at, column)] = calls(function)[..] {
                stack.push(frame_at(at, column + 1));
                function = lines[at].2;
            }
            stack.push(frame("alloc_scenario::run", None, 0, 0));
            program.sites.stacks.push(stack);
            let stack = Some(program.sites.stacks.len() - 1);
            let [allocs, bytes] = [allocs, bytes].map(|it| it.parse().unwrap());
            sample.rows.push(row(stack, allocs, bytes));
        }
        program.sites.samples.push((sample, 1));
        program
    }

    fn sites(&self, side: Side<'_>) -> Sites {
        let text = |file: &str| self.files.get(file).map(|lines| lines.join("\n"));
        let members = members();
        let code = Code {
            side,
            ..Code::new(&members, &text)
        };
        Sites::new(self.sites.clone(), Metric::Allocs, Statistic::Mean, code)
    }

    /// The output of `git diff -U0` from `self` to `new`.
    fn changes(&self, new: &Self) -> String {
        let mut text = String::new();
        let nothing = Vec::new();
        for (old_name, old) in &self.files {
            let new_name = new.renamed.get(old_name).unwrap_or(old_name);
            let lines = new.files.get(new_name).unwrap_or(&nothing);
            text.push_str(&format!("diff --git a/{old_name} b/{new_name}\n"));
            if old_name != new_name {
                text.push_str(&format!("rename from {old_name}\nrename to {new_name}\n"));
            }
            text.push_str(&format!("--- a/{old_name}\n+++ b/{new_name}\n"));
            text.push_str(&hunks(old, lines));
        }
        let is_renamed = |name: &str| new.renamed.values().any(|one| one == name);
        for (name, lines) in &new.files {
            if !self.files.contains_key(name) && !is_renamed(name) {
                text.push_str(&format!("diff --git a/{name} b/{name}\n--- /dev/null\n"));
                text.push_str(&format!("+++ b/{name}\n{}", hunks(&nothing, lines)));
            }
        }
        text
    }

    /// The differences of the sites; and checks that they add up.
    pub(super) fn diff(&self, new: &Self) -> Vec<Shown> {
        let changes = Changes::parse(&self.changes(new));
        let diff = SiteDiff::new(
            self.sites(Side::Old(&changes)),
            new.sites(Side::New(&changes)),
            &changes,
        );
        let mut shown = Vec::new();
        for &delta in &diff.deltas {
            let amount = |metric| {
                let (base, head) = diff.values(delta, metric);
                head.checked_sub(base).unwrap().as_whole().unwrap()
            };
            let (base, head) = diff.sites(delta);
            let SitePlace::Line(line) = &head.or(base).unwrap().place else {
                panic!("{delta:?}");
            };
            shown.push(Shown {
                change: delta.change,
                text: line.text.as_ref().unwrap().trim().to_owned(),
                allocs: amount(Metric::Allocs),
                bytes: amount(Metric::Bytes),
            });
        }
        let [base, head] = [&diff.base, &diff.head].map(|sites| sites.total(Metric::Allocs));
        let total = head.checked_sub(base).unwrap().as_whole();
        assert_eq!(Some(shown.iter().map(|one| one.allocs).sum()), total);
        shown.retain(|one| one.change != SiteChange::Same || (one.allocs, one.bytes) != (0, 0));
        shown.sort();
        shown
    }
}

/// The hunks between two texts, by their longest common subsequence of lines.
fn hunks(old: &[String], new: &[String]) -> String {
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            common[a][b] = if old[a] == new[b] {
                common[a + 1][b + 1] + 1
            } else {
                common[a + 1][b].max(common[a][b + 1])
            };
        }
    }
    let mut text = String::new();
    let (mut a, mut b) = (0, 0);
    while a < old.len() || b < new.len() {
        if a < old.len() && b < new.len() && old[a] == new[b] {
            (a, b) = (a + 1, b + 1);
            continue;
        }
        let (from, to) = (a, b);
        while a < old.len() || b < new.len() {
            let is_equal = a < old.len() && b < new.len() && old[a] == new[b];
            if is_equal {
                break;
            }
            if b >= new.len() || (a < old.len() && common[a + 1][b] >= common[a][b + 1]) {
                a += 1
            } else {
                b += 1
            }
        }
        // Git names the line above an empty span.
        let span = |from: usize, to: usize| match to - from {
            0 => format!("{from},0"),
            count => format!("{},{count}", from + 1),
        };
        text.push_str(&format!("@@ -{} +{} @@\n", span(from, a), span(to, b)));
        text.extend(old[from..a].iter().map(|line| format!("-{line}\n")));
        text.extend(new[to..b].iter().map(|line| format!("+{line}\n")));
    }
    text
}
