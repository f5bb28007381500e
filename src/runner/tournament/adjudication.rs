//! Games that end before their rules end them.

/// A side resigns after a number of its own moves in a row at or below a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ResignationRule {
    /// Moves in a row.
    pub(super) moves: u32,
    /// The score, as a positive number of centipawns.
    pub(super) score: i32,
    /// Whether the other side must be as far ahead in as many moves.
    pub(super) both: bool,
}

/// A game is drawn after a number of moves in a row with scores near zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DrawRule {
    /// The first of a seat's own moves that counts.
    pub(super) from: u32,
    /// Moves in a row, of every seat.
    pub(super) moves: u32,
    /// The largest score, in centipawns.
    pub(super) score: i32,
}

/// When a game is ended early; `None` leaves a rule out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct AdjudicationRules {
    /// Moves after which a game is drawn.
    pub(super) ply_limit: Option<usize>,
    /// When a side resigns.
    pub(super) resignation: Option<ResignationRule>,
    /// When scores make a draw.
    pub(super) draw: Option<DrawRule>,
}

/// Watches the scores of one game.
#[derive(Debug)]
pub(super) struct Adjudicator {
    rules: AdjudicationRules,
    plies: usize,
    /// For each seat: its moves, and how many of the last in a row had a lost or an even score.
    seats: Vec<Counts>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    moves: u32,
    hopeless: u32,
    winning: u32,
    even: u32,
}

impl Adjudicator {
    /// For one game of `seats`. Resignation is for two: with more, the others would play on.
    pub(super) fn new(rules: AdjudicationRules, seats: usize) -> Self {
        let resignation = rules.resignation.filter(|_| seats == 2);
        Adjudicator {
            rules: AdjudicationRules { resignation, ..rules },
            plies: 0,
            seats: vec![Counts::default(); seats],
        }
    }

    /// Takes a move of a seat into account, with the score that its engine reported.
    pub(super) fn note(&mut self, seat: usize, score: Option<i32>) {
        self.plies += 1;
        let Some(counts) = self.seats.get_mut(seat) else { return };
        counts.moves += 1;
        let hopeless =
            self.rules.resignation.zip(score).is_some_and(|(rule, cp)| cp <= -rule.score);
        counts.hopeless = if hopeless { counts.hopeless + 1 } else { 0 };
        let winning = self.rules.resignation.zip(score).is_some_and(|(rule, cp)| cp >= rule.score);
        counts.winning = if winning { counts.winning + 1 } else { 0 };
        let even = self.rules.draw.zip(score).is_some_and(|(rule, cp)| {
            counts.moves >= rule.from && cp.saturating_abs() <= rule.score
        });
        counts.even = if even { counts.even + 1 } else { 0 };
    }

    /// The reason and the places, if the game ends before the next move.
    pub(super) fn verdict(&self) -> Option<(&'static str, Vec<u32>)> {
        let seats = self.seats.len();
        if let Some(rule) = self.rules.resignation
            && let Some(loser) = self.seats.iter().position(|seat| seat.hopeless >= rule.moves)
            && (!rule.both || self.seats.iter().any(|seat| seat.winning >= rule.moves))
        {
            let last = seats as u32;
            return Some((
                "resign",
                (0..seats).map(|i| if i == loser { last } else { 1 }).collect(),
            ));
        }
        if let Some(rule) = self.rules.draw
            && self.seats.iter().all(|seat| seat.even >= rule.moves)
        {
            return Some(("draw", vec![1; seats]));
        }
        if self.rules.ply_limit.is_some_and(|limit| self.plies >= limit) {
            return Some(("ply-limit", vec![1; seats]));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> AdjudicationRules {
        AdjudicationRules {
            ply_limit: Some(20),
            resignation: Some(ResignationRule { moves: 2, score: 500, both: false }),
            draw: Some(DrawRule { from: 2, moves: 2, score: 10 }),
        }
    }

    /// The reason after these scores, seats moving in turn.
    fn reason(seats: usize, scores: &[i32]) -> Option<&'static str> {
        let mut adjudicator = Adjudicator::new(rules(), seats);
        for (index, &score) in scores.iter().enumerate() {
            assert_eq!(adjudicator.verdict(), None, "before move {index}");
            adjudicator.note(index % seats, Some(score));
        }
        adjudicator.verdict().map(|(reason, _)| reason)
    }

    #[test]
    fn two_hopeless_moves_in_a_row_resign_between_two() {
        assert_eq!(reason(2, &[900, -500, 900, -500]), Some("resign"));
        assert_eq!(reason(2, &[900, -500, 900, -499, 900, -500]), None);
        assert_eq!(reason(3, &[900, -500, 900, 900, -500, 900]), None);
    }

    /// Nothing is known of a move without a score, so it ends every row of scores.
    #[test]
    fn a_missing_score_interrupts_a_row() {
        let reason = |both: bool, scores: &[Option<i32>]| {
            let resignation = Some(ResignationRule { moves: 2, score: 500, both });
            let mut adjudicator = Adjudicator::new(AdjudicationRules { resignation, ..rules() }, 2);
            for (index, &score) in scores.iter().enumerate() {
                adjudicator.note(index % 2, score);
            }
            adjudicator.verdict().map(|(reason, _)| reason)
        };
        let (lost, won, even) = (Some(-500), Some(500), Some(0));
        assert_eq!(reason(false, &[None, lost, None, None, None, lost]), None);
        assert_eq!(reason(false, &[None, lost, None, lost]), Some("resign"));
        assert_eq!(reason(true, &[won, lost, None, lost, won, lost]), None);
        assert_eq!(reason(true, &[won, lost, won, lost]), Some("resign"));
        assert_eq!(reason(false, &[even, even, even, even, None, even, even, even]), None);
        assert_eq!(reason(false, &[None, None, even, even, even, even]), Some("draw"));
    }

    #[test]
    fn both_sides_must_agree_where_that_is_wanted() {
        let resignation = Some(ResignationRule { moves: 2, score: 500, both: true });
        let rules = AdjudicationRules { resignation, ..AdjudicationRules::default() };
        let verdict = |scores: &[i32]| {
            let mut adjudicator = Adjudicator::new(rules, 2);
            for (index, &score) in scores.iter().enumerate() {
                adjudicator.note(index % 2, Some(score));
            }
            adjudicator.verdict().map(|(_, places)| places)
        };
        assert_eq!(verdict(&[900, -500, 900, -500]), Some(vec![1, 2]));
        assert_eq!(verdict(&[400, -500, 400, -500]), None);
        assert_eq!(verdict(&[900, -500, 400, -500]), None);
    }

    #[test]
    fn even_scores_draw_from_the_second_move_on() {
        assert_eq!(reason(2, &[0, 0, 10, -10]), None);
        assert_eq!(reason(2, &[0, 0, 10, -10, 10, -10]), Some("draw"));
        assert_eq!(reason(2, &[0, 0, 10, -11, 10, -10]), None);
    }

    #[test]
    fn the_ply_limit_draws() {
        assert_eq!(reason(2, &[100; 20]), Some("ply-limit"));
        assert_eq!(reason(2, &[100; 19]), None);
    }

    /// The verdict by the description of the rules, from all moves so far.
    fn described(
        rules: AdjudicationRules,
        seats: usize,
        noted: &[(usize, Option<i32>)],
    ) -> Option<(&'static str, Vec<u32>)> {
        let of = |seat: usize| -> Vec<Option<i32>> {
            noted.iter().filter(|(by, _)| *by == seat).map(|(_, score)| *score).collect()
        };
        // Whether the last `count` of them are all of a kind.
        let all = |scores: &[Option<i32>], count: u32, is: &dyn Fn(i32) -> bool| {
            scores.len() >= count as usize
                && scores.iter().rev().take(count as usize).all(|score| score.is_some_and(is))
        };
        if let Some(rule) = rules.resignation.filter(|_| seats == 2) {
            for (loser, other) in [(0, 1), (1, 0)] {
                let lost = all(&of(loser), rule.moves, &|score| score <= -rule.score);
                let won = all(&of(other), rule.moves, &|score| score >= rule.score);
                if lost && (won || !rule.both) {
                    return Some(("resign", if loser == 0 { vec![2, 1] } else { vec![1, 2] }));
                }
            }
        }
        if let Some(rule) = rules.draw {
            let even = |seat| {
                let scores = of(seat);
                let counting = &scores[scores.len().min(rule.from.max(1) as usize - 1)..];
                all(counting, rule.moves, &|score| score.abs() <= rule.score)
            };
            if (0..seats).all(even) {
                return Some(("draw", vec![1; seats]));
            }
        }
        (rules.ply_limit? <= noted.len()).then(|| ("ply-limit", vec![1; seats]))
    }

    /// Games of random scores near the bounds, of two and three seats, each seat at any time.
    #[test]
    fn verdicts_are_those_of_the_description() {
        let mut random = crate::random::Random::new(3);
        let mut seen = std::collections::BTreeMap::new();
        for game in 0..2_000 {
            let seats = 2 + game % 3 / 2;
            let mut below = |bound: u64| random.below(bound) as u32;
            let rules = AdjudicationRules {
                ply_limit: (below(2) == 0).then_some(8),
                resignation: (below(3) > 0).then(|| ResignationRule {
                    moves: 1 + below(3),
                    score: 100,
                    both: below(2) == 0,
                }),
                draw: (below(3) > 0).then(|| DrawRule {
                    from: 1 + below(3),
                    moves: 1 + below(2),
                    score: 10,
                }),
            };
            let mut adjudicator = Adjudicator::new(rules, seats);
            let mut noted = Vec::new();
            for ply in 0..12 {
                let seat = if below(8) == 0 { below(seats as u64) as usize } else { ply % seats };
                let scores = [-101, -100, -99, -11, -10, 0, 10, 11, 99, 100, 101];
                let lean = if seat == 0 { below(5) } else { 6 + below(5) };
                let score = scores[if game % 2 == 0 { lean } else { 3 + below(5) } as usize];
                let score = (below(20) > 0).then_some(score);
                noted.push((seat, score));
                adjudicator.note(seat, score);
                let expected = described(rules, seats, &noted);
                assert_eq!(adjudicator.verdict(), expected, "{rules:?} {noted:?}");
                if let Some((reason, _)) = expected {
                    *seen.entry(reason).or_insert(0) += 1;
                    break;
                }
            }
        }
        assert!(seen.len() == 3 && seen.values().all(|count| *count > 50), "{seen:?}");
    }
}
