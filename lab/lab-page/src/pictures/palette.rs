//! The colours of the pictures, for light and for dark pages.

use std::f64::consts::SQRT_2;

use crate::facts::Family;

/// A colour: red, green, blue.
pub(crate) type Rgb = u32;

/// A colour on a light page and on a dark one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) light: Rgb,
    pub(crate) dark: Rgb,
}

const fn pair(light: Rgb, dark: Rgb) -> Pair {
    Pair { light, dark }
}

/// The ground of a picture.
pub(crate) const GROUND: Pair = pair(0xff_ff_ff, 0x0d_11_17);
/// Text.
pub(crate) const INK: Pair = pair(0x1f_23_28, 0xe6_ed_f3);
/// Text of less weight.
pub(crate) const DIM: Pair = pair(0x59_63_6e, 0x9d_a7_b3);
/// Lines behind figures.
pub(crate) const GRID: Pair = pair(0xd8_de_e4, 0x2d_33_3b);
/// The noise: the ground of grey cells, and of bands.
pub(crate) const NOISE: Pair = pair(0xdf_e2_e6, 0x3a_41_4a);
/// A failed cell: its ground; its edge is of [`INK`].
pub(crate) const FAIL: Pair = pair(0xff_f3_b0, 0x5c_4a_00);

/// A ground and the text on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tone {
    pub(crate) ground: Pair,
    pub(crate) text: Pair,
}

const fn tone(light: Rgb, light_text: Rgb, dark: Rgb, dark_text: Rgb) -> Tone {
    Tone {
        ground: pair(light, dark),
        text: pair(light_text, dark_text),
    }
}

const BLACK: Rgb = 0x10_14_18;
const WHITE: Rgb = 0xff_ff_ff;

/// The bounds between the steps of the colour scale: how many times as fast, or as slow.
pub(crate) const BOUNDS: [f64; 4] = [SQRT_2, 2.0, 4.0, 8.0];

/// The bounds as text, from the fastest to the slowest.
pub(crate) const BOUND_TEXTS: [&str; 9] = [
    "0.125x", "0.25x", "0.5x", "0.71x", "1x", "1.4x", "2x", "4x", "8x",
];

/// Faster: blue, the stronger the faster. The hues are those of ColorBrewer's scales from
/// orange to blue, which readers with any colour blindness can tell apart.
pub(crate) const FASTER: [Tone; 5] = [
    tone(0xe3_f0_f8, BLACK, 0x17_36_50, WHITE),
    tone(0xb5_d7_ec, BLACK, 0x17_4b_74, WHITE),
    tone(0x74_b2_d9, BLACK, 0x1a_66_9e, WHITE),
    tone(0x24_6f_b3, WHITE, 0x5a_a9_de, BLACK),
    tone(0x08_41_7c, WHITE, 0xae_d9_f7, BLACK),
];

/// Slower: orange, the stronger the slower.
pub(crate) const SLOWER: [Tone; 5] = [
    tone(0xfd_ee_da, BLACK, 0x4a_2f_12, WHITE),
    tone(0xfd_d2_a0, BLACK, 0x68_3f_0e, WHITE),
    tone(0xf2_a3_4c, BLACK, 0x96_58_0b, WHITE),
    tone(0xb5_5a_05, WHITE, 0xe6_96_3c, BLACK),
    tone(0x7a_37_06, WHITE, 0xfd_cf_94, BLACK),
];

/// The step of the scale for a ratio.
pub(crate) fn step(ratio: f64) -> (bool, usize) {
    let is_faster = ratio < 1.0;
    let times = if is_faster { ratio.recip() } else { ratio };
    let step = BOUNDS.iter().filter(|bound| times >= **bound).count();
    (is_faster, step)
}

/// The hue of a family, for labels, lines and marks. Neither is a hue of the scale.
pub(crate) const fn hue(family: Family) -> Pair {
    match family {
        Family::System => INK,
        Family::Native => pair(0x6f_3c_b4, 0xc0_9c_fb),
        Family::Rust => pair(0x00_71_5d, 0x4a_d3_b4),
        Family::Region => pair(0xa8_1d_5e, 0xfb_8c_bd),
        Family::Arena => pair(0x6b_5d_00, 0xd9_c5_3c),
        Family::Other => DIM,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contrast of two colours by WCAG 2.
    fn contrast(first: Rgb, second: Rgb) -> f64 {
        let luminance = |colour: Rgb| {
            let part = |shift: u32| {
                let value = f64::from((colour >> shift) & 0xff) / 255.0;
                if value <= 0.040_45 {
                    value / 12.92
                } else {
                    ((value + 0.055) / 1.055).powf(2.4)
                }
            };
            0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
        };
        let (first, second) = (luminance(first), luminance(second));
        (first.max(second) + 0.05) / (first.min(second) + 0.05)
    }

    #[test]
    fn text_is_legible_in_both_modes() {
        assert!((contrast(0, 0xff_ff_ff) - 21.0).abs() < 1e-9);
        let tones = FASTER.iter().chain(&SLOWER);
        let on_tones = tones.map(|tone| (tone.text, tone.ground));
        let hues = Family::ALL.map(|family| (hue(family), GROUND));
        let others = [(INK, GROUND), (DIM, GROUND), (INK, NOISE), (INK, FAIL)];
        for (text, ground) in on_tones.chain(hues).chain(others) {
            let light = contrast(text.light, ground.light);
            let dark = contrast(text.dark, ground.dark);
            assert!(
                light >= 4.5,
                "{light} of {:06x} on {:06x}",
                text.light,
                ground.light
            );
            assert!(
                dark >= 4.5,
                "{dark} of {:06x} on {:06x}",
                text.dark,
                ground.dark
            );
        }
    }

    #[test]
    fn the_scale_is_the_same_in_both_directions() {
        for (ratio, place) in [
            (0.99, (true, 0)),
            (1.0, (false, 0)),
            (1.4, (false, 0)),
            (1.5, (false, 1)),
            (0.5, (true, 2)),
            (2.0, (false, 2)),
            (0.2, (true, 3)),
            (8.0, (false, 4)),
            (0.01, (true, 4)),
            (900.0, (false, 4)),
        ] {
            assert_eq!(step(ratio), place, "{ratio}");
        }
    }
}
