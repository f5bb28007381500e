//! What engines answer about positions, checked before it goes to a page. Where an engine has no
//! pictures (`ext 1`), they are made of its diagram and its legal tokens.

use std::io;

use serde::de::DeserializeOwned;

use crate::picture::{Board, Form, MAX_ENTRIES, Next, Step, Table, TableSeat};
use crate::printing::printable;
use crate::reading::{self, Most};
use crate::runner::process::{Client, Fault, FaultKind};

/// What an answer may hold.
const ANSWER: Most = Most { bytes: 1 << 20, values: 200_000, objects: 20_000, members: 200_000 };

/// The most legal tokens that are sent in one answer.
pub(super) const MAX_TOKENS: usize = 2_000;

/// A question about a position.
#[derive(Clone, Debug)]
pub(super) enum Query {
    /// The board without its pieces.
    Table,
    /// What stands where.
    Board,
    /// What may follow some choices.
    Step(Vec<String>),
    /// The choices that lead to a token, and what they change on the board.
    Path(String),
    /// The same, with the name of each choice.
    Told(String),
    /// The legal tokens with a prefix.
    Moves(String),
    /// Any other query with one line of text.
    Text(&'static str),
}

/// An answer, of the kind of its question.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Table(Box<Table>),
    Board(Box<Board>),
    /// The step, or the code and the text of the error.
    Step(Result<Box<Step>, (String, String)>),
    /// The path, and the step at its end; `None` where the engine names none.
    Path(Option<Box<Step>>),
    /// The same with the names of the choices.
    Told(Option<Told>),
    /// The tokens, and whether there are more.
    Moves(Vec<String>, bool),
    Text(Result<String, (String, String)>),
}

/// A path with the names of its choices.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// The step at its end.
    pub(super) step: Box<Step>,
    pub(super) words: Vec<String>,
}

/// Whether and how an engine shows pictures.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Pictures {
    /// It answers `table`, `board`, `step`, `path`.
    pub(super) own: bool,
    /// It answers `legalmoves`.
    list: bool,
    /// It answers `islegal`.
    islegal: bool,
    /// It answers `turn`.
    turn: bool,
}

impl Pictures {
    /// Tries out what an engine can be asked.
    pub(super) fn of(client: &mut Client) -> Result<Self, Fault> {
        client.send_synced("position startpos\n")?;
        let [table, list, islegal, turn] =
            client.probe_all(["table", "legalmoves", "islegal 0000", "turn"])?;
        let ok = |answer: &Option<Result<String, String>>| matches!(answer, Some(Ok(_)));
        Ok(Pictures {
            own: ok(&table),
            list: ok(&list),
            islegal: islegal.is_some_and(|answer| match answer {
                Ok(_) => true,
                Err(error) => !error.starts_with("unknown-query"),
            }),
            turn: ok(&turn),
        })
    }

    /// Asks one question about the position that was sent before.
    pub(super) fn ask(self, client: &mut Client, query: &Query) -> Result<Answer, Fault> {
        match query {
            Query::Table if self.own => {
                Ok(Answer::Table(Box::new(picture(client, "table", check_table)?)))
            }
            Query::Table => {
                let seats = match client.probe("seats")? {
                    Some(Ok(text)) => text.trim().parse().unwrap_or(2),
                    _ => 2,
                };
                Ok(Answer::Table(Box::new(plain_table(client.name(), seats))))
            }
            Query::Board if self.own => {
                Ok(Answer::Board(Box::new(picture(client, "board", check_board)?)))
            }
            Query::Board => Ok(Answer::Board(Box::new(self.plain_board(client)?))),
            Query::Step(path) if self.own => step(client, path).map(Answer::Step),
            Query::Step(path) => self.plain_step(client, path).map(Answer::Step),
            Query::Path(token) => self.path(client, token).map(Answer::Path),
            Query::Told(token) => self.told(client, token).map(Answer::Told),
            Query::Moves(prefix) => {
                let (mut tokens, more) = self.tokens(client, prefix)?;
                let cut = tokens.len() > MAX_TOKENS;
                tokens.truncate(MAX_TOKENS);
                Ok(Answer::Moves(tokens, more || cut))
            }
            Query::Text(query) => Ok(Answer::Text(match client.probe(query)? {
                Some(Ok(text)) => Ok(text),
                Some(Err(error)) => Err(split(&error)),
                None => Err(("unknown-query".into(), format!("'{query}' is not answered"))),
            })),
        }
    }

    /// The legal tokens with a prefix, and whether there are more than are listed.
    fn tokens(self, client: &mut Client, prefix: &str) -> Result<(Vec<String>, bool), Fault> {
        if !self.list {
            return Ok((Vec::new(), true));
        }
        let query = format!("legalmoves {prefix}");
        Ok(match client.query(query.trim_end())? {
            Ok(text) if matches!(text.trim(), "many" | "hidden") => (Vec::new(), true),
            Ok(text) if text.trim() == "none" => (Vec::new(), false),
            Ok(text) => {
                // An engine may know no prefix and list everything.
                let tokens = text.split_whitespace().filter(|token| token.starts_with(prefix));
                (tokens.map(str::to_owned).collect(), false)
            }
            Err(_) => (Vec::new(), false),
        })
    }

    fn path(self, client: &mut Client, token: &str) -> Result<Option<Box<Step>>, Fault> {
        if !self.own {
            let step = Step::new(&[token.to_owned()], "").with_token(token);
            return Ok(Some(Box::new(step)));
        }
        let Ok(answer) = client.query(&format!("path {token}"))? else { return Ok(None) };
        let Ok(path) = json::<Vec<String>>(&answer) else {
            return Err(unreadable(client, "path", "it is no list of choices"));
        };
        if path.iter().any(|choice| !super::message::is_word(choice)) {
            return Err(unreadable(client, "path", "a choice is not one word"));
        }
        Ok(step(client, &path)?.ok())
    }

    /// The path of a token and what each of its choices is called where it is offered; what is not
    /// listed there, as a word of one's own, is called as it is.
    fn told(self, client: &mut Client, token: &str) -> Result<Option<Told>, Fault> {
        let Some(last) = self.path(client, token)? else { return Ok(None) };
        let mut words = Vec::new();
        for (place, choice) in last.path.iter().enumerate() {
            let before = match self.own {
                true => step(client, last.path.get(..place).unwrap_or_default())?.ok(),
                false => None,
            };
            let listed = before.as_ref().and_then(|before| {
                before.next.iter().find(|next| next.choice == *choice)?.label.clone()
            });
            words.push(listed.unwrap_or_else(|| choice.clone()));
        }
        Ok(Some(Told { step: last, words }))
    }

    fn plain_board(self, client: &mut Client) -> Result<Board, Fault> {
        let text = client.lines("d")?.join("\n");
        let query = if self.turn { "turn" } else { "p1turn" };
        let turn = match client.probe(query)? {
            Some(Ok(text)) if text == "true" => "p1".to_owned(),
            Some(Ok(text)) if text == "false" => "p2".to_owned(),
            Some(Ok(text)) => text,
            _ => "none".to_owned(),
        };
        Ok(Board { text: Some(printable_lines(&text)), ..Board::new(turn) })
    }

    /// A step made of the legal tokens: one choice, the token.
    fn plain_step(
        self,
        client: &mut Client,
        path: &[String],
    ) -> Result<Result<Box<Step>, (String, String)>, Fault> {
        let form = Form {
            label: "move".into(),
            kind: "word".into(),
            max: Some(200),
            complete: self.list,
            ..Form::default()
        };
        match path {
            [] => self.plain_next(client, "", form),
            [word] if word.ends_with('*') => {
                self.plain_next(client, word.trim_end_matches('*'), form)
            }
            [token] if self.is_legal(client, token)? => {
                Ok(Ok(Box::new(Step::new(path, "Play it").with_token(token.clone()))))
            }
            _ => {
                let last = path.last().map_or("", String::as_str);
                let text = format!("'{}' is no legal move", printable(last, 40));
                Ok(Err(("bad-value".into(), text)))
            }
        }
    }

    fn plain_next(
        self,
        client: &mut Client,
        prefix: &str,
        form: Form,
    ) -> Result<Result<Box<Step>, (String, String)>, Fault> {
        let (tokens, _) = self.tokens(client, prefix)?;
        let mut next: Vec<Next> =
            tokens.into_iter().map(|token| Next { choice: token, ..Next::default() }).collect();
        next.truncate(MAX_ENTRIES);
        let form = next.is_empty().then_some(form);
        Ok(Ok(Box::new(Step { next, form, ..Step::new(&[], "Choose a move") })))
    }

    /// An engine that can neither say nor list what is legal is believed later: by the next
    /// position, which it may refuse.
    fn is_legal(self, client: &mut Client, token: &str) -> Result<bool, Fault> {
        if self.islegal {
            return Ok(client.query(&format!("islegal {token}"))?.as_deref() == Ok("true"));
        }
        let (tokens, more) = self.tokens(client, token)?;
        Ok(more || tokens.iter().any(|listed| listed == token))
    }
}

/// The answer to a picture query, if it has the form that the protocol says.
fn picture<T: DeserializeOwned>(
    client: &mut Client,
    query: &str,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<T, Fault> {
    let answer = match client.query(query)? {
        Ok(answer) => answer,
        Err(error) => return Err(unreadable(client, query, &error)),
    };
    let checked = match json(&answer) {
        Ok(value) => check(&value).map(|()| value),
        Err(error) => Err(error.to_string()),
    };
    checked.map_err(|error| unreadable(client, query, &error))
}

/// Reads the JSON of an answer.
///
/// # Errors
/// When it holds too much, or something else.
pub(super) fn json<T: DeserializeOwned>(answer: &str) -> io::Result<T> {
    reading::json(answer.as_bytes(), &ANSWER)
}

fn unreadable(client: &Client, query: &str, why: &str) -> Fault {
    let detail = format!("unusable answer to 'query {query}': {}", printable(why, 160));
    client.fault(FaultKind::Disagreement, detail, query)
}

fn check_table(table: &Table) -> Result<(), String> {
    if table.cells.len() > 4_000 || table.shapes.len() > 4_000 || table.labels.len() > 4_000 {
        return Err("more than 4000 cells, shapes or labels".into());
    }
    match table.cells.iter().find(|cell| !table.shapes.contains_key(&cell.shape)) {
        Some(cell) => Err(format!("cell {} has no shape '{}'", cell.id, cell.shape)),
        None => Ok(()),
    }
}

fn check_board(board: &Board) -> Result<(), String> {
    let many = board.pieces.len() > 4_000 || board.marks.len() > 4_000 || board.cards.len() > 500;
    if many { Err("too many pieces, marks or cards".into()) } else { Ok(()) }
}

/// The answer to `step`: a step, or the code and text of the engine's error.
fn step(
    client: &mut Client,
    path: &[String],
) -> Result<Result<Box<Step>, (String, String)>, Fault> {
    let query = format!("step {}", path.join(" "));
    let answer = match client.query(query.trim_end())? {
        Ok(answer) => answer,
        Err(error) => return Ok(Err(split(&error))),
    };
    let checked = match json::<Step>(&answer) {
        Ok(step) => check_step(&step).map(|()| step),
        Err(error) => Err(error.to_string()),
    };
    checked.map(|step| Ok(Box::new(step))).map_err(|error| unreadable(client, "step", &error))
}

fn check_step(step: &Step) -> Result<(), String> {
    if step.next.len() > MAX_ENTRIES {
        return Err(format!("more than {MAX_ENTRIES} entries"));
    }
    let word = |text: &str| super::message::is_word(text);
    if let Some(next) = step.next.iter().find(|next| !word(&next.choice)) {
        return Err(format!("choice '{}' is not one word", next.choice));
    }
    if let Some(token) = step.token.as_ref().filter(|token| !word(token)) {
        return Err(format!("token '{token}' is not one word"));
    }
    Ok(())
}

/// The code and the text of an error.
pub(super) fn split(error: &str) -> (String, String) {
    let (code, text) = error.split_once(' ').unwrap_or((error, ""));
    (printable(code, 40), printable(text, 400))
}

fn plain_table(name: &str, seats: usize) -> Table {
    let mut table = Table::new(&printable(name, 60), [0.0, 0.0]);
    let seat = |number| TableSeat::new(number, &format!("Player {number}"), 0.0);
    table.seats = (1..=seats.clamp(1, 9)).map(seat).collect();
    table
}

/// A diagram without control characters, of a size fit for a page.
fn printable_lines(text: &str) -> String {
    let fit = |c: &char| *c == '\n' || !c.is_control();
    text.chars().filter(fit).take(20_000).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_would_take_much_more_memory_than_text_is_refused() {
        let many = format!("{{\"cells\":[{}]}}", "{\"\":0},".repeat(20_000));
        let refused = json::<serde_json::Value>(&many).unwrap_err().to_string();
        assert_eq!(refused, "it has more than 20000 objects");
    }
}
