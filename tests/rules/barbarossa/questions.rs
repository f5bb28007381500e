//! Questions in plain English: what is understood, what follows, and what is never denied.

use parlor::games::barbarossa::knowledge::lexicon::{Lexicon, Named};
use parlor::games::barbarossa::knowledge::{Answer, Asked, Follows, Knowledge, Reading, Unsure};
use std::path::Path;

#[test]
fn what_is_not_understood_is_never_no() {
    let knowledge = Knowledge::shipped();
    assert_eq!(knowledge.understand("colourless green ideas"), None);
    assert_eq!(knowledge.understand("is it not alive"), None);
    let alive = knowledge.understand("Is it alive?").unwrap();
    assert_eq!(knowledge.predicate(alive), "is_alive");
    let snail = knowledge.find_word("snail").unwrap();
    assert_eq!(knowledge.answer(snail, alive), Answer::Yes);
}

#[test]
fn every_question_of_the_vocabulary_asks_for_its_predicate() {
    let knowledge = Knowledge::shipped();
    let mut wrong = Vec::new();
    for id in knowledge.vocabulary() {
        let entry = knowledge.predicate_entry(id).unwrap();
        if entry.questions.is_empty() || entry.questions.len() + entry.partial.len() < 3 {
            wrong.push(format!("{}: too few ways to ask it", entry.name));
        }
        for question in &entry.questions {
            let found = knowledge.read_question(question);
            if found != Reading::Certain(id) {
                wrong.push(format!("{}: {question} gives {found:?}", entry.name));
            }
        }
        for (_, question) in &entry.partial {
            let found = knowledge.asked(question).map(|asked| asked.predicates());
            if !found.as_ref().is_some_and(|found| found.contains(&id)) {
                wrong.push(format!("{}: {question} gives {found:?}", entry.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How a file of questions is understood.
#[derive(Default)]
struct Understood {
    asked: usize,
    /// Questions that ask for something the table has.
    answerable: usize,
    right: usize,
    /// What was understood with certainty, and wrongly.
    wrong: Vec<String>,
    missed: Vec<String>,
}

/// Reads questions, each with the predicate that it means. `kind_` stands for any kind of WordNet
/// whose name begins so, `several` for answers that follow from several predicates; what the vocabulary lacks should not be understood.
fn judge_questions(file: &str) -> Understood {
    let knowledge = Knowledge::shipped();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/barbarossa").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let mut sums = Understood::default();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (meant, question) = line.split_once(':').unwrap();
        let about = |asked: Asked| asked.about().map_or("several", |id| knowledge.predicate(id));
        // What is only denied of some things is not understood as what was meant.
        let denies = |asked: &Asked| asked.about().is_none() && !asked.may_be(Answer::Yes);
        let asked = knowledge.asked(question).filter(|it| meant == "several" || !denies(it));
        let found = asked.map(about);
        let is_kind = meant.starts_with("kind_");
        let answerable = is_kind || meant == "several" || knowledge.find_predicate(meant).is_some();
        sums.asked += 1;
        sums.answerable += usize::from(answerable);
        match found {
            Some(found) if found == meant || is_kind && found.starts_with(meant) => sums.right += 1,
            Some(found) => sums.wrong.push(format!("{question} is {meant}, not {found}")),
            None if answerable => sums.missed.push(format!("{question} is {meant}")),
            None => {}
        }
    }
    sums
}

#[test]
fn plain_english_is_understood_or_answered_dontknow() {
    for (file, least) in [("questions.txt", 380), ("wordings-1.txt", 400)] {
        let sums = judge_questions(file);
        assert!(sums.asked >= least, "{file}: {} questions", sums.asked);
        assert!(sums.wrong.is_empty(), "{file}:\n{}", sums.wrong.join("\n"));
        assert!(sums.missed.is_empty(), "{file}:\n{}", sums.missed.join("\n"));
    }
}

#[test]
fn questions_that_the_grammar_was_not_made_for_are_rarely_misunderstood() {
    for file in ["wordings-2.txt", "wordings-3.txt", "wordings-4.txt"] {
        check_shares(file);
    }
}

fn check_shares(file: &str) {
    let sums = judge_questions(file);
    let share = |count: usize, all: usize| 100.0 * count as f64 / all as f64;
    let right = share(sums.right, sums.answerable);
    let wrong = share(sums.wrong.len(), sums.asked);
    println!(
        "{file}: {} questions, {right:.1} % of {} right, {wrong:.1} % wrong",
        sums.asked, sums.answerable
    );
    println!("{}\n--\n{}", sums.wrong.join("\n"), sums.missed.join("\n"));
    assert!(right >= 75.0, "{right:.1} % right");
    assert!(wrong <= 1.0, "{wrong:.1} % wrong:\n{}", sums.wrong.join("\n"));
}

#[test]
fn what_is_not_understood_is_explained() {
    let knowledge = Knowledge::shipped();
    let why = |question: &str| match knowledge.read_question(question) {
        Reading::Unsure { why, .. } => why,
        reading => panic!("{question} is {reading:?}"),
    };
    for (question, expected) in [
        ("?!", Unsure::Empty),
        ("Is it not alive?", Unsure::Negated),
        ("Is it a thing without wheels?", Unsure::Negated),
        ("Do only children play with it?", Unsure::Limited),
        ("What is it?", Unsure::Open),
        ("How many legs does it have?", Unsure::Open),
        ("Is it heavy or light?", Unsure::Open),
        ("Is it a hammer or a chair?", Unsure::Guess),
        ("Does it begin with a vowel?", Unsure::Letters),
        ("Does it have four letters?", Unsure::Letters),
        ("Is it written with five letters?", Unsure::Letters),
        ("Would you put a vowel in it?", Unsure::Letters),
        ("Is it a teapot?", Unsure::Guess),
        ("Does it quibble?", Unsure::Unknown),
    ] {
        assert_eq!(why(question), expected, "{question}");
    }
    let Reading::Unsure { nearest, .. } = knowledge.read_question("Is it of wood or of metal?")
    else {
        panic!("two questions in one");
    };
    let nearest: Vec<&str> = nearest.into_iter().map(|id| knowledge.predicate(id)).collect();
    assert!(nearest.contains(&"is_wooden") && nearest.contains(&"is_metal"), "{nearest:?}");
    for (misspelled, meant) in [("is it alve", "is_alive"), ("does it hav wheals?", "has_wheels")] {
        let Reading::Unsure { nearest, .. } = knowledge.read_question(misspelled) else {
            panic!("{misspelled}");
        };
        let nearest: Vec<&str> = nearest.into_iter().map(|id| knowledge.predicate(id)).collect();
        assert!(nearest.contains(&meant), "{misspelled}: {nearest:?}");
    }
}

/// What was answered NO for nearly every word when questions were compared as bags of words.
#[test]
fn a_question_is_not_mistaken_for_one_with_a_similar_word() {
    let knowledge = Knowledge::shipped();
    for (question, mistaken) in [
        ("can it float?", "kind_float_6"),
        ("can it be washed?", "used_for_cleaning"),
        ("is it cute?", "used_for_cutting"),
        ("is it light?", "gives_light"),
        ("is it orange?", "kind_citrus"),
        ("does it eat people?", "is_food"),
        ("does it smoke?", "kind_smoke"),
    ] {
        let found = knowledge.understand(question).map(|id| knowledge.predicate(id));
        assert_ne!(found, Some(mistaken), "{question}");
    }
}

/// Of a question that more things fit than the predicate only the yes follows, of one that fewer fit
/// only the no.
#[test]
fn of_wider_and_narrower_questions_only_one_answer_follows() {
    let knowledge = Knowledge::shipped();
    let read = |question: &str| knowledge.asked(question).unwrap_or_else(|| panic!("{question}"));
    for (question, name, follows) in [
        ("Does it have feathers?", "is_bird", Follows::Yes),
        ("Is it a bird?", "is_bird", Follows::All),
        ("Can it move?", "moves_by_itself", Follows::Yes),
        ("Can it move by itself?", "moves_by_itself", Follows::All),
        ("Is it made of dough?", "is_baked", Follows::Yes),
        ("Does it have stripes?", "is_patterned", Follows::No),
        ("Is it red?", "is_red", Follows::All),
        ("Can it be red?", "is_red", Follows::Yes),
        ("Is it sometimes red?", "is_red", Follows::Yes),
        ("Is it usually red?", "is_red", Follows::All),
        // Of a part only the yes, and what takes a question back has no no.
        ("Is part of it furry?", "is_furry", Follows::Yes),
        ("Is it furry, at least a bit?", "is_furry", Follows::Yes),
        ("Is it furry, as in, covered in fur?", "is_furry", Follows::All),
        ("Can it be opened and closed?", "opens_and_closes", Follows::All),
        ("Is it silent?", "makes_noise", Follows::NoIfYes),
        ("Is it real?", "is_imaginary", Follows::Opposite),
    ] {
        let asked = read(question);
        assert_eq!(Some(asked.first()), knowledge.find_predicate(name), "{question}");
        assert_eq!(asked.follows(), Some(follows), "{question}");
        let given = |cell| asked.answer(|_| cell);
        let expected = match follows {
            Follows::All => [Answer::Yes, Answer::No, Answer::Possibly],
            Follows::Opposite => [Answer::No, Answer::Yes, Answer::Possibly],
            Follows::Yes => [Answer::Yes, Answer::DontKnow, Answer::Possibly],
            Follows::No => [Answer::DontKnow, Answer::No, Answer::DontKnow],
            _ => [Answer::No, Answer::DontKnow, Answer::DontKnow],
        };
        assert_eq!([Answer::Yes, Answer::No, Answer::Possibly].map(given), expected, "{question}");
        // An answer says what the cell is.
        for cell in [Answer::Yes, Answer::No, Answer::Possibly] {
            if given(cell) != Answer::DontKnow {
                assert_eq!(asked.evidence(given(cell)), Some((asked.first(), cell)), "{question}");
            }
        }
    }
    // Once alive is not alive.
    for question in ["Was it alive?", "Has it ever been alive?", "Was it once a living thing?"] {
        assert_eq!(knowledge.asked(question), None, "{question}");
    }
}

/// Questions that more things fit than the predicate with the nearest wording: a NO never follows.
#[test]
fn the_no_to_a_wider_question_is_never_certain() {
    let knowledge = Knowledge::shipped();
    for question in [
        "does it belong to a person?",
        "does it belong to people?",
        "does it belong to a woman?",
        "does it belong to the women?",
        "is it on a plant?",
        "is it a domestic animal?",
        "is it a water bird?",
        "is it poultry?",
        "is it a leader?",
        "is it a joint?",
        "is it a grain?",
        "is it a hand tool?",
        "is it a stone?",
        "is it a monster?",
        "is it a weed?",
        "is it a worm?",
        "is it a memorial?",
        "is it a bovine?",
        "is it a limb?",
        "is it a surface?",
        "is it a measuring device?",
        "does it have a skeleton?",
        "does it have gills?",
        "is it worn on the head?",
        "does a craftsman use it?",
        "is it used in sport?",
        "do you bake it?",
        "can it break?",
        "does it break?",
        "can you throw it?",
        "can it hold water?",
        "can you fill it with water?",
        "can you hold it?",
        "can you hold it in your hand?",
        "can you ride it?",
        "can you eat it?",
        "could you see it in a garden?",
        "is it used in a kitchen?",
        "kind_weed",
    ] {
        // From other predicates a no may follow: what is not worn is not worn on the head.
        let Some(asked) = knowledge.asked(question) else { continue };
        let about = asked.about();
        let denied = |id| if Some(id) == about { Answer::No } else { Answer::DontKnow };
        assert_ne!(asked.answer(denied), Answer::No, "{question}");
    }
    for question in ["can it smell?", "is it on a plant?"] {
        assert_eq!(knowledge.asked(question), None, "{question}");
    }
    // What means the same keeps its NO, and what names the class does too.
    for (question, name) in [
        ("does it smell?", "smells"),
        ("do you throw it?", "can_be_thrown"),
        ("can it fly?", "can_fly"),
        ("does it climb?", "can_climb"),
        ("does it break easily?", "breaks_easily"),
        ("is it found in a kitchen?", "found_in_kitchen"),
        ("is it used at school?", "used_at_school"),
        ("does it belong to the birds?", "is_bird"),
        ("does it belong to the animal kingdom?", "is_animal"),
        ("does it live on plants?", "eats_plants"),
        ("is it a rodent?", "kind_rodent"),
        ("kind_rodent", "kind_rodent"),
    ] {
        let found = knowledge.understand(question).map(|id| knowledge.predicate(id));
        assert_eq!(found, Some(name), "{question}");
    }
    // A question that names a word of the list is a guess, unless the vocabulary asks it.
    for question in [
        "is it a sofa?",
        "is it a couch?",
        "is it pants?",
        "Is it a hammer?",
        "Is it a chair?",
        "a chair?",
        "is it a snake?",
        "Is it a cat?",
        "Is it a dog?",
    ] {
        let reading = knowledge.read_question(question);
        assert!(matches!(reading, Reading::Unsure { why: Unsure::Guess, .. }), "{question}");
    }
}

#[test]
fn most_questions_that_people_ask_at_a_table_are_understood() {
    for (file, least) in [
        ("table-1.txt", 90),
        ("table-2.txt", 90),
        ("table-3.txt", 90),
        ("table-4.txt", 88),
        ("table-5.txt", 96),
        ("table-6.txt", 90),
        ("table-7.txt", 94),
        ("table-8.txt", 93),
        ("table-9.txt", 83),
        ("table-10.txt", 72),
        ("table-11.txt", 70),
        ("table-12.txt", 75),
        ("table-13.txt", 71),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/barbarossa").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let asked: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let understood = |question: &&&str| Knowledge::shipped().asked(question).is_some();
        let count = asked.iter().filter(understood).count();
        assert!(asked.len() >= 200, "{}", asked.len());
        assert!(count * 100 >= least * asked.len(), "{file}: {count} of {}", asked.len());
    }
}

#[test]
fn two_questions_in_one_are_answered_by_both() {
    use Answer::{No, Yes};
    check_answers(&[
        ("Is it red or blue?", "firetruck", Yes),
        ("Is it red or blue?", "banana", No),
        ("Is it a bird that can swim?", "penguin", Yes),
        ("Is it a bird that can swim?", "whale", No),
        ("Is it a bird that can swim?", "spoon", No),
        ("Is it an animal with wings?", "eagle", Yes),
        ("Is it an animal with wings?", "airplane", No),
        ("Is it an animal with wings?", "horse", No),
        ("Is it small and furry?", "mouse", Yes),
        ("Is it small and furry?", "bear", No),
        ("Does it have fur or feathers?", "duck", Yes),
        ("Does it have fur or feathers?", "camel", Yes),
        ("Does it live in the sea or in a river?", "whale", Yes),
    ]);
}

/// Questions that people asked at a table and that were refused.
#[test]
fn everyday_questions_are_answered() {
    use Answer::{DontKnow, No, Yes};
    check_answers(&[
        ("taller than wide?", "tower", Yes),
        ("Does it have more than two legs?", "horse", Yes),
        ("Does it have more than two legs?", "eagle", No),
        ("Is it yellow or orange?", "carrot", Yes),
        ("Does it hunt?", "lion", Yes),
        ("Does it hunt?", "horse", No),
        ("Does it crawl?", "ant", Yes),
        ("Does it sing?", "spoon", No),
        ("Does it give milk?", "eagle", No),
        ("Is it on your feet?", "boot", Yes),
        ("Can it be switched off?", "computer", Yes),
        ("Can it be switched off?", "apple", No),
        ("Does it have a zip?", "apple", No),
        ("Is there a hole going right through it?", "doughnut", Yes),
        ("Isn't it alive?", "horse", Yes),
        ("Has it got hands?", "nurse", Yes),
        ("Has it got hands?", "eagle", No),
        ("Does it have a seat?", "chair", Yes),
        ("Does it have a seat?", "apple", No),
        ("Does it have pages?", "book", Yes),
        ("Does it have pages?", "map", DontKnow),
        ("Am I right that it's alive?", "horse", Yes),
        // What limits a question leaves its no.
        ("Is it always red?", "horse", No),
        ("Is it always red?", "tomato", DontKnow),
        ("Is it completely made of wood?", "coin", No),
        ("Does it only live in water?", "horse", No),
        ("Do you have to plug it in?", "apple", No),
        ("Must you plug it in?", "apple", No),
        ("Has it to do with music?", "piano", Yes),
        ("Does it swim too?", "shark", Yes),
        // What a thing is says what it cannot do; what it does not do, it may be able to.
        ("Could it hunt?", "spoon", DontKnow),
        ("Does it hunt at night?", "spoon", No),
        ("Could it hunt at night?", "spoon", DontKnow),
        ("Could it hunt?", "sofa", No),
        ("Could it hunt?", "lion", Yes),
        ("Can it be cheap?", "alpaca", DontKnow),
        ("Can it be cheap?", "apple", Yes),
        // Words that say little.
        ("Isn't it kind of dangerous?", "cobra", Yes),
        ("Is it a kind of bird?", "eagle", Yes),
        ("Can't it fly?", "eagle", Yes),
        ("Do you use it to cut stuff?", "knife", Yes),
        ("Does it have loads of legs?", "centipede", Yes),
        ("Would you come across it in a kitchen?", "whale", No),
        ("Would you be scared if you met one?", "cobra", Yes),
        ("Has it something to do with music?", "piano", Yes),
        ("Is it faster than a human?", "cheetah", Yes),
        // Sharks live in water as well, a hand is no inner organ, a broom cleans and does not wash.
        ("Does it live in a river?", "shark", DontKnow),
        ("Does it live in a river?", "camel", No),
        ("Is it inside the body?", "hand", DontKnow),
        ("Is it inside the body?", "camel", No),
        ("Do you wash with it?", "broom", DontKnow),
        ("Is it electronic?", "lamp", DontKnow),
        ("Does it live in the jungle?", "deer", DontKnow),
        ("Does it bite?", "dog", Yes),
        ("Does it bite?", "bee", DontKnow),
        ("Does it sting?", "dog", No),
        ("Does it hang on the wall?", "bat", DontKnow),
        ("Is it used to fix things?", "rake", DontKnow),
        ("Is it electronic?", "spoon", No),
    ]);
}

/// What has no ears has no big ears, and what nobody wears no king wears; the yes does not follow.
#[test]
fn of_a_question_that_limits_another_one_the_no_follows() {
    use Answer::{DontKnow, No, Yes};
    check_answers(&[
        ("Does it have big ears?", "spoon", No),
        ("Does it have big ears?", "mouse", DontKnow),
        ("Is it a dangerous animal?", "spoon", No),
        ("Is it a dangerous animal?", "lion", DontKnow),
        ("Do kings wear it?", "spoon", No),
        ("Do kings wear it?", "hat", DontKnow),
        ("Do you wear it for a wedding?", "spoon", No),
        ("Do you wear it for a wedding?", "hat", DontKnow),
        ("Do you wear it when it snows?", "spoon", No),
        ("Does it glow red in the dark?", "spoon", No),
        ("Does it glow red in the dark?", "lantern", DontKnow),
        ("Does it live in the wild in Europe?", "spoon", No),
        ("Does it live in the wild in Europe?", "fox", DontKnow),
        ("Does it have three ears?", "spoon", No),
        ("Does it have ears on its back?", "spoon", No),
        ("Does it have ears on its back?", "mouse", DontKnow),
        // A part that is pointed at.
        ("Is that pointy bit a nose?", "fox", Yes),
        ("Are those two long things handles?", "fox", No),
        ("Are those ears?", "fox", Yes),
        ("Are those ears?", "spoon", No),
        // What does not run may run on rails, and what is brown may be yellow inside.
        ("Does it run on rails at night?", "locomotive", DontKnow),
        ("Is it yellow inside?", "spoon", DontKnow),
        // Who acts is a person: cows eat what is no food. A steering wheel is another thing than a wheel.
        ("Do cows eat it?", "leaf", DontKnow),
        ("Does it have a steering wheel?", "canoe", DontKnow),
    ]);
    let king = Knowledge::shipped().asked("Do kings wear it?").unwrap();
    assert_eq!(king.follows(), Some(Follows::No));
}

/// Nobody knits a castle: a word may say what a thing is not, whatever is asked with it. Nothing follows
/// where things are compared, or from the words of a clause with a negation.
#[test]
fn where_nothing_else_answers_a_question_a_word_of_it_may() {
    use Answer::{DontKnow, No};
    check_answers(&[
        ("Could my grandmother have knitted it?", "castle", No),
        ("Could my grandmother have knitted it?", "sweater", DontKnow),
        ("Do tomatoes do well in it?", "trumpet", No),
        ("Do tomatoes do well in it?", "garden", DontKnow),
        ("Is it as red as a pizza in the oven?", "trumpet", DontKnow),
        ("Does it look different from a pizza?", "trumpet", DontKnow),
        ("Is it really a flower that hasn't opened yet?", "spoon", No),
        ("Is it really a flower that hasn't opened yet?", "lily", DontKnow),
        ("Can it stay in the garden without being watered?", "trumpet", DontKnow),
        ("Is it not on a pizza?", "trumpet", DontKnow),
        // Post, not letters of the name.
        ("Would a cactus send letters to it?", "trumpet", No),
    ]);
}

/// A kind of WordNet may have the name of another thing: nothing is denied of that.
#[test]
fn kinds_with_names_of_other_things_are_not_taken_for_them() {
    let knowledge = Knowledge::shipped();
    for name in [
        "man", "hand", "shell", "scale", "blade", "lid", "wood", "cat", "plate", "string", "piece",
        "bar", "shaft", "level", "brand", "dress", "sign", "member",
    ] {
        let question = format!("Is it a {name}?");
        let asked = knowledge.asked(&question).map(|asked| knowledge.predicate(asked.first()));
        assert_eq!(asked, None, "{question}");
    }
    // What people take for one is not denied to be one: they do not ask WordNet.
    for (kind, word) in [("kind_female_2", "queen"), ("kind_nut", "peanut")] {
        let kind = knowledge.find_predicate(kind).unwrap();
        let answer = |word| knowledge.answer(knowledge.find_word(word).unwrap(), kind);
        assert_ne!(answer(word), Answer::No, "{word}");
        assert_eq!(answer("teapot"), Answer::No);
    }
}

/// Questions with words of which the answer is known to be yes, and words of which it is known to be no:
/// `Does it bark?|dog|cat spoon`.
#[test]
fn certain_answers_are_true() {
    for (file, least) in [("judged-1.txt", 45), ("judged-2.txt", 40)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/barbarossa").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let (mut cells, mut right, mut wrong) = (0, 0, Vec::new());
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let [question, yes, no] = line.split('|').collect::<Vec<_>>()[..] else {
                panic!("{file}: {line}")
            };
            for (words, truth) in [(yes, Answer::Yes), (no, Answer::No)] {
                for word in words.split_whitespace() {
                    let given = answered(question, word);
                    cells += 1;
                    right += usize::from(given == truth);
                    if matches!(given, Answer::Yes | Answer::No) && given != truth {
                        wrong.push(format!("{question} {word}: {given}"));
                    }
                }
            }
        }
        println!("{file}: {right} of {cells} right, opposite: {}", wrong.join("; "));
        assert!(cells >= 800, "{cells}");
        assert!(right * 100 >= least * cells, "{file}: {right} of {cells}");
        assert!(wrong.len() * 1000 <= 3 * cells, "{file}: {}", wrong.join("; "));
    }
}

/// What the judge answers.
fn answered(question: &str, word: &str) -> Answer {
    let (knowledge, lexicon) = (Knowledge::shipped(), Lexicon::shipped());
    let Some(asked) = knowledge.asked(question) else { return Answer::DontKnow };
    let judged = knowledge.find_word(word).filter(|id| knowledge.word(*id) == word);
    match (judged, lexicon.find(word)) {
        (Some(id), _) => asked.answer(|predicate| knowledge.answer(id, predicate)),
        (None, Some(Named::Derived(entry))) => asked.answer(|it| lexicon.answer(entry, it)),
        _ => panic!("no lexicon has {word}"),
    }
}

/// Checks answers to questions about words.
fn check_answers(expected: &[(&str, &str, Answer)]) {
    for (question, word, answer) in expected {
        assert_eq!(answered(question, word), *answer, "{question} {word}");
    }
}

/// A thing above a threshold of size that the other one does not reach is bigger; two things between
/// the same thresholds may be of one size.
#[test]
fn sizes_and_weights_are_compared_with_any_thing() {
    use Answer::{DontKnow, No, Yes};
    check_answers(&[
        ("Is it bigger than a cat?", "horse", Yes),
        ("Is it bigger than a cat?", "coin", No),
        ("Is it bigger than a cat?", "cat", DontKnow),
        ("Is it bigger than a cat?", "dog", DontKnow),
        ("Is it larger than a mouse?", "car", Yes),
        ("Is it smaller than a cat?", "coin", Yes),
        ("Is it smaller than a cat?", "horse", No),
        ("Is it smaller than a cat?", "cat", DontKnow),
        ("Is it smaller than an elephant?", "mouse", Yes),
        ("Is it as big as an elephant?", "mouse", No),
        ("Is it as big as a mouse?", "elephant", DontKnow),
        ("Is it heavier than a feather?", "anvil", Yes),
        ("Is it lighter than a feather?", "anvil", No),
        ("Is it heavier than an anvil?", "feather", No),
        // An airplane or a tool, a club to hit with or one to dance in.
        ("Is it bigger than a plane?", "house", DontKnow),
        ("Is it smaller than a club?", "mouse", DontKnow),
        ("Is it bigger than a zyzzyva?", "house", DontKnow),
    ]);
    // Bigger and smaller contradict each other, whatever a thing is compared with.
    let knowledge = Knowledge::shipped();
    for other in knowledge.words().step_by(7).map(|word| knowledge.word(word)) {
        for word in ["coin", "cat", "horse", "house", "mountain"] {
            let bigger = answered(&format!("Is it bigger than a {other}?"), word);
            let smaller = answered(&format!("Is it smaller than a {other}?"), word);
            // What has its own predicate has a `possibly` as well.
            let is_threshold = ["hand", "loaf", "car", "house", "shoebox"].contains(&other);
            assert!(bigger != smaller || bigger == DontKnow || is_threshold, "{word} {other}");
        }
    }
}

/// Answers that would contradict each other are none, and some things are left out.
#[test]
fn answers_follow_from_several_predicates() {
    use Answer::{DontKnow, No, Possibly, Yes};
    check_answers(&[
        ("Does it breathe?", "dog", Yes),
        ("Does it breathe?", "oak", DontKnow),
        ("Does it breathe?", "spoon", No),
        ("Does it breathe?", "unicorn", DontKnow),
        ("Is it cheap?", "spoon", Yes),
        ("Is it cheap?", "yacht", No),
        ("Is it cheap?", "sofa", Possibly),
        ("Is it cheap?", "whale", DontKnow),
        ("Is it modern?", "smartphone", Yes),
        ("Is it modern?", "sword", No),
        ("Is it modern?", "piano", DontKnow),
        ("Does it live in the sea?", "shark", Yes),
        ("Does it live in the sea?", "anchor", DontKnow),
        ("Does it live in the sea?", "spoon", No),
        ("It is alive, isn't it?", "dog", Yes),
        ("It isn't alive, is it?", "dog", DontKnow),
    ]);
}
