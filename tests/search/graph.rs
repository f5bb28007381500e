//! Games given as explicit graphs: what a position is worth follows from the graph alone, and a few
//! vertices make a position that a real game hardly has.

use std::ops::ControlFlow;
use std::sync::Arc;

use parlor::game::{Chance, Chances, Game, Hidden, Outcome, Random, Seat, Turn, splitmix64};
use parlor::search::{
    Evaluate, KnownValue, LikelyMove, MoveHint, MoveKind, Quiescence, SearchHints,
};

/// Who decides at a vertex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    Seat(usize),
    Chance,
    End(Outcome),
}

/// A position of the game.
#[derive(Clone, Debug)]
pub struct Vertex {
    pub owner: Owner,
    /// The vertices that the moves lead to.
    pub to: Vec<u16>,
    /// The weights of the outcomes of chance.
    pub weights: Vec<u64>,
    /// The evaluation for every seat.
    pub scores: [i32; 4],
    /// Where a null move leads.
    pub pass: Option<u16>,
    pub forced: bool,
    pub quiescence: Quiescence,
    /// The moves that count as noisy.
    pub noisy: Vec<u16>,
    pub known: Option<KnownValue>,
}

/// The rules: vertex 0 is the start.
#[derive(Debug)]
pub struct Graph {
    pub seats: usize,
    pub vertices: Vec<Vertex>,
    /// The result of a third occurrence; `None`: the rules ignore repetition.
    pub repetition: Option<Outcome>,
}

/// A position: a vertex of a graph. A move is the vertex that it leads to.
#[derive(Clone)]
pub struct Place {
    pub graph: Arc<Graph>,
    pub at: u16,
}

/// A vertex without moves and hints; the score is for the first seat, that of the second its negation.
pub fn vertex(owner: Owner, score: i32, to: &[u16]) -> Vertex {
    Vertex {
        owner,
        to: to.to_vec(),
        weights: Vec::new(),
        scores: [score, -score, 0, 0],
        pass: None,
        forced: false,
        quiescence: Quiescence::Static,
        noisy: Vec::new(),
        known: None,
    }
}

/// A vertex at which the first seat moves.
pub fn first(score: i32, to: &[u16]) -> Vertex {
    vertex(Owner::Seat(0), score, to)
}

/// A vertex at which the second seat moves.
pub fn second(score: i32, to: &[u16]) -> Vertex {
    vertex(Owner::Seat(1), score, to)
}

/// A game of two won by a seat.
pub fn won(seat: usize) -> Vertex {
    vertex(Owner::End(Outcome::win(2, Seat::new(seat))), 0, &[])
}

impl Graph {
    /// The start of a game of two in which a third occurrence is a draw.
    pub fn start(vertices: Vec<Vertex>) -> Place {
        let graph = Graph { seats: 2, vertices, repetition: Some(Outcome::draw(2)) };
        Place { graph: Arc::new(graph), at: 0 }
    }

    /// The start of a game in which positions may occur for ever.
    pub fn without_repetition(seats: usize, vertices: Vec<Vertex>) -> Place {
        Place { graph: Arc::new(Graph { seats, vertices, repetition: None }), at: 0 }
    }
}

/// What a random graph looks like.
#[derive(Clone, Copy)]
pub struct Shape {
    pub seats: usize,
    pub vertices: usize,
    /// Moves may lead back; else every line is finite.
    pub cycles: bool,
    /// One vertex of this many is an end, where moves go on.
    pub ends: u64,
    /// One vertex of this many is chance; 0 for none.
    pub chance: u64,
    /// Seats move in turn; else any seat may follow any.
    pub alternating: bool,
}

/// A random graph and its start. The last vertices are ends, one for each seat and a draw.
pub fn random(seed: u64, shape: Shape) -> Place {
    let mut random = Random::new(splitmix64(seed));
    let (seats, inner) = (shape.seats, shape.vertices);
    let mut vertices = Vec::new();
    for at in 0..inner {
        let mut scores = [0; 4];
        for score in &mut scores[..seats] {
            *score = random.below(401) as i32 - 200;
        }
        if seats == 2 {
            scores[1] = -scores[0];
        }
        let chance = shape.chance > 0 && at > 0 && random.below(shape.chance) == 0;
        let mut to = Vec::new();
        while to.len() < 2 + random.below(3) as usize {
            let target = if random.below(shape.ends) == 0 {
                inner as u64 + random.below(seats as u64 + 1)
            } else if shape.cycles {
                random.below(inner as u64)
            } else {
                // At the end of the list, the ends are all there is.
                at as u64 + 1 + random.below((inner + seats - at).min(5) as u64)
            };
            if target != at as u64 && !to.contains(&(target as u16)) {
                to.push(target as u16);
            }
        }
        let mover =
            if shape.alternating { at % seats } else { random.below(seats as u64) as usize };
        if shape.alternating && shape.cycles {
            // Only to the next seat, or to an end.
            let next = (at + 1) % seats;
            to.retain(|to| *to as usize >= inner || *to as usize % seats == next);
            if to.is_empty() {
                to.push(next as u16);
            }
        }
        let weights = to.iter().map(|_| 1 + random.below(9)).collect();
        let owner = if chance { Owner::Chance } else { Owner::Seat(mover) };
        vertices.push(Vertex { to, weights, scores, ..vertex(owner, 0, &[]) });
    }
    for seat in 0..seats {
        let end = Outcome::win(seats, Seat::new(seat));
        vertices.push(vertex(Owner::End(end), 0, &[]));
    }
    vertices.push(vertex(Owner::End(Outcome::draw(seats)), 0, &[]));
    let repetition = Some(Outcome::draw(seats));
    Place { graph: Arc::new(Graph { seats, vertices, repetition }), at: 0 }
}

impl Place {
    pub fn vertex(&self) -> &Vertex {
        &self.graph.vertices[self.at as usize]
    }

    pub fn after(&self, m: u16) -> Place {
        Place { graph: self.graph.clone(), at: m }
    }

    /// The same place in a graph with other vertices.
    pub fn with(&self, change: impl FnOnce(&mut Vec<Vertex>)) -> Place {
        let mut vertices = self.graph.vertices.clone();
        change(&mut vertices);
        let graph = Graph { seats: self.graph.seats, vertices, repetition: self.graph.repetition };
        Place { graph: Arc::new(graph), at: self.at }
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl Eq for Place {}

impl std::hash::Hash for Place {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.at.hash(state);
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "vertex {} of", self.at)?;
        for (at, vertex) in self.graph.vertices.iter().enumerate() {
            write!(f, "\n{at} {:?} {:?} {:?}", vertex.owner, vertex.to, vertex.scores)?;
        }
        Ok(())
    }
}

impl Game for Place {
    type Move = u16;

    fn seats(&self) -> usize {
        self.graph.seats
    }
    fn turn(&self) -> Turn {
        match self.vertex().owner {
            Owner::Seat(seat) => Turn::Seat(Seat::new(seat)),
            Owner::Chance => Turn::Chance { thrower: None },
            Owner::End(_) => Turn::Over,
        }
    }
    fn for_each_move<B>(&self, visit: impl FnMut(u16) -> ControlFlow<B>) -> ControlFlow<B> {
        self.vertex().to.iter().copied().try_for_each(visit)
    }
    fn is_legal(&self, m: &u16) -> bool {
        self.vertex().to.contains(m)
    }
    fn play(&mut self, m: &u16) {
        self.at = *m;
    }
    fn outcome(&self) -> Option<Outcome> {
        match &self.vertex().owner {
            Owner::End(outcome) => Some(*outcome),
            _ => None,
        }
    }
    fn reason(&self) -> Option<&'static str> {
        self.outcome().map(|_| "end-of-graph")
    }
    fn fresh_key(&self) -> u64 {
        // Far from the numbers that drivers mix into keys.
        splitmix64(u64::from(self.at) + 0x5EED_0000)
    }
    fn repetition(&self) -> Option<Outcome> {
        self.graph.repetition
    }
}

impl Chance for Place {
    fn chances(&self) -> Chances<u16> {
        let vertex = self.vertex();
        let listed = vertex.to.iter().copied().zip(vertex.weights.iter().copied());
        Chances::Listed(if self.turn().is_chance() { listed.collect() } else { Vec::new() })
    }
}

impl Hidden for Place {}

/// The evaluation and the hints that the vertices give.
#[derive(Clone, Copy)]
pub struct Labels {
    /// Noisy and quiet moves are listed apart.
    pub staged: bool,
}

/// All moves listed at once.
pub const LABELS: Labels = Labels { staged: false };

impl Evaluate<Place> for Labels {
    type Acc = ();

    fn fresh(&self, _: &Place) {}
    fn score(&self, _: &(), place: &Place, seat: Seat) -> i32 {
        place.vertex().scores[seat.index()]
    }
}

impl SearchHints<Place> for Labels {
    fn tag(&self, m: &u16) -> u16 {
        m + 1
    }
    fn move_of_tag(&self, place: &Place, tag: u16) -> Option<u16> {
        let m = tag.checked_sub(1)?;
        place.is_legal(&m).then_some(m)
    }
    fn upcoming_repetition(&self, place: &Place, difference: u64) -> Option<u16> {
        place.moves().into_iter().find(|m| place.after(*m).key() ^ place.key() == difference)
    }
    fn variant(&self, m: &u16) -> u16 {
        m % 2 + 1
    }
    fn hint_moves(&self, place: &Place, moves: &[u16], hints: &mut [MoveHint]) {
        for (m, hint) in moves.iter().zip(hints) {
            hint.priority = i8::from(place.vertex().noisy.contains(m));
        }
    }
    fn fold_kind<T>(
        &self,
        place: &Place,
        kind: MoveKind,
        skipped: &[u16],
        start: T,
        mut visit: impl FnMut(T, u16, MoveHint) -> T,
    ) -> Option<T> {
        let listed = place.moves().into_iter().filter(|m| {
            let hint = self.hint_move(place, m);
            let own = match hint.priority {
                1.. => MoveKind::Noisy,
                0 => MoveKind::Quiet,
                _ => MoveKind::Last,
            };
            own == kind && !skipped.contains(&self.tag(m))
        });
        let fold = |all, m| visit(all, m, self.hint_move(place, &m));
        self.staged.then(|| listed.fold(start, fold))
    }
    fn is_forced(&self, place: &Place) -> bool {
        place.vertex().forced
    }
    fn null_move(&self, place: &Place) -> Option<Place> {
        place.vertex().pass.map(|to| place.after(to))
    }
    fn known_value(&self, place: &Place) -> Option<KnownValue> {
        place.vertex().known
    }
    fn quiescence(&self, place: &Place, depth: u32) -> Quiescence {
        // Noisy moves may lead in circles.
        if depth < 3 { place.vertex().quiescence } else { Quiescence::Static }
    }
    fn for_each_noisy<B>(
        &self,
        place: &Place,
        _: u32,
        visit: impl FnMut(u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        place.vertex().noisy.iter().copied().try_for_each(visit)
    }
}

/// The first move.
pub struct FirstMove;

impl LikelyMove<Place> for FirstMove {
    fn likely_move(place: &Place) -> Option<u16> {
        place.vertex().to.first().copied()
    }
}
