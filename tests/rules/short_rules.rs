//! The short rules of every game: they fit a terminal, and what their example types is legal.

use parlor::game::Notation;
use parlor::games::{GameVisitor, NAMES, Playable, short_rules, with_game};
use parlor::markdown::{Block, WIDTH, blocks, to_terminal};

/// What a terminal shows, without escape sequences.
fn shown(name: &str) -> String {
    anstream::adapter::strip_str(&to_terminal(short_rules(name).unwrap())).to_string()
}

#[test]
fn every_game_has_rules_that_fit_a_terminal() {
    assert!(NAMES.len() >= 5, "{NAMES:?}");
    for name in NAMES {
        let text = shown(name);
        assert!((20..=50).contains(&text.lines().count()), "{name}: {}", text.lines().count());
        for line in text.lines() {
            assert!(line.is_ascii() && line.len() <= WIDTH, "{name}: {line:?}");
        }
    }
    assert_eq!(short_rules("chess"), None);
}

#[test]
fn every_game_says_how_to_move_and_what_to_type() {
    for name in NAMES {
        let blocks = blocks(short_rules(name).unwrap());
        assert!(matches!(&blocks[0], Block::Heading(1, _)), "{name}");
        for wanted in ["What to type", "Example", "First advice"] {
            let heading = Block::Heading(2, wanted.into());
            assert!(blocks.contains(&heading), "{name} has no section {wanted}");
        }
    }
}

/// Tokens before those of the example: Barbarossa's begins when the sculptures are done. Of c1 the
/// example needs a word that is not alive.
fn before_the_example(name: &str) -> (&'static [(&'static str, &'static str)], Vec<String>) {
    const SCULPTURES: &str = "a1:teapot:has_handle a2:snail:has_eyes a3:anchor:hangs \
        b1:kettle:has_buttons b2:spoon:has_handle b3:chair:has_four_legs c1:knife:has_blade \
        c2:boat:has_front c3:horse:has_ears";
    if name != "barbarossa" {
        return (&[], Vec::new());
    }
    let mut tokens: Vec<String> = Vec::new();
    for sculpture in SCULPTURES.split_whitespace() {
        let [object, word, feature] = sculpture.split(':').collect::<Vec<_>>()[..] else {
            panic!("{sculpture}");
        };
        tokens.push(format!("word:{object}:{word}"));
        tokens.push(format!("show:{object}:{feature}"));
        tokens.push(format!("done:{object}"));
    }
    tokens.push("first:p2".into());
    (&[("Words", "free")], tokens)
}

/// The code in the section "Example".
fn example(text: &str) -> Vec<String> {
    let section = blocks(text)
        .into_iter()
        .skip_while(|block| !matches!(block, Block::Heading(_, words) if words == "Example"));
    section
        .skip(1)
        .take_while(|block| !matches!(block, Block::Heading(..)))
        .flat_map(|block| match block {
            Block::Paragraph(text) => {
                text.split('`').skip(1).step_by(2).map(String::from).collect::<Vec<_>>()
            }
            other => panic!("{other:?} in the example"),
        })
        .collect()
}

/// The token that words stand for: `ask c1 is alive` is `ask:c1:is_alive`.
fn token_of(words: &str) -> String {
    words.splitn(3, ' ').collect::<Vec<_>>().join(":").replace(' ', "_")
}

struct PlayExample;

impl GameVisitor for PlayExample {
    type Output = ();

    fn visit<G: Playable>(self) {
        let (options, before) = before_the_example(G::NAME);
        let mut rules = G::default_rules();
        for (option, value) in options {
            rules.set(option, value).unwrap();
        }
        let mut position = G::start(&rules, None).unwrap();
        let tokens: Vec<String> =
            example(G::SHORT_RULES).iter().map(|words| token_of(words)).collect();
        assert!(tokens.len() >= 3, "{}: {tokens:?}", G::NAME);
        for token in before.iter().chain(&tokens) {
            // In Barbarossa's windows nobody uses a token: every seat passes.
            while !play(&mut position, token) {
                assert!(play(&mut position, "pass"), "{}: {token} in {position}", G::NAME);
            }
        }
    }
}

fn play<G: Notation>(position: &mut G, token: &str) -> bool {
    let legal = position.parse_move(token).ok().filter(|m| position.is_legal(m));
    legal.inspect(|m| position.play(m)).is_some()
}

#[test]
fn the_moves_of_the_examples_are_legal() {
    for name in NAMES {
        with_game(name, PlayExample).unwrap();
    }
}
