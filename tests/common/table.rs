//! A small game for three seats with a die and a hidden card, for tests of everything generic.
//!
//! Every seat is dealt a card from 1 to 3 by nobody, seen by itself alone. Then in each round, seat
//! by seat, a die of 1 to 3 is thrown (2 twice as often) and its seat takes the points or leaves
//! them. After the last round everybody shows his card in turn, which doubles a score that it
//! equals. Most points win.

use std::ops::ControlFlow;
use std::time::Duration;

use parlor::game::{
    Chance, Chances, Game, Hidden, MoveListing, Notation, NotationError, OptionSpec, OptionValues,
    Outcome, Rules, Seat, Situation, Spin, Turn, splitmix64,
};
use parlor::games::{BenchPosition, NamedPlayer, Playable};
use parlor::search::{Bound, Choice, Info, Player, RandomPlayer, Report, Request, Score, Settings};

const SEATS: usize = 3;

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Phase {
    Deal,
    Throw,
    Take(u8),
    Show,
    Over,
}

/// A position; a card of 0 is one the viewer does not know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    cards: [u8; SEATS],
    scores: [u8; SEATS],
    phase: Phase,
    seat: u8,
    round: u8,
    rounds: u8,
    viewer: Option<Seat>,
}

/// One change of state; a dealt card of 0 is masked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    Deal(u8),
    Throw(u8),
    Take,
    Leave,
    Show(u8),
}

impl Position {
    fn advance(&mut self) {
        self.seat += 1;
        let around = usize::from(self.seat) == SEATS;
        if around {
            self.seat = 0;
        }
        self.phase = match self.phase {
            Phase::Deal if !around => Phase::Deal,
            Phase::Show if !around => Phase::Show,
            Phase::Show => Phase::Over,
            Phase::Take(_) if around => {
                self.round += 1;
                if self.round == self.rounds { Phase::Show } else { Phase::Throw }
            }
            _ => Phase::Throw,
        };
    }

    fn card(&self) -> u8 {
        self.cards[usize::from(self.seat)]
    }

    fn can_see(&self, seat: u8) -> bool {
        self.viewer.is_none_or(|viewer| viewer.index() == usize::from(seat))
    }
}

impl Game for Position {
    type Move = Move;

    fn seats(&self) -> usize {
        SEATS
    }

    fn turn(&self) -> Turn {
        let seat = Seat::new(self.seat.into());
        match self.phase {
            Phase::Deal => Turn::Chance { thrower: None },
            Phase::Throw => Turn::Chance { thrower: Some(seat) },
            Phase::Take(_) | Phase::Show => Turn::Seat(seat),
            Phase::Over => Turn::Over,
        }
    }

    fn for_each_move<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let list: &[Move] = match self.phase {
            Phase::Deal if !self.can_see(self.seat) => &[],
            Phase::Deal => &[Move::Deal(1), Move::Deal(2), Move::Deal(3)],
            Phase::Throw => &[Move::Throw(1), Move::Throw(2), Move::Throw(3)],
            Phase::Take(_) => &[Move::Take, Move::Leave],
            Phase::Show if self.card() == 0 => &[],
            Phase::Show => return visit(Move::Show(self.card())),
            Phase::Over => &[],
        };
        list.iter().try_for_each(|m| visit(*m))
    }

    fn move_listing(&self) -> MoveListing {
        let hidden = match self.phase {
            Phase::Deal => !self.can_see(self.seat),
            Phase::Show => self.card() == 0,
            _ => false,
        };
        if hidden { MoveListing::Hidden } else { MoveListing::Listed }
    }

    fn is_legal(&self, m: &Move) -> bool {
        match (self.phase, *m) {
            (Phase::Deal, Move::Deal(0)) => !self.can_see(self.seat),
            (Phase::Deal, Move::Deal(card)) => card <= 3 && self.can_see(self.seat),
            (Phase::Throw, Move::Throw(points)) => (1..=3).contains(&points),
            (Phase::Take(_), Move::Take | Move::Leave) => true,
            (Phase::Show, Move::Show(card)) => {
                self.card() == card || self.card() == 0 && (1..=3).contains(&card)
            }
            _ => false,
        }
    }

    fn play(&mut self, m: &Move) {
        let seat = usize::from(self.seat);
        match *m {
            Move::Deal(card) => self.cards[seat] = card,
            Move::Throw(points) => {
                self.phase = Phase::Take(points);
                return;
            }
            Move::Take => {
                if let Phase::Take(points) = self.phase {
                    self.scores[seat] += points;
                }
            }
            Move::Leave => {}
            Move::Show(card) => {
                self.cards[seat] = card;
                if self.scores[seat] == card {
                    self.scores[seat] *= 2;
                }
            }
        }
        self.advance();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.phase == Phase::Over).then(|| Outcome::from_scores(&self.scores.map(i64::from)))
    }

    fn reason(&self) -> Option<&'static str> {
        (self.phase == Phase::Over).then_some("shown")
    }

    fn fresh_key(&self) -> u64 {
        let text = self.to_string();
        text.bytes().fold(0, |key, byte| splitmix64(key ^ u64::from(byte)))
    }

    fn points(&self) -> Option<Vec<i64>> {
        Some(self.scores.iter().map(|score| i64::from(*score)).collect())
    }
}

impl Chance for Position {
    const DICE: bool = true;

    fn chances(&self) -> Chances<Move> {
        match self.phase {
            Phase::Deal if !self.can_see(self.seat) => Chances::Hidden,
            Phase::Deal => Chances::Listed((1..=3).map(|card| (Move::Deal(card), 1)).collect()),
            Phase::Throw => {
                Chances::Listed(vec![(Move::Throw(1), 1), (Move::Throw(2), 2), (Move::Throw(3), 1)])
            }
            _ => Chances::Listed(Vec::new()),
        }
    }
}

impl Hidden for Position {
    const SECRETS: bool = true;

    fn view(&self, seat: Seat) -> Self {
        let mut view = Position { viewer: Some(seat), ..*self };
        for other in 0..SEATS {
            let shown = match self.phase {
                Phase::Over => true,
                Phase::Show => other < self.seat.into(),
                _ => false,
            };
            if other != seat.index() && !shown {
                view.cards[other] = 0;
            }
        }
        view
    }

    fn mask(&self, m: &Move, seat: Seat) -> Move {
        match m {
            Move::Deal(_) if usize::from(self.seat) != seat.index() => Move::Deal(0),
            other => *other,
        }
    }

    fn viewer(&self) -> Option<Seat> {
        self.viewer
    }
}

const ROUNDS: Spin = Spin::new("Rounds", 2, 1, 5, "rounds of dice");

impl Rules for Position {
    fn rule_options() -> Vec<OptionSpec> {
        vec![ROUNDS.spec()]
    }

    fn start(rules: &OptionValues, viewer: Option<Seat>) -> Result<Self, NotationError> {
        Ok(Position {
            cards: [0; SEATS],
            scores: [0; SEATS],
            phase: Phase::Deal,
            seat: 0,
            round: 0,
            rounds: ROUNDS.get(rules) as u8,
            viewer,
        })
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        vec![ROUNDS.with(self.rounds)]
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.write())
    }
}

parlor::position_traits!(Position);

impl parlor::game::Picture for Position {}

impl Position {
    fn write(&self) -> String {
        let card = |card: u8| if card == 0 { "?".into() } else { card.to_string() };
        let phase = match self.phase {
            Phase::Deal => "deal".into(),
            Phase::Throw => "throw".into(),
            Phase::Take(points) => format!("take{points}"),
            Phase::Show => "show".into(),
            Phase::Over => "over".into(),
        };
        format!(
            "{}/{}/{phase} {} {}",
            self.cards.map(card).join("."),
            self.scores.map(|score| score.to_string()).join("."),
            self.seat,
            self.round
        )
    }
}

impl Notation for Position {
    /// `cards/scores/phase seat round`, such as `1.?.3/0.2.0/take3 2 1`.
    fn parse(
        text: &str,
        rules: &OptionValues,
        viewer: Option<Seat>,
    ) -> Result<Self, NotationError> {
        let bad = || NotationError::new("expected cards/scores/phase seat round");
        let mut position = Self::start(rules, viewer)?;
        let mut words = text.split(' ');
        let mut board = words.next().ok_or_else(bad)?.split('/');
        let mut row = |most: u8| -> Option<[u8; SEATS]> {
            let numbers = board.next()?.split('.').map(|word| match word {
                "?" => Some(0),
                _ => word.parse().ok().filter(|number| *number <= most),
            });
            numbers.collect::<Option<Vec<u8>>>()?.try_into().ok()
        };
        position.cards = row(3).ok_or_else(bad)?;
        position.scores = row(30).ok_or_else(bad)?;
        let phase = board.next().ok_or_else(bad)?;
        position.phase = match phase {
            "deal" => Phase::Deal,
            "throw" => Phase::Throw,
            "take1" => Phase::Take(1),
            "take2" => Phase::Take(2),
            "take3" => Phase::Take(3),
            "show" => Phase::Show,
            "over" => Phase::Over,
            _ => return Err(bad()),
        };
        let mut number = |most: u8| {
            words.next().and_then(|word| word.parse().ok()).filter(|number| *number <= most)
        };
        position.seat = number(2).ok_or_else(bad)?;
        position.round = number(position.rounds).ok_or_else(bad)?;
        if words.next().is_some() || board.next().is_some() {
            return Err(bad());
        }
        Ok(position)
    }

    fn parse_move(&self, token: &str) -> Result<Move, NotationError> {
        let bad = || NotationError::new("expected deal:N, tN, take, leave or show:N");
        let digit = |text: &str| text.parse::<u8>().ok().filter(|n| (1..=3).contains(n));
        match token {
            "take" => return Ok(Move::Take),
            "leave" => return Ok(Move::Leave),
            "deal:?" => return Ok(Move::Deal(0)),
            _ => {}
        }
        if let Some(rest) = token.strip_prefix("deal:") {
            return digit(rest).map(Move::Deal).ok_or_else(bad);
        }
        if let Some(rest) = token.strip_prefix("show:") {
            return digit(rest).map(Move::Show).ok_or_else(bad);
        }
        token.strip_prefix('t').and_then(digit).map(Move::Throw).ok_or_else(bad)
    }

    fn token(&self, m: &Move) -> String {
        match m {
            Move::Deal(0) => "deal:?".into(),
            Move::Deal(card) => format!("deal:{card}"),
            Move::Throw(points) => format!("t{points}"),
            Move::Take => "take".into(),
            Move::Leave => "leave".into(),
            Move::Show(card) => format!("show:{card}"),
        }
    }

    fn explain_illegal(&self, _: &Move) -> String {
        format!("it is time to {:?}", self.phase)
    }
}

/// Panics when asked to choose, as a search with a fault would.
struct Broken;

impl Player<Position> for Broken {
    fn choose(
        &mut self,
        _: &Situation<Position>,
        _: &Request<Move>,
        _: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        panic!("on purpose")
    }
}

/// Thinks until it must stop, a node a millisecond, and then takes.
struct Slow;

impl Player<Position> for Slow {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let best = situation.position().moves().into_iter().find(|m| request.allows(m))?;
        let mut info = Info::new(1, Score::Cp(0), vec![best]);
        report(Report::Info(info.clone()));
        let limits = &request.limits;
        while !request.control.must_stop(limits, info.nodes)
            && limits.depth.is_none_or(|depth| info.nodes < u64::from(depth))
        {
            info.nodes += 1;
            std::thread::sleep(Duration::from_millis(1));
        }
        report(Report::Info(info));
        Some(Choice { best, ponder: Some(Move::Take) })
    }
}

/// Reports a move and then hears no stop.
struct Deaf;

impl Player<Position> for Deaf {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        _: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let best = situation.position().moves().into_iter().next()?;
        let info = Info::new(1, Score::Cp(0), vec![best]);
        report(Report::Info(info.clone()));
        std::thread::sleep(Duration::from_secs(20));
        report(Report::Info(info));
        Some(Choice { best, ponder: None })
    }
}

/// Tells what it was built with and what it is asked, and reports two lines of known contents.
struct Recorder(Settings);

impl Player<Position> for Recorder {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let Settings { hash, threads, seed, .. } = self.0;
        let Request { limits, multi_pv, .. } = request;
        let number = |number: Option<u64>| number.map_or("-".into(), |number| number.to_string());
        let time = |time: Option<Duration>| number(time.map(|time| time.as_micros() as u64));
        report(Report::Text(format!(
            "depth={} nodes={} mate={} soft={} least={} hard={} lines={multi_pv} hash={hash} \
             threads={threads} seed={seed}",
            number(limits.depth.map(u64::from)),
            number(limits.nodes),
            number(limits.mate.map(u64::from)),
            time(limits.soft),
            time(limits.least),
            time(limits.hard),
        )));
        let best = situation.position().moves().into_iter().find(|m| request.allows(m))?;
        report(Report::Info(Info {
            seldepth: 7,
            multipv: 2,
            bound: Bound::Lower,
            shares: Some(vec![100, 200, 700]),
            nodes: 4_000,
            hashfull: 12,
            time: Duration::from_micros(2_500),
            ..Info::new(3, Score::Cp(-31), vec![best, best])
        }));
        report(Report::Info(Info {
            bound: Bound::Upper,
            wdl: Some([5, 15, 980]),
            ..Info::new(4, Score::Mate(-3), Vec::new())
        }));
        Some(Choice { best, ponder: None })
    }
}

/// Answers with a move that is never legal, or with none.
struct Cheat(Option<Move>);

impl Player<Position> for Cheat {
    fn choose(
        &mut self,
        _: &Situation<Position>,
        _: &Request<Move>,
        _: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        self.0.map(|best| Choice { best, ponder: None })
    }
}

impl Playable for Position {
    const NAME: &'static str = "table";
    const TITLE: &'static str = "The table game";
    const SHORT_RULES: &'static str = "# The table game\n\nA game for tests.\n";
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("slow", |_| Box::new(Slow)),
        NamedPlayer::new("deaf", |_| Box::new(Deaf)),
        NamedPlayer::new("broken", |_| Box::new(Broken)),
        NamedPlayer::new("recorder", |settings| Box::new(Recorder(settings.clone()))),
        NamedPlayer::new("cheat", |_| Box::new(Cheat(Some(Move::Show(0))))),
        NamedPlayer::new("silent", |_| Box::new(Cheat(None))),
    ];

    fn explain_evaluation(&self) -> String {
        "score cp 0".into()
    }

    fn bench() -> Vec<BenchPosition> {
        vec![BenchPosition { rules: "Rounds=3", position: "startpos moves deal:1", depth: 1 }]
    }
}
