//! [`MxReferenceHandle`]: a reference to an attribute, and the route to its object.

use crate::decode_error::{DecodeError, Field};
use crate::reader::Reader;
use crate::signature;

/// A reference to an attribute of an object.
///
/// 20 bytes on the wire: the [`Route`], then the [`Target`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MxReferenceHandle {
    /// The route to the object.
    pub route: Route,
    /// The attribute of the object.
    pub target: Target,
}

/// The route to an object. All fields are zero until the object is looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Route {
    /// The machine.
    pub node: u16,
    /// The process on that machine.
    pub engine: u16,
    /// The connection to that process.
    pub lane: u16,
}

/// The attribute that a handle refers to. A write message has this part of a handle,
/// since it has already taken the route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The signature of the object's name.
    pub object_signature: u16,
    /// The slot of the object in its engine, 0 until it is looked up.
    pub object_slot: u16,
    /// The signature of the attribute's name.
    pub attribute_signature: u16,
    /// The slot of the attribute in its object, 0 until it is looked up.
    pub attribute_slot: u16,
    /// The property of the attribute, 0 for its value.
    pub property: u16,
    /// The element of an array, or [`Target::WHOLE`].
    pub element: i32,
}

impl MxReferenceHandle {
    /// The length of a handle on the wire, in bytes.
    pub const WIRE_LEN: usize = Route::WIRE_LEN + Target::WIRE_LEN;

    /// The handle of an attribute that wasn't looked up yet: the signatures of both
    /// names, in any case.
    ///
    /// It allocates each name once, in lower case and in UTF-8. A name that isn't ASCII
    /// may become longer in lower case, and then its buffer grows.
    ///
    /// ```
    /// use nmx_codec::MxReferenceHandle;
    ///
    /// let handle = MxReferenceHandle::from_names("Reactor.Cooling", "Setting");
    /// let same = MxReferenceHandle::from_names("REACTOR.COOLING", "SETTING");
    /// assert_eq!(handle, same);
    /// ```
    pub fn from_names(object: &str, attribute: &str) -> Self {
        Self {
            route: Route::default(),
            target: Target {
                object_signature: signature::of_name(object),
                object_slot: 0,
                attribute_signature: signature::of_name(attribute),
                attribute_slot: 0,
                property: 0,
                element: Target::WHOLE,
            },
        }
    }

    /// Encodes the handle for the wire.
    pub fn to_wire(&self) -> [u8; Self::WIRE_LEN] {
        let mut wire = [0; Self::WIRE_LEN];
        let (route, target) = wire.split_at_mut(Route::WIRE_LEN);
        route.copy_from_slice(&self.route.to_wire());
        target.copy_from_slice(&self.target.to_wire());
        wire
    }

    /// Decodes a handle that fills the whole input.
    pub fn from_wire(wire: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(wire);
        let handle = Self {
            route: Route::read(&mut reader)?,
            target: Target::read(&mut reader)?,
        };
        reader.end()?;
        Ok(handle)
    }
}

impl Route {
    const WIRE_LEN: usize = 6;

    fn to_wire(self) -> [u8; Self::WIRE_LEN] {
        let mut wire = [0; Self::WIRE_LEN];
        wire[0..2].copy_from_slice(&self.node.to_le_bytes());
        wire[2..4].copy_from_slice(&self.engine.to_le_bytes());
        wire[4..6].copy_from_slice(&self.lane.to_le_bytes());
        wire
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            node: u16::from_le_bytes(reader.array(Field::Node)?),
            engine: u16::from_le_bytes(reader.array(Field::Engine)?),
            lane: u16::from_le_bytes(reader.array(Field::Lane)?),
        })
    }
}

impl Target {
    /// The `element` of an attribute that isn't an array, or of a whole array.
    pub const WHOLE: i32 = -1;

    /// The length of a target on the wire, in bytes.
    pub const WIRE_LEN: usize = 14;

    pub(crate) fn to_wire(self) -> [u8; Self::WIRE_LEN] {
        let mut wire = [0; Self::WIRE_LEN];
        wire[0..2].copy_from_slice(&self.object_signature.to_le_bytes());
        wire[2..4].copy_from_slice(&self.object_slot.to_le_bytes());
        wire[4..6].copy_from_slice(&self.attribute_signature.to_le_bytes());
        wire[6..8].copy_from_slice(&self.attribute_slot.to_le_bytes());
        wire[8..10].copy_from_slice(&self.property.to_le_bytes());
        wire[10..14].copy_from_slice(&self.element.to_le_bytes());
        wire
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            object_signature: u16::from_le_bytes(reader.array(Field::ObjectSignature)?),
            object_slot: u16::from_le_bytes(reader.array(Field::ObjectSlot)?),
            attribute_signature: u16::from_le_bytes(reader.array(Field::AttributeSignature)?),
            attribute_slot: u16::from_le_bytes(reader.array(Field::AttributeSlot)?),
            property: u16::from_le_bytes(reader.array(Field::Property)?),
            element: i32::from_le_bytes(reader.array(Field::Element)?),
        })
    }
}

/// A handle whose bytes on the wire all differ.
#[cfg(test)]
pub(crate) const HANDLE: MxReferenceHandle = MxReferenceHandle {
    route: Route {
        node: 0x0201,
        engine: 0x0403,
        lane: 0x0605,
    },
    target: Target {
        object_signature: 0x0807,
        object_slot: 0x0a09,
        attribute_signature: 0x0c0b,
        attribute_slot: 0x0e0d,
        property: 0x100f,
        element: 0x1413_1211,
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode_error::Problem;

    #[test]
    fn the_fields_stand_in_their_places() {
        let expected: Vec<u8> = (1..=20).collect();
        assert_eq!(HANDLE.to_wire().as_slice(), expected);
        assert_eq!(MxReferenceHandle::from_wire(&expected), Ok(HANDLE));
        assert_eq!(HANDLE.target.to_wire().as_slice(), &expected[6..]);
    }

    #[test]
    fn a_handle_of_names_is_not_looked_up_yet() {
        let handle = MxReferenceHandle::from_names("Reactor.Cooling", "Setting");
        assert_eq!(handle.route, Route::default());
        assert_eq!(handle.target.element, Target::WHOLE);
        assert_eq!(
            handle.target.object_signature,
            signature::of_name("reactor.cooling")
        );
        assert_eq!(
            handle.target.attribute_signature,
            signature::of_name("setting")
        );
    }

    #[test]
    fn a_handle_has_exactly_20_bytes() {
        let wire = HANDLE.to_wire();
        for len in 0..wire.len() {
            let error = MxReferenceHandle::from_wire(&wire[..len]).unwrap_err();
            assert!(
                matches!(error.problem(), Problem::Truncated { .. }),
                "{error}"
            );
        }
        let error = MxReferenceHandle::from_wire(&[0; 21]).unwrap_err();
        assert_eq!((error.field(), error.offset()), (Field::End, 20));
    }
}
