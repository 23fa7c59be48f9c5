//! Random programs on the cache, against a model that looks through all blocks: the same
//! blocks, counts and calls of the device after every step, intact contents, and no missing
//! synchronisation between streams.

use std::collections::BTreeSet;

use device_lab::{
    Block, Cache, Calls, Counters, DeviceBackend, DeviceError, Fake, FakeMemory, Misuse, Stream,
};

const PROGRAMS: u64 = 100;
const STEPS: usize = 400;

/// All that the model knows: every block, cached or in use.
#[derive(Default)]
struct Model {
    capacity: u64,
    /// The calls of the device that it refuses.
    refusals: BTreeSet<u64>,
    blocks: Vec<ModelBlock>,
    gives: u64,
    allocated: u64,
    counters: Counters,
    calls: Calls,
}

#[derive(Clone)]
struct ModelBlock {
    address: u64,
    class: u64,
    requested: u64,
    /// The streams that used it, and once it is cached, those that were not synchronised
    /// since.
    streams: BTreeSet<Stream>,
    /// Its place in the order of blocks given back; none while it is in use.
    given: Option<u64>,
}

impl Model {
    /// The address of the block that a request gets.
    fn take(&mut self, bytes: u64, stream: Stream) -> Option<u64> {
        let class = class(bytes);
        let reusable = |block: &&mut ModelBlock| {
            block.given.is_some()
                && block.class == class
                && block.streams.iter().all(|other| *other == stream)
        };
        let cached = self.blocks.iter_mut().filter(reusable);
        let address = match cached.max_by_key(|block| block.given) {
            Some(block) => {
                block.given = None;
                block.requested = bytes;
                block.streams = BTreeSet::from([stream]);
                self.counters.hits += 1;
                Some(block.address)
            }
            None => self.allocate(class).then(|| {
                self.counters.misses += 1;
                self.blocks.push(ModelBlock {
                    address: self.allocated,
                    class,
                    requested: bytes,
                    streams: BTreeSet::from([stream]),
                    given: None,
                });
                self.allocated += 1;
                self.allocated - 1
            }),
        };
        self.counters.refused += u64::from(address.is_none());
        self.add_up();
        address
    }

    /// Whether there is room, after blocks were released.
    fn allocate(&mut self, class: u64) -> bool {
        loop {
            let is_refused = self.refusals.contains(&self.calls.allocate);
            self.calls.allocate += 1;
            if !is_refused && self.counters.reserved + class <= self.capacity {
                return true;
            }
            if self.release(class) == 0 {
                return false;
            }
        }
    }

    fn give(&mut self, address: u64) {
        let given = self.gives;
        self.gives += 1;
        self.block(address).given = Some(given);
        self.add_up();
    }

    fn synchronise(&mut self, stream: Stream) {
        self.calls.synchronise += 1;
        let cached = self.blocks.iter_mut().filter(|block| block.given.is_some());
        cached.for_each(|block| {
            block.streams.remove(&stream);
        });
    }

    fn release(&mut self, bytes: u64) -> u64 {
        let mut released = 0;
        while released < bytes {
            let cached = self.blocks.iter().filter(|block| block.given.is_some());
            let next = cached.min_by_key(|block| (!block.streams.is_empty(), block.given));
            let Some(next) = next.cloned() else { break };
            for stream in next.streams {
                self.synchronise(stream);
            }
            self.blocks.retain(|block| block.address != next.address);
            self.counters.released += 1;
            self.calls.free += 1;
            released += next.class;
            self.add_up();
        }
        released
    }

    fn block(&mut self, address: u64) -> &mut ModelBlock {
        let mut blocks = self.blocks.iter_mut();
        let block = blocks.find(|block| block.address == address);
        block.expect("a block of the model")
    }

    /// Recomputes the bytes from the blocks.
    fn add_up(&mut self) {
        let in_use = || self.blocks.iter().filter(|block| block.given.is_none());
        let counters = &mut self.counters;
        counters.reserved = self.blocks.iter().map(|block| block.class).sum();
        counters.in_use = in_use().map(|block| block.class).sum();
        counters.requested = in_use().map(|block| block.requested).sum();
        counters.reserved_peak = counters.reserved_peak.max(counters.reserved);
        counters.in_use_peak = counters.in_use_peak.max(counters.in_use);
    }
}

/// The smallest of all classes that holds the request.
fn class(bytes: u64) -> u64 {
    let steps = (0..).flat_map(|power| (4..8).map(move |step| (128 << power) * step));
    steps
        .into_iter()
        .find(|class| *class >= bytes)
        .expect("a class")
}

/// A block in use, as the program sees it.
struct Held {
    block: Block<FakeMemory>,
    /// The stream of its last work.
    stream: Stream,
    pattern: u8,
}

/// A program with its cache and the model.
struct Program {
    /// For messages.
    place: String,
    random: Random,
    cache: Cache<Fake>,
    model: Model,
    streams: Vec<Stream>,
    held: Vec<Held>,
}

impl Program {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let capacity = 4_096 << random.below(4);
        let refusals: BTreeSet<u64> = (0..random.below(20)).map(|_| random.below(200)).collect();
        let mut device = Fake::new(capacity);
        device.refuse(refusals.iter().copied());
        let mut streams = vec![Stream::DEFAULT];
        for _ in 0..random.below(3) {
            streams.push(device.create_stream().expect("a stream"));
        }
        let model = Model {
            capacity,
            refusals,
            ..Model::default()
        };
        Self {
            place: String::new(),
            random,
            cache: Cache::new(device),
            model,
            streams,
            held: Vec::new(),
        }
    }

    fn step(&mut self) {
        let place = self.place.clone();
        match self.random.below(16) {
            0..7 => self.take(),
            7..12 => self.give(),
            12..14 => self.work(),
            14 => {
                let stream = self.stream();
                self.synchronise(stream);
            }
            _ => {
                let bytes = self.random.below(2_048);
                let expected = self.model.release(bytes);
                assert_eq!(self.cache.release(bytes), Ok(expected), "{place}");
            }
        }
        assert_eq!(self.cache.counters(), self.model.counters, "{place}");
        let device = self.cache.backend();
        assert_eq!(device.calls(), self.model.calls, "{place}");
        assert_eq!(device.used(), self.model.counters.reserved, "{place}");
        assert_eq!(device.misuse(), Misuse::default(), "{place}");
    }

    fn take(&mut self) {
        let bytes = self.random.below(3_000);
        let stream = self.stream();
        let expected = self.model.take(bytes, stream);
        match self.cache.take(bytes, stream) {
            Ok(block) => {
                assert_eq!(Some(block.memory().address()), expected, "{}", self.place);
                let pattern = self.random.below(256) as u8;
                self.fill(&block, pattern, stream);
                self.held.push(Held {
                    block,
                    stream,
                    pattern,
                });
            }
            Err(error) => {
                assert!(matches!(error, DeviceError::OutOfMemory { .. }), "{error}");
                assert_eq!(expected, None, "{}", self.place);
            }
        }
    }

    /// Checks the contents of a block, and gives it back.
    fn give(&mut self) {
        let Some(held) = self.pick() else { return };
        let mut contents = vec![0; held.block.size() as usize];
        let device = self.cache.backend();
        let downloaded = device.download(held.block.memory(), &mut contents, held.stream);
        downloaded.expect("a device");
        let is_intact = contents.iter().all(|byte| *byte == held.pattern);
        assert!(is_intact, "{}", self.place);
        self.fill(&held.block, held.pattern, held.stream);
        self.model.give(held.block.memory().address());
        self.cache.give(held.block);
    }

    /// Works on a block with any stream, after its last work.
    fn work(&mut self) {
        let Some(mut held) = self.pick() else { return };
        let stream = self.stream();
        if stream != held.stream {
            self.synchronise(held.stream);
            held.block.used_by(stream);
            let block = self.model.block(held.block.memory().address());
            block.streams.insert(stream);
            held.stream = stream;
        }
        held.pattern = held.pattern.wrapping_add(1);
        self.fill(&held.block, held.pattern, stream);
        self.held.push(held);
    }

    fn synchronise(&mut self, stream: Stream) {
        self.model.synchronise(stream);
        self.cache.synchronise(stream).expect("a device");
    }

    fn fill(&mut self, block: &Block<FakeMemory>, pattern: u8, stream: Stream) {
        let filled = self.cache.backend().fill(block.memory(), pattern, stream);
        filled.expect("a device");
    }

    fn pick(&mut self) -> Option<Held> {
        let count = self.held.len() as u64;
        (count > 0).then(|| self.held.remove(self.random.below(count) as usize))
    }

    fn stream(&mut self) -> Stream {
        self.streams[self.random.below(self.streams.len() as u64) as usize]
    }
}

#[test]
fn random_programs_agree_with_the_model() {
    let mut sum = Counters::default();
    for seed in 0..PROGRAMS {
        let mut program = Program::new(seed);
        for step in 0..STEPS {
            program.place = format!("program {seed}, step {step}");
            program.step();
        }
        while !program.held.is_empty() {
            program.give();
        }
        let counters = program.cache.counters();
        sum.hits += counters.hits;
        sum.misses += counters.misses;
        sum.refused += counters.refused;
        sum.released += counters.released;
        let device = program.cache.into_backend().expect("a device");
        assert_eq!((device.used(), device.misuse()), (0, Misuse::default()));
    }
    // The programs reach all of it, each more than ten times a program on average.
    for count in [sum.hits, sum.misses, sum.refused, sum.released] {
        assert!(count > 10 * PROGRAMS, "{sum:?}");
    }
}

/// Steele, Lea and Flood's SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }
}
