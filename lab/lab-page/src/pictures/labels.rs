//! Finds places for labels, so that none covers another one.

use super::svg::Rect;

/// Moves labels of one column as little as needed: `wanted` are their middles, in any order,
/// `height` is that of each. The middles that are returned, in the same order, are at least
/// `height` apart, and between `low` and `high` as far as there is room.
pub(crate) fn spread(wanted: &[f64], height: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    // Clusters of labels that touch: the sum of their wanted tops, and their number.
    let mut clusters: Vec<(f64, usize)> = Vec::new();
    let top = |(sum, count): (f64, usize)| {
        let highest = high - count as f64 * height;
        (sum / count as f64).min(highest).max(low)
    };
    for nth in &order {
        let mut cluster = (wanted[*nth] - height / 2.0, 1);
        while let Some(above) = clusters.last().copied() {
            if top(above) + above.1 as f64 * height <= top(cluster) {
                break;
            }
            // The labels of the lower cluster, as if they began where the upper one does.
            let moved = cluster.0 - (cluster.1 * above.1) as f64 * height;
            cluster = (above.0 + moved, above.1 + cluster.1);
            clusters.pop();
        }
        clusters.push(cluster);
    }
    let mut middles = vec![0.0; wanted.len()];
    let mut next = order.into_iter();
    for cluster in clusters {
        for nth in 0..cluster.1 {
            if let Some(label) = next.next() {
                middles[label] = top(cluster) + (nth as f64 + 0.5) * height;
            }
        }
    }
    middles
}

/// A point, and the size of its label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labelled {
    pub(crate) at: (f64, f64),
    pub(crate) size: (f64, f64),
}

/// Places for labels beside points: for each point, with the size of its label, the rectangle
/// of the label. A label covers no other label and no point, and stays inside of `area`; one
/// that does not fit anywhere has no place.
pub(crate) fn beside_points(points: &[Labelled], mark: f64, area: &Rect) -> Vec<Option<Rect>> {
    let marks = points.iter().map(|point| Rect {
        x: point.at.0 - mark,
        y: point.at.1 - mark,
        width: mark * 2.0,
        height: mark * 2.0,
    });
    let mut taken: Vec<Rect> = marks.collect();
    let mut places = Vec::new();
    for Labelled { at, size } in points {
        let free = candidates(*at, *size, mark)
            .find(|rect| area.contains(rect) && !taken.iter().any(|other| other.overlaps(rect)));
        taken.extend(free);
        places.push(free);
    }
    places
}

/// Rectangles around a point, the best first: at its right, its left, above and below, and
/// then ever farther away.
fn candidates(
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    mark: f64,
) -> impl Iterator<Item = Rect> {
    const TURNS: [f64; 12] = [
        0.0, 180.0, 270.0, 90.0, 330.0, 30.0, 210.0, 150.0, 300.0, 60.0, 240.0, 120.0,
    ];
    let distances = (0..24).map(|nth| f64::from(nth) * 7.0);
    distances.flat_map(move |distance| {
        TURNS.into_iter().map(move |turn| {
            let (sin, cos) = turn.to_radians().sin_cos();
            let (reach_x, reach_y) = (width / 2.0 + mark + 2.0, height / 2.0 + mark + 1.0);
            let x = x + cos * (reach_x + distance);
            let y = y + sin * (reach_y + distance);
            Rect {
                x: x - width / 2.0,
                y: y - height / 2.0,
                width,
                height,
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_have_room_stay_where_they_are() {
        assert_eq!(
            spread(&[50.0, 10.0, 30.0], 20.0, (0.0, 60.0)),
            [50.0, 10.0, 30.0]
        );
        assert!(spread(&[], 20.0, (0.0, 60.0)).is_empty());
    }

    #[test]
    fn labels_at_one_place_are_spread_around_it() {
        // Three labels of 10 around 50: 40, 50 and 60.
        assert_eq!(spread(&[50.0; 3], 10.0, (0.0, 100.0)), [40.0, 50.0, 60.0]);
        // The middle of 50 and 54 is 52: 47 and 57. The third has room at 90.
        assert_eq!(
            spread(&[54.0, 50.0, 90.0], 10.0, (0.0, 100.0)),
            [57.0, 47.0, 90.0]
        );
    }

    #[test]
    fn labels_at_an_edge_stay_inside() {
        assert_eq!(spread(&[99.0, 98.0], 10.0, (0.0, 100.0)), [95.0, 85.0]);
        assert_eq!(spread(&[-5.0, 2.0], 10.0, (0.0, 100.0)), [5.0, 15.0]);
    }

    #[test]
    fn labels_of_many_near_points_do_not_overlap() {
        let area = Rect {
            x: 0.0,
            y: 0.0,
            width: 400.0,
            height: 300.0,
        };
        let point = |nth: u32| {
            (
                150.0 + f64::from(nth % 4) * 9.0,
                150.0 + f64::from(nth / 4) * 9.0,
            )
        };
        let points: Vec<_> = (0..16)
            .map(|nth| Labelled {
                at: point(nth),
                size: (70.0, 12.0),
            })
            .collect();
        let places: Vec<Rect> = beside_points(&points, 4.0, &area)
            .into_iter()
            .map(|place| place.expect("there is room"))
            .collect();
        for (nth, place) in places.iter().enumerate() {
            assert!(area.contains(place));
            assert!(!places[..nth].iter().any(|other| other.overlaps(place)));
        }
    }
}
