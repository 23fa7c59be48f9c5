//! The libraries of a program are those that binutils names, and other files are refused.

#![expect(
    clippy::print_stdout,
    reason = "a skipped test says so, which --nocapture shows"
)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::process::Command;

use allocator_lab::linking::shared_libraries;
use allocator_lab::subjects::PROGRAMS;

/// The header of an ELF program for x86-64 without segments and sections: 64 bytes.
fn bare_elf() -> Vec<u8> {
    let mut header = vec![0_u8; 64];
    // The magic, 64 bits, little-endian, version 1.
    header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    // An executable, for x86-64, version 1.
    header[16..24].copy_from_slice(&[2, 0, 62, 0, 1, 0, 0, 0]);
    // The sizes of this header, of a segment's and of a section's.
    header[52] = 64;
    header[54] = 56;
    header[58] = 64;
    header
}

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

#[test]
fn a_program_without_a_dynamic_section_needs_none() {
    assert_eq!(shared_libraries(&bare_elf()).unwrap(), BTreeSet::new());
}

#[test]
fn other_files_are_refused() {
    let mut cut = bare_elf();
    cut.truncate(63);
    let own = fs::read(env::current_exe().unwrap()).unwrap();
    for bytes in [&b"#!/bin/sh\n"[..], &[], &cut, &own[..own.len() / 2]] {
        assert!(shared_libraries(bytes).is_err(), "{} bytes", bytes.len());
    }
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
