//! The difference of two texts: `-` before lines of the first only, `+` before lines of the second.

/// The lines of both texts in order. The longest common sequence has a space before each line.
pub(crate) fn lines(before: &str, after: &str) -> String {
    let before: Vec<&str> = before.lines().collect();
    let after: Vec<&str> = after.lines().collect();
    // The length of the longest common sequence of the rest from (row, column).
    let mut common = vec![vec![0_usize; after.len() + 1]; before.len() + 1];
    for row in (0..before.len()).rev() {
        for column in (0..after.len()).rev() {
            common[row][column] = if before[row] == after[column] {
                common[row + 1][column + 1] + 1
            } else {
                common[row + 1][column].max(common[row][column + 1])
            };
        }
    }
    let mut text = String::new();
    let (mut row, mut column) = (0, 0);
    while row < before.len() || column < after.len() {
        let (mark, line) = if before
            .get(row)
            .is_some_and(|l| after.get(column) == Some(l))
        {
            row += 1;
            column += 1;
            (' ', before[row - 1])
        } else if column == after.len()
            || (row < before.len() && common[row + 1][column] >= common[row][column + 1])
        {
            row += 1;
            ('-', before[row - 1])
        } else {
            column += 1;
            ('+', after[column - 1])
        };
        text.push(mark);
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[test]
fn what_is_common_stays_and_what_differs_is_marked() {
    assert_eq!(lines("a\nb\nc", "a\nx\nc\nd"), " a\n-b\n+x\n c\n+d\n");
    assert_eq!(lines("", "a"), "+a\n");
    assert_eq!(lines("a", ""), "-a\n");
}
