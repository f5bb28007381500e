//! The levels of a game: fits their strengths by matches, and measures them.
//!
//! ```text
//! parlor-lab levels fit barca
//! parlor-lab levels measure pacru --rules Players=2 --openings 200
//! parlor-lab levels scale pacru --openings 200
//! ```
//!
//! The lowest level is the strength that has a score against random play; every further level is the
//! strength that has a score against the level below it. Each is found by halving an interval, every
//! halving by a match. The Elo of a level is the sum of the measured differences below it, from random
//! play on.

use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use parlor::engine::declared_options;
use parlor::game::OptionValues;
use parlor::games::{GameVisitor, Playable, with_game};
use parlor::search::selfplay::{Contestant, SelfplayPlan, selfplay};
use parlor::search::{FULL_LEVEL, Ladder, Limits, Settings, Strength};
use parlor::statistics::{Scores, elo_of_score, score_interval, score_of_elo};

use crate::printing::{note_line, print_line};

/// Fit and measure the levels of a game
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Find the strengths of levels 1 to 9, and print them with their Elo
    Fit(Fit),
    /// Play strengths from 0 to 1 against random play: the levels of a game of luck lie evenly on
    /// this curve
    Curve(Curve),
    /// Play every level against the one below it, and level 1 against random and greedy play
    Measure(Measure),
    /// Play players 100 Elo apart on the scale of a game: 64 % are expected
    Scale(Scale),
}

#[derive(Args, Debug)]
struct Matches {
    /// Game
    game: String,
    /// Rule options as Name=value
    #[arg(long = "rules", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// Openings of a match; with two seats each is played twice
    #[arg(long, default_value_t = 100)]
    openings: u64,
    /// Games played at the same time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Seed of openings and players
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Arguments of `fit`.
#[derive(Args, Debug)]
pub struct Fit {
    #[command(flatten)]
    matches: Matches,
    /// Score of level 1 against random play
    #[arg(long, default_value_t = 0.85)]
    first: f64,
    /// Score of every other level against the one below it
    #[arg(long, default_value_t = 0.72)]
    score: f64,
    /// Lowest level to fit; those below it keep their strengths
    #[arg(long, default_value_t = 1, value_parser = below_full())]
    from: u8,
    /// Halvings of the interval of a strength
    #[arg(long, default_value_t = 6)]
    halvings: u32,
}

/// Arguments of `curve`.
#[derive(Args, Debug)]
pub struct Curve {
    #[command(flatten)]
    matches: Matches,
    /// Steps from strength 0 to 1
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    steps: u32,
}

/// Arguments of `measure`.
#[derive(Args, Debug)]
pub struct Measure {
    #[command(flatten)]
    matches: Matches,
    /// Begin with this level
    #[arg(long, value_name = "LEVEL", default_value_t = 1, value_parser = below_full())]
    from: u8,
    /// End with this level
    #[arg(long, value_name = "LEVEL", default_value_t = FULL_LEVEL as u8 - 1, value_parser = below_full())]
    to: u8,
    #[command(flatten)]
    tried: Tried,
}

/// Arguments of `scale`.
#[derive(Args, Debug)]
pub struct Scale {
    #[command(flatten)]
    matches: Matches,
    #[command(flatten)]
    tried: Tried,
    /// Elo of levels 1 to 9 instead of those of the game
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    elos: Vec<u16>,
    /// Pairs of players, evenly from level 1 to level 9
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..=100))]
    pairs: u16,
}

/// What is tried instead of the numbers of a game.
#[derive(Args, Debug)]
struct Tried {
    /// Try these strengths of levels 1 to 9 instead of those of the game
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(..=1000))]
    strengths: Vec<u16>,
    /// Nodes at strength 1000 instead of those of the game
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u32).range(2..))]
    nodes: Option<u32>,
}

/// Nine numbers that rise, for levels 1 to 9; `None` if there are none.
fn nine(name: &str, numbers: &[u16]) -> Result<Option<[u16; FULL_LEVEL - 1]>> {
    if numbers.is_empty() {
        return Ok(None);
    }
    let nine = numbers.try_into();
    let nine: [u16; FULL_LEVEL - 1] =
        nine.map_err(|_| anyhow::anyhow!("{name} takes nine numbers, not {}", numbers.len()))?;
    ensure!(nine.is_sorted(), "{name}: the numbers must rise");
    Ok(Some(nine))
}

impl Tried {
    /// A ladder with what is tried instead.
    fn ladder(&self, of_game: &Ladder) -> Result<Ladder> {
        let tried = nine("--strengths", &self.strengths)?;
        Ok(Ladder {
            noise: of_game.noise,
            nodes: self.nodes.map_or(of_game.nodes, f64::from),
            elo: if tried.is_some() || self.nodes.is_some() { None } else { of_game.elo },
            strengths: tried.unwrap_or(of_game.strengths),
        })
    }
}

/// The levels below the whole engine.
fn below_full() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(1..FULL_LEVEL as i64)
}

impl Command {
    /// Plays the matches.
    ///
    /// # Errors
    /// When the game or one of its rule options is unknown, or the game has no such levels.
    pub fn run(self) -> Result<()> {
        let game = match &self {
            Command::Fit(fit) => fit.matches.game.clone(),
            Command::Curve(curve) => curve.matches.game.clone(),
            Command::Measure(measure) => measure.matches.game.clone(),
            Command::Scale(scale) => scale.matches.game.clone(),
        };
        with_game(&game, self).ok_or_else(|| anyhow::anyhow!("no game '{game}'"))?
    }
}

impl GameVisitor for Command {
    type Output = Result<()>;

    fn visit<G: Playable>(self) -> Result<()> {
        match self {
            Command::Fit(fit) => Arena::<G>::new(&fit.matches)?.fit(&fit),
            Command::Curve(curve) => Arena::<G>::new(&curve.matches)?.curve(curve.steps),
            Command::Measure(measure) => {
                let mut arena = Arena::<G>::new(&measure.matches)?;
                arena.ladder = Box::leak(Box::new(measure.tried.ladder(arena.ladder)?));
                arena.measure(measure.from, measure.to)
            }
            Command::Scale(scale) => {
                let mut arena = Arena::<G>::new(&scale.matches)?;
                let mut ladder = scale.tried.ladder(arena.ladder)?;
                ladder.elo = nine("--elos", &scale.elos)?.or(ladder.elo);
                arena.ladder = Box::leak(Box::new(ladder));
                arena.scale(scale.pairs)
            }
        }
    }
}

/// Who plays.
#[derive(Clone, Copy)]
enum Side {
    Named(&'static str),
    Limited(Strength),
}

/// Where matches of a game are played.
struct Arena<G: Playable> {
    // Players need it as long as the program runs.
    ladder: &'static Ladder,
    start: G,
    options: OptionValues,
    plan: SelfplayPlan,
}

impl<G: Playable> Arena<G> {
    fn new(matches: &Matches) -> Result<Self> {
        let Some(ladder) = G::LADDER else {
            anyhow::bail!("the levels of {} are its own player's", G::NAME);
        };
        let mut options = OptionValues::new(declared_options::<G>());
        for rule in &matches.rules {
            let rule = rule.split_once('=');
            ensure!(rule.is_some(), "--rules takes Name=value");
            let (name, value) = rule.unwrap_or_default();
            options.set(name, value)?;
        }
        let start = G::start(&options, None)?;
        let plan = SelfplayPlan {
            openings: matches.openings,
            opening_plies: 3,
            max_plies: 250,
            drawn_after: 0,
            seed: matches.seed,
            threads: matches.concurrency,
        };
        Ok(Arena { ladder, start, options, plan })
    }

    fn contestant(&self, side: Side) -> Contestant<G> {
        let (ladder, options) = (self.ladder, self.options.clone());
        let make = move |seed: u64| {
            let settings = Settings { hash: 1, threads: 0, seed, options: options.clone() };
            match side {
                Side::Limited(strength) => Box::new(G::limited(ladder, strength, &settings)),
                Side::Named(name) => G::player(name, &settings).unwrap_or_else(|error| {
                    unreachable!("every game has random and greedy play: {error}")
                }),
            }
        };
        let limits = Limits { depth: None, ..Limits::default() };
        Contestant { name: String::new(), limits, make: Box::new(make) }
    }

    fn side(&self, level: usize) -> Side {
        self.ladder.level(level).map_or(Side::Named("engine"), Side::Limited)
    }

    /// The scores of the first against the second; with more than two seats of the first alone
    /// against copies of the second.
    fn scores(&self, first: Side, second: Side) -> Scores {
        self.match_until(first, second, |_| false)
    }

    /// The scores of a match that may end early.
    fn match_until(&self, first: Side, second: Side, ends: impl Fn(&Scores) -> bool) -> Scores {
        let pair = [self.contestant(first), self.contestant(second)];
        selfplay(&self.start, &pair, &self.plan, &mut |standing| !ends(&standing.first)).first
    }

    /// The strength from `low` on that has a score against another player.
    fn strength_of_score(&self, level: usize, low: f64, other: Side, fit: &Fit, score: f64) -> f64 {
        // A match ends when its score is clearly above or below the one that is sought.
        let is_clear = |scores: &Scores| {
            let interval = score_interval(scores, 0.98);
            scores.bundles() >= 8 && (interval.low > score || interval.high < score)
        };
        let (mut low, mut high) = (low, 1.0);
        for _ in 0..fit.halvings {
            let middle = f64::midpoint(low, high);
            let side = Side::Limited(Strength::new(middle, level));
            let found = self.match_until(side, other, is_clear).mean();
            note_line!("level {level}: strength {:.0}: {:.1} %", 1000.0 * middle, 100.0 * found);
            if found < score { low = middle } else { high = middle }
        }
        f64::midpoint(low, high)
    }

    fn fit(&self, fit: &Fit) -> Result<()> {
        let from = usize::from(fit.from);
        let (mut elo, mut below, mut strength) = (0.0, Side::Named("random"), 0.0);
        if from > 1 {
            below = self.side(from - 1);
            strength = f64::from(self.ladder.strengths[from - 2]) / 1000.0;
        }
        for level in from..FULL_LEVEL {
            let score = if level == 1 { fit.first } else { fit.score };
            strength = self.strength_of_score(level, strength, below, fit, score);
            strength = (1000.0 * strength).round() / 1000.0;
            let side = Side::Limited(Strength::new(strength, level));
            let found = self.scores(side, below).mean();
            elo += elo_of_score(found);
            print_line!(
                "level {level}: strength {:.0}, Elo {elo:.0}, {:.1} % against the one below",
                1000.0 * strength,
                100.0 * found
            );
            below = side;
        }
        Ok(())
    }

    fn curve(&self, steps: u32) -> Result<()> {
        for step in 0..=steps {
            let strength = f64::from(step) / f64::from(steps);
            let side = Side::Limited(Strength::new(strength, FULL_LEVEL));
            let scores = self.scores(side, Side::Named("random"));
            show(&format!("strength {:.0} v random", 1000.0 * strength), &scores);
        }
        Ok(())
    }

    fn measure(&self, from: u8, to: u8) -> Result<()> {
        for level in usize::from(from)..=usize::from(to) {
            let rivals = match level {
                1 => vec![
                    ("random".into(), Side::Named("random")),
                    ("greedy".into(), Side::Named("greedy")),
                ],
                _ => vec![(format!("level {}", level - 1), self.side(level - 1))],
            };
            for (name, rival) in rivals {
                show(&format!("level {level} v {name}"), &self.scores(self.side(level), rival));
            }
        }
        Ok(())
    }

    fn scale(&self, pairs: u16) -> Result<()> {
        const STEP: u16 = 100;
        let Some(elos) = self.ladder.elo else {
            anyhow::bail!(
                "no Elo of {} is known with these strengths: give them by --elos",
                G::NAME
            );
        };
        let (first, last) = (elos[0], elos[FULL_LEVEL - 2].saturating_sub(STEP));
        ensure!(first < last, "the scale has no two players {STEP} Elo apart");
        for pair in 0..pairs {
            let elo =
                first + (u32::from(last - first) * u32::from(pair) / u32::from(pairs - 1)) as u16;
            let sides = [elo + STEP, elo].map(|elo| self.ladder.at_elo(elo).map(Side::Limited));
            if let [Some(higher), Some(lower)] = sides {
                show(&format!("Elo {} v {elo}", elo + STEP), &self.scores(higher, lower));
            }
        }
        print_line!("{:<24} {:>5.1} %", "expected", 100.0 * score_of_elo(f64::from(STEP)));
        Ok(())
    }
}

fn show(name: &str, scores: &Scores) {
    let interval = score_interval(scores, 0.95);
    print_line!(
        "{name:<24} {:>5.1} % [{:>5.1}, {:>5.1}]",
        100.0 * scores.mean(),
        100.0 * interval.low,
        100.0 * interval.high
    );
}
