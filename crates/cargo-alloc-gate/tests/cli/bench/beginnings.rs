//! `init`: writes a bench, its lines in the manifest, and rules; where some of these exist, it adds
//! what is missing and overwrites nothing. The guide begins with a new project, which is green and
//! then red.

use std::fs;

use crate::program::PROGRAM;
use crate::project::{Project, names};

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
fn the_keys_of_a_dependency_are_written_as_they_are() {
    let project = fresh("init-keys");
    let manifest = project.read("Cargo.toml");
    let keys = "path = 'a' } x = { y = 1";
    let ran = project.run_args(&["init", "--dependency", keys], 2);
    ran.stderr_has(&format!("error: `{keys}` is not a dependency\n"));
    assert_eq!(project.read("Cargo.toml"), manifest);
    let keys = "path = '../tool', default-features = false";
    project.run_args(&["init", "--dependency", keys], 0);
    project.has("Cargo.toml", &format!("\nalloc-scenario = {{ {keys} }}\n"));
}

/// A workspace of members, whose manifests end with these lines.
fn write_members<const N: usize>(project: &Project, names: [&str; N], lines: &str) {
    let workspace = format!("[workspace]\nmembers = {names:?}\nresolver = \"3\"\n");
    project.write("Cargo.toml", &workspace);
    for name in names {
        let package = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n{lines}");
        project.write(&format!("{name}/Cargo.toml"), &package);
        project.write(&format!("{name}/src/lib.rs"), "");
    }
}

#[test]
fn with_several_packages_one_has_to_be_chosen() {
    let project = fresh("init-members");
    write_members(&project, ["a", "b"], "");
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
    project.run("run", 0);
    // The sample is known again.
    project
        .run("init", 0)
        .stderr_has("everything was there already");
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
    ran.verdict("everything was there already; run `cargo alloc-gate suggest --write`");
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

    // A bench with scenarios of its own stays as it is.
    let own = written[2].replace("collect words", "split words");
    project.write(BENCH, &own);
    fs::remove_file(project.path("gates.toml")).expect("it was written");
    project.run("init", 0);
    assert_eq!(project.read(BENCH), own);
    let rules = project.read("gates.toml");
    assert_eq!(rules, written[1]);

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
fn rules_that_exist_are_continued() {
    let project = fresh("init-continues");
    write_members(
        &project,
        ["first", "second", "third"],
        "\n[lib]\npath = \"src/lib.rs\"\n",
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
    assert_eq!(added.matches('\n').count(), added.matches("\r\n").count());
    project.has("second/Cargo.toml", "[lib]\nbench = false\npath");
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

#[test]
fn what_keeps_a_bench_from_running_is_pointed_out() {
    let project = fresh("init-warns");
    let manifest = project.read("Cargo.toml");
    for (lib, file, is_warned) in [
        ("crate-type = [\"cdylib\"]", "lib.rs", true),
        ("proc-macro = true", "lib.rs", true),
        ("", "main.rs", true),
        ("crate-type = [\"cdylib\", \"rlib\"]", "lib.rs", false),
    ] {
        fs::remove_dir_all(project.path("src")).expect("it is there");
        project.write(&format!("src/{file}"), "fn main() {}\n");
        let keys = match lib {
            "" => String::new(),
            lib => format!("\n[lib]\n{lib}\n"),
        };
        project.write("Cargo.toml", &format!("{manifest}{keys}"));
        let said = project.run("init", 0).stderr_text();
        let warning = "warning: `init-warns` has no library that a bench can call\n  help: ";
        assert_eq!(said.contains(warning), is_warned, "{keys}: {said}");
        assert!(is_warned || !said.contains("warning: "), "{keys}: {said}");
    }
}

#[test]
fn where_a_file_cannot_be_added_to_nothing_is_written() {
    let other = "[[bench]]\nname = \"alloc_count\"\nharness = false\npath = \"src/lib.rs\"\n";
    for (file, text, reason) in [
        ("benches", "no folder", "benches is not a directory"),
        // With what a person can add by hand.
        (
            "Cargo.toml",
            other,
            " by hand:\n\n[lib]\nbench = false\n\n[dev-dependencies]\nalloc-scenario = ",
        ),
        (
            BENCH,
            "criterion_main!(benches);\n",
            "error: nothing was written: benches/alloc_count.rs is not a bench of alloc-scenario\n",
        ),
    ] {
        let project = fresh("init-refused");
        let manifest = project.read("Cargo.toml");
        let is_manifest = file == "Cargo.toml";
        let text = if is_manifest {
            manifest.clone() + text
        } else {
            text.to_owned()
        };
        project.write(file, &text);
        let before = names(project.root());
        project.run("init", 110).stdout("").stderr_has(reason);
        assert_eq!(names(project.root()), before);
        assert_eq!(project.read(file), text);
        assert!(is_manifest || project.read("Cargo.toml") == manifest);
    }
}
