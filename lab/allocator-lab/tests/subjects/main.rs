//! Each subject that is built in keeps its contract: its blocks are
//! aligned, disjoint and intact, also between threads; an arena starts over; a full
//! region refuses requests. A subject that is missing says why. The subjects from C and C++ are
//! built without assertions.

#![expect(unsafe_code, reason = "allocators are called as workloads call them")]
#![expect(clippy::unwrap_used, reason = "a test fails where it can't go on")]

use std::alloc::Layout;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::mem;
use std::process::ExitCode;
use std::sync::atomic::AtomicPtr;
use std::thread;

use allocator_lab::subjects::{self, Visitor};
use allocator_lab::{Footprint, Heap, Mt19937, Report, Shared, Subject, layout};
use libtest_mimic::{Arguments, Failed, Trial};

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

impl Visitor for Trials {
    fn subject<S: Subject + 'static>(&mut self, name: &'static str, open: fn() -> S) {
        self.names.push(name);
        self.add(name, "blocks_keep_all_usable_bytes", move || {
            blocks(open());
        });
        // Without optimizations, jemalloc keeps the texts of dead code.
        let is_stripped = name != "jemalloc" || !cfg!(debug_assertions);
        let mut texts = ASSERTIONS.into_iter().filter(|_| is_stripped);
        if let Some((_, text)) = texts.find(|(subject, _)| *subject == name) {
            self.add(name, "it_is_built_without_assertions", move || {
                without_assertions(text);
            });
        }
        if S::IS_ARENA {
            self.add(
                name,
                "after_a_reset_it_hands_out_the_same_memory",
                move || {
                    same_again(open());
                },
            );
        } else {
            self.add(name, "threads_give_back_what_others_took", move || {
                between_threads(open());
            });
        }
        if let Some(bytes) = S::REGION_BYTES {
            self.add(name, "its_region_is_its_own_and_is_given_back", move || {
                region(bytes, open);
            });
        }
    }

    fn missing(&mut self, name: &'static str, why: &'static str) {
        self.names.push(name);
        self.add(name, "it_is_missing_and_says_why", move || {
            assert!(why.starts_with("built without "), "{why}");
        });
    }
}

/// The system's is the first, the baseline.
fn listed_once(names: &[&str]) {
    assert_eq!(names[0], "system");
    let distinct: BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}

/// Texts of assertions in C and C++, backwards: this is the program that is searched, and has its
/// own texts, too.
const ASSERTIONS: [(&str, &str); 4] = [
    ("mimalloc", "deliaf noitressa :collamim"),
    ("rpmalloc", "ezis pamm dilavnI"),
    ("snmalloc", ":liaf tressa"),
    ("jemalloc", ":noitressa deliaF"),
];

/// The function that `assert` of C calls, with glibc and with musl, backwards.
const ASSERT: &str = "liaf_tressa__";

/// With assertions, freed memory is filled and lists are walked: the lab's times would be a debug
/// build's.
fn without_assertions(text: &str) {
    let program = fs::read(env::current_exe().unwrap()).unwrap();
    let program = String::from_utf8_lossy(&program);
    for backwards in [text, ASSERT] {
        let text: String = backwards.chars().rev().collect();
        assert!(!program.contains(&text), "{text}");
    }
}

/// Every size with every alignment, large blocks, and 10,000 of random ones, which are mostly small.
fn layouts(random: &mut Mt19937) -> Vec<Layout> {
    let sizes = [1, 7, 8, 24, 64, 100, 1000, 4096, 65_536];
    let aligned = |size| (0..=12).map(move |power| layout(size, 1 << power));
    let repeated = [(); 8]
        .into_iter()
        .flat_map(|()| sizes.into_iter().flat_map(aligned));
    // The sizes of the workload `large`.
    let large = [1, 16, 64].map(|mebibytes| layout(mebibytes << 20, 64));
    let random = (0..10_000).map(|_| layout(size(random), 1 << random.draw_below(13)));
    large.into_iter().chain(repeated).chain(random).collect()
}

/// Up to 64 KiB, mostly small.
fn size(random: &mut Mt19937) -> usize {
    1 + random.draw_below(64 << 10) as usize % (1 << random.draw_below(17))
}

/// A block that another thread can give back: its address, all usable bytes of which are the mark.
type Written = (AtomicPtr<u8>, Layout, usize, u8);

/// Takes a block, and writes all bytes that the subject tells of.
fn write<S: Subject>(subject: &S, layout: Layout, mark: u8) -> Written {
    fill(subject, subject.take(layout), layout, mark)
}

/// Writes all bytes of a block that the subject tells of.
fn fill<S: Subject>(subject: &S, block: *mut u8, layout: Layout, mark: u8) -> Written {
    let is_aligned = block.addr().is_multiple_of(layout.align());
    assert!(!block.is_null() && is_aligned, "{layout:?}");
    // SAFETY: the block is live, and was taken with this layout.
    let told = unsafe { subject.usable_size(block, layout) };
    let usable = told.unwrap_or(layout.size());
    assert!(usable >= layout.size(), "{usable} for {layout:?}");
    // SAFETY: this many bytes are usable.
    unsafe { block.write_bytes(mark, usable) };
    (block.into(), layout, usable, mark)
}

/// Gives a block another size, which keeps its bytes as far as they fit.
fn resize<S: Subject>(subject: &S, written: Written, size: usize) -> Written {
    let (block, layout, _, mark) = written;
    // SAFETY: the block is live and was taken with this layout; the size is not 0.
    let block = unsafe { subject.resize(block.into_inner(), layout, size) };
    assert!(!block.is_null(), "{size} bytes for {layout:?}");
    // SAFETY: both blocks have this many bytes, and the old one had written them.
    let kept = unsafe { std::slice::from_raw_parts(block, layout.size().min(size)) };
    let is_kept = kept.iter().all(|&byte| byte == mark);
    assert!(is_kept, "lost a part of {layout:?} at {size} bytes");
    fill(subject, block, self::layout(size, layout.align()), mark)
}

/// Looks whether a block has its bytes, and gives it back.
fn check_and_give<S: Subject>(subject: &S, written: Written) {
    let (block, layout, usable, mark) = written;
    let block = block.into_inner();
    // SAFETY: all of them were written.
    let bytes = unsafe { std::slice::from_raw_parts(block, usable) };
    let spoilt = bytes.iter().position(|&byte| byte != mark);
    assert_eq!(spoilt, None, "{layout:?} is spoilt from here on");
    // SAFETY: it was taken with this layout, and is given back once.
    unsafe { subject.give(block, layout) };
}

/// Blocks are taken, resized and given back at random. All bytes that the subject tells of can be
/// written, and belong to no other block.
fn blocks<S: Subject>(mut subject: S) {
    let mut random = Mt19937::new(43);
    let mut live: Vec<Written> = Vec::new();
    for (layout, mark) in layouts(&mut Mt19937::new(42))
        .into_iter()
        .zip((0..251).cycle())
    {
        live.push(write(&subject, layout, mark));
        let index = random.draw_below(live.len() as u32) as usize;
        match random.draw_below(100) {
            0..45 => check_and_give(&subject, live.swap_remove(index)),
            45..75 => {
                let resized = resize(&subject, live.swap_remove(index), size(&mut random));
                live.push(resized);
            }
            _ => {}
        }
        if live.len() == 300 {
            let all = live.drain(..);
            all.for_each(|written| check_and_give(&subject, written));
            subject.reset();
        }
    }
    let rest = live.into_iter();
    rest.for_each(|written| check_and_give(&subject, written));
}

/// Each of four threads gives back what another one took, of every alignment to 128 bytes, while
/// it takes more. All are joined: one that still ends with the process can fail in an allocator.
fn between_threads<S: Subject + 'static>(subject: S) {
    let shared = Shared::new(subject);
    let mut passed: [Vec<Written>; 4] = Default::default();
    for round in 0..5 {
        passed.rotate_right(1);
        thread::scope(|scope| {
            let workers = (0_u8..).zip(&mut passed).map(|(thread, blocks)| {
                let subject = shared.clone();
                scope.spawn(move || {
                    let mut random = Mt19937::new(4 * round + u32::from(thread));
                    let mut others = mem::take(blocks).into_iter();
                    for turn in 0..500 {
                        let old = others.next().into_iter();
                        old.for_each(|written| check_and_give(&subject, written));
                        if round < 4 {
                            let size = 1 + random.draw_below(2_048) as usize;
                            let layout = layout(size, 1 << random.draw_below(8));
                            let mark = (turn % 61) as u8 * 4 + thread + 1;
                            blocks.push(write(&subject, layout, mark));
                        }
                    }
                })
            });
            let workers: Vec<_> = workers.collect();
            workers.into_iter().for_each(|one| one.join().unwrap());
        });
    }
    assert!(passed.iter().all(Vec::is_empty));
}

fn same_again<S: Subject>(mut subject: S) {
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
    assert!(frame() == addresses, "the frame lies elsewhere");
    let distinct: BTreeSet<_> = addresses.iter().collect();
    assert_eq!(distinct.len(), 1_000);
    assert!(!addresses.contains(&0));
}

/// A region is filled with blocks of 16 MiB until it refuses, over and over, and has the size that
/// was asked for.
fn region<S: Subject>(bytes: usize, open: fn() -> S) {
    let take = |heap: &mut Heap<S>, bytes| {
        let block = heap.take(layout(bytes, 16), &mut Report::default());
        block.map(|block| block.address())
    };
    let fill = |heap: &mut Heap<S>| -> Vec<usize> {
        (0..1_000).map_while(|_| take(heap, 16 << 20)).collect()
    };
    let [mut one, mut other] = [(); 2].map(|()| Heap::new(open(), 1_000));
    let blocks = fill(&mut one);
    // An allocator keeps less than one block for itself.
    let room = bytes >> 24;
    assert!((room - 1..=room).contains(&blocks.len()), "{blocks:?}");
    one.give_all();
    // All of it was joined again.
    assert!(take(&mut one, bytes / 2).is_some());
    one.give_all();
    assert_eq!(fill(&mut one), blocks);
    let others = fill(&mut other);
    assert!(others.len() == blocks.len() && others.iter().all(|block| !blocks.contains(block)));
    let mut small = Heap::new(open().with_region(1 << 20).unwrap(), 2);
    assert_eq!(take(&mut small, (1 << 20) + 1), None);
    assert!(take(&mut small, 1 << 19).is_some());
    assert_eq!(take(&mut small, (1 << 19) + 1), None);
    // The mapped memory of the process does not grow by one region with each turn.
    let mapped = || Footprint::now().mapped;
    let before = mapped();
    (0..8).for_each(|_| drop(open()));
    let grown = mapped() - before;
    assert!(grown < 64 << 20, "{grown} bytes after 8 turns");
}
