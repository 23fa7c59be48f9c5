//! [`Partition`]: the part of a bench's scenarios that one of several machines measures.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::json::ToJson;
#[cfg(feature = "read")]
use crate::json::{
    FromJson,
    input::{Input, JsonError},
};

/// One part of several into which the scenarios of a bench are divided, such as
/// `hash:2/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Partition {
    /// How scenarios are divided.
    pub method: PartitionMethod,
    /// The number of this part, from 1 to `parts`.
    pub part: u64,
    /// The number of parts.
    pub parts: u64,
}

/// How the scenarios of a bench are divided into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PartitionMethod {
    /// By a hash of the name, so that a new scenario moves no other one.
    Hash,
    /// In turn, in the order of the bench, so that parts are of equal size.
    Count,
}

/// A text that names no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartitionError {
    /// It is not of the form `hash:M/N` or `count:M/N`.
    Malformed,
    /// The part is not one of 1 to N.
    OutOfRange,
}

impl Partition {
    /// Whether this part has the scenario of this full name, which is at `position`, from
    /// 0, among the scenarios to divide.
    #[must_use]
    pub fn has(self, name: &str, position: usize) -> bool {
        let number = match self.method {
            PartitionMethod::Hash => hash(name),
            PartitionMethod::Count => position as u64,
        };
        number % self.parts == self.part - 1
    }
}

/// The hash of a name. It must never change, because the parts can be measured by
/// different builds: FNV-1a in 64 bits, with the finalizer of MurmurHash3, without which
/// names that differ in one digit fall into few parts.
fn hash(name: &str) -> u64 {
    let mut hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    for factor in [0xff51_afd7_ed55_8ccd_u64, 0xc4ce_b9fe_1a85_ec53] {
        hash = (hash ^ (hash >> 33)).wrapping_mul(factor);
    }
    hash ^ (hash >> 33)
}

impl FromStr for Partition {
    type Err = PartitionError;

    fn from_str(text: &str) -> Result<Self, PartitionError> {
        let (method, numbers) = text.split_once(':').ok_or(PartitionError::Malformed)?;
        let method = match method {
            "hash" => PartitionMethod::Hash,
            "count" => PartitionMethod::Count,
            _ => return Err(PartitionError::Malformed),
        };
        let (part, parts) = numbers.split_once('/').ok_or(PartitionError::Malformed)?;
        let number = |text: &str| -> Result<u64, PartitionError> {
            // `parse` would allow a sign.
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse().ok().filter(|_| is_number);
            number.ok_or(PartitionError::Malformed)
        };
        let (part, parts) = (number(part)?, number(parts)?);
        if part == 0 || part > parts {
            return Err(PartitionError::OutOfRange);
        }
        Ok(Self {
            method,
            part,
            parts,
        })
    }
}

impl ToJson for Partition {
    fn write(&self, out: &mut String) {
        self.to_string().write(out);
    }
}

#[cfg(feature = "read")]
impl FromJson for Partition {
    /// The whole.
    fn blank() -> Self {
        Self {
            method: PartitionMethod::Hash,
            part: 1,
            parts: 1,
        }
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        let partition = input.string()?.parse();
        *self = partition.map_err(|error: PartitionError| input.error(error.to_string()))?;
        Ok(())
    }
}

/// As [`FromStr`] reads it.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            method,
            part,
            parts,
        } = self;
        write!(f, "{method}:{part}/{parts}")
    }
}

impl fmt::Display for PartitionMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hash => "hash",
            Self::Count => "count",
        })
    }
}

impl fmt::Display for PartitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "write it as hash:M/N or count:M/N, such as hash:2/4",
            Self::OutOfRange => "the parts are numbered from 1 to N",
        })
    }
}

impl Error for PartitionError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn partition(text: &str) -> Partition {
        text.parse().unwrap()
    }

    #[test]
    fn a_part_is_written_as_it_is_read() {
        for text in ["hash:1/1", "hash:2/4", "count:4/4"] {
            assert_eq!(partition(text).to_string(), text);
        }
        let mut json = String::new();
        partition("count:1/2").write(&mut json);
        assert_eq!(json, "\"count:1/2\"");
        let read: Partition = parse(&json).unwrap();
        assert_eq!(read, partition("count:1/2"));
        assert!(parse::<Partition>("\"count:3/2\"").is_err());
    }

    #[test]
    fn other_texts_are_refused() {
        use PartitionError::{Malformed, OutOfRange};
        for (text, error) in [
            ("", Malformed),
            ("2/4", Malformed),
            ("hash:2", Malformed),
            ("hash:/4", Malformed),
            ("hash:+1/4", Malformed),
            ("hash:1/-4", Malformed),
            ("hash: 1/4", Malformed),
            ("slice:1/4", Malformed),
            ("hash:1/99999999999999999999", Malformed),
            ("hash:0/4", OutOfRange),
            ("hash:5/4", OutOfRange),
            ("count:0/0", OutOfRange),
        ] {
            assert_eq!(text.parse::<Partition>(), Err(error), "{text}");
        }
    }

    #[test]
    fn each_scenario_is_in_one_part() {
        let names: Vec<String> = (0..1_000).map(|n| format!("parse/rows={n}")).collect();
        for method in ["hash", "count"] {
            let mut sizes = [0; 4];
            for (position, name) in names.iter().enumerate() {
                let has = |part: &usize| {
                    let text = format!("{method}:{}/4", part + 1);
                    partition(&text).has(name, position)
                };
                let parts: Vec<usize> = (0..4).filter(has).collect();
                assert_eq!(parts.len(), 1, "{name}");
                sizes[parts[0]] += 1;
            }
            let allowed = if method == "count" {
                250..=250
            } else {
                200..=300
            };
            assert!(sizes.iter().all(|size| allowed.contains(size)), "{sizes:?}");
        }
    }

    #[test]
    fn the_hash_of_a_name_never_changes() {
        for (name, value) in HASHES {
            assert_eq!(hash(name), value, "{name}");
        }
    }

    /// Computed by a program in another language.
    const HASHES: [(&str, u64); 3] = [
        ("", 0xefd0_1f60_ba99_2926),
        ("write_message::encode (Int32)", 0x5015_ed10_af00_8497),
        ("größe/n=10", 0x2168_a413_c676_25eb),
    ];
}
