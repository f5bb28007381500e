//! `phases`: what a solved game is worth in its phases, by the pawns home and by the lead.

use std::path::PathBuf;

use clap::Args;
use parlor::games::chowka_bhara::solved::{Ranking, SolvedTable};
use serde_json::json;

use crate::printing::print_line;

/// Cells of a lead that are shown as one.
const STEP: i64 = 8;

/// A mean.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.count += 1;
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// The mean values of all states, each as likely as the others, for the player about to throw.
pub(super) struct Phases {
    /// By the phase of the player about to throw and of the other.
    pub(super) by_phase: Vec<Vec<Mean>>,
    /// By how many cells its pawns are ahead, all together: the least lead, the mean.
    pub(super) by_lead: Vec<(i64, Mean)>,
}

/// The phase of a half-state: 0 with a closed gate, then 1 and the pawns home.
fn phase(ranking: &Ranking, half_state: usize) -> usize {
    match ranking.is_open(half_state) {
        true => 1 + usize::from(ranking.placement(half_state).home),
        false => 0,
    }
}

impl Phases {
    /// Those of a table.
    pub(super) fn of(table: &SolvedTable) -> Self {
        let ranking = table.ranking();
        let phases = 1 + usize::from(ranking.pawns);
        let most = ranking.most_progress() as i64;
        let mut by_phase = vec![vec![Mean::default(); phases]; phases];
        let mut by_lead = vec![Mean::default(); (2 * (most / STEP + 1)) as usize + 1];
        for other in 0..ranking.half_states() {
            let there = phase(ranking, other);
            let behind = i64::from(ranking.placement(other).progress);
            ranking.for_each_run_of(other, |numbers| {
                for number in numbers {
                    let mover = number % ranking.half_states();
                    let value = table.value(number);
                    by_phase[phase(ranking, mover)][there].add(value);
                    let lead = i64::from(ranking.placement(mover).progress) - behind;
                    by_lead[(lead.div_euclid(STEP) + most / STEP + 1) as usize].add(value);
                }
            });
        }
        let leads = by_lead.into_iter().enumerate();
        let by_lead = leads.map(|(at, mean)| ((at as i64 - most / STEP - 1) * STEP, mean));
        Phases { by_phase, by_lead: by_lead.filter(|(_, mean)| mean.count > 0).collect() }
    }
}

/// The arguments.
#[derive(Args, Debug)]
#[command(
    after_help = "Means over all states, each as likely as the others, of the chances of the \
player about to throw, in percent.

Example:
  parlor-lab chowka-bhara phases three.table"
)]
pub struct PrintPhases {
    /// A table written by solve
    #[arg(value_name = "FILE")]
    table: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl PrintPhases {
    /// Prints the means.
    pub fn run(self) -> anyhow::Result<()> {
        let phases = Phases::of(&SolvedTable::read(&self.table)?);
        match self.json {
            true => print_line!("{}", as_json(&phases)),
            false => print(&phases),
        }
        Ok(())
    }
}

fn print(phases: &Phases) {
    let name = |phase: usize| match phase {
        0 => "gate closed".to_owned(),
        open => format!("{} home", open - 1),
    };
    let percent =
        |mean: &Mean| mean.value().map_or("-".into(), |mean| format!("{:.1}", 100.0 * mean));
    let columns = phases.by_phase.len();
    let names: String = (0..columns).map(|column| format!("{:>13}", name(column))).collect();
    print_line!("{:>18}{names}", "to throw | other");
    for (row, means) in phases.by_phase.iter().enumerate() {
        let chances: String = means.iter().map(|mean| format!("{:>13}", percent(mean))).collect();
        print_line!("{:>18}{chances}", name(row));
    }
    print_line!("\n{:>18}{:>13}{:>13}", "cells ahead", "chances", "states");
    for (least, mean) in &phases.by_lead {
        let lead = format!("{least} to {}", least + STEP - 1);
        print_line!("{lead:>18}{:>13}{:>13}", percent(mean), mean.count);
    }
}

fn as_json(phases: &Phases) -> serde_json::Value {
    let leads = phases.by_lead.iter();
    let leads: Vec<_> = leads
        .map(|(least, mean)| json!({ "least": least, "mean": mean.value(), "states": mean.count }))
        .collect();
    let rows = phases.by_phase.iter();
    let rows: Vec<Vec<_>> = rows.map(|row| row.iter().map(|mean| mean.value()).collect()).collect();
    json!({ "phases": rows, "leads": leads })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chowka_bhara::solve::tests::two_pawns;

    #[test]
    fn every_state_counts_once_and_the_leader_stands_better() {
        let table = two_pawns();
        let phases = Phases::of(&table);
        let states = table.ranking().count().1;
        let count =
            |means: &mut dyn Iterator<Item = &Mean>| -> u64 { means.map(|m| m.count).sum() };
        assert_eq!(count(&mut phases.by_phase.iter().flatten()), states);
        assert_eq!(count(&mut phases.by_lead.iter().map(|(_, mean)| mean)), states);
        // With a pawn home against none it is better than the other way round, and than level.
        let value = |own: usize, other: usize| phases.by_phase[own][other].value().expect("states");
        assert!(value(2, 1) > value(1, 1) && value(1, 1) > value(1, 2));
        let far = |at: usize| phases.by_lead[at].1.value().expect("states");
        assert!(far(0) < 0.2 && far(phases.by_lead.len() - 1) > 0.8);
    }
}
