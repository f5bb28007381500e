//! The same game told in different ways, any game under any rules: tokens one by one, in one line of
//! `position`, from the text of every position, as a seat sees it, and with other secrets of the
//! others. What the engines answer must be what the rules alone say, and the same.

use parlor::engine::{Engine, GameEngine};
use parlor::game::{
    MoveListing, OptionKind, OptionSpec, Random, Seat, Situation, Turn, splitmix64,
};
use parlor::games::Playable;
use parlor::picture::Step;
use parlor::protocol::{Code, PositionArgument};
use parlor::search::Control;

/// The most tokens of a game.
const PLIES: u64 = 60;

/// Positions with more moves than this are not counted by perft.
const COUNTED: usize = 40;

/// Tokens of the past that are tried where they may be illegal.
const TRIED: usize = 3;

/// What everybody may know.
const PUBLIC: [&str; 8] =
    ["turn", "p1turn", "gameover", "result", "outcome", "points", "reason", "seats"];

/// What a position alone decides, besides [`PUBLIC`].
const OF_POSITION: [&str; 4] = ["fen", "rules", "chances", "legalmoves"];

/// Pictures cost more than all the rest: they are looked at once in this many checks.
const PICTURES: u64 = 8;

/// The first byte is the game, the others choose rules, moves and what is looked at; what they leave
/// open follows from them.
pub fn run(data: &[u8]) {
    for_chosen_game!(data, of_game);
}

fn of_game<G: Playable>(data: &[u8]) {
    let mut choices = Choices::new(data);
    let Some(mut told) = Told::<G>::new(&mut choices) else { return };
    let mut spare = engine::<G>(&told.settings).expect("it has started before");
    for _ in 0..choices.below(PLIES) {
        if choices.below(16) == 0 {
            told.check(&mut spare, &mut choices);
        }
        let m = told.full.position().random_move(&mut choices.random);
        let Some(m) = m.filter(|_| !told.is_over()) else { break };
        told.play(&m, &mut choices);
    }
    told.check(&mut spare, &mut choices);
}

/// Bytes first, then what follows from them.
struct Choices<'a> {
    bytes: &'a [u8],
    random: Random,
}

impl<'a> Choices<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let seed = bytes.iter().fold(0, |seed, byte| splitmix64(seed ^ u64::from(*byte)));
        Choices { bytes, random: Random::new(seed) }
    }

    /// A number below a bound.
    fn below(&mut self, bound: u64) -> u64 {
        match self.bytes.split_first() {
            Some((first, rest)) if bound <= 256 => {
                self.bytes = rest;
                u64::from(*first) % bound
            }
            _ => self.random.below(bound),
        }
    }

    fn one_of<'b, T>(&mut self, items: &'b [T]) -> Option<&'b T> {
        items.get(self.below(items.len().max(1) as u64) as usize)
    }
}

/// Options and their values.
type Settings = Vec<(String, String)>;

/// Some rules changed, and at times a number of plies at which the game is drawn.
fn settings<G: Playable>(choices: &mut Choices) -> (Settings, usize) {
    let mut settings = vec![("Hash".to_owned(), "1".to_owned())];
    for spec in G::rule_options() {
        if choices.below(3) == 0
            && let Some(value) = value_of(&spec, choices)
        {
            settings.push((spec.name, value));
        }
    }
    let most = if choices.below(8) == 0 { 1 + choices.below(40) } else { 0 };
    settings.push(("MaxPlies".to_owned(), most.to_string()));
    (settings, most as usize)
}

fn value_of(spec: &OptionSpec, choices: &mut Choices) -> Option<String> {
    match &spec.kind {
        OptionKind::Check { .. } => choices.one_of(&["true", "false"]).map(ToString::to_string),
        OptionKind::Spin { min, max, .. } => {
            let range = (max - min).clamp(0, 15) as u64 + 1;
            Some((min + choices.below(range) as i64).to_string())
        }
        OptionKind::Combo { values } => choices.one_of(values).cloned(),
        OptionKind::Text { .. } | OptionKind::Button => None,
    }
}

fn ask<G: Playable>(engine: &GameEngine<G>, query: &str) -> String {
    let mut words = query.split(' ').map(str::to_owned);
    let name = words.next().unwrap_or_default();
    let answer = engine.query(&name, &words.collect::<Vec<_>>());
    answer.unwrap_or_else(|error| format!("error {error}"))
}

/// Loads a line of `position`, through its text.
fn load<G: Playable>(engine: &mut GameEngine<G>, argument: &str) {
    let read = PositionArgument::parse(argument);
    let read = read.unwrap_or_else(|error| panic!("{} position {argument}: {error}", G::NAME));
    assert_eq!(read.to_string(), argument, "{}", G::NAME);
    let loaded = engine.set_position(&read);
    loaded.unwrap_or_else(|error| panic!("{} position {argument}: {error}", G::NAME));
}

fn line(root: &str, tokens: &[String]) -> String {
    if tokens.is_empty() { root.to_owned() } else { format!("{root} moves {}", tokens.join(" ")) }
}

/// One game, told in several ways.
struct Told<G: Playable> {
    settings: Settings,
    /// The number of plies at which it is drawn; 0: none.
    most: usize,
    /// By the rules alone.
    full: Situation<G>,
    tokens: Vec<String>,
    /// The text of every position so far, the present one last.
    texts: Vec<String>,
    /// Told by `moves`.
    appended: GameEngine<G>,
    /// Told by the text of a position and one token.
    reloaded: GameEngine<G>,
    viewer: Seat,
    /// Told what the viewer sees, token by token.
    seen: GameEngine<G>,
    masked: Vec<String>,
    twin: Option<Twin<G>>,
}

/// A game that the viewer cannot tell from the other: other secrets of others.
struct Twin<G: Playable> {
    full: Situation<G>,
    tokens: Vec<String>,
}

impl<G: Playable> Told<G> {
    /// At the start; `None` under rules that contradict each other.
    fn new(choices: &mut Choices) -> Option<Self> {
        let (settings, most) = settings::<G>(choices);
        let appended = engine::<G>(&settings)?;
        let start = G::start(appended.options(), None).expect("the engine started");
        let viewer = Seat::new(choices.below(start.seats() as u64) as usize);
        let mut told = Told {
            most,
            tokens: Vec::new(),
            texts: vec![start.to_string()],
            appended,
            reloaded: engine(&settings)?,
            viewer,
            seen: engine(&settings)?,
            masked: Vec::new(),
            twin: G::SECRETS
                .then(|| Twin { full: Situation::new(start.clone()), tokens: Vec::new() }),
            full: Situation::new(start),
            settings,
        };
        load(&mut told.seen, &format!("startpos view {viewer}"));
        Some(told)
    }

    fn is_over(&self) -> bool {
        self.full.turn().is_over() || (self.most > 0 && self.tokens.len() >= self.most)
    }

    /// Where something is wrong.
    fn place(&self) -> String {
        let settings: Vec<String> =
            self.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{} {} {}", G::NAME, settings.join(" "), line("startpos", &self.tokens))
    }

    fn append(&mut self, engine: fn(&mut Self) -> &mut GameEngine<G>, token: &str) {
        let appended = engine(self).append_moves(&[token.to_owned()]);
        appended.unwrap_or_else(|error| panic!("{}: moves {token}: {error}", self.place()));
    }

    /// Plays a move in every telling of the game.
    fn play(&mut self, m: &G::Move, choices: &mut Choices) {
        let position = self.full.position();
        assert!(position.is_legal(m), "{m:?}: {}", self.place());
        let token = position.token(m);
        let mask = position.mask(m, self.viewer);
        let masked = position.token(&mask);
        self.twin = self.twin.take().and_then(|twin| twin.play(m, &mask, self.viewer, choices));
        if self.most == 0 && !self.is_repeated() {
            let text = ask(&self.reloaded, "fen");
            load(&mut self.reloaded, &format!("fen {text}"));
            self.append(|told| &mut told.reloaded, &token);
        }
        self.append(|told| &mut told.appended, &token);
        self.append(|told| &mut told.seen, &masked);
        self.full.play(m);
        self.tokens.push(token);
        self.masked.push(masked);
        self.texts.push(self.full.position().to_string());
    }

    /// Whether the game has ended by what its position does not tell.
    fn is_repeated(&self) -> bool {
        self.full.outcome() != self.full.position().outcome()
    }

    /// Asserts that two engines answer alike.
    fn same(&self, one: &GameEngine<G>, other: &GameEngine<G>, queries: &[&str], how: &str) {
        for query in queries {
            let (one, other) = (ask(one, query), ask(other, query));
            assert_eq!(one, other, "'query {query}' {how}: {}", self.place());
        }
    }

    /// Compares all tellings with another engine.
    fn check(&mut self, spare: &mut GameEngine<G>, choices: &mut Choices) {
        // From another root it has to play everything again.
        load(spare, &format!("fen {}", self.full.position()));
        self.check_line(spare, choices);
        self.check_view(spare, choices);
        self.check_twin(spare);
        if !self.is_over() && self.full.position().move_listing() == MoveListing::Listed {
            self.check_moves(choices);
            self.check_steps(choices);
        }
    }

    /// One line of `position`, a shorter one and the whole again; and the text of the position.
    fn check_line(&mut self, whole: &mut GameEngine<G>, choices: &mut Choices) {
        let argument = line("startpos", &self.tokens);
        load(whole, &argument);
        let seed = choices.random.next();
        let seeds = [format!("random {seed}"), format!("throw {seed}")];
        let drawn = [seeds[0].as_str(), &seeds[1]];
        let views: Vec<String> =
            Seat::all(self.full.position().seats()).map(|seat| format!("view {seat}")).collect();
        let views: Vec<&str> = views.iter().map(String::as_str).collect();
        let queries = [&PUBLIC[..], &OF_POSITION, &drawn, &views].concat();
        self.same(&self.appended, whole, &queries, "after one line");
        if choices.below(PICTURES) == 0 {
            self.same(&self.appended, whole, &["table", "board"], "after one line");
            self.same(&self.reloaded, whole, &["table"], "told by its text");
            assert_eq!(self.appended.draw(), whole.draw(), "{}", self.place());
        }
        assert_eq!(ask(whole, "fen"), self.texts[self.tokens.len()], "{}", self.place());
        let count = choices.below(self.texts.len() as u64) as usize;
        load(&mut self.appended, &line("startpos", &self.tokens[..count]));
        assert_eq!(ask(&self.appended, "fen"), self.texts[count], "{count} of {}", self.place());
        load(&mut self.appended, &argument);
        self.same(&self.appended, whole, &queries, "after a shorter line");
        if self.most == 0 && !self.is_repeated() {
            let queries = [&PUBLIC[..], &OF_POSITION, &drawn].concat();
            self.same(&self.reloaded, whole, &queries, "told by its text");
        }
    }

    /// What the viewer was told token by token is what `query view` tells, and suffices to decide.
    fn check_view(&self, loaded: &mut GameEngine<G>, choices: &mut Choices) {
        let viewer = self.viewer;
        let view = self.full.position().view(viewer);
        let mut argument = ask(&self.appended, &format!("view {viewer}"));
        if !G::SECRETS {
            argument = line(&format!("startpos view {viewer}"), &self.tokens);
        }
        assert_eq!(argument, line(&format!("startpos view {viewer}"), &self.masked));
        load(loaded, &argument);
        let own = format!("view {viewer}");
        let queries = [&PUBLIC[..], &OF_POSITION, &[own.as_str()]].concat();
        self.same(&self.seen, loaded, &queries, "by a view");
        if choices.below(PICTURES) == 0 {
            self.same(&self.seen, loaded, &["table", "board"], "by a view");
        }
        self.same(&self.seen, &self.appended, &PUBLIC, "by a view and by all");
        assert_eq!(ask(loaded, "fen"), view.to_string(), "{}", self.place());
        load(loaded, &format!("fen {view} view {viewer}"));
        assert_eq!(ask(loaded, "fen"), view.to_string(), "{}", self.place());
        if self.full.turn() == Turn::Seat(viewer) {
            self.same(&self.seen, &self.appended, &["legalmoves"], "by who decides");
        }
    }

    /// Other secrets change nothing that the viewer is told.
    fn check_twin(&self, other: &mut GameEngine<G>) {
        let Some(twin) = &self.twin else { return };
        load(other, &line("startpos", &twin.tokens));
        let own = format!("view {}", self.viewer);
        self.same(other, &self.appended, &[&PUBLIC[..], &[own.as_str()]].concat(), "of a twin");
        let [one, two] = [&self.full, &twin.full].map(|full| full.position().view(self.viewer));
        assert_eq!(one, two, "{}: {}", self.place(), line("startpos", &twin.tokens));
        assert_eq!(one.to_string(), two.to_string(), "{}", self.place());
    }

    /// The list, its beginnings, single moves, what is illegal, and the counts of perft.
    fn check_moves(&mut self, choices: &mut Choices) {
        let position = self.full.position().clone();
        let mut legal: Vec<String> = position.moves().iter().map(|m| position.token(m)).collect();
        legal.sort_unstable();
        if ask(&self.appended, "legalmoves") == "many" {
            return;
        }
        assert_eq!(ask(&self.appended, "legalmoves"), legal.join(" "), "{}", self.place());
        let Some(token) = choices.one_of(&legal).cloned() else { return };
        assert_eq!(ask(&self.appended, &format!("islegal {token}")), "true", "{}", self.place());
        let start = &token[..=choices.below(token.len() as u64) as usize];
        let begin: Vec<&str> =
            legal.iter().map(String::as_str).filter(|token| token.starts_with(start)).collect();
        let told = ask(&self.appended, &format!("legalmoves {start}"));
        assert_eq!(told, begin.join(" "), "{start}: {}", self.place());
        for _ in 0..TRIED.min(self.tokens.len()) {
            let Some(old) = choices.one_of(&self.tokens).cloned() else { break };
            self.check_foreign(&position, &legal, &old);
        }
        if legal.len() <= COUNTED {
            self.check_perft(&position);
        }
    }

    /// A token of the past: legal if it is on the list, or leads where one of the list leads.
    fn check_foreign(&mut self, position: &G, legal: &[String], token: &str) {
        let told = ask(&self.appended, &format!("islegal {token}")) == "true";
        let after = |token: &str| {
            let m = position.parse_move(token).ok().filter(|m| position.is_legal(m))?;
            let mut next = position.clone();
            next.play(&m);
            Some(next)
        };
        let listed = legal.iter().any(|known| known == token)
            || after(token)
                .is_some_and(|next| legal.iter().any(|known| after(known).as_ref() == Some(&next)));
        assert_eq!(told, listed, "{token}: {}", self.place());
        if told {
            return;
        }
        let fen = ask(&self.appended, "fen");
        let refused = self.appended.append_moves(&[token.to_owned()]);
        let refused = refused.expect_err("an illegal move");
        assert!([Code::BadMove, Code::IllegalMove].contains(&refused.code), "{refused}");
        let stale = ask(&self.appended, "fen");
        assert!(stale.starts_with("error stale "), "{stale}: {}", self.place());
        load(&mut self.appended, &line("startpos", &self.tokens));
        assert_eq!(ask(&self.appended, "fen"), fen, "{}", self.place());
    }

    fn check_perft(&self, position: &G) {
        let mut counts = Vec::new();
        for m in position.moves() {
            let mut next = position.clone();
            next.play(&m);
            if next.move_listing() != MoveListing::Listed {
                return;
            }
            let count = if next.turn().is_over() { 0 } else { next.moves().len() as u64 };
            counts.push((position.token(&m), count));
        }
        counts.sort_unstable();
        for bulk in [true, false] {
            let told = self.appended.perft(2, bulk, &Control::default());
            let told = told.expect("moves that are listed").expect("nobody stops it");
            assert_eq!(told, counts, "perft 2 {bulk}: {}", self.place());
        }
    }

    /// The way to a token by choices, and any way to some token.
    fn check_steps(&self, choices: &mut Choices) {
        if !matches!(self.full.turn(), Turn::Seat(_)) {
            return;
        }
        let step = |path: &[String]| -> Step {
            let told = ask(&self.appended, format!("step {}", path.join(" ")).trim_end());
            let read = serde_json::from_str(&told);
            read.unwrap_or_else(|error| panic!("{path:?}: {told}: {error}: {}", self.place()))
        };
        let mut path: Vec<String> = Vec::new();
        for _ in 0..20 {
            let told = step(&path);
            if let Some(token) = &told.token {
                let legal = ask(&self.appended, &format!("islegal {token}"));
                assert_eq!(legal, "true", "{path:?}: {token}: {}", self.place());
            }
            match choices.one_of(&told.next) {
                Some(next) => path.push(next.choice.clone()),
                None => break,
            }
        }
        let position = self.full.position();
        let Some(m) = position.random_move(&mut choices.random) else { return };
        let told = ask(&self.appended, &format!("path {}", position.token(&m)));
        let path: Vec<String> = serde_json::from_str(&told).expect("choices");
        let token = step(&path).token.unwrap_or_default();
        let leads = position.parse_move(&token).is_ok_and(|found| {
            let [one, other] = [&m, &found].map(|m| {
                let mut next = position.clone();
                next.play(m);
                next
            });
            position.is_legal(&found) && one == other
        });
        assert!(leads, "{path:?} ends in '{token}', not {}: {}", position.token(&m), self.place());
    }
}

impl<G: Playable> Twin<G> {
    /// Plays a move that the viewer cannot tell from the other game's, if there is one.
    fn play(
        mut self,
        m: &G::Move,
        mask: &G::Move,
        viewer: Seat,
        choices: &mut Choices,
    ) -> Option<Self> {
        let position = self.full.position();
        let mut tried: Vec<G::Move> =
            (0..4).filter_map(|_| position.random_move(&mut choices.random)).collect();
        tried.push(m.clone());
        let found = tried
            .into_iter()
            .find(|m| position.is_legal(m) && position.mask(m, viewer) == *mask)?;
        self.tokens.push(position.token(&found));
        self.full.play(&found);
        Some(self)
    }
}

/// An engine under these options; `None` if they contradict each other.
fn engine<G: Playable>(settings: &Settings) -> Option<GameEngine<G>> {
    let mut engine = GameEngine::<G>::new();
    for (name, value) in settings {
        let set = engine.set_option(name, Some(value));
        set.unwrap_or_else(|error| panic!("{name}={value}: {error}"));
    }
    let starts = G::start(engine.options(), None).is_ok();
    let loaded = engine.set_position(&PositionArgument::default());
    assert_eq!(loaded.is_ok(), starts, "{} {settings:?}", G::NAME);
    starts.then_some(engine)
}
