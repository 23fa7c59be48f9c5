//! [`Project`]: a workspace with its [`Rules`], which are gates.toml and the files of the baseline.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use alloc_gate::rules::BaselineFiles;
use alloc_gate::{Baseline, BaselineDocument, Config, Diagnostics, DocumentState, counted};

use crate::arguments::{BuildArguments, WorkspaceArguments};
use crate::bench::cargo::Workspace;
use crate::bench::selection::SelectedBenches;
use crate::failure::Failure;
use crate::files::{self, Scratch};
use crate::git::worktree::clear_left;
use crate::output::shell::Shell;

/// A workspace with its rules.
pub(crate) struct Project<'a> {
    pub(crate) arguments: &'a WorkspaceArguments,
    pub(crate) shell: &'a Shell,
    pub(crate) workspace: Workspace,
    pub(crate) rules: Rules,
}

impl<'a> Project<'a> {
    /// Reads the workspace, removes what a killed comparison has left, and reads the rules with
    /// `read`.
    pub(crate) fn load(
        arguments: &'a WorkspaceArguments,
        shell: &'a Shell,
        read: fn(&Workspace, &WorkspaceArguments) -> Result<Rules, Failure>,
    ) -> Result<Self, Failure> {
        let workspace = Workspace::load(arguments, None)?;
        clear_left(workspace.root(), workspace.target_directory(), shell);
        let rules = read(&workspace, arguments)?;
        Ok(Self {
            arguments,
            shell,
            workspace,
            rules,
        })
    }

    pub(crate) fn bench_run<'p>(
        &'p self,
        build: &'p BuildArguments,
    ) -> Result<BenchRun<'p>, Failure> {
        let benches = SelectedBenches::new(&self.workspace, &self.rules.config, build)?;
        Ok(BenchRun::new(self, &self.workspace, benches, build))
    }
}

/// A run of benches of one workspace with the same options, which `bench` builds and measures.
pub(crate) struct BenchRun<'r> {
    pub(crate) workspace: &'r Workspace,
    pub(crate) config: &'r Config,
    pub(crate) benches: SelectedBenches,
    pub(crate) arguments: &'r BuildArguments,
    pub(crate) output: &'r WorkspaceArguments,
    pub(crate) shell: &'r Shell,
    pub(crate) scratch: Scratch,
    /// Whether times are shown, for which benches have a timed pass.
    pub(crate) is_timed: bool,
    /// The folder for results, instead of the one below the target folder.
    pub(crate) folder: Option<PathBuf>,
}

impl<'r> BenchRun<'r> {
    /// A run in the workspace of the project, or of another commit.
    pub(crate) fn new(
        project: &'r Project<'r>,
        workspace: &'r Workspace,
        benches: SelectedBenches,
        arguments: &'r BuildArguments,
    ) -> Self {
        Self {
            workspace,
            config: &project.rules.config,
            benches,
            arguments,
            output: project.arguments,
            shell: project.shell,
            scratch: Scratch::below(project.workspace.target_directory()),
            is_timed: false,
            folder: None,
        }
    }
}

/// The rules, and where they were found.
pub(crate) struct Rules {
    pub(crate) config: Config,
    /// The text of gates.toml on disk, if `config` has more than that.
    on_disk: Option<String>,
    /// The path of gates.toml, which may not exist.
    path: PathBuf,
    /// The folder that the baseline's paths are relative to.
    folder: PathBuf,
}

pub(crate) struct Page {
    pub(crate) path: PathBuf,
    /// The text that is there; `None` if the page does not exist.
    on_disk: Option<String>,
    /// The text that shows the baseline.
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn is_current(&self) -> bool {
        self.on_disk.as_ref() == Some(&self.text)
    }
}

impl Rules {
    /// Reads gates.toml. If it does not exist, that is an error.
    pub(crate) fn load(
        workspace: &Workspace,
        arguments: &WorkspaceArguments,
    ) -> Result<Self, Failure> {
        Self::find(workspace, arguments)?.ok_or_else(|| {
            let path = path(workspace, arguments);
            let help = "run `cargo alloc-gate init`, or write it yourself: `version = 1`, a \
                        `[[bench]]` and a `[[gate]]`";
            Failure::invalid_rules(format!("{} does not exist", path.display())).help(help)
        })
    }

    /// Reads gates.toml, or takes the rules of a workspace that has none.
    pub(crate) fn load_if_there(
        workspace: &Workspace,
        arguments: &WorkspaceArguments,
    ) -> Result<Self, Failure> {
        let found = Self::find(workspace, arguments)?;
        Ok(found.unwrap_or_else(|| Self {
            config: Config::without_file(),
            on_disk: None,
            path: workspace.root().join("gates.toml"),
            folder: workspace.root().to_path_buf(),
        }))
    }

    /// Reads gates.toml; `None` if it does not exist and `--config-file` does not name it.
    fn find(
        workspace: &Workspace,
        arguments: &WorkspaceArguments,
    ) -> Result<Option<Self>, Failure> {
        let path = path(workspace, arguments);
        let Some(text) = read_if_there(&path)? else {
            return match &arguments.config_file {
                Some(_) => Err(Failure::invalid_rules(format!(
                    "failed to read {}: it does not exist",
                    path.display()
                ))
                .help("--config-file is relative to the current folder")),
                None => Ok(None),
            };
        };
        let shown = shown(&path, workspace);
        let config = Config::parse(&shown, &text);
        let config = config.map_err(|diagnostics| invalid(&shown, &diagnostics))?;
        Ok(Some(Self::at(path, config)))
    }

    fn at(path: PathBuf, config: Config) -> Self {
        Self {
            config,
            on_disk: None,
            folder: path.parent().map(Path::to_path_buf).unwrap_or_default(),
            path,
        }
    }

    /// Reads gates.toml. If it has no `[baseline]`, the rules get one that is not written yet:
    /// [`has_new_baseline`](Self::has_new_baseline).
    pub(crate) fn load_with_baseline(
        workspace: &Workspace,
        arguments: &WorkspaceArguments,
    ) -> Result<Self, Failure> {
        let path = path(workspace, arguments);
        let present = read_if_there(&path)?.unwrap_or_default();
        // With a second `[baseline]`, it is no TOML.
        match Config::parse(&shown(&path, workspace), &with_baseline(&present)) {
            Ok(config) => Ok(Self {
                on_disk: Some(present),
                ..Self::at(path, config)
            }),
            Err(_) => Self::load(workspace, arguments),
        }
    }

    /// Whether the rules have a `[baseline]` that gates.toml lacks.
    pub(crate) fn has_new_baseline(&self) -> bool {
        self.on_disk.is_some()
    }

    /// The path of gates.toml, if the file is still the one that was read: somebody may
    /// have edited it while the benches ran.
    pub(crate) fn unchanged_file(&self) -> Result<&Path, Failure> {
        let known = self.on_disk.as_deref().unwrap_or(self.config.text());
        if read_if_there(&self.path)?.as_deref() == Some(known) {
            return Ok(&self.path);
        }
        Err(changed(self.config.file()))
    }

    /// The files of the rules and of the baseline, which may not exist.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let baseline = self
            .config
            .baseline
            .iter()
            .flat_map(|files| [&files.data].into_iter().chain(&files.page));
        let baseline = baseline.map(|file| self.folder.join(file));
        let all = baseline.chain([self.path.clone()]);
        all.map(|path| files::real(&path)).collect()
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The baseline's data, if the rules name it and it exists.
    pub(crate) fn baseline(&self) -> Result<Option<Baseline>, Failure> {
        let Some(files) = &self.config.baseline else {
            return Ok(None);
        };
        let text = self.data(files)?;
        text.map(|text| parse_data(files, &text)).transpose()
    }

    /// The text of the baseline's data, if it exists.
    pub(crate) fn data(&self, files: &BaselineFiles) -> Result<Option<String>, Failure> {
        read_if_there(&self.data_path(files))
    }

    pub(crate) fn data_path(&self, files: &BaselineFiles) -> PathBuf {
        self.folder.join(&files.data)
    }

    /// The page that shows `baseline`, if the rules name one.
    pub(crate) fn page(&self, baseline: &Baseline) -> Result<Option<Page>, Failure> {
        let Some(files) = &self.config.baseline else {
            return Ok(None);
        };
        let Some(path) = files.page.as_ref().map(|page| self.folder.join(page)) else {
            return Ok(None);
        };
        let on_disk = read_if_there(&path)?;
        let document = BaselineDocument {
            baseline,
            config: &self.config,
            files,
        };
        let text = document.update(on_disk.as_deref()).map_err(|error| {
            Failure::invalid_rules(format!(
                "{} is not a baseline page: {error}",
                path.display()
            ))
            .help(
                "fix the markers, or delete the file: `cargo alloc-gate accept` writes a new \
                     one",
            )
        })?;
        Ok(Some(Page {
            path,
            on_disk,
            text,
        }))
    }

    /// Whether the page is up to date; `None` without data or a page.
    pub(crate) fn document_state(
        &self,
        baseline: Option<&Baseline>,
    ) -> Result<Option<DocumentState>, Failure> {
        let page = match baseline {
            Some(baseline) => self.page(baseline)?,
            None => None,
        };
        Ok(page.map(|page| match page.on_disk {
            None => DocumentState::Absent,
            Some(text) if text == page.text => DocumentState::Current,
            Some(_) => DocumentState::Stale,
        }))
    }
}

pub(crate) fn parse_data(files: &BaselineFiles, text: &str) -> Result<Baseline, Failure> {
    let parsed = Baseline::parse(&files.data, text);
    parsed.map_err(|diagnostics| invalid(&files.data, &diagnostics))
}

/// The text of the rules, and a `[baseline]` at their end.
fn with_baseline(rules: &str) -> String {
    let line_end = if rules.contains("\r\n") { "\r\n" } else { "\n" };
    let lines = [
        "",
        "# The accepted values, for limits such as `<= baseline`.",
        "[baseline]",
        "data = \"alloc-baseline.toml\"",
        "page = \"alloc-baseline.md\"",
        "",
    ];
    format!("{}{line_end}{}", rules.trim_end(), lines.join(line_end))
}

/// The path of gates.toml, which may not exist.
pub(crate) fn path(workspace: &Workspace, arguments: &WorkspaceArguments) -> PathBuf {
    match &arguments.config_file {
        Some(path) => path.clone(),
        None => workspace.root().join("gates.toml"),
    }
}

/// The path for messages: relative to the workspace if it is inside.
fn shown(path: &Path, workspace: &Workspace) -> String {
    let inside = path.strip_prefix(workspace.root()).unwrap_or(path);
    inside.display().to_string()
}

/// The error for a file that would be overwritten, and that somebody edited meanwhile.
pub(crate) fn changed(file: &str) -> Failure {
    Failure::invalid_rules(format!("{file} changed while the benches ran"))
        .help("nothing was written; run the command again")
}

/// The error for a file with mistakes.
pub(crate) fn invalid(file: &str, diagnostics: &Diagnostics) -> Failure {
    let mistakes = counted(diagnostics.list().len(), "mistake");
    Failure::underlined(format!("{file} is invalid: {mistakes}"), diagnostics)
}

fn read_if_there(path: &Path) -> Result<Option<String>, Failure> {
    match files::read(path) {
        Ok(text) => Ok(Some(text)),
        // A path below a file does not exist either. Writing it fails later.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(Failure::invalid_rules(format!(
            "failed to read {}: {error}",
            path.display()
        ))
        .help("the file must be readable, and in UTF-8")),
    }
}
