//! The lines for CI systems in a page, and what they run and read.

#[cfg(target_os = "linux")]
use std::process::Command;

use crate::pages::blocks;
use crate::yaml::Yaml;

/// The actions of others, each with its commit and version, and the inputs that pages use.
pub(crate) const ACTIONS: [(&str, &[&str]); 5] = [
    (
        "actions/attest-build-provenance@e8998f949152b193b063cb0ec769d69d929409be # v2.4.0",
        &["subject-path"],
    ),
    (
        "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2",
        &["fetch-depth", "persist-credentials"],
    ),
    (
        "actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0",
        &[
            "github-token",
            "merge-multiple",
            "name",
            "path",
            "pattern",
            "run-id",
        ],
    ),
    (
        "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2",
        &["if-no-files-found", "name", "overwrite", "path"],
    ),
    (
        "github/codeql-action/upload-sarif@5d4e8d1aca955e8d8589aabd499c5cae939e33c7 # v4.31.9",
        &["category", "sarif_file"],
    ),
];

/// Lines for a CI system.
pub(crate) struct Snippet<'p> {
    pub(crate) system: System,
    pub(crate) text: &'p str,
}

pub(crate) enum System {
    GitHub,
    /// GitLab and Azure Pipelines, of which only the commands and the files of reports are known.
    Yaml,
    Jenkins,
}

impl System {
    fn of(info: &str) -> Self {
        match info.split_once(' ') {
            Some(("yaml", ".gitlab-ci.yml" | "azure-pipelines.yml")) => Self::Yaml,
            Some(("groovy", _)) => Self::Jenkins,
            _ => Self::GitHub,
        }
    }
}

impl<'p> Snippet<'p> {
    /// The commands of a snippet that is not for GitHub, in order, and the files of reports.
    pub(crate) fn commands_and_reports(&self) -> Result<(Vec<String>, Vec<String>), String> {
        let (scripts, reports) = match self.system {
            System::Jenkins => (self.quoted("sh"), self.quoted("junit")),
            System::GitHub | System::Yaml => {
                let document =
                    Yaml::read(self.text).map_err(|error| format!("no YAML: {error}"))?;
                let keys = ["junit", "codequality", "testResultsFiles"];
                let reports = keys.iter().flat_map(|key| texts_of(&document, key));
                (texts_of(&document, "script"), reports.collect())
            }
        };
        let commands = scripts
            .iter()
            .flat_map(|script| commands(script))
            .map(str::to_owned);
        Ok((commands.collect(), reports))
    }

    /// The texts in quotes that a step of Jenkins has.
    fn quoted(&self, step: &str) -> Vec<String> {
        let begin = format!("{step} '");
        let mut found = Vec::new();
        for (place, _) in self.text.match_indices(&begin) {
            let rest = &self.text[place + begin.len()..];
            found.extend(rest.split('\'').next().map(str::to_owned));
        }
        found
    }
}

/// The snippets in a page, and what looks like one but is not marked as such.
pub(crate) fn snippets(page: &str) -> (Vec<Snippet<'_>>, Vec<&str>) {
    let blocks = blocks(page);
    let is_one = |info: &str| matches!(info.split(' ').next(), Some("yaml" | "groovy"));
    let (ours, others): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| is_one(block.info));
    let lines = others.iter().flat_map(|block| block.content.lines());
    let looks_like_one = |line: &&str| {
        let key = line.trim_start().trim_start_matches("- ");
        ["uses: ", "run: ", "runs-on: ", "stage: "]
            .iter()
            .any(|begin| key.starts_with(begin))
    };
    let snippets = ours.iter().map(|block| Snippet {
        system: System::of(block.info),
        text: block.content,
    });
    (snippets.collect(), lines.filter(looks_like_one).collect())
}

/// The texts that a key has anywhere in a document, alone or in a list.
fn texts_of(node: &Yaml, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in node.pairs() {
        match value {
            Yaml::Text(text) if name == key => found.push(text.clone()),
            Yaml::List(nodes) if name == key => {
                found.extend(nodes.iter().filter_map(|node| match node {
                    Yaml::Text(text) => Some(text.clone()),
                    Yaml::List(_) | Yaml::Map(_) => None,
                }));
            }
            Yaml::Text(_) | Yaml::List(_) | Yaml::Map(_) => found.extend(texts_of(value, key)),
        }
    }
    let nodes = node.nodes().iter();
    found.extend(nodes.flat_map(|node| texts_of(node, key)));
    found
}

/// The commands of a script.
pub(crate) fn commands(script: &str) -> impl Iterator<Item = &str> {
    script
        .lines()
        .flat_map(|line| line.split(" && "))
        .map(str::trim)
}

/// Whether tests can run `jq`. They are left out on a machine without it; CI has it.
#[cfg(target_os = "linux")]
pub(crate) fn has_jq() -> bool {
    let has = Command::new("jq").arg("-n").output().is_ok();
    assert!(has || std::env::var_os("CI").is_none(), "CI has `jq`");
    has
}
