//! Streams of a part of the scenarios.

use alloc_results::{PartitionRecord, read_streams};

use crate::{environment, refused, scenario, stream};

#[test]
fn a_stream_of_a_part_has_the_names_of_all_parts() {
    let mut environment = environment(&["b"]);
    environment.partition = Some(Box::new(PartitionRecord {
        part: "count:2/2".parse().expect("it is a part"),
        registered: vec!["a".into(), "b".into()],
    }));
    let text = stream(&environment, &[scenario("b")], &[]);
    let field = r#""partition":{"part":"count:2/2","registered":["a","b"]}"#;
    assert!(text.contains(field), "{text}");
    let read = read_streams("r.jsonl", &text).expect("it is whole");
    assert_eq!(read[0].environment, environment);
    let wrong = refused(&text.replace("count:2/2", "count:3/2"));
    let begin = "r.jsonl:1: invalid record (the parts are numbered from 1 to N at line 1 column ";
    assert!(wrong.starts_with(begin), "{wrong}");
    assert_eq!(
        refused(&text.replace(r#"["a","b"]"#, r#"["a"]"#)),
        "r.jsonl:1: invalid record (`b` is not among the registered scenarios); the file was damaged or edited: measure again"
    );
}
