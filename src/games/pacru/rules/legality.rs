//! Whether a move is legal, decided from the move itself; if not, which rule it breaks.

use super::moves::{Gain, Landing, Move, Payment, Rotation};
use super::position::Position;
use crate::games::chevrons::{Field, LandingError, Ray, fields_in};

/// The rule that a move breaks. `Display` explains it in a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// A chevron does not go there.
    #[error(transparent)]
    Landing(#[from] LandingError),
    /// An enemy chevron stands where a move without capture ends.
    #[error("{to} is occupied by an enemy chevron; a pincer is written {from}x{to}")]
    EnemyChevron {
        /// Where the move starts.
        from: Field,
        /// Where it ends.
        to: Field,
    },
    /// A pincer at a field without an enemy chevron.
    #[error("there is no enemy chevron to capture on {0}")]
    NothingToCapture(Field),
    /// A pincer at a chevron that only one own chevron attacks.
    #[error(
        "a pincer needs two attackers at the start of the turn; only one own chevron attacks {0}"
    )]
    OneAttacker(Field),
    /// A compulsory claim or connection is missing.
    #[error("a gain is compulsory here: add one of {}", gains(*.connection, .claims))]
    GainMissing {
        /// Whether the connection would be legal.
        connection: bool,
        /// The fields that may be claimed.
        claims: Vec<Field>,
    },
    /// The move is no connection.
    #[error(
        "(*) is not allowed: a connection change needs two fields or more, from an own marker to an own marker, with no chevron between"
    )]
    NoConnection,
    /// The field may not be claimed.
    #[error("the claim {0} is not allowed: {1}")]
    Claim(Field, ClaimError),
    /// The move ends in no meeting, so that there is nothing to recolour.
    #[error("{0} gains nothing here: {1}")]
    NoMeeting(Field, NoMeeting),
    /// The field that a meeting recolours is missing.
    #[error(
        "a meeting is compulsory: name a field to recolour, unoccupied and not own, as the last entry in brackets"
    )]
    MeetingMissing,
    /// The meeting may not recolour this field.
    #[error("the meeting may not recolour {0}: {1}")]
    MeetingField(Field, MeetingFieldError),
    /// Option `Rotations` is false.
    #[error("rotations are switched off (option Rotations is false)")]
    NoRotations,
    /// The rotation is paid with too few or too many markers.
    #[error("the payment is too {size}: a rotation of {degrees} degrees costs exactly {cost} markers, not {named}", size = if *.named < .rotation.cost() { "small" } else { "large" }, degrees = .rotation.degrees(), cost = .rotation.cost())]
    Payment {
        /// The rotation.
        rotation: Rotation,
        /// How many markers were named.
        named: usize,
    },
    /// A field is named twice in the payment.
    #[error("{0} is paid twice")]
    PaidTwice(Field),
    /// A marker under a chevron cannot pay.
    #[error(
        "the marker on {0} cannot pay: it lies under a chevron, and payment comes from unoccupied fields"
    )]
    PaidOccupied(Field),
    /// No own marker lies there.
    #[error("{0} cannot pay: there is no own marker on it")]
    PaidWithoutMarker(Field),
}

/// The gains to choose from, as a token writes them.
fn gains(connection: bool, claims: &[Field]) -> String {
    let star = connection.then(|| "(*)".to_string());
    let options = star.into_iter().chain(claims.iter().map(|field| format!("({field})")));
    options.collect::<Vec<_>>().join(" ")
}

/// Why a field may not be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClaimError {
    /// The move stays in its borderland.
    #[error("the move does not cross into another borderland")]
    NoCrossing,
    /// The field lies outside the borderland entered.
    #[error("it lies outside the borderland entered")]
    Outside,
    /// A chevron stands on it.
    #[error("it is occupied")]
    Occupied,
    /// Nothing in the borderland entered can be claimed.
    #[error("no field of the borderland entered can be claimed")]
    NothingToClaim,
    /// It has an own marker.
    #[error("it has an own marker already")]
    Own,
    /// It is the landing field, and option `LandingMarker` is false.
    #[error("option LandingMarker forbids the field just landed on")]
    LandingField,
    /// It has an enemy marker, and the borderland has a neutral field.
    #[error("while the borderland has a neutral field, only a neutral one may be claimed")]
    NeutralFirst,
}

/// Why a move ends in no meeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMeeting {
    /// It neither crosses a border nor faces a partner.
    #[error("the move neither crosses into another borderland nor ends in a meeting")]
    NoCrossing,
    /// No own chevron on an own marker faces the moved one.
    #[error("the chevron meets no own chevron that stands on an own marker and faces it")]
    NoPartner,
    /// The moved chevron is not on an own marker.
    #[error("a meeting needs an own marker under the moved chevron")]
    NotOnMarker,
    /// No opponent has as many markers as option `MeetingThreshold` asks for.
    #[error("a meeting needs an opponent with at least 9 markers")]
    Threshold,
    /// No field is left to recolour.
    #[error("there is no field left to recolour")]
    NothingToRecolour,
}

/// Why a meeting may not recolour a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MeetingFieldError {
    /// A chevron stands on it.
    #[error("it is occupied")]
    Occupied,
    /// It has an own marker.
    #[error("it has an own marker already")]
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

    /// Whether a chevron move without meeting is legal.
    #[cfg(feature = "search")]
    pub(crate) fn has_plain(&self, from: Field, to: Field, pincer: bool, gain: Gain) -> bool {
        self.check_landing(from, to, pincer).is_ok_and(|landing| {
            !self.faces_partner(self.mover(), landing) && self.check_gain(landing, gain).is_ok()
        })
    }

    /// The landing of a move, without its gains.
    pub(crate) fn check_landing(
        &self,
        from: Field,
        to: Field,
        pincer: bool,
    ) -> Result<Landing, IllegalMove> {
        let seat = self.mover();
        let ray = self.check_ray(from, to, self.power_of(seat, from.borderland()))?;
        let there = self.cell(to);
        let enemy = there.is_occupied() && there.chevron_seat() != seat;
        match (there.is_occupied(), enemy, pincer) {
            (true, false, _) => return Err(LandingError::OwnChevron(to).into()),
            (true, true, false) => return Err(IllegalMove::EnemyChevron { from, to }),
            (false, _, true) => return Err(IllegalMove::NothingToCapture(to)),
            _ => {}
        }
        let Ray { direction, connection, .. } = ray.unobstructed()?;
        if pincer && self.attackers(seat, to) < 2 {
            return Err(IllegalMove::OneAttacker(to));
        }
        if !pincer {
            self.check_marker(to)?;
        }
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
                && from.between(direction, steps).all(|field| !self.cell(field).is_occupied())
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
