//! Options that every game's engine has, asked of each game in the list.

use parlor::engine::{Engine, GameEngine, SetError};
use parlor::games::{GameVisitor, NAMES, Playable, with_game};
use parlor::protocol::Code;
use parlor::search::Settings;

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
            assert_ne!(engine.draw(), ascii, "{}", G::NAME);
            let declared = engine.options().specs().iter();
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
            assert_eq!(engine.options().text("Player"), "engine");
        }
    }
    each_game(Refuse);
}
