//! Games from dense positions in which meetings, pincers, transformations and last neutral fields
//! are frequent, played by the rules and by the reference.

use parlor::game::{Game, Notation, OptionValues, Random};
use parlor::games::pacru::Position;

use super::super::{rules, tokens};
use super::compare_one;

/// Files and ranks of one step, clockwise from north.
const STEPS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const NAMES: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// More moves than this take the reference too long.
const MOST_MOVES: u64 = 700;

/// A board as it is set up: owners of markers and chevrons by file and rank.
struct Setup {
    markers: [[Option<usize>; 9]; 9],
    chevrons: [[Option<(usize, usize)>; 9]; 9],
}

fn pick(random: &mut Random, below: i32) -> i32 {
    random.below(below as u64) as i32
}

impl Setup {
    /// Borderlands that are full, lack one marker or are open. Owners are drawn by weights, so that
    /// one opponent may have few markers and another many.
    fn scattered(seats: usize, random: &mut Random) -> Self {
        let mut setup = Setup { markers: [[None; 9]; 9], chevrons: [[None; 9]; 9] };
        let weights: Vec<u64> =
            (0..seats).map(|_| [1, 1, 3, 6][random.below(4) as usize]).collect();
        for borderland in 0..9 {
            let filled = [9, 8, 8, 5, 2][random.below(5) as usize];
            let mut fields: Vec<usize> = (0..9).collect();
            for _ in 0..filled {
                let field = fields.swap_remove(random.below(fields.len() as u64) as usize);
                let mut left = random.below(weights.iter().sum());
                let owner = weights.iter().position(|weight| {
                    let drawn = left < *weight;
                    left = left.saturating_sub(*weight);
                    drawn
                });
                setup.markers[borderland % 3 * 3 + field % 3][borderland / 3 * 3 + field / 3] =
                    owner;
            }
        }
        setup
    }

    /// A chevron where there is room; `marked`: on its own marker, or else on neutral ground.
    fn place(&mut self, at: (i32, i32), seat: usize, facing: i32, marked: bool) -> Option<()> {
        let (file, rank) = (usize::try_from(at.0).ok()?, usize::try_from(at.1).ok()?);
        let free = self.chevrons.get(file)?.get(rank)?.is_none();
        if free {
            self.chevrons[file][rank] = Some((seat, facing.rem_euclid(8) as usize));
            self.markers[file][rank] = marked.then_some(seat);
        }
        free.then_some(())
    }

    /// Two chevrons of the first seat that may come to face each other.
    fn meeting(&mut self, random: &mut Random) -> Option<()> {
        let (partner, facing) = ((pick(random, 9), pick(random, 9)), pick(random, 8));
        let ahead = |steps: i32| {
            let (file, rank) = STEPS[facing as usize];
            (partner.0 + file * steps, partner.1 + rank * steps)
        };
        self.place(partner, 0, facing, true)?;
        self.place(ahead(2 + pick(random, 2)), 0, facing + 4, random.below(4) > 0)?;
        let (file, rank) = ahead(1);
        *self
            .markers
            .get_mut(usize::try_from(file).ok()?)?
            .get_mut(usize::try_from(rank).ok()?)? = [Some(0), None][random.below(2) as usize];
        Some(())
    }

    /// A chevron of another seat on neutral ground that two of the first seat attack.
    fn pincer(&mut self, seats: usize, random: &mut Random) -> Option<()> {
        let target = (pick(random, 9), pick(random, 9));
        let enemy = 1 + random.below(seats as u64 - 1) as usize;
        self.place(target, enemy, pick(random, 8), random.below(3) == 0)?;
        let first = pick(random, 8);
        for way in [first, first + 1 + pick(random, 7)] {
            let (file, rank) = STEPS[way.rem_euclid(8) as usize];
            let distance = 1 + pick(random, 2);
            let at = (target.0 + file * distance, target.1 + rank * distance);
            self.place(at, 0, way + 4 + pick(random, 3) - 1, random.below(2) == 0)?;
        }
        Some(())
    }

    fn write(&self, seats: usize) -> String {
        let field = |file: usize, rank: usize| match (
            self.chevrons[file][rank],
            self.markers[file][rank],
        ) {
            (Some((seat, facing)), marker) => {
                let star = if marker.is_some() { "*" } else { "" };
                format!("[{}{}{star}]", seat + 1, NAMES[facing])
            }
            (None, Some(owner)) => char::from(b'a' + owner as u8).to_string(),
            (None, None) => "-".into(),
        };
        let line = |rank: usize| {
            let line: String = (0..9).map(|file| field(file, rank)).collect();
            (1..=9).rev().fold(line, |line, run| line.replace(&"-".repeat(run), &run.to_string()))
        };
        let lines: Vec<String> = (0..9).rev().map(line).collect();
        format!("{} 1 {seats}", lines.join("/"))
    }
}

/// A dense position with the first seat to move, if the draw makes one.
fn dense(seats: usize, rules: &OptionValues, random: &mut Random) -> Option<Position> {
    let mut setup = Setup::scattered(seats, random);
    match random.below(2) {
        0 => setup.meeting(random)?,
        _ => setup.pincer(seats, random)?,
    }
    for seat in 1..seats {
        for _ in 0..2 {
            let _ = setup.place((pick(random, 9), pick(random, 9)), seat, pick(random, 8), true);
        }
    }
    let position = Position::parse(&setup.write(seats), rules, None).ok()?;
    let few = position.count_moves() <= MOST_MOVES;
    (few && position.outcome().is_none()).then_some(position)
}

/// What happened in the positions that were compared.
#[derive(Default, Debug)]
struct Seen {
    positions: u32,
    meetings: u32,
    pincers: u32,
}

/// Plays on for some moves, rare ones first.
fn play(mut position: Position, rules: &OptionValues, random: &mut Random, seen: &mut Seen) {
    for _ in 0..4 {
        if position.outcome().is_some() || position.count_moves() > MOST_MOVES {
            return;
        }
        compare_one(&position, rules);
        let list = tokens(&position, "");
        // Only a meeting has two entries in its brackets.
        let rare: Vec<&String> = list.iter().filter(|token| token.contains([',', 'x'])).collect();
        seen.positions += 1;
        seen.meetings += u32::from(list.iter().any(|token| token.contains(',')));
        seen.pincers += u32::from(list.iter().any(|token| token.contains('x')));
        let token = match rare.as_slice() {
            [] => &list[random.below(list.len() as u64) as usize],
            rare => rare[random.below(rare.len() as u64) as usize],
        };
        let m = position.parse_move(token).unwrap();
        position.play(&m);
    }
}

#[test]
fn the_reference_agrees_where_rare_rules_apply() {
    for (players, landing) in [("2", "true"), ("3", "true"), ("4", "true"), ("2", "false")] {
        let settings = [("Players", players), ("LandingMarker", landing), ("Rotations", "false")];
        let rules = rules(&settings);
        let mut random = Random::new(41);
        let mut seen = Seen::default();
        while seen.meetings < 12 || seen.pincers < 30 {
            let seats = players.parse().unwrap();
            if let Some(position) = dense(seats, &rules, &mut random) {
                play(position, &rules, &mut random, &mut seen);
            }
            assert!(seen.positions < 2_000, "rare events are too rare: {seen:?}");
        }
    }
}
