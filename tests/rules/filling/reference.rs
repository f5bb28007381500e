//! A slow, obvious generator, written from the rules: the same moves, the same positions after them.

use std::collections::{BTreeMap, BTreeSet};

use parlor::game::{Game, Notation, Random};
use parlor::games::azacru::Azacru;
use parlor::games::chevrons::filling::{Kind, Position};
use parlor::games::shacru::Shacru;

use super::start;

type Place = (i32, i32);

const FACINGS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
const STEPS: [Place; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

fn name((file, rank): Place) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn land((file, rank): Place) -> Place {
    (file / 3, rank / 3)
}

/// The board and the turn. Players count from 1.
#[derive(Clone)]
pub struct Reference {
    azacru: bool,
    markers: BTreeMap<Place, usize>,
    /// Player and facing.
    chevrons: BTreeMap<Place, (usize, usize)>,
    turn: usize,
    players: usize,
    last: Option<usize>,
    idle: usize,
    pub over: bool,
}

impl Reference {
    pub fn read(text: &str, azacru: bool) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let mut board = Reference {
            azacru,
            markers: BTreeMap::new(),
            chevrons: BTreeMap::new(),
            turn: words[1].parse().unwrap(),
            players: words[2].parse().unwrap(),
            last: if azacru {
                words[3].strip_prefix('p').map(|p| p.parse().unwrap())
            } else {
                None
            },
            idle: words[if azacru { 4 } else { 3 }].parse().unwrap(),
            over: false,
        };
        for (row, line) in words[0].split('/').enumerate() {
            let (mut file, rank) = (0, 8 - row as i32);
            let mut letters = line.chars();
            while let Some(letter) = letters.next() {
                let at = (file, rank);
                file += letter.to_digit(10).unwrap_or(1) as i32;
                match letter {
                    'a'..='d' => drop(board.markers.insert(at, letter as usize - 'a' as usize + 1)),
                    '[' => {
                        let body: String = letters.by_ref().take_while(|c| *c != ']').collect();
                        let player = body[..1].parse().unwrap();
                        let facing = body[1..].trim_end_matches('*');
                        let facing = FACINGS.iter().position(|f| *f == facing).unwrap();
                        board.chevrons.insert(at, (player, facing));
                        if body.ends_with('*') {
                            board.markers.insert(at, player);
                        }
                    }
                    _ => {}
                }
            }
        }
        board
    }

    pub fn write(&self) -> String {
        let mut lines = Vec::new();
        for rank in (0..9).rev() {
            let mut line = String::new();
            let mut empty = 0;
            for file in 0..9 {
                let at = (file, rank);
                let marker = self.markers.get(&at);
                let text = match (self.chevrons.get(&at), marker) {
                    (Some((player, facing)), marker) => {
                        let star = if marker.is_some() { "*" } else { "" };
                        format!("[{player}{}{star}]", FACINGS[*facing])
                    }
                    (None, Some(owner)) => ["a", "b", "c", "d"][owner - 1].to_string(),
                    (None, None) => {
                        empty += 1;
                        continue;
                    }
                };
                if empty > 0 {
                    line += &empty.to_string();
                }
                empty = 0;
                line += &text;
            }
            if empty > 0 {
                line += &empty.to_string();
            }
            lines.push(line);
        }
        let last = match self.last {
            _ if !self.azacru => String::new(),
            Some(player) => format!(" p{player}"),
            None => " -".into(),
        };
        format!("{} {} {}{last} {}", lines.join("/"), self.turn, self.players, self.idle)
    }

    fn step(at: Place, facing: usize, count: i32) -> Option<Place> {
        let to = (at.0 + STEPS[facing].0 * count, at.1 + STEPS[facing].1 * count);
        ((0..9).contains(&to.0) && (0..9).contains(&to.1)).then_some(to)
    }

    fn power(&self, player: usize, at: Place) -> i32 {
        if !self.azacru {
            return 1;
        }
        let own = self.markers.iter().filter(|(f, p)| land(**f) == land(at) && **p == player);
        (own.count() as i32).max(1)
    }

    fn own(&self, at: Place, player: usize) -> bool {
        self.markers.get(&at) == Some(&player)
    }

    /// Every move of a player with the board after it; the turn is still that of the mover.
    fn moves(&self, player: usize) -> BTreeMap<String, Reference> {
        let mut found = BTreeMap::new();
        for (&from, &(_, facing)) in self.chevrons.iter().filter(|(_, c)| c.0 == player) {
            for direction in [(facing + 7) % 8, facing, (facing + 1) % 8] {
                for count in 1..=self.power(player, from) {
                    let Some(to) = Self::step(from, direction, count) else { break };
                    let between: Vec<Place> =
                        (1..count).filter_map(|n| Self::step(from, direction, n)).collect();
                    let chevron_between = between.iter().any(|f| self.chevrons.contains_key(f));
                    let joined = self.own(from, player) && self.own(to, player);
                    let enemy = self.markers.get(&to).is_some_and(|owner| *owner != player);
                    if self.chevrons.contains_key(&to) || enemy || chevron_between && !joined {
                        continue;
                    }
                    self.arrive(
                        &mut found,
                        from,
                        to,
                        direction,
                        &between,
                        joined && !chevron_between,
                    );
                }
            }
        }
        found
    }

    fn arrive(
        &self,
        found: &mut BTreeMap<String, Reference>,
        from: Place,
        to: Place,
        direction: usize,
        between: &[Place],
        connects: bool,
    ) {
        let player = self.chevrons[&from].0;
        let mut next = self.clone();
        next.chevrons.remove(&from);
        next.markers.insert(to, player);
        let mut replaced = false;
        if connects {
            for field in between {
                replaced |= next.markers.insert(*field, player).is_some_and(|old| old != player);
            }
        }
        let count = |board: &Reference| board.markers.values().filter(|p| **p == player).count();
        next.idle = if count(&next) > count(self) { 0 } else { self.idle + 1 };
        let token = format!("{}-{}", name(from), name(to));
        if replaced {
            found.insert(token, next);
            return;
        }
        let twists = land(from) != land(to) && self.last.is_none();
        for (sign, turn) in [("", 0), ("<", 7), (">", 1)] {
            if turn == 0 || twists {
                let mut turned = next.clone();
                turned.chevrons.insert(to, (player, (direction + turn) % 8));
                found.insert(format!("{token}{sign}"), turned);
            }
        }
    }

    /// Whether a chevron could ever gain a marker: all fields and facings that it can have are tried.
    fn may_gain(&self) -> bool {
        self.chevrons.iter().any(|(&at, &(player, facing))| {
            let mut seen = BTreeSet::from([(at, facing)]);
            let mut open = vec![(at, facing)];
            while let Some((at, facing)) = open.pop() {
                for direction in [(facing + 7) % 8, facing, (facing + 1) % 8] {
                    let Some(to) = Self::step(at, direction, 1) else { continue };
                    match self.markers.get(&to) {
                        None => return true,
                        Some(owner) if *owner != player => continue,
                        Some(_) => {}
                    }
                    let turns: &[usize] = if land(at) == land(to) { &[0] } else { &[0, 7, 1] };
                    for turn in turns {
                        let state = (to, (direction + turn) % 8);
                        if seen.insert(state) {
                            open.push(state);
                        }
                    }
                }
            }
            false
        })
    }

    /// The turn passes on.
    fn end_turn(mut self) -> Self {
        let stopped = !self.azacru && !self.may_gain();
        if stopped || self.idle >= 20 * self.players {
            self.over = true;
            return self;
        }
        self.turn = self.turn % self.players + 1;
        let mut asked = 0;
        while !self.over && self.moves(self.turn).is_empty() {
            if self.azacru {
                if self.last == Some(self.turn) {
                    break;
                }
                self.last = self.last.or(Some(self.turn));
            } else {
                asked += 1;
                self.over = asked == self.players;
            }
            self.turn = self.turn % self.players + 1;
        }
        self.over |= self.last == Some(self.turn);
        self
    }

    pub fn legal(&self) -> BTreeMap<String, Reference> {
        if self.over {
            return BTreeMap::new();
        }
        let moves = self.moves(self.turn).into_iter();
        moves.map(|(token, next)| (token, next.end_turn())).collect()
    }

    pub fn places(&self) -> Vec<u8> {
        let count = |player| self.markers.values().filter(|p| **p == player).count();
        let better = |player| (1..=self.players).filter(|p| count(*p) > count(player)).count();
        (1..=self.players).map(|player| 1 + better(player) as u8).collect()
    }

    /// The number of games of that many turns.
    pub fn perft(&self, depth: usize) -> u64 {
        match depth {
            1 if self.over => 0,
            1 => self.moves(self.turn).len() as u64,
            _ => self.legal().values().map(|next| next.perft(depth - 1)).sum(),
        }
    }
}

fn compare<K: Kind>(position: &Position<K>, slow: &Reference) {
    let text = position.to_string();
    assert_eq!(text, slow.write());
    let legal = slow.legal();
    let mut found: Vec<String> = position.moves().iter().map(|m| position.token(m)).collect();
    found.sort_unstable();
    assert_eq!(found, legal.keys().cloned().collect::<Vec<_>>(), "{text}");
    let places = position.outcome().map(|outcome| outcome.places().to_vec());
    assert_eq!(places, slow.over.then(|| slow.places()), "{text}");
}

fn compare_games<K: Kind>(players: &str, games: u64) {
    let (mut checked, mut passed) = (0, 0);
    for game in 0..games {
        let mut random = Random::new(game + 5);
        let mut position: Position<K> = start(players);
        let mut slow = Reference::read(&position.to_string(), K::POWER);
        loop {
            compare(&position, &slow);
            checked += 1;
            let Some(m) = position.random_move(&mut random) else { break };
            let (token, mover) = (position.token(&m), slow.turn);
            slow = slow.legal().remove(&token).expect("a move of both");
            position.play(&m);
            passed += usize::from(slow.turn != mover % slow.players + 1);
        }
    }
    assert!(checked > 35 * games && passed > 0, "{checked} positions, {passed} passes");
}

#[test]
fn the_reference_agrees_on_random_games_of_shacru() {
    for players in ["2", "3", "4"] {
        compare_games::<Shacru>(players, 12);
    }
}

#[test]
fn the_reference_agrees_on_random_games_of_azacru() {
    for players in ["2", "3", "4"] {
        compare_games::<Azacru>(players, 12);
    }
}
