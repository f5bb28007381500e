//! The statistics of `bench-match`, and their report.

use std::time::Duration;

use serde_json::{Value, json};

use parlor::game::Seat;
use parlor::games::barbarossa::play::Beliefs;
use parlor::games::barbarossa::{MOST_SHOWN, Move, Position, Secret, Word};

/// A stated probability, and whether it came true.
type Stated = (f64, bool);

/// The kinds of decisions that are timed.
const KINDS: [&str; 4] = ["sculpture", "question", "pass", "other"];

/// Results so far.
#[derive(Clone, Debug, Default)]
pub struct MatchStatistics {
    games: u64,
    deal_shares: Vec<f64>,
    by_finish: u64,
    /// Per number of features shown: objects, arrows, points of their makers.
    shown: [(u64, u64, i64); MOST_SHOWN + 1],
    /// The guesses made.
    guesses: Vec<Stated>,
    /// The most likely word of every object, whenever a guess was due.
    leading: Vec<Stated>,
    /// Guesses on ? and by tokens: made, right as first arrows, right as second arrows; of the
    /// candidate, then of all others.
    verdicts: [[[u64; 3]; 2]; 2],
    /// Scores at the end of the candidate, and of all others.
    scores: [u64; 2],
    /// Times of decisions, in the order of [`KINDS`].
    times: [Vec<Duration>; 4],
}

impl MatchStatistics {
    /// The candidate's share of the first places in the games of one deal.
    pub fn note_deal(&mut self, share: f64) {
        self.deal_shares.push(share);
    }

    /// The mean share so far.
    pub fn share(&self) -> f64 {
        interval(&self.deal_shares).0
    }

    pub fn note_guess(&mut self, stated: Option<f64>, right: bool) {
        self.guesses.extend(stated.map(|p| (p, right)));
    }

    /// Counts a guess that was answered.
    pub fn note_verdict(&mut self, own: bool, cursed: bool, right: bool, before: usize) {
        let counts = &mut self.verdicts[usize::from(!own)][usize::from(cursed)];
        counts[0] += 1;
        if right {
            counts[1 + before.min(1)] += 1;
        }
    }

    pub fn note_time(&mut self, m: &Move, time: Duration) {
        let kind = match m {
            Move::Word(..) | Move::Show(..) | Move::Done(_) => 0,
            Move::Ask(..) | Move::Stop => 1,
            Move::Pass => 2,
            _ => 3,
        };
        self.times[kind].push(time);
    }

    /// Notes the most likely word of every object, and whether it is right.
    pub fn note_beliefs(
        &mut self,
        full: &Position,
        view: &Position,
        seat: Seat,
        beliefs: &mut Beliefs,
    ) {
        beliefs.update(view, seat);
        for (name, object) in view.guessable(seat) {
            let leading = beliefs.get(view.index(name)).and_then(|belief| belief.own.top());
            if let Some((word, p)) = leading.filter(|_| !object.shown.is_empty()) {
                let guess = Secret::Known(Word::Listed(word));
                self.leading.push((p, full.known_verdict(name, guess) == Some(true)));
            }
        }
    }

    /// Counts a finished game; `earned` are the points that each object's arrows gave its maker.
    pub fn note_end(&mut self, position: &Position, candidate: Seat, earned: &[i64]) {
        self.games += 1;
        let by_finish = position.ending().is_some_and(|ending| ending.by_finish);
        self.by_finish += u64::from(by_finish);
        for seat in Seat::all(position.options().seats) {
            let score = u64::from(position.seat(seat).score);
            self.scores[usize::from(seat != candidate)] += score;
        }
        let penalised = !by_finish || position.options().penalised;
        for (name, object) in position.objects().filter(|(name, _)| name.owner == candidate) {
            let (objects, arrows, points) = &mut self.shown[object.shown.len()];
            *objects += 1;
            *arrows += object.arrows.len() as u64;
            *points += earned[position.index(name)];
            if penalised {
                *points += i64::from(position.final_penalty(object));
            }
        }
    }

    /// The report, in lines.
    pub fn report(&self, seats: usize, time: Duration) -> String {
        let (mean, half) = interval(&self.deal_shares);
        let mut lines = vec![
            format!(
                "share {:.1} % +- {:.1} (par {:.1} %), {} games of {} deals in {:.1} s",
                100.0 * mean,
                100.0 * half,
                100.0 / seats as f64,
                self.games,
                self.deal_shares.len(),
                time.as_secs_f64()
            ),
            format!(
                "ended by the finish {}, by the last arrow {}",
                self.by_finish,
                self.games - self.by_finish
            ),
        ];
        lines.extend(self.by_source(seats));
        lines.extend(self.by_features());
        lines.extend(calibration("guesses", &self.guesses));
        lines.extend(calibration("most likely words when a guess was due", &self.leading));
        lines.extend(KINDS.iter().zip(&self.times).map(|(kind, times)| timing(kind, times)));
        lines.join("\n")
    }

    /// The report as JSON: shares and rates from 0 to 1, times in milliseconds.
    pub fn json(&self, seats: usize, time: Duration) -> Value {
        let (mean, half) = interval(&self.deal_shares);
        let shown = self.shown.iter().enumerate().filter(|(_, (objects, ..))| *objects > 0);
        let features = shown.map(|(features, (objects, arrows, points))| {
            json!({"features": features, "objects": objects, "arrows": arrows, "points": points})
        });
        let times = KINDS.iter().zip(&self.times).map(|(kind, times)| {
            let (count, [median, most, slowest]) = quantiles(times);
            let times = json!({
                "decisions": count, "median_ms": median, "within_99_ms": most, "slowest_ms": slowest,
            });
            ((*kind).to_owned(), times)
        });
        json!({
            "share": mean, "interval": [mean - half, mean + half], "par": 1.0 / seats as f64,
            "games": self.games, "deals": self.deal_shares.len(), "seconds": time.as_secs_f64(),
            "ended_by_finish": self.by_finish, "ended_by_last_arrow": self.games - self.by_finish,
            "candidate": self.guesses_json(0), "rivals": self.guesses_json(1),
            "shown": features.collect::<Vec<_>>(),
            "guesses": calibration_json(&self.guesses),
            "most_likely_words": calibration_json(&self.leading),
            "times": times.collect::<serde_json::Map<_, _>>(),
        })
    }

    /// Guesses and points in all games, of the candidate (0) or of all rivals together (1).
    fn guesses_json(&self, who: usize) -> Value {
        let [asked, cursed] = self.verdicts[who].map(|[made, first, second]| {
            json!({"made": made, "first_arrows": first, "second_arrows": second})
        });
        json!({"on_question_mark": asked, "by_tokens": cursed, "points": self.scores[who]})
    }

    /// Guesses a game by kind, of the candidate and of a rival.
    fn by_source(&self, seats: usize) -> impl Iterator<Item = String> {
        [("candidate", 1), ("rival", seats - 1)].into_iter().enumerate().map(move |(who, kind)| {
            let (name, players) = kind;
            let per = |count: u64| count as f64 / (self.games * players as u64).max(1) as f64;
            let [asked, cursed] = self.verdicts[who].map(|counts| {
                let [made, first, second] = counts.map(per);
                format!("{made:.2} ({first:.2} first arrows, {second:.2} second)")
            });
            let score = per(self.scores[who]);
            format!("{name}: guesses on ? {asked}, by tokens {cursed}, score {score:.2}, a game")
        })
    }

    fn by_features(&self) -> impl Iterator<Item = String> {
        let shown = self.shown.iter().enumerate().filter(|(_, (objects, ..))| *objects > 0);
        shown.map(|(count, (objects, arrows, points))| {
            let per = |value: f64| value / *objects as f64;
            format!(
                "{count} features shown: {objects} objects, {:.2} arrows and {:+.2} points for the \
                 maker each",
                per(*arrows as f64),
                per(*points as f64)
            )
        })
    }
}

/// The processor time of one kind of decision.
fn timing(kind: &str, times: &[Duration]) -> String {
    let (count, [median, most, slowest]) = quantiles(times);
    format!(
        "{kind}: {count} decisions, processor time median {median:.3} ms, 99 % within {most:.3} \
         ms, slowest {slowest:.3} ms"
    )
}

/// How many times there are; the median, the 99th percentile and the greatest in milliseconds.
fn quantiles(times: &[Duration]) -> (usize, [f64; 3]) {
    let mut times: Vec<f64> = times.iter().map(|time| 1000.0 * time.as_secs_f64()).collect();
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times.get((part * times.len() as f64) as usize).copied();
    let slowest = times.last().copied();
    (times.len(), [at(0.5), at(0.99), slowest].map(Option::unwrap_or_default))
}

/// What was stated and what came true; `null` where nothing was stated.
fn calibration_json(stated: &[Stated]) -> Value {
    if stated.is_empty() {
        return Value::Null;
    }
    let (brier, constant) = brier(stated);
    let right = stated.iter().filter(|(_, right)| *right).count();
    json!({"count": stated.len(), "right": right, "brier": brier, "brier_of_constant": constant})
}

/// The Brier score of stated probabilities, beside that of the constant mean; and how often what
/// was stated came true, by tenths.
fn calibration(what: &str, stated: &[Stated]) -> Vec<String> {
    if stated.is_empty() {
        return Vec::new();
    }
    let count = stated.len() as f64;
    let (brier, constant) = brier(stated);
    let rights = stated.iter().filter(|(_, right)| *right).count() as f64 / count;
    let mut lines = vec![format!(
        "{count} {what}, {:.1} % right, Brier score {brier:.4}, {:.2} of a constant's {constant:.4}",
        100.0 * rights,
        brier / constant.max(1e-12)
    )];
    for tenth in 0..10 {
        let of = |p: f64| ((p * 10.0) as usize).min(9) == tenth;
        let some: Vec<&Stated> = stated.iter().filter(|(p, _)| of(*p)).collect();
        if !some.is_empty() {
            let count = some.len() as f64;
            lines.push(format!(
                "  stated {:.2}: right {:.2} of {count}",
                some.iter().map(|(p, _)| p).sum::<f64>() / count,
                some.iter().filter(|(_, right)| *right).count() as f64 / count
            ));
        }
    }
    lines
}

/// The Brier score of what was stated, and that of the best constant: the share that came true.
fn brier(stated: &[Stated]) -> (f64, f64) {
    let count = stated.len().max(1) as f64;
    let rate = stated.iter().filter(|(_, right)| *right).count() as f64 / count;
    let square = |(p, right): &Stated| (p - f64::from(u8::from(*right))).powi(2);
    (stated.iter().map(square).sum::<f64>() / count, rate * (1.0 - rate))
}

/// Mean and half of the 95 % interval, deals being independent of each other.
fn interval(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance =
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * libm::sqrt(variance / count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brier_score_is_the_mean_square_of_what_was_off() {
        let stated = [(0.9, true), (0.9, true), (0.6, false), (0.1, false)];
        let (score, constant) = brier(&stated);
        // (0.01 + 0.01 + 0.36 + 0.01) / 4, and one half stated four times.
        assert!((score - 0.0975).abs() < 1e-12);
        assert!((constant - 0.25).abs() < 1e-12);
    }

    #[test]
    fn an_interval_is_that_of_independent_deals() {
        let (mean, half) = interval(&[0.0, 1.0, 0.0, 1.0]);
        assert!((mean - 0.5).abs() < 1e-12);
        // Deviation sqrt(1/3), of four deals half of that.
        assert!((half - 1.96 * 0.288_675_134_6).abs() < 1e-9);
    }
}
