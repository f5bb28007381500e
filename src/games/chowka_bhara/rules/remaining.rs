//! The values of a turn that are left to play.

use super::moves::MAX_THROWS;

/// The values of a turn that are left to play: at most three different ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemainingValues {
    /// Ascending.
    value: [u8; 3],
    left: [u8; 3],
}

impl RemainingValues {
    /// The values of the throws. All but the last are one of two values, so that three kinds
    /// suffice.
    pub(super) fn new(throws: &[u8]) -> Self {
        let mut values = RemainingValues { value: [0; 3], left: [0; 3] };
        let mut kinds = 0;
        for throw in throws.iter().take(MAX_THROWS) {
            let at = values.value[..kinds].iter().position(|value| value >= throw).unwrap_or(kinds);
            if at == kinds || values.value[at] != *throw {
                if kinds == 3 {
                    continue;
                }
                values.value.copy_within(at..2, at + 1);
                values.left.copy_within(at..2, at + 1);
                (values.value[at], values.left[at]) = (*throw, 0);
                kinds += 1;
            }
            values.left[at] += 1;
        }
        values
    }

    /// How many are left.
    pub(super) fn total(&self) -> u8 {
        self.left.iter().sum()
    }

    /// The kinds that are left, ascending.
    pub(super) fn kinds(self) -> impl Iterator<Item = (usize, u8)> {
        (0..3).filter(move |kind| self.left[*kind] > 0).map(move |kind| (kind, self.value[kind]))
    }

    /// Every value that is left, ascending.
    pub(super) fn each(self) -> impl Iterator<Item = u8> {
        (0..3).flat_map(move |kind| std::iter::repeat_n(self.value[kind], self.left[kind] as usize))
    }

    /// One value of a kind less.
    pub(super) fn without(mut self, kind: usize) -> Self {
        self.left[kind] -= 1;
        self
    }

    /// The kind of a value that is left.
    pub(super) fn kind(&self, value: u8) -> Option<usize> {
        self.kinds().find(|(_, known)| *known == value).map(|(kind, _)| kind)
    }

    /// How many are left of each, as one number below 2^12.
    pub(super) fn packed(&self) -> u128 {
        u128::from(self.left[0]) | u128::from(self.left[1]) << 4 | u128::from(self.left[2]) << 8
    }
}
