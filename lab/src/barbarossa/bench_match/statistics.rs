//! The statistics of `bench-match`, and their report.

use parlor::game::Seat;
use parlor::games::barbarossa::{MOST_SHOWN, Position};

/// What a game was for its candidate.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnTurns {
    /// Turns that it had.
    pub turns: usize,
    /// Arrows that fell before the first of them.
    pub arrows_before: usize,
}

/// Results so far.
#[derive(Clone, Debug, Default)]
pub struct MatchStatistics {
    seats: usize,
    games: u64,
    deal_shares: Vec<f64>,
    by_finish: u64,
    /// Per number of features shown, of the candidate and of the others: objects, arrows, points of
    /// their makers.
    shown: [[(u64, u64, i64); MOST_SHOWN + 1]; 2],
    /// Scores at the end of the candidate, and of all others.
    scores: [u64; 2],
    /// Turns begun in all games.
    turns: usize,
    /// What all games were for the candidate.
    own: OwnTurns,
    /// Arrows by the number of turns begun.
    arrows: Vec<u64>,
    /// Guesses on ? and by tokens: made, right.
    guesses: [[u64; 2]; 2],
    /// What the candidate believed of true words before the first question, and which led.
    first_sights: Vec<(f64, bool)>,
    /// What the candidate stated of its guesses, and whether it came true.
    stated: Vec<(f64, bool)>,
}

impl MatchStatistics {
    pub fn new(seats: usize) -> Self {
        MatchStatistics { seats, ..MatchStatistics::default() }
    }

    /// The candidate's share of the first places in the games of one deal.
    pub fn note_deal(&mut self, share: f64) {
        self.deal_shares.push(share);
    }

    pub fn note_first_sight(&mut self, p: f64, first: bool) {
        self.first_sights.push((p, first));
    }

    /// Counts a guess that was answered.
    pub fn note_guess(&mut self, cursed: bool, right: bool, turns: usize, stated: Option<f64>) {
        self.stated.extend(stated.map(|p| (p, right)));
        let guesses = &mut self.guesses[usize::from(cursed)];
        guesses[0] += 1;
        if right {
            guesses[1] += 1;
            self.arrows.resize(self.arrows.len().max(turns + 1), 0);
            self.arrows[turns] += 1;
        }
    }

    /// Counts a finished game; `earned` are the points that each object's arrows gave its maker.
    pub fn note_end(&mut self, end: &Position, candidate: Seat, earned: &[i64], turns: usize) {
        self.games += 1;
        self.turns += turns;
        let by_finish = end.ending().is_some_and(|ending| ending.by_finish);
        self.by_finish += u64::from(by_finish);
        for seat in Seat::all(self.seats) {
            self.scores[usize::from(seat != candidate)] += u64::from(end.seat(seat).score);
        }
        let penalised = !by_finish || end.options().penalised;
        for (name, object) in end.objects() {
            let other = usize::from(name.owner != candidate);
            let (objects, arrows, points) = &mut self.shown[other][object.shown.len()];
            *objects += 1;
            *arrows += object.arrows.len() as u64;
            *points += earned[end.index(name)];
            if penalised {
                *points += i64::from(end.final_penalty(object));
            }
        }
    }

    pub fn note_own_turns(&mut self, game: OwnTurns) {
        self.own.turns += game.turns;
        self.own.arrows_before += game.arrows_before;
    }

    /// The share of first places with its 95 % interval, deals as the sample.
    pub fn share(&self) -> String {
        let count = self.deal_shares.len() as f64;
        let mean = self.deal_shares.iter().sum::<f64>() / count;
        let squares: f64 = self.deal_shares.iter().map(|share| (share - mean).powi(2)).sum();
        let half = 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt();
        let par = 100.0 / self.seats as f64;
        format!("{:.1} % +- {:.1} (par {par:.1} %)", 100.0 * mean, 100.0 * half)
    }

    /// The report, in lines.
    pub fn report(&self) -> String {
        let games = self.games as f64;
        let [own, others] = self.scores.map(|sum| sum as f64 / games);
        let before = self.arrows.first().copied().unwrap_or(0) as f64 / games;
        let turns = self.turns as f64 / games / self.seats as f64;
        let all: u64 = self.arrows.iter().sum();
        let mut lines = vec![
            format!("share {}, {} games", self.share(), self.games),
            format!("points {own:.1}, others {:.1}", others / (self.seats - 1) as f64),
            format!("ended by the finish {:.0} %", 100.0 * self.by_finish as f64 / games),
            format!(
                "turns a seat {turns:.1}, arrows {:.1}, before the first move {before:.2}",
                all as f64 / games
            ),
        ];
        lines.push(format!(
            "candidate: turns {:.1}, arrows before its first {:.2}",
            self.own.turns as f64 / games,
            self.own.arrows_before as f64 / games
        ));
        let rounds = self.arrows.chunks(self.seats);
        let rounds = rounds.map(|round| format!("{:.1}", round.iter().sum::<u64>() as f64 / games));
        lines.push(format!("arrows by rounds of turns: {}", rounds.collect::<Vec<_>>().join(" ")));
        for (what, [made, right]) in ["on ?", "by tokens"].iter().zip(self.guesses) {
            let share = 100.0 * right as f64 / made.max(1) as f64;
            lines.push(format!(
                "guesses {what}: {:.1} a game, {share:.0} % right",
                made as f64 / games
            ));
        }
        for (who, shown) in ["candidate", "others"].iter().zip(&self.shown) {
            lines.push(earnings(who, shown));
        }
        lines.push(self.seen());
        lines.extend(self.calibration());
        lines.join("\n")
    }

    /// What was believed of true words before the first question.
    fn seen(&self) -> String {
        let count = self.first_sights.len().max(1) as f64;
        let mean = self.first_sights.iter().map(|(p, _)| p).sum::<f64>() / count;
        let bits = self.first_sights.iter().map(|(p, _)| -p.max(1e-6).log2()).sum::<f64>() / count;
        let first = self.first_sights.iter().filter(|(_, first)| *first).count() as f64 / count;
        let first = 100.0 * first;
        format!("true words before any question: {mean:.3}, {bits:.1} bits, {first:.0} % first")
    }

    /// The score of what the candidate stated, beside that of a constant.
    fn calibration(&self) -> Option<String> {
        let count = self.stated.len() as f64;
        let right = self.stated.iter().filter(|(_, right)| *right).count() as f64 / count;
        let square = |(p, right): &(f64, bool)| (p - f64::from(u8::from(*right))).powi(2);
        let brier = self.stated.iter().map(square).sum::<f64>() / count;
        let constant = right * (1.0 - right);
        (count > 0.0).then(|| {
            let stated = self.stated.iter().map(|(p, _)| p).sum::<f64>() / count;
            format!("stated {stated:.3}, right {right:.3}, Brier {brier:.4}, of a constant {constant:.4}")
        })
    }
}

/// What makers earned by the number of features shown.
fn earnings(who: &str, shown: &[(u64, u64, i64); MOST_SHOWN + 1]) -> String {
    let objects: u64 = shown.iter().map(|(objects, ..)| objects).sum();
    let points: i64 = shown.iter().map(|(.., points)| points).sum();
    let some = shown.iter().enumerate().filter(|(_, (objects, ..))| *objects > 0);
    let parts = some.map(|(features, (objects, arrows, points))| {
        let each = |sum: f64| sum / *objects as f64;
        format!(
            "{features}: {objects} x {:.2} ({:.2} arrows)",
            each(*points as f64),
            each(*arrows as f64)
        )
    });
    let mean = points as f64 / objects.max(1) as f64;
    format!("makers' points an object, {who}: {mean:.2}; {}", parts.collect::<Vec<_>>().join(", "))
}
