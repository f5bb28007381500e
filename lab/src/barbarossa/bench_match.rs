//! Whole games in one process, every deal once from each seat: what a player scores among copies of
//! another, when arrows fall, what makers earn.

mod makers;
mod statistics;

use anyhow::{Context, ensure};
use clap::{Args, value_parser};
use parlor::game::{
    Chance, Chances, Game, Hidden, MAX_SEATS, OptionValues, Rules, Seat, Turn, splitmix64,
};
use parlor::games::barbarossa::play::Beliefs;
use parlor::games::barbarossa::{Move, Phase, Position};
use parlor::search::Report;

use crate::printing::print_line;
use makers::{PlayerSpec, Seated};
use statistics::{MatchStatistics, OwnTurns};

/// Play one player against copies of another, each deal once from every seat
#[derive(Args, Debug)]
#[command(
    after_help = "Players: those of the engine with options, engine:Features=4; outsider and outsider-late, with a
belief of a few lines. After / a maker who chooses the features: true4, any4, possible5, rare3, common4,
first4; without a number as many as are drawn.

Examples:
  parlor-lab barbarossa bench-match --deals 100 --rule JudgeNoise=8 --rivals greedy
  parlor-lab barbarossa bench-match --candidate engine --rivals outsider-late/true4
  parlor-lab barbarossa bench-match --deals 25 --matrix engine,engine:Features=4,engine/possible5"
)]
pub struct BenchMatch {
    /// Deals; each is played once from every seat
    #[arg(long, value_name = "N", default_value = "100", value_parser = value_parser!(u64).range(1..))]
    deals: u64,
    /// Seed of deals, dice and players
    #[arg(long, value_name = "N", default_value = "1")]
    game_seed: u64,
    /// Player
    #[arg(long, value_name = "PLAYER", default_value = "engine")]
    candidate: String,
    /// Player in all other seats
    #[arg(long, value_name = "PLAYER", default_value = "engine")]
    rivals: String,
    /// All against all: the share of each player among three of every other
    #[arg(long, value_name = "PLAYER,...", value_delimiter = ',')]
    matrix: Vec<String>,
    /// Rule option, such as Players=4 or JudgeNoise=8
    #[arg(long, value_name = "NAME=VALUE", default_values = ["Players=4", "JudgeNoise=8"])]
    rule: Vec<String>,
}

impl BenchMatch {
    /// Plays the games and prints their statistics.
    ///
    /// # Errors
    /// When a player or a rule is unknown, or a player makes no legal move.
    pub fn run(self) -> anyhow::Result<()> {
        let mut rules = Position::default_rules();
        for rule in &self.rule {
            let (name, value) = rule.split_once('=').context("a rule is written NAME=VALUE")?;
            rules.set(name, value)?;
        }
        if self.matrix.is_empty() {
            let pair = [PlayerSpec::parse(&self.candidate)?, PlayerSpec::parse(&self.rivals)?];
            print_line!("{}", self.play(&rules, &pair)?.report());
            return Ok(());
        }
        let specs = self.matrix.iter().map(|text| PlayerSpec::parse(text));
        let specs = specs.collect::<anyhow::Result<Vec<PlayerSpec>>>()?;
        for candidate in &specs {
            for rivals in specs.iter().filter(|rivals| rivals.text != candidate.text) {
                let played = self.play(&rules, &[candidate.clone(), rivals.clone()])?;
                let names = format!("{} among {}", candidate.text, rivals.text);
                print_line!("{names:<50} {}", played.share());
            }
        }
        Ok(())
    }

    fn play(
        &self,
        rules: &OptionValues,
        pair: &[PlayerSpec; 2],
    ) -> anyhow::Result<MatchStatistics> {
        let seats = Position::start(rules, None)?.seats();
        let mut statistics = MatchStatistics::new(seats);
        for deal in 0..self.deals {
            let seed = splitmix64(self.game_seed.wrapping_add(deal << 20));
            let mut share = 0.0;
            // Equal players play one game from every seat.
            let rotations = if pair[0].text == pair[1].text { 1 } else { seats };
            for seat in Seat::all(rotations) {
                share += MatchGame::start(rules, pair, seat, seed)?.run(&mut statistics)?;
            }
            statistics.note_deal(share / rotations as f64);
        }
        Ok(statistics)
    }
}

/// One game of the match.
struct MatchGame {
    full: Position,
    /// What each seat sees.
    views: Vec<Position>,
    players: Vec<Seated>,
    /// The seat of the candidate.
    candidate: Seat,
    /// What the arrows in each object earned its maker.
    earned: Vec<i64>,
    /// Turns begun.
    turns: usize,
    /// Of the candidate: its turns, and the arrows that fell before its first.
    own: OwnTurns,
    seed: u64,
    /// Throws so far: of nobody, then of each seat.
    throws: [u64; MAX_SEATS + 1],
}

impl MatchGame {
    fn start(
        rules: &OptionValues,
        [candidate, rivals]: &[PlayerSpec; 2],
        seat: Seat,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let full = Position::start(rules, None)?;
        let seats = || Seat::all(full.seats());
        let views = seats().map(|viewer| Position::start(rules, Some(viewer)));
        let views = views.collect::<Result<_, _>>()?;
        let players = seats().map(|other| {
            let player = if other == seat { candidate } else { rivals };
            player.build(splitmix64(seed ^ splitmix64(other.index() as u64 + 1)))
        });
        Ok(MatchGame {
            players: players.collect::<anyhow::Result<_>>()?,
            views,
            candidate: seat,
            earned: vec![0; full.options().objects()],
            turns: 0,
            own: OwnTurns::default(),
            seed,
            throws: Default::default(),
            full,
        })
    }

    /// Plays to the end; returns the candidate's share of first place.
    fn run(mut self, statistics: &mut MatchStatistics) -> anyhow::Result<f64> {
        let (mut stated, mut sighted) = (None, false);
        loop {
            let m = match self.full.turn() {
                Turn::Over => break,
                Turn::Chance { thrower } => self.throw(thrower)?,
                Turn::Seat(seat) => {
                    if self.turns == 0 && !sighted && self.full.phase() >= Phase::Start {
                        sighted = true;
                        self.note_first_sights(statistics);
                    }
                    let (m, p) = self.decide(seat)?;
                    stated = p.filter(|_| seat == self.candidate).or(stated);
                    m
                }
            };
            self.make(&m, &mut stated, statistics)?;
        }
        statistics.note_end(&self.full, self.candidate, &self.earned, self.turns);
        statistics.note_own_turns(self.own);
        Ok(self.full.outcome().map_or(0.0, |outcome| outcome.share(self.candidate)))
    }

    /// What the candidate believes of the true words of the others before the first question.
    fn note_first_sights(&self, statistics: &mut MatchStatistics) {
        let mut beliefs = Beliefs::with_players();
        beliefs.update(&self.views[self.candidate.index()], self.candidate);
        for (name, object) in self.full.objects().filter(|(it, _)| it.owner != self.candidate) {
            let word = object.known_word().and_then(|word| word.id());
            let belief = beliefs.get(self.full.index(name));
            if let (Some(word), Some(belief)) = (word, belief) {
                let first = belief.own.top().is_some_and(|(top, _)| top == word);
                statistics.note_first_sight(belief.own.of(word), first);
            }
        }
    }

    /// The outcome of a chance node. As in matches between programs, the k-th throw of a seat is the
    /// same in every rotation.
    fn throw(&mut self, thrower: Option<Seat>) -> anyhow::Result<Move> {
        if let Chances::Listed(outcomes) = self.full.chances()
            && let [(outcome, _)] = outcomes.as_slice()
        {
            return Ok(outcome.clone());
        }
        let slot = thrower.map_or(0, |seat| seat.index() + 1);
        let count = self.throws[slot];
        self.throws[slot] += 1;
        let seed = splitmix64(splitmix64(self.seed.wrapping_add(slot as u64)).wrapping_add(count));
        self.full.throw(seed).context("nothing to throw")
    }

    /// The choice of a seat's player from its view, and the probability that it states for a guess.
    fn decide(&mut self, seat: Seat) -> anyhow::Result<(Move, Option<f64>)> {
        let mut stated = None;
        let player = &mut self.players[seat.index()];
        let best = player.choose(&self.views[seat.index()], &mut |report| {
            if let Report::Text(text) = report
                && let Some(text) = text.strip_prefix("stated ")
            {
                stated = text.split(' ').next().and_then(|p| p.parse::<f64>().ok());
            }
        });
        Ok((best.context("a player found no move")?, stated))
    }

    /// Makes a move in the full position and in all views.
    fn make(
        &mut self,
        m: &Move,
        stated: &mut Option<f64>,
        statistics: &mut MatchStatistics,
    ) -> anyhow::Result<()> {
        ensure!(self.full.is_legal(m), "illegal {m:?} in {}", self.full);
        if matches!(m, Move::Roll | Move::Jewels(_)) {
            self.turns += 1;
            self.own.turns += usize::from(self.full.turn() == Turn::Seat(self.candidate));
        }
        if let Move::Verdict(right) = *m
            && let Some((_, name, _)) = self.full.guess_owed()
        {
            statistics.note_guess(self.full.curse().is_some(), right, self.turns, stated.take());
            if right {
                self.own.arrows_before += usize::from(self.own.turns == 0);
                let points = self.full.options().maker_points(self.full.arrows() + 1);
                self.earned[self.full.index(name)] += i64::from(points);
            }
        }
        for (viewer, view) in Seat::all(self.full.seats()).zip(&mut self.views) {
            view.play(&self.full.mask(m, viewer));
        }
        self.full.play(m);
        Ok(())
    }
}
