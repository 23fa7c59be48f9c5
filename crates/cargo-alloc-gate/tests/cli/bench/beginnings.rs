//! `init`: writes a bench, its lines in the manifest, and rules; where some of these exist, it adds
//! what is missing and overwrites nothing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::PROGRAM;
use crate::project::{Project, SOURCE, names};

/// A package as `cargo new --lib` writes it, as a workspace of its own, and with the
/// profile of the other projects.
pub(crate) fn fresh(name: &str) -> Project {
    let project = Project::own(name, &[]);
    project.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n\n[workspace]\n\n[profile.bench]\nopt-level = 0\n"
        ),
    );
    project
}

const BENCH: &str = "benches/alloc_count.rs";

#[test]
fn a_new_project_is_green_and_with_one_allocation_more_red() {
    let project = fresh("init");
    let manifest = project.read("Cargo.toml");
    let ran = project.run("init", 0).stdout("");
    ran.stderr_has(
        "       Wrote benches/alloc_count.rs\n       Wrote gates.toml\n       Wrote Cargo.toml\n",
    );
    ran.verdict(
        "wrote a sample; run `cargo alloc-gate`, then replace the sample with a call of your own",
    );
    let added = project.read("Cargo.toml");
    let added = added.strip_prefix(&manifest).expect("the manifest stays");
    let (begin, path) = added.split_once("{ path = \"").expect("it has the source");
    assert_eq!(
        begin,
        "\n[lib]\nbench = false\n\n[dev-dependencies]\nalloc-scenario = "
    );
    // Without an option, the source is that of the command.
    let (path, end) = path.split_once("\" }\n").expect("the path ends");
    assert_eq!(
        end,
        "\n[[bench]]\nname = \"alloc_count\"\nharness = false\n"
    );
    assert!(Path::new(path).is_relative(), "{path}");
    let real = |path: PathBuf| path.canonicalize().expect("it exists");
    let source = Path::new(SOURCE).join("crates/alloc-scenario");
    assert_eq!(real(project.path(path)), real(source));
    let ran = project.run("", 0);
    ran.stdout_has("\n| collect words | 10,000 |      1.00 |            0 |\n");
    ran.verdict("passed: 1 gate checked, 1 scenario measured");

    let sample = project.read(BENCH);
    let worse = sample.replace(
        "collect::<Vec<&str>>()",
        "map(Box::new).collect::<Vec<_>>()",
    );
    project.write(BENCH, &worse);
    project
        .run("", 1)
        .verdict("FAILED: 1 gate checked (1 failed), 1 scenario measured");
    // With the sample goes its gate, and no other line.
    let rules = project.read("gates.toml");
    let (head, _) = rules.split_once("\n[[gate]]\n").expect("there is a gate");
    project.write(BENCH, &sample.replace("collect words", "split words"));
    let ran = project.run("suggest --write", 0);
    ran.stderr_has("     Removed the sample's gate `one-vector`\n       Wrote gates.toml\n");
    ran.verdict("suggested 1 gate (`suggest` checks no gates)");
    let suggested = project.read("gates.toml");
    assert!(
        suggested.starts_with(head) && !suggested.contains("one-vector"),
        "{suggested}"
    );
    project
        .run("", 0)
        .verdict("passed: 1 gate checked, 1 scenario measured");
    // An edited gate is the user's.
    let edited = rules.replace("nothing stays allocated", "ours");
    project.write("gates.toml", &edited);
    project.run("suggest --write", 0);
    assert!(project.read("gates.toml").starts_with(&edited));
}

#[test]
fn a_path_is_relative_to_the_current_folder_and_written_for_the_manifest() {
    let project = fresh("init-path");
    let package = |name: &str, folder: &str| {
        let text = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[workspace]\n");
        project.write(&format!("{folder}/Cargo.toml"), &text);
        project.write(&format!("{folder}/src/lib.rs"), "");
        text
    };
    package("alloc-scenario", "tool/crates/alloc-scenario");
    package("other", "other");
    let inner = package("inner", "crates/inner");
    let here = |keys: &str, code| {
        let mut command = project.command_in(PROGRAM, "crates");
        command.args(["init", "--dependency", keys]);
        command.args(["--manifest-path", "inner/Cargo.toml"]);
        project.finish(command).code(code)
    };
    let nowhere = "the path is relative to the current folder";
    let near = "did you mean `../tool/crates/alloc-scenario`?";
    for (path, help) in [("../other", nowhere), ("tool", nowhere), ("../tool/", near)] {
        here(&format!("path = \"{path}\""), 2).stderr_has(&format!(
            "error: --dependency: `{path}` does not hold the crate `alloc-scenario`\n  help: {help}\n"
        ));
    }
    for keys in ["path = ", "", "path = 'a' } x = { y = 1"] {
        here(keys, 2).stderr_has(&format!("error: `{keys}` is not a dependency\n"));
    }
    assert_eq!(project.read("crates/inner/Cargo.toml"), inner);
    here(
        "path = '../tool/crates/alloc-scenario', default-features = false",
        0,
    );
    project.has(
        "crates/inner/Cargo.toml",
        "alloc-scenario = { path = \"../../tool/crates/alloc-scenario\", default-features = false }",
    );
}

#[test]
fn when_a_file_cannot_be_written_none_is() {
    let project = fresh("init-no-folder");
    let manifest = project.read("Cargo.toml");
    project.write("benches", "no folder");
    project
        .run("init", 110)
        .stderr_has("benches is not a directory");
    assert_eq!(project.read("Cargo.toml"), manifest);
    assert!(!project.path("gates.toml").exists());
}

#[test]
fn with_several_packages_one_has_to_be_chosen() {
    let project = fresh("init-members");
    project.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n",
    );
    for name in ["a", "b"] {
        let manifest = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n");
        project.write(&format!("{name}/Cargo.toml"), &manifest);
        project.write(&format!("{name}/src/lib.rs"), "");
    }
    let choose = "choose one with -p: `a`, `b`";
    project
        .run("init", 2)
        .stderr_has("error: several packages found\n")
        .stderr_has(choose);
    let ran = project.run("init -p c", 2);
    ran.stderr_has("error: the workspace has no package `c`\n")
        .stderr_has(choose);
    assert!(!project.path("gates.toml").exists());
    project.run("init -p b", 0);
    assert!(project.path("b").join(BENCH).exists());
    project.has("gates.toml", "package = \"b\"");

    // In a folder, the innermost package is chosen; the rules are for the workspace.
    project.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"a\"]\n[package]\nname = \"root\"\nedition = \"2024\"\n",
    );
    for (folder, bench, package) in [("a/src", "a/", "a"), ("src", "", "root")] {
        fs::remove_file(project.path("gates.toml")).expect("it was written");
        let mut here = project.command_in(PROGRAM, folder);
        here.arg("init");
        project.finish(here).code(0);
        project.has("gates.toml", &format!("package = \"{package}\""));
        assert!(project.path(bench).join(BENCH).exists());
    }
}

#[test]
fn a_package_of_the_first_edition_is_green() {
    let project = fresh("init-2015");
    let manifest = project.read("Cargo.toml");
    project.write("Cargo.toml", &manifest.replace("2024", "2015"));
    project.run("init", 0);
    project.run("", 0);
    // The sample is known again.
    project
        .run("init", 0)
        .stderr_has("everything was there already");
}

#[test]
fn what_keeps_a_bench_from_running_is_pointed_out() {
    let project = fresh("init-warns");
    let manifest = project.read("Cargo.toml");
    let no_library = "warning: `init-warns` has no library that a bench can call\n  help: ";
    for (before, keys, file, said) in [
        (
            "edition = \"2021\"\nrust-version = \"1.84\"\n",
            "",
            "lib.rs",
            "warning: `init-warns` has rust-version 1.84.0, and alloc-scenario needs Rust 1.85\n",
        ),
        (
            "edition = \"2021\"\nrust-version = \"1.85\"\n",
            "",
            "lib.rs",
            "",
        ),
        (
            "",
            "\n[lib]\ncrate-type = [\"cdylib\"]\n",
            "lib.rs",
            &format!("{no_library}add \"rlib\" to `crate-type` in `[lib]`"),
        ),
        (
            "",
            "\n[lib]\nproc-macro = true\n",
            "lib.rs",
            &format!("{no_library}move the code of the macro into a library"),
        ),
        (
            "",
            "",
            "main.rs",
            &format!("{no_library}move the code to measure into src/lib.rs"),
        ),
        (
            "",
            "\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n",
            "lib.rs",
            "",
        ),
    ] {
        fs::remove_dir_all(project.path("src")).expect("it is there");
        project.write(&format!("src/{file}"), "fn main() {}\n");
        let manifest = match before {
            "" => manifest.clone(),
            before => manifest.replace("edition = \"2024\"\n", before),
        };
        project.write("Cargo.toml", &format!("{manifest}{keys}"));
        let ran = project.run("init", 0);
        match said {
            "" => assert!(!ran.stderr_text().contains("warning: "), "{keys}"),
            said => {
                ran.stderr_has(said);
            }
        }
    }
}

#[test]
fn a_second_init_adds_what_is_missing() {
    let project = fresh("init-again");
    let files = ["Cargo.toml", "gates.toml", BENCH];
    let all = || files.map(|file| project.read(file));
    project.run("init", 0);
    let written = all();
    let ran = project.run("init", 0);
    ran.stderr_has(
        "        Kept benches/alloc_count.rs\n        Kept gates.toml\n        Kept Car",
    );
    ran.verdict("everything was there already; run `cargo alloc-gate`");
    assert_eq!(all(), written);
    // Each of the files alone. A manifest gets its missing lines at the end.
    for missing in ["gates.toml", BENCH] {
        fs::remove_file(project.path(missing)).expect("it was written");
        let ran = project.run("init", 0);
        ran.stderr_has(&format!("       Wrote {missing}\n"));
        assert_eq!(all(), written);
    }
    let lines = "\n[[bench]]\nname = \"alloc_count\"\nharness = false\n";
    project.write("Cargo.toml", &written[0].replace(lines, ""));
    project
        .run("init", 0)
        .stderr_has("        Kept gates.toml\n       Wrote Cargo.toml\n");
    assert_eq!(all(), written);

    // A bench with scenarios of its own has no scenario for the sample's gate.
    project.write(BENCH, &written[2].replace("collect words", "split words"));
    fs::remove_file(project.path("gates.toml")).expect("it was written");
    project.run("init", 0).verdict(
        "added what was missing; run `cargo alloc-gate suggest --write` for gates on the scenarios",
    );
    let rules = project.read("gates.toml");
    assert!(rules.ends_with("target = \"alloc_count\"\n"), "{rules}");

    // The schema is for those who ask for it.
    assert!(!project.path("gates.schema.json").exists());
    let ran = project.run("init --schema", 0);
    ran.stderr_has("       Wrote gates.toml\n       Wrote gates.schema.json\n");
    let with_schema = format!("#:schema gates.schema.json\n{rules}");
    assert_eq!(project.read("gates.toml"), with_schema);
    let schema = include_str!("../../../../alloc-gate/gates.schema.json");
    assert_eq!(project.read("gates.schema.json"), schema);
    project
        .run("init --schema", 0)
        .stderr_has("everything was there already");
}

#[test]
fn another_bench_of_the_name_is_kept_and_nothing_is_written() {
    let refused = |name: &str, file: &str, text: &str, reason: &str| {
        let project = fresh(name);
        let text = match file {
            "Cargo.toml" => project.read("Cargo.toml") + text,
            _ => text.to_owned(),
        };
        project.write(file, &text);
        let before = names(project.root());
        let ran = project.run("init", 110).stdout("");
        assert_eq!(names(project.root()), before);
        assert_eq!(project.read(file), text);
        ran.stderr_has(&format!("error: nothing was written: {reason}\n"));
        ran
    };
    let ran = refused(
        "init-other-bench",
        "Cargo.toml",
        "[[bench]]\nname = \"alloc_count\"\nharness = false\npath = \"src/lib.rs\"\n",
        "failed to add lines to Cargo.toml: its bench `alloc_count` is in src/lib.rs",
    );
    // What a person can add by hand.
    ran.stderr_has(
        "\nto Cargo.toml:\n\n[lib]\nbench = false\n\n[dev-dependencies]\nalloc-scenario = ",
    );
    ran.stderr_has("\nto gates.toml:\n\n[[bench]]\npackage = \"init-other-bench\"\n");
    ran.stderr_has("\n[[gate]]\nname = \"one-vector\"\n");
    refused(
        "init-other-file",
        BENCH,
        "criterion_main!(benches);\n",
        "benches/alloc_count.rs exists, and is not a bench of alloc-scenario",
    );
}

#[test]
fn rules_that_exist_are_continued() {
    let project = fresh("init-continues");
    for name in ["first", "second", "third"] {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[lib]\npath = \"lib.rs\"\n\n\
             [dev-dependencies]\nalloc-scenario = {{ path = '{SOURCE}/crates/alloc-scenario' }}\n"
        );
        project.write(&format!("{name}/Cargo.toml"), &manifest);
        project.write(&format!("{name}/lib.rs"), "");
    }
    project.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"first\", \"second\", \"third\"]\nresolver = \"3\"\n\n\
         [profile.bench]\nopt-level = 0\n",
    );
    project.run("init -p first", 0);
    // With comments of the user, and the line ends of Windows.
    let rules = project.read("gates.toml") + "\n# The end.\n";
    let rules = rules.replace('\n', "\r\n");
    project.write("gates.toml", &rules);
    project
        .run("init -p second", 0)
        .stderr_has("       Wrote gates.toml\n");
    let text = project.read("gates.toml");
    let added = text.strip_prefix(&rules).expect("the rules stay");
    assert!(
        added.starts_with("\r\n[[bench]]\r\npackage = \"second\"\r\n"),
        "{added}"
    );
    assert!(
        added.contains("\r\nscenarios = [\"second: collect words\"]"),
        "{added}"
    );
    assert_eq!(added.matches('\n').count(), added.matches("\r\n").count());
    project.has("second/Cargo.toml", "[lib]\nbench = false\npath");
    project
        .run("", 0)
        .verdict("passed: 2 gates checked, 2 scenarios measured");

    // Tables can't follow an inline array, and rules with mistakes are not continued.
    let inline = "version = 1\nbench = [{ package = \"first\", target = \"alloc_count\" }]\n";
    let refused = "error: nothing was written: failed to add lines to gates.toml: error";
    for (text, code, said) in [(inline, 110, refused), ("", 96, "gates.toml is invalid")] {
        project.write("gates.toml", text);
        project.run("init -p third", code).stderr_has(said);
        assert_eq!(project.read("gates.toml"), text);
        assert!(!project.path("third/benches").exists());
    }
}
