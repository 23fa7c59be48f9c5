//! The libraries of a program are those that binutils names.

#![expect(
    clippy::print_stdout,
    reason = "a skipped test says so, which --nocapture shows"
)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::process::Command;

use allocator_lab::compilation::shared_libraries;
use allocator_lab::subjects::PROGRAMS;

#[test]
fn the_libraries_of_this_test_are_those_that_readelf_names() {
    let program = env::current_exe().unwrap();
    let bytes = fs::read(&program).unwrap();
    let found = shared_libraries(&bytes).unwrap();
    if !bytes.starts_with(b"\x7fELF") {
        println!("skipped: this test is not an ELF program, and readelf reads no other");
        return;
    }
    let output = Command::new("readelf")
        .env("LC_ALL", "C")
        .arg("--dynamic")
        .arg(&program)
        .output();
    let Ok(output) = output else {
        println!("skipped: readelf is not installed; it comes with binutils");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    // `0x... (NEEDED)   Shared library: [libc.so.6]`
    let needed = text.lines().filter(|line| line.contains("(NEEDED)"));
    let needed = needed.map(|line| line.split(['[', ']']).nth(1).unwrap().to_owned());
    assert_eq!(found, needed.collect::<BTreeSet<_>>());
    let is_static = cfg!(target_feature = "crt-static");
    assert_eq!(found.is_empty(), is_static, "{found:?}");
}

/// Built here, as the bench does: seconds, and without the network.
#[test]
fn only_a_program_with_an_allocator_in_cpp_needs_its_library() {
    let built = |subject: &str| {
        let program = PROGRAMS.iter().find(|program| program.subject == subject);
        let program = program.unwrap();
        match program.available() {
            Ok(()) => Some(program.build().unwrap().shared_libraries),
            Err(why) => {
                println!("skipped {subject}: {}", why.0);
                None
            }
        }
    };
    let is_cpp = |name: &String| name.contains("stdc++") || name.contains("libc++");
    let system = built("system").unwrap();
    assert!(!system.iter().any(is_cpp), "{system:?}");
    if cfg!(all(target_os = "linux", target_env = "gnu")) {
        assert!(system.contains("libc.so.6"), "{system:?}");
    }
    for subject in ["dlmalloc", "mimalloc", "rpmalloc"] {
        if let Some(libraries) = built(subject) {
            assert_eq!(libraries, system, "{subject}");
        }
    }
    if let Some(libraries) = built("snmalloc").filter(|_| cfg!(target_os = "linux")) {
        assert!(libraries.iter().any(is_cpp), "{libraries:?}");
    }
}
