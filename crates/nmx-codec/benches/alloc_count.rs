//! The allocations of encoding and decoding, per message. The limits are in
//! `gates.toml` of the workspace, and the crate's README explains each
//! allocation.

use std::process::ExitCode;

use alloc_scenario::{CountingAlloc, Suite, Unit};
use nmx_codec::write_message::{self, WriteValue};
use nmx_codec::{
    DataUpdate, MxReferenceHandle, NmxSubscriptionMessage, Quality, Scalar, Timestamp,
};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

const OBJECT: &str = "Reactor.Cooling";
const ATTRIBUTE: &str = "Setting";
const WRITE_INDEX: u32 = 7;
const CLIENT_TOKEN: u64 = 0x0123_4567_89ab_cdef;

fn main() -> ExitCode {
    let handle = MxReferenceHandle::from_names(OBJECT, ATTRIBUTE);
    let encode = |value: &WriteValue| {
        write_message::encode(&handle, value, WRITE_INDEX, CLIENT_TOKEN)
            .expect("the value fits a message")
    };
    let int32 = WriteValue::Int32(42);
    let float32 = WriteValue::Float32(1.5);
    let float64 = WriteValue::Float64(2.5);
    let boolean = WriteValue::Boolean(true);
    let string = WriteValue::String("hello".to_owned());

    let mut suite = Suite::from_args();
    // The length of the message matters as much as the allocations that make
    // it.
    let mut made = suite.group("write_message::encode");
    for (name, value) in [
        ("Int32", &int32),
        ("Float32", &float32),
        ("Float64", &float64),
        ("Boolean", &boolean),
        ("String, 5 chars", &string),
    ] {
        made.scenario_with(name, |b| {
            b.run(move |()| encode(value))
                .metric("encoded-bytes", Unit::Bytes, |message| message.len() as i64)
        });
    }
    suite.scenario("MxReferenceHandle::from_names", || {
        MxReferenceHandle::from_names(OBJECT, ATTRIBUTE)
    });
    suite
        .group("NmxSubscriptionMessage::parse_inner")
        .scenario_with("DataUpdate, Int32", |b| {
            b.setup(|()| one_update())
                .run(|message| NmxSubscriptionMessage::parse_inner(message))
                .verify(|parsed| {
                    let parsed = parsed.as_ref().expect("the message is valid");
                    assert_eq!(parsed.records[0].scalar(), Some(Scalar::Int32(42)));
                })
        });

    // The same messages in a buffer that the caller keeps.
    let encode_into = |buffer: &mut Vec<u8>, value: &WriteValue| {
        write_message::encode_into(buffer, &handle, value, WRITE_INDEX, CLIENT_TOKEN)
            .expect("the value fits a message");
    };
    let mut kept = suite.group("write_message::encode_into");
    for (name, value) in [("Int32", &int32), ("Boolean", &boolean)] {
        kept.scenario_with(name, |b| {
            b.setup(|()| Vec::with_capacity(64))
                .run(move |buffer| encode_into(buffer, value))
        });
    }
    suite.finish()
}

/// A message with one record: a good Int32.
fn one_update() -> Vec<u8> {
    let record = DataUpdate::from_scalar(
        Timestamp::from_filetime(133_500_000_000_000_000),
        Quality::GOOD,
        Scalar::Int32(42),
    );
    let message = NmxSubscriptionMessage {
        operation_id: [7; 16],
        records: vec![record],
    };
    message.encode().expect("one record fits a message")
}
