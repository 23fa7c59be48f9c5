//! Scenarios whose output is work that did not run: they fail instead of being zero.

use std::hint::black_box;

use alloc_scenario::Suite;

use crate::start::{failures, find, recorded};

/// The kind of bench.
pub(crate) const LAZY: &str = "lazy";

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

async fn words_later(text: &str) -> Vec<String> {
    words(text)
}

/// A reader whose words are found when it is made.
struct Reader(std::vec::IntoIter<usize>);

impl Iterator for Reader {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.0.next()
    }
}

pub(crate) fn add(suite: &mut Suite<'_>) {
    let text = black_box("one two");
    suite.scenario("future", || words_later(text));
    suite.scenario("closure", || || words(text));
    suite.scenario("iterator", || text.split(' ').map(words));
    suite.scenario_with("outside, in a result", |b| {
        b.drop_outside()
            .run(|()| Ok::<_, std::fmt::Error>(text.lines()))
    });
    suite.scenario_with("input", |b| {
        b.input(|()| words(text))
            .run(|words| words.into_iter().filter(|word| word.len() > 2))
    });
    suite.scenario_with("threads", |b| {
        b.run_on_threads(|()| 2, |()| words_later(text))
    });
    suite.scenario("reader that allocates nothing", || {
        Reader(Vec::new().into_iter())
    });
    suite.scenario("iterator over new words", || {
        words(text).into_iter().map(|word| word.len())
    });
    suite.scenario("only made", || (words_later(text),));
}

/// Each output allocates nothing, so that a gate of zero would hold.
pub(crate) fn outputs_that_did_not_run_fail_their_scenario() {
    let (run, stream) = recorded(LAZY, &["--bench"], &[]);
    assert_eq!(run.code, Some(101));
    let advice = |instead: &str| {
        format!(
            "{instead} inside the measured code. To measure only its creation, return it in a \
             tuple: `(value,)`"
        )
    };
    let future = |name: &str| {
        let instead = advice("call the closure, or pass the future to `block_on`");
        format!(
            "measured nothing: the output is a closure or a future that never ran, `protocol::lazy::{name}`; {instead}"
        )
    };
    let iterator = |name: &str| {
        let instead = advice("use its items, for example by `.collect()` or `.count()`");
        format!(
            "measured nothing: the output is an iterator or a stream that never ran, `{name}`; \
             {instead}"
        )
    };
    let expected = [
        ("future", future("words_later::{{closure}}")),
        ("closure", future("add::{{closure}}::{{closure}}")),
        ("iterator", iterator("core::iter::adapters::map::Map")),
        ("outside, in a result", iterator("core::str::iter::Lines")),
        ("input", iterator("core::iter::adapters::filter::Filter")),
        ("threads", future("words_later::{{closure}}")),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, message)| (*name, message.as_str()))
        .collect();
    assert_eq!(failures(&stream), expected);
    for name in ["reader that allocates nothing", "only made"] {
        assert_eq!(find(&stream, name).samples[0].reading.counts.allocs, 0);
    }
    let new = find(&stream, "iterator over new words");
    assert_eq!(new.samples[0].reading.counts.allocs, 3);
}
