//! The results of a round as text, so that a child process can run it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::figures::{Counts, Missing, Round, Window};

/// The results of one [`round`](super::round), in the order of the rows. Its text has one line for
/// each row.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundResults(pub(super) Vec<Result<Round, Missing>>);

impl RoundResults {
    /// The results, if there is one for each row.
    pub(super) fn of_rows(self, count: usize) -> Result<Vec<Result<Round, Missing>>, Missing> {
        match self.0.len() {
            found if found == count => Ok(self.0),
            found => Err(Missing::Failed(format!(
                "the round has results of {found} rows, and not of {count}"
            ))),
        }
    }
}

impl fmt::Display for RoundResults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for result in &self.0 {
            match result {
                Ok(round) => write_round(formatter, round)?,
                Err(Missing::NotMeasured(reason)) => {
                    writeln!(formatter, "unavailable {}", one_line(reason))?;
                }
                Err(Missing::Failed(reason)) => {
                    writeln!(formatter, "failed {}", one_line(reason))?;
                }
            }
        }
        Ok(())
    }
}

impl FromStr for RoundResults {
    type Err = Missing;

    fn from_str(text: &str) -> Result<Self, Missing> {
        let results = text.lines().map(|line| {
            let wrong = || Missing::Failed(format!("a round has the wrong line `{line}`"));
            let (word, rest) = line.split_once(' ').ok_or_else(wrong)?;
            Ok(match word {
                "unavailable" => Err(Missing::NotMeasured(rest.to_owned())),
                "failed" => Err(Missing::Failed(rest.to_owned())),
                "measured" => Ok(parse_round(rest).ok_or_else(wrong)?),
                _ => return Err(wrong()),
            })
        });
        Ok(Self(results.collect::<Result<_, Missing>>()?))
    }
}

/// `measured` and numbers: five counts, and three of each window; `-` where there is none.
fn write_round(formatter: &mut fmt::Formatter<'_>, round: &Round) -> fmt::Result {
    write!(formatter, "measured")?;
    let counts = round.counts.map_or([None; 5], |counts| {
        let Counts {
            requests,
            hits,
            driver_calls,
            requested,
            reserved,
        } = counts;
        [
            Some(requests),
            hits,
            Some(driver_calls),
            Some(requested),
            Some(reserved),
        ]
    });
    let windows = round.windows.iter().flat_map(|window| {
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).ok();
        [
            Some(window.operations.into()),
            nanos(window.enqueued),
            nanos(window.total),
        ]
    });
    for number in counts.into_iter().chain(windows) {
        match number {
            Some(number) => write!(formatter, " {number}")?,
            None => write!(formatter, " -")?,
        }
    }
    writeln!(formatter)
}

fn parse_round(text: &str) -> Option<Round> {
    let numbers = text.split(' ').map(|number| match number {
        "-" => Some(None),
        number => number.parse().ok().map(Some),
    });
    let numbers = numbers.collect::<Option<Vec<Option<u64>>>>()?;
    let (&[requests, hits, driver_calls, requested, reserved], windows) =
        numbers.split_first_chunk()?;
    let counts = requests.map(|requests| {
        Some(Counts {
            requests,
            hits,
            driver_calls: driver_calls?,
            requested: requested?,
            reserved: reserved?,
        })
    });
    let windows = windows.chunks(3).map(|numbers| {
        let [operations, enqueued, total] = *<&[_; 3]>::try_from(numbers).ok()?;
        Some(Window {
            operations: u32::try_from(operations?).ok()?,
            enqueued: Duration::from_nanos(enqueued?),
            total: Duration::from_nanos(total?),
        })
    });
    Some(Round {
        windows: windows.collect::<Option<_>>()?,
        counts: match counts {
            Some(counts) => Some(counts?),
            None => None,
        },
    })
}

fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_read_back_from_their_text() {
        let window = |nanos| Window {
            operations: 10,
            enqueued: Duration::from_nanos(nanos),
            total: Duration::from_nanos(nanos + 1),
        };
        let counts = |hits| Counts {
            requests: 2_000,
            hits,
            driver_calls: 4,
            requested: 1_024,
            reserved: 67_108_864,
        };
        let round = |counts| Round {
            windows: vec![window(7), window(8)],
            counts,
        };
        let results = RoundResults(vec![
            Ok(round(None)),
            Ok(round(Some(counts(Some(1_999))))),
            Ok(round(Some(counts(None)))),
            Err(Missing::NotMeasured("no driver; install it".to_owned())),
            Err(Missing::Failed(
                "copy 0 arrived with other bytes".to_owned(),
            )),
        ]);
        let text = results.to_string();
        let expected = "\
measured - - - - - 10 7 8 10 8 9
measured 2000 1999 4 1024 67108864 10 7 8 10 8 9
measured 2000 - 4 1024 67108864 10 7 8 10 8 9
unavailable no driver; install it
failed copy 0 arrived with other bytes
";
        assert_eq!(text, expected);
        assert_eq!(text.parse(), Ok(results));
    }

    #[test]
    fn a_wrong_line_is_a_failure() {
        for line in [
            "",
            "ok",
            "measured",
            "measured 1 2 - 3 4 10 7 8",
            "measured - - - - - 10 - 8",
            "measured - - - - - 10 7",
        ] {
            let text = format!("failed once\n{line}\n");
            let read = text.parse::<RoundResults>();
            let reason = format!("a round has the wrong line `{line}`");
            assert_eq!(read, Err(Missing::Failed(reason)));
        }
    }
}
