//! The text of a position, of any game and under any rules: what is read is written back equal, and
//! the game goes on from it.

use std::ops::ControlFlow;

use parlor::game::{MoveList, MoveListing, OptionKind, OptionValues, Picture, Random, Rules, Seat};
use parlor::picture::terminal;

/// Moves that are looked at in one position.
const MOVES: usize = 200;

/// Plies of the random game that follows.
const PLIES: usize = 6;

/// The first byte is the game, the second the rules, the third the viewer, the rest the text.
pub fn run(data: &[u8]) {
    for_chosen_game!(data, of_game);
}

fn of_game<G: Picture>(data: &[u8]) {
    let [choice, viewer, text @ ..] = data else { return };
    let text = String::from_utf8_lossy(text);
    let rules = rules::<G>(*choice);
    let viewer = (1..=2).contains(viewer).then(|| Seat::new(usize::from(*viewer) - 1));
    let mut position = match G::parse(&text, &rules, viewer) {
        Ok(position) => position,
        Err(error) => {
            let message = error.to_string();
            assert!(message.is_ascii() && !message.contains('\n'), "{message:?}");
            assert!(error.offset.is_none_or(|at| at <= text.len()), "{message:?}");
            return;
        }
    };
    let options = terminal::Options { unicode: false, ..terminal::Options::default() };
    for line in terminal::draw(&position.table(), &position.board(), &options) {
        assert!(line.plain().is_ascii(), "{line:?}");
    }
    let mut random = Random::new(data.len() as u64);
    for _ in 0..PLIES {
        check(&position, &rules, viewer);
        let Some(m) = position.random_move(&mut random) else { break };
        assert!(position.is_legal(&m), "{m:?} in {position}");
        position.play(&m);
    }
}

/// The default rules with one option changed, where the byte names one.
fn rules<G: Rules>(choice: u8) -> OptionValues {
    let mut rules = G::default_rules();
    let specs = G::rule_options();
    let (option, value) = (usize::from(choice & 15), usize::from(choice >> 4));
    let Some(spec) = specs.get(option) else { return rules };
    let value = match &spec.kind {
        OptionKind::Check { .. } => ["true", "false"][value % 2].to_owned(),
        OptionKind::Spin { min, max, .. } => {
            (min + value as i64 % (max - min + 1).clamp(1, 16)).to_string()
        }
        OptionKind::Combo { values } => values[value % values.len()].clone(),
        OptionKind::Text { .. } | OptionKind::Button => return rules,
    };
    rules.set(&spec.name, &value).expect("a value of the option");
    rules
}

fn check<G: Picture>(position: &G, rules: &OptionValues, viewer: Option<Seat>) {
    let text = position.to_string();
    assert!(text.is_ascii() && !text.contains('\n'), "{text:?}");
    let back = G::parse(&text, rules, viewer).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(back == *position, "{text} is read back as {back}");
    assert_eq!(position.key(), position.fresh_key(), "key of {text}");
    assert_eq!(position.turn().is_over(), position.outcome().is_some(), "end of {text}");
    if position.move_listing() != MoveListing::Listed {
        return;
    }
    let mut seen = 0;
    let _ = position.for_each_move(|m| {
        seen += 1;
        assert!(position.is_legal(&m), "{m:?} in {text}");
        let token = position.token(&m);
        let read = position.parse_move(&token).unwrap_or_else(|error| panic!("{token}: {error}"));
        assert!(read == m, "{token} in {text} is read back as {read:?}");
        if seen < MOVES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(seen == 0, position.turn().is_over(), "moves of {text}");
    if seen < MOVES {
        let MoveList::Listed(listed) = position.list_moves("") else { return };
        assert_eq!(listed.len(), seen, "list of {text}");
    }
}
