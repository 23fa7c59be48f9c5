//! Write messages of every kind are encoded and decoded, and wrong bytes are refused.
//! Texts have their own tests beside `text`.

use super::*;
use crate::decode_error::Problem;
use crate::reference_handle::HANDLE;
use crate::text::TEXT_LIMIT;

fn encoded(value: &WriteValue) -> Vec<u8> {
    encode(&HANDLE, value, 0x2423_2221, 0x3837_3635_3433_3231).unwrap()
}

#[test]
fn an_int32_message_byte_by_byte() {
    #[rustfmt::skip]
    let expected = [
        0x21,
        1, 0,
        0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14,
        2,
        0x41, 0x42, 0x43, 0x44,
        0, 0,
        0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38,
        0x21, 0x22, 0x23, 0x24,
        0xff, 0xff,
        0, 0,
    ];
    assert_eq!(encoded(&WriteValue::Int32(0x4443_4241)), expected);
}

#[test]
fn the_kind_stands_at_offset_17_and_decides_the_length() {
    for (value, kind, len) in [
        (WriteValue::Boolean(true), 1, 37),
        (WriteValue::Int32(1), 2, 40),
        (WriteValue::Float32(1.0), 3, 40),
        (WriteValue::Float64(1.0), 4, 44),
        (WriteValue::String("hello".into()), 5, 52),
    ] {
        let message = encoded(&value);
        assert_eq!(message[17], kind, "{value:?}");
        assert_eq!(message.len(), len, "{value:?}");
        assert_eq!(message.capacity(), len, "{value:?}");
    }
}

#[test]
fn a_message_survives_the_wire() {
    let longest = "x".repeat(TEXT_LIMIT);
    for value in [
        WriteValue::Boolean(false),
        WriteValue::Boolean(true),
        WriteValue::Int32(i32::MIN),
        WriteValue::Int32(i32::MAX),
        WriteValue::Float32(f32::NEG_INFINITY),
        WriteValue::Float32(f32::MIN_POSITIVE),
        WriteValue::Float64(f64::MAX),
        WriteValue::Float64(f64::from_bits(1)),
        WriteValue::String(String::new()),
        WriteValue::String("größer 😀 \u{10ffff}".into()),
        WriteValue::String("a\0b".into()),
        WriteValue::String(longest),
    ] {
        let decoded = decode(&encoded(&value)).unwrap();
        assert_eq!(decoded.target, HANDLE.target);
        assert_eq!(decoded.value, value);
        assert_eq!(decoded.write_index, 0x2423_2221);
        assert_eq!(decoded.client_token, 0x3837_3635_3433_3231);
    }
}

#[test]
fn a_kept_buffer_holds_one_message_at_a_time() {
    let mut kept = Vec::new();
    for value in [
        WriteValue::String("hello".into()),
        WriteValue::Boolean(true),
        WriteValue::Float64(2.5),
    ] {
        encode_into(&mut kept, &HANDLE, &value, 7, 8).unwrap();
        assert_eq!(kept, encode(&HANDLE, &value, 7, 8).unwrap());
    }
    assert_eq!(kept.capacity(), 52, "it was made for the longest of them");
}

#[test]
fn a_text_that_is_too_long_leaves_the_kept_buffer_alone() {
    let mut kept = vec![1, 2, 3];
    let value = WriteValue::String("x".repeat(TEXT_LIMIT + 1));
    let error = encode_into(&mut kept, &HANDLE, &value, 7, 8).unwrap_err();
    assert_eq!(
        error,
        EncodeError::TextTooLong {
            units: 65_536,
            limit: 65_535
        }
    );
    assert_eq!(kept, [1, 2, 3]);
}

#[test]
fn wrong_bytes_are_refused_where_they_stand() {
    let message = encoded(&WriteValue::Int32(1));
    for (offset, byte, expected) in [
        (
            0,
            0x22,
            "the command at offset 0: found 0x22 instead of 0x21",
        ),
        (2, 1, "the version at offset 1: found 0x101 instead of 0x1"),
        (
            17,
            0,
            "the kind of value at offset 17: no kind has the code 0",
        ),
        (
            17,
            6,
            "the kind of value at offset 17: no kind has the code 6",
        ),
        (22, 9, "the status at offset 22: found 0x9 instead of 0x0"),
        (
            36,
            0,
            "the discriminator at offset 36: found 0xff00 instead of 0xffff",
        ),
        (
            39,
            1,
            "the padding at offset 38: found 0x100 instead of 0x0",
        ),
    ] {
        check(&with(&message, offset, byte), expected);
    }
    let boolean = encoded(&WriteValue::Boolean(true));
    check(
        &with(&boolean, 18, 255),
        "the value at offset 18: 255 is neither 0 nor 1",
    );
}

#[test]
fn bytes_after_the_message_are_refused() {
    let mut message = encoded(&WriteValue::Int32(1));
    message.extend([0; 3]);
    check(
        &message,
        "the end of the message at offset 40: the input goes on to offset 43",
    );
}

#[test]
fn every_truncation_is_refused_at_the_field_that_is_cut() {
    for value in [
        WriteValue::Boolean(true),
        WriteValue::Int32(1),
        WriteValue::Float32(1.0),
        WriteValue::Float64(1.0),
        WriteValue::String("hello".into()),
    ] {
        let message = encoded(&value);
        for len in 0..message.len() {
            let error = decode(&message[..len]).unwrap_err();
            let Problem::Truncated { needed, left } = error.problem() else {
                panic!("{value:?} cut to {len} B: {error}");
            };
            assert_eq!(error.offset() + left, len, "{error}");
            assert!(left < needed, "{error}");
        }
    }
}

fn with(message: &[u8], offset: usize, byte: u8) -> Vec<u8> {
    let mut changed = message.to_vec();
    changed[offset] = byte;
    changed
}

#[track_caller]
fn check(message: &[u8], expected: &str) {
    let error = decode(message).unwrap_err();
    assert_eq!(error.to_string(), format!("read {expected}"));
}
