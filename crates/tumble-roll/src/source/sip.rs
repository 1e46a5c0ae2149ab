//! SipHash-2-4 (Aumasson and Bernstein, 2012) over whole words, so that a die needs no buffer of bytes.
//!
//! ```text
//! state    = key ^ "somepseudorandomlygeneratedbytes"
//! word w   : v3 ^= w; 2 rounds; v0 ^= w
//! end      : v2 ^= 255; 4 rounds; v0 ^ v1 ^ v2 ^ v3
//! ```
//!
//! The last word holds the bytes that are left and, on top, the number of all bytes.

/// A hash of some words, to be gone on with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sip {
    v0: u64,
    v1: u64,
    v2: u64,
    v3: u64,
}

impl Sip {
    #[inline]
    pub(super) fn new(first: u64, second: u64) -> Sip {
        Sip {
            v0: first ^ 0x736f_6d65_7073_6575,
            v1: second ^ 0x646f_7261_6e64_6f6d,
            v2: first ^ 0x6c79_6765_6e65_7261,
            v3: second ^ 0x7465_6462_7974_6573,
        }
    }

    /// Goes on with eight bytes, the first one lowest.
    #[inline]
    pub(super) fn word(mut self, word: u64) -> Sip {
        self.v3 ^= word;
        self = self.round().round();
        self.v0 ^= word;
        self
    }

    /// The hash of all words so far.
    #[inline]
    pub(super) fn finish(mut self) -> u64 {
        self.v2 ^= 0xff;
        let Sip { v0, v1, v2, v3 } = self.round().round().round().round();
        v0 ^ v1 ^ v2 ^ v3
    }

    #[inline]
    fn round(self) -> Sip {
        let Sip { mut v0, mut v1, mut v2, mut v3 } = self;
        v0 = v0.wrapping_add(v1);
        v1 = v1.rotate_left(13) ^ v0;
        v0 = v0.rotate_left(32);
        v2 = v2.wrapping_add(v3);
        v3 = v3.rotate_left(16) ^ v2;
        v0 = v0.wrapping_add(v3);
        v3 = v3.rotate_left(21) ^ v0;
        v2 = v2.wrapping_add(v1);
        v1 = v1.rotate_left(17) ^ v2;
        v2 = v2.rotate_left(32);
        Sip { v0, v1, v2, v3 }
    }
}
