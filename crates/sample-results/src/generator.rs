//! Random choices that are the same in every run.

use std::env;

/// Marsaglia's xorshift with 64 bits: enough for choices, and no dependency.
pub struct Generator(u64);

/// The rounds of a test whose rounds are slow: so many, or `ALLOC_GATE_ROUNDS` times as many.
///
/// # Panics
///
/// When the variable is no number.
#[must_use]
pub fn rounds(few: usize) -> usize {
    let times = env::var("ALLOC_GATE_ROUNDS");
    few * times.map_or(1, |times| times.parse().expect("it is a number"))
}

impl Generator {
    /// The choices of this start.
    #[must_use]
    pub fn new(start: u64) -> Self {
        // The state must not be 0, which it would never leave.
        Self(start.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("a usize has at most 64 bits");
        usize::try_from(self.next() % end).expect("it is below a usize")
    }

    /// One of `choices`.
    pub fn one<'c, T: ?Sized>(&mut self, choices: &[&'c T]) -> &'c T {
        choices[self.below(choices.len())]
    }

    /// Text of up to `most` characters, with what is special in TOML, markdown,
    /// terminals and globs among them, and characters of every length in UTF-8.
    pub fn text(&mut self, most: usize) -> String {
        const CHARACTERS: &str =
            "abz019 _-.:/|\\`*[]{}<>()&~$#!@\"'=,%\t\n\r\u{1b}äß包📦\u{301}\u{202e}";
        let characters: Vec<char> = CHARACTERS.chars().collect();
        let length = self.below(most + 1);
        (0..length)
            .map(|_| characters[self.below(characters.len())])
            .collect()
    }

    /// Up to `most` bytes of any value, with what is no UTF-8 replaced.
    pub fn bytes(&mut self, most: usize) -> String {
        let length = self.below(most + 1);
        let bytes: Vec<u8> = (0..length).map(|_| self.next().to_le_bytes()[3]).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The same things in another order.
    pub fn shuffled<T>(&mut self, mut things: Vec<T>) -> Vec<T> {
        for end in (1..things.len()).rev() {
            let other = self.below(end + 1);
            things.swap(end, other);
        }
        things
    }

    /// A reading of results, such as `allocs=3 bytes=40`.
    pub fn reading(&mut self) -> String {
        let mut fields = format!("allocs={} bytes={}", 1 + self.below(4), self.below(100));
        if self.below(2) == 0 {
            fields += &format!(
                " deallocs={} freed-bytes={}",
                self.below(4),
                self.below(100)
            );
        }
        if self.below(4) == 0 {
            fields += " reallocs=1";
        }
        if self.below(2) == 0 {
            fields += &format!(" peak={}", self.below(100));
        }
        fields
    }

    /// Results of up to 6 scenarios with names of any kind, in up to 3 benches.
    pub fn results(&mut self) -> String {
        let mut text = String::new();
        for bench in 0..=self.below(3) {
            let allocator = self.one(&["std::alloc::System", "mimalloc"]);
            let profile = self.one(&["bench", "dev"]);
            text += &format!("bench p{bench}/t allocator={allocator} profile={profile}\n");
            for scenario in 0..=self.below(2) {
                // The number keeps names apart.
                let name = format!("{}{bench}{scenario}", self.text(8));
                let name = serde_json::to_string(&name).expect("a text is JSON");
                let times = self.below(20) + 1;
                text += &format!("{name}: {times} x {}", self.reading());
                if self.below(3) == 0 {
                    text += &format!("; {} x {}", self.below(20) + 1, self.reading());
                }
                text += &format!(" | first {} | warmup={}\n", self.reading(), self.below(3));
            }
        }
        text
    }

    /// The text after a few cuts, repetitions and insertions.
    pub fn mutated(&mut self, text: &str) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(3) {
            let at = self.below(characters.len() + 1);
            let until = (at + self.below(12)).min(characters.len());
            let replacement = match self.below(4) {
                0 => String::new(),
                1 => self.text(6),
                2 => characters[at..until].iter().collect::<String>().repeat(2),
                _ => String::from(self.one(&["\"", "'''", "[[", "]", "=", "\\", "{", "}", "ä"])),
            };
            characters.splice(at..until, replacement.chars());
        }
        characters.into_iter().collect()
    }
}
