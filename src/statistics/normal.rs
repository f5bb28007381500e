//! The standard normal distribution.

/// The probability of a value below `x`.
pub(super) fn cumulative(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The value below which lies a share `p` of the distribution; infinite at 0 and 1.
///
/// Algorithm AS 241 (Wichura, *The percentage points of the normal distribution*, 1988), with a
/// relative error of about 1e-16.
pub(super) fn quantile(p: f64) -> f64 {
    if p <= 0.0 || p >= 1.0 {
        return if p <= 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(&CENTRAL, 0.180_625 - q * q);
    }
    let r = libm::sqrt(-libm::log(p.min(1.0 - p)));
    let x = if r <= 5.0 { ratio(&MIDDLE, r - 1.6) } else { ratio(&TAIL, r - 5.0) };
    x.copysign(q)
}

/// Coefficients of a numerator and a denominator, from the highest power down.
type Rational = [[f64; 8]; 2];

fn ratio(coefficients: &Rational, x: f64) -> f64 {
    let [numerator, denominator] =
        coefficients.map(|row| row.into_iter().fold(0.0, |sum, coefficient| sum * x + coefficient));
    numerator / denominator
}

const CENTRAL: Rational = [
    [
        2_509.080_928_730_122_7,
        33_430.575_583_588_13,
        67_265.770_927_008_7,
        45_921.953_931_549_87,
        13_731.693_765_509_46,
        1_971.590_950_306_551_3,
        133.141_667_891_784_38,
        3.387_132_872_796_366_5,
    ],
    [
        5_226.495_278_852_854,
        28_729.085_735_721_943,
        39_307.895_800_092_71,
        21_213.794_301_586_597,
        5_394.196_021_424_751,
        687.187_007_492_057_9,
        42.313_330_701_600_91,
        1.0,
    ],
];

const MIDDLE: Rational = [
    [
        7.745_450_142_783_414e-4,
        0.022_723_844_989_269_184,
        0.241_780_725_177_450_6,
        1.270_458_252_452_368_4,
        3.647_848_324_763_204_5,
        5.769_497_221_460_691,
        4.630_337_846_156_546,
        1.423_437_110_749_683_5,
    ],
    [
        1.050_750_071_644_416_9e-9,
        5.475_938_084_995_345e-4,
        0.015_198_666_563_616_457,
        0.148_103_976_427_480_08,
        0.689_767_334_985_1,
        1.676_384_830_183_803_8,
        2.053_191_626_637_759,
        1.0,
    ],
];

const TAIL: Rational = [
    [
        2.010_334_399_292_288_1e-7,
        2.711_555_568_743_487_6e-5,
        0.001_242_660_947_388_078_4,
        0.026_532_189_526_576_124,
        0.296_560_571_828_504_87,
        1.784_826_539_917_291_3,
        5.463_784_911_164_114,
        6.657_904_643_501_103,
    ],
    [
        2.044_263_103_389_939_7e-15,
        1.421_511_758_316_446e-7,
        1.846_318_317_510_054_8e-5,
        7.868_691_311_456_133e-4,
        0.014_875_361_290_850_615,
        0.136_929_880_922_735_8,
        0.599_832_206_555_888,
        1.0,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_published_tables() {
        let tables = [
            (0.5, 0.0),
            (0.75, 0.674_489_750_196_081_7),
            (0.9, 1.281_551_565_544_600_5),
            (0.975, 1.959_963_984_540_054),
            (0.995, 2.575_829_303_548_901),
            (0.999_5, 3.290_526_731_491_925),
            (1e-6, -4.753_424_308_822_899),
            (1e-12, -7.034_483_825_301_132),
        ];
        for (p, expected) in tables {
            let found = quantile(p);
            assert!((found - expected).abs() < 1e-13, "{p}: {found} is not {expected}");
        }
        assert_eq!((quantile(0.0), quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn quantile_and_cumulative_are_inverse() {
        for step in -70..=70 {
            let x = f64::from(step) / 10.0;
            let p = cumulative(x);
            // Near 1 the rounding of p itself costs digits.
            let tolerance = if x > 4.0 { 1e-3 } else { 1e-9 };
            assert!((quantile(p) - x).abs() < tolerance, "{x}: {p}, {}", quantile(p));
        }
    }
}
