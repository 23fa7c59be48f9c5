//! The committed JSON schema beside the reader: what the one takes, the other
//! takes, and mistakes that a schema can see are refused by both. The validator is
//! not ours.

mod tables;

use std::fs;
use std::sync::LazyLock;

use alloc_gate::{Config, schema};
use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../alloc-gate/tests/cases");

/// A folder with fewer valid rules lost some.
const LEAST_VALID: usize = 100;

/// The schema, as an editor has it.
struct Editor {
    schemas: Schemas,
    index: SchemaIndex,
}

/// Compiled once: its patterns take seconds.
static EDITOR: LazyLock<Editor> = LazyLock::new(Editor::new);

impl Editor {
    fn new() -> Self {
        let schema = serde_json::from_str(schema::text()).expect("the schema is JSON");
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler
            .add_resource("gates.schema.json", schema)
            .expect("the schema has an address");
        let index = compiler
            .compile("gates.schema.json", &mut schemas)
            .expect("the schema is one");
        Self { schemas, index }
    }

    /// Whether nothing would be underlined; the error says what would.
    fn takes(&self, rules: &str) -> Result<(), String> {
        let table: toml::Table = toml::from_str(rules).map_err(|error| error.to_string())?;
        let rules = as_json(toml::Value::Table(table));
        let result = self.schemas.validate(&rules, self.index);
        result.map_err(|error| format!("{error:#}"))
    }
}

/// As editors hand TOML to a schema: dates are strings.
fn as_json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(truth) => truth.into(),
        toml::Value::Datetime(date) => date.to_string().into(),
        toml::Value::Array(list) => list.into_iter().map(as_json).collect(),
        toml::Value::Table(table) => table
            .into_iter()
            .map(|(key, value)| (key, as_json(value)))
            .collect(),
    }
}

fn is_read(rules: &str) -> bool {
    Config::parse("gates.toml", rules).is_ok()
}

#[test]
fn whatever_the_reader_takes_no_editor_underlines() {
    let mut valid = 0;
    let mut refused = Vec::new();
    let own = include_str!("../../../../../gates.toml").to_owned();
    let cases = fs::read_dir(CASES).expect("the cases are there");
    let cases = cases.filter_map(|entry| {
        let text = fs::read_to_string(entry.ok()?.path()).ok()?;
        let (_, rules) = text.split_once("=== gates.toml\n")?;
        let rules = rules.split("\n=== ").next()?;
        Some(rules.to_owned())
    });
    let pages = concat!(
        include_str!("../../../../../design/keys.md"),
        include_str!("../../../../../design/requirements.md"),
        include_str!("../../../../../design/reports.md"),
        include_str!("../../../../../design/recipes.md"),
    );
    let examples = pages.split("```toml gates.toml\n").skip(1);
    let examples = examples.filter_map(|rest| Some(rest.split_once("```")?.0.to_owned()));
    for rules in cases
        .chain(examples)
        .chain([own])
        .filter(|rules| is_read(rules))
    {
        valid += 1;
        if let Err(error) = EDITOR.takes(&rules) {
            refused.push(format!("{rules}\n{error}"));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
    assert!(valid >= LEAST_VALID, "{valid} rules were compared");
}

/// Whether both take these rules, or both refuse them.
fn alike(rules: &str, valid: bool) -> Option<String> {
    let (read, taken) = (is_read(rules), EDITOR.takes(rules));
    (read != valid || taken.is_ok() != valid).then(|| {
        format!("{rules}\nthe reader takes it: {read}; the schema says {taken:?}; valid is {valid}")
    })
}

/// Asserts that rules made `of` each text are taken by both, or refused by both.
fn assert_alike(of: impl Fn(&str) -> String, texts: &[(&str, bool)]) {
    let differences: Vec<String> = texts
        .iter()
        .filter_map(|(text, valid)| alike(&of(text), *valid))
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[test]
fn mistakes_of_structure_are_refused_by_both() {
    let file = |rest: &str| format!("version = 1\n{rest}\n");
    assert_alike(
        file,
        &[
            ("", true),
            ("colour = 1", false),
            ("run = 1", false),
            ("[run]\nwarmup = 0\niterations = 1\ntimeout = '5m'", true),
            ("[run]\nwarm-up = 3", false),
            ("[run]\nwarmup = -1", false),
            ("[run]\nwarmup = 1.5", false),
            ("[run]\niterations = 0", false),
            ("[run]\niterations = '10'", false),
            ("[run]\ntimeout = 60", false),
            ("[run]\ntimeout = 'soon'", false),
            ("[run]\ntimeout = '0s'", false),
            ("[run]\ntimeout = '1h'", false),
            ("[run]\ntimeout = ' 90 s'", true),
            ("[run]\nscenario-timeout = '2m'", true),
            ("[run]\nscenario-timeout = 5", false),
            ("[run]\nline-tables = false", true),
            ("[run]\nline-tables = 'no'", false),
            ("[baseline]\ndata = 'b.toml'\ndocument = 'b.md'", true),
            ("[baseline]\ndocument = 'b.md'", false),
            ("[baseline]\ndata = ' '", false),
            ("[baseline]\ndata = 'b'\npage = 'b.md'", false),
            ("[policy]\nstale = 'deny'\nforeign = 'allow'", true),
            ("[policy]\nunused-baseline = 'deny'", true),
            ("[policy]\nungated = 'denny'", false),
            ("[policy]\nmissing = 'warn'", false),
            ("[policy]\nnondeterministic = true", false),
            ("[metrics]\nrows = 'count'\nencoded = 'bytes'", true),
            ("[metrics]\nrows = 'kilos'", false),
            ("[metrics]\nrows = 1", false),
            ("[metrics]\nallocs = 'count'", false),
            ("[metrics]\nuntil = 'count'", false),
            ("[[bench]]\npackage = 'p'\ntarget = 't'", true),
            ("[[bench]]\npackage = 'p'", false),
            ("[[bench]]\npackage = 'p'\ntarget = 't'\nname = 'n'", false),
            ("[bench]\npackage = 'p'\ntarget = 't'", false),
        ],
    );
    assert_alike(
        str::to_owned,
        &[
            ("version = 2", false),
            ("version = '1'", false),
            ("", false),
        ],
    );
}

#[test]
fn mistakes_of_a_gate_are_refused_by_both() {
    let whole = |rest: &str| format!("version = 1\n[[gate]]\n{rest}\n");
    assert_alike(
        whole,
        &[
            ("name = 'g'\nscenarios = ['*']\nallocs = '< 5'", true),
            ("scenarios = ['*']\nallocs = '< 5'", false),
            ("name = ''\nscenarios = ['*']\nallocs = '< 5'", false),
            ("name = 'g'\nallocs = '< 5'", false),
            ("name = 'g'\nscenarios = []\nallocs = '< 5'", false),
            ("name = 'g'\nscenarios = '*'\nallocs = '< 5'", false),
            ("name = 'g'\nscenarios = ['']\nallocs = '< 5'", false),
            ("name = 'g'\nscenarios = [1]\nallocs = '< 5'", false),
        ],
    );
    let gate = |rest: &str| {
        format!("version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\nbytes = '< 5'\n{rest}\n")
    };
    assert_alike(
        gate,
        &[
            ("exclude = ['slow*']\nreason = 'promised'", true),
            ("exclude = 'slow*'", false),
            ("exclude = ['']", false),
            ("package = 'codec*'\nbench = 'alloc_count'", true),
            ("package = ''", false),
            ("bench = ['alloc_count']", false),
            ("when = 'cfg(unix)'", true),
            ("when = 'x86_64-unknown-linux-gnu'", true),
            ("when = 'linux'", false),
            ("when = ''", false),
            ("when = true", false),
            ("rustc = '>=1.90, <2'", true),
            ("rustc = ''", false),
            ("rustc = 1.90", false),
            ("tolerance = '64 B'", true),
            ("tolerance = ' 10 % '", true),
            ("tolerance = '-2'", false),
            ("tolerance = 2", false),
            ("tolerance = '+2'", false),
            ("growth-axis = 1", false),
            ("reason = ['a']", false),
            ("until = 2026-12-31", false),
            ("allocs = 5", false),
            ("alocs = '< 5'", false),
            ("allocs = {}", false),
            ("allocs = { max = '< 5', per-element = '< 2.5' }", true),
            ("allocs = { mox = '< 5' }", false),
            ("allocs = { max = 5 }", false),
            ("allocs = { growth = 'O(n  log n)' }", true),
            ("allocs = { growth = 'O(n^3)' }", false),
            ("allocs = { growth = '< 5' }", false),
            ("allocs = 'O(1)'", false),
            ("foreign-allocs = { total = '== 0' }", true),
            ("foreign-allocs = { max = '== 0' }", false),
            ("faults = '== 0'", true),
            ("faults = { mean = '== 0' }", false),
            ("foreign-allocs = '<= 1 KiB'", false),
            ("time = '<= 0.8 * [b]'", true),
            ("time = { p50 = '<= [b]' }", true),
            ("time = { first = '<= [b]' }", true),
            ("time = '<= [b] + 5%'", true),
            ("time = '<= [b] + 5'", false),
            ("time = '<= 500'", false),
            ("time = '<= baseline'", false),
            ("time = { max = '<= 10 * p50' }", true),
            ("faults = '<= baseline'", false),
            ("faults = '<= foreign-allocs'", true),
            ("tolerance = 'max(1%, 2 B)'", true),
            ("tolerance = 'max(1%)'", false),
        ],
    );
    let declared = |rest: &str| gate(rest) + "[metrics]\nencoded = 'bytes'\n";
    assert_alike(
        declared,
        &[
            ("encoded = '<= 4 KiB'", true),
            ("encoded = { max = '<= 4 KiB' }", true),
            ("encoded = 5", false),
            ("encoded = { mox = '< 5' }", false),
        ],
    );
}

#[test]
fn mistakes_of_a_waiver_are_refused_by_both() {
    let waiver = |rest: &str| {
        format!(
            "version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\nallocs = '< 5'\n\
             [[waiver]]\ngate = 'g'\nscenarios = ['*']\nallocs = '< 9'\n{rest}\n"
        )
    };
    assert_alike(
        waiver,
        &[
            ("reason = 'old'", true),
            ("", false),
            ("reason = ' '", false),
            ("reason = 'old'\nuntil = 2026-12-31", true),
            ("reason = 'old'\nuntil = '2026-12-31'", true),
            ("reason = 'old'\nuntil = '31.12.2026'", false),
            ("reason = 'old'\nuntil = 2026-12-31T10:00:00Z", false),
            ("reason = 'old'\nuntil = '2026-02-29'", false),
            ("reason = 'old'\nuntil = 2026", false),
            ("reason = 'old'\nissue = 7", false),
            ("reason = \"old\"\nissue = \"7\"\nwhen = 'cfg(unix)'", true),
            ("reason = 'old'\nexclude = ['a']", false),
            ("reason = 'old'\npackage = 'codec*'\nbench = 'b'", true),
            ("reason = 'old'\nbench = ''", false),
            ("reason = 'old'\ntolerance = '2'", false),
            ("reason = 'old'\ngrowth-axis = 'rows'", false),
            ("reason = 'old'\nname = 'w'", false),
        ],
    );
}

#[test]
fn requirements_follow_one_grammar() {
    let bytes = |requirement: &str| {
        format!(
            "version = 1\n[baseline]\ndata = 'b'\n[[gate]]\nname = 'g'\nscenarios = ['*']\n\
             net-bytes = '{requirement}'\n"
        )
    };
    assert_alike(
        bytes,
        &[
            ("< 5", true),
            (" <=10_000 ", true),
            ("== 2.5", true),
            (">= -1_0.0_5, < 3", true),
            ("> -4 KiB", true),
            ("<= 4KiB", true),
            ("<= 1.5 GB,>= 1 B", true),
            ("<= baseline", true),
            ("<= baseline+5 %", true),
            ("<=baseline + 2.50", true),
            (">= baseline - 1kB", true),
            ("== baseline ± 5%", true),
            ("== baseline ±2 MiB", true),
            ("== baseline +- 2 MiB", true),
            ("<= baseline + max(1%, 4 KiB)", true),
            ("== baseline ± max( 4KiB,1 % )", true),
            ("<= baseline + max(1%)", false),
            ("<= baseline + max(1%, 2%)", false),
            ("<= max(1%, 2)", false),
            ("== bytes", true),
            ("<= 0.5 * max, >= 2*bytes  first", true),
            ("<= bytes 2", false),
            ("<= 2 bytes", false),
            ("<= -2 * bytes", false),
            ("<= [old]", true),
            ("<= 0.50*[ decode/a=1,b=* ]", true),
            ("< [old], > 1 * [a], > 2 * [b]", true),
            ("< 0.5 * [a [b], c]", true),
            ("<= [old] + 128 KiB", true),
            ("<= 0.5 * [a [b], c]-max(4,1%), > 1", true),
            ("== [old] ± 5%, == [a] + 1", true),
            ("<= [old] ± 5%", false),
            ("<= [old] + -5", false),
            ("<= [old] * 2", false),
            ("<= 2 + [old]", false),
            ("<= 2 * max bytes", true),
            ("<= [encode (Int32)/rows=*], >= 0", true),
            ("5", false),
            ("=< 5", false),
            ("= 5", false),
            ("!= 5", false),
            ("<", false),
            ("< 5, ", false),
            ("", false),
            ("< 5 kb", false),
            ("< 1__0", false),
            ("< 5.", false),
            ("< .5", false),
            ("< 1e3", false),
            ("< +1", false),
            ("< 5 6", false),
            ("< 5%", false),
            ("<= Baseline", false),
            ("<= baseline5%", false),
            ("<= baseline + ", false),
            ("<= baseline + -5", false),
            ("<= baseline ± 5", false),
            ("== baseline + 5", false),
            ("<= 2 * old]", false),
            ("<= 2 [old]", false),
            ("<= 2 B * [old]", false),
            ("<= -2 * [old]", false),
            ("<= 2 * []", false),
            ("<= 2 * [o*]", false),
            ("<= [decode/rows=1*]", false),
            ("allocs < 5", false),
        ],
    );
}
