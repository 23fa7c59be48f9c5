//! [`Move`]: gives another value to some iterations. The functions find the moves
//! that change as few iterations as possible to reach a given sum or rank.

use std::ops::RangeInclusive;

/// The values of iterations, ascending, each with its number of iterations.
pub(super) type Column = Vec<(i128, u64)>;

/// Gives another value to some of the iterations that have one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) from: i128,
    pub(super) times: u64,
    pub(super) to: i128,
}

/// Changes the sum of all values to `target`, in a single iteration if possible.
/// `None` if all iterations together can't reach it.
pub(super) fn sum(
    column: &Column,
    target: i128,
    range: &RangeInclusive<i128>,
) -> Option<Vec<Move>> {
    let total: i128 = column.iter().map(|&(v, times)| v * i128::from(times)).sum();
    let mut rest = target.checked_sub(total)?;
    let end = if rest > 0 {
        *range.end()
    } else {
        *range.start()
    };
    let mut moves = Vec::new();
    // Change the largest values first, so that the breach is at the end.
    for &(from, times) in column.iter().rev() {
        let step = end - from;
        if step == 0 || rest == 0 {
            continue;
        }
        let whole = (rest / step).min(times.into());
        if whole > 0 {
            moves.push(Move {
                from,
                times: u64::try_from(whole).ok()?,
                to: end,
            });
            rest -= whole * step;
        }
        if rest != 0 && whole < times.into() {
            moves.push(Move {
                from,
                times: 1,
                to: from + rest,
            });
            rest = 0;
        }
    }
    (rest == 0).then_some(moves)
}

/// Changes the value of this rank to `target`. Ranks begin at 1.
pub(super) fn rank(
    column: &Column,
    rank: u64,
    target: i128,
    range: &RangeInclusive<i128>,
) -> Option<Vec<Move>> {
    if !range.contains(&target) {
        return None;
    }
    let count = |is: &dyn Fn(i128) -> bool| -> u64 {
        let of_them = column.iter().filter(|(value, _)| is(*value));
        of_them.map(|&(_, times)| times).sum()
    };
    let below = count(&|value| value < target);
    if below >= rank {
        // Fewer than `rank` may stay below. Move the nearest values.
        let nearest = column.iter().rev().filter(|(value, _)| *value < target);
        return Some(first(nearest, below - rank + 1, target));
    }
    let within = count(&|value| value <= target);
    let nearest = column.iter().filter(|(value, _)| *value > target);
    Some(first(nearest, rank.saturating_sub(within), target))
}

/// Moves `count` iterations of the first values.
fn first<'c>(values: impl Iterator<Item = &'c (i128, u64)>, mut count: u64, to: i128) -> Vec<Move> {
    let mut moves = Vec::new();
    for &(from, times) in values {
        let times = times.min(count);
        if times > 0 {
            moves.push(Move { from, times, to });
        }
        count -= times;
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(all: &[(i128, u64, i128)]) -> Vec<Move> {
        let one = |&(from, times, to): &(i128, u64, i128)| Move { from, times, to };
        all.iter().map(one).collect()
    }

    #[test]
    fn a_sum_changes_in_one_iteration_if_possible() {
        let column = vec![(2, 9), (5, 1)];
        let range = 0..=10;
        assert_eq!(sum(&column, 24, &range), Some(moves(&[(5, 1, 6)])));
        assert_eq!(sum(&column, 18, &range), Some(moves(&[(5, 1, 0)])));
        // 28 more: 5 for the value of 5, and 8, 8 and 7 for three values of 2.
        assert_eq!(
            sum(&column, 23 + 28, &range),
            Some(moves(&[(5, 1, 10), (2, 2, 10), (2, 1, 9)]))
        );
        assert_eq!(
            sum(&column, 0, &range),
            Some(moves(&[(5, 1, 0), (2, 9, 0)]))
        );
        assert_eq!(sum(&column, 101, &range), None);
        assert_eq!(sum(&column, -1, &range), None);
        assert_eq!(sum(&column, i128::MAX, &range), None);
    }

    #[test]
    fn a_rank_changes_in_as_few_iterations_as_possible() {
        let column = vec![(1, 4), (3, 5), (9, 1)];
        let range = 0..=10;
        // For a larger maximum, one value is enough. For a smaller one, all values above
        // it have to change.
        assert_eq!(rank(&column, 10, 10, &range), Some(moves(&[(9, 1, 10)])));
        assert_eq!(
            rank(&column, 10, 2, &range),
            Some(moves(&[(3, 5, 2), (9, 1, 2)]))
        );
        // For a smaller minimum, one value is enough. For a larger one, all values below
        // it have to change.
        assert_eq!(rank(&column, 1, 0, &range), Some(moves(&[(1, 1, 0)])));
        assert_eq!(
            rank(&column, 1, 4, &range),
            Some(moves(&[(3, 5, 4), (1, 4, 4)]))
        );
        // The fifth value is a 3, because four are below. To make it a 4, five of the
        // nine values up to 3 have to change.
        assert_eq!(rank(&column, 5, 4, &range), Some(moves(&[(3, 5, 4)])));
        assert_eq!(rank(&column, 5, 2, &range), Some(moves(&[(3, 1, 2)])));
        assert_eq!(rank(&column, 5, 11, &range), None);
        assert_eq!(rank(&column, 5, -1, &range), None);
    }
}
