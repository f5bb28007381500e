//! Options that every game's engine has, asked of each game in the list.

use parlor::engine::{Engine, GameEngine, Message, SetError};
use parlor::game::{Check, OptionError, OptionValues, Spin};
use parlor::games::{GameVisitor, NAMES, Playable, with_game};
use parlor::protocol::{Code, Dialect, GoArguments, PositionArgument};
use parlor::search::{Control, Settings};

fn each_game<V: GameVisitor + Copy>(visitor: V) {
    for name in NAMES {
        with_game(name, visitor).expect("a game of the list");
    }
}

#[test]
fn every_game_draws_ascii_by_default_and_unicode_when_asked() {
    #[derive(Clone, Copy)]
    struct Draw;
    impl GameVisitor for Draw {
        type Output = ();
        fn visit<G: Playable>(self) {
            let mut engine = GameEngine::<G>::new();
            let ascii = engine.draw();
            assert!(ascii.is_ascii(), "{}: {ascii}", G::NAME);
            engine.set_option("Diagram", Some("unicode")).expect(G::NAME);
            // Barbarossa's table is words and numbers.
            assert!(G::NAME == "barbarossa" || engine.draw() != ascii, "{}", G::NAME);
            let declared = engine.options().specs();
            assert_eq!(declared.filter(|spec| spec.name == "Diagram").count(), 1, "{}", G::NAME);
        }
    }
    each_game(Draw);
}

#[test]
fn an_unknown_player_is_refused_with_the_names_there_are() {
    #[derive(Clone, Copy)]
    struct Refuse;
    impl GameVisitor for Refuse {
        type Output = ();
        fn visit<G: Playable>(self) {
            let names = G::player_names();
            assert_eq!(names[..2], ["engine", "random"], "{}", G::NAME);
            let error = match G::player("nobody", &Settings::default()) {
                Ok(_) => panic!("{}: nobody plays", G::NAME),
                Err(error) => error.to_string(),
            };
            assert_eq!(error, format!("no player 'nobody'; there are {}", names.join(" ")));
            let mut engine = GameEngine::<G>::new();
            match engine.set_option("Player", Some("nobody")) {
                Err(SetError::Refused(error)) => {
                    assert_eq!(error.code, Code::BadValue);
                    assert!(names.iter().all(|name| error.text.contains(name)), "{}", error.text);
                }
                other => panic!("{}: {other:?}", G::NAME),
            }
            assert_eq!(engine.options().find("Player").unwrap().1, "engine");
        }
    }
    each_game(Refuse);
}

const FEWEST: Spin = Spin::new("Fewest", 3, 1, 9, "a number");

#[test]
fn options_are_read_as_set_and_by_default() {
    let mut options = OptionValues::new(vec![FEWEST.spec()]);
    assert_eq!(FEWEST.get(&options), 3);
    options.set("fewest", "7").unwrap();
    assert_eq!(FEWEST.get(&options), 7);
    assert_eq!(FEWEST.get(&OptionValues::default()), 3);
    assert_eq!(options.set("Most", "7"), Err(OptionError::Unknown("Most".into())));
}

#[test]
#[should_panic(expected = "option Blob is not listed")]
fn an_option_that_is_not_listed_is_not_read() {
    let options = OptionValues::new(vec![FEWEST.spec()]);
    let _ = Check::new("Blob", true, "no option of this list").get(&options);
}

#[test]
fn every_game_is_drawn_after_max_plies() {
    #[derive(Clone, Copy)]
    struct Cap;
    impl GameVisitor for Cap {
        type Output = ();
        fn visit<G: Playable>(self) {
            let mut engine = GameEngine::<G>::new();
            let ask = |engine: &GameEngine<G>, text: &str| {
                let mut words = text.split(' ').map(str::to_owned);
                let name = words.next().unwrap();
                engine.query(&name, &words.collect::<Vec<_>>()).expect(G::NAME)
            };
            assert!(!ask(&engine, "rules").contains("MaxPlies"), "{}", G::NAME);
            engine.set_option("MaxPlies", Some("5")).expect(G::NAME);
            let start = PositionArgument::default();
            engine.set_position(&start).expect(G::NAME);
            assert!(ask(&engine, "rules").ends_with("MaxPlies=5"), "{}", G::NAME);
            let mut tokens = Vec::new();
            for seed in 0..5 {
                assert_eq!(ask(&engine, "gameover"), "false", "{}", G::NAME);
                let chance = ask(&engine, "turn").starts_with("chance");
                let query = if chance { "throw" } else { "random" };
                let token = ask(&engine, &format!("{query} {seed}"));
                engine.append_moves(std::slice::from_ref(&token)).expect(G::NAME);
                tokens.push(token);
            }
            let ends = |engine: &GameEngine<G>| {
                ["turn", "gameover", "result", "reason", "legalmoves"]
                    .map(|query| ask(engine, query))
            };
            assert_eq!(ends(&engine), ["none", "true", "draw", "max-plies", "none"]);
            let seats: usize = ask(&engine, "seats").parse().unwrap();
            assert_eq!(ask(&engine, "outcome"), format!("rank{}", " 1".repeat(seats)));
            let error = engine.append_moves(&tokens[..1]).unwrap_err();
            assert_eq!(error.code, Code::GameOver, "{}", G::NAME);
            assert!(error.text.contains("max-plies"), "{}", error.text);
            // As one line; and without the option the game goes on.
            let whole = PositionArgument { moves: tokens, ..start };
            engine.set_position(&whole).expect(G::NAME);
            assert_eq!(ask(&engine, "reason"), "max-plies", "{}", G::NAME);
            engine.set_option("MaxPlies", Some("0")).expect(G::NAME);
            engine.set_position(&whole).expect(G::NAME);
            assert_eq!(ask(&engine, "gameover"), "false", "{}", G::NAME);
        }
    }
    each_game(Cap);
}

#[test]
fn a_refused_token_in_the_middle_of_a_line_changes_nothing() {
    let mut engine = GameEngine::<parlor::games::barca::Position>::new();
    let tokens = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    engine.append_moves(&tokens("e2e4 e9e6")).unwrap();
    let before = engine.draw();
    assert!(engine.append_moves(&tokens("e4g4 e6g6 e6g6")).is_err());
    assert_eq!(engine.draw(), before + "\nstale: the last position was refused");
}

/// The next game of a process, up to 12 plies: every report and every token, without times.
fn next_game<G: Playable>(engine: &mut GameEngine<G>, seed: u64) -> Vec<String> {
    engine.set_option("Seed", Some(&seed.to_string())).expect(G::NAME);
    engine.new_game();
    engine.set_position(&PositionArgument::default()).expect(G::NAME);
    let go = GoArguments { nodes: Some(40), ..GoArguments::default() };
    let mut told = Vec::new();
    for _ in 0..12 {
        let mut report = |message: Message| {
            if let Message::Info(info) = message {
                told.push(format!(
                    "{:?} {:?} {} {:?}",
                    info.depth, info.score, info.nodes, info.pv
                ));
            }
        };
        let answer = engine.search(&go, Dialect::Ugi, &Control::new(false), &mut report);
        let Some(token) = answer.best else { break };
        engine.append_moves(std::slice::from_ref(&token)).expect(G::NAME);
        told.push(token);
    }
    told
}

#[test]
fn the_library_plays_with_the_table_that_the_option_declares() {
    let engine = GameEngine::<parlor::games::barca::Position>::new();
    assert_eq!(engine.options().find("Hash").unwrap().1, Settings::default().hash.to_string());
}

#[test]
fn a_game_follows_from_the_seed_plus_the_number_of_games_before_it() {
    #[derive(Clone, Copy)]
    struct Repeat;
    impl GameVisitor for Repeat {
        type Output = ();
        fn visit<G: Playable>(self) {
            for player in G::player_names() {
                let engine = || {
                    let mut engine = GameEngine::<G>::new();
                    engine.set_option("Player", Some(player)).expect(player);
                    engine
                };
                let first = next_game(&mut engine(), 1000);
                let mut used = engine();
                let earlier = [next_game(&mut used, 7), next_game(&mut used, 7)];
                assert_eq!(next_game(&mut used, 998), first, "{} {player}", G::NAME);
                // Another number is another game, where anything is random.
                let random = player == "random";
                assert!(!random || earlier[0] != earlier[1], "{} {player}", G::NAME);
                assert!(!random || earlier[0] != first, "{} {player}", G::NAME);
            }
        }
    }
    each_game(Repeat);
}
