//! [`resolve`]: the frames of call stacks. Those of a stack are read from the executable once,
//! since a property test fails again and again while it looks for the least input.

use std::cell::RefCell;
use std::collections::HashMap;

use alloc_symbols::{Error, Frame};

use crate::sites::executable;

/// The stacks that a thread keeps.
const MOST: usize = 4_096;

/// The frames of stacks, and what is known of the executable.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    pub(super) of_stacks: Vec<Vec<Frame>>,
    pub(super) has_line_tables: bool,
    /// Why lines are missing, if they are.
    pub(super) problem: Option<String>,
}

#[derive(Default)]
struct Known {
    stacks: HashMap<Vec<i64>, Vec<Frame>>,
    has_line_tables: bool,
    problem: Option<String>,
}

/// The frames of each stack, whose addresses are relative to the anchor.
pub(super) fn resolve(stacks: &[Vec<i64>]) -> Result<Frames, Error> {
    thread_local! {
        static KNOWN: RefCell<Known> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        let is_known = |stack: &Vec<i64>| known.stacks.contains_key(stack);
        if !stacks.iter().all(is_known) {
            known.read(stacks)?;
        }
        let frames = stacks.iter().map(|stack| known.stacks[stack].clone());
        Ok(Frames {
            of_stacks: frames.collect(),
            has_line_tables: known.has_line_tables,
            problem: known.problem.clone(),
        })
    })
}

impl Known {
    fn read(&mut self, stacks: &[Vec<i64>]) -> Result<(), Error> {
        if self.stacks.len() > MOST {
            self.stacks.clear();
        }
        let executable = executable::open()?;
        let mut symbols = executable::symbols(&executable)?;
        for stack in stacks {
            if !self.stacks.contains_key(stack) {
                let frames = symbols.frames(stack);
                self.stacks.insert(stack.clone(), frames);
            }
        }
        self.has_line_tables = symbols.problem().is_none();
        self.problem = symbols.problem().map(ToString::to_string);
        Ok(())
    }
}
