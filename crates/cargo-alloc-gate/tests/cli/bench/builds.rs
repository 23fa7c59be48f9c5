//! Benches that can't be built: code 101, with the errors of cargo; and how benches are built.

use crate::program::PROGRAM;
use crate::project::{BOXES, Project, bench};

/// The scenario of most benches here.
const BOXED: &str = "    suite.scenario(\"one box\", || Box::new(7_u64));\n";

fn own(name: &str, source: &str) -> Project {
    let project = Project::own(name, &[("counts", source)]);
    project.gates(&["counts"], BOXES);
    project
}

#[test]
fn a_bench_that_does_not_compile_ends_with_101_below_the_compilers_words() {
    let project = own("no-compile", "fn main() { let _: u64 = \"seven\"; }\n");
    let ran = project.run("", 101).stdout("");
    ran.stderr_has("error[E0308]: mismatched types\n").stderr_has(
        "error: failed to build the benches\n  help: see cargo's errors above; `cargo bench --no-run` \
         repeats them\n",
    );
}

#[test]
fn a_bench_without_its_required_features_ends_with_101_and_the_option_that_is_missing() {
    let project = own("features", &bench("", BOXED));
    project.add_to_manifest("required-features = [\"extra\"]\n\n[features]\nextra = []\n");
    let ran = project.run("", 101);
    ran.stderr_has("Consider enabling them by passing, e.g., `--features=\"extra\"`\n");
    let ran = project.run("--features extra", 0);
    ran.verdict("passed: 1 gate checked, 1 scenario measured");
    // Options about the lock file are passed to cargo.
    let lock = project.read("Cargo.lock");
    project.write("Cargo.lock", "version = 4\n");
    let ran = project.run("--locked --features extra", 101);
    ran.stderr_has(" --locked ");
    project.write("Cargo.lock", &lock);
    project.run("--locked --offline --features extra", 0);
}

/// A bench whose scenarios depend on a feature and on a variable.
const CHOSEN: &str = r#"
    let name = std::env::var("SHAPE").unwrap_or_else(|_| String::from("plain"));
    let feature = if cfg!(feature = "more") { "more" } else { "less" };
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let target = env!("CARGO_CRATE_NAME");
    suite.scenario(&format!("{target} {name} {feature} {build}"), || Box::new(7_u64));
"#;

#[test]
fn each_bench_has_its_features_profile_environment_and_targets() {
    let chosen = bench("", CHOSEN);
    let benches = ["counts", "other", "foreign"].map(|name| (name, &*chosen));
    let project = Project::own("bench-keys", &benches);
    // With resolver 1.
    let manifest = project.read("Cargo.toml").replace("2024", "2018");
    let (package, targets) = manifest
        .split_once("\n[[bench]]\nname = \"other\"\n")
        .expect("it is there");
    project.write(
        "Cargo.toml",
        &format!(
            "{package}\n[[bench]]\nname = \"other\"\nrequired-features = [\"more\"]\n{targets}\n\
             [features]\nmore = []\nall = [\"more\"]\n\n\
             [profile.dev]\ndebug = false\nincremental = false\n"
        ),
    );
    let rules = |keys: &str| {
        let foreign = "\n[[bench]]\npackage = \"bench-keys\"\ntarget = \"foreign\"\nwhen = 'cfg(target_os = \"none\")'\n";
        project.gates(&["counts", "other"], &format!("{keys}{foreign}{BOXES}"));
    };
    rules("features = [\"all\"]\nprofile = \"dev\"\nenv = { SHAPE = \"round\" }\n");
    let names = |line: &str| {
        let ran = project.run(line, 0);
        ran.verdict("listed 2 scenarios, 0 of them ungated");
        ran.stdout_text()
    };
    let listed = names("list");
    for name in ["counts plain less release", "other round more debug"] {
        assert!(listed.contains(name), "{listed}");
    }
    project
        .run("", 0)
        .verdict("passed: 1 gate checked (1 bench left out), 2 scenarios measured");
    // The results know how they were built, and are the ones that are wanted.
    let text = std::fs::read_to_string(project.results("other")).expect("the results are there");
    assert!(text.contains("\"profile\":\"dev\""), "{text}");
    assert!(text.contains("\"features\":[\"all\"]"), "{text}");
    // The command line has the last word about the profile.
    let listed = names("list --profile dev --features more");
    for name in ["counts plain more debug", "other round more debug"] {
        assert!(listed.contains(name), "{listed}");
    }

    // One target twice, each with its own results.
    let manifest = project.read("Cargo.toml");
    let manifest = manifest.replace("more = []\n", "more = []\ndefault = [\"more\"]\n");
    project.write("Cargo.toml", &manifest);
    project.gates(
        &["counts", "counts"],
        &format!("default-features = false\n{BOXES}bench = \"counts+*\"\n"),
    );
    assert_eq!(
        project.run("list", 0).stdout_text(),
        "bench-keys/counts\n  counts plain more release: ungated\n\
         bench-keys/counts+no-default\n  counts plain less release: gated by boxes\n"
    );
    let ran = project.run("--bench counts*", 0);
    ran.verdict("passed: 1 gate checked, 2 scenarios measured");
    let results = ["counts", "counts+no-default"].map(|bench| project.results(bench));
    project.run_args(&["check", "--results", &results[0], &results[1]], 0);
}

#[test]
fn cargo_gets_its_configuration_and_the_options_of_the_build() {
    let project = Project::own("options", &[("counts", &bench("", CHOSEN))]);
    // As the other profile, so that dependencies need no build of their own.
    project.add_to_manifest("\n[profile.release]\nopt-level = 0\n");
    project.gates(&["counts"], BOXES);
    let listed = |line: &str| project.run(&format!("list {line}"), 0).stdout_text();
    let debug = "options/counts\n  counts plain less debug: gated by boxes\n";
    let only_here = "[profile.bench.package.options]\ndebug-assertions = true\n";
    project.write("more.toml", only_here);
    assert_eq!(listed("--config more.toml"), debug);
    // The last one counts, as in cargo.
    let release = "options/counts\n  counts plain less release: gated by boxes\n";
    let last = "--config more.toml --config profile.bench.package.options.debug-assertions=false";
    assert_eq!(listed(last), release);

    project.run("run --profile release", 0);
    let text = std::fs::read_to_string(project.results("counts")).expect("the results are there");
    assert!(text.contains("\"profile\":\"release\""), "{text}");

    let ran = project.run("--config no-such.toml", 102);
    ran.stderr_has("error: failed to read the workspace: error: failed to parse value");
    ran.stderr_has("no-such.toml");
    let ran = project.run("--config a=\u{202e}", 2);
    ran.stderr_has("line breaks and hidden characters are not allowed");
}

#[test]
fn only_the_listed_benches_are_built_even_if_a_package_is_twice_in_its_own_graph() {
    let source = bench("", BOXED);
    let project = Project::own("twice", &[("counts", &source), ("store", "not Rust\n")]);
    let manifest = project.read("Cargo.toml");
    let member = manifest.replace("name = \"twice\"", "name = \"store\"");
    let (member, _) = member.split_once("\n[workspace]").expect("it is there");
    let (_, dependencies) = manifest.split_once("opt-level = 0\n").expect("it is there");
    project.write("store/Cargo.toml", &format!("{member}{dependencies}"));
    project.write("store/src/lib.rs", "");
    project.write("store/benches/store.rs", &source);
    project.write("store/benches/counts.rs", "not Rust\n");
    // As insta depends on an older release of similar, which it tests.
    let package = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2024\"\n{more}")
    };
    project.write(
        "tester/Cargo.toml",
        &package(
            "tester",
            "[dependencies]\ntwice = { path = \"../older\" }\n",
        ),
    );
    project.write("tester/src/lib.rs", "");
    project.write("older/Cargo.toml", &package("twice", ""));
    project.write("older/src/lib.rs", "");
    let workspace = "[workspace]\nmembers = [\"store\"]\nexclude = [\"older\", \"tester\"]\n";
    let manifest = manifest.replace("[workspace]\n", workspace);
    let manifest = manifest.replace(
        "[dev-dependencies]\n",
        "[dev-dependencies]\ntester = { path = \"tester\" }\n",
    );
    project.write(
        "Cargo.toml",
        &format!("{manifest}\n[features]\nmore = []\n"),
    );
    let store = "\n[[bench]]\npackage = \"store\"\ntarget = \"store\"\n";
    project.gates(&["counts"], &format!("{store}{BOXES}"));
    // A feature of one package is no mistake in the build of another.
    project
        .run("--features more", 0)
        .verdict("passed: 1 gate checked, 2 scenarios measured");
    let ran = project.run("--features mor", 101);
    ran.stderr_has("error: failed to build the benches\n");
}

#[test]
fn a_bench_sees_what_cargo_bench_gives_it() {
    let dump =
        "    let seen = std::env::vars().map(|(name, value)| format!(\"{name}={value}\\n\"));
    let mut seen: Vec<String> = seen.filter(|line| !line.starts_with(\"ALLOC_GATE_\")).collect();
    seen.push(format!(\"in {:?}\\n\", std::env::current_dir()));
    seen.sort();
    std::fs::write(std::env::var_os(\"SEEN\").unwrap(), seen.concat()).unwrap();
";
    let project = own("seen", &bench("", &format!("{dump}{BOXED}")));
    // With line tables, the build script runs again.
    project.run_keys("line-tables = false");
    let manifest = project.read("Cargo.toml");
    let details = "version = \"1.2.3-rc.1\"\nauthors = [\"A <a@b.c>\", \"B\"]\nlicense = \"MIT\"\n\
                   description = \"Said.\"\nreadme = \"r.md\"\nrust-version = \"1.85\"\n";
    project.write(
        "Cargo.toml",
        &manifest.replace("version = \"1.2.3\"\n", details),
    );
    project.write("r.md", "");
    project.write("src/bin/a-tool.rs", "fn main() {}\n");
    project.write(
        "build.rs",
        "fn main() {\n    let out = std::env::var(\"OUT_DIR\").unwrap();\n    \
         println!(\"cargo:rustc-env=FROM_SCRIPT=yes\");\n    \
         println!(\"cargo:rustc-link-search=native={out}\");\n    \
         println!(\"cargo:rustc-link-search=native=/elsewhere\");\n}\n",
    );
    project.write(
        ".cargo/config.toml",
        "[env]\nA_FILE = { value = \"data\", relative = true }\nPLAIN = \"plain\"\nKEPT = \"no\"\n\
         FORCED = { value = \"yes\", force = true }\n\
         [target.'cfg(unix)']\nrunner = [\"env\", \"BY_RUNNER=1\"]\n",
    );
    // The nearest configuration with a key counts.
    project.write(
        "../.cargo/config.toml",
        "[env]\nPLAIN = \"far\"\nA_FILE = { value = \"far\" }\nFAR = { value = \"far\", relative = true }\n",
    );
    let seen = |program: &str, args: &[&str]| {
        let file = project.path("seen.txt");
        let mut command = project.command_in(program, "");
        command.args(args).args(["--config", "env.PLAIN=\"given\""]);
        command
            .env("SEEN", &file)
            .env("KEPT", "yes")
            .env("FORCED", "no");
        let ran = project.finish(command).code(0);
        if cfg!(unix) && program == PROGRAM {
            ran.stdout_has(", started by env BY_RUNNER=1, ");
        }
        let seen = std::fs::read_to_string(file).expect("the bench wrote the file");
        seen.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let ours = seen(PROGRAM, &["run"]);
    let cargo = seen(env!("CARGO"), &["bench", "--bench", "counts"]);
    assert_eq!(ours, cargo);
    for line in ["PLAIN=given", "KEPT=yes", "FORCED=yes", "FROM_SCRIPT=yes"] {
        assert!(ours.iter().any(|seen| seen == line), "{line}: {ours:?}");
    }
    let has = |begin: &str, end: &str| {
        let mut lines = ours.iter();
        lines.any(|line| line.starts_with(begin) && line.ends_with(end))
    };
    assert!(
        has("A_FILE=", "/project/data") && has("FAR=", "/own/far"),
        "{ours:?}"
    );
}
