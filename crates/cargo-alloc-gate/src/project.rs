//! [`Project`]: a workspace with its [`Rules`], which are gates.toml and the files of the baseline.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use alloc_gate::rules::BaselineFiles;
use alloc_gate::{
    Baseline, BaselineDocument, Config, Diagnostics, DocumentError, DocumentState, counted,
};

use crate::arguments::{BuildArguments, WorkspaceArguments};
use crate::bench::cargo::Workspace;
use crate::bench::run::BenchRun;
use crate::bench::selection::SelectedBenches;
use crate::failure::Failure;
use crate::files::{self, Scratch};
use crate::git::worktree::clear_left;
use crate::output::shell::Shell;

/// A workspace with its rules.
pub(crate) struct Project<'a> {
    pub(crate) arguments: &'a WorkspaceArguments,
    pub(crate) workspace: Workspace,
    pub(crate) rules: Rules,
}

impl<'a> Project<'a> {
    /// Reads the workspace and its rules. Without rules it fails.
    pub(crate) fn load(arguments: &'a WorkspaceArguments, shell: &Shell) -> Result<Self, Failure> {
        Self::load_with(arguments, shell, Rules::load)
    }

    /// Reads the workspace and its rules. Without rules it has those of no file.
    pub(crate) fn load_with_optional_rules(
        arguments: &'a WorkspaceArguments,
        shell: &Shell,
    ) -> Result<Self, Failure> {
        Self::load_with(arguments, shell, |workspace, arguments| {
            let rules = Rules::load_if_there(workspace, arguments)?;
            Ok(rules.unwrap_or_else(|| Rules::none(workspace)))
        })
    }

    /// Reads the workspace and its rules, with `read`.
    pub(crate) fn load_with(
        arguments: &'a WorkspaceArguments,
        shell: &Shell,
        read: impl FnOnce(&Workspace, &WorkspaceArguments) -> Result<Rules, Failure>,
    ) -> Result<Self, Failure> {
        let workspace = load_workspace(arguments, shell)?;
        let rules = read(&workspace, arguments)?;
        Ok(Self {
            arguments,
            workspace,
            rules,
        })
    }

    /// A run of the benches that the arguments select.
    pub(crate) fn bench_run<'p>(
        &'p self,
        build: &'p BuildArguments,
    ) -> Result<BenchRun<'p>, Failure> {
        let config = &self.rules.config;
        Ok(BenchRun {
            workspace: &self.workspace,
            config,
            benches: SelectedBenches::new(&self.workspace, config, build)?,
            arguments: build,
            output: self.arguments,
            scratch: Scratch::below(build.target(&self.workspace)),
            is_timed: false,
            folder: None,
        })
    }
}

/// Reads the workspace, and removes what a killed comparison has left.
fn load_workspace(arguments: &WorkspaceArguments, shell: &Shell) -> Result<Workspace, Failure> {
    let workspace = Workspace::load(arguments, None)?;
    clear_left(workspace.root(), workspace.target_directory(), shell);
    Ok(workspace)
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

/// A page of the baseline on disk.
pub(crate) struct Page {
    pub(crate) path: PathBuf,
    /// Its text; `None` if it does not exist.
    pub(crate) text: Option<String>,
}

impl Rules {
    /// Reads gates.toml. If it does not exist, that is an error.
    pub(crate) fn load(
        workspace: &Workspace,
        arguments: &WorkspaceArguments,
    ) -> Result<Self, Failure> {
        Self::load_if_there(workspace, arguments)?.ok_or_else(|| {
            let path = path(workspace, arguments);
            let of_members = workspace.members().into_iter().filter_map(|member| {
                let rules = member.manifest_path.parent()?.join("gates.toml");
                rules
                    .is_file()
                    .then(|| shown(rules.as_std_path(), workspace))
            });
            let help = match of_members.min() {
                Some(rules) => format!(
                    "a member has rules of its own, which `--config-file {rules}` names in the \
                     workspace's folder"
                ),
                None => String::from(
                    "run `cargo alloc-gate init`, or write it yourself: `version = 1`, a \
                     `[[bench]]` and a `[[gate]]`",
                ),
            };
            Failure::invalid_rules(format!("{} does not exist", path.display())).help(help)
        })
    }

    /// Reads gates.toml; `None` if it does not exist and `--config-file` does not name it.
    pub(crate) fn load_if_there(
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
        let config = Config::parse(&shown(&path, workspace), &text)
            .map_err(|diagnostics| invalid(&shown(&path, workspace), &diagnostics))?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Some(Self {
            config,
            on_disk: None,
            path,
            folder,
        }))
    }

    /// Reads gates.toml. If it has no `[baseline]`, the rules get one that is not written yet:
    /// [`has_new_baseline`](Self::has_new_baseline).
    pub(crate) fn load_with_baseline(
        workspace: &Workspace,
        arguments: &WorkspaceArguments,
    ) -> Result<Self, Failure> {
        let path = path(workspace, arguments);
        let Some(present) = read_if_there(&path)? else {
            return Self::load(workspace, arguments);
        };
        let parse = |text: &str| Config::parse(&shown(&path, workspace), text);
        // Requirements on a baseline are mistakes in rules without one.
        match (parse(&present), parse(&with_baseline(&present))) {
            (Ok(Config { baseline: None, .. }) | Err(_), Ok(config)) => Ok(Self {
                config,
                on_disk: Some(present),
                folder: path.parent().map(Path::to_path_buf).unwrap_or_default(),
                path,
            }),
            (Ok(_) | Err(_), _) => Self::load(workspace, arguments),
        }
    }

    /// Whether the rules have a `[baseline]` that gates.toml lacks.
    pub(crate) fn has_new_baseline(&self) -> bool {
        self.on_disk.is_some()
    }

    /// The rules of a workspace that has none.
    pub(crate) fn none(workspace: &Workspace) -> Self {
        Self {
            config: Config::without_file(),
            on_disk: None,
            path: workspace.root().join("gates.toml"),
            folder: workspace.root().to_path_buf(),
        }
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

    /// The folder that the paths of the rules are relative to.
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

    /// The path of the baseline's data.
    pub(crate) fn data_path(&self, files: &BaselineFiles) -> PathBuf {
        self.folder.join(&files.data)
    }

    /// The baseline's page, if the rules name one.
    pub(crate) fn page(&self) -> Result<Option<Page>, Failure> {
        let baseline = self.config.baseline.as_ref();
        let Some(file) = baseline.and_then(|files| files.page.as_ref()) else {
            return Ok(None);
        };
        let path = self.folder.join(file);
        let text = read_if_there(&path)?;
        Ok(Some(Page { path, text }))
    }

    /// The new text of the page, which shows `baseline`.
    pub(crate) fn updated_page(
        &self,
        files: &BaselineFiles,
        page: &Page,
        baseline: &Baseline,
    ) -> Result<String, Failure> {
        let document = BaselineDocument {
            baseline,
            config: &self.config,
            files,
        };
        let updated = document.update(page.text.as_deref());
        updated.map_err(|error| page.broken(&error))
    }

    /// Whether the page is up to date; `None` without data or a page.
    pub(crate) fn document_state(
        &self,
        baseline: Option<&Baseline>,
    ) -> Result<Option<DocumentState>, Failure> {
        let (Some(files), Some(baseline), Some(page)) =
            (&self.config.baseline, baseline, self.page()?)
        else {
            return Ok(None);
        };
        if page.text.is_none() {
            return Ok(Some(DocumentState::Absent));
        }
        let updated = self.updated_page(files, &page, baseline)?;
        Ok(Some(if page.text.as_ref() == Some(&updated) {
            DocumentState::Current
        } else {
            DocumentState::Stale
        }))
    }
}

impl Page {
    /// The error for a page with broken markers.
    pub(crate) fn broken(&self, error: &DocumentError) -> Failure {
        Failure::invalid_rules(format!(
            "{} is not a baseline page: {error}",
            self.path.display()
        ))
        .help("fix the markers, or delete the file: `cargo alloc-gate accept` writes a new one")
    }
}

/// Reads the text of the baseline's data.
pub(crate) fn parse_data(files: &BaselineFiles, text: &str) -> Result<Baseline, Failure> {
    let parsed = Baseline::parse(&files.data, text);
    parsed.map_err(|diagnostics| invalid(&files.data, &diagnostics))
}

/// The text of the rules, and a `[baseline]` at their end.
fn with_baseline(rules: &str) -> String {
    let line_end = if rules.contains("\r\n") { "\r\n" } else { "\n" };
    let lines = [
        "",
        "# The accepted figures, for limits such as `<= baseline`.",
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
