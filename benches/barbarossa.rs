//! The time that beliefs take: `cargo bench --bench barbarossa`.
//!
//! The word of an object is hidden; it shows three features and is asked twenty questions. Printed
//! are the median and the slowest update of the belief about it by one answer, over all words of the
//! list, and before that how long each table takes to be laid out.

use std::time::Instant;

use parlor::game::{Rules, Seat};
use parlor::games::barbarossa::knowledge::lexicon::Lexicon;
use parlor::games::barbarossa::knowledge::word_list::WordList;
use parlor::games::barbarossa::knowledge::{Knowledge, PredicateId, WordId, word_list};
use parlor::games::barbarossa::play::ObjectBelief;
use parlor::games::barbarossa::{Object, Position, Question, RuleOptions, Secret};

/// How many words are secrets, and how often everything is timed: the fastest counts, so that another
/// process disturbs nothing.
const SECRETS: usize = 20;
const REPEATS: usize = 5;
const QUESTIONS: usize = 20;

fn milliseconds(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_secs_f64() * 1e3
}

/// The rules with words of a list, which the judge or the owners answer about.
fn rules(lexicon: &str, answerer: &str) -> RuleOptions {
    let mut values = Position::default_rules();
    for (name, value) in [("Lexicon", lexicon), ("Answerer", answerer)] {
        values.set(name, value).expect("an option of the game");
    }
    Position::start(&values, None).expect("a start").options().clone()
}

/// What becomes known of a word: three of its features, then answer after answer.
fn objects(word: WordId) -> Vec<Object> {
    let knowledge = Knowledge::shipped();
    let vocabulary: Vec<PredicateId> = knowledge.vocabulary().collect();
    let visible = vocabulary.iter().filter(|id| knowledge.may_show(word, **id));
    let mut object = Object::default();
    object.word = Some(Secret::Masked);
    object.shown.extend(visible.copied().step_by(3).take(3));
    let mut all = vec![object.clone()];
    for id in vocabulary.iter().step_by(vocabulary.len() / QUESTIONS).take(QUESTIONS) {
        object.answers.push((Question::Predicate(*id), knowledge.answer(word, *id)));
        all.push(object.clone());
    }
    all
}

/// The times of every update by an answer.
fn updates(rules: &RuleOptions, word: WordId) -> Vec<f64> {
    let objects = objects(word);
    let mut fastest = vec![f64::INFINITY; QUESTIONS];
    for _ in 0..REPEATS {
        let mut belief = ObjectBelief::new(rules);
        belief.update(&objects[0], Seat::new(0), rules, &[]);
        for (time, object) in fastest.iter_mut().zip(&objects[1..]) {
            let update = || _ = belief.update(object, Seat::new(0), rules, &[]);
            *time = time.min(milliseconds(update));
        }
    }
    fastest
}

fn main() {
    let time = milliseconds(|| assert!(!Knowledge::shipped().is_empty()));
    println!("the table written by hand is unpacked in {time:.2} ms");
    let time = milliseconds(|| assert!(!Lexicon::shipped().is_empty()));
    println!("the wider lexicon is ready in {time:.2} ms");
    let time = milliseconds(|| assert!(Knowledge::shipped().understand("Is it alive?").is_some()));
    println!("the questions are ready in {time:.2} ms");
    for lexicon in ["core", "all"] {
        let rules = rules(lexicon, "judge");
        let time = milliseconds(|| drop(ObjectBelief::new(&rules)));
        println!("the words of Lexicon {lexicon} are laid out in {time:.2} ms");
    }
    println!(
        "\n{:<8} {:<8} {:>6} {:>10} {:>11}",
        "Lexicon", "Answerer", "words", "median ms", "slowest ms"
    );
    for (lexicon, answerer) in [("core", "judge"), ("all", "judge"), ("all", "owner")] {
        let rules = rules(lexicon, answerer);
        let list = if lexicon == "all" { WordList::All } else { WordList::Core };
        let every = Knowledge::shipped().len() / SECRETS;
        let secrets = Knowledge::shipped().words().step_by(every).take(SECRETS);
        let mut times: Vec<f64> = secrets.flat_map(|word| updates(&rules, word)).collect();
        times.sort_by(f64::total_cmp);
        let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
        println!("{lexicon:<8} {answerer:<8} {:>6} {median:>10.3} {slowest:>11.3}", list.len());
    }
    // Names are looked up without unpacking anything.
    assert_eq!(WordList::All.find("goldfinch").map(word_list::word), Some("goldfinch"));
}
