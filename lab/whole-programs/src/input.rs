//! The texts that the programs work on: the same in each run.

use std::fmt::Write;

/// 32 words of a text; a fifth of them is marked up.
const WORDS: &str = "memory block of the a program that takes gives back size thread and in page \
                     fault allocator time is not exact count line which some other heap frame small \
                     large reads writes";

/// Numbers that look random, by xorshift.
struct Numbers(u32);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 as usize % end
    }

    fn word(&mut self) -> &'static str {
        let word = self.below(32);
        WORDS.split(' ').nth(word).unwrap_or_default()
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<_> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }
}

/// A book of Markdown: chapters with paragraphs, lists, code, links and tables.
pub(crate) fn book(chapters: usize) -> String {
    let mut numbers = Numbers(42);
    let mut book = String::new();
    for chapter in 1..=chapters {
        let _ = writeln!(book, "## {chapter}. {}\n", numbers.words(4));
        for _ in 0..6 {
            paragraph(&mut book, &mut numbers);
        }
        for _ in 0..8 {
            let (length, address) = (3 + numbers.below(9), numbers.below(1_000));
            let (words, link) = (numbers.words(length), numbers.word());
            let _ = writeln!(
                book,
                "- {words}, see [{link}](https://example.org/{address})"
            );
        }
        let _ = writeln!(
            book,
            "\n```rust\nlet {} = {};\n```\n",
            numbers.word(),
            numbers.below(99)
        );
        let _ = writeln!(
            book,
            "| {} | {} |\n|---|---:|",
            numbers.word(),
            numbers.word()
        );
        for _ in 0..5 {
            let _ = writeln!(book, "| {} | {} |", numbers.words(3), numbers.below(10_000));
        }
        book.push('\n');
    }
    book
}

fn paragraph(book: &mut String, numbers: &mut Numbers) {
    for _ in 0..40 + numbers.below(60) {
        let word = numbers.word();
        let _ = match numbers.below(15) {
            0 => write!(book, "*{word}* "),
            1 => write!(book, "`{word}` "),
            2 => write!(book, "**{word}**, "),
            3 => writeln!(book, "{word}."),
            _ => write!(book, "{word} "),
        };
    }
    book.push_str("\n\n");
}

/// A JSON document of records with numbers, lists and texts of several lengths.
pub(crate) fn records(count: usize) -> String {
    let mut numbers = Numbers(7);
    let records = (0..count).map(|id| {
        let (name, place) = (numbers.words(2), numbers.below(1_000_000));
        let tags: Vec<_> = (0..numbers.below(8))
            .map(|_| format!("{:?}", numbers.word()))
            .collect();
        let length = 5 + numbers.below(40);
        let text = numbers.words(length);
        format!(
            "{{\"id\":{id},\"name\":\"{name}\",\"place\":{{\"x\":{place},\"y\":{}.5}},\
             \"tags\":[{}],\"text\":\"{text}\"}}",
            place / 7,
            tags.join(",")
        )
    });
    format!("[{}]", records.collect::<Vec<_>>().join(",\n"))
}
