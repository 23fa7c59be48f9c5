//! [`Event`]: what a child of `each_failure` tells the test, one in a line of a file.

use std::fmt;

/// An event in a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// Without a refusal, the body makes this many allocations, and leaves so many blocks.
    Counted { calls: u64, net_blocks: i64 },
    /// The call that aborted the child before, with its size in bytes and its stack.
    Probed { size: usize, stack: Vec<i64> },
    /// The next call was refused, and the body returned.
    Returned(Refused),
    /// The next call was refused, and the body panicked with this message.
    Panicked(Refused, String),
    /// The next call was refused, and the process ended with this status. The child can't tell.
    Aborted(String),
    /// The body made so many calls, which are too few or not those of before.
    Varied { calls: u64 },
    /// The last call was refused.
    End,
}

/// A refused call of a body that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    /// In bytes.
    pub(super) size: usize,
    pub(super) net_blocks: i64,
    /// Return addresses relative to the anchor of the executable; empty unless the call is to
    /// be shown.
    pub(super) stack: Vec<i64>,
}

impl Event {
    /// The event in a line; `None` if it is not whole.
    pub(super) fn read(line: &str) -> Option<Self> {
        let (kind, rest) = line.split_once(' ')?;
        Some(match kind {
            "counted" => {
                let (calls, net_blocks) = rest.split_once(' ')?;
                Self::Counted {
                    calls: calls.parse().ok()?,
                    net_blocks: net_blocks.parse().ok()?,
                }
            }
            "probed" => {
                let (size, stack) = rest.split_once(' ')?;
                Self::Probed {
                    size: size.parse().ok()?,
                    stack: read_stack(stack)?,
                }
            }
            "returned" => Self::Returned(Refused::read(rest)?.0),
            "panicked" => {
                let (refused, message) = Refused::read(rest)?;
                Self::Panicked(refused, message.to_owned())
            }
            "varied" => Self::Varied {
                calls: rest.parse().ok()?,
            },
            "end" => Self::End,
            _ => return None,
        })
    }
}

impl Refused {
    /// The call, and what follows it.
    fn read(text: &str) -> Option<(Self, &str)> {
        let mut words = text.splitn(4, ' ');
        let refused = Self {
            size: words.next()?.parse().ok()?,
            net_blocks: words.next()?.parse().ok()?,
            stack: read_stack(words.next()?)?,
        };
        Some((refused, words.next().unwrap_or_default()))
    }
}

/// One line, without the line break.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counted { calls, net_blocks } => write!(f, "counted {calls} {net_blocks}"),
            Self::Probed { size, stack } => write!(f, "probed {size} {}", Stack(stack)),
            Self::Returned(refused) => write!(f, "returned {refused}"),
            Self::Panicked(refused, message) => {
                let line = message.replace(['\n', '\r'], " ");
                write!(f, "panicked {refused} {line}")
            }
            Self::Aborted(status) => write!(f, "aborted {status}"),
            Self::Varied { calls } => write!(f, "varied {calls}"),
            Self::End => write!(f, "end ."),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {}",
            self.size,
            self.net_blocks,
            Stack(&self.stack)
        )
    }
}

/// `-16,64`, or `.` for none.
struct Stack<'s>(&'s [i64]);

impl fmt::Display for Stack<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.0.split_first() else {
            return f.write_str(".");
        };
        write!(f, "{first}")?;
        rest.iter().try_for_each(|address| write!(f, ",{address}"))
    }
}

fn read_stack(text: &str) -> Option<Vec<i64>> {
    if text == "." {
        return Some(Vec::new());
    }
    text.split(',')
        .map(|address| address.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_reads_as_it_was_written() {
        let refused = |stack| Refused {
            size: 24,
            net_blocks: -1,
            stack,
        };
        for event in [
            Event::Counted {
                calls: 7,
                net_blocks: -2,
            },
            Event::Probed {
                size: 8,
                stack: vec![-16, 64],
            },
            Event::Returned(refused(Vec::new())),
            Event::Panicked(refused(vec![5]), "no memory, sorry".into()),
            Event::Varied { calls: 3 },
            Event::End,
        ] {
            assert_eq!(Event::read(&event.to_string()), Some(event));
        }
        let two_lines = Event::Panicked(refused(Vec::new()), "a\nb".into()).to_string();
        assert_eq!(two_lines, "panicked 24 -1 . a b");
        // A child that was killed wrote half a line.
        assert_eq!(Event::read("returned 24"), None);
        assert_eq!(Event::read("en"), None);
    }
}
