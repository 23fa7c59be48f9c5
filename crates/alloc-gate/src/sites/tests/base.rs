//! The program that the tests change.

/// The program before the changes.
pub(super) const BASE: &str = "\
=== src/text.rs
//! Texts.

fn little_endian(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len() * 2); //@ with_capacity 1 16
    for unit in units {
        bytes.extend(unit.to_le_bytes());
    }
    bytes
}

fn terminated(text: &str) -> Vec<u16> {
    let mut units = text.encode_utf16().collect(); //@ collect 1 12
    units.push(0); //@ push 1 24
    units
}

fn length_prefixed(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + 4); //@ with_capacity 1 16
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

fn title(text: &str) -> String {
    let first = text.to_uppercase(); //@ to_uppercase 1 8
    let rest = text.to_lowercase(); //@ to_lowercase 1 8
    format!(\"{first}{rest}\") //@ format! 1 16
}
=== src/message.rs
//! Messages.

fn encode(message: &Message) -> Vec<u8> {
    let mut out = Vec::new();
    out.reserve_exact(message.size()); //@ reserve_exact 1 52
    for field in &message.fields {
        encode_field(field, &mut out);
    }
    out
}

fn encode_field(field: &Field, out: &mut Vec<u8>) {
    let name = field.name.clone(); //@ clone 1 10
    let value = field.value.clone(); //@ clone 1 20
    out.extend(name.bytes().chain(value.bytes()));
}

fn decode(bytes: &[u8]) -> Message {
    let mut fields = Vec::new();
    while let Some(field) = next(bytes) {
        fields.push(field); //@ push 2 96
    }
    Message { fields }
}

fn index(fields: &[Field]) -> HashMap<String, usize> {
    let mut map = HashMap::with_capacity(fields.len()); //@ with_capacity 1 448
    for (at, field) in fields.iter().enumerate() {
        map.insert(field.name.clone(), at); //@ clone 4 40
    }
    map
}
";

/// The text with each replacement made once.
pub(super) fn replaced(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text.replace(from, to)
    })
}
