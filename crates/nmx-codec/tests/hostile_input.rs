//! A decoder returns for every input, and every input that it accepts encodes to the
//! same bytes again.

use nmx_codec::write_message::{self, WriteValue};
use nmx_codec::{
    DataUpdate, MxReferenceHandle, NmxSubscriptionMessage, Quality, Route, Scalar, Timestamp,
};

#[test]
fn every_change_of_one_byte_is_refused_or_means_something_else() {
    for message in write_messages() {
        for changed in changes(&message) {
            check_write(&changed);
        }
    }
    for message in subscription_messages() {
        for changed in changes(&message) {
            check_subscription(&changed);
        }
    }
}

fn check_write(bytes: &[u8]) {
    let Ok(decoded) = write_message::decode(bytes) else {
        return;
    };
    let handle = MxReferenceHandle {
        route: Route::default(),
        target: decoded.target,
    };
    let again = write_message::encode(
        &handle,
        &decoded.value,
        decoded.write_index,
        decoded.client_token,
    );
    assert_eq!(again.as_deref(), Ok(bytes), "{decoded:?}");
}

fn check_subscription(bytes: &[u8]) {
    let Ok(decoded) = NmxSubscriptionMessage::parse_inner(bytes) else {
        return;
    };
    assert_eq!(decoded.encode().as_deref(), Ok(bytes), "{decoded:?}");
    for record in &decoded.records {
        let (time, quality) = (record.timestamp(), record.quality());
        let rebuilt = match (record.scalar(), record.text()) {
            (Some(scalar), None) => DataUpdate::from_scalar(time, quality, scalar),
            (None, Some(text)) => {
                DataUpdate::from_text(time, quality, &text).expect("it was an update's text")
            }
            both => panic!("a value is either a scalar or a text, not {both:?}"),
        };
        assert_eq!(rebuilt.raw_value(), record.raw_value());
    }
}

/// Copies of the message, with each byte in turn replaced by every other value.
fn changes(message: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..message.len()).flat_map(move |offset| {
        (1..=u8::MAX).map(move |difference| {
            let mut changed = message.to_vec();
            changed[offset] ^= difference;
            changed
        })
    })
}

fn write_messages() -> Vec<Vec<u8>> {
    let handle = MxReferenceHandle::from_names("Reactor.Cooling", "Setting");
    [
        WriteValue::Boolean(true),
        WriteValue::Int32(i32::MIN),
        WriteValue::Float32(f32::NAN),
        WriteValue::Float64(f64::NAN),
        WriteValue::String(String::new()),
        WriteValue::String("größer 😀".into()),
    ]
    .iter()
    .map(|value| {
        write_message::encode(&handle, value, 7, u64::MAX).expect("the value is in limits")
    })
    .collect()
}

fn subscription_messages() -> Vec<Vec<u8>> {
    let time = Timestamp::from_filetime(133_500_000_000_000_000);
    let scalar = |value| DataUpdate::from_scalar(time, Quality::GOOD, value);
    let text =
        |value| DataUpdate::from_text(time, Quality::GOOD, value).expect("the text is short");
    [
        vec![
            scalar(Scalar::Boolean(true)),
            scalar(Scalar::Boolean(false)),
        ],
        vec![scalar(Scalar::Int32(i32::MIN)), text("größer 😀")],
        vec![text(""), scalar(Scalar::Float32(f32::NAN))],
        vec![scalar(Scalar::Float64(f64::NAN)); 3],
    ]
    .into_iter()
    .map(|records| {
        let message = NmxSubscriptionMessage {
            operation_id: [0xa5; 16],
            records,
        };
        message.encode().expect("the records are few")
    })
    .collect()
}
