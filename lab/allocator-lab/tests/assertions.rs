//! The allocators from C and C++ are built without assertions, as a release of each is:
//! with them, freed memory is filled and lists are walked, and the lab's times would be
//! those of a debug build.

#![expect(
    clippy::print_stdout,
    reason = "a skipped test says so, which --nocapture shows"
)]
#![expect(unsafe_code, reason = "a block is given back as workloads do it")]

use std::env;
use std::fs;

use allocator_lab::subjects::{self, Visitor};
use allocator_lab::{Subject, layout};

/// An allocator, a function that every program with it has, and a text of its assertions. Both are
/// backwards: this test is the program that is searched, and has its own texts, too.
const SUBJECTS: [(&str, &str, &str); 4] = [
    (
        "mimalloc",
        "dengila_collam_im",
        "deliaf noitressa :collamim",
    ),
    ("rpmalloc", "colla_dengilapr", "ezis pamm dilavnI"),
    ("snmalloc", "colla_tsur_ns", ":liaf tressa"),
    ("jemalloc", "xcollads_mejr_", ":noitressa deliaF"),
];

/// The function that `assert` of C calls, with glibc and with musl, backwards.
const ASSERT: &str = "liaf_tressa__";

/// Takes a block of each subject and gives it back, so that all of them are linked.
#[derive(Default)]
struct BuiltIn(Vec<&'static str>);

impl Visitor for BuiltIn {
    fn subject<S: Subject + 'static>(&mut self, name: &'static str, open: fn() -> S) {
        let (subject, layout) = (open(), layout(64, 8));
        let block = subject.take(layout);
        assert!(!block.is_null(), "{name}");
        // SAFETY: the block was taken just now, with this layout.
        unsafe { subject.give(block, layout) };
        self.0.push(name);
    }

    fn missing(&mut self, _name: &'static str, _why: &'static str) {}
}

#[test]
fn allocators_from_c_are_built_without_assertions() {
    let mut built_in = BuiltIn::default();
    subjects::all(&mut built_in);
    let program = fs::read(env::current_exe().unwrap()).unwrap();
    // Its symbols and the texts of C have a zero behind them.
    let program = String::from_utf8_lossy(&program);
    let has = |backwards: &str| program.contains(&backwards.chars().rev().collect::<String>());
    for (subject, function, message) in SUBJECTS {
        if !built_in.0.contains(&subject) {
            println!("skipped {subject}: built without its feature");
            continue;
        }
        assert!(has(function), "{subject} is not in this test");
        if subject == "jemalloc" && cfg!(debug_assertions) {
            println!("skipped jemalloc: without optimizations, it keeps the texts of dead code");
            continue;
        }
        assert!(!has(message), "{subject} is built with its assertions");
    }
    assert!(!has(ASSERT), "an allocator is built with `assert`");
}
