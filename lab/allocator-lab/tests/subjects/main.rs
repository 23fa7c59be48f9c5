//! Each subject that is built in and installed keeps its contract: its blocks are
//! aligned, disjoint and intact, also between threads; an arena starts over; a full
//! region refuses requests. A subject that is missing says why.

#![expect(unsafe_code, reason = "allocators are called as workloads call them")]
#![expect(clippy::unwrap_used, reason = "a test fails where it can't go on")]

mod regions;

use std::alloc::Layout;
use std::collections::{BTreeSet, VecDeque};
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;

use allocator_lab::subjects::{self, Visitor};
use allocator_lab::{Kind, Subject, Unavailable, layout};
use libtest_mimic::{Arguments, Failed, Trial};

/// The features of the manifest that are not names of subjects.
const OTHER_FEATURES: [&str; 4] = ["default", "c", "dlopen", "record"];

/// The controls on the page, which are no subjects of a list.
const CONTROLS: [&str; 3] = ["floor", "floor-arena", "system-again"];

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // One test reads how much memory the process has mapped.
    arguments.test_threads = Some(1);
    let mut trials = Trials::default();
    subjects::all(&mut trials);
    let names = trials.names;
    trials
        .trials
        .push(Trial::test("each_subject_is_listed_once", move || {
            listed_once(&names);
            Ok(())
        }));
    libtest_mimic::run(&arguments, trials.trials).exit_code()
}

#[derive(Default)]
struct Trials {
    names: Vec<&'static str>,
    trials: Vec<Trial>,
}

impl Trials {
    fn add(&mut self, name: &str, test: &str, run: impl FnOnce() + Send + 'static) {
        let run = move || {
            run();
            Ok::<(), Failed>(())
        };
        self.trials
            .push(Trial::test(format!("{name}::{test}"), run));
    }
}

/// A test of a subject, which has this name.
type TestOf<S> = fn(&'static str, S);

impl Visitor for Trials {
    fn subject<S: Subject + Send + 'static>(
        &mut self,
        name: &'static str,
        open: fn() -> Result<S, Unavailable>,
    ) -> &mut Self {
        self.names.push(name);
        if let Err(Unavailable(why)) = open() {
            self.add(name, "it_is_missing_and_says_why", move || {
                assert!(is_a_reason(&why), "{why:?}");
            });
            return self;
        }
        let has_region = S::REGION_BYTES.is_some();
        let tests: [(&str, bool, TestOf<S>); 4] = [
            (
                "blocks_of_every_size_and_alignment_keep_their_contents",
                true,
                all_blocks,
            ),
            (
                "threads_give_back_what_others_took",
                S::SHARED,
                between_threads,
            ),
            (
                "after_a_reset_it_hands_out_the_same_memory",
                S::KIND == Kind::Arena,
                same_again,
            ),
            (
                "when_it_is_full_it_returns_null_and_goes_on",
                has_region,
                regions::until_full,
            ),
        ];
        let open = move || open().unwrap();
        for (test, _, run) in tests.into_iter().filter(|(_, applies, _)| *applies) {
            self.add(name, test, move || run(name, open()));
        }
        if has_region {
            self.add(name, "each_has_a_region_of_its_own", move || {
                regions::two_regions(&open(), &open());
            });
            self.add(name, "a_region_can_have_another_size", move || {
                regions::region_of(1 << 20, &open());
            });
            #[cfg(target_os = "linux")]
            self.add(name, "a_region_is_given_back", move || {
                regions::no_growth(|| drop(open()));
            });
        }
        self
    }
}

/// The system's is the first. Every allocator that is a feature, and every one on the
/// page, is listed, and none twice.
fn listed_once(names: &[&str]) {
    assert_eq!(names[0], "system");
    let distinct: BTreeSet<_> = names.iter().copied().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
    let features = between(include_str!("../../Cargo.toml"), "[features]\n", "\n[");
    let features = features.lines().filter(|line| !line.starts_with('#'));
    let features = features.filter_map(|line| Some(line.split_once(" = ")?.0));
    let page = include_str!("../../../design/allocators-tables.md");
    let begin = "<!-- lab-page: begin pair-by-size -->";
    let rows = between(page, begin, "<!-- lab-page: end").lines();
    let rows = rows.filter_map(|row| row.strip_prefix("| ")?.split(' ').next());
    let rows = rows.filter(|row| *row != "subject");
    let expected: BTreeSet<_> = features
        .filter(|feature| !OTHER_FEATURES.contains(feature))
        .chain(rows.filter(|row| !CONTROLS.contains(row)))
        .collect();
    assert!(expected.len() >= 15, "{expected:?}");
    let missing: Vec<_> = expected.difference(&distinct).collect();
    assert!(missing.is_empty(), "not listed: {missing:?}");
}

fn between<'t>(text: &'t str, begin: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(begin).unwrap();
    rest.split_once(end).unwrap().0
}

/// Whether it names the feature, the package or the compiler that is missing.
fn is_a_reason(why: &str) -> bool {
    ["feature", "features", "installed", "loaded", "system"]
        .iter()
        .any(|word| why.split([' ', '-']).any(|other| other == *word))
        && why.len() > 30
}

/// splitmix64: the same numbers in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    /// Up to 64 KiB, mostly small.
    fn size(&mut self) -> usize {
        1 + self.below(64 << 10) % (1 << self.below(17))
    }
}

/// A live block, all bytes of which are `mark`.
struct Block {
    start: *mut u8,
    layout: Layout,
    /// Bytes that were written, `layout.size()` of them or more.
    usable: usize,
    mark: u8,
}

// SAFETY: its owner may read and write the block.
unsafe impl Send for Block {}

impl Block {
    /// Takes a block, checks its address and size, and writes it.
    fn take<S: Subject>(name: &str, subject: &S, layout: Layout, mark: u8) -> Self {
        let start = subject.take(layout);
        assert!(!start.is_null(), "{name} refused {layout:?}");
        let over = start.addr() % layout.align();
        assert_eq!(over, 0, "{name} gave {start:p} for {layout:?}");
        // SAFETY: the block is live, and was taken with this layout.
        let told = unsafe { subject.usable_size(start, layout) };
        assert_eq!(told.is_some(), S::TELLS_SIZES, "whether {name} tells sizes");
        let usable = told.unwrap_or(layout.size());
        assert!(usable >= layout.size(), "{name}: {usable} for {layout:?}");
        // SAFETY: this many bytes are usable.
        unsafe { start.write_bytes(mark, usable) };
        Self {
            start,
            layout,
            usable,
            mark,
        }
    }

    /// Another size, with the contents as far as they fit, and the rest written.
    fn resize<S: Subject>(mut self, name: &str, subject: &S, size: usize) -> Self {
        self.check(name);
        let resized = layout(size, self.layout.align());
        // SAFETY: it was taken with this layout and is live, and `resized` is a layout.
        self.start = unsafe { subject.resize(self.start, self.layout, size) };
        let is_aligned = self.start.addr().is_multiple_of(resized.align());
        assert!(!self.start.is_null() && is_aligned, "{name}: {resized:?}");
        self.usable = size.min(self.layout.size());
        self.layout = resized;
        self.check(name);
        // SAFETY: the block is live and has this size.
        unsafe { self.start.write_bytes(self.mark, size) };
        self.usable = size;
        self
    }

    fn check(&self, name: &str) {
        // SAFETY: all of them were written.
        let bytes = unsafe { std::slice::from_raw_parts(self.start, self.usable) };
        let spoilt = bytes.iter().position(|&byte| byte != self.mark);
        assert_eq!(spoilt, None, "{name} spoilt {:?} from here on", self.layout);
    }

    fn give<S: Subject>(self, name: &str, subject: &S) {
        self.check(name);
        // SAFETY: it was taken with this layout, and is given back once.
        unsafe { subject.give(self.start, self.layout) };
    }
}

/// A subject and its live blocks.
struct Blocks<S: Subject> {
    name: &'static str,
    subject: S,
    live: Vec<Block>,
    taken: usize,
}

impl<S: Subject> Blocks<S> {
    fn new(name: &'static str, subject: S) -> Self {
        Self {
            name,
            subject,
            live: Vec::new(),
            taken: 0,
        }
    }

    fn take(&mut self, layout: Layout) {
        self.taken += 1;
        let mark = (self.taken % 251) as u8 + 1;
        let block = Block::take(self.name, &self.subject, layout, mark);
        self.live.push(block);
    }

    fn give_all(&mut self) {
        for block in self.live.drain(..) {
            block.give(self.name, &self.subject);
        }
        self.subject.reset();
    }

    /// The addresses alone say that no two overlap.
    fn check_disjoint(&self) {
        let mut ranges: Vec<(usize, usize)> = self
            .live
            .iter()
            .map(|block| (block.start.addr(), block.start.addr() + block.usable))
            .collect();
        ranges.sort_unstable();
        for pair in ranges.windows(2) {
            assert!(pair[0].1 <= pair[1].0, "{} overlaps: {pair:x?}", self.name);
        }
    }
}

/// Every size with every alignment, large blocks, and 10,000 of random ones.
fn layouts(random: &mut Random) -> Vec<Layout> {
    let sizes = [1, 7, 8, 24, 64, 100, 1000, 4096, 65_536];
    let aligned = |size| (0..=12).map(move |power| layout(size, 1 << power));
    let repeated = [(); 8]
        .into_iter()
        .flat_map(|()| sizes.into_iter().flat_map(aligned));
    // The sizes of the workload `large`.
    let large = [1, 16, 64].map(|mebibytes| layout(mebibytes << 20, 64));
    let random = (0..10_000).map(|_| layout(random.size(), 1 << random.below(13)));
    large.into_iter().chain(repeated).chain(random).collect()
}

fn all_blocks<S: Subject>(name: &'static str, subject: S) {
    let mut blocks = Blocks::new(name, subject);
    let mut random = Random(42);
    for layout in layouts(&mut random) {
        blocks.take(layout);
        if random.below(100) < 30 {
            let index = random.below(blocks.live.len());
            let block = blocks.live.swap_remove(index);
            let block = block.resize(name, &blocks.subject, random.size());
            blocks.live.push(block);
        }
        if S::KIND == Kind::General && random.below(100) < 45 {
            let given = random.below(blocks.live.len());
            let block = blocks.live.swap_remove(given);
            block.give(name, &blocks.subject);
        }
        if blocks.live.len() == 300 {
            blocks.check_disjoint();
            blocks.give_all();
        }
    }
    blocks.check_disjoint();
    blocks.give_all();
}

/// A subject that may be shared.
struct Shared<S>(S);

// SAFETY: it is only made of subjects whose `SHARED` is true.
unsafe impl<S: Subject> Sync for Shared<S> {}

fn between_threads<S: Subject + Send>(name: &'static str, subject: S) {
    assert!(S::SHARED);
    let shared = Shared(subject);
    let shared = &shared;
    let passed: Mutex<VecDeque<Block>> = Mutex::default();
    thread::scope(|scope| {
        for seed in 0..4 {
            let passed = &passed;
            scope.spawn(move || {
                let subject = &shared.0;
                let mut random = Random(seed);
                for turn in 0..2_000 {
                    let size = 1 + random.below(2048);
                    let mark = (turn % 61) as u8 * 4 + seed as u8 + 1;
                    let block =
                        Block::take(name, subject, layout(size, 1 << random.below(8)), mark);
                    let mut queue = passed.lock().unwrap();
                    queue.push_back(block);
                    // The oldest block is mostly another thread's.
                    let oldest = if queue.len() > 100 {
                        queue.pop_front()
                    } else {
                        None
                    };
                    drop(queue);
                    if let Some(block) = oldest {
                        block.give(name, subject);
                    }
                }
            });
        }
    });
    let rest = passed.into_inner().unwrap();
    assert_eq!(rest.len(), 100);
    for block in rest {
        block.give(name, &shared.0);
    }
}

fn same_again<S: Subject>(name: &'static str, mut subject: S) {
    let mut frame = || {
        let addresses: Vec<usize> = (0..1_000)
            .map(|size| subject.take(layout(1 + size, 8)).addr())
            .collect();
        subject.reset();
        addresses
    };
    // A reset keeps one chunk, and a frame may need several until that chunk has grown.
    for _ in 0..4 {
        frame();
    }
    let addresses = frame();
    assert!(frame() == addresses, "the frame of {name} lies elsewhere");
    let distinct: BTreeSet<_> = addresses.iter().collect();
    assert_eq!(distinct.len(), 1_000);
    assert!(!addresses.contains(&0));
}
