//! [`Yaml`]: a text as a tree.

use saphyr_parser::{Event, Parser};

/// A node. Every scalar is a text: nobody here asks for numbers.
#[derive(Debug, Clone)]
pub(crate) enum Yaml {
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// Reads a text with one document.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        // The lists and maps that are open, each with its nodes: of a map, keys and values.
        let mut open: Vec<Vec<Self>> = vec![Vec::new()];
        for event in Parser::new_from_str(text) {
            let (event, _) = event.map_err(|error| error.to_string())?;
            let node = match event {
                Event::SequenceStart(..) | Event::MappingStart(..) => {
                    open.push(Vec::new());
                    continue;
                }
                Event::Scalar(text, ..) => Self::Text(text.into_owned()),
                Event::SequenceEnd => Self::List(open.pop().unwrap_or_default()),
                Event::MappingEnd => Self::map(open.pop().unwrap_or_default())?,
                Event::Alias(_) => return Err("an alias".to_owned()),
                Event::Nothing
                | Event::StreamStart
                | Event::StreamEnd
                | Event::DocumentStart(_)
                | Event::DocumentEnd => continue,
            };
            open.last_mut().ok_or("an end without a start")?.push(node);
        }
        let mut documents = open.pop().unwrap_or_default();
        match (documents.pop(), documents.is_empty()) {
            (Some(document), true) => Ok(document),
            _ => Err("not one document".to_owned()),
        }
    }

    fn map(nodes: Vec<Self>) -> Result<Self, String> {
        let mut pairs: Vec<(String, Self)> = Vec::new();
        let mut nodes = nodes.into_iter();
        while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
            let Self::Text(key) = key else {
                return Err(format!("a key that is no text: {key:?}"));
            };
            if pairs.iter().any(|(other, _)| *other == key) {
                return Err(format!("{key} twice"));
            }
            pairs.push((key, value));
        }
        Ok(Self::Map(pairs))
    }

    /// The pairs of a map; none of other nodes.
    pub(crate) fn pairs(&self) -> &[(String, Self)] {
        match self {
            Self::Map(pairs) => pairs,
            Self::Text(_) | Self::List(_) => &[],
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let pair = self.pairs().iter().find(|(other, _)| other == key);
        pair.map(|(_, value)| value)
    }

    /// The text of a key.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            Self::Text(text) => Some(text),
            Self::List(_) | Self::Map(_) => None,
        }
    }

    /// The nodes of a list; none of other nodes.
    pub(crate) fn nodes(&self) -> &[Self] {
        match self {
            Self::List(nodes) => nodes,
            Self::Text(_) | Self::Map(_) => &[],
        }
    }
}
