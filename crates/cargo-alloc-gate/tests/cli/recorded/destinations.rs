//! Where reports and baselines may go: through devices, pipes and links, and never over
//! what the program or cargo reads.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use crate::program::PROGRAM;
use crate::project::{BOXES, Project};

const BODY: &str = "one: 100 x allocs=1\n";

const RULES: &str = r#"
[baseline]
data = "design/accepted.toml"
page = "design/accepted.md"

[[gate]]
name = "boxes"
scenarios = ["*"]
allocs = "<= 1"
"#;

#[test]
fn reports_go_through_the_devices_of_standard_output_and_error() {
    let (project, results) = recorded("to-devices", BOXES);
    let expected = project
        .run_on(&results, "check --format json", 0)
        .stdout_text();
    let line = "check --report json=/dev/stdout --report json=/dev/stderr --report json=/dev/null";
    let ran = project.run_on(&results, line, 0);
    assert!(ran.stdout_text().ends_with(&expected));
    assert!(ran.stderr_text().starts_with(&expected));
    let null = fs::metadata("/dev/null").expect("it is still there");
    assert!(null.file_type().is_char_device());

    // Both streams in one file, as in `> log 2>&1`.
    let log = File::create(project.path("log")).expect("it can be made");
    let mut command = project.command();
    command
        .args(["check", "--report", "json=/dev/fd/1", "--results", &results])
        .stderr(log.try_clone().expect("it can be shared"))
        .stdout(log);
    assert!(command.status().expect("it starts").success());
    let text = project.read("log");
    assert!(
        text.starts_with("demo/counts  1 scenario  1 gate  ok\nper iteration"),
        "{text}"
    );
    let (report, verdict) = text.split_once(&expected).expect("the whole report");
    assert!(report.contains("\nenvironment: "), "{text}");
    assert!(verdict.starts_with("alloc-gate: passed"), "{text}");
}

#[test]
fn reports_go_through_pipes() {
    let (project, results) = recorded("to-pipes", BOXES);
    let expected = project
        .run_on(&results, "check --format json", 0)
        .stdout_text();
    let fifo = made_fifo(&project, "fifo");
    let path = fifo.clone();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        let mut pipe = File::open(path).expect("it can be opened");
        pipe.read_to_string(&mut text).expect("it is UTF-8");
        text
    });
    project.run_on(&results, "check --report json=fifo", 0);
    assert_eq!(reader.join().expect("it does not panic"), expected);
    assert!(
        fs::metadata(fifo)
            .expect("it is there")
            .file_type()
            .is_fifo()
    );

    // The process substitution of bash.
    let mut command = project.command_in("bash", "");
    let script = "\"$0\" check --results \"$1\" --report json=>(cat > got) && wait $!";
    command.args(["-c", script, PROGRAM, &results]);
    project.finish(command).code(0);
    assert_eq!(project.read("got"), expected);
}

#[test]
fn links_stay_links() {
    let (project, results) = recorded("to-links", RULES);
    fs::create_dir_all(project.path("elsewhere")).expect("it can be made");
    fs::create_dir_all(project.path("design")).expect("it can be made");
    let linked = ["design/accepted.toml", "design/accepted.md", "report.json"];
    for path in linked {
        let name = Path::new(path).file_name().expect("it has one");
        let target = project.path("elsewhere").join(name);
        symlink(target, project.path(path)).expect("it can be made");
    }
    // Once where the links lead to nothing, and once to files.
    for _ in 0..2 {
        project.run_on(&results, "accept", 0);
        project.run_on(&results, "check --report json=report.json", 0);
    }
    for path in linked {
        assert!(project.path(path).is_symlink(), "{path}");
        assert!(project.path(path).is_file(), "{path}");
    }
}

#[test]
fn a_report_replaces_nothing_that_is_read() {
    let (project, results) = recorded("to-inputs", RULES);
    project.run_on(&results, "accept", 0);
    symlink(project.path("gates.toml"), project.path("link")).expect("it can be made");
    for path in [
        "gates.toml",
        "./design/../gates.toml",
        "link",
        "design/accepted.toml",
        "design/accepted.md",
        &results,
        "Cargo.toml",
        "Cargo.lock",
        "src/lib.rs",
        "new/other.rs",
    ] {
        let before = fs::read(project.path(path)).ok();
        let line = format!("check --report json={path}");
        let ran = project.run_on(&results, &line, 2);
        ran.stderr_has("error: a report can't overwrite ");
        assert_eq!(fs::read(project.path(path)).ok(), before, "{path}");
    }
    project
        .run("run --report json=gates.toml", 2)
        .stderr_has("error: a report can't overwrite gates.toml: alloc-gate reads it\n");
    let line = "check --report json=new.md --report markdown=./new.md";
    let ran = project.run_on(&results, line, 2);
    ran.stderr_has("./new.md: another report goes to the same file");
}

#[test]
fn a_report_replaces_nothing_but_a_report() {
    let (project, results) = recorded("to-files", BOXES);
    project.write("empty.md", "");
    project.run_on(&results, "check --report markdown=empty.md", 0);
    let formats = ["terminal", "markdown", "html", "json", "junit"];
    let reports = formats.map(|format| format!(" --report {format}={format}.report"));
    // The second time over its own reports.
    for _ in 0..2 {
        project.run_on(&results, &format!("check{}", reports.concat()), 0);
    }
    let refused = |line: &str, path: &str, code| {
        let before = fs::read(project.path(path)).ok();
        let ran = project.run(&format!("{line}={path}"), code);
        assert_eq!(fs::read(project.path(path)).ok(), before, "{path}");
        ran
    };
    // What others write begins like a report, too.
    for (path, text) in [
        ("NOTES.md", "# Allocation gates\n\nOurs.\n"),
        ("names.json", "[\n  {\n    \"name\": \"alice\"\n  }\n]\n"),
        ("list.json", "[]\n"),
        ("schema.json", "{\n  \"schema\": 1\n}\n"),
        ("page.html", "<!doctype html>\n<html>\n"),
        ("deploy.yml", "environment: production\n"),
    ] {
        project.write(path, text);
        refused("run --report json", path, 2).stderr_has(": it is not a report of alloc-gate\n");
        // Refused for another reason, before and after the file is looked at.
        refused("run --report junit", path, 2).stderr_has("needs the verdicts of gates\n");
        refused("check --config-file no.toml --report json", path, 96);
    }
    refused("check --report markdown", "NOTES.md", 2)
        .stderr_has("error: a report can't overwrite NOTES.md: it is not a report of alloc-gate\n");
    for path in [".git/config", ".git/new", "src/../.git/HEAD"] {
        refused("run --report json", path, 2).stderr_has(": it is a file of git\n");
    }
    for file in ["report.md", "demo.counts.jsonl", "scratch/lock"] {
        let path = project.target().join("alloc-gate").join(file);
        let path = path.to_str().expect("the path is UTF-8");
        refused("run --report json", path, 2)
            .stderr_has(": alloc-gate keeps files of its own there\n");
    }
}

#[test]
fn a_pipe_as_input_is_refused_instead_of_waited_for() {
    let (project, _) = recorded("from-pipes", BOXES);
    made_fifo(&project, "fifo");
    for (line, code) in [
        ("check --results fifo", 104),
        ("list --config-file fifo", 96),
    ] {
        let ran = project.run(line, code);
        ran.stderr_has("fifo: it is not a regular file");
    }
}

#[test]
fn a_report_without_a_reader_ends_with_110() {
    let (project, results) = recorded("to-nobody", BOXES);
    let mut command = project.command();
    command.args(["check", "--results", &results]);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    drop(child.stdout.take());
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(110));
}

/// A project with these rules, and the results of its bench, without spaces in the path.
fn recorded(name: &str, rules: &str) -> (Project, String) {
    let project = Project::recorded(name, BODY, rules);
    let results = "../r/demo.counts.x86_64-unknown-linux-gnu.jsonl";
    fs::copy(project.path(results), project.path("r.jsonl")).expect("they were recorded");
    (project, String::from("r.jsonl"))
}

fn made_fifo(project: &Project, name: &str) -> std::path::PathBuf {
    let path = project.path(name);
    let status = Command::new("mkfifo").arg(&path).status();
    assert!(status.expect("it is there").success());
    path
}
