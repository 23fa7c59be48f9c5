//! [`Site`]: a place with its operations.

use indexmap::IndexMap;

use crate::sites::amounts::Amounts;

/// A place with its operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The blamed line, or what stands for it.
    pub place: SitePlace,
    /// The function that the line calls: `Vec::with_capacity`; empty if it is the allocator.
    pub how: String,
    /// Whether the line is one that was edited.
    pub is_edited: bool,
    /// Whether it is an edited one, and no removed line made its call.
    pub is_added: bool,
    /// The innermost places of members below the line, where it is not itself the innermost one,
    /// with what is counted there: those with most operations first.
    pub allocates_in: IndexMap<SitePlace, i128>,
    /// The places of members that call the blamed function, in the same way.
    pub called_by: IndexMap<SitePlace, i128>,
    /// The functions that allocate, each with its part: that of the line itself if it calls none.
    pub made_by: IndexMap<String, Amounts>,
    /// The sums over the iterations.
    pub amounts: Amounts,
    /// The call stacks that are blamed on the place, by their indices in [`Sites::measured`](crate::sites::Sites::measured).
    /// Their amounts add up to those of the site.
    pub stacks: Vec<(usize, Amounts)>,
}

/// Where operations come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SitePlace {
    /// A line of a workspace member.
    Line(Line),
    /// A function of a workspace member, without line tables.
    Function(String),
    /// A function of a dependency; no member is in the stack.
    Dependency(String),
    /// The last function of a stack that ends early: code without unwind tables.
    Untraced(String),
    /// All stacks that were not kept, because there were too many.
    FurtherStacks,
    /// The blocks from before the iterations.
    Before,
}

/// A line of a member's code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The file, relative to the root of the workspace.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column of the call in bytes, from 1, if it is known.
    pub column: Option<u32>,
    /// The function, without its path.
    pub function: String,
    /// The text of the line, if the source is at hand.
    pub text: Option<String>,
}

impl Site {
    /// A place without operations.
    pub(crate) fn new(place: SitePlace, how: String) -> Self {
        Self {
            place,
            how,
            is_edited: false,
            is_added: false,
            allocates_in: IndexMap::new(),
            called_by: IndexMap::new(),
            made_by: IndexMap::new(),
            amounts: Amounts::default(),
            stacks: Vec::new(),
        }
    }
}

impl Site {
    /// Adds what was done at the same place.
    pub(super) fn add(&mut self, other: &Self) {
        self.is_edited |= other.is_edited;
        self.amounts += other.amounts;
        self.stacks.extend(&other.stacks);
        for (function, &amounts) in &other.made_by {
            *self.made_by.entry(function.clone()).or_default() += amounts;
        }
        for (places, others) in [
            (&mut self.allocates_in, &other.allocates_in),
            (&mut self.called_by, &other.called_by),
        ] {
            for (place, amount) in others {
                *places.entry(place.clone()).or_default() += amount;
            }
        }
    }
}

impl SitePlace {
    /// The line, if it is one.
    #[must_use]
    pub fn line(&self) -> Option<&Line> {
        if let Self::Line(line) = self {
            return Some(line);
        }
        None
    }

    /// The function, if it is known.
    #[must_use]
    pub fn function(&self) -> Option<&str> {
        match self {
            Self::Line(line) => Some(&line.function),
            Self::Function(function) | Self::Dependency(function) | Self::Untraced(function) => {
                Some(function)
            }
            Self::FurtherStacks | Self::Before => None,
        }
    }
}

impl Line {
    /// `src/text.rs:53:21`.
    #[must_use]
    pub fn location(&self) -> String {
        location(&self.file, Some(self.line), self.column)
    }
}

/// The file with the numbers that are known.
pub(crate) fn location(file: &str, line: Option<u32>, column: Option<u32>) -> String {
    let numbers = [line, column].into_iter().flatten();
    let numbers: String = numbers.map(|number| format!(":{number}")).collect();
    format!("{file}{numbers}")
}
