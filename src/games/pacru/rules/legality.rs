//! Whether a move is legal, decided from the move itself; if not, which rule it breaks.

use super::board::{Direction, Field, fields_in};
use super::cell::Cell;
use super::moves::{Gain, Landing, Move, Payment, Rotation};
use super::position::Position;
use crate::game::Seat;

/// The rule that a move breaks. `Display` explains it in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IllegalMove {
    /// The game is over.
    GameOver,
    /// No chevron stands where the move starts.
    NoChevron(Field),
    /// The chevron belongs to another seat.
    NotYourChevron {
        /// Where it stands.
        field: Field,
        /// Whose it is.
        owner: Seat,
        /// The seat to move.
        mover: Seat,
    },
    /// The two fields are not on one line.
    NotStraight(Field, Field),
    /// The chevron would move sideways or back.
    NotForward(Field, Direction),
    /// The move is longer than the power of its borderland.
    TooFar {
        /// Where the move starts.
        from: Field,
        /// Where it ends.
        to: Field,
        /// Its length in fields.
        steps: usize,
        /// The longest move allowed.
        power: usize,
    },
    /// An own chevron stands where the move ends.
    OwnChevron(Field),
    /// An enemy chevron stands where a move without capture ends.
    EnemyChevron {
        /// Where the move starts.
        from: Field,
        /// Where it ends.
        to: Field,
    },
    /// An enemy marker lies where the move ends.
    EnemyMarker(Field, Seat),
    /// A chevron is in the way, and the move is no connection jump.
    InTheWay(Field),
    /// A pincer at a field without an enemy chevron.
    NothingToCapture(Field),
    /// A pincer at a chevron that only one own chevron attacks.
    OneAttacker(Field),
    /// A compulsory claim or connection is missing.
    GainMissing {
        /// Whether the connection would be legal.
        connection: bool,
        /// The fields that may be claimed.
        claims: Vec<Field>,
    },
    /// The move is no connection.
    NoConnection,
    /// The field may not be claimed.
    Claim(Field, ClaimError),
    /// The move ends in no meeting, so that there is nothing to recolour.
    NoMeeting(Field, NoMeeting),
    /// The field that a meeting recolours is missing.
    MeetingMissing,
    /// The meeting may not recolour this field.
    MeetingField(Field, MeetingFieldError),
    /// Option `Rotations` is false.
    NoRotations,
    /// The rotation is paid with too few or too many markers.
    Payment {
        /// The rotation.
        rotation: Rotation,
        /// How many markers were named.
        named: usize,
    },
    /// A field is named twice in the payment.
    PaidTwice(Field),
    /// A marker under a chevron cannot pay.
    PaidOccupied(Field),
    /// No own marker lies there.
    PaidWithoutMarker(Field),
}

/// Why a field may not be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimError {
    /// The move stays in its borderland.
    NoCrossing,
    /// The field lies outside the borderland entered.
    Outside,
    /// A chevron stands on it.
    Occupied,
    /// Nothing in the borderland entered can be claimed.
    NothingToClaim,
    /// It has an own marker.
    Own,
    /// It is the landing field, and option `LandingMarker` is false.
    LandingField,
    /// It has an enemy marker, and the borderland has a neutral field.
    NeutralFirst,
}

/// Why a move ends in no meeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMeeting {
    /// It neither crosses a border nor faces a partner.
    NoCrossing,
    /// No own chevron on an own marker faces the moved one.
    NoPartner,
    /// The moved chevron is not on an own marker.
    NotOnMarker,
    /// No opponent has as many markers as option `MeetingThreshold` asks for.
    Threshold,
    /// No field is left to recolour.
    NothingToRecolour,
}

/// Why a meeting may not recolour a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeetingFieldError {
    /// A chevron stands on it.
    Occupied,
    /// It has an own marker.
    Own,
}

impl Position {
    /// Whether a move is legal, and if not, which rule it breaks.
    pub fn check(&self, m: &Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
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

    fn own_chevron(&self, field: Field) -> Result<Cell, IllegalMove> {
        let cell = self.cell(field);
        if !cell.is_occupied() {
            return Err(IllegalMove::NoChevron(field));
        }
        if cell.chevron_seat() != self.mover() {
            let (owner, mover) = (Seat::new(cell.chevron_seat()), Seat::new(self.mover()));
            return Err(IllegalMove::NotYourChevron { field, owner, mover });
        }
        Ok(cell)
    }

    /// The landing of a move, without its gains.
    pub(crate) fn check_landing(
        &self,
        from: Field,
        to: Field,
        pincer: bool,
    ) -> Result<Landing, IllegalMove> {
        let seat = self.mover();
        let start = self.own_chevron(from)?;
        let (direction, steps) = from.line_to(to).ok_or(IllegalMove::NotStraight(from, to))?;
        if !start.facing().forward().contains(&direction) {
            return Err(IllegalMove::NotForward(from, start.facing()));
        }
        let power = self.power_of(seat, from.borderland());
        if steps > power {
            return Err(IllegalMove::TooFar { from, to, steps, power });
        }
        let there = self.cell(to);
        let enemy = there.is_occupied() && there.chevron_seat() != seat;
        match (there.is_occupied(), enemy, pincer) {
            (true, false, _) => return Err(IllegalMove::OwnChevron(to)),
            (true, true, false) => return Err(IllegalMove::EnemyChevron { from, to }),
            (false, _, true) => return Err(IllegalMove::NothingToCapture(to)),
            _ => {}
        }
        let mut between = (1..steps).map(|step| from.ahead(direction, step));
        let obstacle = between.find(|field| self.cell(*field).is_occupied());
        let linked = start.is_chevron_on_marker() && there == Cell::marker_of(seat);
        if let Some(field) = obstacle.filter(|_| !linked) {
            return Err(IllegalMove::InTheWay(field));
        }
        if pincer && self.attackers(seat, to) < 2 {
            return Err(IllegalMove::OneAttacker(to));
        }
        if let Some(owner) = there.marker().filter(|owner| *owner != seat && !pincer) {
            return Err(IllegalMove::EnemyMarker(to, Seat::new(owner)));
        }
        let connection = linked && steps > 1 && obstacle.is_none();
        Ok(Landing { from, to, direction, connection, pincer })
    }

    /// How many chevrons of a seat attack an enemy chevron on a field.
    fn attackers(&self, seat: usize, target: Field) -> usize {
        let attacks = |from: &&Field| {
            let Some((direction, steps)) = from.line_to(target) else {
                return false;
            };
            self.cell(**from).facing().forward().contains(&direction)
                && steps <= self.power_of(seat, from.borderland())
                && (1..steps).all(|step| !self.cell(from.ahead(direction, step)).is_occupied())
        };
        self.chevron_fields(seat).iter().filter(attacks).count()
    }

    fn check_gain(&self, landing: Landing, gain: Gain) -> Result<(), IllegalMove> {
        let claims = self.claims(self.mover(), landing);
        let entered = landing.to.borderland();
        match gain {
            Gain::Nothing if landing.connection || claims != 0 => Err(IllegalMove::GainMissing {
                connection: landing.connection,
                claims: fields_in(entered, claims).collect(),
            }),
            Gain::Nothing => Ok(()),
            Gain::Connection if landing.connection => Ok(()),
            Gain::Connection => Err(IllegalMove::NoConnection),
            Gain::Claim(field) if field.borderland() == entered && claims & field.bit() != 0 => {
                Ok(())
            }
            Gain::Claim(field) => {
                Err(IllegalMove::Claim(field, self.claim_error(landing, claims, field)))
            }
        }
    }

    fn claim_error(&self, landing: Landing, claims: u16, field: Field) -> ClaimError {
        let cell = self.cell(field);
        if !landing.crosses() {
            ClaimError::NoCrossing
        } else if field.borderland() != landing.to.borderland() {
            ClaimError::Outside
        } else if cell.is_occupied() {
            ClaimError::Occupied
        } else if claims == 0 {
            ClaimError::NothingToClaim
        } else if cell.marker() == Some(self.mover()) {
            ClaimError::Own
        } else if field == landing.to {
            ClaimError::LandingField
        } else {
            ClaimError::NeutralFirst
        }
    }

    fn check_meeting(
        &self,
        landing: Landing,
        gain: Gain,
        meeting: Option<Field>,
    ) -> Result<(), IllegalMove> {
        let mut fields = self.meeting_fields(landing, gain).peekable();
        let compulsory = fields.peek().is_some();
        match meeting {
            None if compulsory => Err(IllegalMove::MeetingMissing),
            None => Ok(()),
            Some(field) if !compulsory => {
                Err(IllegalMove::NoMeeting(field, self.why_no_meeting(landing, gain)))
            }
            Some(field) if fields.any(|allowed| allowed == field) => Ok(()),
            Some(field) => {
                let error = self.meeting_field_error(landing, gain, field);
                Err(IllegalMove::MeetingField(field, error))
            }
        }
    }

    fn why_no_meeting(&self, landing: Landing, gain: Gain) -> NoMeeting {
        let partner = self.faces_partner(self.mover(), landing);
        if gain == Gain::Nothing && !landing.crosses() && !partner {
            return NoMeeting::NoCrossing;
        }
        if !partner {
            return NoMeeting::NoPartner;
        }
        let after = self.after_landing(landing, gain);
        if !after.cell(landing.to).is_chevron_on_marker() {
            NoMeeting::NotOnMarker
        } else if !after.is_in_meeting(landing.to) {
            NoMeeting::Threshold
        } else {
            NoMeeting::NothingToRecolour
        }
    }

    fn meeting_field_error(&self, landing: Landing, gain: Gain, field: Field) -> MeetingFieldError {
        if self.after_landing(landing, gain).cell(field).is_occupied() {
            MeetingFieldError::Occupied
        } else {
            MeetingFieldError::Own
        }
    }

    fn check_rotation(
        &self,
        from: Field,
        rotation: Rotation,
        payment: Payment,
    ) -> Result<(), IllegalMove> {
        self.own_chevron(from)?;
        if !self.options.rotations {
            return Err(IllegalMove::NoRotations);
        }
        let named = payment.named();
        if named != rotation.cost() {
            return Err(IllegalMove::Payment { rotation, named });
        }
        let fields = payment.fields();
        if let Some(pair) = fields.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(IllegalMove::PaidTwice(pair[0]));
        }
        let seat = self.mover();
        for &field in fields {
            let cell = self.cell(field);
            if cell.marker() != Some(seat) {
                return Err(IllegalMove::PaidWithoutMarker(field));
            }
            if cell.is_occupied() {
                return Err(IllegalMove::PaidOccupied(field));
            }
        }
        Ok(())
    }
}
