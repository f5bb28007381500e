//! Whether a move is legal, decided from the move; what is not names the rule it breaks.

use super::board::{Direction, Field};
use super::moves::{Gain, Landing, Move, Payment, Rotation, fields_in};
use super::position::{Cell, Position};
use crate::game::Seat;

/// The rule a move breaks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// Nothing to move.
    #[error("there is no chevron on {0}")]
    NoChevron(Field),
    /// Somebody else's.
    #[error("the chevron on {0} belongs to {1}, and it is {2}'s turn")]
    NotYours(Field, Seat, Seat),
    /// No line.
    #[error("{0} to {1} is not a straight line; a chevron moves straight or diagonally")]
    NotStraight(Field, Field),
    /// Sideways or back.
    #[error("the chevron on {0} faces {1} and moves only {2}")]
    NotForward(Field, Direction, String),
    /// Beyond its power.
    #[error(
        "{0} to {1} is {2} fields, but the power there is {3} (own markers in the borderland where the move starts, at least 1)"
    )]
    TooFar(Field, Field, usize, usize),
    /// Own chevron in the way.
    #[error("{0} is occupied by an own chevron")]
    OwnChevron(Field),
    /// A capture is written with an x.
    #[error("{0} is occupied by an enemy chevron; a pincer is written {1}x{0}")]
    Occupied(Field, Field),
    /// An enemy marker.
    #[error("{0} has a marker of {1}; a chevron lands on a neutral field or on an own marker")]
    EnemyMarker(Field, Seat),
    /// A jump that is no connection.
    #[error(
        "the chevron on {0} is in the way; only a connection jump, from an own marker to an own marker, passes it"
    )]
    InTheWay(Field),
    /// Nothing to capture.
    #[error("there is no enemy chevron to capture on {0}")]
    NothingToCapture(Field),
    /// A pincer needs two.
    #[error(
        "a pincer needs two attackers at the start of the turn; only one own chevron attacks {0}"
    )]
    OneAttacker(Field),
    /// A gain is compulsory.
    #[error("a gain is compulsory here: add one of {0}")]
    GainDue(String),
    /// No connection change.
    #[error(
        "(*) is not allowed: a connection change needs two fields or more, from an own marker to an own marker, with no chevron between"
    )]
    NoConnection,
    /// A claim out of place.
    #[error("the claim {0} is not allowed: {1}")]
    Claim(Field, &'static str),
    /// A gain where there is none.
    #[error("{0} gains nothing here: {1}")]
    NoMeeting(Field, &'static str),
    /// The meeting must be used.
    #[error(
        "a meeting is compulsory: name a field to recolour, unoccupied and not own, as the last entry in brackets"
    )]
    MeetingDue,
    /// A meeting field out of place.
    #[error("the meeting may not recolour {0}: {1}")]
    MeetingField(Field, &'static str),
    /// Rotations are switched off.
    #[error("rotations are switched off (option Rotations is false)")]
    NoRotations,
    /// Too little or too much.
    #[error("the payment is too {2}: a rotation of {0} degrees costs exactly {1} markers, not {3}")]
    Payment(u32, usize, &'static str, usize),
    /// Named twice.
    #[error("{0} is paid twice")]
    PaidTwice(Field),
    /// A marker that cannot be taken.
    #[error(
        "the marker on {0} cannot pay: it lies under a chevron, and payment comes from unoccupied fields"
    )]
    PaidOccupied(Field),
    /// No marker there.
    #[error("{0} cannot pay: there is no own marker on it")]
    PaidForeign(Field),
}

impl Position {
    /// Whether a move is legal, and if not, why.
    pub fn check(&self, m: &Move) -> Result<(), Fault> {
        if self.is_over() {
            return Err(Fault::Over);
        }
        match *m {
            Move::Advance { from, to, pincer, gain, meeting } => {
                let landing = self.check_landing(from, to, pincer)?;
                self.check_gain(landing, gain)?;
                self.check_meeting(landing, gain, meeting)
            }
            Move::Rotate { from, rotation, payment } => {
                self.check_rotation(from, rotation, payment)
            }
        }
    }

    fn own_chevron(&self, from: Field) -> Result<Cell, Fault> {
        let cell = self.cells[from.index()];
        if !cell.is_occupied() {
            return Err(Fault::NoChevron(from));
        }
        if cell.chevron_seat() != self.mover() {
            let (owner, mover) = (Seat::new(cell.chevron_seat()), Seat::new(self.mover()));
            return Err(Fault::NotYours(from, owner, mover));
        }
        Ok(cell)
    }

    /// The landing of a move as far as its fields go.
    pub(super) fn check_landing(
        &self,
        from: Field,
        to: Field,
        pincer: bool,
    ) -> Result<Landing, Fault> {
        let seat = self.mover();
        let start = self.own_chevron(from)?;
        let (direction, steps) = from.line_to(to).ok_or(Fault::NotStraight(from, to))?;
        let forward = start.facing().forward();
        if !forward.contains(&direction) {
            let names = forward.map(Direction::name).join(" ");
            return Err(Fault::NotForward(from, start.facing(), names));
        }
        let power = self.power_of(seat, from.borderland());
        if steps > power {
            return Err(Fault::TooFar(from, to, steps, power));
        }
        let there = self.cells[to.index()];
        let enemy = there.is_occupied() && there.chevron_seat() != seat;
        match (there.is_occupied(), enemy, pincer) {
            (true, false, _) => return Err(Fault::OwnChevron(to)),
            (true, true, false) => return Err(Fault::Occupied(to, from)),
            (false, _, true) => return Err(Fault::NothingToCapture(to)),
            _ => {}
        }
        let between = (1..steps).map(|step| from.ahead(direction, step));
        let obstacle = between.into_iter().find(|field| self.cells[field.index()].is_occupied());
        let linked = start.is_chevron_on_marker() && there == Cell::marker_of(seat);
        if let Some(field) = obstacle.filter(|_| !linked) {
            return Err(Fault::InTheWay(field));
        }
        if pincer && self.attackers(seat, to) < 2 {
            return Err(Fault::OneAttacker(to));
        }
        if let Some(owner) = there.marker().filter(|owner| *owner != seat && !pincer) {
            return Err(Fault::EnemyMarker(to, Seat::new(owner)));
        }
        let connection = linked && steps > 1 && obstacle.is_none();
        Ok(Landing { from, to, direction, connection, pincer })
    }

    /// How many chevrons of a seat attack an enemy chevron on a field.
    pub(super) fn attackers(&self, seat: usize, target: Field) -> usize {
        let attacks = |from: &&Field| {
            let Some((direction, steps)) = from.line_to(target) else {
                return false;
            };
            self.cells[from.index()].facing().forward().contains(&direction)
                && steps <= self.power_of(seat, from.borderland())
                && (1..steps).all(|s| !self.cells[from.ahead(direction, s).index()].is_occupied())
        };
        self.fields_of(seat).iter().filter(attacks).count()
    }

    fn check_gain(&self, landing: Landing, gain: Gain) -> Result<(), Fault> {
        let claims = self.claims(self.mover(), landing);
        let entered = landing.to.borderland();
        match gain {
            Gain::Nothing if landing.connection || claims != 0 => {
                let mut options = Vec::new();
                if landing.connection {
                    options.push("(*)".to_string());
                }
                options.extend(fields_in(entered, claims).map(|field| format!("({field})")));
                Err(Fault::GainDue(options.join(" ")))
            }
            Gain::Nothing => Ok(()),
            Gain::Connection if landing.connection => Ok(()),
            Gain::Connection => Err(Fault::NoConnection),
            Gain::Claim(field) if field.borderland() == entered && claims & field.bit() != 0 => {
                Ok(())
            }
            Gain::Claim(field) => {
                Err(Fault::Claim(field, self.claim_fault(landing, claims, field)))
            }
        }
    }

    fn claim_fault(&self, landing: Landing, claims: u16, field: Field) -> &'static str {
        let cell = self.cells[field.index()];
        if !landing.crosses() {
            "the move does not cross into another borderland"
        } else if field.borderland() != landing.to.borderland() {
            "it lies outside the borderland entered"
        } else if cell.is_occupied() {
            "it is occupied"
        } else if claims == 0 {
            "no field of the borderland entered can be claimed"
        } else if cell.marker() == Some(self.mover()) {
            "it has an own marker already"
        } else if field == landing.to {
            "option LandingMarker forbids the field just landed on"
        } else {
            "while the borderland has a neutral field, only a neutral one may be claimed"
        }
    }

    fn check_meeting(
        &self,
        landing: Landing,
        gain: Gain,
        meeting: Option<Field>,
    ) -> Result<(), Fault> {
        let mut fields = self.meeting_fields(landing, gain).peekable();
        let due = fields.peek().is_some();
        match meeting {
            None if due => Err(Fault::MeetingDue),
            None => Ok(()),
            Some(field) if !due => Err(Fault::NoMeeting(field, self.why_no_meeting(landing, gain))),
            Some(field) if fields.any(|allowed| allowed == field) => Ok(()),
            Some(field) => {
                Err(Fault::MeetingField(field, self.meeting_fault(landing, gain, field)))
            }
        }
    }

    fn why_no_meeting(&self, landing: Landing, gain: Gain) -> &'static str {
        if gain == Gain::Nothing && !landing.crosses() && !self.faces_partner(self.mover(), landing)
        {
            return "the move neither crosses into another borderland nor ends in a meeting";
        }
        if !self.faces_partner(self.mover(), landing) {
            return "the chevron meets no own chevron that stands on an own marker and faces it";
        }
        let mut after = self.clone();
        after.advance(landing.from, landing.to, landing.pincer, gain);
        if !after.cells[landing.to.index()].is_chevron_on_marker() {
            "a meeting needs an own marker under the moved chevron"
        } else if !after.meeting_due(landing.to) {
            "a meeting needs an opponent with at least 9 markers"
        } else {
            "there is no field left to recolour"
        }
    }

    fn meeting_fault(&self, landing: Landing, gain: Gain, field: Field) -> &'static str {
        let mut after = self.clone();
        after.advance(landing.from, landing.to, landing.pincer, gain);
        if after.cells[field.index()].is_occupied() {
            "it is occupied"
        } else {
            "it has an own marker already"
        }
    }

    fn check_rotation(
        &self,
        from: Field,
        rotation: Rotation,
        payment: Payment,
    ) -> Result<(), Fault> {
        self.own_chevron(from)?;
        if !self.variant.rotations {
            return Err(Fault::NoRotations);
        }
        let (cost, named) = (rotation.cost(), payment.named());
        if named != cost {
            let size = if named < cost { "small" } else { "large" };
            return Err(Fault::Payment(rotation.degrees(), cost, size, named));
        }
        let fields = payment.fields();
        if let Some(pair) = fields.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Fault::PaidTwice(pair[0]));
        }
        let seat = self.mover();
        for &field in fields {
            let cell = self.cells[field.index()];
            if cell.marker() != Some(seat) {
                return Err(Fault::PaidForeign(field));
            }
            if cell.is_occupied() {
                return Err(Fault::PaidOccupied(field));
            }
        }
        Ok(())
    }
}
