//! The formats of the reports. Each kind of report has a list of its own, in which a
//! format is one line with its name, its help and the function that writes it.

use std::fmt::Debug;
use std::io::{self, Write};

use alloc_gate::Evaluation;
use alloc_gate::audit::Audit;
use alloc_gate::report::comparison::{self, Comparison};
use alloc_gate::report::{audit, json, markdown, terminal};
use clap::ValueEnum;

/// The formats of one kind of report.
pub(crate) trait Format:
    ValueEnum + Copy + Debug + PartialEq + Send + Sync + 'static
{
    /// The data of the report.
    type Report<'d>: Copy;

    /// The format for a terminal. It may have styles.
    const TERMINAL: Self;
    /// The format for step summaries.
    const MARKDOWN: Self;

    fn write(self, report: Self::Report<'_>, out: &mut dyn Write) -> io::Result<()>;
}

macro_rules! formats {
    (
        $(#[$doc:meta])*
        $List:ident for<$report:lifetime> $Report:ty:
        $($(#[doc = $help:literal])+ $Name:ident = $write:expr,)+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(crate) enum $List {
            $($(#[doc = $help])+ $Name,)+
        }

        impl Format for $List {
            type Report<$report> = $Report;
            const TERMINAL: Self = Self::Terminal;
            const MARKDOWN: Self = Self::Markdown;

            fn write(self, report: Self::Report<'_>, out: &mut dyn Write) -> io::Result<()> {
                match self {
                    $(Self::$Name => $write(report, out),)+
                }
            }
        }
    };
}

formats! {
    /// Of `check` and `run`.
    CheckFormat for<'d> &'d Evaluation:
    /// For people at a terminal and for logs
    Terminal = terminal::write,
    /// For step summaries and comments
    Markdown = markdown::write,
    /// For programs
    Json = json::write,
}

formats! {
    /// Of `audit`.
    AuditFormat for<'d> AuditReport<'d>:
    /// For people at a terminal and for logs
    Terminal = |it: AuditReport<'_>, out| audit::terminal::write(it.audit, it.lists_all, out),
    /// For step summaries and comments
    Markdown = |it: AuditReport<'_>, out| audit::markdown::write(it.audit, out),
    /// For programs
    Json = |it: AuditReport<'_>, out| audit::json::write(it.audit, out),
}

formats! {
    /// Of `compare`.
    CompareFormat for<'d> Comparison<'d>:
    /// For people at a terminal and for logs
    Terminal = comparison::terminal,
    /// For step summaries and comments
    Markdown = comparison::markdown,
    /// For programs
    Json = comparison::json,
}

/// An audit, and whether to list all mutations on a terminal.
#[derive(Clone, Copy)]
pub(crate) struct AuditReport<'a> {
    pub(crate) audit: &'a Audit,
    pub(crate) lists_all: bool,
}
