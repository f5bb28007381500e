//! Why a move is illegal, in a line.

use std::fmt;

use crate::games::pacru::rules::{
    ClaimError, Direction, IllegalMove, MeetingFieldError, NoMeeting,
};

impl std::error::Error for IllegalMove {}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => f.write_str("the game is over"),
            Self::NoChevron(field) => write!(f, "there is no chevron on {field}"),
            Self::NotYourChevron { field, owner, mover } => {
                write!(f, "the chevron on {field} belongs to {owner}, and it is {mover}'s turn")
            }
            Self::NotStraight(from, to) => write!(
                f,
                "{from} to {to} is not a straight line; a chevron moves straight or diagonally"
            ),
            Self::NotForward(from, facing) => {
                let directions = facing.forward().map(Direction::name).join(" ");
                write!(f, "the chevron on {from} faces {facing} and moves only {directions}")
            }
            Self::TooFar { from, to, steps, power } => write!(
                f,
                "{from} to {to} is {steps} fields, but the power there is {power} (own markers in the borderland where the move starts, at least 1)"
            ),
            Self::OwnChevron(field) => write!(f, "{field} is occupied by an own chevron"),
            Self::EnemyChevron { from, to } => {
                write!(f, "{to} is occupied by an enemy chevron; a pincer is written {from}x{to}")
            }
            Self::EnemyMarker(field, owner) => write!(
                f,
                "{field} has a marker of {owner}; a chevron lands on a neutral field or on an own marker"
            ),
            Self::InTheWay(field) => write!(
                f,
                "the chevron on {field} is in the way; only a connection jump, from an own marker to an own marker, passes it"
            ),
            Self::NothingToCapture(field) => {
                write!(f, "there is no enemy chevron to capture on {field}")
            }
            Self::OneAttacker(field) => write!(
                f,
                "a pincer needs two attackers at the start of the turn; only one own chevron attacks {field}"
            ),
            Self::GainMissing { connection, claims } => {
                let star = connection.then(|| "(*)".to_string());
                let claims = claims.iter().map(|field| format!("({field})"));
                let options: Vec<String> = star.into_iter().chain(claims).collect();
                write!(f, "a gain is compulsory here: add one of {}", options.join(" "))
            }
            Self::NoConnection => f.write_str(
                "(*) is not allowed: a connection change needs two fields or more, from an own marker to an own marker, with no chevron between",
            ),
            Self::Claim(field, error) => write!(f, "the claim {field} is not allowed: {error}"),
            Self::NoMeeting(field, reason) => write!(f, "{field} gains nothing here: {reason}"),
            Self::MeetingMissing => f.write_str(
                "a meeting is compulsory: name a field to recolour, unoccupied and not own, as the last entry in brackets",
            ),
            Self::MeetingField(field, error) => {
                write!(f, "the meeting may not recolour {field}: {error}")
            }
            Self::NoRotations => {
                f.write_str("rotations are switched off (option Rotations is false)")
            }
            Self::Payment { rotation, named } => {
                let cost = rotation.cost();
                let size = if *named < cost { "small" } else { "large" };
                let degrees = rotation.degrees();
                write!(
                    f,
                    "the payment is too {size}: a rotation of {degrees} degrees costs exactly {cost} markers, not {named}"
                )
            }
            Self::PaidTwice(field) => write!(f, "{field} is paid twice"),
            Self::PaidOccupied(field) => write!(
                f,
                "the marker on {field} cannot pay: it lies under a chevron, and payment comes from unoccupied fields"
            ),
            Self::PaidWithoutMarker(field) => {
                write!(f, "{field} cannot pay: there is no own marker on it")
            }
        }
    }
}

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCrossing => "the move does not cross into another borderland",
            Self::Outside => "it lies outside the borderland entered",
            Self::Occupied => "it is occupied",
            Self::NothingToClaim => "no field of the borderland entered can be claimed",
            Self::Own => "it has an own marker already",
            Self::LandingField => "option LandingMarker forbids the field just landed on",
            Self::NeutralFirst => {
                "while the borderland has a neutral field, only a neutral one may be claimed"
            }
        })
    }
}

impl fmt::Display for NoMeeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCrossing => {
                "the move neither crosses into another borderland nor ends in a meeting"
            }
            Self::NoPartner => {
                "the chevron meets no own chevron that stands on an own marker and faces it"
            }
            Self::NotOnMarker => "a meeting needs an own marker under the moved chevron",
            Self::Threshold => "a meeting needs an opponent with at least 9 markers",
            Self::NothingToRecolour => "there is no field left to recolour",
        })
    }
}

impl fmt::Display for MeetingFieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Occupied => "it is occupied",
            Self::Own => "it has an own marker already",
        })
    }
}
