//! gates.toml as types, for its schema alone: their names and comments are what
//! an editor shows. How the file is read is not known here; a test compares the
//! keys.
#![expect(
    dead_code,
    reason = "nothing of these types is ever made: they describe a file that is read elsewhere"
)]

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, json_schema};

use super::metrics::Metrics;
use super::pattern;
use crate::config::{self, GATE_KEYS, Policy as Defaults, TableHistory};
use crate::{Measure, Statistic};

/// The rules of a workspace for `cargo alloc-gate`: which benches are measured,
/// what their scenarios have to meet, and what happens when they don't.
#[derive(JsonSchema)]
#[schemars(rename = "gates.toml", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct File {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    version: i64,
    /// How benches run.
    run: Option<Run>,
    /// Where the accepted figures are.
    baseline: Option<Baseline>,
    /// What happens about findings that don't fail by themselves.
    policy: Option<Policy>,
    /// Metrics that scenarios measure themselves, each with its unit.
    #[schemars(transform = without_known_names)]
    metrics: Option<BTreeMap<String, Unit>>,
    /// Bench targets to build and run.
    bench: Option<Vec<Bench>>,
    /// Requirements on scenarios.
    gate: Option<Vec<Gate>>,
    /// Exceptions to gates, each with a reason.
    waiver: Option<Vec<Waiver>>,
    /// Tables of measured figures, for reports; they judge nothing.
    table: Option<Vec<Table>>,
}

/// How benches run. A scenario that sets its own numbers in code keeps them.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct Run {
    /// Iterations before the counted pass. Without it, the bench's own number,
    /// which is 1,000 if it says none.
    #[schemars(extend("examples" = [1_000]))]
    warmup: Option<u64>,
    /// Iterations of the counted pass. Without it, the bench's own number, which is
    /// 10,000 if it says none.
    #[schemars(range(min = 1), extend("examples" = [10_000]))]
    iterations: Option<u64>,
    /// How long one bench target may run, in seconds or minutes.
    #[schemars(extend("pattern" = pattern::timeout(), "default" = "60s", "examples" = ["90s", "5m"]))]
    timeout: Option<String>,
}

/// Where the accepted figures are. Paths are relative to the folder of gates.toml.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct Baseline {
    /// The figures, TOML; `accept` writes it, requirements with `baseline` read it.
    #[schemars(extend("pattern" = "\\S", "examples" = ["design/alloc-baseline.toml"]))]
    data: String,
    /// The page for people, markdown; `accept` writes its marked parts.
    #[schemars(extend("examples" = ["design/alloc-baseline.md"]))]
    document: Option<String>,
    /// Globs over full names: scenarios whose figures `accept` leaves out.
    #[schemars(extend("examples" = [["lab/*"]]))]
    exclude: Option<Vec<Glob>>,
}

/// What happens about findings that don't fail by themselves.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct Policy {
    /// Gates that hold with a figure better than the limit by more than is
    /// tolerated, and waivers that nothing needs.
    #[schemars(default = "stale")]
    stale: Reaction,
    /// Measured scenarios that no gate applies to.
    #[schemars(default = "ungated")]
    ungated: Reaction,
    /// Measured scenarios whose iterations differ.
    #[schemars(default = "nondeterministic")]
    nondeterministic: Reaction,
    /// Scenarios of thread scope beside which other threads allocated.
    #[schemars(default = "foreign")]
    foreign: Reaction,
}

/// `deny` fails the check, `warn` shows the finding, `allow` doesn't mention it.
#[derive(JsonSchema, serde::Serialize)]
#[schemars(rename_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
enum Reaction {
    Deny,
    Warn,
    Allow,
}

/// What a metric is measured in.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
enum Unit {
    Count,
    Bytes,
    Nanoseconds,
}

/// A bench target to build and run. It needs `harness = false` and an
/// `alloc_scenario::Suite` in its `main`.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct Bench {
    /// The name of a member of the workspace.
    #[schemars(extend("pattern" = "\\S"))]
    package: String,
    /// The name of one of its bench targets.
    #[schemars(extend("pattern" = "\\S"))]
    target: String,
}

/// Requirements on some scenarios: a metric as a key, and what its mean has to be,
/// or a table from statistics to that.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
struct Gate {
    /// What reports call it; unique in the file.
    #[schemars(extend("pattern" = "\\S"))]
    name: String,
    /// Globs over full names, as `cargo alloc-gate list` prints them: `*` is any
    /// text. A scenario that one of them matches is judged.
    #[schemars(length(min = 1), extend("examples" = [["*"], ["encode*", "decode/rows=*"]]))]
    scenarios: Vec<Glob>,
    /// Globs; a scenario that one of them matches is not judged.
    exclude: Option<Vec<Glob>>,
    /// The targets that it is for: a `cfg(...)` or a target triple.
    #[schemars(extend(
        "pattern" = pattern::when(),
        "examples" = ["cfg(target_os = \"linux\")", "x86_64-unknown-linux-gnu"],
    ))]
    when: Option<String>,
    /// The compilers that it is for, as a requirement on their version.
    #[schemars(length(min = 1), extend("examples" = [">=1.90"]))]
    rustc: Option<String>,
    /// How far figures may be better than a limit before the gate is stale.
    #[schemars(extend("pattern" = pattern::tolerance(), "examples" = ["2", "64 B", "10%"]))]
    tolerance: Option<String>,
    /// The axis that requirements on `growth` are about. Without it, the only axis
    /// of whole numbers.
    #[schemars(extend("examples" = ["rows"]))]
    growth_axis: Option<String>,
    /// Why; shown when the gate is broken, and in the baseline's page.
    reason: Option<String>,
    #[schemars(flatten)]
    metrics: Metrics,
}

/// An exception to a gate: what it allows instead, why, and for how long.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
struct Waiver {
    /// The name of a gate of this file.
    #[schemars(extend("pattern" = "\\S"))]
    gate: String,
    /// Globs; for which of the gate's scenarios.
    #[schemars(length(min = 1), extend("examples" = [["*"]]))]
    scenarios: Vec<Glob>,
    /// Why; shown wherever the waiver is.
    #[schemars(extend("pattern" = "\\S"))]
    reason: String,
    /// Where it is worked on, a URL or a number.
    #[schemars(extend("examples" = ["https://example.org/issues/7"]))]
    issue: Option<String>,
    /// The last day on which it holds, in UTC.
    #[schemars(extend("format" = "date", "examples" = ["2026-12-31"]))]
    until: Option<String>,
    /// The targets that it is for: a `cfg(...)` or a target triple.
    #[schemars(extend(
        "pattern" = pattern::when(),
        "examples" = ["cfg(target_os = \"linux\")", "x86_64-unknown-linux-gnu"],
    ))]
    when: Option<String>,
    /// The compilers that it is for, as a requirement on their version.
    #[schemars(length(min = 1), extend("examples" = [">=1.90"]))]
    rustc: Option<String>,
    #[schemars(flatten)]
    metrics: Metrics,
}

/// A table of measured figures: the values of one axis are its rows, and those of
/// another, or several figures, its columns.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct Table {
    /// Its heading; unique in the file.
    #[schemars(extend("pattern" = "\\S"))]
    name: String,
    /// Globs over full names; which scenarios it shows.
    #[schemars(length(min = 1), extend("examples" = [["*"], ["decode/*"]]))]
    scenarios: Vec<Glob>,
    /// Globs; a scenario that one of them matches is not shown.
    exclude: Option<Vec<Glob>>,
    /// The axis whose values are the rows, or `scenario` for the names of scenarios.
    #[schemars(extend("pattern" = "\\S", "examples" = ["rows", "scenario"]))]
    rows: String,
    /// The axis whose values are the columns, or `scenario` for the names of scenarios,
    /// in a table for each metric. Without it, each metric is a column.
    #[schemars(extend("pattern" = "\\S", "examples" = ["impl", "scenario"]))]
    columns: Option<String>,
    /// Shows the baselines that were accepted in the past in the place of what was
    /// measured: each commit that changed the data is a value of the axis `commit`.
    history: Option<History>,
    /// What the cells show: metrics, of which the mean is shown, or tables with
    /// another statistic, or with an expression over metrics.
    #[schemars(length(min = 1), extend("examples" = [["allocs", { "metric": "bytes", "statistic": "max" }]]))]
    metrics: Vec<ShownFigure>,
    /// The column, or the row where there is no axis of columns, that the others are
    /// compared with; `AXIS=VALUE` is one of either.
    #[schemars(extend("pattern" = "\\S", "examples" = ["old", "impl=old"]))]
    baseline: Option<String>,
    /// What stands below the heading.
    caption: Option<String>,
    /// What stands below the table, a line each.
    footnotes: Option<Vec<String>>,
}

/// Which baselines of the past a table shows.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct History {
    /// The data of the baseline, relative to the folder of gates.toml. Without it, that
    /// of `[baseline]`.
    #[schemars(extend("pattern" = "\\S", "examples" = ["design/alloc-baseline.toml"]))]
    baseline: Option<String>,
    /// How many commits are shown, the newest of those that changed the data.
    #[schemars(range(min = 1), default = "last")]
    last: u64,
    /// A glob: which environments of a baseline are shown, such as
    /// `x86_64-unknown-linux-gnu, profile bench, over std::alloc::System`.
    #[schemars(extend("examples" = ["x86_64-*"]))]
    environment: Option<Glob>,
}

/// A metric, known or declared in `[metrics]`, of which the mean is shown; one with
/// another statistic; or what is derived from several.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum ShownFigure {
    Mean(#[schemars(transform = known_names)] String),
    Other(OtherFigure),
    Derived(DerivedFigure),
}

/// A metric and a statistic.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct OtherFigure {
    /// A metric, known or declared in `[metrics]`.
    #[schemars(extend("pattern" = "\\S"), transform = known_names)]
    metric: String,
    /// Which figure of it.
    #[schemars(transform = statistics_of_one_scenario)]
    statistic: Option<String>,
    /// What people call it: the title of its column, or of its table.
    #[schemars(extend("pattern" = "\\S", "examples" = ["cold"]))]
    label: Option<String>,
}

/// What is worked out from several figures of a scenario, exactly.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct DerivedFigure {
    /// Metrics, numbers, `elements`, `threads` and `iterations`, joined by `+`, ` - `,
    /// `*` and `/`, with parentheses.
    #[schemars(
        length(max = 1_000),
        extend(
            "pattern" = "\\S",
            "examples" = ["alloc-time + free-time", "1_000_000_000 * elements / time"],
        )
    )]
    derived: String,
    /// Which figure of each metric. Without it, the mean.
    #[schemars(transform = statistics_of_one_scenario)]
    statistic: Option<String>,
    /// What people call it: the title of its column, or of its table.
    #[schemars(extend("pattern" = "\\S", "examples" = ["pairs/s"]))]
    label: String,
    /// What it is in. Without it, a number with two decimals.
    unit: Option<DerivedUnit>,
}

/// What a derived figure is in.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
enum DerivedUnit {
    Nanoseconds,
    Bytes,
    Count,
    Percent,
}

/// Text in which `*` is any text, `?` a character, `[ab]` one of several
/// characters and `{a,b}` one of several texts.
#[derive(JsonSchema)]
struct Glob(#[schemars(length(min = 1))] String);

/// Scenarios have no metrics of other names, which would hide what they mean in a
/// gate.
fn without_known_names(schema: &mut Schema) {
    let known: Vec<&str> = Measure::known().chain(GATE_KEYS).collect();
    let names = json_schema!({
        "maxLength": 64,
        "not": { "enum": known },
        "pattern": "^[a-z][a-z0-9-]*$",
    });
    schema.insert("propertyNames".to_owned(), names.into());
    let examples = serde_json::json!([{ "encoded-bytes": "bytes" }]);
    schema.insert("examples".to_owned(), examples);
}

/// For completion: what `[metrics]` declares is taken as well.
fn known_names(schema: &mut Schema) {
    let known: Vec<&str> = Measure::known().collect();
    schema.insert("examples".to_owned(), known.into());
}

/// A cell shows one scenario, and growth is of several.
fn statistics_of_one_scenario(schema: &mut Schema) {
    let mut names = Statistic::ALL.map(Statistic::name).to_vec();
    names.retain(|name| *name != Statistic::Growth.name());
    schema.insert("enum".to_owned(), names.into());
}

fn last() -> u64 {
    TableHistory::LAST
}

fn stale() -> Reaction {
    Defaults::default().stale.into()
}

fn ungated() -> Reaction {
    Defaults::default().ungated.into()
}

fn nondeterministic() -> Reaction {
    Defaults::default().nondeterministic.into()
}

fn foreign() -> Reaction {
    Defaults::default().foreign.into()
}

impl From<config::Reaction> for Reaction {
    fn from(reaction: config::Reaction) -> Self {
        match reaction {
            config::Reaction::Deny => Self::Deny,
            config::Reaction::Warn => Self::Warn,
            config::Reaction::Allow => Self::Allow,
        }
    }
}
