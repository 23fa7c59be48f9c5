//! The recipes of `design/recipes.md` for proptest and libFuzzer find the mistake that is planted
//! in `src/length_field.rs`, within a few inputs, and name its line.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use alloc_assert::assert_allocs;
use proof_fuzz::length_field::decode;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

/// The folder with the programs under libFuzzer.
const PROGRAMS: &str = "PROOF_FUZZ_PROGRAMS";

/// The inputs that may pass before the mistake is found. It takes libFuzzer some 25.
const MOST: u32 = 1_000;

/// The place of the mistake.
fn place() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/length_field.rs");
    let text = fs::read_to_string(path).expect("the source can be read");
    let mut lines = (1..).zip(text.lines());
    let at = lines.find(|(_, line)| line.contains("with_capacity(length)"));
    let (number, _) = at.expect("the mistake is planted");
    format!("crates/proof/fuzz/src/length_field.rs:{number}:")
}

/// Keeps the least input in no file, since it is found each time.
fn without_file() -> Config {
    Config {
        failure_persistence: None,
        cases: MOST,
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(without_file())]
    #[test]
    #[should_panic(expected = "allocation limit exceeded: expected `bytes <= ")]
    fn decoding_takes_a_small_multiple_of_the_input(data: Vec<u8>) {
        assert_allocs!(decode(&data), "bytes <= {}", 64 + 32 * data.len());
    }
}

#[test]
fn the_recipes_are_this_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let read = |path: &str| fs::read_to_string(root.join(path)).expect(path);
    let page = read("design/recipes.md").replace("wordy::", "proof_fuzz::length_field::");
    let target = read("crates/proof/fuzz/fuzz_targets/length_field.rs");
    let (_, target) = target.split_once("\n\n").expect("a comment");
    assert!(page.contains(target), "{target}");
    let own = read("crates/proof/fuzz/tests/length_field.rs");
    let (_, property) = own.split_once("\nproptest! {\n").expect("a property");
    let (property, _) = property.split_once("\n}\n").expect("its end");
    let is_own = |line: &&str| !line.contains("_config(") && !line.contains("#[should_panic(");
    let property: Vec<_> = property.lines().filter(is_own).collect();
    let property = format!("\nproptest! {{\n{}\n}}\n", property.join("\n"));
    assert!(page.contains(&property), "{property}");
}

#[test]
fn proptest_finds_it_and_names_the_line() {
    let found = TestRunner::new(without_file()).run(&any::<Vec<u8>>(), |data| {
        assert_allocs!(decode(&data), "bytes <= {}", 64 + 32 * data.len());
        Ok(())
    });
    let Err(TestError::Fail(reason, data)) = found else {
        panic!("{found:?}");
    };
    let text = reason.to_string();
    assert!(
        text.contains("allocation limit exceeded: expected `bytes <= "),
        "{text}"
    );
    if cfg!(all(
        debug_assertions,
        target_os = "linux",
        target_arch = "x86_64"
    )) {
        assert!(text.contains(&place()), "{text}");
        assert!(text.contains("Vec::with_capacity in decode"), "{text}");
    }
    // Four bytes are enough, of which the input is a minimum.
    assert_eq!(data.len(), 4, "{data:?}");
}

#[test]
#[ignore = "the step `fuzz` builds the program"]
fn libfuzzer_finds_it_and_names_the_line() {
    let programs = env::var(PROGRAMS).expect("the step sets the variable");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let artifacts = root.join("target/fuzz/artifacts/length_field/");
    fs::create_dir_all(&artifacts).expect("a folder for the input");
    let run = |options: &[&str]| {
        let output = Command::new(root.join(&programs).join("length_field"))
            .args(options)
            .arg(format!("-artifact_prefix={}/", artifacts.display()))
            .output()
            .expect("the program starts");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let text = run(&["-seed=1", &format!("-runs={MOST}"), "-max_len=64"]);
    assert!(
        text.contains(&place()) || text.contains("length_field.rs:"),
        "{text}"
    );
    // A length that the machine would have, and one that it would not.
    for (name, length, message) in [
        (
            "small",
            4_096_u32,
            "allocation limit exceeded: expected `bytes <= 192`, got ",
        ),
        (
            "large",
            u32::MAX,
            "counting-alloc: a request of 4294967295 bytes was refused",
        ),
    ] {
        let input = artifacts.join(name);
        fs::write(&input, length.to_le_bytes()).expect("the input can be written");
        let text = run(&[&input.to_string_lossy()]);
        assert!(text.contains(message), "{text}");
        assert!(text.contains("src/length_field.rs:"), "{text}");
    }
}
