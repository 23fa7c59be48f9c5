//! Scenarios whose output is work that did not run: they fail instead of being zero.

use std::hint::black_box;

use alloc_scenario::Suite;

use crate::start::{failures, find, recorded};

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
    let (run, stream) = recorded("lazy", &["--bench"], &[]);
    assert_eq!(run.code, Some(101));
    let futures = ["future", "closure", "threads"];
    let iterators = ["iterator", "outside, in a result", "input"];
    let failures = failures(&stream);
    assert_eq!(failures.len(), futures.len() + iterators.len());
    for (name, message) in failures {
        let what = match name {
            name if futures.contains(&name) => "a closure or a future",
            name if iterators.contains(&name) => "an iterator or a stream",
            name => panic!("{name}: {message}"),
        };
        let begin = format!("measured nothing: the output is {what} that never ran, ");
        assert!(message.starts_with(&begin), "{name}: {message}");
    }
    for name in ["reader that allocates nothing", "only made"] {
        assert_eq!(find(&stream, name).samples[0].reading.counts.allocs, 0);
    }
    let new = find(&stream, "iterator over new words");
    assert_eq!(new.samples[0].reading.counts.allocs, 3);
}
