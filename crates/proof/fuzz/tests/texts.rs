//! Every check with its seeds, and with random changes of them. Unlike libFuzzer this
//! follows no coverage; it needs no nightly Rust and no further build.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use proof_fuzz::{result_lines, rules};

/// Changed texts for each check, the same in every run.
const TEXTS: usize = 2_000;

/// How many seconds of further texts each check gets, different in every run.
const SECONDS: &str = "PROOF_FUZZ_SECONDS";

/// The longest text, as under libFuzzer, but for what is nested.
const MOST_BYTES: usize = 4096;

/// How deep brackets are nested in one text of thirty-two, at the most.
const DEEPEST: usize = 1 << 12;

#[test]
fn rules() {
    run("rules", rules::check);
}

#[test]
fn result_lines() {
    run("result_lines", result_lines::check);
}

fn run(target: &str, check: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = Texts {
        seeds: seeds(&folder.join("corpus").join(target)),
        words: words(&folder.join(format!("dictionaries/{target}.dict"))),
    };
    for seed in &texts.seeds {
        check_one(&check, seed);
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..TEXTS {
        check_one(&check, &texts.changed(&mut random));
    }
    let seconds = std::env::var(SECONDS).map_or(0, |seconds| {
        seconds
            .parse()
            .expect("PROOF_FUZZ_SECONDS is a whole number")
    });
    let end = Instant::now() + Duration::from_secs(seconds);
    let now = SystemTime::UNIX_EPOCH
        .elapsed()
        .expect("the year is past 1970");
    random.0 ^= u64::from(now.subsec_nanos()) ^ now.as_secs() << 30;
    while Instant::now() < end {
        check_one(&check, &texts.changed(&mut random));
    }
}

/// A text of some kilobytes takes milliseconds; the machine may be busy.
const LONGEST: Duration = Duration::from_secs(60);

/// A panic is reported with the text, which can become a seed.
fn check_one(check: &impl Fn(&[u8]), text: &[u8]) {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let begin = Instant::now();
        check(text);
        assert!(begin.elapsed() < LONGEST, "{:?}", begin.elapsed());
    }));
    assert!(outcome.is_ok(), "the text was b\"{}\"", text.escape_ascii());
}

fn seeds(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the folder of seeds can be read");
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths
        .collect::<Result<Vec<_>, _>>()
        .expect("its entries can be read");
    paths.sort();
    assert!(!paths.is_empty(), "{} has no seed", folder.display());
    let texts = paths.iter().map(fs::read);
    texts
        .collect::<Result<_, _>>()
        .expect("the seeds can be read")
}

/// The words of a libFuzzer dictionary: a line each, in quotes, with escapes.
fn words(file: &Path) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(file).expect("the dictionary can be read");
    let quoted = text.lines().filter_map(|line| line.strip_prefix('"'));
    quoted
        .map(|word| {
            let word = word.strip_suffix('"').expect("a word ends with a quote");
            let word = word.replace("\\x0a", "\n").replace("\\\"", "\"");
            word.replace("\\\\", "\\").into_bytes()
        })
        .collect()
}

struct Texts {
    seeds: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

impl Texts {
    /// A seed with a few changes.
    fn changed(&self, random: &mut Random) -> Vec<u8> {
        let mut text = random.one(&self.seeds).clone();
        for _ in 0..=random.below(6) {
            let at = random.below(text.len() + 1);
            let end = at + random.below(text.len() - at + 1).min(40);
            match random.below(7) {
                0 | 1 => insert(&mut text, at, random.one::<Vec<u8>>(&self.words)),
                2 => {
                    text.drain(at..end);
                }
                3 => {
                    let copy = text[at..end].to_vec();
                    insert(&mut text, at, &copy);
                }
                4 => {
                    let other = random.one(&self.seeds);
                    let from = random.below(other.len() + 1);
                    text.truncate(at);
                    text.extend_from_slice(&other[from..]);
                }
                5 => {
                    let byte = random.byte();
                    insert(&mut text, at, &[byte]);
                }
                // Keeps the places of all else.
                _ => text[at..end.min(at + 4)].fill_with(|| random.byte()),
            }
        }
        text.truncate(MOST_BYTES);
        if random.below(32) == 0 {
            nest(&mut text, random);
        }
        text
    }
}

/// Repeats a bracket, with the word before it: `not(not(not(`.
fn nest(text: &mut Vec<u8>, random: &mut Random) {
    let is_open = |at: &usize| b"({[".contains(&text[*at]);
    let brackets: Vec<usize> = (0..text.len()).filter(is_open).collect();
    if !brackets.is_empty() {
        let end = random.one(&brackets) + 1;
        let word = text[..end - 1].iter().rev();
        let start = end - 1 - word.take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let piece = text[start..end].repeat(random.below(DEEPEST));
        insert(text, end, &piece);
    }
}

fn insert(text: &mut Vec<u8>, at: usize, piece: &[u8]) {
    text.splice(at..at, piece.iter().copied());
}

/// Xorshift, by Marsaglia.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 1).unwrap_or(usize::MAX) % end
    }

    fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap_or_default()
    }

    fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}
