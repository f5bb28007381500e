//! Whole games in one process, seats rotated over the same deals.

use std::time::Instant;

use anyhow::{Context, bail};
use clap::{Args, value_parser};
use parlor::game::{
    Chance, Chances, Game, Hidden, MAX_SEATS, OptionValues, Rules, Seat, Situation, Turn,
    splitmix64,
};
use parlor::games::barbarossa::play::Beliefs;
use parlor::games::barbarossa::{Move, Phase, Position};
use parlor::games::{NamedPlayer, Playable};
use parlor::printing::print;
use parlor::progress;
use parlor::search::{Limits, Player, Report, Request, Settings};
use parlor::statistics::cpu_time;

use super::match_statistics::MatchStatistics;

/// Play one player against copies of another, each deal once from every seat
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab barbarossa bench-match --deals 100 --rule JudgeNoise=8 --rivals greedy
  parlor-lab barbarossa bench-match --rule Players=3 --candidate engine:Features=4
  parlor-lab barbarossa bench-match --deals 10 --rivals greedy --json")]
pub struct BenchMatch {
    /// Deals; each is played once from every seat
    #[arg(long, value_name = "N", default_value = "100", value_parser = value_parser!(u64).range(1..))]
    deals: u64,
    /// Seed of deals, dice and players
    #[arg(long, value_name = "N", default_value = "1")]
    game_seed: u64,
    /// Player, with options: engine:Features=4,Curses=false
    #[arg(long, value_name = "PLAYER", default_value = "engine")]
    candidate: String,
    /// Player in all other seats, written in the same way
    #[arg(long, value_name = "PLAYER", default_value = "plain")]
    rivals: String,
    /// Rule option, such as Players=4 or JudgeNoise=8
    #[arg(long, value_name = "NAME=VALUE")]
    rule: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl BenchMatch {
    /// Plays the games and prints their statistics.
    pub fn run(self) -> anyhow::Result<()> {
        let mut rules = Position::default_rules();
        rules.set("Players", "4")?;
        for rule in &self.rule {
            let (name, value) = rule.split_once('=').context("a rule is written NAME=VALUE")?;
            rules.set(name, value)?;
        }
        let [candidate, rivals] =
            [PlayerSpec::parse(&self.candidate)?, PlayerSpec::parse(&self.rivals)?];
        let seats = Position::start(&rules, None)?.seats();
        let mut statistics = MatchStatistics::default();
        let started = Instant::now();
        let bar = progress::bar(self.deals, "deals");
        for deal in 0..self.deals {
            let seed = splitmix64(self.game_seed.wrapping_add(deal << 20));
            let mut share = 0.0;
            for seat in Seat::all(seats) {
                let game = MatchGame::start(&rules, &candidate, &rivals, seat, seed)?;
                share += game.run(&mut statistics)?;
            }
            statistics.note_deal(share / seats as f64);
            bar.set_message(format!("{:.1} %", 100.0 * statistics.share()));
            bar.inc(1);
        }
        bar.finish_and_clear();
        let report = match self.json {
            true => statistics.json(seats, started.elapsed()).to_string(),
            false => statistics.report(seats, started.elapsed()),
        };
        print(&report);
        Ok(())
    }
}

/// A player by name, with the options of the engine.
#[derive(Clone, Debug)]
struct PlayerSpec {
    player: &'static NamedPlayer<Position>,
    options: OptionValues,
}

impl PlayerSpec {
    fn parse(text: &str) -> anyhow::Result<Self> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let player = Position::find_player(name)?;
        let mut options = OptionValues::new(Position::engine_options());
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) =
                setting.split_once('=').context("options are written NAME=VALUE")?;
            options.set(name, value)?;
        }
        Ok(PlayerSpec { player, options })
    }

    fn build(&self, seed: u64) -> Box<dyn Player<Position>> {
        self.player.make(&Settings { seed, options: self.options.clone(), ..Settings::default() })
    }
}

/// One game of the match.
struct MatchGame {
    full: Position,
    /// What each seat sees.
    views: Vec<Position>,
    players: Vec<Box<dyn Player<Position>>>,
    /// The seat of the candidate.
    candidate: Seat,
    /// What the candidate believes, for the statistics.
    beliefs: Beliefs,
    /// The probability that the candidate stated for its guess.
    stated: Option<f64>,
    /// What the arrows in each object earned its maker.
    earned: Vec<i64>,
    seed: u64,
    /// Throws so far: of nobody, then of each seat.
    throws: [u64; MAX_SEATS + 1],
}

impl MatchGame {
    fn start(
        rules: &OptionValues,
        candidate: &PlayerSpec,
        rivals: &PlayerSpec,
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
            players: players.collect(),
            views,
            candidate: seat,
            beliefs: Beliefs::with_players(),
            stated: None,
            earned: vec![0; full.options().objects()],
            seed,
            throws: Default::default(),
            full,
        })
    }

    /// Plays to the end; returns the candidate's share of first place.
    fn run(mut self, statistics: &mut MatchStatistics) -> anyhow::Result<f64> {
        loop {
            let m = match self.full.turn() {
                Turn::Over => break,
                Turn::Chance { thrower } => self.throw(thrower)?,
                Turn::Seat(seat) => self.decide(seat, statistics)?,
            };
            self.make(&m, statistics)?;
        }
        statistics.note_end(&self.full, self.candidate, &self.earned);
        Ok(self.full.outcome().map_or(0.0, |outcome| outcome.share(self.candidate)))
    }

    /// The outcome of a chance node. As in matches between programs, the k-th throw of a
    /// seat is the same in every rotation.
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

    /// The choice of a seat's player, from its view.
    fn decide(&mut self, seat: Seat, statistics: &mut MatchStatistics) -> anyhow::Result<Move> {
        let view = &self.views[seat.index()];
        if seat == self.candidate && self.full.phase() == Phase::Round2 {
            statistics.note_beliefs(&self.full, view, seat, &mut self.beliefs);
        }
        let situation = Situation::new(view.clone());
        let request = Request::new(Limits::depth(1));
        let started = cpu_time();
        let mut stated = None;
        let choice = self.players[seat.index()].choose(&situation, &request, &mut |report| {
            if let Report::Text(text) = report
                && let Some(text) = text.strip_prefix("stated ")
            {
                stated = text.split(' ').next().and_then(|p| p.parse::<f64>().ok());
            }
        });
        let best = choice.context("a player found no move")?.best;
        if seat == self.candidate {
            statistics.note_time(&best, cpu_time() - started);
            self.stated = stated;
        }
        Ok(best)
    }

    /// Makes a move in the full position and in all views.
    fn make(&mut self, m: &Move, statistics: &mut MatchStatistics) -> anyhow::Result<()> {
        if !self.full.is_legal(m) {
            bail!("illegal {m:?} in {}", self.full);
        }
        if let Move::Verdict(right) = *m {
            statistics.note_guess(self.stated.take(), right);
            if let Some((guesser, name, _)) = self.full.guess_owed() {
                let before = self.full.object(name).arrows.len();
                let cursed = self.full.phase() != Phase::Verdict;
                statistics.note_verdict(guesser == self.candidate, cursed, right, before);
                if right {
                    let points = self.full.options().maker_points(self.full.arrows() + 1);
                    self.earned[self.full.index(name)] += i64::from(points);
                }
            }
        }
        for (viewer, view) in Seat::all(self.full.seats()).zip(&mut self.views) {
            view.play(&self.full.mask(m, viewer));
        }
        self.full.play(m);
        Ok(())
    }
}
