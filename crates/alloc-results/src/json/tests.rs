//! JSON is read and written as serde_json does.

use serde_json::Value;

use super::input::{Input, JsonError};
use super::{FromJson, ToJson, parse};

/// A value of any kind.
struct Any;

impl FromJson for Any {
    fn blank() -> Self {
        Self
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        input.skip()
    }
}

#[derive(Debug, Default, PartialEq)]
struct Pair {
    left: u64,
    right: Option<String>,
    more: Vec<i64>,
    is_odd: bool,
}

object!(Pair {
    "left" Required left,
    "right" Optional right,
    "more" Required more,
    "is-odd" Omitted is_odd,
});

const DOCUMENT: &str =
    r#" { "a" : [ 1, -0.5e+3, true, null ], "\u00e4\ud83d\ude00\n" : { "b": "c\\" } , "d":[]}"#;

#[test]
fn the_same_texts_are_json_as_for_serde_json() {
    let mut texts: Vec<String> = (0..=DOCUMENT.len())
        .map(|end| DOCUMENT[..end].to_owned())
        .collect();
    for at in 0..DOCUMENT.len() {
        for other in [
            "", "0", "\"", "\\", ",", "}", "]", "[", "-", ".", "u", "\n", "\u{1}", "ä",
        ] {
            texts.push(format!("{}{other}{}", &DOCUMENT[..at], &DOCUMENT[at + 1..]));
        }
    }
    for text in [
        "01",
        "-",
        "1.",
        ".1",
        "1e",
        "nul",
        "nulls",
        "\"\\ud83d\"",
        "\"\\ud83d\\u0041\"",
        "\"\\udc00\"",
        "\"\\u12g4\"",
        "\"\\u+123\"",
        "\"\\u12",
        "\"\\x\"",
        "[1,]",
        "{,}",
        "1 2",
    ] {
        texts.push(text.to_owned());
    }
    for text in texts {
        let expected = serde_json::from_str::<Value>(&text).is_ok();
        assert_eq!(parse::<Any>(&text).is_ok(), expected, "{text:?}");
    }
}

#[test]
fn deep_texts_are_refused() {
    let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse::<Any>(&nested(128)).is_ok());
    for depth in [129, 1_000_000] {
        assert!(parse::<Any>(&nested(depth)).is_err());
    }
}

#[test]
fn strings_are_those_of_serde_json() {
    let all: String = (0..=0x2ff)
        .chain([0x20ac, 0x1_f600])
        .filter_map(char::from_u32)
        .collect();
    let mut json = String::new();
    all.write(&mut json);
    assert_eq!(json, serde_json::to_string(&all).expect("a text is JSON"));
    assert_eq!(parse::<String>(&json).expect("it is JSON"), all);
    let escaped = r#""\"\\\/\b\f\n\r\t\u0041\u00E4\ud83d\ude00""#;
    assert_eq!(
        parse::<String>(escaped).expect("it is JSON"),
        serde_json::from_str::<String>(escaped).expect("it is JSON")
    );
}

#[test]
fn a_record_is_read_as_it_is_written() {
    let pair = Pair {
        left: u64::MAX,
        right: Some(String::from("a\"b")),
        more: vec![i64::MIN, 0],
        is_odd: true,
    };
    let mut json = String::new();
    pair.write(&mut json);
    let text = r#"{"left":18446744073709551615,"right":"a\"b","more":[-9223372036854775808,0],"is-odd":true}"#;
    assert_eq!(json, text);
    assert_eq!(parse::<Pair>(&json).expect("it is JSON"), pair);
    json.clear();
    Pair::default().write(&mut json);
    assert_eq!(json, r#"{"left":0,"right":null,"more":[]}"#);
    let sparse = parse::<Pair>(r#"{"more":[],"left":0,"unknown":{"left":1}}"#);
    assert_eq!(sparse.expect("it is JSON"), Pair::default());
    let map = parse::<Vec<(String, u64)>>(r#"{"b":1,"a":2,"b":3}"#);
    let map: Vec<_> = map.expect("it is JSON").into_iter().collect();
    assert_eq!(map, [(String::from("a"), 2), (String::from("b"), 3)]);
}

#[test]
fn mistakes_are_told_with_their_columns() {
    for (text, message) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        ("  x", "expected value at line 1 column 3"),
        (r#"{"more":[]}"#, "missing field `left` at line 1 column 11"),
        (
            r#"{"left":1,"left":2}"#,
            "duplicate field `left` at line 1 column 17",
        ),
        (
            r#"{"left":"1"}"#,
            "invalid type: string, expected u64 at line 1 column 9",
        ),
        (
            r#"{"left":-1}"#,
            "invalid value: integer `-1`, expected u64 at line 1 column 10",
        ),
        (
            r#"{"left":1.5}"#,
            "invalid type: floating point `1.5`, expected u64 at line 1 column 11",
        ),
        (
            r#"{"more":[9223372036854775808]}"#,
            "invalid value: integer `9223372036854775808`, expected i64 at line 1 column 28",
        ),
        (
            r#"{"left":1,"more":[]}}"#,
            "trailing characters at line 1 column 21",
        ),
        (
            r#"{"left":1 "more""#,
            "expected `,` or `}` at line 1 column 11",
        ),
        (
            r#"{"is-odd":1}"#,
            "invalid type: number, expected a boolean at line 1 column 11",
        ),
    ] {
        let error = match parse::<Pair>(text) {
            Ok(pair) => panic!("{text} was read as {pair:?}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(error, message, "{text}");
    }
}
