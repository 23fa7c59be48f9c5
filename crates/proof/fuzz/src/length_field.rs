//! A parser with a mistake that is planted, for the recipes of `design/recipes.md`: it makes room
//! for what a length field says.

/// Splits `data` into records: a length in four bytes, and as many bytes.
pub fn decode(mut data: &[u8]) -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    while let Some((length, rest)) = data.split_first_chunk() {
        let length = u32::from_le_bytes(*length) as usize;
        let mut record = Vec::with_capacity(length);
        let (own, rest) = rest.split_at(length.min(rest.len()));
        record.extend_from_slice(own);
        records.push(record);
        data = rest;
    }
    records
}
