//! What a seat's page receives holds nothing that is another seat's secret.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::client::{Board, Page, pick};
use crate::support::slow_tests;

/// The lower-case words in a text.
fn parts(text: &str) -> impl Iterator<Item = String> + '_ {
    let parts = text.split(|c: char| !c.is_ascii_alphabetic());
    parts.filter(|part| !part.is_empty()).map(str::to_ascii_lowercase)
}

/// Every string in a message.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
        Value::Object(members) => members.values().for_each(|value| strings(value, found)),
        _ => {}
    }
}

/// Words that stand in messages for other reasons: on the board, and in the questions that anybody
/// may ask (`is_boat`, "Is it a boat or ship?"). A secret word is never part of such a text.
fn public_words(pages: &[Page]) -> BTreeSet<String> {
    let mut public = BTreeSet::new();
    for line in pages.iter().flat_map(|page| &page.log) {
        let message: Value = serde_json::from_str(line).unwrap();
        let mut texts = Vec::new();
        strings(&message, &mut texts);
        let kind = message["type"].as_str().unwrap();
        for text in texts {
            let listed = matches!(kind, "step" | "moves") && text.contains(['_', ' ']);
            let asked = text.starts_with("ask:") || text.starts_with("show:");
            if kind == "table" || listed || asked {
                public.extend(parts(&text));
            }
        }
        if kind == "table" {
            public.extend(parts(line));
        }
    }
    public
}

/// A game of Barbarossa by three people, each with a page, and two pages that look on; every message
/// to a page is searched for the words of the others. How many messages that were.
fn play_barbarossa(board: &Board, seed: u64, plies: &str) -> usize {
    let mut host = board.host();
    host.get("welcome");
    let chairs = vec![json!({"kind": "link"}); 3];
    let rules = json!({"MaxPlies": plies});
    host.send(&json!({"do": "new", "menu": "barbarossa", "rules": rules, "seats": chairs}));
    let state = host.get("state");
    let mut pages = board.links(&state);
    let spectator = board.spectator(&state);
    let mut watchers = vec![host, spectator];
    for watcher in &mut watchers {
        let position = watcher.until(|value| value["type"] == "position");
        assert_eq!(position["view"], "table");
        assert!(!position["board"]["cards"].as_array().unwrap().is_empty(), "{position}");
    }
    let mut random = seed;
    // The words of each seat, as its own page names them.
    let mut words: Vec<Vec<String>> = vec![Vec::new(); 3];
    // What each page has said itself: it may read that again.
    let mut said: Vec<String> = vec![String::new(); 3];
    for page in &mut pages {
        page.get("position");
    }
    let mut live = pages[0].state["live"].clone();
    loop {
        for page in &mut pages {
            page.until_live(&live);
        }
        if pages[0].state["phase"] != "play" {
            break;
        }
        let actor = pages.iter().position(|page| !page.position["act"].is_null());
        let actor = actor.expect("nobody is to act");
        let token = choose(&mut pages[actor], &mut random);
        if token.starts_with("word:") {
            words[actor].push(token.rsplit(':').next().unwrap().to_owned());
        }
        said[actor] += &format!(" {token}");
        pages[actor].play(&token);
        live = pages[actor].state["live"].clone();
    }
    let over = |value: &Value| value["type"] == "state" && value["phase"] == "over";
    for watcher in &mut watchers {
        watcher.until(over);
        assert_eq!(watcher.state["you"]["view"], "all", "at the end everything is told");
    }
    host_of(&mut watchers).send(&json!({"do": "close"}));
    assert!(words.iter().all(|words| !words.is_empty()), "no words: {words:?}");
    pages.append(&mut watchers);
    pages.iter_mut().for_each(until_the_end);
    said.resize(pages.len(), String::new());
    search(&pages, &words, &said)
}

fn host_of(watchers: &mut [Page]) -> &mut Page {
    watchers.first_mut().unwrap()
}

/// Leaves in the log of a page what came before the secrets were told: with a whole new tree.
fn until_the_end(page: &mut Page) {
    let end = page.log.iter().rposition(|line| line.contains("\"reset\":true")).unwrap();
    page.log.truncate(end);
}

/// A token: mostly by steps, else from the list.
fn choose(page: &mut Page, random: &mut u64) -> String {
    if pick(random, 2) == 0 {
        return page.choose(random);
    }
    let node = page.position["node"].clone();
    let answer = page.ask(json!({"do": "moves", "node": node, "prefix": ""}));
    let tokens = answer["tokens"].as_array().unwrap();
    if tokens.is_empty() {
        return page.choose(random);
    }
    tokens[pick(random, tokens.len())].as_str().unwrap().to_owned()
}

/// Whether a token guesses an object of a seat: the owner hears every such guess.
fn is_guess_at(seat: usize, token: &str) -> bool {
    let Some(letter) = ["a", "b", "c"].get(seat) else { return false };
    token.split_once("guess:").is_some_and(|(_, object)| object.starts_with(letter))
}

/// Words of the messages themselves.
const OF_MESSAGES: &[&str] = &[
    "all",
    "auto",
    "barbarossa",
    "chance",
    "error",
    "here",
    "link",
    "play",
    "position",
    "rules",
    "state",
    "tree",
    "welcome",
    "seat",
    "over",
    "none",
    "text",
    "word",
];

fn search(pages: &[Page], words: &[Vec<String>], said: &[String]) -> usize {
    let mut count = 0;
    let public = public_words(pages);
    let judged = words.iter().flatten().filter(|word| !public.contains(*word)).count();
    assert!(2 * judged > words.iter().flatten().count(), "hardly a word is looked for: {words:?}");
    for (viewer, page) in pages.iter().enumerate() {
        let foreign: BTreeMap<&str, usize> = words
            .iter()
            .enumerate()
            .filter(|(owner, _)| *owner != viewer)
            .flat_map(|(owner, words)| words.iter().map(move |word| (word.as_str(), owner)))
            .filter(|(word, _)| !public.contains(*word) && !OF_MESSAGES.contains(word))
            .collect();
        for line in &page.log {
            let message: Value = serde_json::from_str(line).unwrap();
            // The lexicon is public: what could be guessed is listed to everybody alike.
            if message["type"] == "moves" || message["type"] == "step" {
                continue;
            }
            count += 1;
            let mut texts = Vec::new();
            strings(&message, &mut texts);
            // Sentences name what anybody may know; secrets stand in tokens, titles and choices.
            texts.retain(|text| !text.contains([' ', '_']) && !is_guess_at(viewer, text));
            for part in texts.iter().flat_map(|text| text.split(|c: char| !c.is_ascii_lowercase()))
            {
                let Some(owner) = foreign.get(part) else { continue };
                let ending = format!(":{part}");
                let guessed = said[viewer].split(' ').any(|token| token.ends_with(&ending));
                assert!(guessed, "p{} reads '{part}' of p{}: {line}", viewer + 1, owner + 1);
            }
        }
    }
    count
}

#[test]
fn no_page_of_a_seat_reads_the_words_of_another() {
    let (games, plies) = if slow_tests() { (200, "400") } else { (3, "150") };
    let board = Board::start(&[]);
    let mut messages = 0;
    for game in 0..games {
        messages += play_barbarossa(&board, 1_000 + game, plies);
    }
    println!("{games} games, {messages} messages");
    assert!(messages > 1_000);
}

#[test]
fn a_shared_screen_is_covered_between_people() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let seats = json!([{"kind": "here"}, {"kind": "here"}, {"kind": "here"}]);
    page.send(&json!({"do": "new", "menu": "barbarossa", "seats": seats}));
    let position = page.get("position");
    assert!(position["board"].is_null() && position["step"].is_null(), "{position}");
    assert_eq!(page.state["you"]["curtain"], page.state["turn"]);
    assert!(page.state["you"]["view"].is_null());
    assert_eq!(page.refusal(json!({"do": "step", "node": page.state["live"]})), "not-allowed");
    let first = page.state["turn"].as_str().unwrap().to_owned();
    let mut random = 5;
    // Each models its objects; the screen is covered whenever the next one is to act.
    for _ in 0..60 {
        let turn = page.state["turn"].clone();
        page.send(&json!({"do": "show", "seat": turn}));
        page.until(|value| value["type"] == "position" && value["view"] == turn);
        assert!(!page.position["board"].is_null());
        let token = page.choose(&mut random);
        page.play(&token);
        if page.state["turn"] != turn {
            assert!(page.state["you"]["view"].is_null(), "{}", page.state);
            assert_eq!(page.state["you"]["curtain"], page.state["turn"]);
        }
        if page.state["turn"] != first.as_str() && page.state["turn"] != turn {
            return;
        }
    }
    panic!("the turn never passes on");
}

/// A page with a game of the scripted engine in which every seat first chooses a secret word.
fn scripted(board: &Board, chairs: &Value) -> Page {
    let mut page = board.host();
    let menu = page.get("welcome")["menu"][0]["game"].as_str().unwrap().to_owned();
    page.send(&json!({"do": "new", "menu": menu, "seats": chairs}));
    page.get("position");
    page
}

/// The person in a seat uncovers the screen and chooses a word.
fn choose_word(page: &mut Page, seat: &str) {
    page.send(&json!({"do": "show", "seat": seat}));
    page.until(|value| value["type"] == "position" && value["view"] == seat);
    page.play(&format!("secret:{seat}{seat}"));
}

/// One of two people at a page may have told the other what an engine must not lose by: nothing is
/// taken back then. Without an engine they may.
#[test]
fn people_at_one_page_take_back_a_secret_only_among_themselves() {
    let engine = crate::support::mock("");
    let board = Board::start(&[&engine, "--rule", "Secrets=true", "--rule", "Players=3"]);
    for (third, allowed) in [("engine", false), ("here", true)] {
        let chairs = json!([{"kind": "here"}, {"kind": "here"}, {"kind": third}]);
        let mut page = scripted(&board, &chairs);
        choose_word(&mut page, "p1");
        assert_eq!((&page.state["turn"], &page.state["live"]), (&json!("p2"), &json!(1)));
        // The screen is covered: whoever holds it now takes nothing back.
        assert_eq!(page.state["you"]["undo"], false);
        assert_eq!(page.refusal(json!({"do": "undo"})), "not-allowed");
        page.send(&json!({"do": "show", "seat": "p2"}));
        page.until(|value| value["type"] == "position" && value["view"] == "p2");
        assert_eq!(page.state["you"]["undo"], allowed, "beside {third}");
        if allowed {
            page.send(&json!({"do": "undo"}));
            page.until(|value| value["type"] == "state" && value["live"] == 0);
        } else {
            assert_eq!(page.refusal(json!({"do": "undo"})), "not-allowed");
            assert_eq!(page.state["live"], 1);
        }
        page.send(&json!({"do": "close"}));
    }
}

/// A shared screen is uncovered for the seat that is to act, and never from one seat's view straight
/// to another's.
#[test]
fn a_covered_screen_waits_for_the_seat_that_is_to_act() {
    let engine = crate::support::mock("");
    let board = Board::start(&[&engine, "--rule", "Secrets=true", "--rule", "Players=3"]);
    let here = json!({"kind": "here"});
    let mut page = scripted(&board, &json!([here, here, here]));
    choose_word(&mut page, "p1");
    assert_eq!(page.state["you"]["curtain"], "p2");
    for other in ["p1", "p3"] {
        assert_eq!(page.refusal(json!({"do": "show", "seat": other})), "not-allowed", "{other}");
    }
    page.send(&json!({"do": "show", "seat": "p2"}));
    page.until(|value| value["type"] == "position" && value["view"] == "p2");
    assert_eq!(page.refusal(json!({"do": "show", "seat": "p1"})), "not-allowed");
    page.ask(json!({"do": "hide"}));
    assert_eq!(page.state["you"]["curtain"], "p2");
}

/// The table of a game whose players all come by link: what all may see, and the links.
#[test]
fn a_host_without_a_seat_sees_what_all_may_see() {
    let board = Board::start(&[]);
    let mut host = board.host();
    host.get("welcome");
    let chairs = vec![json!({"kind": "link"}); 3];
    host.send(&json!({"do": "new", "menu": "barbarossa", "seats": chairs}));
    let table = host.get("table")["table"].clone();
    assert!(!table["cells"].as_array().unwrap().is_empty());
    let position = host.get("position");
    assert_eq!(position["view"], "table");
    let cards = position["board"]["cards"].as_array().unwrap();
    assert_eq!(cards.len(), 9, "{position}");
    assert!(position["step"].is_null() && position["act"].is_null());
    assert_eq!(board.links(&host.state).len(), 3);
}

/// Whoever has seen a secret would play on with it; whoever plays by link would not be asked.
#[test]
fn play_goes_on_from_elsewhere_only_without_secrets_and_links() {
    let engine = crate::support::mock("");
    let here = json!({"kind": "here"});
    let board = Board::start(&[&engine, "--rule", "Secrets=true", "--rule", "Players=3"]);
    let mut page = scripted(&board, &json!([here, here, here]));
    choose_word(&mut page, "p1");
    for phase in ["play", "over"] {
        assert_eq!(page.state["phase"], phase);
        assert_eq!(page.refusal(json!({"do": "goon", "node": 0})), "not-allowed");
        assert_eq!(page.state["live"], 1);
        if phase == "play" {
            page.send(&json!({"do": "resign", "seat": "p2"}));
            page.until(|value| value["type"] == "state" && value["phase"] == "over");
        }
    }
    for (other, allowed) in [("link", false), ("here", true)] {
        let board = Board::start(&[&engine]);
        let mut page = scripted(&board, &json!([here, {"kind": other}]));
        page.play("1");
        page.send(&json!({"do": "goon", "node": 0, "id": 77}));
        let answer = page.until(|value| value["id"] == 77 || value["live"] == 0);
        assert_eq!(answer["type"] != "error", allowed, "{other}: {answer}");
    }
}

/// When a game with secrets is over, everybody sees all of it; the next one is covered again.
#[test]
fn a_rematch_is_covered_again() {
    let engine = crate::support::mock("");
    let here = json!({"kind": "here"});
    let board = Board::start(&[&engine, "--rule", "Secrets=true", "--rule", "Players=3"]);
    let mut page = scripted(&board, &json!([here, here, here]));
    choose_word(&mut page, "p1");
    page.send(&json!({"do": "resign", "seat": "p2"}));
    page.until(|value| value["type"] == "state" && value["phase"] == "over");
    assert!(page.state["you"]["curtain"].is_null(), "{}", page.state);
    // A review would judge by what nobody knew.
    assert_eq!(page.state["you"]["review"], false);
    assert_eq!(page.refusal(json!({"do": "review", "on": true})), "not-allowed");
    page.send(&json!({"do": "rematch"}));
    page.until(|value| value["type"] == "state" && value["phase"] == "play");
    assert_eq!(page.state["you"]["curtain"], "p1");
}

#[test]
fn secrets_of_a_scripted_game_stay_with_their_seat() {
    let engine = crate::support::mock("");
    let board = Board::start(&[&engine, "--rule", "Secrets=true", "--rule", "Players=3"]);
    let mut host = board.host();
    let menu = host.get("welcome")["menu"][0]["game"].as_str().unwrap().to_owned();
    let chairs = vec![json!({"kind": "link"}); 3];
    host.send(&json!({"do": "new", "menu": menu, "seats": chairs}));
    let state = host.get("state");
    let mut pages = board.links(&state);
    let secrets = ["secret:aaaa", "secret:bbbb", "secret:cccc"];
    for (index, secret) in secrets.iter().enumerate() {
        for page in &mut pages {
            page.until_live(&json!(index));
        }
        pages[index].play(secret);
    }
    for page in &mut pages {
        page.until_live(&json!(3));
    }
    for (index, page) in pages.iter().enumerate() {
        for (owner, secret) in secrets.iter().enumerate() {
            let reads = page.log.iter().any(|line| line.contains(secret));
            assert_eq!(reads, owner == index, "p{} and {secret}", index + 1);
        }
        assert!(page.log.iter().any(|line| line.contains("secret:?")));
    }
    // The host, who plays no seat, sees what all may see.
    host.until(|value| value["type"] == "state" && value["live"] == 3);
    assert_eq!(host.state["you"]["view"], "table", "{}", host.state);
    for request in [
        json!({"do": "text", "node": 3, "what": "position"}),
        json!({"do": "text", "node": 3, "what": "moves"}),
        json!({"do": "moves", "node": 3, "prefix": ""}),
        json!({"do": "text", "node": 3, "what": "record"}),
        // Nor does it get the view of somebody who has one.
        json!({"do": "seat", "seat": "p1", "to": {"kind": "here"}}),
    ] {
        assert_eq!(host.refusal(request.clone()), "not-allowed", "{request}");
    }
    let log = host.log.concat();
    assert!(log.contains("secret:?"));
    assert!(!secrets.iter().any(|secret| log.contains(secret)));
    assert_eq!(pages[0].refusal(json!({"do": "undo"})), "not-allowed");
}
