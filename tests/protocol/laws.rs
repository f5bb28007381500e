//! Laws of the protocol, held over every game of the list with every number of seats: queries
//! against a replay by the rules alone, reports of searches, options, throws, perft and bench.

use parlor::engine::{Engine, GameEngine, Message, SetError};
use parlor::game::{
    Chances, MoveListing, OptionKind, OptionSpec, Random, Seat, Situation, Turn, splitmix64,
};
use parlor::games::{GameVisitor, NAMES, Playable, with_game};
use parlor::protocol::{
    Bound, Code, Dialect, GoArguments, InfoLine, PositionArgument, Root, Score,
};
use parlor::search::Control;

use crate::client::Client;
use crate::table::Position as Table;

/// Calls the visitor with every game of the list and with the game for tests.
fn each_game<V: GameVisitor<Output = ()> + Copy>(visitor: V) {
    for name in NAMES {
        with_game(name, visitor).expect("a game of the list");
    }
    visitor.visit::<Table>();
}

/// Players of the game for tests that are no players.
const UNFIT: [&str; 6] = ["slow", "deaf", "broken", "recorder", "cheat", "silent"];

/// An engine with a small table.
fn small<G: Playable>() -> GameEngine<G> {
    let mut engine = GameEngine::new();
    engine.set_option("Hash", Some("1")).expect("a small table");
    engine
}

/// An engine of a game for each number of seats.
pub fn engines<G: Playable>() -> Vec<GameEngine<G>> {
    let values = match small::<G>().options().find("Players").map(|(spec, _)| spec.kind.clone()) {
        Some(OptionKind::Combo { values }) => values,
        _ => return vec![small()],
    };
    let with = |value: &String| {
        let mut engine = small();
        engine.set_option("Players", Some(value)).expect("a declared value");
        engine.set_position(&PositionArgument::default()).expect("the start");
        engine
    };
    values.iter().map(with).collect()
}

fn ask<G: Playable>(engine: &GameEngine<G>, query: &str) -> String {
    let mut words = query.split(' ').map(str::to_owned);
    let name = words.next().expect("a word");
    let answer = engine.query(&name, &words.collect::<Vec<_>>());
    answer.unwrap_or_else(|error| format!("error {error}"))
}

fn joined<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The turn in the words of the specification, and the seat that decides or throws.
fn turn_of<G: Playable>(situation: &Situation<G>) -> (String, Option<usize>) {
    let name = |seat: Seat| format!("p{}", seat.index() + 1);
    match situation.turn() {
        Turn::Seat(seat) => (name(seat), Some(seat.index())),
        Turn::Chance { thrower: Some(seat) } => {
            (format!("chance {}", name(seat)), Some(seat.index()))
        }
        Turn::Chance { thrower: None } => ("chance".into(), None),
        Turn::Over => ("none".into(), None),
    }
}

/// The token for a seed by the formula of section 10, from the answer to `query chances`.
fn thrown(chances: &str, seed: u64) -> String {
    let outcomes: Vec<(&str, u128)> = chances
        .split(' ')
        .map(|word| word.rsplit_once(':').expect("a weight"))
        .map(|(token, weight)| (token, weight.parse().expect("a number")))
        .collect();
    let sum: u128 = outcomes.iter().map(|(_, weight)| weight).sum();
    let wanted = (u128::from(splitmix64(seed)) * sum) >> 64;
    let mut running = 0;
    for (token, weight) in outcomes {
        running += weight;
        if running > wanted {
            return token.into();
        }
    }
    unreachable!("the running weight reaches the sum")
}

/// Every query about a position against the rules alone.
fn check_queries<G: Playable>(
    engine: &GameEngine<G>,
    situation: &Situation<G>,
    tokens: &[String],
    seed: u64,
) {
    let position = situation.position();
    let (turn, seat) = turn_of(situation);
    let place = format!("{} {}", G::NAME, tokens.join(" "));
    let told = |query: &str| ask(engine, query);
    let check = |query: &str, expected: &str| assert_eq!(told(query), expected, "{query}: {place}");
    check("turn", &turn);
    check("p1turn", if seat == Some(0) { "true" } else { "false" });
    check("seats", &position.seats().to_string());
    check("fen", &position.to_string());
    let points = position.points().map_or("none".into(), |points| joined(&points));
    check("points", &points);
    match situation.outcome() {
        None => {
            assert_ne!(turn, "none", "{place}");
            for query in ["result", "outcome", "reason"] {
                check(query, "none");
            }
            check("gameover", "false");
        }
        Some(outcome) => {
            check("gameover", "true");
            check("outcome", &format!("rank {}", joined(outcome.places())));
            check("reason", situation.reason().expect("a reason"));
            let first: Vec<usize> =
                (0..position.seats()).filter(|at| outcome.places()[*at] == 1).collect();
            let result = match (first.contains(&0), first.len()) {
                (true, 1) => "p1win",
                (true, _) => "draw",
                _ => "p2win",
            };
            check("result", result);
            check_finished(engine, &place);
        }
    }
    if !G::SECRETS {
        let moves =
            if tokens.is_empty() { String::new() } else { format!(" moves {}", joined(tokens)) };
        for seat in 1..=position.seats() {
            check(&format!("view p{seat}"), &format!("startpos{moves}"));
        }
    }
    let over = format!("view p{}", position.seats() + 1);
    assert!(told(&over).starts_with("error bad-value"), "{place}");
    if turn.starts_with("chance") {
        let chances = told("chances");
        if let Chances::Listed(list) = position.chances() {
            let list = list.iter().map(|(m, weight)| format!("{}:{weight}", position.token(m)));
            assert_eq!(chances, list.collect::<Vec<_>>().join(" "), "{place}");
            for seed in [seed, u64::MAX - seed] {
                check(&format!("throw {seed}"), &thrown(&chances, seed));
            }
        }
    } else {
        check("chances", "none");
        let code = if turn == "none" { "error game-over" } else { "error not-to-act" };
        assert!(told("throw 1").starts_with(code), "{place}");
    }
    if turn == "none" || position.move_listing() != MoveListing::Listed {
        return;
    }
    let mut legal: Vec<String> = position.moves().iter().map(|m| position.token(m)).collect();
    legal.sort_unstable();
    check("legalmoves", &legal.join(" "));
    let picked = &legal[seed as usize % legal.len()];
    for prefix in [&picked[..1], &picked[..picked.len() / 2 + 1], picked, "~"] {
        let begin: Vec<_> =
            legal.iter().filter(|token| token.starts_with(prefix)).map(String::as_str).collect();
        let expected = if begin.is_empty() { "none".into() } else { begin.join(" ") };
        check(&format!("legalmoves {prefix}"), &expected);
    }
    check(&format!("islegal {picked}"), "true");
    check("islegal nonsense", "false");
    let random = position.random_move(&mut Random::new(seed)).expect("a move");
    check(&format!("random {seed}"), &position.token(&random));
    // A token of the past.
    if let Some(old) = tokens.last() {
        let is_legal =
            legal.contains(old) || position.parse_move(old).is_ok_and(|m| position.is_legal(&m));
        check(&format!("islegal {old}"), if is_legal { "true" } else { "false" });
    }
}

/// What a finished game answers, whoever has won and why.
fn check_finished<G: Playable>(engine: &GameEngine<G>, place: &str) {
    for (query, expected) in [
        ("turn", "none"),
        ("p1turn", "false"),
        ("gameover", "true"),
        ("chances", "none"),
        ("legalmoves", "none"),
        ("random 1", "none"),
    ] {
        assert_eq!(ask(engine, query), expected, "{query}: {place}");
    }
    for query in ["throw 1", "step"] {
        let told = ask(engine, query);
        assert!(told.starts_with("error game-over"), "{query}: {told}, {place}");
    }
    let drawn = engine.draw();
    let places = ask(engine, "outcome").replace("rank ", "");
    let standing = format!("\nresult: {} (places {places})", ask(engine, "reason"));
    assert!(drawn.ends_with(&standing), "{drawn}");
}

/// What an engine with that many nodes a move reports and answers.
pub fn search<G: Playable>(
    engine: &mut GameEngine<G>,
    go: &GoArguments,
) -> (Vec<InfoLine>, Option<String>) {
    let mut lines = Vec::new();
    let answer =
        engine.search(go, Dialect::Ugi, &Control::new(false), &mut |message| match message {
            Message::Info(line) => lines.push(line),
            Message::Text(_) => {}
            Message::Error(error) => panic!("{}: {error}", G::NAME),
        });
    (lines, answer.best)
}

/// Nodes for a search on the way.
const NODES: u64 = 60;

fn nodes(nodes: u64) -> GoArguments {
    GoArguments { nodes: Some(nodes), ..GoArguments::default() }
}

/// The laws of section 8 for the reports of one search.
fn check_reports<G: Playable>(
    situation: &Situation<G>,
    lines: &[InfoLine],
    best: &str,
    shows_wdl: bool,
) {
    let position = situation.position();
    let (turn, seat) = turn_of(situation);
    let place = format!("{} {position}, {turn}", G::NAME);
    check_order(lines, best, &place);
    for pair in lines.windows(2) {
        assert!(pair[0].nodes <= pair[1].nodes && pair[0].time <= pair[1].time, "{place}");
    }
    for line in lines {
        assert!(line.hashfull <= 1000, "{place}: {line}");
        assert!((1..=2).contains(&line.multipv), "{place}: {line}");
        let mut replay = situation.clone();
        for token in &line.pv {
            let m = replay.position().parse_move(token).unwrap_or_else(|_| panic!("{line}"));
            assert!(replay.position().is_legal(&m), "{place}: {token} of {line}");
            replay.play(&m);
        }
        if let Score::Centipawns(cp) = line.score {
            assert!((-9999..=9999).contains(&cp), "{place}: {line}");
        }
        if let Some(wdl) = line.wdl {
            assert_eq!(wdl.iter().sum::<u16>(), 1000, "{place}: {line}");
            match line.score {
                Score::Mate(plies) => {
                    assert_eq!(wdl[if plies > 0 { 0 } else { 2 }], 1000, "{line}")
                }
                Score::Centipawns(cp) => {
                    assert!(cp == 0 || (cp > 0) == (wdl[0] >= wdl[2]), "{line}")
                }
            }
        }
        assert!(!(shows_wdl && line.wdl.is_none() && line.vec.is_none()), "{place}: {line}");
        let Some(shares) = &line.vec else { continue };
        assert_eq!(shares.len(), position.seats(), "{place}: {line}");
        let sum: u16 = shares.iter().sum();
        assert!(sum.abs_diff(1000) <= position.seats() as u16, "{place}: {line}");
        // cp = 400 log10(p / (1 - p)) of the seat to move; one share holds what the others were
        // rounded down by. In Pacru score and shares come from two estimates.
        if !(G::DICE || G::SECRETS) {
            continue;
        }
        let rounded = position.seats() as f64;
        let share = f64::from(shares[seat.expect("a seat")]);
        let cp_of = |permille: f64| {
            let p = (permille / 1000.0).clamp(1e-9, 1.0 - 1e-9);
            (400.0 * (p / (1.0 - p)).log10()).clamp(-9999.0, 9999.0)
        };
        if let Score::Centipawns(cp) = line.score {
            let (low, high) = (cp_of(share - rounded), cp_of(share + rounded));
            assert!((low - 1.0..=high + 1.0).contains(&f64::from(cp)), "{place}: {line}");
        }
    }
}

/// The lines of a search as a client keeps them: the last of each number.
fn last_lines(lines: &[InfoLine]) -> Vec<&InfoLine> {
    let last = |number| lines.iter().rfind(|line| line.multipv == number);
    (1..).map_while(last).collect()
}

/// Several lines are those of different moves, the best first, however the search ended.
fn check_order(lines: &[InfoLine], best: &str, place: &str) {
    let last = last_lines(lines);
    assert_eq!(last[0].pv.first().map(String::as_str), Some(best), "{place}: {last:?}");
    assert_eq!(last[0].bound, Bound::Exact, "{place}: {last:?}");
    for (at, line) in last.iter().enumerate().skip(1) {
        let above = last[at - 1];
        let differs = last[..at].iter().all(|other| other.pv.first() != line.pv.first());
        assert!(differs, "{place}: {last:?}");
        let [better, worse] = [above, line].map(|line| line.score.centipawns());
        assert!(better >= worse, "{place}:\n{above}\n{line}");
    }
}

/// A depth has one best value, and the lines after it are of that depth.
fn check_depths(lines: &[InfoLine], place: &str) {
    let best: Vec<&InfoLine> = lines.iter().filter(|line| line.multipv == 1).collect();
    for pair in best.windows(2) {
        assert!(pair[0].depth <= pair[1].depth, "{place}: {pair:?}");
        let repeats = pair[0].depth == pair[1].depth;
        assert!(!repeats || pair[0].score == pair[1].score, "{place}:\n{}\n{}", pair[0], pair[1]);
    }
    for pair in lines.windows(2).filter(|pair| pair[1].multipv > 1) {
        assert_eq!(pair[0].depth, pair[1].depth, "{place}:\n{}\n{}", pair[0], pair[1]);
    }
}

#[test]
fn several_lines_are_in_order_wherever_the_nodes_end() {
    #[derive(Clone, Copy)]
    struct Cut;
    impl GameVisitor for Cut {
        type Output = ();
        fn visit<G: Playable>(self) {
            for mut engine in engines::<G>() {
                engine.set_option("MultiPV", Some("4")).expect("an option");
                let start = G::start(engine.options(), None).expect("a start");
                let mut situation = Situation::new(start);
                let mut random = Random::new(23);
                for ply in 0..26 {
                    for limit in
                        if ply % 12 == 11 { &[25, 70, 150, 330, 700, 6_000][..] } else { &[] }
                    {
                        if situation.seat().is_none() {
                            break;
                        }
                        engine.new_game();
                        let (lines, best) = search(&mut engine, &nodes(*limit));
                        let place = format!("{} {} {limit}", G::NAME, situation.position());
                        check_order(&lines, &best.expect("a move"), &place);
                        check_depths(&lines, &place);
                    }
                    let Some(m) = situation.position().random_move(&mut random) else { break };
                    engine.append_moves(&[situation.position().token(&m)]).expect(G::NAME);
                    situation.play(&m);
                }
            }
        }
    }
    each_game(Cut);
}

#[test]
fn no_search_goes_beyond_the_ply_at_which_the_game_is_drawn() {
    #[derive(Clone, Copy)]
    struct Bounded;
    impl GameVisitor for Bounded {
        type Output = ();
        fn visit<G: Playable>(self) {
            let deep = GoArguments { depth: Some(9), ..GoArguments::default() };
            for mut engine in engines::<G>() {
                let players = G::player_names();
                for (player, left, go) in players
                    .into_iter()
                    .filter(|name| !UNFIT.contains(name))
                    .flat_map(|player| [1, 2, 3].map(|left| (player, left)))
                    .flat_map(|(player, left)| {
                        [nodes(3_000), deep.clone()].map(|go| (player, left, go))
                    })
                {
                    engine.set_option("Player", Some(player)).expect("a player");
                    check_bounded(&mut engine, left, &go, player == "engine");
                }
            }
        }
    }
    each_game(Bounded);
}

/// Searches the first choice of a game that is drawn so many plies later.
fn check_bounded<G: Playable>(
    engine: &mut GameEngine<G>,
    left: usize,
    go: &GoArguments,
    searches: bool,
) {
    let mut situation = Situation::new(G::start(engine.options(), None).expect("a start"));
    let (mut random, mut tokens) = (Random::new(29), Vec::new());
    while situation.seat().is_none() || tokens.len() < 4 {
        let m = situation.position().random_move(&mut random).expect("a move");
        tokens.push(situation.position().token(&m));
        situation.play(&m);
    }
    let most = (tokens.len() + left).to_string();
    engine.set_option("MaxPlies", Some(&most)).expect("an option");
    engine.set_position(&PositionArgument::default()).expect("the start");
    engine.append_moves(&tokens).expect("its moves");
    engine.new_game();
    let (lines, best) = search(engine, go);
    let place = format!("{} {} {left}", G::NAME, situation.position());
    assert!(best.is_some(), "{place}");
    for line in &lines {
        let deepest = line.depth.max(line.seldepth) as usize;
        assert!(deepest <= left && line.pv.len() <= left, "{place}: {line}");
    }
    // What is searched to the last ply is a draw, unless the rules end it before. Rule players
    // judge what they see.
    let last = lines.iter().rfind(|line| line.multipv == 1).expect("a report");
    if let Score::Centipawns(cp) = last.score
        && left == 1
        && searches
    {
        let is_even = last
            .vec
            .as_ref()
            // Where words are secret, shares are estimated from samples.
            .is_some_and(|vec| vec.iter().all(|share| share.abs_diff(vec[0]) <= 5));
        assert!(cp == 0 || is_even, "{place}: {last}");
    }
}

#[test]
fn every_position_of_a_game_answers_as_the_rules_alone_say_and_is_searched_by_the_specification() {
    #[derive(Clone, Copy)]
    struct Walk;
    impl GameVisitor for Walk {
        type Output = ();
        fn visit<G: Playable>(self) {
            for mut engine in engines::<G>() {
                engine.set_option("MultiPV", Some("2")).expect("an option");
                let rules: Vec<String> = G::start(engine.options(), None)
                    .expect("a start")
                    .rules()
                    .into_iter()
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect();
                let rules = if rules.is_empty() { "none".into() } else { joined(&rules) };
                assert_eq!(ask(&engine, "rules"), rules);
                let start = G::start(engine.options(), None).expect("a start");
                let mut situation = Situation::new(start);
                let mut tokens: Vec<String> = Vec::new();
                let mut random = Random::new(7);
                for ply in 0..40_u64 {
                    check_queries(&engine, &situation, &tokens, 1000 + 77 * ply);
                    let Some(m) = situation.position().random_move(&mut random) else { break };
                    let deals = matches!(situation.turn(), Turn::Chance { thrower: None });
                    if ply % 5 == 0 && situation.seat().is_some() {
                        let shows = ply % 10 == 0;
                        engine.set_option("UCI_ShowWDL", Some(&shows.to_string())).expect("one");
                        let (lines, best) = search(&mut engine, &nodes(NODES));
                        check_reports(&situation, &lines, &best.expect("a move"), shows);
                    } else if situation.turn().is_chance() && !deals {
                        let (lines, best) = search(&mut engine, &nodes(NODES));
                        let best = best.expect("a throw");
                        // `Seed` is 1, and no game was begun by `uginewgame`.
                        let seed = splitmix64(1).wrapping_add(ply);
                        assert_eq!(best, ask(&engine, &format!("throw {seed}")));
                        assert_eq!((lines.len(), &lines[0].pv), (1, &vec![best]));
                    }
                    let token = situation.position().token(&m);
                    engine.append_moves(std::slice::from_ref(&token)).expect(G::NAME);
                    tokens.push(token);
                    situation.play(&m);
                }
                // The text of the position says as much as the way to it, but for repetition.
                let drawn = engine.draw();
                let fen = ask(&engine, "fen");
                assert!(drawn.contains(&format!("\nfen: {fen}\nkey: ")), "{drawn}");
                let mut other = small::<G>();
                let root = Root::Fen(fen.clone());
                let loaded = PositionArgument { root, ..PositionArgument::default() };
                other.set_position(&loaded).expect(&fen);
                assert_eq!(
                    (ask(&other, "fen"), ask(&other, "seats")),
                    (fen, ask(&engine, "seats"))
                );
                assert_eq!(ask(&other, "turn"), turn_of(&situation).0);
                // Drawn by its number of plies it is as finished as by its rules.
                let whole =
                    PositionArgument { moves: tokens.clone(), ..PositionArgument::default() };
                engine.set_option("MaxPlies", Some(&tokens.len().to_string())).expect("an option");
                engine.set_position(&whole).expect(G::NAME);
                check_finished(&engine, "after the last ply");
                if situation.outcome().is_none() {
                    assert_eq!(ask(&engine, "reason"), "max-plies");
                    if let Some(m) = situation.position().random_move(&mut random) {
                        let token = situation.position().token(&m);
                        assert_eq!(ask(&engine, &format!("islegal {token}")), "false");
                    }
                    let (lines, best) = search(&mut engine, &nodes(9));
                    assert_eq!((lines.len(), best), (0, None));
                }
            }
        }
    }
    each_game(Walk);
}

#[test]
fn a_throw_follows_from_seed_games_and_tokens() {
    #[derive(Clone, Copy)]
    struct Throw;
    impl GameVisitor for Throw {
        type Output = ();
        fn visit<G: Playable>(self) {
            let mut engine = small::<G>();
            let mut random = Random::new(11);
            let mut games = 0_u64;
            for seed in [1, 2, 70, i64::MAX as u64] {
                engine.set_option("Seed", Some(&seed.to_string())).expect("an option");
                for _ in 0..3 {
                    engine.set_position(&PositionArgument::default()).expect(G::NAME);
                    let start = G::start(engine.options(), None).expect("a start");
                    let mut situation = Situation::new(start);
                    for count in 0..8_u64 {
                        if situation.turn().is_chance() {
                            let from = splitmix64(seed.wrapping_add(games)).wrapping_add(count);
                            let expected = ask(&engine, &format!("throw {from}"));
                            let (_, best) = search(&mut engine, &nodes(1));
                            assert_eq!(best, Some(expected), "{} {seed} {games}", G::NAME);
                        }
                        let Some(m) = situation.position().random_move(&mut random) else { break };
                        let token = situation.position().token(&m);
                        engine.append_moves(&[token]).expect(G::NAME);
                        situation.play(&m);
                    }
                    engine.new_game();
                    games += 1;
                }
            }
            // `Seed 0` takes one from the system: two programs do not throw alike.
            if engine.draw().contains("chance") {
                let throws = || {
                    let mut engine = small::<G>();
                    engine.set_option("Seed", Some("0")).expect("an option");
                    let throw = |_| {
                        engine.new_game();
                        search(&mut engine, &nodes(1)).1
                    };
                    (0..64).map(throw).collect::<Vec<_>>()
                };
                assert_ne!(throws(), throws(), "{}", G::NAME);
            }
        }
    }
    each_game(Throw);
}

/// Plays some moves from the start: every report and every token, without times.
fn played<G: Playable>(engine: &mut GameEngine<G>) -> Vec<String> {
    engine.set_position(&PositionArgument::default()).expect(G::NAME);
    let mut told = Vec::new();
    for _ in 0..6 {
        let (lines, best) = search(engine, &nodes(30));
        told.extend(
            lines
                .iter()
                .map(|line| format!("{} {} {} {:?}", line.depth, line.score, line.nodes, line.pv)),
        );
        let Some(token) = best else { break };
        engine.append_moves(std::slice::from_ref(&token)).expect(G::NAME);
        told.push(token);
    }
    told
}

#[test]
fn what_an_option_changes_holds_from_the_next_search_on() {
    #[derive(Clone, Copy)]
    struct Change;
    impl GameVisitor for Change {
        type Output = ();
        fn visit<G: Playable>(self) {
            let with = |settings: &[(&str, &str)]| {
                let mut engine = small::<G>();
                for (name, value) in settings {
                    engine.set_option(name, Some(value)).expect(name);
                }
                engine
            };
            let players = G::player_names();
            for player in players.into_iter().filter(|name| !UNFIT.contains(name)) {
                let fresh = played(&mut with(&[("Player", player)]));
                let mut used = with(&[("Player", player)]);
                assert_eq!(played(&mut used), fresh, "{} {player}", G::NAME);
                // The button forgets all of it, and so does a new table.
                for (name, value) in [("clear hash", ""), ("HASH", "1")] {
                    used.set_option(name, Some(value)).expect(name);
                    assert_eq!(played(&mut used), fresh, "{} {player} {name}", G::NAME);
                }
                // Another seed in the middle of a session is the seed of a new one.
                used.set_option("Seed", Some("9")).expect("Seed");
                let seeded = played(&mut with(&[("Seed", "9"), ("Player", player)]));
                assert_eq!(played(&mut used), seeded, "{} {player}", G::NAME);
                assert!(player != "random" || seeded != fresh, "{}", G::NAME);
                // As is another player, and the old one again.
                used.set_option("Player", Some("random")).expect("Player");
                let random = played(&mut with(&[("Seed", "9"), ("Player", "random")]));
                assert_eq!(played(&mut used), random, "{} {player}", G::NAME);
                used.set_option("Player", Some(player)).expect("Player");
                assert_eq!(played(&mut used), seeded, "{} {player}", G::NAME);
            }
        }
    }
    each_game(Change);
}

#[test]
fn every_player_chooses_among_the_moves_it_is_given() {
    #[derive(Clone, Copy)]
    struct Restrict;
    impl GameVisitor for Restrict {
        type Output = ();
        fn visit<G: Playable>(self) {
            let mut engine = small::<G>();
            engine.set_option("MultiPV", Some("2")).expect("an option");
            let mut random = Random::new(3);
            let start = G::start(engine.options(), None).expect("a start");
            let mut situation = Situation::new(start);
            let is_choice = |situation: &Situation<G>| {
                let position = situation.position();
                let listed = position.move_listing() == MoveListing::Listed;
                situation.seat().is_some() && listed && position.moves().len() > 2
            };
            let mut tokens = Vec::new();
            while tokens.len() < 200 && !is_choice(&situation) {
                let Some(m) = situation.position().random_move(&mut random) else { break };
                tokens.push(situation.position().token(&m));
                situation.play(&m);
            }
            if !is_choice(&situation) {
                return;
            }
            engine.append_moves(&tokens).expect(G::NAME);
            let position = situation.position();
            let moves: Vec<String> = position.moves().iter().map(|m| position.token(m)).collect();
            for player in G::player_names().into_iter().filter(|name| !UNFIT.contains(name)) {
                engine.set_option("Player", Some(player)).expect("Player");
                let last = moves.len() - 1;
                for allowed in [vec![last], vec![0], vec![last / 2], vec![last, last / 2]] {
                    let allowed: Vec<String> =
                        allowed.iter().map(|at| moves[*at].clone()).collect();
                    let go = GoArguments { search_moves: allowed.clone(), ..nodes(40) };
                    let (lines, best) = search(&mut engine, &go);
                    let best = best.expect("a move");
                    assert!(allowed.contains(&best), "{} {player}: {best}", G::NAME);
                    for line in lines.iter().filter(|line| !line.pv.is_empty()) {
                        assert!(allowed.contains(&line.pv[0]), "{} {player}: {line}", G::NAME);
                    }
                }
            }
        }
    }
    each_game(Restrict);
}

#[test]
fn a_level_varies_with_its_seed_and_follows_from_it() {
    #[derive(Clone, Copy)]
    struct Vary;
    impl GameVisitor for Vary {
        type Output = ();
        fn visit<G: Playable>(self) {
            if small::<G>().options().find("Level").is_none() {
                assert_eq!(G::NAME, Table::NAME);
                return;
            }
            let line = |seed: &str| {
                let mut engine = small::<G>();
                for (name, value) in [("Level", "3"), ("Seed", seed)] {
                    engine.set_option(name, Some(value)).expect(name);
                }
                let start = G::start(engine.options(), None).expect("a start");
                let (mut situation, mut random) = (Situation::new(start), Random::new(31));
                let mut told = Vec::new();
                while told.len() < 10 {
                    if situation.seat().is_some() {
                        told.push(search(&mut engine, &nodes(2_000)).1.expect("a move"));
                    }
                    let Some(m) = situation.position().random_move(&mut random) else { break };
                    engine.append_moves(&[situation.position().token(&m)]).expect(G::NAME);
                    situation.play(&m);
                }
                told
            };
            let lines = ["1", "2", "3", "4"].map(line);
            assert_eq!(lines[0], line("1"), "{}", G::NAME);
            assert!(lines[1..].iter().all(|other| *other != lines[0]), "{}: {lines:?}", G::NAME);
        }
    }
    each_game(Vary);
}

/// Sequences of so many plies, counted one by one.
fn count<G: Playable>(situation: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let next = |m: &G::Move| {
        let mut next = situation.clone();
        next.play(m);
        count(&next, depth - 1)
    };
    if situation.turn().is_over() { 0 } else { situation.moves().iter().map(next).sum() }
}

#[test]
fn perft_counts_the_sequences_behind_every_first_move() {
    #[derive(Clone, Copy)]
    struct Count;
    impl GameVisitor for Count {
        type Output = ();
        fn visit<G: Playable>(self) {
            for mut engine in engines::<G>() {
                let control = Control::new(false);
                let mut random = Random::new(5);
                let mut position = G::start(engine.options(), None).expect("a start");
                for ply in 0..9 {
                    if position.move_listing() != MoveListing::Listed {
                        let error = engine.perft(2, true, &control).expect_err(G::NAME);
                        assert_eq!(error.code, Code::BadPosition, "{}", G::NAME);
                    } else if position.moves().len() < 60 {
                        let depth = 1 + ply % 2;
                        let mut expected = Vec::new();
                        for m in position.moves() {
                            let mut next = position.clone();
                            next.play(&m);
                            expected.push((position.token(&m), count(&next, depth - 1)));
                        }
                        expected.sort_unstable();
                        for bulk in [true, false] {
                            let told = engine.perft(depth, bulk, &control);
                            let told = told.expect(G::NAME).expect("nobody stops it");
                            assert_eq!(told, expected, "{} {position}", G::NAME);
                        }
                        let nothing = engine.perft(0, true, &control);
                        assert_eq!(nothing.expect(G::NAME), Some(Vec::new()));
                    }
                    let Some(m) = position.random_move(&mut random) else { break };
                    engine.append_moves(&[position.token(&m)]).expect(G::NAME);
                    position.play(&m);
                }
            }
        }
    }
    each_game(Count);
}

#[test]
fn what_is_told_of_a_position_ends_with_the_score() {
    #[derive(Clone, Copy)]
    struct Explain;
    impl GameVisitor for Explain {
        type Output = ();
        fn visit<G: Playable>(self) {
            for engine in engines::<G>() {
                let text = engine.evaluate().expect(G::NAME);
                let last = text.lines().last().and_then(|line| line.strip_prefix("score cp "));
                let score = last.map(str::parse::<i32>);
                assert!(score.is_some_and(|score| score.is_ok()), "{}: {text}", G::NAME);
            }
        }
    }
    each_game(Explain);
}

#[test]
fn bench_counts_the_nodes_of_each_position_searched_alone() {
    #[derive(Clone, Copy)]
    struct Measure;
    impl GameVisitor for Measure {
        type Output = ();
        fn visit<G: Playable>(self) {
            let mut told = Vec::new();
            // What was set and played before counts for nothing.
            let mut engine = GameEngine::<G>::new();
            engine.set_option("Player", Some("random")).expect("Player");
            let result = engine.bench(Some(1), &Control::new(false), &mut |line| told.push(line));
            let mut sum = 0;
            for (number, bench) in G::bench().iter().enumerate() {
                let mut engine = small::<G>();
                for rule in bench.rules.split_ascii_whitespace() {
                    let (name, value) = rule.split_once('=').expect("a rule");
                    engine.set_option(name, Some(value)).expect(rule);
                }
                let position = PositionArgument::parse(bench.position).expect(bench.position);
                engine.set_position(&position).expect(bench.position);
                let go = GoArguments { depth: Some(1), ..GoArguments::default() };
                let nodes = search(&mut engine, &go).0.iter().map(|line| line.nodes).max();
                let nodes = nodes.expect("a report");
                assert_eq!(told[number], format!("position {}: {nodes} nodes", number + 1));
                sum += nodes;
            }
            assert_eq!(result.expect("nobody stops it").nodes, sum, "{}", G::NAME);
            let stopped = Control::new(false);
            stopped.stop();
            assert!(engine.bench(Some(1), &stopped, &mut |_| {}).is_none(), "{}", G::NAME);
        }
    }
    each_game(Measure);
}

/// The options that section 5 promises of every engine, in its order.
const PROMISED: [&str; 12] = [
    "Hash type spin default 64 min 0 max 65536",
    "Threads type spin default 1 min 1 max 512",
    "Seed type spin default 1 min 0 max 9223372036854775807",
    "MultiPV type spin default 1 min 1 max 500",
    "Move Overhead type spin default 20 min 0 max 60000",
    "Move Time type spin default 1000 min 1 max 86400000",
    "Clear Hash type button",
    "OwnBook type check default false",
    "UCI_AnalyseMode type check default false",
    "UCI_ShowWDL type check default false",
    "Player type combo default engine var engine var random",
    "Diagram type combo default ascii var ascii var unicode",
];

#[test]
fn every_engine_declares_the_options_of_the_specification_and_then_its_rules() {
    #[derive(Clone, Copy)]
    struct Declare;
    impl GameVisitor for Declare {
        type Output = ();
        fn visit<G: Playable>(self) {
            let mut client = Client::session(GameEngine::<G>::new());
            let mut declared = |word: &str| {
                client.send(word);
                let mut lines = client.until(&format!("{word}ok"));
                assert_eq!(lines.pop(), Some(format!("{word}ok")), "{}", G::NAME);
                assert_eq!(lines[..2], [format!("id name {}", G::NAME), "id author Parlor".into()]);
                lines.split_off(2)
            };
            let lines = declared("ugi");
            for (line, promised) in lines.iter().zip(PROMISED) {
                assert!(line.starts_with(&format!("option name {promised}")), "{line}");
            }
            let name = |line: &String| {
                line["option name ".len()..].split(" type ").next().unwrap_or_default().to_owned()
            };
            let names: Vec<String> = lines.iter().map(name).collect();
            let rules: Vec<String> = G::rule_options().into_iter().map(|spec| spec.name).collect();
            let (last, before) = names.split_last().expect("options");
            assert_eq!(last, "MaxPlies", "{}", G::NAME);
            assert!(before.ends_with(&rules), "{}: {names:?}", G::NAME);
            // Pondering is declared under `uci` alone, to whom it makes sense.
            let start = G::start(&G::default_rules(), None).expect("a start");
            let has_chance = start.turn().is_chance();
            let mut expected = lines.clone();
            if start.seats() == 2 && !has_chance && !G::SECRETS {
                expected.push("option name Ponder type check default false".into());
            }
            assert_eq!(declared("uci"), expected, "{}", G::NAME);
            assert_eq!(declared("ugi"), lines, "{}", G::NAME);
        }
    }
    each_game(Declare);
}

/// The value of an option.
fn value_of<'a, G: Playable>(engine: &'a GameEngine<G>, name: &str) -> &'a str {
    engine.options().find(name).expect("a declared option").1
}

#[test]
fn every_option_takes_what_it_declares_and_nothing_else() {
    #[derive(Clone, Copy)]
    struct Set;
    impl GameVisitor for Set {
        type Output = ();
        fn visit<G: Playable>(self) {
            let specs: Vec<OptionSpec> =
                GameEngine::<G>::new().options().specs().cloned().collect();
            for spec in specs {
                let mut engine = GameEngine::<G>::new();
                let default = spec.default_value();
                assert_eq!(value_of(&engine, &spec.name), default, "{}", spec.name);
                let (good, bad): (Vec<String>, Vec<String>) = match &spec.kind {
                    OptionKind::Check { .. } => (
                        ["true", "false", "TRUE", "False"].map(str::to_owned).into(),
                        ["", "1", "yes", "true false"].map(str::to_owned).into(),
                    ),
                    OptionKind::Spin { default, min, max } => {
                        // More than the memory would be refused as well.
                        let most = if spec.name == "Hash" { 2 } else { *max };
                        let good = [*default, *min, (*min + 1).min(*max), most];
                        let above = i128::from(*max) + 1;
                        let bad = [(i128::from(*min) - 1).to_string(), above.to_string()];
                        let bad = bad.into_iter().chain(["", "x", "1.5"].map(str::to_owned));
                        (good.iter().map(i64::to_string).collect(), bad.collect())
                    }
                    OptionKind::Combo { values } => {
                        let upper = values.iter().map(|value| value.to_uppercase());
                        let good = values.iter().cloned().chain(upper).collect();
                        (good, ["", "nonsense"].map(str::to_owned).into())
                    }
                    OptionKind::Button => (vec![String::new()], vec!["1".into()]),
                    OptionKind::Text { .. } => (Vec::new(), Vec::new()),
                };
                for (at, value) in good.iter().enumerate() {
                    let name = if at % 2 == 0 { &spec.name } else { &spec.name.to_lowercase() };
                    engine.set_option(name, Some(value)).unwrap_or_else(|e| panic!("{name}: {e}"));
                    let told = value_of(&engine, &spec.name).to_owned();
                    assert!(told.eq_ignore_ascii_case(value), "{name}: {told}, not {value}");
                    for value in &bad {
                        let error = engine.set_option(name, Some(value)).expect_err(value);
                        let SetError::Refused(error) = error else { panic!("{name}: {error}") };
                        assert_eq!(error.code, Code::BadValue, "{name}");
                        assert!(error.text.contains(&spec.name), "{name}: {}", error.text);
                        assert_eq!(value_of(&engine, &spec.name), told, "{name}");
                    }
                }
                // No other option was touched.
                engine.set_option(&spec.name, Some(&default)).expect(&spec.name);
                assert_eq!(engine.options(), GameEngine::<G>::new().options(), "{}", spec.name);
            }
            let mut engine = GameEngine::<G>::new();
            let unknown = engine.set_option("Nonsense", Some("1"));
            assert_eq!(unknown, Err(SetError::Unknown("Nonsense".into())));
            let has_ponder = engine.ponder_option().is_some();
            let refused = engine.set_option("ponder", Some("maybe")).expect_err("a bad value");
            assert_eq!(matches!(refused, SetError::Refused(_)), has_ponder, "{}", G::NAME);
            assert_eq!(engine.set_option("Ponder", Some("true")).is_ok(), has_ponder);
        }
    }
    each_game(Set);
}
