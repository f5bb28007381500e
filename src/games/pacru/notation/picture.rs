//! Pacru as a picture: borderlands, markers, chevrons and where they face, power; a move as
//! chevron, field, claim or connection or meeting; a rotation as chevron, angle, markers paid.

use std::ops::ControlFlow;

use crate::game::picture::{StepError, offer};
use crate::game::{Game, Picture, Seat};
use crate::games::chevrons::{Field, picture};
use crate::games::pacru::rules::{
    Gain, Landing, Move, Payment, Position, Rotation, winning_markers,
};
use crate::picture::{Board, Next, Show, Step, Table};

/// The choice that takes a connection instead of a claim.
const CONNECTION: &str = "*";

impl Picture for Position {
    fn table(&self) -> Table {
        picture::table("Pacru", self.seats())
    }

    fn board(&self) -> Board {
        picture::board(self, self, Some(winning_markers(self.seats())), true)
    }

    fn step(&self, path: &[String]) -> Result<Step, StepError> {
        let chevrons = self.chevrons(Seat::new(self.mover()));
        let Some(first) = path.first() else {
            let next = chevrons
                .iter()
                .filter(|field| can_act(self, **field))
                .map(|field| Next::cell(field.to_string()))
                .collect();
            return Ok(offer(Step::new(path, "Choose a chevron"), next));
        };
        let from =
            Field::parse(first).filter(|field| chevrons.contains(field) && can_act(self, *field));
        let from = from
            .ok_or_else(|| StepError::new(path, 0, "no chevron of yours that can move or turn"))?;
        let Some(second) = path.get(1) else {
            return Ok(first_choice(self, from, path));
        };
        if let Some(rotation) = Rotation::ALL.into_iter().find(|rotation| rotation.sign() == second)
        {
            return pay(self, from, rotation, path);
        }
        let landing =
            landings(self, from).into_iter().find(|landing| landing.to.to_string() == *second);
        match landing {
            Some(landing) => gain(self, landing, path),
            None => Err(StepError::new(path, 1, refusal(self, from, second))),
        }
    }

    fn path(&self, m: &Move) -> Vec<String> {
        match *m {
            Move::Advance { from, to, pincer, gain, meeting } => {
                let mut path = vec![from.to_string(), to.to_string()];
                let landing = self.check_landing(from, to, pincer).ok();
                match gain {
                    Gain::Claim(field) => path.push(field.to_string()),
                    Gain::Connection => {
                        // Where nothing can be claimed the connection is no choice.
                        if landing.is_some_and(|landing| self.claims(self.mover(), landing) != 0) {
                            path.push(CONNECTION.into());
                        }
                    }
                    Gain::Nothing => {}
                }
                path.extend(meeting.map(|field| field.to_string()));
                path
            }
            Move::Rotate { from, rotation, payment } => {
                let mut path = vec![from.to_string(), rotation.sign().into()];
                path.extend(payment.fields().iter().map(ToString::to_string));
                path
            }
        }
    }
}

/// Where a chevron can land, captures included.
fn landings(position: &Position, from: Field) -> Vec<Landing> {
    let seat = position.mover();
    let mut found = Vec::new();
    let _ = position.for_each_landing(seat, |landing| {
        if landing.from == from {
            found.push(landing);
        }
        ControlFlow::<()>::Continue(())
    });
    found
}

fn can_turn(position: &Position, from: Field, rotation: Rotation) -> bool {
    let payable = position.payable(position.mover());
    let Some(fields) = payable.get(..rotation.cost()) else { return false };
    position.is_legal(&Move::Rotate { from, rotation, payment: Payment::new(fields) })
}

fn can_act(position: &Position, from: Field) -> bool {
    can_turn(position, from, Rotation::Right45) || !landings(position, from).is_empty()
}

/// Fields to land on, and rotations as buttons.
fn first_choice(position: &Position, from: Field, path: &[String]) -> Step {
    let mut next: Vec<Next> =
        landings(position, from).iter().map(|landing| Next::cell(landing.to.to_string())).collect();
    let moves = next.len();
    for rotation in Rotation::ALL {
        if can_turn(position, from, rotation) {
            let way = if rotation.sign().starts_with('>') { "right" } else { "left" };
            let label = format!("turn {way} {}", rotation.degrees());
            next.push(Next {
                cost: Some(format!("{} markers", rotation.cost())),
                ..Next::button(rotation.sign(), label)
            });
        }
    }
    let turns = next.len() > moves;
    let text = if turns { "Choose a field, or turn the chevron" } else { "Choose a field" };
    offer(Step::new(path, text), next)
}

fn refusal(position: &Position, from: Field, choice: &str) -> String {
    let Some(to) = Field::parse(choice) else {
        return "a field a1 to i9, or a rotation > < >> <<".into();
    };
    let pincer = position.chevron(to).is_some();
    match position.check_landing(from, to, pincer) {
        Err(error) => error.to_string(),
        Ok(_) => "the chevron cannot land there".into(),
    }
}

/// What a landing gains: a claim or the connection, then the field of a meeting.
fn gain(position: &Position, landing: Landing, path: &[String]) -> Result<Step, StepError> {
    let mut gains = Vec::new();
    let _ = position.for_each_gain::<()>(position.mover(), landing, |gain| {
        gains.push(gain);
        ControlFlow::Continue(())
    });
    let mut used = 2;
    let chosen = if let [only @ (Gain::Nothing | Gain::Connection)] = gains[..] {
        only
    } else {
        let Some(choice) = path.get(used) else {
            let next = gains.iter().map(|gain| match gain {
                Gain::Claim(field) => Next::cell(field.to_string()),
                _ => Next::button(CONNECTION, "make the connection"),
            });
            let mut step = Step::new(path, "Choose the field to claim");
            step.show = shown(position, landing, Gain::Nothing, None);
            return Ok(offer(step, next.collect()));
        };
        used += 1;
        let found = gains.iter().find(|gain| match gain {
            Gain::Claim(field) => field.to_string() == *choice,
            _ => choice == CONNECTION,
        });
        *found.ok_or_else(|| StepError::new(path, 2, "this cannot be claimed here"))?
    };
    let meetings: Vec<Field> = position.meeting_fields(landing, chosen).collect();
    let mut meeting = None;
    if !meetings.is_empty() {
        let Some(choice) = path.get(used) else {
            let mut step = Step::new(path, "A meeting: choose a field to recolour");
            step.show = shown(position, landing, chosen, None);
            let next = meetings.iter().map(|field| Next::cell(field.to_string())).collect();
            return Ok(offer(step, next));
        };
        let found = meetings.iter().find(|field| field.to_string() == *choice);
        meeting = Some(
            *found.ok_or_else(|| StepError::new(path, used, "a meeting cannot recolour this"))?,
        );
        used += 1;
    }
    if path.len() > used {
        return Err(StepError::new(path, used, "the move is complete"));
    }
    let show = shown(position, landing, chosen, meeting);
    Ok(leaf(position, landing.with(chosen, meeting), path, show))
}

/// A complete move; what it shows ends with the chevrons of players whom it leaves no move.
fn leaf(position: &Position, m: Move, path: &[String], mut show: Vec<Show>) -> Step {
    let mut after = position.clone();
    after.play(&m);
    for seat in Seat::all(position.seats()) {
        let captured =
            |field: &Field| matches!(m, Move::Advance { to, pincer: true, .. } if to == *field);
        if after.chevrons(seat).is_empty() {
            let left = position.chevrons(seat).iter().filter(|field| !captured(field));
            show.extend(left.map(|at| Show::removed(&at.to_string(), "C", seat.index() as u8 + 1)));
        }
    }
    Step { show, ..Step::new(path, "Play it").with_token(m.to_string()) }
}

/// The changes that a landing makes.
fn shown(position: &Position, landing: Landing, gain: Gain, meeting: Option<Field>) -> Vec<Show> {
    let seat = position.mover() as u8 + 1;
    let mut show = Vec::new();
    if let (true, Some((owner, _))) = (landing.pincer, position.chevron(landing.to)) {
        let to = landing.to.to_string();
        show.push(Show::removed(&to, "C", owner.index() as u8 + 1));
        show.push(Show::mark(&to, "marker", seat));
    }
    show.push(picture::moved(landing.from, landing.to, position.mover(), landing.direction));
    match (gain, landing.from.line_to(landing.to)) {
        (Gain::Claim(field), _) => show.push(Show::mark(&field.to_string(), "marker", seat)),
        (Gain::Connection, Some((direction, steps))) => {
            let between = (1..steps).map(|step| landing.from.ahead(direction, step));
            show.extend(between.map(|field| Show::mark(&field.to_string(), "marker", seat)));
        }
        _ => {}
    }
    show.extend(meeting.map(|field| Show::mark(&field.to_string(), "marker", seat)));
    show
}

/// The markers paid for a rotation, one by one, in any order.
fn pay(
    position: &Position,
    from: Field,
    rotation: Rotation,
    path: &[String],
) -> Result<Step, StepError> {
    if !can_turn(position, from, rotation) {
        return Err(StepError::new(path, 1, format!("{} markers are needed", rotation.cost())));
    }
    let payable = position.payable(position.mover());
    let mut paid = Vec::new();
    for (index, choice) in path.iter().enumerate().skip(2) {
        if paid.len() == rotation.cost() {
            return Err(StepError::new(path, index, "the rotation is paid"));
        }
        let field =
            Field::parse(choice).filter(|field| payable.contains(field) && !paid.contains(field));
        paid.push(field.ok_or_else(|| {
            StepError::new(
                path,
                index,
                "no marker of yours on an unoccupied field that is still unpaid",
            )
        })?);
    }
    let left = rotation.cost() - paid.len();
    let mut step = Step::new(path, format!("Pay {left} more of your markers"));
    let seat = position.mover() as u8 + 1;
    step.show = paid.iter().map(|field| unmarked(*field, seat)).collect();
    if left > 0 {
        let open = payable.iter().filter(|field| !paid.contains(field));
        return Ok(offer(step, open.map(|field| Next::cell(field.to_string())).collect()));
    }
    if let Some((_, facing)) = position.chevron(from) {
        let facing = rotation.applied(facing);
        step.show.push(picture::moved(from, from, position.mover(), facing));
    }
    let m = Move::Rotate { from, rotation, payment: Payment::new(&paid) };
    Ok(leaf(position, m, path, step.show))
}

fn unmarked(field: Field, seat: u8) -> Show {
    Show::Remove { remove: field.to_string(), symbol: None, mark: Some("marker".into()), seat }
}
