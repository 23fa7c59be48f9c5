//! `init`: writes a first bench, its lines in Cargo.toml, and gates.toml, or what is
//! missing. It writes none if one can't be written, and keeps every line of files that exist.

mod criterion;
mod manifest;

use std::env;
use std::fs;
use std::io::ErrorKind::{NotADirectory, NotFound};
use std::path::{Path, PathBuf};

use alloc_gate::Config;
use alloc_results::BenchId;
use cargo_metadata::{Edition, Package, Target, TargetKind};
use clap::Args;
use toml_edit::Document;

use self::manifest::{Addition, seen_from};
use super::{Call, Runnable};
use crate::bench::cargo::{Workspace, criterion_benches, listed};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{self, Prepared, shown};
use crate::output::shell::Shell;
use crate::project::{self, Rules};

const RULES_HEAD: &str = include_str!("init/gates.toml.in");

/// The name of the bench target with the sample.
const BENCH: &str = "alloc_count";

/// Its source, but for the name of the package.
const SAMPLE: &str = include_str!("init/alloc_count.rs.in");

/// The crate that it depends on, and the name that every bench over it has in its source.
const CRATE: &str = "alloc-scenario";
const CRATE_PATH: &str = "alloc_scenario";

/// The name of the schema in the first line of the rules.
const SCHEMA: &str = "gates.schema.json";

/// Whether crates.io has the crates. Until then, anybody could register their names there and run
/// code in the builds of those who depend on them by version. Set by the checklist of a release.
const IS_PUBLISHED: bool = false;

/// Write a first bench and gates.toml
///
/// The bench and its lines in Cargo.toml are added to the package in the current folder, or to the
/// package that -p names. Nothing that exists is changed. If the package has criterion benches,
/// gates.toml lists these instead, and the line that counts them in Cargo.toml is printed.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// Package to add the bench to
    #[arg(short, long, value_name = "NAME")]
    package: Option<String>,
    /// Source of alloc-scenario or alloc-criterion, such as 'path = "../alloc-gate/crates/alloc-scenario"'
    #[arg(long, value_name = "TOML")]
    dependency: Option<String>,
    /// Also write the JSON schema of gates.toml, for editors
    #[arg(long)]
    schema: bool,
}

impl Runnable for InitArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let workspace = Workspace::load(call.workspace, None)?;
        let package = self.package(&workspace, call.workspace.manifest_path.as_deref())?;
        let path = project::path(&workspace, call.workspace);
        let load = || Rules::load(&workspace, call.workspace);
        let rules = path.exists().then(load).transpose()?;
        let config = rules.as_ref().map(|rules| &rules.config);
        let benches = criterion_benches(package);
        if criterion::is_for(package, &benches) {
            let line = criterion::line(package, self)?;
            let head = criterion::rules_head();
            let outputs = self.rules(&path, config, &head, package, &benches)?;
            write(outputs, call.shell)?;
            if let Some(line) = line {
                let manifest = shown(package.manifest_path.as_std_path());
                let what = format!("in {manifest}, replace the line of criterion with this one:");
                call.shell.note(&what, &line);
            }
            call.shell.verdict(
                "alloc-gate: named the benches of criterion; once Cargo.toml has the line, run \
                 `cargo alloc-gate suggest --write` for gates",
            );
            return Ok(Code::Held);
        }
        let mut outputs = vec![bench(package)?];
        outputs.extend(self.rules(&path, config, RULES_HEAD, package, &[BENCH.to_owned()])?);
        outputs.push(self.manifest(package)?);
        let is_complete = outputs.iter().all(Output::is_there);
        let sample = (!outputs[0].is_there()).then(|| shown(&outputs[0].path));
        write(outputs, call.shell)?;
        let is_callable = |one: &Target| one.is_lib() || one.is_rlib() || one.is_dylib();
        if !package.targets.iter().any(is_callable) {
            call.shell.warning(
                &format!("`{}` has no library that a bench can call", package.name),
                "move the code to measure into src/lib.rs, with \"rlib\" in a `crate-type` that \
                 `[lib]` has",
            );
        }
        let is_ready = is_complete && config.is_some_and(|config| !config.gates.is_empty());
        let done = match (sample, is_complete) {
            (Some(path), _) => format!("wrote a sample; edit {path}, then"),
            (None, true) => "everything was there already;".into(),
            (None, false) => "added what was missing;".into(),
        };
        let next = if is_ready { "" } else { " suggest --write" };
        call.shell
            .verdict(&format!("alloc-gate: {done} run `cargo alloc-gate{next}`"));
        Ok(Code::Held)
    }
}

impl InitArguments {
    /// The package that -p names, or the one in the current folder.
    fn package<'w>(
        &self,
        workspace: &'w Workspace,
        manifest_path: Option<&Path>,
    ) -> Result<&'w Package, Failure> {
        let here = env::current_dir().unwrap_or_default();
        let (found, what) = match &self.package {
            Some(name) => (
                workspace.package(name),
                format!("the workspace has no package `{name}`"),
            ),
            None => (
                workspace.package_at(manifest_path, &here),
                String::from("several packages found"),
            ),
        };
        let names = || format!("choose one with -p: {}", listed(&workspace.package_names()));
        found.ok_or_else(|| Failure::usage(what).help(names()))
    }

    /// gates.toml with the benches that it lacks, and with `--schema` the schema that its first
    /// line then names.
    fn rules(
        &self,
        path: &Path,
        config: Option<&Config>,
        head: &str,
        package: &Package,
        benches: &[String],
    ) -> Result<Vec<Output>, Failure> {
        let before = config.map(|config| config.text().to_owned());
        let mut text = before.clone().unwrap_or_else(|| head.to_owned());
        let line_end = line_end(&text);
        for target in benches {
            let bench = BenchId {
                package: package.name.to_string(),
                target: target.clone(),
            };
            if !config.is_some_and(|config| config.lists(&bench)) {
                let lines = entry(package, target).replace('\n', line_end);
                text = format!("{}{line_end}{lines}", text.trim_end());
            }
        }
        let mut outputs = Vec::new();
        if self.schema {
            if !text.starts_with("#:schema ") {
                text.insert_str(0, &format!("#:schema {SCHEMA}{line_end}"));
            }
            let schema = alloc_gate::schema().to_owned();
            outputs.push(Output::new(path.with_file_name(SCHEMA), schema)?);
        }
        if let Err(mistakes) = Config::parse(&shown(path), &text) {
            return Err(not_added(path, &mistakes.to_string()));
        }
        let path = path.to_path_buf();
        outputs.insert(0, Output { path, text, before });
        Ok(outputs)
    }

    /// Where a package takes the crate `name` from: the keys of the dependency.
    fn keys(&self, name: &str, package: &Package) -> Result<String, Failure> {
        let example = format!("path = \"../alloc-gate/crates/{name}\"");
        if let Some(keys) = &self.dependency {
            let document = Document::parse(format!("d = {{ {keys} }}"));
            if document.is_ok_and(|it| it.len() == 1 && !keys.trim().is_empty()) {
                return Ok(keys.clone());
            }
            return Err(Failure::usage(format!("`{keys}` is not a dependency"))
                .help(format!("write it as in Cargo.toml: `{example}`")));
        }
        if IS_PUBLISHED {
            // All crates have one version.
            return Ok(format!("version = \"{}\"", env!("CARGO_PKG_VERSION")));
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(name);
        if folder.exists() {
            let path = seen_from(package.manifest_path.as_std_path(), &folder);
            let path = path.unwrap_or_else(|| folder.display().to_string());
            return Ok(format!("path = {path:?}"));
        }
        let what = format!(
            "{name} is not published, and {}, from which this command was built, is gone",
            folder.display()
        );
        Err(Failure::usage(what).help(format!("say where it is: `--dependency '{example}'`")))
    }

    /// Cargo.toml with the lines that it lacks.
    fn manifest(&self, package: &Package) -> Result<Output, Failure> {
        use TargetKind::{Bench, Bin, CustomBuild, Example, Test};
        let path = package.manifest_path.as_std_path();
        let before = fs::read_to_string(path).map_err(|error| files::failed(path, &error))?;
        let is_library = |one: &Target| {
            let other = [Bin, Bench, CustomBuild, Example, Test];
            !one.kind.iter().any(|kind| other.contains(kind))
        };
        let addition = Addition {
            dependency: CRATE,
            keys: &self.keys(CRATE, package)?,
            bench: BENCH,
            has_library: package.targets.iter().any(is_library),
        };
        let added = addition.add_to(&before);
        let text = added.map_err(|problem| {
            let lines = addition.lines();
            not_added(path, &problem).help(format!("add what it lacks by hand:\n\n{lines}"))
        })?;
        Ok(Output {
            path: path.to_path_buf(),
            text,
            before: Some(before),
        })
    }
}

/// The entry of a bench in gates.toml.
fn entry(package: &Package, target: &str) -> String {
    let is_it = |one: &&Target| one.is_bench() && one.name == target;
    let features = package.targets.iter().find(is_it);
    let features = match features.map(|bench| &bench.required_features) {
        Some(features) if !features.is_empty() => format!("features = {features:?}\n"),
        _ => String::new(),
    };
    format!(
        "\n[[bench]]\npackage = \"{}\"\ntarget = \"{target}\"\n{features}",
        package.name
    )
}

/// The bench with the sample, or the one that is there.
fn bench(package: &Package) -> Result<Output, Failure> {
    let folder = package
        .manifest_path
        .as_std_path()
        .with_file_name("benches");
    // In the first edition, `use` finds only crates that are declared.
    let declaration = if package.edition == Edition::E2015 {
        "extern crate alloc_scenario;\n\n"
    } else {
        ""
    };
    let sample = SAMPLE.replace("{package}", &package.name);
    let sample = sample.replace("{declaration}", declaration);
    let mut output = Output::new(folder.join(format!("{BENCH}.rs")), sample)?;
    if let Some(present) = &output.before {
        if !present.contains(CRATE_PATH) {
            let path = shown(&output.path);
            let what = format!("nothing was written: {path} is not a bench of {CRATE}");
            return Err(Failure::output_failed(what).help("rename it, and run `init` again"));
        }
        output.text.clone_from(present);
    }
    Ok(output)
}

fn not_added(path: &Path, problem: &str) -> Failure {
    let path = shown(path);
    Failure::output_failed(format!(
        "nothing was written: failed to add lines to {path}: {problem}"
    ))
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A file to write.
struct Output {
    path: PathBuf,
    text: String,
    /// The text that is replaced; `None` for a new file.
    before: Option<String>,
}

impl Output {
    fn new(path: PathBuf, text: String) -> Result<Self, Failure> {
        let before = match fs::read_to_string(&path) {
            Ok(before) => Some(before),
            // A path below a file does not exist either. Writing it fails later.
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => None,
            Err(error) => return Err(files::failed(&path, &error)),
        };
        Ok(Self { path, text, before })
    }

    /// Whether the file has this text already.
    fn is_there(&self) -> bool {
        self.before.as_ref() == Some(&self.text)
    }
}

/// Writes the files. All are prepared before the first is put in its place.
fn write(outputs: Vec<Output>, shell: &Shell) -> Result<(), Failure> {
    let (kept, new): (Vec<Output>, Vec<Output>) = outputs.into_iter().partition(Output::is_there);
    let prepare = |output: &Output| Prepared::new(&output.path, output.text.as_bytes());
    let prepared = new.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
    for file in prepared {
        file.persist()?;
    }
    for (verb, outputs) in [("Kept", kept), ("Wrote", new)] {
        for output in outputs {
            shell.status(verb, &shown(&output.path));
        }
    }
    Ok(())
}
