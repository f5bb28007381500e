//! What a page may send: JSON text to values. Everything is checked for size and kind here;
//! whether it is allowed is decided where it is acted on.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::protocol::MAX_SEATS;

/// The longest list of choices that a step may have.
const MAX_PATH: usize = 64;

/// The greatest length of one choice or token.
const MAX_CHOICE: usize = 400;

/// The most tokens between a node and one that is asked about.
const MAX_AFTER: usize = 30;

/// The greatest length of a token: one play of many steps is a single word.
pub(super) const MAX_TOKEN: usize = 4096;

/// The greatest length of a person's name.
const MAX_NAME: usize = 40;

/// The greatest length of a start position.
const MAX_START: usize = 60_000;

/// A message of a page, with the number that its answer repeats.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// The number.
    pub(super) id: Option<u64>,
    /// What is asked for.
    pub(super) request: Request,
}

/// What is asked for, by who answers it.
#[derive(Clone, Debug)]
pub(super) enum Request {
    /// The server.
    Server(ServerRequest),
    /// The game that the connection is attached to.
    Game(GameRequest),
}

/// A node as a page names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum NodeName {
    /// By its number.
    Number(usize),
    /// `live`: where play goes on.
    Live(Live),
}

/// The word `live`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Live {
    /// Where play goes on.
    Live,
}

/// What the server answers.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub(super) enum ServerRequest {
    /// The first message.
    Hello { v: u32, token: String },
    /// A sign of life.
    Ping,
    /// The rules of a game, for people.
    Rules { menu: String },
    /// The lessons of a game.
    Lessons { menu: String },
    /// Puzzles of a game.
    Puzzles {
        menu: String,
        #[serde(default)]
        from: usize,
        #[serde(default = "fifty")]
        count: usize,
    },
    /// What there is to know of a game before it is started.
    About {
        menu: String,
        #[serde(default)]
        rules: BTreeMap<String, String>,
    },
    /// A new game.
    New(Box<NewGame>),
    /// Attach to an open game.
    Open { game: String },
    /// End an open game.
    End { game: String },
    /// Go on with a saved game.
    Continue { saved: String },
    /// Forget a saved game.
    Discard { saved: String },
    /// List recorded games.
    Records {
        #[serde(default)]
        from: usize,
        #[serde(default = "fifty")]
        count: usize,
        /// Whether to tell how each began.
        #[serde(default)]
        moves: bool,
    },
    /// Open a recorded game.
    Load { record: usize },
    /// Open a game from text.
    Import { menu: String, text: String },
}

impl ServerRequest {
    /// Whether only a host may ask for it.
    pub(super) fn is_for_hosts(&self) -> bool {
        !matches!(self, Self::Hello { .. } | Self::Ping | Self::Rules { .. })
    }
}

/// What the game answers.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub(super) enum GameRequest {
    /// End the game.
    Close,
    /// Look at a node.
    Look { node: NodeName },
    /// What may follow these choices.
    Step {
        node: usize,
        #[serde(default)]
        path: Vec<String>,
    },
    /// The legal tokens with a prefix.
    Moves {
        node: usize,
        #[serde(default)]
        prefix: String,
    },
    /// Play a token.
    Play { node: usize, token: String },
    /// Let the table throw.
    Throw { node: usize },
    /// Take back.
    Undo,
    /// Accept or refuse an offer.
    Answer { yes: bool },
    /// Give up.
    Resign {
        #[serde(default)]
        seat: Option<String>,
    },
    /// Play on from another node; the level of engines where nobody has played yet.
    GoOn { node: usize, level: Option<u8> },
    /// A new game with the seats moved round; the level of the engines that have one.
    Rematch { level: Option<u8> },
    /// Another player in a seat.
    Seat { seat: String, to: Chair },
    /// The name of the person in a seat.
    Name { seat: String, name: String },
    /// Uncover the screen for a seat.
    Show { seat: String },
    /// Cover the screen.
    Hide,
    /// Offer a draw.
    Draw,
    /// Say one of the set phrases.
    Say { phrase: Phrase },
    /// The choices of a token, what they change, and how they are called; `after` the tokens that a
    /// line of an analysis plays before it.
    Path {
        node: usize,
        #[serde(default)]
        after: Vec<String>,
        token: String,
    },
    /// What the engine would play.
    Hint { node: usize },
    /// Analysis on or off.
    Analyse {
        on: bool,
        #[serde(default)]
        node: Option<usize>,
        #[serde(default = "three")]
        lines: u32,
    },
    /// Value every position of the game.
    Review {
        on: bool,
        #[serde(default = "two_hundred")]
        movetime: u64,
        /// In place of the time: the same marks on every machine.
        #[serde(default)]
        depth: Option<u32>,
    },
    /// A position or a game as text.
    Text { node: usize, what: TextKind },
}

impl GameRequest {
    /// Whether what it asks for comes as an answer to it, and not to everybody.
    pub(super) fn is_question(&self) -> bool {
        matches!(
            self,
            Self::Step { .. }
                | Self::Moves { .. }
                | Self::Path { .. }
                | Self::Hint { .. }
                | Self::Text { .. }
        )
    }

    /// Whether somebody who looks on may ask for it.
    pub(super) fn is_for_spectators(&self) -> bool {
        matches!(self, Self::Look { .. } | Self::Path { .. } | Self::Say { .. } | Self::Text { .. })
    }
}

/// What people may say to each other: nobody can be insulted by these.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Phrase {
    Hello,
    Ready,
    Luck,
    Nice,
    Thanks,
    Oops,
    Moment,
    Bye,
}

/// Which text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TextKind {
    /// The position in the game's notation.
    Fen,
    /// The whole argument of `position`.
    Position,
    /// The tokens.
    Moves,
    /// A match record.
    Record,
    /// A picture.
    Svg,
}

/// A new game, as a page describes it.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(default)]
pub(super) struct NewGame {
    pub(super) menu: String,
    pub(super) rules: BTreeMap<String, String>,
    pub(super) start: Option<String>,
    pub(super) throws: Throws,
    /// Absent: as the command line says; `null`: none.
    #[serde(deserialize_with = "present")]
    pub(super) tc: Option<Option<String>>,
    pub(super) seats: Vec<Chair>,
    pub(super) analysis: bool,
}

/// Who throws.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Throws {
    /// The table, at once.
    #[default]
    Auto,
    /// People, for their own seats.
    Click,
    /// The host enters what real dice showed.
    Real,
}

/// One player, as a page says it and as a saved game holds it. A chair keeps its person or engine
/// when the seats are moved round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Chair {
    pub(super) kind: SeatKind,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) engine: usize,
    #[serde(default)]
    pub(super) player: Option<String>,
    #[serde(default)]
    pub(super) movetime: Option<u64>,
    #[serde(default)]
    pub(super) depth: Option<u32>,
    #[serde(default)]
    pub(super) nodes: Option<u64>,
    /// A value of the engine's option `Level`, in place of a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<u8>,
    /// What a link to this chair ends in. A page cannot choose it; the file of a saved game, which
    /// only its owner may read, keeps it.
    #[serde(default, rename = "link", skip_serializing_if = "String::is_empty")]
    pub(super) token: String,
}

/// The kinds of player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SeatKind {
    /// A person at the host's pages.
    Here,
    /// A person by link.
    Link,
    /// An engine.
    Engine,
}

/// A member that is there, even as `null`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

fn fifty() -> usize {
    50
}

fn three() -> u32 {
    3
}

fn two_hundred() -> u64 {
    200
}

/// Reads one message.
///
/// # Errors
/// Says which member is wrong.
pub(super) fn read(text: &str) -> Result<Message, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let Id { id } = Id::deserialize(&value).map_err(|error| error.to_string())?;
    let request = request(&value)?;
    check(&request)?;
    Ok(Message { id, request })
}

/// The server and the game share no name. Where neither reads the request, the error is that of
/// the one that knows its name.
fn request(value: &Value) -> Result<Request, String> {
    let server = match ServerRequest::deserialize(value) {
        Ok(request) => return Ok(Request::Server(request)),
        Err(error) => error.to_string(),
    };
    let game = match GameRequest::deserialize(value) {
        Ok(request) => return Ok(Request::Game(request)),
        Err(error) => error.to_string(),
    };
    let name = value.get("do").and_then(Value::as_str).unwrap_or_default();
    let unknown = format!("unknown variant `{name}`, expected one of ");
    Err(match (server.strip_prefix(&unknown), game.strip_prefix(&unknown)) {
        (Some(some), Some(others)) => format!("do: '{name}' is none of {some}, {others}"),
        (Some(_), None) => game,
        (None, _) => server,
    })
}

#[derive(Deserialize)]
struct Id {
    id: Option<u64>,
}

/// The number of a message that cannot be read, so that the error can repeat it.
pub(super) fn id_of(text: &str) -> Option<u64> {
    serde_json::from_str::<Id>(text).ok()?.id
}

/// Whether a text can be one word of a line to an engine.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Whether a text can be part of a line to an engine.
fn is_line(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

fn check_token(token: &str) -> Result<(), String> {
    if token.len() > MAX_TOKEN || !is_word(token) {
        return Err(format!("token: one word of at most {MAX_TOKEN} characters"));
    }
    Ok(())
}

fn check(request: &Request) -> Result<(), String> {
    match request {
        Request::Server(ServerRequest::New(new)) => check_new(new),
        Request::Server(ServerRequest::About { rules, .. }) => check_rules(rules),
        Request::Game(GameRequest::Step { path, .. }) => check_path(path),
        Request::Game(GameRequest::Moves { prefix, .. }) => {
            if prefix.len() > MAX_CHOICE || !(prefix.is_empty() || is_word(prefix)) {
                return Err(format!("prefix: one word of at most {MAX_CHOICE} characters"));
            }
            Ok(())
        }
        Request::Game(GameRequest::Play { token, .. }) => check_token(token),
        Request::Game(GameRequest::Path { after, token, .. }) => {
            if after.len() > MAX_AFTER {
                return Err(format!("after: at most {MAX_AFTER} tokens"));
            }
            after.iter().chain([token]).try_for_each(|token| check_token(token))
        }
        Request::Game(GameRequest::Seat { to, .. }) => check_chair(to),
        Request::Game(GameRequest::Name { name, .. }) => check_name(name),
        Request::Server(_) | Request::Game(_) => Ok(()),
    }
}

fn check_path(path: &[String]) -> Result<(), String> {
    if path.len() > MAX_PATH {
        return Err(format!("path: at most {MAX_PATH} choices"));
    }
    match path.iter().position(|choice| choice.len() > MAX_CHOICE || !is_word(choice)) {
        Some(index) => Err(format!(
            "path: choice {} is not one word of printable ASCII of at most {MAX_CHOICE} characters",
            index + 1
        )),
        None => Ok(()),
    }
}

fn check_new(new: &NewGame) -> Result<(), String> {
    check_rules(&new.rules)?;
    if let Some(start) = &new.start
        && (start.len() > MAX_START || !is_line(start))
    {
        return Err(format!("start: one line of printable ASCII, at most {MAX_START} characters"));
    }
    check_chairs(&new.seats)
}

/// Checks the players of a game.
///
/// # Errors
/// Says what is wrong with one.
pub(super) fn check_chairs(chairs: &[Chair]) -> Result<(), String> {
    if chairs.len() > MAX_SEATS {
        return Err(format!("seats: at most {MAX_SEATS}"));
    }
    chairs.iter().try_for_each(check_chair)
}

/// Checks rule options; whether a game has them is asked later.
///
/// # Errors
/// Says which one is none.
pub(super) fn check_rules(rules: &BTreeMap<String, String>) -> Result<(), String> {
    let fits = |text: &str| !text.is_empty() && text.len() <= 100 && is_line(text);
    match rules.iter().find(|(name, value)| !fits(name) || !fits(value) || name.contains("value")) {
        Some((name, _)) => Err(format!("rules: '{}' is no option", name.escape_debug())),
        None if rules.len() > 100 => Err("rules: at most 100".into()),
        None => Ok(()),
    }
}

fn check_chair(seat: &Chair) -> Result<(), String> {
    check_name(&seat.name)?;
    if seat.player.as_ref().is_some_and(|player| player.len() > 100 || !is_line(player)) {
        return Err("player: a value of the option Player".into());
    }
    let limits = [seat.movetime, seat.depth.map(u64::from), seat.nodes];
    if limits.contains(&Some(0)) || seat.movetime.is_some_and(|ms| ms > 86_400_000) {
        return Err("movetime, depth and nodes are above 0, movetime at most a day".into());
    }
    Ok(())
}

fn check_name(name: &str) -> Result<(), String> {
    if name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return Err(format!("name: at most {MAX_NAME} characters, no control characters"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let message = read(r#"{"do":"step","id":7,"node":12,"path":["a3"],"more":1}"#).unwrap();
        assert_eq!(message.id, Some(7));
        let Request::Game(GameRequest::Step { node: 12, path }) = message.request else {
            panic!("not a step")
        };
        assert_eq!(path, ["a3"]);
        let look = |text: &str| match read(text).unwrap().request {
            Request::Game(GameRequest::Look { node }) => node,
            other => panic!("{other:?}"),
        };
        assert_eq!(look(r#"{"do":"look","node":"live"}"#), NodeName::Live(Live::Live));
        assert_eq!(look(r#"{"do":"look","node":3}"#), NodeName::Number(3));
        let text = r#"{"do":"new","menu":"barca","seats":[{"kind":"here"},{"kind":"engine","movetime":5}]}"#;
        let new = |text: &str| match read(text).unwrap().request {
            Request::Server(ServerRequest::New(new)) => new,
            other => panic!("{other:?}"),
        };
        assert_eq!(new(text).seats[1].movetime, Some(5));
        let tc = |text: &str| new(text).tc;
        assert_eq!(tc(r#"{"do":"new"}"#), None);
        assert_eq!(tc(r#"{"do":"new","tc":null}"#), Some(None));
        assert_eq!(tc(r#"{"do":"new","tc":"60"}"#), Some(Some("60".into())));
        let go_on = read(r#"{"do":"goon","node":1}"#).unwrap().request;
        assert!(matches!(go_on, Request::Game(GameRequest::GoOn { .. })));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, word) in [
            ("nonsense", "expected"),
            ("{}", "do"),
            (r#"{"do":"dance"}"#, "dance"),
            (r#"{"do":"play","node":1}"#, "missing field `token`"),
            (r#"{"do":"load","record":"x"}"#, "invalid type"),
            (r#"{"do":"ping","id":"x"}"#, "invalid type"),
            (r#"{"do":"play","node":1,"token":"a b"}"#, "token"),
            (r#"{"do":"play","node":1,"token":"a\nquit"}"#, "token"),
            (r#"{"do":"step","node":1,"path":["a","b\u0007"]}"#, "choice 2"),
            (r#"{"do":"path","node":1,"token":"a","after":["b c"]}"#, "token: one word"),
            (r#"{"do":"moves","node":1,"prefix":"a\n"}"#, "prefix"),
            (r#"{"do":"new","menu":"x","start":"fen a\nquit"}"#, "start"),
            (r#"{"do":"new","menu":"x","rules":{"A\nB":"1"}}"#, "rules"),
            (r#"{"do":"new","menu":"x","seats":[{"kind":"shell"}]}"#, "shell"),
            (r#"{"do":"new","menu":"x","seats":[{"kind":"engine","player":"a\nquit"}]}"#, "player"),
            (r#"{"do":"new","menu":"x","seats":[{"kind":"engine","depth":0}]}"#, "above 0"),
            (r#"{"do":"name","seat":"p1","name":"a\u0000"}"#, "name"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic() {
        let whole = r#"{"do":"new","id":1,"menu":"x","rules":{"a":"b"},"seats":[{"kind":"engine","depth":1}]}"#;
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err());
            for byte in [b'"', b'{', b'\\', 0, 0xff] {
                let mut bytes = whole.as_bytes().to_vec();
                bytes[end] = byte;
                let text = String::from_utf8_lossy(&bytes);
                let _ = (read(&text), id_of(&text));
            }
        }
        assert!(read(&"[".repeat(100_000)).is_err());
    }
}
