//! The call stacks below the lines of a value, as lines of text.

use crate::measure::counted;
use crate::report::explain::{Lines, ZERO, amount, place_words};
use crate::sites::{Amounts, Frame, FrameKind, SiteChange, location};

/// The stacks of a line at most.
const MOST_STACKS: usize = 5;
/// The frames of a stack at most: its innermost ones and its outermost ones.
const INNERMOST: usize = 40;
const OUTERMOST: usize = 10;

impl Lines<'_> {
    /// The stacks of the lines in the table, as far as they are of the run.
    pub(super) fn stacks(&self) -> Vec<String> {
        if !self.explained.shows_stacks {
            return Vec::new();
        }
        let (shown, rest) = self.shown();
        let sites = self.found.sites();
        let mut lines = Vec::new();
        let shown = shown.iter();
        for entry in shown.filter(|entry| entry.change != Some(SiteChange::Removed)) {
            let mut stacks = sites.stacks_of(entry.site, &self.metrics);
            stacks.retain(|(_, amounts)| !self.words(amounts).is_empty());
            if stacks.is_empty() {
                continue;
            }
            let (place, what) = place_words(entry.site);
            lines.push(format!("     {place}  {what}"));
            let rest = stacks.split_off(MOST_STACKS.min(stacks.len()));
            for (frames, amounts) in &stacks {
                lines.push(format!("       {}", self.words(amounts)));
                lines.extend(self::frames(frames));
            }
            if !rest.is_empty() {
                let sum = rest.iter().map(|(_, amounts)| *amounts).sum();
                let more = counted(rest.len(), "more stack");
                lines.push(format!("       {more}: {}", self.words(&sum)));
            }
        }
        if !rest.is_empty() {
            let lines_of = counted(rest.len(), "more line");
            lines.push(format!("     not shown: the stacks of {lines_of}"));
        }
        lines
    }

    /// `2 allocations, 24 bytes`.
    pub(super) fn words(&self, amounts: &Amounts) -> String {
        let sites = self.found.sites();
        let values = self.metrics.iter();
        let values = values.map(|&metric| (metric, sites.value_of(amounts, metric)));
        let words = values.filter(|(_, value)| *value != ZERO);
        let words = words.map(|(metric, value)| amount(metric, value));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// The frames of a stack, the innermost first, with their places in one column.
fn frames(frames: &[Frame]) -> Vec<String> {
    let all = frames.len();
    // A line that says `1 more frame` would not be shorter.
    let left_out = match all {
        all if all <= INNERMOST + OUTERMOST + 1 => 0..0,
        all => INNERMOST..all - OUTERMOST,
    };
    let numbered = frames.iter().enumerate();
    let shown: Vec<_> = numbered
        .filter(|(number, _)| !left_out.contains(number))
        .collect();
    let width = shown.iter().map(|(_, frame)| place(frame).chars().count());
    let width = width.max().unwrap_or_default();
    let digits = all.saturating_sub(1).to_string().len();
    let line = |(number, frame): &(usize, &Frame)| {
        // How a function was entered, unless by a call.
        let entered = match frame.kind {
            FrameKind::Called => "",
            FrameKind::Inlined => " (inlined)",
            FrameKind::TailCalled => " (by a tail call)",
        };
        let (place, function) = (place(frame), &frame.function);
        format!("         {number:>digits$}: {place:<width$}  {function}{entered}")
    };
    let mut lines: Vec<String> = shown.iter().map(line).collect();
    if !left_out.is_empty() {
        let more = counted(left_out.len(), "more frame");
        lines.insert(INNERMOST, format!("         {:>digits$}  {more}", ""));
    }
    lines
}

/// `src/text.rs:53:21`; without the folder of a registry or of a toolchain,
/// `serde-1.0.0/src/lib.rs:3:1`, `library/alloc/src/vec/mod.rs:3:1`.
fn place(frame: &Frame) -> String {
    let Some(file) = &frame.file else {
        return String::from("no line");
    };
    let is_std = file.starts_with("/rustc/") || file.contains("/lib/rustlib/src/rust/");
    let shown = if let Some((_, rest)) = file.split_once("/registry/src/") {
        rest.split_once('/').map_or(&**file, |(_, rest)| rest)
    } else {
        match file.find("/library/").filter(|_| is_std) {
            Some(at) => &file[at + 1..],
            None => file,
        }
    };
    location(shown, frame.line, frame.column)
}
