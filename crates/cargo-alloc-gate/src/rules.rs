//! [`Rules`]: gates.toml and the baseline's files, found and read. What they say
//! is the engine's business.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use alloc_gate::config::BaselineFiles;
use alloc_gate::report::counted;
use alloc_gate::{Baseline, Config, Diagnostics, Document, DocumentError, DocumentState};

use crate::arguments::WorkspaceArguments;
use crate::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;

/// The rules, and where they were found.
pub(crate) struct Rules {
    pub(crate) config: Config,
    /// Where gates.toml is, or would be.
    path: PathBuf,
    /// The folder that the baseline's paths are relative to.
    folder: PathBuf,
}

/// The baseline's page as it is.
pub(crate) struct Page {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its text; `None` when it is not there.
    pub(crate) text: Option<String>,
}

impl Rules {
    /// Reads gates.toml, which has to be there.
    pub(crate) fn load(
        workspace: &Workspace,
        arguments: &WorkspaceArguments,
    ) -> Result<Self, Failure> {
        Self::load_if_there(workspace, arguments)?.ok_or_else(|| {
            let path = path(workspace, arguments);
            Failure::new(
                Code::InvalidRules,
                format!("there are no rules: {} does not exist", path.display()),
            )
            .next(
                "`cargo alloc-gate init` writes one, with a bench; or write it, with `version = 1`, \
                 a `[[bench]]` and a `[[gate]]`",
            )
        })
    }

    /// Reads gates.toml, unless it is not there and was not asked for by name.
    pub(crate) fn load_if_there(
        workspace: &Workspace,
        arguments: &WorkspaceArguments,
    ) -> Result<Option<Self>, Failure> {
        let path = path(workspace, arguments);
        let Some(text) = read_if_there(&path)? else {
            return match &arguments.config_file {
                Some(_) => Err(Failure::new(
                    Code::InvalidRules,
                    format!("failed to read {}: it does not exist", path.display()),
                )
                .next("--config-file is relative to the folder that the command runs in")),
                None => Ok(None),
            };
        };
        let config = Config::parse(&shown(&path, workspace), &text)
            .map_err(|diagnostics| invalid(&shown(&path, workspace), &diagnostics))?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Some(Self {
            config,
            path,
            folder,
        }))
    }

    /// The rules of a workspace that has none.
    pub(crate) fn none(workspace: &Workspace) -> Self {
        Self {
            config: Config::without_file(),
            path: workspace.root().join("gates.toml"),
            folder: workspace.root().to_path_buf(),
        }
    }

    /// The file of these rules, if it still is what was read: while benches ran,
    /// somebody may have worked on it.
    pub(crate) fn unchanged_file(&self) -> Result<&Path, Failure> {
        if read_if_there(&self.path)?.as_deref() == Some(self.config.text()) {
            return Ok(&self.path);
        }
        Err(Failure::new(
            Code::InvalidRules,
            format!("{} changed while the benches ran", self.config.file()),
        )
        .next("nothing was written; run the command again"))
    }

    /// The folder that the paths of the rules are relative to.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The baseline's data, if the rules name it and it is there.
    pub(crate) fn baseline(&self) -> Result<Option<Baseline>, Failure> {
        let Some(files) = &self.config.baseline else {
            return Ok(None);
        };
        let Some(text) = read_if_there(&self.folder.join(&files.data))? else {
            return Ok(None);
        };
        let baseline = Baseline::parse(&files.data, &text)
            .map_err(|diagnostics| invalid(&files.data, &diagnostics))?;
        Ok(Some(baseline))
    }

    /// Where the baseline's data belongs.
    pub(crate) fn data_path(&self, files: &BaselineFiles) -> PathBuf {
        self.folder.join(&files.data)
    }

    /// The baseline's page, if the rules name one.
    pub(crate) fn page(&self) -> Result<Option<Page>, Failure> {
        let document = self
            .config
            .baseline
            .as_ref()
            .and_then(|f| f.document.as_ref());
        let Some(document) = document else {
            return Ok(None);
        };
        let path = self.folder.join(document);
        let text = read_if_there(&path)?;
        Ok(Some(Page { path, text }))
    }

    /// The page as it has to be to show `baseline`.
    pub(crate) fn updated_page(
        &self,
        files: &BaselineFiles,
        page: &Page,
        baseline: &Baseline,
    ) -> Result<String, Failure> {
        let document = Document {
            baseline,
            config: &self.config,
            files,
        };
        let updated = document.update(page.text.as_deref());
        updated.map_err(|error| page.broken(&error))
    }

    /// Whether the page shows the data.
    pub(crate) fn document_state(
        &self,
        baseline: Option<&Baseline>,
    ) -> Result<Option<DocumentState>, Failure> {
        let (Some(files), Some(page), Some(baseline)) =
            (&self.config.baseline, self.page()?, baseline)
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
    /// Why its blocks can't be told from what a person wrote.
    pub(crate) fn broken(&self, error: &DocumentError) -> Failure {
        Failure::new(
            Code::InvalidRules,
            format!("{} is no page of a baseline: {error}", self.path.display()),
        )
        .next("mend the markers, or delete the file: `cargo alloc-gate accept` writes a new one")
    }
}

/// Where gates.toml is, or would be.
pub(crate) fn path(workspace: &Workspace, arguments: &WorkspaceArguments) -> PathBuf {
    match &arguments.config_file {
        Some(path) => path.clone(),
        None => workspace.root().join("gates.toml"),
    }
}

/// The path as messages name it: relative to the workspace where it is inside.
fn shown(path: &Path, workspace: &Workspace) -> String {
    let inside = path.strip_prefix(workspace.root()).unwrap_or(path);
    inside.display().to_string()
}

/// The mistakes of a file.
pub(crate) fn invalid(file: &str, diagnostics: &Diagnostics) -> Failure {
    let mistakes = counted(diagnostics.list().len(), "mistake");
    Failure::new(
        Code::InvalidRules,
        format!(
            "{file} is invalid: {mistakes}\n\n{}\n",
            diagnostics.styled()
        ),
    )
    .next("correct what is underlined; nothing was built")
}

fn read_if_there(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        // What stands below a file is not there either; whether it can be
        // written is seen when it is.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(Failure::new(
            Code::InvalidRules,
            format!("failed to read {}: {error}", path.display()),
        )
        .next("it has to be a readable file with text in UTF-8")),
    }
}
