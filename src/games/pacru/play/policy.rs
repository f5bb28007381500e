//! The policy network of three and four seats: what it sees of a position and of a move.
//!
//! It sees the facts that the networks see from the seat to move. A move is what it does on
//! which fields, what it gains, how it is attacked before and after.

use std::sync::{Arc, LazyLock};

use super::attack_maps::{AttackMaps, FieldSet, field_bit, looked_at, place_bit};
use super::evaluation::linear_strengths;
use super::inputs::visit_moment;
use super::selective::SelectivePosition;
use super::weights::weights;
use crate::game::{Game as _, MAX_SEATS, Seat};
use crate::games::chevrons::inputs::{Facts, STRIDE, add_board, blocks_of, turned, turned_facing};
use crate::games::chevrons::network::Network;
use crate::games::chevrons::strengths::{self, Strengths};
use crate::games::chevrons::{Cell, Field, count};
use crate::games::pacru::rules::{Gain, Move, Payment, Rotation};
use crate::search::Evaluate;
use crate::search::policy_network::{MoveInputs, PolicyNetwork};
use crate::search::seat_network::{Blocks, input_of};
use crate::search::value::Value;

/// Where a chevron starts and which way it goes. The constants below are numbers of inputs, of a group
/// the first.
const FROM: usize = 0;
/// Where it lands and which way it faces then.
const TO: usize = 648;
/// The field that is claimed.
const CLAIM: usize = 1296;
/// The field that a meeting recolours.
const MEETING: usize = 1377;
/// Where a chevron turns and how it faces then.
const TURN: usize = 1458;
/// A field paid with.
const PAYMENT: usize = 2106;
/// The length of the way, by pincer.
const STEPS: usize = 2187;
/// Nothing gained, or how many fields by a connection.
const CONNECTION: usize = 2203;
/// Who had the field claimed, by own markers there.
const CLAIMED: usize = 2211;
/// Landing on an own marker or not, beyond a border or not.
const LANDING: usize = 2251;
/// Whose chevron is captured.
const CAPTURED: usize = 2255;
/// How the chevron that moves is attacked.
const ATTACKED: usize = 2258;
/// How many enemy chevrons of one seat look at the landing.
const DANGER: usize = 2262;
/// Own markers where it lands.
const POWER: usize = 2266;
/// The rotation.
const ROTATION: usize = 2276;
/// How many inputs moves have.
pub const MOVES: usize = 2280;
/// How many inputs positions have: a block for each seat seen.
pub const POSITION: usize = 4 * STRIDE;

/// The number of hidden values.
pub const HIDDEN: usize = 64;

/// A position as the networks see it.
pub struct Seen<'a> {
    position: &'a SelectivePosition,
    /// The strengths by the linear terms.
    terms: Strengths,
    mover: usize,
    /// The blocks of inputs of the seat to move.
    blocks: Blocks,
    /// Own chevrons that an enemy chevron attacks, that the next seat could capture, that another could.
    attacked: [FieldSet; 3],
    /// The fields that at least one, two and three chevrons of one enemy look at.
    dangers: [FieldSet; 3],
}

impl<'a> Seen<'a> {
    /// Sees a position; adds all its facts.
    #[inline(always)]
    #[must_use]
    pub fn new(position: &'a SelectivePosition, facts: &mut Facts) -> Self {
        let (mover, seats) = (position.mover(), position.seats());
        let maps = AttackMaps::new(position);
        add_board(position, facts);
        visit_moment(position, &maps, |fact| facts.push(fact));
        let mut attacked = [0; 3];
        let mut dangers = [0; 3];
        for enemy in (0..seats).filter(|enemy| *enemy != mover) {
            let is_next = enemy == (mover + 1) % seats;
            attacked[0] |= maps.attacked[enemy & 3];
            attacked[if is_next { 1 } else { 2 }] |= maps.pincered[enemy & 3];
            let mut at_least = [0; 3];
            for field in position.chevron_fields(enemy) {
                let looked_at = looked_at(position, enemy, *field);
                at_least[2] |= at_least[1] & looked_at;
                at_least[1] |= at_least[0] & looked_at;
                at_least[0] |= looked_at;
            }
            dangers.iter_mut().zip(at_least).for_each(|(all, of_one)| *all |= of_one);
        }
        let terms = linear_strengths(weights(seats), position, &maps);
        let blocks = blocks_of(mover, seats);
        Seen { position, terms, mover, blocks, attacked, dangers }
    }

    /// The inputs of the position: its facts in the view of the seat to move.
    #[inline(always)]
    #[must_use]
    pub fn position_inputs(&self, facts: &Facts) -> Facts {
        facts.iter().map(|fact| input_of(&self.blocks, STRIDE, *fact) as u16).collect()
    }

    /// How many turns ahead a seat is, as the blocks of inputs say it.
    fn ahead(&self, seat: usize) -> usize {
        usize::from(self.blocks[seat & 3])
    }

    /// How an own chevron is attacked: not, by one, by a pincer, by one of the next seat.
    fn attack(&self, field: Field) -> usize {
        let bit = field_bit(field);
        match self.attacked.map(|set| set & bit != 0) {
            [_, true, _] => 3,
            [_, _, true] => 2,
            [true, ..] => 1,
            _ => 0,
        }
    }

    /// The most chevrons of one enemy that look at a field, at most three.
    fn danger(&self, field: Field) -> usize {
        let bit = place_bit(field);
        self.dangers.iter().filter(|fields| *fields & bit != 0).count()
    }

    /// The inputs of a move.
    #[must_use]
    pub fn move_inputs(&self, m: &Move) -> MoveInputs {
        match m {
            Move::Advance { from, to, pincer, gain, meeting } => {
                let mut inputs = self.landing_inputs(*from, *to, *pincer);
                inputs.extend(self.gain_inputs(*from, *to, gain, *meeting));
                inputs
            }
            Move::Rotate { from, rotation, payment } => {
                self.rotation_inputs(*from, *rotation, payment)
            }
        }
    }

    /// What moves with one landing have in common.
    #[inline(always)]
    fn landing_inputs(&self, from: Field, to: Field, pincer: bool) -> MoveInputs {
        let mut inputs = MoveInputs::new();
        let mut add = |input: usize| inputs.push(input as u16);
        let there = self.position.cell(to);
        let facing = self.position.cell(from).facing();
        let (direction, steps) = from.line_to(to).unwrap_or((facing, 1));
        add(FROM + 8 * from.index() + direction.index());
        add(TO + 8 * to.index() + direction.index());
        add(STEPS + 2 * (steps - 1).min(7) + usize::from(pincer));
        let own = there == Cell::marker_of(self.mover);
        let crosses = from.borderland() != to.borderland();
        add(LANDING + 2 * usize::from(own) + usize::from(crosses));
        if pincer {
            add(CAPTURED + self.ahead(there.chevron_seat()).clamp(1, 3) - 1);
        }
        add(ATTACKED + self.attack(from));
        add(DANGER + self.danger(to));
        add(POWER + count(self.position.markers_in(self.mover, to.borderland())).min(9));
        inputs
    }

    /// What an advance gains.
    #[inline(always)]
    fn gain_inputs(
        &self,
        from: Field,
        to: Field,
        gain: &Gain,
        meeting: Option<Field>,
    ) -> MoveInputs {
        let mut inputs = MoveInputs::new();
        let mut add = |input: usize| inputs.push(input as u16);
        match gain {
            Gain::Nothing => add(CONNECTION),
            Gain::Connection => add(CONNECTION + (from.distance(to) - 1).clamp(1, 7)),
            Gain::Claim(field) => {
                let owner = self.position.cell(*field).marker();
                let have = count(self.position.markers_in(self.mover, field.borderland()));
                add(CLAIM + field.index());
                add(CLAIMED + 10 * owner.map_or(0, |seat| self.ahead(seat)) + have.min(9));
            }
        }
        if let Some(field) = meeting {
            add(MEETING + field.index());
        }
        inputs
    }

    #[inline(always)]
    fn rotation_inputs(&self, from: Field, rotation: Rotation, payment: &Payment) -> MoveInputs {
        let mut inputs = MoveInputs::new();
        let mut add = |input: usize| inputs.push(input as u16);
        let facing = rotation.applied(self.position.cell(from).facing());
        add(TURN + 8 * from.index() + facing.index());
        payment.fields().iter().for_each(|field| add(PAYMENT + field.index()));
        add(ROTATION + rotation as usize);
        add(ATTACKED + self.attack(from));
        inputs
    }
}

/// The policy network.
pub type Policy = PolicyNetwork<HIDDEN>;

/// The policy network in the program, written by `parlor-lab pacru policy`.
pub(super) static SHIPPED: LazyLock<Arc<Policy>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../../data/pacru-policy.network");
    let policy = Policy::from_bytes(bytes, "pacru", [POSITION, MOVES]);
    policy.unwrap_or_else(|error| unreachable!("in the program: {error}")).into()
});

/// The evaluation of a network with the moves of a policy.
pub struct Guided {
    /// What positions are worth.
    pub values: Arc<Network<SelectivePosition, 4>>,
    /// Which moves are likely.
    pub policy: Arc<Policy>,
}

impl Evaluate<SelectivePosition> for Guided {
    type Acc = ();

    fn fresh(&self, _: &SelectivePosition) {}

    fn score(&self, (): &(), position: &SelectivePosition, seat: Seat) -> Value {
        self.scores(&(), position)[seat.index()]
    }

    fn scores(&self, (): &(), position: &SelectivePosition) -> [Value; MAX_SEATS] {
        self.scores_and_policy(position, &[], &mut Vec::new())
    }

    fn has_policy(&self) -> bool {
        true
    }

    fn scores_and_policy(
        &self,
        position: &SelectivePosition,
        moves: &[Move],
        logits: &mut Vec<f32>,
    ) -> [Value; MAX_SEATS] {
        let mut facts = Facts::new();
        let seen = Seen::new(position, &mut facts);
        let hidden = self.policy.hidden(&seen.position_inputs(&facts));
        // Moves with one landing follow each other.
        let (mut landing, mut common) = (None, 0);
        for m in moves {
            let sum = match m {
                Move::Advance { from, to, pincer, gain, meeting } => {
                    let (from, to, pincer) = (*from, *to, *pincer);
                    if landing != Some((from, to, pincer)) {
                        landing = Some((from, to, pincer));
                        common = self.policy.sum(&hidden, &seen.landing_inputs(from, to, pincer));
                    }
                    common + self.policy.sum(&hidden, &seen.gain_inputs(from, to, gain, *meeting))
                }
                Move::Rotate { from, rotation, payment } => {
                    self.policy.sum(&hidden, &seen.rotation_inputs(*from, *rotation, payment))
                }
            };
            logits.push(Policy::logit(sum));
        }
        let strengths = self.values.strengths_of_facts(position, &facts, seen.terms);
        strengths::logits(&strengths, position.seats())
    }
}

/// The images of the inputs of moves under the eight symmetries of the board.
#[must_use]
pub fn move_symmetries() -> [[u16; MOVES]; 8] {
    let mut tables = [std::array::from_fn(|input| input as u16); 8];
    for (way, table) in tables.iter_mut().enumerate() {
        for field in 0..81 {
            let to = turned(way, field, 9);
            for group in [CLAIM, MEETING, PAYMENT] {
                table[group + field] = (group + to) as u16;
            }
            for group in [FROM, TO, TURN] {
                for facing in 0..8 {
                    table[group + 8 * field + facing] =
                        (group + 8 * to + turned_facing(way, facing)) as u16;
                }
            }
        }
        // Left and right are exchanged by a mirror.
        if way.count_ones() % 2 == 1 {
            for (one, other) in [(0, 1), (2, 3)] {
                table[ROTATION + one] = (ROTATION + other) as u16;
                table[ROTATION + other] = (ROTATION + one) as u16;
            }
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation as _, Random};
    use crate::games::chevrons::Direction;
    use crate::games::chevrons::network::{Judged as _, laws};
    use crate::games::pacru::play::network::tests::{rebuilt, start};

    /// Positions of random games of three and four players.
    fn for_positions(games: u64, mut visit: impl FnMut(&SelectivePosition)) {
        for game in 0..games {
            let mut random = Random::new(game);
            let mut position = start(3 + game as usize % 2);
            for ply in 0..160 {
                let Some(m) = position.random_move(&mut random) else { break };
                position.play(&m);
                if ply % 4 == 3 && !position.turn().is_over() {
                    visit(&position);
                }
            }
        }
    }

    /// The inputs of all moves, each sorted.
    fn inputs_of(position: &SelectivePosition, moves: &[Move]) -> Vec<Vec<u16>> {
        let mut facts = Facts::new();
        let seen = Seen::new(position, &mut facts);
        let sorted = |m: &Move| {
            let mut inputs = seen.move_inputs(m).to_vec();
            inputs.sort_unstable();
            inputs
        };
        moves.iter().map(sorted).collect()
    }

    /// A move on the board turned or mirrored.
    fn image(m: &Move, way: usize) -> Move {
        let field = |field: Field| Field::new(turned(way, field.index(), 9));
        match *m {
            Move::Advance { from, to, pincer, gain, meeting } => Move::Advance {
                from: field(from),
                to: field(to),
                pincer,
                gain: match gain {
                    Gain::Claim(claimed) => Gain::Claim(field(claimed)),
                    other => other,
                },
                meeting: meeting.map(field),
            },
            Move::Rotate { from, rotation, payment } => {
                let mirrored = way.count_ones() % 2 == 1;
                let rotation = match rotation {
                    Rotation::Right45 if mirrored => Rotation::Left45,
                    Rotation::Left45 if mirrored => Rotation::Right45,
                    Rotation::Right90 if mirrored => Rotation::Left90,
                    Rotation::Left90 if mirrored => Rotation::Right90,
                    other => other,
                };
                let fields: Vec<Field> = payment.fields().iter().map(|at| field(*at)).collect();
                Move::Rotate { from: field(from), rotation, payment: Payment::new(&fields) }
            }
        }
    }

    #[test]
    fn moves_on_a_turned_board_have_the_turned_inputs() {
        let tables = move_symmetries();
        let (mut advances, mut rotations) = (0, 0);
        for_positions(6, |position| {
            let moves = position.moves();
            let here = inputs_of(position, &moves);
            for (way, table) in tables.iter().enumerate() {
                let there = laws::image(position, way, rebuilt);
                let images: Vec<Move> = moves.iter().map(|m| image(m, way)).collect();
                for ((m, inputs), found) in images.iter().zip(&here).zip(inputs_of(&there, &images))
                {
                    assert!(there.is_legal(m), "{m:?} in {there:?}");
                    let mut expected: Vec<u16> =
                        inputs.iter().map(|input| table[usize::from(*input)]).collect();
                    expected.sort_unstable();
                    assert_eq!(found, expected, "{way}: {m:?} in {position:?}");
                }
            }
            rotations += moves.iter().filter(|m| matches!(m, Move::Rotate { .. })).count();
            advances += moves.len();
        });
        assert!(advances > 1_000 && rotations > 100, "{advances} {rotations}");
    }

    /// The inputs that a move should have, by hand: fields and directions by their names.
    #[test]
    fn the_inputs_of_a_move_are_what_it_does() {
        let field = |name| Field::parse(name).expect(name).index();
        let along = |group, name, way| group + 8 * field(name) + direction(way);
        let check = |fen: &str, token: &str, mut expected: Vec<usize>| {
            let position = SelectivePosition::new(fen.parse().expect(fen));
            let m = position.parse_move(token).expect(token);
            assert!(position.is_legal(&m), "{token}");
            expected.sort_unstable();
            let found: Vec<usize> =
                inputs_of(&position, &[m])[0].iter().map(|input| usize::from(*input)).collect();
            assert_eq!(found, expected, "{token}");
        };
        // Two chevrons of player 2 and one of player 3 look at e3.
        let looks = "9/9/9/9/9/3[2SE][3S][2SW]3/9/4[1N]4/9 1 4";
        let (from, to) = (along(FROM, "e2", "N"), along(TO, "e3", "N"));
        check(
            looks,
            "e2-e3",
            vec![from, to, STEPS, LANDING, CONNECTION, ATTACKED, DANGER + 2, POWER],
        );
        // A pincer takes a chevron of player 3; e2 is attacked by one of the next player.
        let pincer = "9/9/9/9/9/9/3[1E][3N]4/4[1N]4/4[2N]4 1 4";
        check(
            pincer,
            "e2xe3",
            vec![
                from,
                to,
                STEPS + 1,
                LANDING,
                CONNECTION,
                ATTACKED + 1,
                DANGER,
                POWER,
                CAPTURED + 1,
            ],
        );
        // Into a borderland with two own markers, where all other fields are of player 4.
        let claim = "8[2S]/9/9/3ddd3/3ddd3/3da4/3[1N]5/9/9 1 4";
        let (from, to) = (along(FROM, "d3", "NE"), along(TO, "e4", "NE"));
        let at = vec![
            from,
            to,
            STEPS,
            LANDING + 3,
            CLAIM + field("f4"),
            CLAIMED + 1,
            ATTACKED,
            DANGER,
            POWER + 1,
        ];
        check(claim, "d3-e4(f4)", at);
    }

    fn direction(name: &str) -> usize {
        Direction::parse(name).expect(name).index()
    }

    #[test]
    fn the_names_of_seats_do_not_matter() {
        for_positions(6, |position| {
            let moves = position.moves();
            for ahead in 1..position.seats() {
                let there = laws::renamed(position, ahead, rebuilt);
                assert_eq!(inputs_of(position, &moves), inputs_of(&there, &moves), "{position:?}");
            }
        });
    }

    #[test]
    fn positions_have_the_values_of_the_network() {
        let values = SelectivePosition::judgement().more.expect("a network");
        let guided = Guided { values: values.clone(), policy: SHIPPED.clone() };
        for_positions(6, |position| {
            let expected = values.scores(&values.fresh(position), position);
            assert_eq!(guided.scores(&(), position), expected, "{position:?}");
            let mut logits = Vec::new();
            let moves = position.moves();
            assert_eq!(guided.scores_and_policy(position, &moves, &mut logits), expected);
            assert_eq!(logits.len(), moves.len());
        });
    }

    #[test]
    fn the_network_comes_back_from_its_bytes() {
        let bytes = SHIPPED.to_bytes("pacru");
        assert_eq!(bytes, include_bytes!("../../../../data/pacru-policy.network"));
    }
}
