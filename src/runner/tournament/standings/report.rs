//! Standings as a table and as JSON.

use serde_json::{Value, json};

use super::{
    CONFIDENCE, EngineResults, PairwiseScore, Standings, fair, mean_over_bundles, per_game,
};
use crate::runner::output;
use crate::statistics::{
    Interval, Scores, elo_interval, likelihood_of_superiority, normalized_elo_interval,
};

impl Standings {
    /// The table of all engines, best first, and the scores of every two.
    pub(in crate::runner::tournament) fn table(&self) -> String {
        let mut order: Vec<(&String, &EngineResults)> = self.names.iter().zip(&self.rows).collect();
        order.sort_by(|(_, one), (_, other)| excess(other).total_cmp(&excess(one)));
        let mut table = output::table();
        let mut header = vec!["engine", "games", "points", "won", "drawn", "lost", "share %"];
        if self.is_adjusted() {
            header.push("less luck %");
        }
        header.extend(["fair %", "faults"]);
        table.set_header(header);
        for (name, row) in order {
            let mut cells = vec![
                name.clone(),
                row.games.to_string(),
                format!("{:.1}", row.points),
                row.wins.to_string(),
                row.draws.to_string(),
                row.losses.to_string(),
                percent(share(row)),
            ];
            if self.is_adjusted() {
                cells.push(percent(adjusted_share(row)));
            }
            cells.push(format!("{:.1}", 100.0 * fair(row)));
            cells.push(row.faults.values().sum::<u64>().to_string());
            table.add_row(cells);
        }
        let mut lines = vec![output::aligned(table)];
        lines.extend(self.duel_lines());
        lines.extend(self.pairwise_lines());
        lines.extend(self.fault_lines());
        lines.extend(self.copies.note());
        lines.join("\n")
    }

    /// Whether two engines play a game of two seats: then pairs of games are compared.
    fn is_duel(&self) -> bool {
        self.names.len() == 2 && self.seats == 2
    }

    fn duel_lines(&self) -> Vec<String> {
        // One bundle gives no estimate of the variance.
        let ([one, other], true) = (self.names.as_slice(), self.duel.bundles() > 1) else {
            return Vec::new();
        };
        if !self.is_duel() {
            return Vec::new();
        }
        let mut line = format!("{one} against {other}: {}", strength(&self.duel));
        if let Some(five) =
            self.duel.as_pentanomial().filter(|_| self.duel.games_per_bundle() == 2.0)
        {
            line += &format!(", pairs {five:?}");
        }
        let mut lines = vec![line];
        if self.is_adjusted() {
            lines.push(format!("adjusted for luck: {}", strength(&self.adjusted_duel)));
        }
        lines
    }

    /// Pairwise scores from places, where a game has more than two engines or seats.
    fn pairwise_lines(&self) -> Vec<String> {
        if self.is_duel() {
            return Vec::new();
        }
        let line = |pair_score: PairwiseScore| {
            let (one, other) = pair_score.pair;
            format!(
                "{} against {}: {:.1} % of {} results, Elo {}",
                self.name(one),
                self.name(other),
                100.0 * pair_score.score,
                pair_score.results,
                bounds(pair_score.elo)
            )
        };
        self.pairwise_scores().into_iter().map(line).collect()
    }

    fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("?", String::as_str)
    }

    fn fault_lines(&self) -> Vec<String> {
        let line = |(name, row): (&String, &EngineResults)| {
            let kinds: Vec<String> =
                row.faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            (!kinds.is_empty()).then(|| format!("faults of {name}: {}", kinds.join(", ")))
        };
        self.names.iter().zip(&self.rows).filter_map(line).collect()
    }

    /// All of it as JSON; what has no finite value (an Elo of a clean sweep, an interval from one
    /// bundle) is `null`.
    pub(in crate::runner::tournament) fn json(&self) -> Value {
        let engine = |(index, (name, row)): (usize, (&String, &EngineResults))| {
            let mut value = json!({
                "engine": name, "games": row.games, "points": row.points, "won": row.wins,
                "drawn": row.draws, "lost": row.losses, "share": interval_json(share(row)),
                "fair": fair(row), "faults": row.faults,
                "play": self.play.of(index).json(),
            });
            if self.is_adjusted() {
                value["share_less_luck"] = interval_json(adjusted_share(row));
            }
            value
        };
        let pair = |pair_score: PairwiseScore| {
            let (one, other) = pair_score.pair;
            json!({
                "engine": self.name(one), "against": self.name(other), "score": pair_score.score,
                "meetings": pair_score.results, "elo": interval_json(pair_score.elo),
            })
        };
        let mut value = json!({
            "games": self.games, "copies": self.copies.games(), "seats": self.seats, "reasons": self.reasons,
            "engines": self.names.iter().zip(&self.rows).enumerate().map(engine)
                .collect::<Vec<_>>(),
            "overhead_ms": self.play.overhead(),
            "pairs": self.pairwise_scores().into_iter().map(pair).collect::<Vec<_>>(),
        });
        if self.is_duel() && self.duel.bundles() > 1 {
            value["duel"] = strength_json(&self.duel);
            if self.is_adjusted() {
                value["duel_less_luck"] = strength_json(&self.adjusted_duel);
            }
        }
        value
    }
}

fn share(row: &EngineResults) -> Interval {
    mean_over_bundles(row, per_game(row, row.points), |part| part.share)
}

fn adjusted_share(row: &EngineResults) -> Interval {
    mean_over_bundles(row, per_game(row, row.points - row.luck), super::Contribution::adjusted)
}

fn excess(row: &EngineResults) -> f64 {
    if row.games == 0 { 0.0 } else { per_game(row, row.points) - fair(row) }
}

fn strength(scores: &Scores) -> String {
    format!(
        "Elo {}, normalized {}, LOS {:.1} %",
        with_margin(elo_interval(scores, CONFIDENCE)),
        with_margin(normalized_elo_interval(scores, CONFIDENCE)),
        100.0 * likelihood_of_superiority(scores)
    )
}

fn strength_json(scores: &Scores) -> Value {
    json!({
        "score": scores.mean(),
        "elo": interval_json(elo_interval(scores, CONFIDENCE)),
        "normalized_elo": interval_json(normalized_elo_interval(scores, CONFIDENCE)),
        "los": likelihood_of_superiority(scores),
        "bundles": scores.bundles(),
        "pentanomial": scores.as_pentanomial().filter(|_| scores.games_per_bundle() == 2.0),
    })
}

fn interval_json(interval: Interval) -> Value {
    json!({ "value": interval.value, "low": interval.low, "high": interval.high })
}

/// A share in percent; where its interval is not symmetric, with both ends.
fn percent(interval: Interval) -> String {
    let Interval { value, low, high } = Interval {
        value: 100.0 * interval.value,
        low: 100.0 * interval.low,
        high: 100.0 * interval.high,
    };
    if value <= 0.0 && low >= value && high.is_finite() {
        format!("{value:.1} (< {high:.1})")
    } else if value >= 100.0 && high <= value && low.is_finite() {
        format!("{value:.1} (> {low:.1})")
    } else if is_skew(interval) {
        format!("{value:.1} ({low:.1} to {high:.1})")
    } else if (high - low).is_finite() {
        format!("{value:.1} +- {:.1}", (high - low) / 2.0)
    } else {
        format!("{value:.1}")
    }
}

/// Whether one side of an interval is clearly longer than the other.
fn is_skew(Interval { value, low, high }: Interval) -> bool {
    let (below, above) = (value - low, high - value);
    (below + above).is_finite() && (below - above).abs() > 0.1 * (below + above)
}

/// An estimate with its margin, where it has one.
fn with_margin(interval: Interval) -> String {
    let margin = (interval.high - interval.low) / 2.0;
    // Adding zero turns -0 into 0.
    let value = interval.value + 0.0;
    if !margin.is_finite() || is_skew(interval) {
        bounds(interval)
    } else {
        format!("{value:+.1} +- {margin:.1}")
    }
}

/// An estimate with both ends of its interval, which need not be symmetric; of a clean sweep the one
/// end that there is.
fn bounds(interval: Interval) -> String {
    let Interval { value, low, high } = interval;
    match (low.is_finite(), high.is_finite()) {
        (true, true) => {
            format!("{:+.1} ({:+.1} to {:+.1})", value + 0.0, low + 0.0, high + 0.0)
        }
        (true, false) => format!("> {:+.1}", low + 0.0),
        (false, true) => format!("< {:+.1}", high + 0.0),
        (false, false) if value.is_finite() => format!("{:+.1}", value + 0.0),
        (false, false) => "unknown".into(),
    }
}
