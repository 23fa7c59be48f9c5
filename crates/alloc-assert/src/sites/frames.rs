//! [`resolve`]: the frames of call stacks. Those of a stack are read from the executable once,
//! since a property test fails again and again while it looks for the least input.

use std::cell::RefCell;
use std::collections::HashMap;

use alloc_symbols::{Error, Frame};

use crate::sites::executable;

/// The stacks that a thread keeps.
const MOST: usize = 4_096;

/// What is known of the executable.
#[derive(Default)]
struct Known {
    stacks: HashMap<Vec<i64>, Vec<Frame>>,
    problem: Option<String>,
}

/// The frames of each stack, whose addresses are relative to the anchor, and why lines are missing,
/// if they are.
pub(super) fn resolve(stacks: &[Vec<i64>]) -> Result<(Vec<Vec<Frame>>, Option<String>), Error> {
    thread_local! {
        static KNOWN: RefCell<Known> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        let is_known = |stack: &Vec<i64>| known.stacks.contains_key(stack);
        if !stacks.iter().all(is_known) {
            known.read(stacks)?;
        }
        let frames = stacks.iter().map(|stack| known.stacks[stack].clone());
        Ok((frames.collect(), known.problem.clone()))
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
        self.problem = symbols.problem().map(ToString::to_string);
        Ok(())
    }
}
