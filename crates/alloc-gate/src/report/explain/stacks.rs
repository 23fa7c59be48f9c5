//! The call stacks below the lines of a figure, as lines of text.

use alloc_results::{Metric, Ratio};

use crate::figure::counted;
use crate::report::explain::Lines;
use crate::report::explain::words::{amount_words, place_words};
use crate::sites::{Amounts, Found, Frame, FrameKind, Site, SiteChange, Sites, location};

/// The stacks of a line at most.
const MOST_STACKS: usize = 5;
/// The frames of a stack at most: its innermost ones and its outermost ones.
const INNERMOST: usize = 40;
const OUTERMOST: usize = 10;

impl Lines<'_> {
    /// The stacks of the lines in the table; of two sides those of lines whose figures changed.
    pub(super) fn stacks(&self) -> Vec<String> {
        if !self.explained.shows_stacks {
            return Vec::new();
        }
        let (shown, rest) = self.shown();
        let mut lines = Vec::new();
        let mut unchanged = 0;
        for entry in shown {
            let sides: Vec<(&Sites, Option<&Site>, String)> = match self.found {
                Found::Sites { sites, .. } => vec![(sites, Some(entry.site), String::new())],
                Found::Compared { .. } if entry.figures.iter().all(|(base, head)| base == head) => {
                    unchanged += 1;
                    continue;
                }
                Found::Compared { base, diff } => {
                    let now =
                        Some(entry.site).filter(|_| entry.change != Some(SiteChange::Removed));
                    vec![
                        (&diff.head, now, String::from("now: ")),
                        (&diff.base, entry.before, format!("at {base}: ")),
                    ]
                }
            };
            let stacks = sides.into_iter().flat_map(|(sites, site, name)| {
                let stacks = site.map(|site| sites.stacks_of(site, &self.metrics));
                side(sites, &stacks.unwrap_or_default(), &name, &self.metrics)
            });
            let stacks: Vec<String> = stacks.collect();
            if !stacks.is_empty() {
                let (place, what) = place_words(entry.site);
                let change = entry
                    .change
                    .map_or_else(String::new, |it| format!("{it}: "));
                lines.push(format!("     {change}{place}  {what}"));
                lines.extend(stacks);
            }
        }
        let left_out = [(rest.len(), "more line"), (unchanged, "unchanged line")];
        for (count, noun) in left_out.into_iter().filter(|(count, _)| *count > 0) {
            lines.push(format!(
                "     not shown: the stacks of {}",
                counted(count, noun)
            ));
        }
        lines
    }
}

/// The stacks of a line on one side.
fn side(
    sites: &Sites,
    stacks: &[(&[Frame], Amounts)],
    name: &str,
    metrics: &[Metric],
) -> Vec<String> {
    let words = |amounts: &Amounts| {
        let figures = metrics.iter().map(|&it| (it, sites.figure_of(amounts, it)));
        let words = figures.filter(|(_, figure)| *figure != Ratio::whole(0));
        let words = words.map(|(metric, figure)| amount_words(metric, figure));
        words.collect::<Vec<_>>().join(", ")
    };
    let mut stacks = stacks.to_vec();
    stacks.retain(|(_, amounts)| !words(amounts).is_empty());
    let (shown, rest) = stacks.split_at(MOST_STACKS.min(stacks.len()));
    let mut lines = Vec::new();
    for (frames, amounts) in shown {
        lines.push(format!("       {name}{}", words(amounts)));
        lines.extend(self::frames(frames));
    }
    if !rest.is_empty() {
        let sum = rest.iter().map(|(_, amounts)| *amounts).sum();
        let more = counted(rest.len(), "more stack");
        lines.push(format!("       {name}{more}: {}", words(&sum)));
    }
    lines
}

/// The frames of a stack, the innermost first, with their places in one column.
fn frames(frames: &[Frame]) -> Vec<String> {
    let is_shown = |number: &usize| {
        // A line that says `1 more frame` would not be shorter.
        frames.len() <= INNERMOST + OUTERMOST + 1
            || *number < INNERMOST
            || *number >= frames.len() - OUTERMOST
    };
    let shown = || {
        frames
            .iter()
            .enumerate()
            .filter(|(number, _)| is_shown(number))
    };
    let width = shown().map(|(_, frame)| place(frame).chars().count()).max();
    let digits = frames.len().saturating_sub(1).to_string().len();
    let mut lines = Vec::new();
    for (number, frame) in shown() {
        lines.push(format!(
            "         {number:>digits$}: {:<width$}  {}{}",
            place(frame),
            frame.function,
            entered(frame.kind),
            width = width.unwrap_or_default()
        ));
    }
    if lines.len() < frames.len() {
        let more = counted(frames.len() - lines.len(), "more frame");
        lines.insert(INNERMOST, format!("         {:>digits$}  {more}", ""));
    }
    lines
}

/// Says how a function was entered, unless by a call.
const fn entered(kind: FrameKind) -> &'static str {
    match kind {
        FrameKind::Called => "",
        FrameKind::Inlined => " (inlined)",
        FrameKind::TailCalled => " (by a tail call)",
    }
}

/// `src/text.rs:53:21`.
fn place(frame: &Frame) -> String {
    let Some(file) = &frame.file else {
        return String::from("no line");
    };
    location(shown_file(file), frame.line, frame.column)
}

/// The file without the folder of a registry or of a toolchain: `serde-1.0.0/src/lib.rs`,
/// `library/alloc/src/vec/mod.rs`.
fn shown_file(file: &str) -> &str {
    if let Some((_, rest)) = file.split_once("/registry/src/") {
        return rest.split_once('/').map_or(file, |(_, rest)| rest);
    }
    let is_std = file.starts_with("/rustc/") || file.contains("/lib/rustlib/src/rust/");
    match file.find("/library/").filter(|_| is_std) {
        Some(at) => &file[at + 1..],
        None => file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_toolchains_and_registries_are_short() {
        for (file, short) in [
            ("src/lib.rs", "src/lib.rs"),
            (
                "/rustc/0123abcd/library/alloc/src/vec/mod.rs",
                "library/alloc/src/vec/mod.rs",
            ),
            (
                "/home/a/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/a.rs",
                "library/core/src/a.rs",
            ),
            (
                "/home/a/.cargo/registry/src/index.crates.io-1949/serde-1.0.0/src/lib.rs",
                "serde-1.0.0/src/lib.rs",
            ),
            ("/home/a/library/src/lib.rs", "/home/a/library/src/lib.rs"),
            ("/rustc/0123abcd", "/rustc/0123abcd"),
            ("/registry/src/", "/registry/src/"),
        ] {
            assert_eq!(shown_file(file), short);
        }
    }

    #[test]
    fn of_a_deep_stack_both_ends_are_shown() {
        let frame = |number: usize| Frame {
            function: format!("f{number}").into(),
            file: None,
            line: None,
            column: None,
            kind: FrameKind::Called,
        };
        let stack = |count| (0..count).map(frame).collect::<Vec<_>>();
        assert_eq!(frames(&stack(51)).len(), 51);
        let lines = frames(&stack(1_000));
        assert_eq!(lines.len(), 51);
        assert_eq!(lines[39], "          39: no line  f39");
        assert_eq!(lines[40], "              950 more frames");
        assert_eq!(lines[41], "         990: no line  f990");
    }
}
