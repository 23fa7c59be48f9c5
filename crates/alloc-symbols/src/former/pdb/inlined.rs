//! The code of an inlined function: where it is, and its lines.
//!
//! It is written as changes of a state, of which each has a number and operands.

/// The line of an inlined function at some instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InlinedLine {
    /// The place of the file in the table of files of the module.
    pub(super) file: u32,
    pub(super) line: u32,
}

/// The line at an instruction, which is `offset` bytes behind the beginning of the function that
/// the code was inlined into. `None` if the instruction is not of the inlined function. `first` is
/// where that one begins in its source.
pub(super) fn line_at(changes: &[u8], first: InlinedLine, offset: u32) -> Option<InlinedLine> {
    const CODE: u32 = 1;
    const CODE_OFFSET: u32 = 3;
    const CODE_LENGTH: u32 = 4;
    const FILE: u32 = 5;
    const LINE_OFFSET: u32 = 6;
    const CODE_AND_LINE_OFFSET: u32 = 11;
    const CODE_LENGTH_AND_OFFSET: u32 = 12;

    let mut changes = Changes(changes);
    let (mut code, mut now) = (0_u32, first);
    // The last line that begins at the instruction or before it.
    let mut open = None;
    while let Some(change) = changes.next() {
        if change == 0 {
            break;
        }
        let operand = changes.next()?;
        let mut length = None;
        match change {
            CODE => code = operand,
            CODE_OFFSET => code = code.wrapping_add(operand),
            CODE_AND_LINE_OFFSET => {
                code = code.wrapping_add(operand & 0xf);
                now.line = now.line.wrapping_add_signed(signed(operand >> 4));
            }
            CODE_LENGTH_AND_OFFSET => {
                code = code.wrapping_add(changes.next()?);
                length = Some(operand);
            }
            CODE_LENGTH => {
                code = code.wrapping_add(operand);
                if open.is_some() && offset < code {
                    return open;
                }
                open = None;
                continue;
            }
            FILE => {
                now.file = operand;
                continue;
            }
            LINE_OFFSET => {
                now.line = now.line.wrapping_add_signed(signed(operand));
                continue;
            }
            // Columns, and the ends of statements.
            _ => continue,
        }
        // A line begins, and the one before ends.
        if open.is_some() && offset < code {
            return open;
        }
        open = (code <= offset).then_some(now);
        if let Some(length) = length {
            if open.is_some() && offset < code.wrapping_add(length) {
                return open;
            }
            open = None;
        }
    }
    None
}

/// Numbers of one, two or four bytes.
struct Changes<'c>(&'c [u8]);

impl Iterator for Changes<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (number, rest) = match *self.0 {
            [a @ 0..0x80, ref rest @ ..] => (u32::from(a), rest),
            [a @ 0x80..0xc0, b, ref rest @ ..] => (u32::from_be_bytes([0, 0, a & 0x3f, b]), rest),
            [a @ 0xc0..0xe0, b, c, d, ref rest @ ..] => {
                (u32::from_be_bytes([a & 0x1f, b, c, d]), rest)
            }
            _ => return None,
        };
        self.0 = rest;
        Some(number)
    }
}

/// The lowest bit is the sign.
fn signed(number: u32) -> i32 {
    let size = (number >> 1).cast_signed();
    if number & 1 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_inlined_code_begin_and_end_where_the_changes_say() {
        let first = InlinedLine { file: 0, line: 10 };
        // Line 12 from 3 on, line 11 from 8 on, nothing from 0x90 on; line 20 of another file
        // from 0x95 to 0x9a.
        let changes = [
            11, 0x43, 6, 3, 3, 5, 4, 0x80, 0x88, 5, 24, 6, 18, 3, 5, 4, 5, 0, 0,
        ];
        let at = |file, line| Some(InlinedLine { file, line });
        for (offset, expected) in [
            (0, None),
            (2, None),
            (3, at(0, 12)),
            (7, at(0, 12)),
            (8, at(0, 11)),
            (0x8f, at(0, 11)),
            (0x90, None),
            (0x94, None),
            (0x95, at(24, 20)),
            (0x99, at(24, 20)),
            (0x9a, None),
        ] {
            assert_eq!(line_at(&changes, first, offset), expected, "{offset:#x}");
        }
        assert_eq!(line_at(&[3], first, 0), None);
        assert_eq!(line_at(&[3, 0xe0], first, 0), None);
    }
}
