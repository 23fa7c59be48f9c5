//! [`Move`]: iterations that get another value, so few of them as it takes to
//! bring a sum or a rank of a distribution to where it has to be. What the values
//! are of is not known here.

use std::ops::RangeInclusive;

/// The values of iterations, ascending, each with its number of iterations.
pub(super) type Column = Vec<(i128, u64)>;

/// Some iterations of one value get another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) from: i128,
    pub(super) times: u64,
    pub(super) to: i128,
}

/// Brings the sum of all values to `target`: by a single iteration if one can have
/// so much. `None` when not even all of them can.
pub(super) fn sum(
    column: &Column,
    target: i128,
    range: &RangeInclusive<i128>,
) -> Option<Vec<Move>> {
    let total: i128 = column.iter().map(|&(v, times)| v * i128::from(times)).sum();
    let mut rest = target.checked_sub(total)?;
    // The largest value first: whoever looks for the breach finds it at the end.
    let largest = column.last()?.0;
    let alone = largest.checked_add(rest)?;
    if range.contains(&alone) {
        let only = Move {
            from: largest,
            times: 1,
            to: alone,
        };
        return Some(vec![only]);
    }
    let end = if rest > 0 {
        *range.end()
    } else {
        *range.start()
    };
    let mut moves = Vec::new();
    for &(from, times) in column.iter().rev() {
        let room = end - from;
        if room == 0 || rest == 0 {
            continue;
        }
        let whole = (rest / room).min(times.into());
        if whole > 0 {
            moves.push(Move {
                from,
                times: u64::try_from(whole).ok()?,
                to: end,
            });
            rest -= whole * room;
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

/// Brings the value of this rank, from 1, to `target`.
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
        // Fewer than `rank` may stay below; the nearest have the shortest way.
        let nearest = column.iter().rev().filter(|(value, _)| *value < target);
        return Some(first(nearest, below - rank + 1, target));
    }
    let within = count(&|value| value <= target);
    let nearest = column.iter().filter(|(value, _)| *value > target);
    Some(first(nearest, rank.saturating_sub(within), target))
}

/// Moves so many iterations, those of the first values.
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
    fn a_sum_changes_in_one_iteration_if_one_can_have_it_all() {
        let column = vec![(2, 9), (5, 1)];
        let range = 0..=10;
        assert_eq!(sum(&column, 24, &range), Some(moves(&[(5, 1, 6)])));
        assert_eq!(sum(&column, 18, &range), Some(moves(&[(5, 1, 0)])));
        // 28 are the five that one has to 10, one more to 10, and 15 of 8 each.
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
    fn a_rank_changes_in_as_few_iterations_as_it_takes() {
        let column = vec![(1, 4), (3, 5), (9, 1)];
        let range = 0..=10;
        // The largest: one above it will do; below, all above have to come down.
        assert_eq!(rank(&column, 10, 10, &range), Some(moves(&[(9, 1, 10)])));
        assert_eq!(
            rank(&column, 10, 2, &range),
            Some(moves(&[(3, 5, 2), (9, 1, 2)]))
        );
        // The smallest: one below it, or all.
        assert_eq!(rank(&column, 1, 0, &range), Some(moves(&[(1, 1, 0)])));
        assert_eq!(
            rank(&column, 1, 4, &range),
            Some(moves(&[(3, 5, 4), (1, 4, 4)]))
        );
        // The fifth is a 3, as four are below; for a 4 five of nine have to go.
        assert_eq!(rank(&column, 5, 4, &range), Some(moves(&[(3, 5, 4)])));
        assert_eq!(rank(&column, 5, 2, &range), Some(moves(&[(3, 1, 2)])));
        assert_eq!(rank(&column, 5, 11, &range), None);
        assert_eq!(rank(&column, 5, -1, &range), None);
    }
}
