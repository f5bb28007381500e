//! The players of Barbarossa: the engine, and the simple ones it is measured against.

use super::answer_table::AnswerTable;
use super::bayes::BayesPlayer;
use super::bench;
use super::greedy::GreedyPlayer;
use super::options::PlayOptions;
use super::plain::PlainPlayer;
use crate::game::{OptionSpec, OptionValues, Situation};
use crate::games::barbarossa::knowledge::lexicon::Lexicon;
use crate::games::barbarossa::knowledge::word_list::WordList;
use crate::games::barbarossa::knowledge::{Answer, Asked, Knowledge, Reading};
use crate::games::barbarossa::rules::moves::{Move, Secret};
use crate::games::barbarossa::rules::options::LEXICON;
use crate::games::barbarossa::rules::position::Position;
use crate::games::barbarossa::rules::words::{Question, Word};
use crate::games::{BenchPosition, NamedPlayer, Playable};
use crate::search::{Limits, Player, RandomPlayer, Report, Request};

impl Playable for Position {
    const NAME: &'static str = "barbarossa";
    const TITLE: &'static str = "Barbarossa";
    const EXAMPLE_OPTIONS: &'static str = " --set Words=free";
    const SHORT_RULES: &'static str = include_str!("../rules.md");
    const LESSONS: Option<&'static str> = Some(include_str!("../lessons.json"));
    const PUZZLES: Option<&'static str> = Some(include_str!("../puzzles.jsonl"));
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| {
            Box::new(BayesPlayer::new(settings.seed, PlayOptions::from_options(&settings.options)))
        }),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("plain", |settings| Box::new(PlainPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| Box::new(GreedyPlayer::new(settings.seed))),
    ];

    fn engine_options() -> Vec<OptionSpec> {
        PlayOptions::specs()
    }

    /// The words of the wide list are laid out before a search needs them, which could not be stopped
    /// meanwhile.
    fn configure(options: &OptionValues) {
        if LEXICON.get(options) == WordList::All {
            AnswerTable::of(WordList::All);
        }
    }

    fn interpretation(&self, m: &Move) -> Option<String> {
        match m {
            Move::Ask(_, Question::Text(words)) => Some(understood_question(words.text())),
            Move::Word(_, Secret::Known(word))
            | Move::Guess(_, Secret::Known(word))
            | Move::CurseGuess(_, Secret::Known(word)) => unknown_word(word),
            _ => None,
        }
    }

    fn explain_evaluation(&self) -> String {
        explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        bench::POSITIONS.to_vec()
    }
}

fn understood_question(text: &str) -> String {
    let knowledge = Knowledge::shipped();
    match knowledge.read_question(text) {
        Reading::Certain(id) => format!("understood {}", knowledge.predicate(id)),
        Reading::Opposite(id) => format!("understood {}, turned round", knowledge.predicate(id)),
        Reading::Partly(asked) => understood_partly(knowledge, &asked),
        Reading::Unsure { why, .. } => format!("not understood: {why}"),
    }
}

/// What is said of a question of which not every answer is certain.
fn understood_partly(knowledge: &Knowledge, asked: &Asked) -> String {
    let from = |answer: Answer| {
        let causes = asked.causes(answer);
        let names = causes.iter().take(3).map(|id| knowledge.predicate(*id));
        format!("{answer} by {}", names.collect::<Vec<_>>().join(" "))
    };
    let decided = [Answer::Yes, Answer::No].into_iter().filter(|answer| asked.may_be(*answer));
    match asked.about() {
        Some(id) => {
            let open = match (asked.may_be(Answer::Yes), asked.may_be(Answer::No)) {
                (true, false) => "its no would not be certain",
                (false, true) => "its yes would not be certain",
                _ => "some answers would not be certain",
            };
            format!("understood {}; {open}", knowledge.predicate(id))
        }
        None => {
            let known = decided.map(from).collect::<Vec<_>>().join(", ");
            format!("understood in part: {known}; otherwise dontknow")
        }
    }
}

/// What is said of a word that no lexicon has: it may be misspelled.
fn unknown_word(word: &Word) -> Option<String> {
    let lexicon = Lexicon::shipped;
    if word.id().is_some() || lexicon().find(word.text()).is_some() {
        return None;
    }
    let nearest = lexicon().nearest_names(word.text(), 3).join(" ");
    let nearest = if nearest.is_empty() { nearest } else { format!("; nearest: {nearest}") };
    Some(format!("no lexicon has the word '{}'{nearest}", word.text()))
}

/// The engine's evaluation of a position, in lines; the last is `score cp N`.
fn explain(position: &Position) -> String {
    let mut engine = BayesPlayer::new(1, PlayOptions::default());
    let mut lines = Vec::new();
    let mut score = 0;
    let request = Request::new(Limits::depth(1));
    engine.choose(&Situation::new(position.clone()), &request, &mut |report| match report {
        Report::Text(text) => lines.push(text),
        Report::Info(info) if info.multipv == 1 => {
            if let crate::search::Score::Cp(cp) = info.score {
                score = cp;
            }
        }
        Report::Info(_) | Report::BadOption(_) => {}
    });
    if lines.is_empty() {
        lines.push("nobody decides here".into());
    }
    lines.push(format!("score cp {score}"));
    lines.join("\n")
}
