//! The rules of Pacru, slow and obvious: coordinates, vectors and copies, rule by rule.
//!
//! Shares only the text of positions and moves with the engine.

use std::collections::BTreeMap;

const FACINGS: [(&str, i32, i32); 8] = [
    ("N", 0, 1),
    ("NE", 1, 1),
    ("E", 1, 0),
    ("SE", 1, -1),
    ("S", 0, -1),
    ("SW", -1, -1),
    ("W", -1, 0),
    ("NW", -1, 1),
];

type Square = (i32, i32);

#[derive(Clone, Debug)]
pub struct Reference {
    markers: BTreeMap<Square, usize>,
    chevrons: BTreeMap<Square, (usize, usize)>,
    turn: usize,
    players: usize,
    pub threshold: usize,
    pub landing_marker: bool,
    pub winner: Option<usize>,
}

fn all_squares() -> Vec<Square> {
    (0..9).flat_map(|rank| (0..9).map(move |file| (file, rank))).collect()
}

fn name(square: Square) -> String {
    format!("{}{}", (b'a' + square.0 as u8) as char, square.1 + 1)
}

fn borderland(square: Square) -> (i32, i32) {
    (square.0 / 3, square.1 / 3)
}

fn on_board(square: Square) -> bool {
    (0..9).contains(&square.0) && (0..9).contains(&square.1)
}

fn go(square: Square, facing: usize, steps: i32) -> Square {
    let (_, file, rank) = FACINGS[facing];
    (square.0 + file * steps, square.1 + rank * steps)
}

impl Reference {
    /// Reads a position that is known to be well formed.
    pub fn read(text: &str) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let mut state = Reference {
            markers: BTreeMap::new(),
            chevrons: BTreeMap::new(),
            turn: words[1].parse::<usize>().unwrap() - 1,
            players: words[2].parse().unwrap(),
            threshold: 9,
            landing_marker: true,
            winner: None,
        };
        for (row, line) in words[0].split('/').enumerate() {
            let rank = 8 - row as i32;
            let mut file = 0;
            let mut characters = line.chars();
            while let Some(character) = characters.next() {
                match character {
                    '1'..='9' => file += character as i32 - '0' as i32,
                    'a'..='d' => {
                        state.markers.insert((file, rank), character as usize - 'a' as usize);
                        file += 1;
                    }
                    _ => {
                        let body: String = characters.by_ref().take_while(|c| *c != ']').collect();
                        let seat = body[..1].parse::<usize>().unwrap() - 1;
                        let facing = body[1..].trim_end_matches('*');
                        let facing = FACINGS.iter().position(|f| f.0 == facing).unwrap();
                        state.chevrons.insert((file, rank), (seat, facing));
                        if body.ends_with('*') {
                            state.markers.insert((file, rank), seat);
                        }
                        file += 1;
                    }
                }
            }
        }
        state.begin_turn(state.turn);
        state
    }

    pub fn write(&self) -> String {
        let mut ranks = Vec::new();
        for rank in (0..9).rev() {
            let mut line = String::new();
            for file in 0..9 {
                let square = (file, rank);
                let marker = self.markers.get(&square);
                line += &match (self.chevrons.get(&square), marker) {
                    (Some((seat, facing)), None) => format!("[{}{}]", seat + 1, FACINGS[*facing].0),
                    (Some((seat, facing)), Some(_)) => {
                        format!("[{}{}*]", seat + 1, FACINGS[*facing].0)
                    }
                    (None, Some(seat)) => ["a", "b", "c", "d"][*seat].to_string(),
                    (None, None) => "1".to_string(),
                };
            }
            ranks.push(merge_ones(&line));
        }
        format!("{} {} {}", ranks.join("/"), self.turn + 1, self.players)
    }

    fn count(&self, seat: usize) -> usize {
        self.markers.values().filter(|owner| **owner == seat).count()
    }

    fn has_chevrons(&self, seat: usize) -> bool {
        self.chevrons.values().any(|(owner, _)| *owner == seat)
    }

    fn power(&self, seat: usize, square: Square) -> i32 {
        let here = all_squares().into_iter().filter(|s| borderland(*s) == borderland(square));
        (here.filter(|s| self.markers.get(s) == Some(&seat)).count() as i32).max(1)
    }

    fn occupied(&self, square: Square) -> bool {
        self.chevrons.contains_key(&square)
    }

    fn own(&self, square: Square) -> bool {
        self.markers.get(&square) == Some(&self.turn)
    }

    /// Every (start, facing of the move, landing) a chevron of `seat` reaches by distance alone.
    fn reach(&self, seat: usize) -> Vec<(Square, usize, i32)> {
        let mut found = Vec::new();
        for (&square, &(owner, facing)) in &self.chevrons {
            if owner != seat {
                continue;
            }
            for direction in [(facing + 7) % 8, facing, (facing + 1) % 8] {
                for steps in 1..=self.power(seat, square) {
                    if on_board(go(square, direction, steps)) {
                        found.push((square, direction, steps));
                    }
                }
            }
        }
        found
    }

    fn between(&self, from: Square, direction: usize, steps: i32) -> Vec<Square> {
        (1..steps).map(|step| go(from, direction, step)).collect()
    }

    fn free(&self, from: Square, direction: usize, steps: i32) -> bool {
        self.between(from, direction, steps).iter().all(|square| !self.occupied(*square))
    }

    /// Every chevron move as its token without brackets, and the state after rules 4, 5, 6, 7, 9, 10.
    pub fn advances(&self) -> BTreeMap<String, Reference> {
        let mut all = BTreeMap::new();
        if self.winner.is_some() {
            return all;
        }
        for (from, direction, steps) in self.reach(self.turn) {
            let to = go(from, direction, steps);
            let free = self.free(from, direction, steps);
            let connected = self.own(from) && self.own(to);
            let enemy = self.chevrons.get(&to).is_some_and(|(owner, _)| *owner != self.turn);
            if enemy && free && self.attacked_by(to) >= 2 {
                let mut after = self.moved(from, direction, to);
                after.markers.insert(to, self.turn);
                let head = format!("{}x{}", name(from), name(to));
                self.gains(&head, from, direction, to, after, None, &mut all);
            }
            let landable = !self.markers.contains_key(&to) || self.own(to);
            if !self.occupied(to) && landable && (free || connected) {
                let after = self.moved(from, direction, to);
                let head = format!("{}-{}", name(from), name(to));
                let filled =
                    (connected && free && steps >= 2).then(|| self.between(from, direction, steps));
                self.gains(&head, from, direction, to, after, filled, &mut all);
            }
        }
        all
    }

    fn attacked_by(&self, target: Square) -> usize {
        let reach = self.reach(self.turn);
        let hits = reach.iter().filter(|(from, direction, steps)| {
            go(*from, *direction, *steps) == target && self.free(*from, *direction, *steps)
        });
        hits.count()
    }

    fn moved(&self, from: Square, direction: usize, to: Square) -> Reference {
        let mut after = self.clone();
        after.chevrons.remove(&from);
        after.chevrons.insert(to, (self.turn, direction));
        if self.occupied(to) {
            after.markers.remove(&to);
        }
        after
    }

    #[allow(clippy::too_many_arguments)]
    fn gains(
        &self,
        head: &str,
        from: Square,
        direction: usize,
        to: Square,
        after: Reference,
        filled: Option<Vec<Square>>,
        all: &mut BTreeMap<String, Reference>,
    ) {
        let mut gained = Vec::new();
        if let Some(squares) = filled {
            let mut connected = after.clone();
            for square in squares {
                connected.markers.insert(square, self.turn);
            }
            gained.push(("*".to_string(), connected));
        }
        if borderland(from) != borderland(to) {
            for square in after.claimable(to) {
                let mut claimed = after.clone();
                claimed.markers.insert(square, self.turn);
                gained.push((name(square), claimed));
            }
        }
        if gained.is_empty() {
            gained.push((String::new(), after));
        }
        for (entry, state) in gained {
            let targets = state.meeting_targets(to, direction);
            if targets.is_empty() {
                let brackets = if entry.is_empty() { String::new() } else { format!("({entry})") };
                all.insert(format!("{head}{brackets}"), state.clone());
            }
            for target in targets {
                let comma = if entry.is_empty() { "" } else { "," };
                let mut met = state.clone();
                met.markers.insert(target, self.turn);
                all.insert(format!("{head}({entry}{comma}{})", name(target)), met);
            }
        }
    }

    /// Rule 7, looked at after the arrival.
    fn claimable(&self, to: Square) -> Vec<Square> {
        let squares: Vec<Square> =
            all_squares().into_iter().filter(|s| borderland(*s) == borderland(to)).collect();
        let neutral: Vec<Square> =
            squares.iter().copied().filter(|s| !self.markers.contains_key(s)).collect();
        if !neutral.is_empty() {
            let open = |s: &Square| !self.occupied(*s) || *s == to && self.landing_marker;
            return neutral.into_iter().filter(open).collect();
        }
        squares.into_iter().filter(|s| !self.own(*s) && !self.occupied(*s)).collect()
    }

    /// Rule 10.
    fn meeting_targets(&self, to: Square, direction: usize) -> Vec<Square> {
        let ahead = go(to, direction, 1);
        let partner = self.chevrons.get(&ahead) == Some(&(self.turn, (direction + 4) % 8));
        let rich =
            (0..self.players).any(|seat| seat != self.turn && self.count(seat) >= self.threshold);
        if !(partner && rich && self.own(to) && self.own(ahead)) {
            return Vec::new();
        }
        all_squares().into_iter().filter(|s| !self.occupied(*s) && !self.own(*s)).collect()
    }

    /// How many rotations there are, by counting payments one by one.
    pub fn rotation_count(&self) -> usize {
        self.rotations().len()
    }

    /// Every rotation and the state after it.
    pub fn rotations(&self) -> Vec<(String, Reference)> {
        let mut all = Vec::new();
        if self.winner.is_some() {
            return all;
        }
        let payable: Vec<Square> =
            all_squares().into_iter().filter(|s| self.own(*s) && !self.occupied(*s)).collect();
        for (&square, &(owner, facing)) in &self.chevrons {
            if owner != self.turn {
                continue;
            }
            for (sign, turn, cost) in [(">", 1, 2), ("<", 7, 2), (">>", 2, 4), ("<<", 6, 4)] {
                for payment in subsets(&payable, cost) {
                    let mut after = self.clone();
                    after.chevrons.insert(square, (owner, (facing + turn) % 8));
                    for paid in &payment {
                        after.markers.remove(paid);
                    }
                    let names: Vec<String> = payment.into_iter().map(name).collect();
                    all.push((format!("{}{sign}({})", name(square), names.join(",")), after));
                }
            }
        }
        all
    }

    /// Ends the turn that made this state.
    pub fn end_turn(mut self) -> Reference {
        let goal = [42, 28, 24][self.players - 2];
        if self.count(self.turn) >= goal {
            self.winner = Some(self.turn);
        }
        let next = (self.turn + 1) % self.players;
        self.begin_turn(next);
        self
    }

    fn begin_turn(&mut self, first: usize) {
        self.turn = first;
        loop {
            while !self.has_chevrons(self.turn) {
                self.turn = (self.turn + 1) % self.players;
            }
            let alive: Vec<usize> = (0..self.players).filter(|s| self.has_chevrons(*s)).collect();
            if self.winner.is_some() {
                return;
            }
            if alive.len() == 1 {
                self.winner = Some(alive[0]);
                return;
            }
            if !self.advances().is_empty() {
                return;
            }
            let out = self.turn;
            self.chevrons.retain(|_, (owner, _)| *owner != out);
        }
    }

    /// Places, ties sharing the better one.
    pub fn places(&self) -> Option<Vec<u8>> {
        let winner = self.winner?;
        let rank = |seat: usize| if seat == winner { usize::MAX } else { self.count(seat) };
        let place = |seat| 1 + (0..self.players).filter(|o| rank(*o) > rank(seat)).count() as u8;
        Some((0..self.players).map(place).collect())
    }
}

fn merge_ones(line: &str) -> String {
    let mut out = String::new();
    let mut ones = 0;
    let mut depth = 0;
    for character in line.chars() {
        if character == '1' && depth == 0 {
            ones += 1;
            continue;
        }
        if ones > 0 {
            out += &ones.to_string();
            ones = 0;
        }
        depth += (character == '[') as i32 - (character == ']') as i32;
        out.push(character);
    }
    if ones > 0 {
        out += &ones.to_string();
    }
    out
}

fn subsets(of: &[Square], count: usize) -> Vec<Vec<Square>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, square) in of.iter().enumerate() {
        for mut rest in subsets(&of[index + 1..], count - 1) {
            rest.insert(0, *square);
            all.push(rest);
        }
    }
    all
}
