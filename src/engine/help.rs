//! The answers to `help` in a session.

use super::query::QUERIES;

struct Topic {
    name: &'static str,
    usage: &'static str,
    about: &'static str,
}

const fn topic(name: &'static str, usage: &'static str, about: &'static str) -> Topic {
    Topic { name, usage, about }
}

const TOPICS: &[Topic] = &[
    topic("ugi", "ugi", "the native handshake: id lines, options, ugiok"),
    topic("uci", "uci", "the same for UCI clients: w/b clocks, mate in moves, ponder; uciok"),
    topic("isready", "isready", "answered by readyok, also during a search"),
    topic("uginewgame", "uginewgame | ucinewgame", "or ucinewgame: forget the game so far"),
    topic("setoption", "setoption name NAME [value VALUE]", "set an option; ugi lists them"),
    topic(
        "position",
        "position startpos | fen TEXT [view SEAT] [moves TOKEN ...]",
        "load a position, as one seat may see it, and play moves; all or nothing",
    ),
    topic("moves", "moves TOKEN ...", "play on from the current position; all or nothing"),
    topic(
        "go",
        "go [p1time MS] [p1inc MS] ... [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]\n   \
         [movetime MS] [depth N] [nodes N] [mate N] [infinite] [ponder] [searchmoves TOKEN ...]",
        "search and answer bestmove; without limits, option Move Time",
    ),
    topic("stop", "stop", "end the search now; its bestmove follows"),
    topic("ponderhit", "ponderhit", "the expected move was played: the clock runs"),
    topic("query", "query NAME ...", "ask about the position; help query lists the queries"),
    topic("d", "d", "draw the board"),
    topic("eval", "eval", "explain the static evaluation"),
    topic("perft", "perft N", "count the move sequences of N plies, a line a move"),
    topic("bench", "bench [N]", "search fixed positions; the node count is the signature"),
    topic("debug", "debug [on | off]", "log every line to stderr"),
    topic("help", "help [COMMAND]", "this list, or one command"),
    topic("quit", "quit", "end; a running search still answers"),
];

/// The text for one command, or the list of all.
pub(super) fn text(name: Option<&str>) -> String {
    let Some(name) = name else {
        let lines: Vec<_> =
            TOPICS.iter().map(|topic| format!("{:<11} {}", topic.name, topic.about)).collect();
        return format!("{}\nhelp COMMAND explains one.", lines.join("\n"));
    };
    if name == "query" {
        let lines: Vec<_> =
            QUERIES.iter().map(|(usage, about)| format!("   query {usage:<20} {about}")).collect();
        return format!("query: one answer a line, 'response ...'\n{}", lines.join("\n"));
    }
    let known = TOPICS.iter().find(|topic| topic.usage.split(' ').any(|part| part == name));
    match known.filter(|topic| topic.name == name || topic.usage.contains(&format!("| {name}"))) {
        Some(topic) => format!("{}\n   {}", topic.usage, topic.about),
        None => format!("no command '{name}'; help lists them"),
    }
}
