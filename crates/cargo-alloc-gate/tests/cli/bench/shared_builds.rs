//! Builds in one target folder are never mixed up: both sides of `compare`, which builds
//! dependencies once, and two checkouts.

use crate::project::{self, Project, SOURCE, names};

/// A bench that allocates so many blocks. It has to be built for each number.
fn bench(blocks: &str) -> String {
    project::bench(
        "",
        &format!("    suite.scenario(\"boxes\", || [0_u64; {blocks}].map(Box::new));\n"),
    )
}

/// What a build reads besides the sources of the commit.
const OUTSIDE: &str = "
const TEXT: &str = include_str!(\"../../outside.txt\");
const SIZE: usize = TEXT.len() * if option_env!(\"DOUBLE\").is_some() { 2 } else { 1 };
";

/// A bench without scenarios, with a dependency beside the repository. It takes no time to
/// build, and its results are missing.
const EMPTY: &str = "fn main() {}\n";

fn with_dependency(name: &str, place: &str) -> Project {
    let project = Project::own(name, &[("counts", EMPTY)]);
    let manifest = "[package]\nname = \"helper\"\nversion = \"1.0.0\"\nedition = \"2024\"\n";
    project.write(&format!("{place}/Cargo.toml"), manifest);
    project.write(&format!("{place}/src/lib.rs"), "");
    let manifest = project.read("Cargo.toml");
    let (begin, end) = manifest
        .split_once("[dev-dependencies]\n")
        .expect("it has dependencies");
    let (_, end) = end.split_once('\n').expect("it has one");
    let rest = format!("[dependencies]\nhelper = {{ path = \"{place}\" }}\n{end}");
    project.write(
        "Cargo.toml",
        &format!(
            "{}{rest}",
            begin.replace("[workspace]", "[workspace]\nexclude = [\"inner\"]")
        ),
    );
    project.gates(&["counts"], "");
    project
}

#[test]
fn each_side_is_measured_as_it_is_however_often() {
    let text = |blocks: usize| format!("{OUTSIDE}{}", bench(&format!("{blocks} * SIZE")));
    let project = Project::own("compare-shared", &[("counts", &text(1))]).with_common_target();
    project.write("../outside.txt", "a");
    project.gates(&["counts"], "");
    let project = project.committed_with_lock();
    project.write("benches/counts.rs", &text(3));
    // With a wrapper, nothing is shared; nor is this side's folder, if a configuration has one.
    let folder = project.target().join("configured");
    let config = format!(" --config build.build-dir='{}'", folder.display());
    for (outside, variable, [base, head]) in [
        ("a", None, ["1", "3"]),
        ("ab", None, ["2", "6"]),
        ("ab", Some(("DOUBLE", "yes")), ["4", "12"]),
        (
            "a",
            Some(("CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER", "env")),
            ["1", "3"],
        ),
    ] {
        project.write("../outside.txt", outside);
        let mut line = String::from("compare HEAD --format json");
        if variable.is_some_and(|(name, _)| name.ends_with("_WRAPPER")) {
            line += &config;
        }
        let json = project.run_with(variable.as_slice(), &line, 0).json();
        let change = &json["changes"][0];
        assert_eq!(change["base"]["text"], base, "{json}");
        assert_eq!(change["head"]["text"], head, "{json}");
    }
    let ran = project.run("run", 0);
    ran.stdout_has("| boxes    |      3 |");
    project.is_clean();
}

#[test]
fn a_build_of_another_checkout_is_not_measured() {
    // Both have the same bench, and another package of the same name below their root.
    let [one, other] = [3, 78].map(|blocks| {
        let project = with_dependency("checkouts", "inner");
        let harness = format!("alloc-scenario.path = '{SOURCE}/crates/alloc-scenario'\n");
        let manifest = project.read("Cargo.toml");
        let (begin, end) = manifest.split_once("helper = ").expect("it is there");
        project.write("Cargo.toml", &format!("{begin}{harness}helper = {end}"));
        project.write("benches/counts.rs", &bench("helper::BLOCKS"));
        let helper = format!("pub const BLOCKS: usize = {blocks};\n");
        project.write("inner/src/lib.rs", &helper);
        project
    });
    let again = "Building again what another checkout may have built\n";
    for (checkout, allocs, is_again) in [
        (&one, "3", false),
        (&other, "78", true),
        (&other, "78", false),
        (&one, "3", true),
    ] {
        let mut command = one.command();
        command.arg("run").current_dir(checkout.root());
        let ran = one.finish(command).code(0);
        ran.stdout_has(&format!("| boxes    | {allocs:>6} |"));
        assert_eq!(ran.stderr_text().contains(again), is_again, "{allocs}");
    }
    // While it runs, another checkout builds.
    let newer = "fn main() {
    let program = std::env::current_exe().and_then(std::fs::File::open).unwrap();
    program.set_modified(std::time::SystemTime::now()).unwrap();
}
";
    one.write("benches/counts.rs", newer);
    let ran = one.run("run", 101);
    ran.stderr_has("error: checkouts/counts was built again while it was measured\n");
}

/// Both sides are built, each in its own folder of the target folder; neither has results.
#[cfg(unix)]
#[test]
fn dependencies_are_built_once_for_both_sides_and_packages_below_the_root_are_not_shared() {
    for (place, helpers) in [("../helper", [1, 0]), ("inner", [1, 1])] {
        let project = with_dependency("compare-once", place);
        let build = |project: &Project, line: &str| {
            let mut command = project.command();
            command.env_remove("CARGO_BUILD_BUILD_DIR");
            command.args(line.split_whitespace());
            let ran = project.finish(command).code(104);
            ran.stderr_has("counts exited without writing results");
        };
        // It also completes the lock file, which is then committed.
        build(&project, "run");
        let project = project.committed();
        build(&project, "compare HEAD");
        let builds = |library: &str| {
            ["", "alloc-gate/compare/target/"].map(|folder| {
                let target = project.target();
                let files = names(&target.join(format!("{folder}release/deps"))).into_iter();
                let begin = format!("lib{library}-");
                let built = files.filter(|name| name.starts_with(&begin));
                built.filter(|name| name.ends_with(".rlib")).count()
            })
        };
        assert_eq!(builds("helper"), helpers);
        if place == "../helper" {
            assert_eq!(builds("compare_once"), [2, 0]);
        }
    }
}
