//! A move as steps: a chevron, a field, and a twist where there is one.

use std::ops::ControlFlow;

use super::{Kind, Move, Position, Twist};
use crate::game::picture::{Picture, StepError, offer};
use crate::game::{Game, Notation};
use crate::games::chevrons::{Field, picture as shared};
use crate::picture::{Board, Next, Show, Step, Table};

/// The choice of a chevron that does not turn.
const STRAIGHT: &str = "=";

/// The choices that lead to a move; the last only where the chevron may turn.
fn choices<K: Kind>(position: &Position<K>, m: &Move) -> Vec<String> {
    let mut path = vec![m.from.to_string(), m.to.to_string()];
    let turned = Move { twist: Twist::Left, ..*m };
    match m.twist {
        Twist::Straight if !position.is_legal(&turned) => {}
        Twist::Straight => path.push(STRAIGHT.into()),
        twist => path.push(twist.sign().into()),
    }
    path
}

/// What a move changes on the board.
fn shown<K: Kind>(position: &Position<K>, m: &Move) -> Vec<Show> {
    let (Move { from, to, twist }, seat) = (*m, position.mover());
    let Ok(ray) = position.check_ray(from, to, usize::MAX) else {
        return Vec::new();
    };
    let number = seat as u8 + 1;
    let mark = |field: Field| Show::mark(&field.to_string(), "marker", number);
    let mut show = vec![shared::moved(from, to, seat, ray.direction)];
    if position.cell(to).marker().is_none() {
        show.push(mark(to));
    }
    if ray.connection {
        let (fields, leaves) = position.connected(from, to, ray.direction);
        show.extend(fields.into_iter().map(mark));
        if leaves {
            show.push(Show::removed(&to.to_string(), "C", number));
        }
    }
    if twist != Twist::Straight {
        show.push(shared::moved(to, to, seat, twist.applied(ray.direction)));
    }
    show
}

fn offered(choice: &str) -> Next {
    match choice {
        STRAIGHT => Next::button(STRAIGHT, "straight on"),
        "<" => Next::button("<", "turn left"),
        ">" => Next::button(">", "turn right"),
        cell => Next::cell(cell),
    }
}

impl<K: Kind> Picture for Position<K> {
    fn table(&self) -> Table {
        shared::table(K::TITLE, self.seats())
    }

    fn board(&self) -> Board {
        shared::board(self, self, None, K::POWER)
    }

    /// The choices of all moves that begin with those made so far.
    fn step(&self, path: &[String]) -> Result<Step, StepError> {
        let mut next: Vec<String> = Vec::new();
        let mut longest = 0;
        let mut reached = None;
        let _ = self.for_each_move::<()>(|m| {
            let choices = choices(self, &m);
            let shared = choices.iter().zip(path).take_while(|(a, b)| a == b).count();
            longest = longest.max(shared);
            match choices.get(path.len()) {
                _ if shared < path.len() => {}
                None => reached = Some((m, true)),
                Some(choice) => {
                    reached = reached.or(Some((m, false)));
                    if next.last() != Some(choice) {
                        next.push(choice.clone());
                    }
                }
            }
            ControlFlow::Continue(())
        });
        let Some((m, complete)) = reached else {
            return Err(StepError::new(path, longest, self.refusal(path, longest)));
        };
        if complete {
            let step = Step::new(path, "Play it").with_token(m.to_string());
            return Ok(Step { show: shown(self, &m), ..step });
        }
        let text = ["Choose a chevron", "Choose a field", "Turn the chevron, or go straight on"];
        let mut step = Step::new(path, text[path.len().min(2)]);
        if path.len() == 2 {
            step.show = shown(self, &m);
        }
        Ok(offer(step, next.iter().map(|choice| offered(choice)).collect()))
    }

    fn path(&self, m: &Move) -> Vec<String> {
        choices(self, m)
    }
}

impl<K: Kind> Position<K> {
    /// Why the choice at an index leads nowhere.
    fn refusal(&self, path: &[String], index: usize) -> String {
        if index == 1
            && let Ok(m) = self.parse_move(&path[..2].join("-"))
        {
            return self.explain_illegal(&m);
        }
        let reasons = [
            "no chevron of yours that can move",
            "no field a1 to i9",
            "the move is complete, or < = > tells how the chevron turns",
        ];
        reasons[index.min(2)].into()
    }
}
