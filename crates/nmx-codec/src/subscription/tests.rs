//! Subscription messages with records of every kind, there and back; and what
//! is refused, byte by byte. Texts by themselves are tested beside `text`.

use super::*;
use crate::kind::ValueKind;

fn time() -> Timestamp {
    Timestamp::from_filetime(0x0807_0605_0403_0201)
}

fn scalar(value: Scalar) -> DataUpdate {
    DataUpdate::from_scalar(time(), Quality(0x4012), value)
}

fn text(value: &str) -> DataUpdate {
    DataUpdate::from_text(time(), Quality(0x4012), value).unwrap()
}

fn message(records: Vec<DataUpdate>) -> NmxSubscriptionMessage {
    NmxSubscriptionMessage {
        operation_id: *b"operation number",
        records,
    }
}

fn encoded(record: DataUpdate) -> Vec<u8> {
    message(vec![record]).encode().unwrap()
}

#[test]
fn an_int32_update_byte_by_byte() {
    #[rustfmt::skip]
    let expected = [
        0x32,
        1, 0,
        1, 0, 0, 0,
        b'o', b'p', b'e', b'r', b'a', b't', b'i', b'o', b'n', b' ',
        b'n', b'u', b'm', b'b', b'e', b'r',
        0x12, 0x40,
        1, 2, 3, 4, 5, 6, 7, 8,
        2,
        0x41, 0x42, 0x43, 0x44,
    ];
    assert_eq!(encoded(scalar(Scalar::Int32(0x4443_4241))), expected);
}

#[test]
fn updates_of_every_kind_survive_the_wire() {
    let message = message(vec![
        scalar(Scalar::Boolean(false)),
        scalar(Scalar::Boolean(true)),
        scalar(Scalar::Int32(i32::MIN)),
        scalar(Scalar::Float32(f32::INFINITY)),
        scalar(Scalar::Float64(f64::MIN)),
        text(""),
        text("größer 😀"),
        text("thirteen unit"),
        DataUpdate::from_scalar(
            Timestamp::from_filetime(i64::MIN),
            Quality(u16::MAX),
            Scalar::Int32(i32::MAX),
        ),
    ]);
    let bytes = message.encode().unwrap();
    assert_eq!(bytes.capacity(), bytes.len());
    let decoded = NmxSubscriptionMessage::parse_inner(&bytes).unwrap();
    assert_eq!(decoded, message);
    assert_eq!(decoded.records.capacity(), message.records.len());
}

#[test]
fn a_message_without_records_is_one() {
    let bytes = message(vec![]).encode().unwrap();
    assert_eq!(bytes.len(), 23);
    let decoded = NmxSubscriptionMessage::parse_inner(&bytes).unwrap();
    assert_eq!(decoded, message(vec![]));
}

#[test]
fn a_record_answers_what_its_kind_can() {
    let number = scalar(Scalar::Int32(0x4443_4241));
    assert_eq!(number.kind(), ValueKind::Int32);
    assert_eq!(number.scalar(), Some(Scalar::Int32(0x4443_4241)));
    assert_eq!(number.text(), None);
    assert_eq!(number.raw_value(), b"ABCD");

    let word = text("😀");
    assert_eq!(word.kind(), ValueKind::String);
    assert_eq!(word.scalar(), None);
    assert_eq!(word.text().as_deref(), Some("😀"));
    assert_eq!(word.raw_value(), [6, 0, 0, 0, 0x3d, 0xd8, 0x00, 0xde, 0, 0]);

    assert_eq!(word.timestamp(), time());
    assert_eq!(word.quality(), Quality(0x4012));
    assert_eq!(word.status(), Status::Uncertain);
    assert_eq!(word.detail().map(u16::from), Some(0x12));
}

#[test]
fn a_text_that_does_not_fit_inline_is_refused_in_both_directions() {
    let error = DataUpdate::from_text(time(), Quality::GOOD, "fourteen units").unwrap_err();
    let limit = SHORT_TEXT_LIMIT;
    assert_eq!(error, EncodeError::TextTooLong { units: 14, limit });

    let longest = encoded(text("thirteen unit"));
    check(
        &with(&longest, 34, 30),
        "the length of the text at offset 34: 30 B are more than the 28 B allowed here",
    );
}

#[test]
fn wrong_bytes_are_refused_where_they_stand() {
    let number = encoded(scalar(Scalar::Int32(1)));
    let boolean = encoded(scalar(Scalar::Boolean(true)));
    for (message, offset, byte, expected) in [
        (
            &number,
            0,
            0x21,
            "the command at offset 0: found 0x21 instead of 0x32",
        ),
        (
            &number,
            1,
            2,
            "the version at offset 1: found 0x2 instead of 0x1",
        ),
        (
            &number,
            33,
            9,
            "the kind of value at offset 33: no kind has the code 9",
        ),
        (
            &boolean,
            34,
            2,
            "the value at offset 34: 2 is neither 0 nor 1",
        ),
    ] {
        check(&with(message, offset, byte), expected);
    }
}

#[test]
fn a_count_that_cannot_be_is_refused_before_any_record() {
    let bytes = message(vec![scalar(Scalar::Int32(1)); 2]).encode().unwrap();
    for (count, expected) in [
        (-1, "-1 is negative"),
        (i32::MIN, "-2147483648 is negative"),
        (3, "3 is more than the 2 that can follow"),
        (i32::MAX, "2147483647 is more than the 2 that can follow"),
    ] {
        let expected = format!("the record count at offset 3: {expected}");
        check(&with_count(&bytes, count), &expected);
    }
}

#[test]
fn a_count_that_could_be_is_refused_where_the_records_do_not_bear_it_out() {
    let bytes = message(vec![scalar(Scalar::Float64(1.0)); 3])
        .encode()
        .unwrap();
    check(
        &with_count(&bytes, 2),
        "the end of the message at offset 61: the input goes on to offset 80",
    );
    // 57 bytes could be four Booleans.
    check(
        &with_count(&bytes, 4),
        "the quality at offset 80: it needs 2 B, the input has 0 B left",
    );
}

#[test]
fn no_message_has_more_records_than_the_limit() {
    let mut many = message(vec![scalar(Scalar::Boolean(true)); RECORD_LIMIT]);
    let bytes = many.encode().unwrap();
    let decoded = NmxSubscriptionMessage::parse_inner(&bytes).unwrap();
    assert_eq!(decoded, many);

    many.records.push(scalar(Scalar::Boolean(true)));
    let error = many.encode().unwrap_err();
    let (records, limit) = (RECORD_LIMIT + 1, RECORD_LIMIT);
    assert_eq!(error, EncodeError::TooManyRecords { records, limit });

    let mut bytes = with_count(&bytes, RECORD_LIMIT as i32 + 1);
    bytes.extend([0; 12]);
    check(
        &bytes,
        "the record count at offset 3: 65537 is more than the 65536 that can follow",
    );
}

#[test]
fn every_truncation_is_refused() {
    for record in [
        scalar(Scalar::Boolean(true)),
        scalar(Scalar::Int32(1)),
        scalar(Scalar::Float32(1.0)),
        scalar(Scalar::Float64(1.0)),
        text("hello"),
    ] {
        let bytes = encoded(record);
        for len in 0..bytes.len() {
            let error = NmxSubscriptionMessage::parse_inner(&bytes[..len]).unwrap_err();
            // A record of the least length would no longer fit, or a longer one
            // that was begun does not.
            if let Problem::Truncated { left, .. } = error.problem() {
                assert_eq!(error.offset() + left, len);
            } else {
                let none_fits = Problem::CountTooLarge { count: 1, limit: 0 };
                assert_eq!(error.problem(), none_fits, "{record:?} cut to {len} B");
            }
        }
    }
}

fn with(message: &[u8], offset: usize, byte: u8) -> Vec<u8> {
    let mut changed = message.to_vec();
    changed[offset] = byte;
    changed
}

fn with_count(message: &[u8], count: i32) -> Vec<u8> {
    let mut changed = message.to_vec();
    changed[3..7].copy_from_slice(&count.to_le_bytes());
    changed
}

#[track_caller]
fn check(message: &[u8], expected: &str) {
    let error = NmxSubscriptionMessage::parse_inner(message).unwrap_err();
    assert_eq!(error.to_string(), format!("read {expected}"));
}
