//! `accept`: writes both files of the baseline, or none.

use snapbox::str;

use crate::project::Project;

pub(crate) const BODY: &str = "one box: 8\nthree buffers: 100 20 3\n";

pub(crate) const RULES: &str = r#"
[baseline]
data = "design/accepted.toml"
document = "design/accepted.md"

[[gate]]
name = "no-creep"
scenarios = ["*"]
allocs = "<= baseline"
bytes = { max = "<= baseline" }
reason = "figures only go down"
"#;

pub(crate) const DATA: &str = "design/accepted.toml";
pub(crate) const PAGE: &str = "design/accepted.md";

/// The verdict of `accept --check` where something would change.
const OUT_OF_DATE: &str = "FAILED: the committed baseline is out of date; run `cargo alloc-gate \
                           accept` and review the diff";

#[test]
fn a_first_accept_writes_data_and_page_and_then_the_check_passes() {
    let project = Project::with("accept", BODY, RULES);
    let ran = project.run("accept", 0);
    let ran = ran
        .stdout(str![[r#"
new environment: [HOST], profile bench, over std::alloc::System
new: one box
new: three buffers

"#]])
        .after_measuring(str![[r#"
       Wrote design/accepted.toml
       Wrote design/accepted.md
alloc-gate: accepted: 3 changes; review the diff and commit it

"#]]);
    ran.same(
        &project.read(DATA),
        str![[r##"
# What `cargo alloc-gate accept` measured and a person accepted. Don't edit it:
# run the command again, and read the difference.
version = 1

[[environment]]
target = "[HOST]"
profile = "bench"
features = []
allocator = "std::alloc::System"
debug-assertions = false
rustc = "[RUSTC]"
harness = "[HARNESS]"

[[environment.scenario]]
name = "one box"
bench = { package = "demo", target = "counts" }
iterations = 100
warmup = 10
[environment.scenario.metrics]
allocs = 1
bytes = 8
deallocs = 1
reallocs = 0
net-bytes = 0
net-blocks = 0
peak-bytes = 8

[[environment.scenario]]
name = "three buffers"
bench = { package = "demo", target = "counts" }
iterations = 100
warmup = 10
[environment.scenario.metrics]
allocs = 3
bytes = 123
deallocs = 3
reallocs = 0
net-bytes = 0
net-blocks = 0
peak-bytes = 123

"##]],
    );
    ran.same(
        &project.read(PAGE),
        str![[r#"
# Allocation baseline

<!-- alloc-gate: begin baseline -->
<!-- Written by `cargo alloc-gate accept`; changes up to the end marker are lost. -->

Source: `cargo alloc-gate accept` (the commit that records this file); the data is in
`design/accepted.toml`.

## Gates in force

| gate | scenarios | requires | reason |
|---|---|---|---|
| no-creep | `*` | `allocs <= baseline`, `bytes max <= baseline` | figures only go down |

`cargo alloc-gate` exits with code 1 when a figure does not meet what a gate
requires, and does not exit with 0 when one was not measured.

## Baseline (bench profile, [HOST])

Environment: [RUSTC], allocator `std::alloc::System`, features default, debug assertions off.
Harness: [HARNESS], which counts calls to the allocator.

### demo, bench counts

Each scenario runs 10 iterations of warm-up before the counted ones.

| scenario | iters | allocs/op | bytes/op | deallocs/op |
|---|---:|---:|---:|---:|
| one box | 100 | 1.00 | 8 | 1.00 |
| three buffers | 100 | 3.00 | 123 | 3.00 |

<!-- alloc-gate: end baseline -->

## Read

What these numbers mean, and what was decided because of them. What stands
outside of the markers is yours: `accept` leaves it alone.

<!-- alloc-gate: begin reproducing -->

## Reproducing

```console
$ cargo bench -p demo --bench counts
$ cargo alloc-gate          # judges by the gates above
$ cargo alloc-gate accept   # measures, and rewrites this page and its data
```

The numbers are the same on every machine with the same target, compiler, profile and
features, because they count calls and requested bytes, not time.
<!-- alloc-gate: end reproducing -->

"#]],
    );
    let ran = project.passes("1 gate checked, 2 scenarios measured");
    ran.stdout(str![[r#"
demo/counts  2 scenarios  1 gate  ok
| scenario      | iters | allocs/op | bytes/op |
|---------------|-------|-----------|----------|
| one box       |   100 |      1.00 |        8 |
| three buffers |   100 |      3.00 |      123 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]);
}

#[test]
fn accepting_again_changes_no_byte() {
    let project = Project::with("accept-again", BODY, RULES);
    project.run("accept", 0);
    let (data, page) = (project.read(DATA), project.read(PAGE));
    let ran = project.run("accept", 0);
    ran.stdout("").after_measuring(str![[r#"
       Wrote design/accepted.toml
       Wrote design/accepted.md
alloc-gate: accepted: no figure changed

"#]]);
    assert_eq!(project.read(DATA), data);
    assert_eq!(project.read(PAGE), page);
}

#[test]
fn text_outside_of_the_markers_is_kept_with_its_line_ends() {
    let project = Project::with("accept-own", BODY, RULES);
    project.run("accept", 0);
    let written = project.read(PAGE);
    let own =
        format!("A preface.\n\n{written}\nAn afterword.\n").replace("## Read\n", "## Decisions\n");
    let stale = own.replace("| one box | 100 | 1.00 |", "| one box | 100 | 9.00 |");
    assert_ne!(stale, own);
    for (stale, own) in [
        (stale.clone(), own.clone()),
        (stale.replace('\n', "\r\n"), own.replace('\n', "\r\n")),
    ] {
        project.write(PAGE, &stale);
        project.run("accept", 0);
        assert_eq!(project.read(PAGE), own);
    }
}

#[test]
fn a_page_without_markers_gets_the_blocks_at_its_end() {
    let project = Project::with("accept-begun", BODY, RULES);
    project.write(PAGE, "# Our codec\n\nWhy it allocates.");
    project.run("accept", 0);
    let page = project.read(PAGE);
    let begin = "# Our codec\n\nWhy it allocates.\n\n<!-- alloc-gate: begin baseline -->\n";
    assert!(page.starts_with(begin), "{page}");
    project.run("accept --check", 0);
}

#[test]
fn accepting_a_part_keeps_what_the_other_benches_have() {
    let project = Project::with_two("accept-part", "of a: 8", "of b: 8", RULES);
    project.run("accept", 0).stdout(str![[r#"
new environment: [HOST], profile bench, over std::alloc::System
new: of a
new: of b

"#]]);
    let data = project.read(DATA);
    let other = data.replace("name = \"of a\"", "name = \"old of a\"");
    let other = other.replace("name = \"of b\"", "name = \"old of b\"");
    project.write(DATA, &other);
    // The old scenario of `b` stays; the one of `a` is removed.
    let ran = project.run("accept --bench counts", 0);
    ran.stdout(str![[r#"
new: of a
gone: old of a

"#]])
        .after_measuring(str![[r#"
       Wrote design/accepted.toml
       Wrote design/accepted.md
alloc-gate: accepted: 2 changes; review the diff and commit it

"#]]);
    let expected = data.replace("name = \"of b\"", "name = \"old of b\"");
    assert_eq!(project.read(DATA), expected);
}

#[test]
fn accept_check_writes_nothing_and_fails_after_an_edit() {
    let project = Project::with("accept-check", BODY, RULES);
    let ran = project.run("accept --check", 1);
    ran.stdout(str![[r#"
new environment: [HOST], profile bench, over std::alloc::System
new: one box
new: three buffers
design/accepted.md is out of date

"#]])
        .only_verdict(OUT_OF_DATE);
    assert!(!project.path("design").exists());

    project.run("accept", 0);
    let ran = project.run("accept --check", 0);
    ran.stdout("")
        .only_verdict("passed: the committed baseline is up to date");

    let page = project.read(PAGE);
    project.write(PAGE, &page.replace("| 123 |", "| 99 |"));
    let ran = project.run("accept --check", 1);
    ran.stdout(str![[r#"
design/accepted.md is out of date

"#]])
        .only_verdict(OUT_OF_DATE);
    project.write(PAGE, &page);

    let data = project.read(DATA);
    let edited = data.replace(
        "\nallocs = 1\n",
        "\nallocs = { total = 90, min = 0, p50 = 1, p99 = 1, max = 1, first = 1 }\n",
    );
    project.write(DATA, &edited);
    project.run("accept --check", 1).stdout(str![[r#"
one box: allocs 0.9 -> 1 (+0.1)
design/accepted.md is out of date

"#]]);
}

#[test]
fn the_check_warns_of_a_page_that_is_out_of_date() {
    let project = Project::with("accept-stale-page", BODY, RULES);
    project.run("accept", 0);
    let rules = project
        .read("gates.toml")
        .replace("only go down", "never go up");
    project.write("gates.toml", &rules);
    let ran = project.passes("1 gate checked, 2 scenarios measured");
    ran.stdout(str![[r#"
demo/counts  2 scenarios  1 gate  ok
| scenario      | iters | allocs/op | bytes/op |
|---------------|-------|-----------|----------|
| one box       |   100 |      1.00 |        8 |
| three buffers |   100 |      3.00 |      123 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

warning[stale-document]: `design/accepted.md` is out of date
  help: run `cargo alloc-gate accept`, and commit what it writes

"#]]);
}
