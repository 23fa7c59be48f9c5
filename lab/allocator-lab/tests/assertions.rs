//! The allocators from C and C++ are built without assertions, as a release of each is:
//! with them, freed memory is filled and lists are walked, and the lab's times would be
//! those of a debug build.

#![expect(
    clippy::print_stdout,
    reason = "a skipped test says so, which --nocapture shows"
)]
#![expect(unsafe_code, reason = "a block is given back as workloads do it")]
#![expect(clippy::unwrap_used, reason = "a test fails where it can't go on")]

use std::collections::BTreeSet;
use std::env;
use std::fs;

use allocator_lab::subjects::{self, Visitor};
use allocator_lab::{Subject, Unavailable, layout};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};

/// An allocator, a function that every program with it has, and a text of its assertions,
/// backwards: this test is the program that is searched, and has its own texts, too.
const SUBJECTS: [(&str, &str, &str); 4] = [
    (
        "mimalloc",
        "mi_malloc_aligned",
        "deliaf noitressa :collamim",
    ),
    ("rpmalloc", "rpaligned_alloc", "ezis pamm dilavnI"),
    ("snmalloc", "sn_rust_alloc", ":liaf tressa"),
    ("jemalloc", "_rjem_sdallocx", ":noitressa deliaF"),
];

/// The function that `assert` of C calls, with glibc and with musl.
const ASSERT: &str = "__assert_fail";

/// Takes a block of each subject and gives it back, so that all of them are linked.
#[derive(Default)]
struct BuiltIn(Vec<&'static str>);

impl Visitor for BuiltIn {
    fn subject<S: Subject + Send + 'static>(
        &mut self,
        name: &'static str,
        open: fn() -> Result<S, Unavailable>,
    ) -> &mut Self {
        if let Ok(subject) = open() {
            let layout = layout(64, 8);
            let block = subject.take(layout);
            assert!(!block.is_null(), "{name}");
            // SAFETY: the block was taken just now, with this layout.
            unsafe { subject.give(block, layout) };
            self.0.push(name);
        }
        self
    }
}

/// The texts in the data of the program that is only read: all texts of C sources.
fn texts(program: &object::File<'_>) -> Vec<String> {
    let sections = program.sections();
    sections
        .filter(|section| {
            matches!(
                section.kind(),
                SectionKind::ReadOnlyData | SectionKind::ReadOnlyString
            )
        })
        .flat_map(|section| {
            let data = section.data().unwrap();
            data.split(|byte| *byte == 0)
                .map(|text| String::from_utf8_lossy(text).into_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn allocators_from_c_are_built_without_assertions() {
    let mut built_in = BuiltIn::default();
    subjects::all(&mut built_in);
    let program = fs::read(env::current_exe().unwrap()).unwrap();
    let file = object::File::parse(&*program).unwrap();
    let texts = texts(&file);
    let symbols: BTreeSet<_> = file.symbols().filter_map(|s| s.name().ok()).collect();
    for (subject, function, backwards) in SUBJECTS {
        if !built_in.0.contains(&subject) {
            println!("skipped {subject}: built without its feature");
            continue;
        }
        assert!(symbols.contains(function), "{subject} is not in this test");
        if subject == "jemalloc" && cfg!(debug_assertions) {
            println!("skipped jemalloc: without optimizations, it keeps the texts of dead code");
            continue;
        }
        let message: String = backwards.chars().rev().collect();
        let found: Vec<_> = texts
            .iter()
            .filter(|text| text.contains(&message))
            .collect();
        assert!(
            found.is_empty(),
            "{subject} is built with {} assertions, such as: {}",
            found.len(),
            found[0].trim()
        );
    }
    // The name may have the version of glibc behind it.
    let assert = symbols
        .iter()
        .find(|name| name.split('@').next() == Some(ASSERT));
    assert_eq!(assert, None, "an allocator is built with `assert`");
}
