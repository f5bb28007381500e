//! The 2-pawn game without chains, solved by another program in 64 bits: nothing of the solver or
//! of the rules is used, only the rules' text.

/// North's path index as South's, and the other way round.
fn across(index: usize) -> usize {
    match index {
        0..16 => (index + 8) % 16,
        16..24 => 16 + (index - 16 + 4) % 8,
        _ => index,
    }
}

fn is_safe(index: usize) -> bool {
    index == 24 || index < 16 && index.is_multiple_of(4)
}

/// A state as the player about to throw sees it: own pawns, the other's pawns, both gates, and
/// whether the other's double is fresh.
#[derive(Clone, Copy)]
struct State {
    own: [usize; 2],
    other: [usize; 2],
    gates: [bool; 2],
    fresh: bool,
}

impl State {
    fn number(self) -> usize {
        let pair = |[a, b]: [usize; 2]| 25 * a.min(b) + a.max(b);
        let flag = usize::from;
        let flags = 4 * flag(self.gates[0]) + 2 * flag(self.gates[1]) + flag(self.fresh);
        8 * (625 * pair(self.own) + pair(self.other)) + flags
    }

    fn is_possible(self) -> bool {
        let inside = |pawns: [usize; 2]| pawns.iter().any(|index| *index >= 16);
        let meets = |index: &usize| !is_safe(*index) && self.other.contains(&across(*index));
        let is_double =
            self.other[0] == self.other[1] && self.other[0] < 16 && !is_safe(self.other[0]);
        self.own != [24, 24]
            && self.other != [24, 24]
            && (self.gates[0] || !inside(self.own))
            && (self.gates[1] || !inside(self.other))
            && !self.own.iter().any(meets)
            && (!self.fresh || is_double)
    }

    fn turned(self, fresh: bool) -> State {
        let gates = [self.gates[1], self.gates[0]];
        State { own: self.other, other: self.own, gates, fresh }
    }

    /// The states after a value, each as the other player sees it; `None` for a win.
    fn after(self, value: usize) -> Vec<Option<State>> {
        let mut list = Vec::new();
        for moved in [[true, false], [false, true], [true, true]] {
            let [a, b] = self.own;
            let from = if moved[0] { a } else { b };
            let to = from + value;
            let together = moved == [true, true];
            let wall = across(self.other[0]);
            let blocked = self.fresh && from < wall && wall < to && wall < 16;
            if together && (a != b || is_safe(a)) || to > 24 || blocked {
                continue;
            }
            let hits = |index: &usize| !is_safe(to) && across(*index) == to;
            let hit = self.other.iter().filter(|index| hits(index)).count();
            if !self.gates[0] && to >= 16 || hit == 2 && !together {
                continue;
            }
            let mut next = self;
            for (pawn, moved) in next.own.iter_mut().zip(moved) {
                *pawn = if moved { to } else { *pawn };
            }
            next.other = self.other.map(|index| if hits(&index) { 0 } else { index });
            next.gates[0] |= hit > 0;
            let formed = next.own[0] == next.own[1] && to < 16 && !is_safe(to);
            list.push((next.own != [24, 24]).then(|| next.turned(formed)));
        }
        if list.is_empty() {
            list.push(Some(self.turned(false)));
        }
        list
    }

    fn value(self, values: &[f64]) -> f64 {
        if self.gates == [false; 2] && self.own == [15, 15] && self.other == [15, 15] {
            return 0.5;
        }
        let best = |value| {
            let worth = |next: Option<State>| next.map_or(1.0, |next| 1.0 - values[next.number()]);
            self.after(value).into_iter().map(worth).fold(0.0, f64::max)
        };
        (4.0 * best(1) + 6.0 * best(2) + 4.0 * best(3)) / 14.0
    }
}

fn states() -> Vec<State> {
    let pairs = || (0..25).rev().flat_map(|a| (a..25).rev().map(move |b| [a, b]));
    let mut list = Vec::new();
    for own in pairs() {
        for other in pairs() {
            for flags in 0..8 {
                let gates = [flags & 4 != 0, flags & 2 != 0];
                list.push(State { own, other, gates, fresh: flags & 1 != 0 });
            }
        }
    }
    list.retain(|state| state.is_possible());
    list
}

#[test]
fn the_game_of_two_pawns_without_chains_has_the_value_found_another_way() {
    let states = states();
    assert_eq!(states.len(), 196_872);
    if !super::slow() {
        return;
    }
    let mut values = vec![0.5; 8 * 625 * 625];
    loop {
        let mut change = 0f64;
        for state in &states {
            let value = state.value(&values);
            change = change.max((values[state.number()] - value).abs());
            values[state.number()] = value;
        }
        if change < 1e-7 {
            break;
        }
    }
    let start = State { own: [0; 2], other: [0; 2], gates: [false; 2], fresh: false };
    let expected = values[start.number()];
    let directory = tempfile::tempdir().expect("a directory");
    let found = super::solved(directory.path(), 2, 0).start;
    assert!((f64::from(found) - expected).abs() < 1e-6, "{found} {expected}");
    assert!((expected - 0.500_323).abs() < 5e-7, "{expected}");
}
